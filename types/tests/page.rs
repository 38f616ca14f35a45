//! Each cell of *Will my type work?* is so.

use std::process::Command;

/// `UPDATE=1` writes the page again.
#[test]
fn types_work_as_the_page_says() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/will-my-type-work.md");
    let task = if std::env::var_os("UPDATE").is_some() { "--update" } else { "--check" };
    let done = Command::new(env!("CARGO_BIN_EXE_fourfold-types")).args([task, page]).output();
    let done = done.expect("the program");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
