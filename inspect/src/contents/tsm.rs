//! The elements of tensors in a file of tsm.

use std::io;
use std::ops::Range;

use fourfold::tsm::{DType, File, Header, Prototype};

use super::{Window, WindowError, size};
use crate::input::ReadAt;

/// The bytes of a header, and of a count, index or dim.
const HEADER: u64 = 128;
const NUMBER: usize = size_of::<i32>();

/// How many dims TenniS supports.
const MAX_DIMS: usize = 7;

/// The ranges of a `.tsm` or `.t` file that are elements of tensors and that no rule of the format looks at, in order: long
/// ones only.
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
    window.skip(HEADER)?;
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
    usize::try_from(number(window)?).map_err(|_| WindowError::Layout)
}

fn number(window: &mut Window<'_>) -> Result<i32, WindowError> {
    let bytes = window.ahead(NUMBER)?.first_chunk().copied().ok_or(WindowError::Layout)?;
    window.skip(size(NUMBER))?;
    Ok(i32::from_le_bytes(bytes))
}

fn indices(window: &mut Window<'_>) -> Result<(), WindowError> {
    let count = count(window)?;
    window.skip(size(count).saturating_mul(size(NUMBER)))
}

fn packed(window: &mut Window<'_>) -> Result<(), WindowError> {
    for _ in 0..count(window)? {
        tensor(window)?;
    }
    Ok(())
}

fn tensor(window: &mut Window<'_>) -> Result<(), WindowError> {
    let [code] = *window.ahead(1)? else { return Err(WindowError::Layout) };
    let dtype = DType::from_code(code).ok_or(WindowError::Layout)?;
    window.skip(1)?;
    let dims = count(window)?;
    if dims > MAX_DIMS {
        return Err(WindowError::Layout);
    }
    let shape = (0..dims).map(|_| number(window)).collect::<Result<Vec<_>, _>>()?;
    let bytes = Prototype::new(dtype, shape).bytes().map_err(|_| WindowError::Layout)?;
    match dtype {
        // Text is looked at.
        DType::Char8 => window.skip(size(bytes)),
        _ => window.content(size(bytes)),
    }
}
