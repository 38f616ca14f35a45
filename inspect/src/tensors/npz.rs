//! Archives of NumPy arrays: zip files with an entry `NAME.npy` for each. Uncompressed arrays are borrowed from the
//! mapped file.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::kind::Output;
use super::name::Names;
use super::npy::{NoTensor, Npy};
use super::{
    Container, ContainerKind, DType, Order, Request, Source, Stored, Tensor, Unread, Weights,
    WriteSeek, npy,
};
use crate::failure::Failure;
use crate::input::Input;
use crate::write::count::number;

/// How many bytes compressed entries may unpack to in total, in addition to `RATIO`.
const UNPACKED: u64 = 1 << 30;
/// How many times its own length a file may unpack to in addition.
const RATIO: u64 = 16;
/// The minimum size of an entry in the directory of a zip file.
const DIRECTORY_ENTRY: usize = 46;
/// The size of the end of a directory, without a comment.
const END: usize = 22;
/// The suffix of an entry's name after the array's name.
const ENDING: &str = ".npy";
/// The entry for the notes of safetensors, a JSON object with only text. NumPy returns it as bytes.
const NOTES: &str = "__metadata__.json";
/// The longest name of an array: the length of an entry's name has 16 bits.
const LONGEST_NAME: usize = 0xffff - ENDING.len();

/// The signature of a member of a zip archive.
pub(crate) const MEMBER: &[u8] = b"PK\x03\x04";

/// The name of the first member of a zip archive.
pub(crate) fn first_member(bytes: &[u8]) -> Option<&[u8]> {
    if !bytes.starts_with(MEMBER) {
        return None;
    }
    let len = bytes.get(26..)?.first_chunk()?;
    bytes.get(30..)?.get(..usize::from(u16::from_le_bytes(*len)))
}

pub(super) struct Npz;

impl ContainerKind for Npz {
    fn name(&self) -> &'static str {
        "npz"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["npz"]
    }

    /// The signature of a zip file, including that of an empty one.
    fn begins(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(b"PK\x05\x06")
            || first_member(bytes)
                .is_some_and(|name| name.ends_with(b".npy") || name == NOTES.as_bytes())
    }

    fn stored(&self, dtype: DType) -> Option<Stored> {
        Npy.stored(dtype)
    }

    fn order(&self, tensor: &Tensor<'_>, shape: &[usize]) -> Order {
        Npy.order(tensor, shape)
    }

    fn check_name(&self, name: &str) -> Result<(), String> {
        if name.len() > LONGEST_NAME {
            let (len, start) = (name.len(), name.get(..32).unwrap_or_default());
            return Err(format!("a name of {len} bytes, too long for a zip file: {start}.."));
        }
        Ok(())
    }

    fn keeps_notes(&self) -> bool {
        true
    }

    fn seeks(&self) -> bool {
        true
    }

    fn read<'a>(&self, input: &'a Input) -> Result<Box<dyn Source + 'a>, String> {
        Ok(Box::new(read(&input.bytes)?))
    }

    fn make<'a>(
        &self,
        weights: &'a Weights<'_>,
        _: &Request<'a>,
    ) -> Result<Box<dyn Output + 'a>, Failure> {
        Ok(Box::new(Archive { tensors: &weights.tensors, notes: weights.own_notes() }))
    }
}

/// The content of a file.
struct Archive<'a> {
    tensors: &'a [Tensor<'a>],
    notes: BTreeMap<&'a str, &'a str>,
}

impl Output for Archive<'_> {
    fn write(&self, out: &mut dyn WriteSeek) -> io::Result<()> {
        write(self.tensors, &self.notes, out)
    }
}

fn read(bytes: &[u8]) -> Result<Weights<'_>, String> {
    check_count(bytes)?;
    let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let mut reading = Reading { bytes, archive, unpacked: 0 };
    let mut weights = Weights::new(Container::Npz, Vec::new());
    let (mut names, mut stored) = (Names::default(), 0u64);
    for at in 0..reading.archive.len() {
        let entry = reading.archive.by_index_raw(at).map_err(|error| error.to_string())?;
        let (file, size) = (entry.name().to_owned(), entry.compressed_size());
        let start = entry.data_start();
        drop(entry);
        stored = stored.saturating_add(size);
        if stored > reading.len() {
            return Err("overlapping entries".into());
        }
        let within = |text: String| format!("{text} in {}", file.escape_debug());
        let (name, array) = match file.strip_suffix(ENDING) {
            Some(name) => (name, reading.array(at, name).map_err(within)?),
            None if file == NOTES => {
                weights.notes = reading.notes(at).map_err(within)?;
                continue;
            }
            None => (file.as_str(), Err(NoTensor::Other("not an array".into()))),
        };
        match array {
            Ok(mut tensor) => {
                tensor.name = names.unique(tensor.name);
                weights.tensors.push(tensor);
            }
            Err(reason) => {
                let content = start.and_then(|start| reading.range(start, size));
                let name = names.unique(name.to_owned());
                let (reason, is_damaged) = match reason {
                    NoTensor::Other(reason) => (reason, false),
                    NoTensor::Damaged(reason) => {
                        (format!("{reason} at byte {}", start.unwrap_or_default()), true)
                    }
                };
                let unread = Unread::new(name, reason, content.unwrap_or_default());
                weights.unread.push(Unread { is_damaged, ..unread });
            }
        }
    }
    Ok(weights)
}

/// An archive whose entries are read.
struct Reading<'a> {
    bytes: &'a [u8],
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// How many bytes the compressed entries so far unpack to.
    unpacked: u64,
}

impl<'a> Reading<'a> {
    fn len(&self) -> u64 {
        number(self.bytes.len())
    }

    /// Those bytes of the file.
    fn range(&self, start: u64, size: u64) -> Option<&'a [u8]> {
        let start = usize::try_from(start).ok()?;
        self.bytes.get(start..start.checked_add(usize::try_from(size).ok()?)?)
    }

    /// The array of an entry, borrowed from the file if it is not compressed, or why it is none.
    ///
    /// # Errors
    ///
    /// If the archive is damaged there.
    fn array(&mut self, at: usize, name: &str) -> Result<Result<Tensor<'a>, NoTensor>, String> {
        let mut entry = self.archive.by_index(at).map_err(|error| error.to_string())?;
        if entry.compression() != CompressionMethod::Stored {
            drop(entry);
            return Ok(npy::read_owned(self.unpack(at)?, name));
        }
        // Reading verifies the checksum.
        io::copy(&mut entry, &mut io::sink()).map_err(|error| error.to_string())?;
        let (start, size) = (entry.data_start(), entry.size());
        drop(entry);
        let data = start.and_then(|start| self.range(start, size));
        Ok(npy::read(data.ok_or("the file ends")?, name))
    }

    fn notes(&mut self, at: usize) -> Result<BTreeMap<String, String>, String> {
        serde_json::from_slice(&self.unpack(at)?).map_err(|error| error.to_string())
    }

    /// The bytes of an entry.
    fn unpack(&mut self, at: usize) -> Result<Vec<u8>, String> {
        let len = self.len();
        let mut entry = self.archive.by_index(at).map_err(|error| error.to_string())?;
        let size = entry.size();
        let unpacked = self.unpacked.saturating_add(size);
        if unpacked > UNPACKED.max(len.saturating_mul(RATIO)) {
            return Err(format!("{len} bytes unpack to {unpacked} bytes or more"));
        }
        self.unpacked = unpacked;
        let mut data = Vec::new();
        let read = entry.by_ref().take(size.saturating_add(1)).read_to_end(&mut data);
        read.map_err(|error| error.to_string())?;
        match number(data.len()) == size {
            true => Ok(data),
            false => Err(format!("not the {size} bytes of the directory")),
        }
    }
}

/// Refuses a directory that claims more entries than fit in the file: the reader of zip files would reserve memory
/// for them first.
fn check_count(bytes: &[u8]) -> Result<(), String> {
    let most = bytes.len() / DIRECTORY_ENTRY;
    // The end of the directory is the last occurrence of its signature before the comment.
    let candidates = bytes.get(..bytes.len().saturating_sub(END - 4)).unwrap_or_default();
    let ends = candidates.windows(4).enumerate().rev().take(END + 0xffff);
    let Some(end) = ends.into_iter().find(|(_, window)| *window == b"PK\x05\x06") else {
        return Ok(());
    };
    let (end, _) = end;
    let locator = end.checked_sub(20).and_then(|at| bytes.get(at..end)).unwrap_or_default();
    let offset =
        locator.strip_prefix(b"PK\x06\x07").and_then(|rest| rest.get(4..12)?.first_chunk());
    // Without the zip64 record, a directory has at most 65,535 entries.
    let Some(offset) = offset.map(|offset| u64::from_le_bytes(*offset)) else { return Ok(()) };
    let tail = usize::try_from(offset).ok().and_then(|at| bytes.get(at..end));
    let tail = tail.ok_or("a directory after the end")?;
    let record = tail.windows(4).position(|window| window == b"PK\x06\x06");
    let count = record.and_then(|at| tail.get(at.checked_add(32)?..)?.first_chunk::<8>());
    let count = count.map_or(0, |count| u64::from_le_bytes(*count));
    if usize::try_from(count).map_or(true, |count| count > most) {
        return Err(format!("{count} entries, more than fit in the file"));
    }
    Ok(())
}

/// Writes the file.
fn write<W: io::Write + io::Seek>(
    tensors: &[Tensor<'_>],
    notes: &BTreeMap<&str, &str>,
    writer: W,
) -> io::Result<()> {
    let mut archive = ZipWriter::new(writer);
    // The same tensors make the same file at any time.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default());
    for tensor in tensors {
        let name = format!("{}{ENDING}", tensor.name);
        archive.start_file(name, options.large_file(tensor.bytes.len() > 0x7fff_ffff))?;
        npy::write(tensor, &mut archive)?;
    }
    if !notes.is_empty() {
        archive.start_file(NOTES, options)?;
        serde_json::to_writer(&mut archive, notes)?;
    }
    archive.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// An archive of entries that are not compressed.
    fn archive(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        for (name, bytes) in entries {
            archive.start_file(*name, options).unwrap();
            archive.write_all(bytes).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    fn array(dtype: &str, elements: &[u8]) -> Vec<u8> {
        let text = format!("{{'descr': {dtype}, 'fortran_order': False, 'shape': (1,), }}\n");
        let len = u16::try_from(text.len()).unwrap().to_le_bytes();
        [b"\x93NUMPY\x01\0", &len[..], text.as_bytes(), elements].concat()
    }

    fn mixed(last: u8) -> Vec<u8> {
        archive(&[
            ("names.npy", array("'<U1'", &[b'a', 0, 0, last])),
            ("w.npy", array("'|u1'", &[7])),
            ("rows.npy", array("[('x', '|u1')]", &[1])),
            ("readme.txt", b"text".to_vec()),
        ])
    }

    #[test]
    fn members_that_are_no_numbers_do_not_hide_the_others() {
        let bytes = mixed(0);
        let weights = read(&bytes).unwrap();
        let [tensor] = &weights.tensors[..] else { panic!("one tensor") };
        assert_eq!((tensor.name.as_str(), &*tensor.bytes), ("w", &[7][..]));
        let unread: Vec<String> = weights.unread.iter().map(ToString::to_string).collect();
        let expected = [
            "names: dtype `<U1`, which is not a number",
            "rows: a structured dtype, which no other container has",
            "readme.txt: not an array",
        ];
        assert_eq!(unread, expected);
        // What cannot be read is compared by its bytes.
        let texts = |bytes: &[u8]| read(bytes).unwrap().unread.iter().map(Unread::text).collect();
        let [one, same, other]: [Vec<String>; 3] = [0, 0, 1].map(mixed).map(|it| texts(&it));
        assert_eq!(one, same);
        assert_ne!(one[0], other[0]);
        assert_eq!(one[1..], other[1..]);
    }

    #[test]
    fn members_whose_elements_are_not_those_of_the_header_are_damaged() {
        let [short, cut] = [&[1, 2, 3][..], &[]].map(|elements| array("'<f4'", elements));
        let long = array("'<f4'", &[0; 5]);
        let others = [("w.npy", array("'|u1'", &[7])), ("b.npy", cut), ("c.npy", long)];
        let bytes = archive(&[&[("a.npy", short)][..], &others].concat());
        let weights = read(&bytes).unwrap();
        let unread: Vec<_> =
            weights.unread.iter().map(|it| (it.to_string(), it.is_damaged)).collect();
        let expected = [
            ("a: float32 [1] needs 4 bytes, 3 follow the header at byte 35".to_owned(), true),
            ("b: float32 [1] needs 4 bytes, 0 follow the header at byte 245".to_owned(), true),
            // NumPy reads it.
            ("c: float32 [1] needs 4 bytes, 5 follow the header".to_owned(), false),
        ];
        assert_eq!(unread, expected);
        assert_eq!(weights.tensors.len(), 1);
    }

    #[test]
    fn damaged_members_are_errors_of_the_file() {
        let mut bytes = mixed(0);
        let at = bytes.windows(7).position(|it| it == b"(1,), }").unwrap();
        bytes[at] = b'[';
        assert!(read(&bytes).unwrap_err().ends_with(" in names.npy"));
    }
}
