//! The commands in the documentation are valid.

use std::fs;
use std::path::Path;

use crate::command::{Folder, ROOT, command, fourfold};

/// The commands in a page: inline code and lines of code blocks.
fn commands(page: &str) -> Vec<String> {
    let lines = page.lines().map(|line| line.trim_start_matches("$ "));
    let lines = lines.filter(|line| line.starts_with("fourfold "));
    let spans = page.split('`').filter(|span| span.starts_with("fourfold "));
    let texts = lines.chain(spans).filter(|text| !text.starts_with("fourfold ="));
    texts.map(|text| text.split('#').next().unwrap().trim().to_owned()).collect()
}

/// The arguments of a command, split at blanks outside of quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None;
    let mut quote = None;
    for letter in command.chars() {
        match (letter, quote) {
            (_, Some(end)) if letter == end => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_with(String::new);
            }
            (_, None) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_with(String::new).push(letter),
        }
    }
    words.extend(word);
    words
}

/// The first mistake in a command, checked against the help of its subcommand.
fn mistake(command: &str) -> Option<String> {
    let words = words(command);
    let mut words = words.iter().map(String::as_str).skip(1);
    let subcommand = words.next()?;
    let needs_tables = subcommand == "convert" && command.contains(" --schema ");
    if subcommand == "sql" && !cfg!(feature = "sql") || needs_tables && !cfg!(feature = "tables") {
        return None;
    }
    let mut run = fourfold(&[subcommand, "--help"]);
    if run.code != 0 {
        return Some(format!("no subcommand {subcommand}"));
    }
    // A subcommand with subcommands of its own.
    if let (true, Some(part)) = (run.text().contains("\nCommands:\n"), words.clone().next()) {
        words.next();
        run = fourfold(&[subcommand, part, "--help"]);
        if run.code != 0 {
            return Some(format!("no subcommand {subcommand} {part}"));
        }
    }
    let help = run.text();
    let usage = help.lines().find(|line| line.starts_with("Usage: "))?;
    let most = if usage.contains("...") { usize::MAX } else { usage.matches('<').count() };
    let mut given = 0;
    while let Some(word) = words.next() {
        let known = |end: &str| help.contains(&format!(" {word}{end}"));
        match word.starts_with('-') && word != "-" {
            true if known(" <") => drop(words.next()),
            true if known("\n") || known(", --") => {
                // A short name is followed by the long one and its value.
                let long = help.split(&format!(" {word}, --")).nth(1).unwrap_or_default();
                if long.lines().next().is_some_and(|line| line.contains('<')) {
                    words.next();
                }
            }
            true => return Some(format!("no option {word}")),
            false => given += 1,
        }
    }
    (given > most).then(|| format!("{given} arguments, {most} at most"))
}

#[test]
fn commands_in_the_documentation_are_valid() {
    let root = Path::new(ROOT);
    let pages = fs::read_dir(root.join("docs")).unwrap().map(|page| page.unwrap().path());
    let pages = pages.filter(|page| page.extension().is_some_and(|ending| ending == "md"));
    let mut count = 0;
    for page in
        pages.chain(["README.md", "README.zh.md", "cli/README.md"].map(|name| root.join(name)))
    {
        for command in commands(&fs::read_to_string(&page).unwrap()) {
            count += 1;
            if let Some(error) = mistake(&command) {
                panic!("{}: `{command}`: {error}", page.display());
            }
        }
    }
    assert!(count > 30, "{count}");
    assert_eq!(mistake("fourfold graph a b").as_deref(), Some("2 arguments, 1 at most"));
    assert_eq!(mistake("fourfold explain --stream a").as_deref(), Some("no option --stream"));
    assert_eq!(mistake("fourfold convert a b --like c"), None);
    assert_eq!(mistake("fourfold graph a -o b"), None);
    assert_eq!(mistake("fourfold schema rust a -o b"), None);
    assert_eq!(mistake("fourfold schema rust a --attribute '*=b(c = \"d e\")'"), None);
    assert_eq!(mistake("fourfold schema rusty a").as_deref(), Some("no subcommand schema rusty"));
    assert_eq!(mistake("fourfold schema mol a b").as_deref(), Some("2 arguments, 1 at most"));
}

/// The text of the first code block with that fence.
fn block<'p>(page: &'p str, fence: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!("\n```{fence}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

/// The commands at the start of `from-moleculec.md` run one after another on its schema.
#[test]
fn commands_of_from_moleculec_run() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/from-moleculec.md")).unwrap();
    let folder = Folder::new();
    let file = |name: &str| folder.path(name);
    fs::create_dir(file("src")).unwrap();
    fs::write(file("draft.mol"), block(&page, "text")).unwrap();
    fs::write(file("message.json"), block(&page, "json")).unwrap();
    let mut printed = String::new();
    let commands: Vec<&str> = block(&page, "sh").lines().collect();
    for line in &commands {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let output = command(&words).current_dir(folder.root()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {stderr}");
        printed = String::from_utf8(output.stdout).unwrap();
    }
    assert!(commands.len() >= 5 && page.find("```sh") < page.find("## "), "{commands:?}");
    assert_eq!(printed, block(&page, "json"));
    let made = fs::read_to_string(file("src/draft.rs")).unwrap();
    assert!(made.contains("pub enum Message {"), "{made}");
    assert_eq!(fs::read(file("message.bin")).unwrap(), [5, 0, 0, 0, 2, 0, 0, 0, 0xaa, 0xbb]);
}
