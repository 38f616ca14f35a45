//! Checks the chapters of `docs/`: each block of bytes is that of a fixture, or is read by the library.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

#[path = "../examples/quickstart.rs"]
mod quickstart;

use std::fs;
use std::path::Path;

use fourfold::{biniou, primitiv, tsm};

/// In the order of the tables.
const FORMATS: [&str; 4] = ["molecule", "biniou", "tsm", "primitiv"];

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A block of bytes: its start, the words of its fence after `hex`, and its bytes.
struct Block {
    line: usize,
    words: Vec<String>,
    bytes: Vec<u8>,
}

/// The blocks of a page whose fence begins with `hex`.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for (at, line) in page.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(info) if !inside && info.starts_with("hex") => {
                inside = true;
                let words = info.split_whitespace().skip(1).map(str::to_owned).collect();
                blocks.push(Block { line: at + 1, words, bytes: Vec::new() });
            }
            Some(_) if inside => inside = false,
            _ if inside => {
                let block = blocks.last_mut().unwrap();
                bytes(line, &mut block.bytes)
                    .unwrap_or_else(|| panic!("line {}: no bytes: {line}", at + 1));
            }
            _ => {}
        }
    }
    blocks
}

/// The bytes of a line, up to `#`: pairs of digits; `* 120` repeats the last pair.
fn bytes(line: &str, out: &mut Vec<u8>) -> Option<()> {
    let digits = line.split('#').next()?;
    let mut words = digits.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "*" => {
                let (last, count) = (*out.last()?, words.next()?.parse::<usize>().ok()?);
                out.extend(std::iter::repeat_n(last, count.checked_sub(1)?));
            }
            _ if word.len() == 2 => out.push(u8::from_str_radix(word, 16).ok()?),
            _ => return None,
        }
    }
    Some(())
}

/// Whether the examples of the encoding specification have these bytes for this type.
fn is_molecule(name: &str, bytes: &[u8]) -> bool {
    let text = fs::read_to_string(format!("{ROOT}/tests/fixtures/molecule/spec_examples.json"));
    let cases: Vec<serde_json::Value> = serde_json::from_str(&text.unwrap()).unwrap();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    cases.iter().any(|case| case["type"] == name && case["hex"] == *hex)
}

/// Checks the blocks of a chapter, and returns their number.
fn check(page: &str) -> usize {
    let text = fs::read_to_string(Path::new(ROOT).join("docs").join(page)).unwrap();
    let blocks = blocks(&text);
    for Block { line, words, bytes } in &blocks {
        let place = format!("docs/{page}, line {line}");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            ["molecule", name] => assert!(is_molecule(name, bytes), "{place}"),
            [format, file] => {
                let fixture = fs::read(format!("{ROOT}/tests/fixtures/{format}/{file}"));
                assert_eq!(bytes, &fixture.expect(&place), "{place}");
            }
            ["biniou"] => {
                biniou::from_slice::<biniou::Value>(bytes).expect(&place);
            }
            ["tsm"] => {
                tsm::from_slice::<tsm::Module<'_>>(bytes).expect(&place);
            }
            ["primitiv"] => {
                primitiv::File::from_slice(bytes).expect(&place);
            }
            _ => panic!("{place}: of what format?"),
        }
    }
    blocks.len()
}

#[test]
fn blocks_of_bytes_are_those_of_fixtures() {
    assert_eq!(check("wire-molecule.md"), 5);
    assert_eq!(check("wire-biniou.md"), 7);
    assert_eq!(check("wire-tsm.md"), 2);
    assert_eq!(check("wire-primitiv.md"), 4);
    assert_eq!(check("wire-sta.md"), 1);
}

/// What both languages have in common: code without comments, and the number of headings and rows.
fn outline(page: &str) -> (Vec<String>, usize, usize) {
    let text = fs::read_to_string(Path::new(ROOT).join(page)).unwrap();
    let (mut code, mut headings, mut rows, mut inside) = (Vec::new(), 0, 0, false);
    for line in text.lines() {
        match line {
            _ if line.starts_with("```") => inside = !inside,
            _ if inside && line.starts_with("//") => {}
            _ if inside => code.push(line.to_owned()),
            _ => {
                headings += usize::from(line.starts_with('#'));
                rows += usize::from(line.starts_with('|'));
            }
        }
    }
    (code, headings, rows)
}

#[test]
fn the_chinese_readme_is_up_to_date() {
    assert_eq!(outline("README.zh.md"), outline("README.md"));
}

/// The first two commands are those that a fresh clone needs: an example with its output, and the tests.
#[test]
fn the_readme_begins_with_commands_that_work() {
    let page = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let blocks: Vec<_> = page.split("```").skip(1).step_by(2).collect();
    let commands: Vec<_> = blocks.iter().filter_map(|block| block.strip_prefix("sh\n")).collect();
    assert_eq!(commands[..2], ["cargo run --example quickstart\n", "cargo test\n"]);
    let mut printed = b"text\n".to_vec();
    quickstart::run(&mut printed).unwrap();
    assert_eq!(blocks[1], String::from_utf8(printed).unwrap());
}

/// The means of one format in a report of `bench`, as printed.
fn means(report: &str, format: &str) -> Vec<String> {
    let text = fs::read_to_string(Path::new(ROOT).join("docs").join(report)).unwrap();
    let text = text.split("## Means").nth(1).unwrap();
    let row = text.lines().find_map(|line| line.strip_prefix(&format!("| fourfold::{format} |")));
    row.unwrap().split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// The summary of `docs/speed.md` has the figures of the reports.
#[test]
fn the_summary_of_speed_is_up_to_date() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/speed.md")).unwrap();
    for format in FORMATS {
        let means = means("benchmarks.md", format);
        let row = format!("| {format} | {} | {} | {} |", means[0], means[1], means[2]);
        assert!(page.lines().any(|line| line == row), "docs/speed.md lacks: {row}");
    }
}

/// Checks that the files of links exist. In the README, which is also the crate's documentation, links lead to modules,
/// to files of the published package, or to the picture.
#[test]
fn linked_files_exist() {
    let root = Path::new(ROOT);
    let pages = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|page| page.extension().is_some_and(|extension| extension == "md"));
    let library = fs::read_to_string(root.join("src/lib.rs")).unwrap();
    let picture = fs::read_to_string(root.join("src/explain_svg.md")).unwrap();
    let mut count = 0;
    for page in pages.chain(
        [
            "README.md",
            "README.zh.md",
            "ARCHITECTURE.md",
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "SECURITY.md",
        ]
        .map(|name| root.join(name)),
    ) {
        let text = fs::read_to_string(&page).unwrap();
        let defined = text.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: "));
        let defined: Vec<_> = defined.map(|(name, target)| (Some(name), target)).collect();
        let inline = text.split("](").skip(1).map(|rest| (None, rest.split(')').next().unwrap()));
        for (name, target) in defined.into_iter().chain(inline) {
            let target = target.split('#').next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let place = page.parent().unwrap().join(target);
            assert!(place.is_file(), "{}: {target}", page.display());
            if page.ends_with("README.md") {
                let name = name.unwrap_or_else(|| panic!("the documentation has no {target}"));
                let ways = ["crate::", "https://docs.rs/crate/fourfold/latest/source/"];
                let leads = |way| library.contains(&format!("\"[{name}]: {way}"));
                let is_drawn = picture.starts_with(&format!("[{name}]: "));
                assert!(is_drawn || ways.into_iter().any(leads), "{name}");
            }
            count += 1;
        }
    }
    assert!(count > 33, "{count}");
}

/// Names of fixtures in brackets, `[good/names]`, link to files.
#[test]
fn named_fixtures_exist() {
    for (format, extensions) in [
        ("biniou", &[".biniou", ".stream", ""][..]),
        ("tsm", &[".tsm", ".t", ""][..]),
        ("primitiv", &[""][..]),
    ] {
        let page = fs::read_to_string(format!("{ROOT}/docs/wire-{format}.md")).unwrap();
        let mut count = 0;
        for part in page.split("`[").skip(1) {
            let list = part.split("]`").next().unwrap();
            for name in list.split(',').map(str::trim).filter(|name| name.contains('/')) {
                count += 1;
                assert!(exists(format, name, extensions), "docs/wire-{format}.md: {name}");
            }
        }
        assert!(count > 20, "{format}: {count}");
    }
}

/// Whether a file has this name, in which `*` matches anything.
fn exists(format: &str, name: &str, extensions: &[&str]) -> bool {
    let (folder, name) = name.split_once('/').unwrap();
    let files = fs::read_dir(format!("{ROOT}/tests/fixtures/{format}/{folder}")).unwrap();
    let names: Vec<String> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    match name.split_once('*') {
        Some((head, tail)) => {
            let fits = |file: &String| file.starts_with(head) && file[head.len()..].contains(tail);
            names.iter().any(fits)
        }
        None => extensions.iter().any(|end| names.contains(&format!("{name}{end}"))),
    }
}
