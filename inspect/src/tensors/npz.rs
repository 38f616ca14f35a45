//! Archives of NumPy arrays: zip files with an entry `NAME.npy` for each. Uncompressed arrays are borrowed from the
//! mapped file.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::kind::Output;
use super::name::Names;
use super::npy::Npy;
use super::{
    Container, ContainerKind, DType, Order, Request, Source, Stored, Tensor, Unread, Weights,
    WriteSeek, npy,
};
use crate::failure::Failure;
use crate::input::Input;

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

/// A file that was read.
struct File<'a> {
    weights: Weights<'a>,
    /// The checksum of each array that cannot be read, by which two files differ.
    checksums: Vec<u32>,
}

impl Source for File<'_> {
    fn container(&self) -> Container {
        Container::Npz
    }

    fn weights(&self) -> Result<Weights<'_>, String> {
        self.weights.weights()
    }

    fn texts(&self) -> Vec<(String, String)> {
        let unread = self.weights.unread.iter().zip(&self.checksums);
        let unread =
            unread.map(|(array, sum)| ("unread".to_owned(), format!("{array} #{sum:08x}")));
        self.weights.texts().into_iter().chain(unread).collect()
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

/// Reads a file. Arrays that no other container has, such as those of objects, do not prevent reading the others.
fn read(bytes: &[u8]) -> Result<File<'_>, String> {
    check_count(bytes)?;
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let (mut stored, mut unpacked) = (0u64, 0u64);
    let mut names = Names::default();
    let (mut tensors, mut notes) = (Vec::new(), BTreeMap::new());
    let (mut unread, mut checksums) = (Vec::new(), Vec::new());
    let mut take = |name: String, sum: u32, read: Result<_, String>| match read {
        Ok(tensor) => tensors.push(tensor),
        Err(reason) => {
            unread.push(Unread { name, reason });
            checksums.push(sum);
        }
    };
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).map_err(|error| error.to_string())?;
        let file = entry.name().to_owned();
        let within = |text: String| format!("{text} in {}", file.escape_debug());
        let name = file.strip_suffix(ENDING);
        if name.is_none() && file != NOTES {
            return Err(format!("{} is no array", file.escape_debug()));
        }
        stored = stored.saturating_add(entry.compressed_size());
        if stored > len {
            return Err("overlapping entries".into());
        }
        if let (Some(name), CompressionMethod::Stored) = (name, entry.compression()) {
            let name = names.unique(name.to_owned());
            let start = entry.data_start().and_then(|start| usize::try_from(start).ok());
            let size = usize::try_from(entry.size()).ok();
            let (Some(start), Some(size)) = (start, size) else {
                return Err(within("a size larger than memory".into()));
            };
            // Reading verifies the checksum.
            io::copy(&mut entry, &mut io::sink()).map_err(|error| within(error.to_string()))?;
            let Some(data) = start.checked_add(size).and_then(|end| bytes.get(start..end)) else {
                return Err(within("the file ends".into()));
            };
            let read = npy::read(data, &name);
            take(name, entry.crc32(), read);
            continue;
        }
        unpacked = unpacked.saturating_add(entry.size());
        if unpacked > UNPACKED.max(len.saturating_mul(RATIO)) {
            return Err(within(format!("{len} bytes unpack to {unpacked} bytes or more")));
        }
        let mut data = Vec::new();
        let size = entry.size();
        let read = entry.by_ref().take(size.saturating_add(1)).read_to_end(&mut data);
        read.map_err(|error| within(error.to_string()))?;
        if u64::try_from(data.len()).ok() != Some(size) {
            return Err(within(format!("not the {size} bytes of the directory")));
        }
        match name {
            Some(name) => {
                let name = names.unique(name.to_owned());
                let read = npy::read_owned(data, &name);
                take(name, entry.crc32(), read);
            }
            None => {
                notes = serde_json::from_slice(&data).map_err(|error| within(error.to_string()))?;
            }
        }
    }
    let weights = Weights { container: Container::Npz, tensors, notes, unread };
    Ok(File { weights, checksums })
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
    use super::*;

    /// A file with two floats, and with an array of that type and these bytes.
    fn file(descr: &str, data: &[u8]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, descr, data) in [("good", "'<f4'", &[0; 8][..]), ("other", descr, data)] {
            let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (2,), }}\n");
            zip.start_file(format!("{name}.npy"), SimpleFileOptions::default()).unwrap();
            let len = u16::try_from(header.len()).unwrap().to_le_bytes();
            let parts = [b"\x93NUMPY\x01\x00", &len[..], header.as_bytes(), data];
            io::Write::write_all(&mut zip, &parts.concat()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn an_array_that_cannot_be_read_leaves_the_others() {
        for (descr, reason) in [
            ("'|O'", "dtype `|O`, which is not a number"),
            ("[('a', '<f4')]", "a structured dtype, which no other container has"),
        ] {
            let (one, other) = (file(descr, b"one"), file(descr, b"two"));
            let [one, other] = [&one, &other].map(|bytes| read(bytes).unwrap());
            let names: Vec<&str> = one.weights.tensors.iter().map(|it| &*it.name).collect();
            assert_eq!(names, ["good"]);
            let unread = Unread { name: "other".into(), reason: reason.into() };
            assert_eq!(one.weights().unwrap().unread, [unread]);
            let refused = one.weights.check(Container::Safetensors, false).unwrap_err();
            assert!(refused.contains(reason), "{refused}");
            // Files differ where such arrays do.
            assert_eq!(one.texts(), one.texts());
            assert_ne!(one.texts(), other.texts());
        }
        assert!(read(&file("'<f4'", &[0; 8])).unwrap().weights.unread.is_empty());
    }
}
