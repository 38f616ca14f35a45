//! Rules of `ARCHITECTURE.md` that the compiler does not check.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::string_slice)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file of the project: its path from the root, with `/`, and its text.
struct File {
    path: String,
    text: String,
}

impl File {
    fn is_in(&self, folder: &str) -> bool {
        self.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with(['/', '.']))
    }

    /// The lines for which `is_so` returns true, as `path:number: line`.
    fn lines_where(&self, is_so: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
        let found = self.text.lines().enumerate().filter(move |(_, line)| is_so(line));
        found.map(|(index, line)| format!("{}:{}: {}", self.path, index + 1, line.trim()))
    }

    /// The lines that contain one of the `words`, as a whole word.
    fn lines_with<'a>(&'a self, words: &'a [&str]) -> impl Iterator<Item = String> + 'a {
        self.lines_where(|line| words.iter().any(|word| has_word(line, word)))
    }
}

/// Whether `line` contains `word`, without a letter, digit or `_` before or after it.
fn has_word(line: &str, word: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).any(|(at, _)| {
        let starts = !word.starts_with(is_letter) || !line[..at].ends_with(is_letter);
        starts && (!word.ends_with(is_letter) || !line[at + word.len()..].starts_with(is_letter))
    })
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `folder` whose name ends with one of `ends`, except for build outputs.
fn files(folder: &str, ends: &[&str]) -> Vec<File> {
    let (mut found, mut folders) = (Vec::new(), vec![root().join(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the project") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
            match path.is_dir() {
                true if matches!(
                    name,
                    "target" | ".git" | "fixtures" | "corpus" | "__pycache__"
                ) => {}
                true => folders.push(path),
                false if ends.iter().any(|end| name.ends_with(end)) => found.push(read(&path)),
                false => {}
            }
        }
    }
    assert!(!found.is_empty(), "no files in {folder}");
    found
}

fn read(path: &PathBuf) -> File {
    let name = path.strip_prefix(root()).expect("a path in the project");
    let name = name.to_str().expect("a name").replace(std::path::MAIN_SEPARATOR, "/");
    let text = fs::read(path).expect("a file of the project");
    File { path: name, text: String::from_utf8_lossy(&text).into_owned() }
}

fn sources() -> Vec<File> {
    files("src", &[".rs"])
}

/// The formats: folders with a module for their bytes.
fn formats() -> Vec<String> {
    let folders =
        fs::read_dir(root().join("src")).expect("src").map(|entry| entry.expect("an entry"));
    let formats: Vec<_> = folders
        .filter(|entry| entry.path().join("wire.rs").is_file())
        .map(|entry| entry.file_name().to_str().expect("a name").to_owned())
        .collect();
    assert!(formats.len() >= 4, "formats found: {formats:?}");
    formats
}

#[track_caller]
fn assert_none(rule: &str, violations: impl IntoIterator<Item = String>) {
    let violations: Vec<_> = violations.into_iter().collect();
    assert!(violations.is_empty(), "{rule}:\n{}", violations.join("\n"));
}

/// The files in `folders`, and their lines with one of `words`.
#[track_caller]
fn assert_no_words<F: AsRef<str>>(rule: &str, files: &[File], folders: &[F], words: &[&str]) {
    let within =
        files.iter().filter(|file| folders.iter().any(|folder| file.is_in(folder.as_ref())));
    let within: Vec<_> = within.collect();
    assert!(!within.is_empty(), "{rule}: no files");
    assert_none(rule, within.iter().flat_map(|file| file.lines_with(words)));
}

#[test]
fn formats_do_not_name_each_other() {
    let (sources, formats) = (sources(), formats());
    for format in &formats {
        for sibling in formats.iter().filter(|sibling| *sibling != format) {
            let (folder, word) = (format!("src/{format}"), format!("crate::{sibling}"));
            assert_no_words("a format names another one", &sources, &[folder], &[&word]);
        }
    }
}

/// The modules of a package, with the modules that each of them imports.
fn imports(package: &str) -> BTreeMap<String, BTreeSet<String>> {
    let files = files(package, &[".rs"]);
    let name_of = |file: &File| {
        let path = file.path.strip_prefix(package)?.strip_prefix('/')?;
        let module = path.split('/').next()?.trim_end_matches(".rs");
        (!["lib", "main"].contains(&module)).then(|| module.to_owned())
    };
    let names: BTreeSet<_> = files.iter().filter_map(name_of).collect();
    let mut imports = BTreeMap::<_, BTreeSet<_>>::new();
    for (file, module) in files.iter().filter_map(|file| Some((file, name_of(file)?))) {
        let used = imports.entry(module.clone()).or_default();
        for line in file.text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for (at, word) in line.match_indices("crate::") {
                let path = &line[at + word.len()..];
                // `crate::{a, b::C}` names several.
                let (list, inner) = match path.strip_prefix('{') {
                    Some(list) => (list.split(',').collect(), list),
                    None => (vec![path], path),
                };
                assert!(!inner.is_empty(), "{}: a list of several lines: {line}", file.path);
                let first = |path: &str| {
                    let path = path.trim();
                    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_');
                    path[..end.unwrap_or(path.len())].to_owned()
                };
                used.extend(list.into_iter().map(first).filter(|name| names.contains(name)));
            }
        }
        used.remove(&module);
    }
    imports
}

/// An import cycle that contains `start`, if there is one.
fn cycle(imports: &BTreeMap<String, BTreeSet<String>>, start: &str) -> Option<Vec<String>> {
    let mut paths = vec![vec![start.to_owned()]];
    let mut seen = BTreeSet::new();
    while let Some(path) = paths.pop() {
        for next in path.last().and_then(|last| imports.get(last)).into_iter().flatten() {
            let path = [&path[..], std::slice::from_ref(next)].concat();
            if next == start {
                return Some(path);
            }
            if seen.insert(next.clone()) {
                paths.push(path);
            }
        }
    }
    None
}

/// The packages, as folders of modules.
const PACKAGES: [&str; 11] = [
    "src",
    "schema/src",
    "cli/src",
    "inspect/src",
    "onnx/src",
    "tables/src",
    "tennis/src",
    "python/src",
    "web/src",
    "cluster/src",
    "bench/src",
];

#[test]
fn modules_of_a_package_form_layers() {
    let example = [("a", &["b"][..]), ("b", &["c"]), ("c", &["b"]), ("d", &["a"])];
    let example = example.map(|(module, used)| {
        (module.to_owned(), used.iter().map(|used| (*used).to_owned()).collect::<BTreeSet<_>>())
    });
    let example = BTreeMap::from(example);
    assert_eq!(cycle(&example, "a"), None);
    assert_eq!(cycle(&example, "b"), Some(["b", "c", "b"].map(String::from).to_vec()));
    for package in PACKAGES {
        let imports = imports(package);
        let has_imports = imports.values().any(|used| !used.is_empty());
        assert!(has_imports || imports.len() == 1, "{package}: no imports");
        let circles = imports.keys().filter_map(|module| cycle(&imports, module));
        let circles = circles.map(|cycle| cycle.join(" -> "));
        assert_none(&format!("modules of {package} that use each other"), circles);
    }
}

/// `lib.rs` and the lists of shared modules define which formats a module is built for.
#[test]
fn shared_modules_name_no_format() {
    let lists = ["src/lib.rs", "src/pages.rs", "src/glue.rs"];
    let formats = formats();
    let mut shared = sources();
    shared.retain(|file| {
        let in_format = formats.iter().any(|format| file.is_in(&format!("src/{format}")));
        !in_format && !lists.contains(&file.path.as_str())
    });
    for format in formats {
        let words = [format!("crate::{format}"), format!("feature = \"{format}\"")];
        assert_no_words(
            "a shared module names a format",
            &shared,
            &["src"],
            &words.each_ref().map(|word| &**word),
        );
    }
}

/// `wire` does not use serde, marks use no reader, and readers and writers do not use each other.
#[test]
fn modules_of_a_format_use_lower_layers_only() {
    let sources = sources();
    for format in formats() {
        let module = |name: &str| [format!("src/{format}/{name}")];
        let names = |modules: &[&str]| -> Vec<String> {
            let paths = modules.iter().flat_map(|module| {
                [format!("crate::{format}::{module}"), format!("super::{module}")]
            });
            paths.collect()
        };
        let check = |lower: &str, higher: &[&str]| {
            let words = names(higher);
            let words: Vec<_> = words.iter().map(|word| &**word).collect();
            let rule = format!("{lower} of {format} uses a higher layer");
            assert_no_words(&rule, &sources, &module(lower), &words);
        };
        let wire = module("wire");
        assert_no_words(
            "wire uses serde",
            &sources,
            &wire,
            &["serde_core", "Visitor", "Serialize"],
        );
        check("wire", &["mark", "ser", "de", "options"]);
        check("mark", &["ser", "de"]);
        // Inside of `ser` and `de`, `super` is the module itself.
        for (here, there) in [("ser", "de"), ("de", "ser")] {
            let word = format!("crate::{format}::{there}");
            let rule = format!("{here} of {format} names {there}");
            assert_no_words(&rule, &sources, &module(here), &[&word]);
        }
    }
}

#[test]
fn files_and_folders_are_small() {
    const LINES: usize = 500;
    const ENTRIES: usize = 30;
    let all = [
        "src",
        "cli/src",
        "inspect/src",
        "onnx/src",
        "python/src",
        "schema/src",
        "tables/src",
        "tennis/src",
    ]
    .map(|folder| files(folder, &[".rs"]));
    let long = all.iter().flatten().filter(|file| file.text.lines().count() > LINES);
    assert_none("files of more than 500 lines", long.map(|file| file.path.clone()));
    let mut folders: Vec<_> =
        all.iter().flatten().filter_map(|file| Some(file.path.rsplit_once('/')?.0)).collect();
    folders.sort_unstable();
    let full = folders.chunk_by(|a, b| a == b).filter(|folder| folder.len() > ENTRIES);
    assert_none("folders of more than 30 files", full.map(|folder| folder[0].to_owned()));
}

/// The library reads and writes values. `inspect` explains and shows files, using only the public API.
#[test]
fn the_library_does_not_inspect() {
    let words = ["Span", "Spans", "spans", "fn explain_each", "fn view_with", "fn contents"];
    assert_no_words("inspection in the library", &sources(), &["src"], &words);
    let packages = ["src", "schema/src"].map(|package| files(package, &[".rs"]));
    let packages: Vec<File> = packages.into_iter().flatten().collect();
    assert_no_words(
        "a lower package uses inspect",
        &packages,
        &["src", "schema/src"],
        &["fourfold_inspect"],
    );
}

#[test]
fn subcommands_name_no_format() {
    let mut front_ends = files("cli/src", &[".rs"]);
    front_ends.extend(files("inspect/src", &[".rs"]));
    let formats = formats();
    let capitalized = formats.iter().map(|format| format[..1].to_uppercase() + &format[1..]);
    let containers = ["Npy", "Npz", "Safetensors"].map(String::from);
    let words: Vec<_> = capitalized
        .chain(containers)
        .flat_map(|name| [format!("Format::{name}"), format!("Container::{name}")])
        .collect();
    let words: Vec<_> = words.iter().map(|word| &**word).collect();
    let modules = [
        "cli/src/subcommands",
        "inspect/src/diff",
        "inspect/src/explain",
        "inspect/src/graph",
        "inspect/src/model",
        "inspect/src/show",
    ];
    assert_no_words(
        "a subcommand, a graph, a difference or the JSON model depends on the format",
        &front_ends,
        &modules,
        &words,
    );
}

#[test]
fn no_unfinished_dead_or_unsafe_code() {
    let mut all = sources();
    all.extend(files("cli/src", &[".rs"]));
    all.extend(files("inspect/src", &[".rs"]));
    all.extend(files("onnx/src", &[".rs"]));
    all.extend(files("schema/src", &[".rs"]));
    all.extend(files("tables/src", &[".rs"]));
    all.extend(files("tennis/src", &[".rs"]));
    let words = ["type_name::<", "todo!(", "unimplemented!("];
    assert_no_words(
        "unfinished code, or names of types",
        &all,
        &["src", "cli/src", "inspect/src", "onnx/src", "schema/src", "tables/src", "tennis/src"],
        &words,
    );
    let dead = all.iter().filter(|file| file.is_in("src") && file.path != "src/lib.rs");
    let dead = dead.flat_map(|file| file.lines_with(&["allow(dead_code"]));
    // Examples in the documentation may have dead code.
    assert_none("code that is never called", dead.filter(|line| !line.contains("///")));
    // The last one lists Rust's keywords; the compiler denies it the use of this one.
    let modules = ["src/tensor/mmap.rs", "src/text.rs", "schema/src/common/rust/name.rs"];
    let safe = all.iter().filter(|file| !modules.contains(&file.path.as_str()));
    assert_none("unsafe code in other modules", safe.flat_map(|file| file.lines_with(&["unsafe"])));
}

/// The project can be built anywhere.
#[test]
fn no_path_leads_outside() {
    let all = files(".", &[".rs", ".toml", ".md", ".sh", ".yml"]);
    // In pieces, so that this file passes, too.
    let machine = ["root", "home", "work"].map(|folder| format!("/{folder}/"));
    let outside = |line: &str| {
        let is_path =
            |at: usize| !line[..at].ends_with(|c: char| c.is_ascii_lowercase() || c == '.');
        line.contains(concat!("..", "/shared"))
            || machine
                .iter()
                .any(|path| line.match_indices(path.as_str()).any(|(at, _)| is_path(at)))
    };
    let violations = all.iter().flat_map(|file| file.lines_where(outside));
    assert_none("a path outside of the project", violations);
}

/// Whether a line has an assertion after `mark`, which begins a comment. Rewrapping text can move code into a comment.
fn is_lost_assertion(line: &str, mark: &str) -> bool {
    let asserts: &[&str] = match mark {
        "#" => &["assert "],
        _ => &["assert!(", "assert_eq!(", "assert_ne!("],
    };
    let starts = |at: usize| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    let comment = line.match_indices(mark).find(|(at, _)| starts(*at));
    comment.is_some_and(|(at, _)| {
        let comment = &line[at + mark.len()..];
        asserts.iter().any(|word| comment.contains(word))
    })
}

/// The lost assertions in code blocks of Markdown and of Rust documentation, and in Python files.
fn lost_assertions(file: &File) -> Vec<String> {
    let mut fence: Option<&str> = None;
    let is_lost = |line: &str| {
        let line = line.trim();
        if file.path.ends_with(".py") || file.path.ends_with(".pyi") {
            return is_lost_assertion(line, "#");
        }
        let line = match file.path.ends_with(".rs") {
            false => line,
            true => match line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) {
                Some(line) => line.trim(),
                None => {
                    fence = None;
                    return false;
                }
            },
        };
        match (line.strip_prefix("```"), fence) {
            (Some(_), Some(_)) => fence = None,
            (Some("python" | "py"), None) => fence = Some("#"),
            (Some(_), None) => fence = Some("//"),
            (None, Some(mark)) => return is_lost_assertion(line, mark),
            (None, None) => {}
        }
        false
    };
    let is_lost = std::cell::RefCell::new(is_lost);
    file.lines_where(|line| (is_lost.borrow_mut())(line)).collect()
}

#[test]
fn no_assertion_is_in_a_comment() {
    let page = |path: &str, text: &str| File { path: path.into(), text: text.into() };
    let count = |path: &str, text: &str| lost_assertions(&page(path, text)).len();
    assert_eq!(
        count("a.md", "// assert!(x)\n```\n// Why. assert!(x);\nassert!(y); // so\n```\n"),
        1
    );
    assert_eq!(count("a.md", "```python\nx = 1  # Why. assert x == 1\nassert x\n```\n"), 1);
    assert_eq!(
        count("a.rs", "/// ```\n/// let x = 1; // So. assert_eq!(x, 1);\n/// # assert!(x);\n"),
        1
    );
    assert_eq!(count("a.rs", "// assert!(x)\nlet url = \"https://a\"; assert!(url);\n"), 0);
    assert_eq!(count("a.py", "# So. assert x\nassert y  # as it is\n"), 1);

    let all = files(".", &[".md", ".rs", ".py", ".pyi"]);
    assert!(all.len() > 500, "{} files", all.len());
    let lost: Vec<String> = all.iter().flat_map(lost_assertions).collect();
    assert!(lost.is_empty(), "{lost:#?}");
}
