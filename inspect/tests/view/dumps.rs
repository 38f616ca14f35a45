//! Dumps of values: the text that `Bi_io.view` prints.

use fourfold::biniou::{Options, Result, Value};
use fourfold_inspect::view::view;

use crate::FIXTURES;
use crate::fixture::assert_none;

/// Files that OCaml cannot dump because of their long vints.
pub(crate) const WIDE: [&str; 2] = ["reader/vint-ten_bytes_refused", "reader/vint-u64_max_refused"];

/// Reads a value, ignoring trailing bytes.
fn read(bytes: &[u8]) -> Result<Value> {
    Options::new().allow_trailing(true).from_slice(bytes)
}

/// Calls a test with the file, the value and the dump of each fixture that has a dump.
pub(crate) fn for_each_dump(mut test: impl FnMut(&str, &Value, &str) -> Result<(), String>) {
    let mut dumps = 0;
    let mut failures = Vec::new();
    for folder in ["typed", "data", "reader", "tree"] {
        for name in FIXTURES.names(folder, "txt") {
            let file = format!("{folder}/{name}");
            let value = read(&FIXTURES.bytes(&format!("{file}.biniou")));
            let text = FIXTURES.text(&format!("{file}.txt"));
            let outcome = match (value, text.starts_with("cannot be dumped: ")) {
                (Ok(_), true) if WIDE.contains(&file.as_str()) => continue,
                (Ok(value), false) => test(&file, &value, text.strip_suffix('\n').unwrap()),
                (Err(_), true) => continue,
                (Ok(value), true) => Err(format!("{}, wanted an error", view(&value))),
                (Err(e), false) => Err(e.to_string()),
            };
            dumps += 1;
            if let Err(e) = outcome {
                failures.push(format!("{file}: {e}"));
            }
        }
    }
    assert_none(&failures);
    assert_eq!(dumps, 326);
}

pub(crate) fn same(shown: &str, wanted: &str) -> Result<(), String> {
    if shown == wanted { Ok(()) } else { Err(format!("\n{shown}\n--- wanted\n{wanted}\n---")) }
}
