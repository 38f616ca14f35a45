//! Files that are written piece by piece: replaced as a whole once they are complete, or standard
//! output.

use std::io::{self, Cursor, Seek, Write};
use std::path::Path;

use super::is_regular;
use crate::failure::Failure;
use crate::output::{print_data, save as save_bytes};
use crate::progress::Progress;

/// What is written to in several places.
pub(super) trait WriteSeek: Write + Seek {}

impl<T: Write + Seek> WriteSeek for T {}

/// Writes the file, or standard output for `-`.
pub(super) fn save(
    path: &Path,
    progress: &Progress,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return print_data(|writer| write(&mut progress.counting(writer)));
    }
    fourfold::replace_file(path, |writer| write(&mut progress.counting(writer)))
        .map_err(|error| Failure::io(path, error))
}

/// The same for what has to go back while it is written: where that is not possible all of it is
/// gathered first.
pub(super) fn save_seekable(
    path: &Path,
    progress: &Progress,
    write: impl FnOnce(&mut dyn WriteSeek) -> io::Result<()>,
) -> Result<(), Failure> {
    if is_regular(path) {
        return fourfold::replace_file(path, |writer| write(&mut progress.counting(writer)))
            .map_err(|error| Failure::io(path, error));
    }
    let mut gathered = Cursor::new(Vec::new());
    write(&mut progress.counting(&mut gathered))?;
    save_bytes(path, gathered.get_ref())
}
