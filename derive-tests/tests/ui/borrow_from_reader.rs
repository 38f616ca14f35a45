//! A value cannot borrow from a reader, whose bytes are dropped.

use fourfold::molecule::from_reader;
use serde::Deserialize;

#[derive(Deserialize)]
struct Script<'a> {
    args: &'a [u8],
}

fn main() {
    let bytes: &[u8] = &[12, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0];
    let script: Script<'_> = from_reader(bytes).unwrap();
    assert!(script.args.is_empty());
}
