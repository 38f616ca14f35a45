//! Errors name the command's own options, and none of Rust's.

use std::fs;

use crate::command::{Folder, fourfold_with};

/// 200 nested biniou arrays.
fn deep() -> Vec<u8> {
    [[19, 1].repeat(200), vec![19, 0]].concat()
}

#[test]
fn depth_is_an_option_of_the_command() {
    let deep = deep();
    for subcommand in ["verify", "dump", "info"] {
        let run = fourfold_with(&[subcommand, "-", "--format", "biniou"], &deep);
        let output = run.text().to_owned() + &run.stderr;
        assert_eq!(run.code, 2, "{subcommand}: {output}");
        assert!(output.contains("; use `--max-depth` to allow more"), "{subcommand}: {output}");
        assert!(!output.contains("Options"), "{subcommand}: {output}");
        let run =
            fourfold_with(&[subcommand, "-", "--format", "biniou", "--max-depth", "300"], &deep);
        assert_eq!(run.code, 0, "{subcommand}: {}", run.stderr);
    }
}

#[test]
fn hints_for_rust_are_left_out() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    fs::write(path("old.mol"), "table T { a: byte, }").unwrap();
    // A table of two fields; the schema has one of them.
    let newer = [14, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 1, 2];
    for subcommand in ["verify", "dump", "info"] {
        let run =
            fourfold_with(&[subcommand, "-", "--schema", &path("old.mol"), "--type", "T"], &newer);
        let output = run.text().to_owned() + &run.stderr;
        assert_eq!(run.code, 2, "{subcommand}: {output}");
        assert!(
            output.contains("table has 2 fields, the type has 1 at byte 4\n"),
            "{subcommand}: {output}"
        );
    }
}
