//! Bytes of one version of a type, read as another version.

use fourfold::molecule::{Options, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::schema::compare::compare;
use crate::schema::fixture::{self, hex, hex_digits};
use crate::schema::{Test, by_name};

by_name! {
    blockchain {
        Block, BlockV1,
    }
    extensions {
        BlockExt, BlockExtV1, CompactBlock, CompactBlockV1,
    }
    lab {
        PersonV0, PersonV1, PersonV1Opt, PersonV1Vec, PersonV2, PersonV3, PersonV3Opt,
        PersonV3Vec, SubjectV1, SubjectV3, TeamV1, TeamV3, Unit,
    }
    types {
        Table0, Table1, Table2, Table6,
    }
}

/// Bytes that one type wrote, and the expected results of reading them as another.
#[derive(Deserialize)]
struct Pair {
    writer: String,
    reader: String,
    #[serde(with = "hex_digits")]
    hex: Vec<u8>,
    strict: String,
    compat: String,
    written: Value,
    read: Value,
}

/// Bytes to read, and the expected result.
struct Reading<'a> {
    mode: &'a str,
    options: Options,
    bytes: &'a [u8],
    verdict: &'a str,
    value: &'a Value,
    /// Whether writing the value restores the bytes.
    whole: bool,
}

impl Test for Reading<'_> {
    fn run<T: Serialize + DeserializeOwned>(&self) -> Result<(), String> {
        let Reading { mode, options, bytes, verdict, value, whole } = self;
        let decoded: T = match options.from_slice(bytes) {
            Err(_) if *verdict != "ok" => return Ok(()),
            Err(e) => return Err(format!("{mode}: {e}, official ok")),
            Ok(_) if *verdict != "ok" => return Err(format!("{mode}: ok, official {verdict}")),
            Ok(decoded) => decoded,
        };
        let json = serde_json::to_value(&decoded).map_err(|e| format!("{mode}: to_value: {e}"))?;
        compare(&json, value).map_err(|e| format!("{mode}: {e}"))?;
        let again = to_vec(&decoded).map_err(|e| format!("{mode}: to_vec: {e}"))?;
        match *whole && again != *bytes {
            true => Err(format!("{mode}: written again: {}", hex(&again))),
            false => Ok(()),
        }
    }
}

impl Pair {
    fn check(&self) -> Result<(), String> {
        let strict = Options::new();
        let compatible = Options::new().compatible(true);
        let written = |mode, options| Reading {
            mode,
            options,
            bytes: &self.hex,
            verdict: "ok",
            value: &self.written,
            whole: true,
        };
        with_type(&self.writer, &written("writer, strict", strict.clone()))?;
        with_type(&self.writer, &written("writer, compatible", compatible.clone()))?;

        let read = |mode, options, verdict, whole| Reading {
            mode,
            options,
            bytes: &self.hex,
            verdict,
            value: &self.read,
            whole,
        };
        with_type(&self.reader, &read("reader, strict", strict, &self.strict, true))?;
        with_type(&self.reader, &read("reader, compatible", compatible, &self.compat, false))
    }
}

#[test]
fn pairs() {
    let pairs: Vec<Pair> = fixture::json("evolution.json");
    assert_eq!(pairs.len(), 81);
    let mut failures = Vec::new();
    for (i, pair) in pairs.iter().enumerate() {
        let Pair { writer, reader, hex: bytes, .. } = pair;
        if let Err(e) = pair.check() {
            failures.push(format!("evolution.json #{i} {writer} as {reader}: {e}: {}", hex(bytes)));
        }
    }
    fixture::assert_none(&failures);
}
