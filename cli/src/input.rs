//! Input files: mapped into memory, or read to their end if they have no length, such as standard input.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use fourfold::Memory;
use fourfold_inspect::formats::LOOK;
pub(crate) use fourfold_inspect::input::{Input, without_mark};
use fourfold_inspect::write::count::number;

use crate::failure::Failure;

/// The limit on the length of a stream, which is that of the library's readers by default. A stream is wholly in
/// memory, while only the pages of a map that are read are.
const MOST_OF_STREAM: u64 = 1 << 30;

/// The file, or standard input for `-`.
pub(crate) fn open(path: &Path) -> Result<Input, Failure> {
    match mapped(path)? {
        Some(input) => Ok(input),
        None => stream(path).and_then(|(name, it)| of_stream(name, it, MOST_OF_STREAM)),
    }
}

/// The bytes that detection needs, and whether more follow them.
pub(crate) fn look(path: &Path) -> Result<(Input, bool), Failure> {
    if let Some(input) = mapped(path)? {
        return Ok((input, false));
    }
    let (name, stream) = stream(path)?;
    let mut bytes = Vec::new();
    if let Err(source) = stream.take(number(LOOK).saturating_add(1)).read_to_end(&mut bytes) {
        return Err(Failure::Io { name, source });
    }
    let goes_on = bytes.len() > LOOK;
    bytes.truncate(LOOK);
    Ok((Input::new(name, bytes), goes_on))
}

/// The text of a file, without a byte order mark.
///
/// # Errors
///
/// If it is not UTF-8.
pub(crate) fn text(input: &Input) -> Result<&str, Failure> {
    match std::str::from_utf8(&input.bytes) {
        Ok(text) => Ok(without_mark(text)),
        Err(error) => {
            let at = error.valid_up_to();
            Err(Failure::data(&input.name, format!("invalid utf-8 at byte {at}")))
        }
    }
}

/// A file that has a length.
fn mapped(path: &Path) -> Result<Option<Input>, Failure> {
    let has_length = |about: Metadata| about.is_file() && about.len() > 0;
    if path.as_os_str() == "-" || !fs::metadata(path).is_ok_and(has_length) {
        return Ok(None);
    }
    let bytes = Memory::open(path).map_err(|error| Failure::io(path, error))?;
    Ok(Some(Input { path: Some(path.to_owned()), ..Input::new(path.display().to_string(), bytes) }))
}

/// Reads `stream` to its end.
///
/// # Errors
///
/// If it fails, and as soon as it has more than `most` bytes.
fn of_stream(name: String, stream: impl Read, most: u64) -> Result<Input, Failure> {
    let mut bytes = Vec::new();
    // One byte more than the limit shows whether the stream is longer.
    match stream.take(most.saturating_add(1)).read_to_end(&mut bytes) {
        Err(source) => Err(Failure::Io { name, source }),
        Ok(read) if number(read) <= most => Ok(Input::new(name, bytes)),
        Ok(_) => Err(Failure::Usage(format!(
            "{name}: a stream of more than {most} bytes; give the name of a file instead, which \
             may be of any length"
        ))),
    }
}
/// A reader of the file, and its name in messages.
fn stream(path: &Path) -> Result<(String, Box<dyn Read>), Failure> {
    if path.as_os_str() == "-" {
        return Ok(("standard input".into(), Box::new(io::stdin().lock())));
    }
    let file = File::open(path).map_err(|error| Failure::io(path, error))?;
    Ok((path.display().to_string(), Box::new(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_end_at_the_limit() {
        let read = |stream: &mut dyn Read| of_stream("pipe".into(), stream, 10);
        for len in [0, 9, 10] {
            let input = read(&mut io::repeat(7).take(len)).unwrap();
            assert_eq!(input.bytes.as_slice(), vec![7; usize::try_from(len).unwrap()]);
        }
        let mut endless = io::repeat(7);
        for stream in [&mut io::repeat(7).take(11) as &mut dyn Read, &mut endless] {
            let text = "pipe: a stream of more than 10 bytes; give the name of a file instead, which \
                        may be of any length";
            assert_eq!(read(stream).unwrap_err().to_string(), text);
        }
    }
}
