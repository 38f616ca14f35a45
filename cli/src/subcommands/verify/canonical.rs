//! Compares a file with the bytes that the writer of its format writes for its values.

use std::io::{self, Write};

use fourfold_inspect::formats::Loaded;
use fourfold_inspect::write::hex;

/// The result of comparing with a canonical writer.
pub(super) enum Canonical {
    /// It writes the same bytes.
    Same,
    /// It writes other bytes or fails; the text has the first difference.
    Other(String),
}

/// Writes the values of a good file again and compares the bytes, without keeping them.
pub(super) fn check(
    file: &dyn Loaded,
    bytes: &[u8],
    place_of: impl Fn(usize) -> String,
) -> Canonical {
    let mut comparer = Comparer { expected: bytes, offset: 0, written: None };
    let refused = file.write_canonical(&mut comparer).err();

    let (at, found) = (comparer.offset, bytes.get(comparer.offset));
    let found =
        found.map(|found| format!("byte {at}{} is {}", place_of(at), hex::digits(&[*found])));
    Canonical::Other(match (comparer.written, refused, found) {
        (Some(written), _, Some(found)) => {
            format!("{found}, a canonical writer writes {}", hex::digits(&[written]))
        }
        (Some(_), _, None) => format!("the file ends at byte {at}, a canonical writer writes more"),
        (None, Some(reason), _) => format!("it can be read, but writing it again fails: {reason}"),
        (None, None, Some(found)) => format!("{found}, a canonical writer writes nothing there"),
        (None, None, None) => return Canonical::Same,
    })
}

/// A writer that keeps only the position of the first byte that differs.
struct Comparer<'a> {
    expected: &'a [u8],
    /// The number of equal bytes.
    offset: usize,
    /// The byte that was written after them.
    written: Option<u8>,
}

impl Write for Comparer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.written.is_none() {
            let expected = self.expected.get(self.offset..).unwrap_or_default();
            let same = bytes.iter().zip(expected).take_while(|(a, b)| a == b).count();
            self.offset += same;
            self.written = bytes.get(same).copied();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
