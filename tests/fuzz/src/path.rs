//! The text of paths.

use fourfold::{Path, PathError};

/// The text of a parsed path is parsed as the same path. The text of a long path omits its middle, and is refused at that
/// position.
pub fn text(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let path = match Path::new(text) {
        Ok(path) => path,
        Err(error) => return assert_place(&error, text),
    };
    let written = path.to_string();
    let again = Path::new(&written);
    if path.segments().len() <= LONGEST_IN_FULL {
        assert_eq!(again.as_ref(), Ok(&path), "{text:?} as {written:?}");
        assert_eq!(again.unwrap().to_string(), written, "{text:?}");
    } else {
        let at = again.err().and_then(|error| error.offset());
        assert!(at.is_some_and(|at| written[at..].starts_with('…')), "{text:?} as {written:?}");
    }
    assert_eq!(path, written.as_str(), "{text:?}");
    assert_eq!(path, path.segments().cloned().collect::<Path>(), "{text:?}");
}

/// Paths with more segments are written without their middle.
const LONGEST_IN_FULL: usize = 24;

/// Asserts that the error has a position in the text.
fn assert_place(error: &PathError, text: &str) {
    assert!(error.offset().is_some_and(|at| text.is_char_boundary(at)), "{text:?}: {error}");
    assert_eq!(error.to_string().lines().count(), 1, "{text:?}: {error}");
}
