//! Finds the elements of tensors in a file, of which little is read. The bytes around them follow the
//! rules of `wire`.

use alloc::vec::Vec;
use core::ops::Range;

use super::wire::{self, COUNT_SIZE, DTYPE_SIZE, HEADER_SIZE, INDEX_SIZE, MAX_DIMS};
use super::{DType, File, Header, Prototype};
use crate::contents::{ReadAt, Window, WindowError, size};
use crate::io;
use crate::read::Reader;

/// The ranges of a `.tsm` or `.t` file that are elements of tensors and that no rule of the format looks
/// at, in order: long ones only.
///
/// `read` fills a slice with the bytes from an offset on; few pieces of the file are read. If the
/// bytes of these ranges are replaced by zeros, [`File::from_slice`] and [`explain`](super::explain)
/// return the same results as for the file, except for the elements. There may be no ranges.
///
/// # Errors
///
/// Those of `read`.
///
/// # Examples
///
/// ```
/// use fourfold::tsm::{PackedTensor, Tensor, contents};
///
/// let bytes = PackedTensor::from(Tensor::from_values(&vec![1u8; 1 << 20], &[1 << 20])?).to_vec()?;
/// let found = contents(bytes.len() as u64, |offset, piece| {
///     let start = offset as usize;
///     piece.copy_from_slice(&bytes[start..start + piece.len()]);
///     Ok(())
/// });
/// assert_eq!(found.unwrap(), [13..bytes.len() as u64]);
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
pub fn contents(
    len: u64,
    mut read: impl FnMut(u64, &mut [u8]) -> Result<(), io::Error>,
) -> Result<Vec<Range<u64>>, io::Error> {
    let read: &mut ReadAt<'_> = &mut read;
    let mut window = Window::new(len, read);
    let mut is_module = false;
    let ended = file(&mut window, &mut is_module);
    let (found, is_whole) = window.finish(ended)?;
    // Without a code, only the whole shows that it is such a file.
    Ok(if is_module || is_whole { found } else { Vec::new() })
}

fn file(window: &mut Window<'_>, is_module: &mut bool) -> Result<(), WindowError> {
    *is_module = File::is_module(window.ahead(Header::CODE_RANGE.end)?);
    if !*is_module {
        return packed(window);
    }
    window.skip(size(HEADER_SIZE))?;
    indices(window)?;
    indices(window)?;
    for _ in 0..count(window)? {
        for _ in 0..count(window)? {
            let name = count(window)?;
            window.skip(size(name))?;
            packed(window)?;
        }
        indices(window)?;
    }
    Ok(())
}

/// Takes a count.
fn count(window: &mut Window<'_>) -> Result<usize, WindowError> {
    let count = wire::take_length(&mut Reader::new(window.ahead(COUNT_SIZE)?, 0))?;
    window.skip(size(COUNT_SIZE))?;
    Ok(count)
}

fn indices(window: &mut Window<'_>) -> Result<(), WindowError> {
    let count = count(window)?;
    window.skip(size(count).saturating_mul(size(INDEX_SIZE)))
}

fn packed(window: &mut Window<'_>) -> Result<(), WindowError> {
    for _ in 0..count(window)? {
        tensor(window)?;
    }
    Ok(())
}

fn tensor(window: &mut Window<'_>) -> Result<(), WindowError> {
    let [code] = *window.ahead(DTYPE_SIZE)? else { return Err(WindowError::Layout) };
    let dtype = DType::from_code(code).ok_or(WindowError::Layout)?;
    window.skip(size(DTYPE_SIZE))?;
    let dims = count(window)?;
    if dims > MAX_DIMS {
        return Err(WindowError::Layout);
    }
    let mut shape = Vec::new();
    for _ in 0..dims {
        let dim = window.ahead(INDEX_SIZE)?.first_chunk().copied().ok_or(WindowError::Layout)?;
        window.skip(size(INDEX_SIZE))?;
        shape.push(i32::from_le_bytes(dim));
    }
    let (_, bytes) = Prototype::new(dtype, shape).measure().map_err(|_| WindowError::Layout)?;
    match dtype {
        // Text is looked at.
        DType::Char8 => window.skip(size(bytes)),
        _ => window.content(size(bytes)),
    }
}
