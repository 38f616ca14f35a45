//! Recognises file formats that fourfold does not read, so that errors can name them.

use std::fmt;

use fourfold_schema::{atd, mol};
use serde::de::IgnoredAny;

use super::{LOOK, Sample, UNKNOWN};
use crate::hints::hints;
use crate::package;
use crate::tensors::{MEMBER, after_blanks, begins_onnx, first_member};
use crate::write::count::number;

/// A file format that fourfold does not read, or only as a container of tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherFormat {
    /// Its common name.
    pub name: &'static str,
    /// What to do with such a file. May be empty.
    hint: &'static str,
    /// Whether the hint names subcommands.
    is_of_command: bool,
    /// The name of the reader of such files, if fourfold has one.
    reader: Option<&'static str>,
}

/// For containers that `info` and other subcommands read.
const TENSORS: &str = "`fourfold info`, `dump`, `verify`, `diff` and `convert` are for these";
const EXPORT: &str = "export its tensors as safetensors or npz first";

const fn other(name: &'static str, hint: &'static str) -> OtherFormat {
    OtherFormat { name, hint, is_of_command: false, reader: None }
}

/// A format with a hint for users of the command only.
const fn of_command(name: &'static str, hint: &'static str) -> OtherFormat {
    OtherFormat { is_of_command: true, ..other(name, hint) }
}

/// The same for a format with a reader of that name.
const fn read_as(reader: &'static str, other: OtherFormat) -> OtherFormat {
    OtherFormat { reader: Some(reader), ..other }
}

const ZIP: OtherFormat = other("zip", "unpack it with `unzip` first");
const NPZ: OtherFormat = read_as("npz", of_command("npz", TENSORS));
const PYTORCH: OtherFormat = other("PyTorch", EXPORT);
const SAFETENSORS: OtherFormat = read_as("safetensors", of_command("safetensors", TENSORS));
const PICKLE: OtherFormat = other("pickle", EXPORT);
const ONNX: OtherFormat = read_as(
    "onnx",
    of_command(
        "ONNX",
        "`fourfold info`, `graph`, `dump`, `verify`, `diff` and `convert` are for these",
    ),
);
const PACKAGE: OtherFormat = read_as(
    package::NAME,
    of_command(
        "a package of SeetaFace",
        "`fourfold info` and `dump` show it, `verify` checks it, `diff` compares two, and `fourfold convert MODEL.sta MODEL.json` extracts its modules",
    ),
);
const ENCRYPTED: OtherFormat = other(
    "an encrypted model of SeetaFace",
    "fourfold does not decrypt, so use the .sta package or the module that it was made from",
);
const HEX: OtherFormat = of_command("hex text", "use `--hex` to read its bytes");
const JSON: OtherFormat =
    of_command("JSON", "`fourfold make` makes files of the JSON that `dump` prints");
const HTML: OtherFormat = other("HTML", "");
const XML: OtherFormat = other("XML", "");
const LFS: OtherFormat = other("a pointer of Git LFS", "fetch the file with `git lfs pull`");
const TEXT: OtherFormat = other("text", "");
const SCHEMA: OtherFormat =
    of_command("a schema", "give it with `--schema`, and name the file that it describes");

/// For truncated archives and containers.
const CUT: &str = "its end is missing, so copy or download it again";

/// Signatures, each with its offset.
const SIGNATURES: &[(usize, &[u8], OtherFormat)] = &[
    (0, b"\x1f\x8b\x08", other("gzip", "decompress it with `gunzip` first")),
    (0, b"BZh", other("bzip2", "decompress it with `bunzip2` first")),
    (0, b"\xfd7zXZ\0", other("xz", "decompress it with `unxz` first")),
    (0, b"\x28\xb5\x2f\xfd", other("zstd", "decompress it with `unzstd` first")),
    (0, b"\x04\x22\x4d\x18", other("lz4", "decompress it with `unlz4` first")),
    (0, b"7z\xbc\xaf\x27\x1c", other("7z", "unpack it with `7z x` first")),
    (257, b"ustar", other("tar", "unpack it with `tar xf` first")),
    (0, b"\x93NUMPY", read_as("npy", of_command("npy", TENSORS))),
    (0, b"PK\x05\x06", ZIP),
    (0, &package::MARK, PACKAGE),
    (0, b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", PYTORCH),
    (0, b"\x89HDF\r\n\x1a\n", other("HDF5", EXPORT)),
    (0, b"GGUF", other("GGUF", EXPORT)),
    (4, b"TFL3", other("TensorFlow Lite", EXPORT)),
    (0, b"PAR1", of_command("Parquet", "`fourfold convert` writes Parquet and does not read it")),
    (0, b"ARROW1", other("Arrow", "")),
    (0, b"SQLite format 3\0", other("SQLite", "")),
    (0, b"\x84\x95\xa6\xbd", other("OCaml Marshal", "read it in OCaml with `Marshal`")),
    (0, b"\x84\x95\xa6\xbe", other("OCaml Marshal", "read it in OCaml with `Marshal`")),
    (0, b"\x84\x95\xa6\xbf", other("OCaml Marshal", "read it in OCaml with `Marshal`")),
    (0, b"\x89PNG\r\n\x1a\n", other("PNG", "")),
    (0, b"\xff\xd8\xff", other("JPEG", "")),
    (0, b"GIF8", other("GIF", "")),
    (0, b"%PDF-", other("PDF", "")),
    (0, b"\x7fELF", other("ELF", "")),
    (0, b"\0asm", other("WebAssembly", "")),
    (0, b"\xcf\xfa\xed\xfe", other("Mach-O", "")),
    (0, b"\xff\xfe", other("UTF-16 text", "")),
    (0, b"\xfe\xff", other("UTF-16 text", "")),
];

impl OtherFormat {
    /// The name of the format and what is for such files, if fourfold reads them. Files without an end are not read.
    pub fn known(&self) -> Option<(&'static str, &'static str)> {
        Some((self.reader?, self.hint))
    }

    /// Recognises a file by its signature.
    pub(super) fn by_signature(sample: &Sample<'_>) -> Option<Self> {
        let bytes = sample.front;
        let begins = |(at, signature, _): &&(usize, &[u8], OtherFormat)| {
            bytes.get(*at..).is_some_and(|rest| rest.starts_with(signature))
        };
        if let Some((_, _, other)) = SIGNATURES.iter().find(begins) {
            return Some(*other);
        }
        if is_hex_text(sample.front) {
            return Some(HEX);
        }
        if package::may_be_encrypted(bytes) && OtherFormat::by_text(sample).is_none() {
            return Some(ENCRYPTED);
        }
        zip(sample)
            .or_else(|| safetensors(sample))
            .or_else(|| is_pickle(sample).then_some(PICKLE))
            .or_else(|| begins_onnx(sample.front).then_some(ONNX))
    }

    /// Recognises a text file.
    pub(super) fn by_text(sample: &Sample<'_>) -> Option<Self> {
        let text = match std::str::from_utf8(sample.front) {
            Ok(text) => text,
            // The end of the sample may split a character.
            Err(error) if error.error_len().is_none() && !sample.is_whole() => {
                std::str::from_utf8(sample.front.get(..error.valid_up_to())?).ok()?
            }
            Err(_) => return None,
        };
        if text.contains(|letter: char| letter.is_control() && !letter.is_whitespace()) {
            return None;
        }
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
        Some(match text {
            _ if begins(&["version https://git-lfs"]) => LFS,
            _ if begins(&["<!DOCTYPE html", "<!doctype html", "<html"]) => HTML,
            _ if begins(&["<?xml"]) => XML,
            _ if begins(&["{", "["]) && is_json(text) => JSON,
            _ if is_hex(text) => HEX,
            _ if is_schema(text) => SCHEMA,
            _ => TEXT,
        })
    }
}

/// The message: `unknown file format (looks like gzip); decompress it with ..`.
impl fmt::Display for OtherFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{UNKNOWN} (looks like {})", self.name)?;
        match self.hint {
            "" => Ok(()),
            _ if self.is_of_command && !hints().is_command => Ok(()),
            hint => write!(f, "; {hint}"),
        }
    }
}

/// Recognises a zip archive by its first member, even without the directory at its end.
fn zip(sample: &Sample<'_>) -> Option<OtherFormat> {
    if !sample.front.starts_with(MEMBER) {
        return None;
    }
    let kind = match first_member(sample.front) {
        Some(name) if name.ends_with(b".npy") => NPZ,
        Some(name) if name.ends_with(b"/data.pkl") => PYTORCH,
        _ => ZIP,
    };
    let is_cut = sample.all.is_some_and(|all| {
        let end = all.get(all.len().saturating_sub(LONGEST_END)..).unwrap_or(all);
        !end.windows(END.len()).any(|bytes| bytes == END)
    });
    Some(if is_cut { other(kind.name, CUT) } else { kind })
}

/// The signature of the end of the directory.
const END: &[u8] = b"PK\x05\x06";
/// The length of the end of the directory, with the longest comment.
const LONGEST_END: usize = 22 + 0xffff;

/// Recognises safetensors by the length of the header and its first key; without keys, it is the whole file.
fn safetensors(sample: &Sample<'_>) -> Option<OtherFormat> {
    const LONGEST: u64 = 100_000_000;
    let (len, rest) = sample.front.split_first_chunk()?;
    let len = u64::from_le_bytes(*len);
    let keys = after_blanks(rest).strip_prefix(b"{")?;
    let is_whole = sample.is_whole() && number(rest.len()) == len;
    let is_empty = is_whole && keys.trim_ascii() == b"}";
    if !(after_blanks(keys).starts_with(b"\"") || is_empty) || len > LONGEST {
        return None;
    }
    let is_cut = sample.all.is_some_and(|all| number(all.len().saturating_sub(8)) < len);
    Some(if is_cut { other(SAFETENSORS.name, CUT) } else { SAFETENSORS })
}

/// Recognises pickle of protocol 2 or later. The last byte of the file must end the program.
fn is_pickle(sample: &Sample<'_>) -> bool {
    matches!(sample.front, [0x80, 2..=5, ..])
        && sample.all.is_none_or(|all| all.last() == Some(&b'.'))
}

/// Whether the text is one or more JSON values. The last one may be truncated.
fn is_json(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.all(|value| value.map_or_else(|error| error.is_eof(), |_| true))
}

/// Whether the text is a schema. An import is enough, since imported files are not available.
fn is_schema(text: &str) -> bool {
    let has_types = |schema: mol::Schema| schema.types().next().is_some();
    let imports = |line: &str| line.starts_with("import ") && line.ends_with(';');
    mol::Schema::parse(text).is_ok_and(has_types)
        || atd::Schema::parse(text).is_ok_and(|schema| schema.types().next().is_some())
        || text.lines().any(|line| imports(line.trim()))
}

/// Whether the text is hexadecimal digits and whitespace.
fn is_hex(text: &str) -> bool {
    const FEWEST: usize = 8;
    let digits = hex_digits(text.as_bytes()).unwrap_or(text.as_bytes());
    digits.len() >= FEWEST && digits.iter().all(is_hex_letter)
}

/// What follows `0x` or `0X`.
pub fn hex_digits(text: &[u8]) -> Option<&[u8]> {
    text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X"))
}

const fn is_hex_letter(letter: &u8) -> bool {
    letter.is_ascii_hexdigit() || letter.is_ascii_whitespace()
}

/// Whether bytes are hexadecimal digits after `0x`, or many hexadecimal digits without it; in quotes or not.
pub fn is_hex_text(bytes: &[u8]) -> bool {
    const FEWEST: usize = 32;
    let front = bytes.get(..LOOK).unwrap_or(bytes).trim_ascii();
    let front = match front.strip_prefix(b"\"") {
        // The sample may be truncated before the closing quote.
        Some(quoted) => quoted.strip_suffix(b"\"").unwrap_or(quoted),
        None => front,
    };
    let digits = hex_digits(front);
    let fewest = if digits.is_some() { 2 } else { FEWEST };
    let digits = digits.unwrap_or(front);
    digits.len() >= fewest && digits.iter().all(is_hex_letter)
}
