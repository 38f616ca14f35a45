//! Reads fixtures, and reports the failures of many cases at once.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use serde::de::DeserializeOwned;

/// The fixtures of one format: the name of their folder.
pub(crate) struct Fixtures(pub(crate) &'static str);

impl Fixtures {
    /// The path of a fixture, also from other packages of the workspace.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        let fixtures = folders.find_map(|folder| {
            let fixtures = folder.join("tests/fixtures");
            fixtures.is_dir().then_some(fixtures)
        });
        fixtures.expect("tests/fixtures").join(self.0).join(name)
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, name: &str) -> T {
        serde_json::from_str(&self.text(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The sorted names of the files in a folder with an extension, without the extension.
    pub(crate) fn names(&self, folder: &str, extension: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap_or_else(|e| panic!("{folder}: {e}"));
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter_map(|name| Some(name.strip_suffix(extension)?.strip_suffix('.')?.to_owned()))
            .collect();
        names.sort();
        names
    }
}

/// The bytes of hex digits without `0x`.
pub(crate) fn unhex(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    (digits.len() % 2 == 0).then(|| digits.chunks(2).map(byte).collect())?
}

/// Bytes as hex digits, for reports.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes that are printed and compared as hex digits. Long ones are cut.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes ", self.0.len())?;
        self.0.iter().take(4000).try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Fails with all failures, if there are any. Long reports are shortened.
pub(crate) fn assert_none(failures: &[String]) {
    let shown: String = failures
        .iter()
        .take(40)
        .map(|text| format!("\n{}", text.chars().take(600).collect::<String>()))
        .collect();
    assert!(failures.is_empty(), "{} failures:{shown}", failures.len());
}

/// The result of a step of a test, with the name of the step in its error.
pub(crate) fn step<T>(name: &str, result: Result<T, impl ToString>) -> Result<T, String> {
    result.map_err(|error| format!("{name}: {}", error.to_string()))
}
