//! Rust code in the documentation is generated from the schemas above it.

use std::fs;

use fourfold_schema::RustOptions;
use fourfold_schema::mol::Schema;

const COMMAND: &str = "fourfold schema rust ";

/// The code blocks of a chapter: language of the fence, and text.
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

/// The options of a command that generates types from one file.
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

/// Checks each command with a schema above it and Rust below it; returns their number.
fn check(page: &str) -> usize {
    let blocks = blocks(page);
    let mut count = 0;
    for three in blocks.windows(3) {
        let [("text", schema), ("sh", commands), ("rust", code)] = three else { continue };
        let command = commands.lines().find_map(|line| line.strip_prefix(COMMAND));
        let Some(command) = command else { continue };
        let schema = Schema::parse(schema).unwrap_or_else(|error| panic!("{error}\n{schema}"));
        let made = schema.to_rust(&options(command));
        assert!(code.contains(&made), "the chapter has\n{code}\nbut generated is\n{made}");
        count += 1;
    }
    count
}

#[test]
fn code_in_the_documentation_is_up_to_date() {
    for (page, count) in [("README.md", 1), ("README.zh.md", 1), ("docs/from-moleculec.md", 1)] {
        let text = fs::read_to_string(format!("../{page}")).unwrap();
        assert_eq!(check(&text), count, "{page}");
    }
}
