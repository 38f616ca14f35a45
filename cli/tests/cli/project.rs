//! `fourfold.toml`: schemas, types and names for the files of a project.

use std::fs;
use std::path::Path;

use crate::command::{Folder, ROOT, Run, command};

const MOLECULE: &str = "tests/fixtures/molecule";
const BINIOU: &str = "tests/fixtures/biniou";

/// A project with files of both formats.
struct Sandbox {
    folder: tempfile::TempDir,
}

impl Sandbox {
    fn new(file: &str) -> Self {
        let sandbox = Sandbox { folder: tempfile::tempdir().unwrap() };
        for folder in [".git", "blocks/old", "schemas", "logs"] {
            fs::create_dir_all(sandbox.path(folder)).unwrap();
        }
        for (from, to) in [
            ("molecule/blocks/block-40.bin", "blocks/40.bin"),
            ("molecule/blocks/block-40.bin", "blocks/old/40.bin"),
            ("molecule/schemas/blockchain.mol", "schemas/blockchain.mol"),
            ("molecule/schemas/extensions.mol", "schemas/extensions.mol"),
            ("biniou/schemas/log.atd", "schemas/log.atd"),
            ("biniou/data/log.log_list-three.biniou", "logs/three.biniou"),
        ] {
            let from = Path::new(ROOT).join("tests/fixtures").join(from);
            fs::copy(from, sandbox.path(to)).unwrap();
        }
        fs::write(sandbox.path("fourfold.toml"), file).unwrap();
        sandbox
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the command in a folder of the project.
    fn run_in(&self, folder: &str, arguments: &[&str]) -> Run {
        Run::new(arguments, command(arguments).current_dir(self.path(folder)).output().unwrap())
    }

    fn printed(&self, arguments: &[&str]) -> String {
        let run = self.run_in("", arguments);
        assert_eq!((run.code, run.errors()), (0, ""), "{arguments:?}: {}", run.text());
        run.text().to_owned()
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let run = self.run_in("", arguments);
        assert_ne!(run.code, 0, "{arguments:?}: {}", run.text());
        run.stderr + std::str::from_utf8(&run.stdout).unwrap()
    }
}

const FILE: &str = r#"
[[files]]
paths = "blocks/*.bin"
schema = "schemas/blockchain.mol"
type = "Block"

[[files]]
paths = ["logs/**", "*.biniou"]
schema = "schemas/log.atd"
type = "log_list"
dictionary = "schemas/log.atd"
"#;

#[test]
fn all_subcommands_use_the_rules_of_the_project() {
    let project = Sandbox::new(FILE);
    assert_eq!(
        project.printed(&["verify", "blocks/40.bin", "logs/three.biniou"]).lines().count(),
        2
    );
    let stdout = project.printed(&["verify", "blocks/40.bin", "logs/three.biniou"]);
    assert!(stdout.contains("good (molecule, Block, "), "{stdout}");
    assert!(stdout.contains("good (biniou, log_list, "), "{stdout}");
    let json = project.printed(&["dump", "--json", "blocks/40.bin"]);
    fs::write(project.path("block.json"), json).unwrap();
    project.printed(&["make", "block.json", "-o", "blocks/new.bin"]);
    let bytes = |name: &str| fs::read(project.path(name)).unwrap();
    assert!(bytes("blocks/new.bin") == bytes("blocks/40.bin"));
    assert_eq!(project.printed(&["diff", "blocks/40.bin", "blocks/new.bin"]), "");
    assert!(
        project.printed(&["explain", "--wide", "blocks/40.bin"]).contains("header.raw.version")
    );
    assert!(project.printed(&["info", "blocks/40.bin"]).contains("Block"));
    // From a subfolder, too.
    let run = project.run_in("blocks/old", &["verify", "../40.bin"]);
    assert!(run.text().contains("good (molecule, Block, "), "{run:?}");
}

#[test]
fn options_override_the_project() {
    let project = Sandbox::new(FILE);
    let json = project.printed(&["dump", "--json", "logs/three.biniou"]);
    assert!(json.contains("\"type\": \"log_list\""), "{json}");
    let plain = project.printed(&["explain", "--layout", "blocks/40.bin"]);
    assert!(!plain.contains("header.raw"), "{plain}");
    let other = project.refused(&["verify", "--type", "Header", "blocks/40.bin"]);
    assert_eq!(other, "blocks/40.bin: 20713 trailing bytes at byte 208\n");
    let schema = ["--schema", "schemas/extensions.mol", "--type", "BlockV1"];
    let run = project.run_in("", &[&["verify", "blocks/40.bin"], &schema[..]].concat());
    assert!(!run.text().contains("Block,"), "{run:?}");
    let untyped = project.refused(&["dump", "--type", "Block", "blocks/old/40.bin"]);
    assert!(untyped.contains("--type needs a schema"), "{untyped}");
}

/// Standard input has no path, so no rule applies, not even one for all files.
#[test]
fn no_rule_applies_to_standard_input() {
    let project = Sandbox::new(
        "[[files]]\npaths = \"**\"\nschema = \"schemas/blockchain.mol\"\ntype = \"Block\"\n",
    );
    let mut verify = command(&["verify", "-"]);
    let block = fs::File::open(project.path("blocks/40.bin")).unwrap();
    let output = verify.current_dir(project.path("")).stdin(block).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(project.printed(&["verify", "blocks/40.bin"]).contains("good (molecule, Block, "));
}

/// Files without a matching rule, and files in other folders, are read without the project.
#[test]
fn rules_apply_to_files_of_the_project_only() {
    let project = Sandbox::new(FILE);
    let old = project.refused(&["verify", "blocks/old/40.bin"]);
    assert!(old.contains("--schema"), "{old}");
    let elsewhere = Folder::new();
    let file = elsewhere.path("blocks");
    fs::create_dir(&file).unwrap();
    let file = file + "/40.bin";
    fs::copy(project.path("blocks/40.bin"), &file).unwrap();
    project.refused(&["verify", &file]);
    // Without `.git`, the parent folder's `fourfold.toml` is not used.
    fs::remove_dir(project.path(".git")).unwrap();
    let run = project.run_in("blocks", &["verify", "40.bin"]);
    assert_ne!(run.code, 0, "{run:?}");
    assert_eq!(project.run_in("", &["verify", "blocks/40.bin"]).code, 0);
}

/// Schemas and their imports must be in the project's folder, however they are named.
#[test]
fn nothing_outside_of_the_project_is_read() {
    let rule =
        |schema: &str| format!("[[files]]\npaths = \"blocks/*.bin\"\nschema = \"{schema}\"\n");
    // A path that imports can express.
    let outside = tempfile::Builder::new().prefix("outside").tempdir().unwrap();
    let secret = outside.path().join("secret.mol");
    fs::copy(Path::new(ROOT).join(MOLECULE).join("schemas/blockchain.mol"), &secret).unwrap();
    let secret = secret.to_str().unwrap();
    for schema in [secret, "../secret.mol", "schemas/../../secret.mol"] {
        let output = Sandbox::new(&rule(schema)).refused(&["verify", "blocks/40.bin"]);
        assert!(output.contains("is outside of the project's folder"), "{output}");
    }
    let project = Sandbox::new(&rule("schemas/import.mol"));
    let up = "../".repeat(20);
    let import = format!("import {up}{};", secret.trim_start_matches('/').trim_end_matches(".mol"));
    fs::write(project.path("schemas/import.mol"), import).unwrap();
    let output = project.refused(&["verify", "blocks/40.bin"]);
    assert!(output.contains("is outside of the folder"), "{output}");
    #[cfg(unix)]
    {
        let project = Sandbox::new(&rule("schemas/link.mol"));
        std::os::unix::fs::symlink(secret, project.path("schemas/link.mol")).unwrap();
        let output = project.refused(&["verify", "blocks/40.bin"]);
        assert!(output.contains("is outside of the project's folder"), "{output}");
        let file = project.path("fourfold.toml");
        fs::rename(&file, outside.path().join("fourfold.toml")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("fourfold.toml"), file).unwrap();
        let output = project.refused(&["verify", "blocks/40.bin"]);
        assert!(output.contains("is outside of the project's folder"), "{output}");
    }
}

#[test]
fn errors_in_the_project_file_are_one_line() {
    for (file, expected) in [
        ("[[files]]\npaths = 7\n", "expected a string or a list of strings at line 2, column 9"),
        ("[[files]]\npath = \"*\"\n", "unknown field `path`"),
        (
            "[[files]]\npaths = \"*\"\ntype = \"T\"\n",
            "files[0]: a type needs a schema: add `schema`",
        ),
        ("[[files]]\npaths = \"[\"\n", "files[0]: error parsing glob"),
        ("[[files]\n", "at line 1, column"),
        ("[files]\n", "at line 1, column"),
    ] {
        let output = Sandbox::new(file).refused(&["verify", "blocks/40.bin"]);
        assert!(output.contains("fourfold.toml: ") && output.contains(expected), "{output}");
        assert_eq!(output.lines().count(), 1, "{output}");
    }
    let rule = "[[files]]\npaths = \"blocks/*.bin\"\nschema = \"schemas/none.mol\"\n";
    let output = Sandbox::new(rule).refused(&["verify", "blocks/40.bin"]);
    assert!(output.contains("schemas/none.mol"), "{output}");
    // Files without a matching rule do not need the schema.
    Sandbox::new(rule)
        .printed(&["verify", &format!("{ROOT}/{BINIOU}/data/log.log_list-three.biniou")]);
}
