//! Reading the fixtures, and reporting on many cases at once.

use std::fs;
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// A value of a named type and its bytes.
#[derive(serde::Deserialize)]
pub struct Case {
    #[serde(rename = "type")]
    pub name: String,
    pub value: Value,
    #[serde(with = "hex_digits")]
    pub hex: Vec<u8>,
}

/// The path of a fixture.
pub fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/fixtures/molecule", name].iter().collect()
}

pub fn bytes(name: &str) -> Vec<u8> {
    fs::read(path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

pub fn text(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

pub fn json<T: DeserializeOwned>(name: &str) -> T {
    serde_json::from_str(&text(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Decodes hex digits without `0x`.
pub fn unhex(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    (digits.len() % 2 == 0).then(|| digits.chunks(2).map(byte).collect())?
}

/// For `#[serde(with)]`: bytes from hex digits without `0x`.
pub mod hex_digits {
    use serde::de::{Deserialize, Deserializer, Error};

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let digits = String::deserialize(deserializer)?;
        super::unhex(&digits).ok_or_else(|| D::Error::custom("expected hex digits"))
    }
}

/// Bytes as hex digits, for reports.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Fails with all failures, if there are any. Long reports are shortened.
pub fn assert_none(failures: &[String]) {
    let shown: String = failures
        .iter()
        .take(40)
        .map(|text| format!("\n{}", text.chars().take(600).collect::<String>()))
        .collect();
    assert!(failures.is_empty(), "{} failures:{shown}", failures.len());
}
