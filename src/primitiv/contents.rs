//! Finds the elements of tensors in a file, of which little is read. Objects follow the rules of `wire`.

use alloc::vec::Vec;
use core::ops::Range;

use super::DataType;
use super::wire::{self, Headed, VERSION};
use crate::contents::{ReadAt, Window, WindowError, size};
use crate::io;
use crate::read::Reader;

/// The longest head of an object: its marker and a length.
const HEAD: usize = size_of::<u8>() + size_of::<u32>();

/// The ranges of a primitiv file that are elements of tensors and that no rule of the format looks at, in
/// order: long ones only.
///
/// `read` fills a slice with the bytes from an offset on; few pieces of the file are read. If the bytes of these ranges
/// are replaced by zeros, [`File::from_slice`](super::File::from_slice) and [`explain`](super::explain) return the same
/// results as for the file, except for the elements. There may be no ranges.
///
/// # Errors
///
/// Those of `read`.
///
/// # Examples
///
/// ```
/// use fourfold::primitiv::{File, Shape, Tensor, contents};
///
/// let tensor = Tensor::from_column_major(Shape::new(&[1 << 18])?, &vec![1.0; 1 << 18])?;
/// let bytes = File::from(tensor).to_vec()?;
/// let found = contents(bytes.len() as u64, |offset, piece| {
///     let start = offset as usize;
///     piece.copy_from_slice(&bytes[start..start + piece.len()]);
///     Ok(())
/// });
/// assert_eq!(found.unwrap(), [31..bytes.len() as u64]);
/// # Ok::<(), fourfold::primitiv::Error>(())
/// ```
pub fn contents(
    len: u64,
    mut read: impl FnMut(u64, &mut [u8]) -> Result<(), io::Error>,
) -> Result<Vec<Range<u64>>, io::Error> {
    let read: &mut ReadAt<'_> = &mut read;
    let mut window = Window::new(len, read);
    let ended = file(&mut window);
    Ok(window.finish(ended)?.0)
}

fn file(window: &mut Window<'_>) -> Result<(), WindowError> {
    if [uint32(window)?, uint32(window)?] != VERSION {
        return Err(WindowError::Layout);
    }
    match DataType::from_number(uint32(window)?) {
        Some(DataType::Tensor) => tensor(window),
        Some(DataType::Parameter) => parameter(window),
        Some(DataType::Model) => {
            for _ in 0..uint32(window)? {
                for _ in 0..header(window, Headed::Array)? {
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
    for _ in 0..header(window, Headed::Array)? {
        uint32(window)?;
    }
    uint32(window)?;
    let len = header(window, Headed::Bin)?;
    window.content(len.into())
}

fn name(window: &mut Window<'_>) -> Result<(), WindowError> {
    let len = header(window, Headed::Str)?;
    window.skip(len.into())
}

fn uint32(window: &mut Window<'_>) -> Result<u32, WindowError> {
    let mut reader = Reader::new(window.ahead(HEAD)?, 0);
    let number = wire::take_uint32(&mut reader, false)?;
    let taken = size(reader.offset());
    window.skip(taken)?;
    Ok(number)
}

/// Takes the header of an object, which has its length.
fn header(window: &mut Window<'_>, headed: Headed) -> Result<u32, WindowError> {
    let mut reader = Reader::new(window.ahead(HEAD)?, 0);
    let (len, _) = wire::take_header(&mut reader, headed)?;
    let taken = size(reader.offset());
    window.skip(taken)?;
    Ok(len)
}
