//! Damaged and undamaged inputs with the verdicts of the official readers.

use std::cell::Cell;
use std::fs;

use fourfold::molecule::{Error, Options, small, to_vec};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::schema::fixture::{self, hex, unhex};
use crate::schema::{Test, by_name};

by_name! {
    blockchain {
        CellInputVec, CellOutput, OutPoint, Script, Transaction, WitnessArgs,
    }
    extensions {
        RelayMessage, SyncMessage,
    }
    lab {
        Cube, Event, Log, Maps, Mesh, Nested, ScalarTable, Shape, StringOptVec, TeamV1,
        Unit,
    }
    protocols {
        PingMessage,
    }
    types {
        Byte3, ByteOptVec, Bytes, BytesOpt, BytesVec, StructA, StructIVec, StructO,
        Table0, Table0Opt, Table1, Table3, Table6, TableA, UnionA, Words,
    }
}

/// Types that contain a `bool`, `char` or `String`, which official readers treat as bytes, with the number of inputs that
/// are invalid only because of these.
const TYPED: [(&str, usize); 8] = [
    ("lab.Event", 2),
    ("lab.Log", 1),
    ("lab.Maps", 0),
    ("lab.Nested", 0),
    ("lab.ScalarTable", 1),
    ("lab.Shape", 0),
    ("lab.StringOptVec", 3),
    ("lab.TeamV1", 0),
];

/// One line of a file.
struct Verdicts<'a> {
    strict: &'a str,
    compatible: &'a str,
    bytes: Vec<u8>,
    /// Whether this crate's reader checks content; the number of inputs that it refuses for that reason.
    typed: bool,
    refused_content: Cell<usize>,
}

impl<'a> Verdicts<'a> {
    /// The class and the content of a line.
    fn parse(line: &'a str, typed: bool) -> Option<(&'a str, Self)> {
        let mut words = line.split(' ');
        let [strict, compatible, class, digits] = [(); 4].map(|()| words.next());
        let bytes = if digits? == "-" { Vec::new() } else { unhex(digits?)? };
        let none_left = words.next().is_none();
        let verdicts = Verdicts {
            strict: strict?,
            compatible: compatible?,
            bytes,
            typed,
            refused_content: Cell::new(0),
        };
        none_left.then_some((class?, verdicts))
    }

    /// Compares the official verdict with the result of this crate, with the allowed differences.
    fn agree<T>(&self, mode: &str, verdict: &str, ours: &Result<T, Error>) -> Result<(), String> {
        match ours {
            Ok(_) if verdict == "ok" => Ok(()),
            Err(_) if verdict != "ok" => Ok(()),
            Err(e) if self.typed && is_about_content(e, &self.bytes) => {
                self.refused_content.set(self.refused_content.get() + 1);
                Ok(())
            }
            Ok(_) => Err(format!("{mode}: accepted, official {verdict}")),
            Err(e) => Err(format!("{mode}: {e}, official ok")),
        }
    }
}

/// Whether an error is one of the allowed reasons to refuse bytes that official readers accept.
fn is_about_content(error: &Error, bytes: &[u8]) -> bool {
    let wrong = error.offset().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
    let kind = error.kind().to_string();
    match *wrong {
        [byte, ..] if kind == "invalid utf-8" => byte >= 0x80,
        [byte, ..] if kind.starts_with("bool is ") => byte > 1,
        [a, b, c, d, ..] if kind.ends_with(" is not a unicode scalar value") => {
            char::from_u32(u32::from_le_bytes([a, b, c, d])).is_none()
        }
        _ => false,
    }
}

impl Test for Verdicts<'_> {
    fn run<T: Serialize + DeserializeOwned>(&self) -> Result<(), String> {
        let strict = Options::new().from_slice::<T>(&self.bytes);
        let compatible = Options::new().compatible(true).from_slice::<T>(&self.bytes);
        self.agree("strict", self.strict, &strict)?;
        if small::from_slice::<T>(&self.bytes).is_ok() != strict.is_ok() {
            return Err("the small reader has another verdict".into());
        }
        self.agree("compatible", self.compatible, &compatible)?;

        // Accepted input is canonical. Compatible reading ignores extra fields.
        let Ok(value) = strict else { return Ok(()) };
        let again = to_vec(&value).map_err(|e| format!("to_vec: {e}"))?;
        if again != self.bytes {
            return Err(format!("written again: {}", hex(&again)));
        }
        let Ok(value) = compatible else {
            return Err("accepted in strict mode only".into());
        };
        if to_vec(&value).map_err(|e| format!("to_vec: {e}"))? != self.bytes {
            return Err("compatible mode reads another value".into());
        }
        Ok(())
    }
}

#[test]
fn verdicts() {
    let mut files: Vec<String> = fs::read_dir(fixture::path("bad"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();

    let mut inputs = 0;
    let mut failures = Vec::new();
    for file in &files {
        let name = file.strip_suffix(".txt").unwrap();
        let typed = TYPED.iter().find(|(typed, _)| *typed == name);
        let mut refused_content = 0;
        let text = fixture::text(&format!("bad/{file}"));
        assert!(text.starts_with(&format!("# type {name}\n")), "{file} holds another type");
        for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            let at = format!("{file}:{}", i + 1);
            let Some((class, verdicts)) = Verdicts::parse(line, typed.is_some()) else {
                panic!("{at}: {line}");
            };
            inputs += 1;
            let outcome = with_type(name, &verdicts);
            refused_content += verdicts.refused_content.get();
            if let Err(e) = outcome {
                let Verdicts { strict, compatible, bytes, .. } = verdicts;
                let hex = hex(&bytes);
                failures.push(format!("{at} {class} ({strict}, {compatible}): {e}: {hex}"));
            }
        }
        let expected = 2 * typed.map_or(0, |(_, count)| *count);
        if refused_content != expected {
            failures
                .push(format!("{file}: content refused {refused_content} times, not {expected}"));
        }
    }
    fixture::assert_none(&failures);
    assert_eq!((files.len(), inputs), (36, 10_204));
}
