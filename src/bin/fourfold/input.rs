//! Files that are looked at: mapped into memory, or all of standard input for `-`.

use std::io::{self, Read as _};
use std::path::Path;

use fourfold::Memory;

use crate::failure::Failure;

/// A file's bytes and the name that messages call it by.
#[derive(Debug)]
pub(crate) struct Input {
    /// As given, or `standard input`.
    pub(crate) name: String,
    /// Mapped where it is a file.
    pub(crate) bytes: Memory<'static>,
}

impl Input {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            let name = "standard input".to_owned();
            let mut bytes = Vec::new();
            return match io::stdin().lock().read_to_end(&mut bytes) {
                Ok(_) => Ok(Input { name, bytes: bytes.into() }),
                Err(source) => Err(Failure::Io { name, source }),
            };
        }
        let bytes = Memory::open(path).map_err(|error| Failure::io(path, error))?;
        Ok(Input { name: path.display().to_string(), bytes })
    }
}
