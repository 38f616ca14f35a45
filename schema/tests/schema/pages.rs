//! Rust code on pages is what is made of the schemas above it.

use std::fs;

use fourfold_schema::RustOptions;
use fourfold_schema::mol::Schema;

const COMMAND: &str = "fourfold schema rust ";

/// The blocks of code of a page: the rest of the fence, and the text.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let text = lines.by_ref().take_while(|line| *line != "```");
        blocks.push((info, text.map(|line| format!("{line}\n")).collect()));
    }
    blocks
}

/// The options of a command that makes types of one file.
fn options(command: &str) -> RustOptions {
    let mut words = command.split_whitespace();
    let file = words.next();
    assert!(file.is_some_and(|file| file.ends_with(".mol")), "{command}");
    let mut options = RustOptions::new();
    while let Some(word) = words.next() {
        let value = words.next().unwrap();
        match word {
            "-o" => {}
            "--derive" => options = options.with_derives(value.split(',')),
            _ => panic!("{command}: {word}"),
        }
    }
    options
}

/// Checks each command that has a schema above it and Rust below it; gives how many there are.
fn check(page: &str) -> usize {
    let blocks = blocks(page);
    let mut count = 0;
    for three in blocks.windows(3) {
        let [("text", schema), ("sh", commands), ("rust", code)] = three else { continue };
        let command = commands.lines().find_map(|line| line.strip_prefix(COMMAND));
        let Some(command) = command else { continue };
        let schema = Schema::parse(schema).unwrap_or_else(|error| panic!("{error}\n{schema}"));
        let made = schema.to_rust(&options(command));
        assert!(code.contains(&made), "the page has\n{code}\nand not\n{made}");
        count += 1;
    }
    count
}

#[test]
fn code_on_the_pages_is_made_of_their_schemas() {
    for (page, count) in [("README.md", 1), ("README.zh.md", 1), ("docs/from-moleculec.md", 1)] {
        let text = fs::read_to_string(format!("../{page}")).unwrap();
        assert_eq!(check(&text), count, "{page}");
    }
}
