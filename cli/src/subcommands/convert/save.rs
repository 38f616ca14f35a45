//! Output that is written piece by piece: a file that is replaced atomically, or standard output.

use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::path::Path;

use fourfold_inspect::tensors::WriteSeek;

use super::is_regular;
use crate::failure::Failure;
use crate::output::{print_data, save as save_bytes};
use crate::progress::Progress;

/// Writes the file, or standard output for `-`. If the writer has to seek and the output cannot, the bytes are collected
/// in memory first.
pub(super) fn save(
    path: &Path,
    progress: &Progress,
    seeks: bool,
    write: impl FnOnce(&mut dyn WriteSeek) -> io::Result<()>,
) -> Result<(), Failure> {
    if seeks && !is_regular(path) {
        let mut gathered = Cursor::new(Vec::new());
        write(&mut progress.counting(&mut gathered))?;
        return save_bytes(path, gathered.get_ref());
    }
    if path.as_os_str() == "-" {
        return print_data(|writer| write(&mut Forward(progress.counting(writer))));
    }
    fourfold::replace_file(path, |writer| write(&mut progress.counting(writer)))
        .map_err(|error| Failure::io(path, error))
}

/// A stream, which cannot seek.
struct Forward<W>(W);

impl<W: Write> Write for Forward<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W> Seek for Forward<W> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
