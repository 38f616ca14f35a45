//! Tests the table of other crates' types in *Will my type work?*

use std::process::Command;

/// `UPDATE=1` writes the table again.
#[test]
fn the_table_shows_how_types_work() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/will-my-type-work.md");
    let task = if std::env::var_os("UPDATE").is_some() { "--update" } else { "--check" };
    let done = Command::new(env!("CARGO_BIN_EXE_fourfold-types")).args([task, file]).output();
    let done = done.expect("the program");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
