//! The elements of tensors in a file of primitiv.

use std::io;
use std::ops::Range;

use fourfold::primitiv::{DataType, Version};

use super::{Window, WindowError, size};
use crate::input::ReadAt;
use crate::messagepack::{Head, Type};

/// The marker of a uint32.
const UINT32: u8 = 0xce;

/// The longest head of an object: its marker and a length.
const HEAD: usize = size_of::<u8>() + size_of::<u32>();

/// The ranges of a file that are elements of tensors and that no rule of the format looks at, in order: long ones only.
///
/// `read` fills a slice with the bytes from an offset on; few pieces of the file are read. If the bytes of these ranges
/// are replaced by zeros, `File::from_slice` and `explain` return the same results as for the file, except for the elements.
/// There may be no ranges.
///
/// # Errors
///
/// Those of `read`.
pub(crate) fn contents(len: u64, read: &mut ReadAt<'_>) -> io::Result<Vec<Range<u64>>> {
    let mut window = Window::new(len, read);
    let ended = file(&mut window);
    Ok(window.finish(ended)?.0)
}

fn file(window: &mut Window<'_>) -> Result<(), WindowError> {
    let version = Version { major: uint32(window)?, minor: uint32(window)? };
    if version != Version::default() {
        return Err(WindowError::Layout);
    }
    match DataType::from_number(uint32(window)?) {
        Some(DataType::Tensor) => tensor(window),
        Some(DataType::Parameter) => parameter(window),
        Some(DataType::Model) => {
            for _ in 0..uint32(window)? {
                for _ in 0..header(window, Type::Array)? {
                    name(window)?;
                }
                parameter(window)?;
            }
            Ok(())
        }
        // The others have no tensors.
        _ => Err(WindowError::Layout),
    }
}

fn parameter(window: &mut Window<'_>) -> Result<(), WindowError> {
    tensor(window)?;
    for _ in 0..uint32(window)? {
        name(window)?;
        tensor(window)?;
    }
    Ok(())
}

fn tensor(window: &mut Window<'_>) -> Result<(), WindowError> {
    for _ in 0..header(window, Type::Array)? {
        uint32(window)?;
    }
    uint32(window)?;
    let len = header(window, Type::Bin)?;
    window.content(len.into())
}

fn name(window: &mut Window<'_>) -> Result<(), WindowError> {
    let len = header(window, Type::Str)?;
    window.skip(len.into())
}

fn uint32(window: &mut Window<'_>) -> Result<u32, WindowError> {
    let [UINT32, number @ ..] = window.ahead(HEAD)? else { return Err(WindowError::Layout) };
    let number = number.first_chunk().copied().ok_or(WindowError::Layout)?;
    window.skip(size(HEAD))?;
    Ok(u32::from_be_bytes(number))
}

/// Takes the header of an object, and returns its length.
fn header(window: &mut Window<'_>, ty: Type) -> Result<u32, WindowError> {
    let head = Head::of(window.ahead(HEAD)?).map_err(|_| WindowError::Layout)?;
    window.skip(size(head.size))?;
    if head.ty == ty { Ok(head.len) } else { Err(WindowError::Layout) }
}
