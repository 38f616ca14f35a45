//! Counts the levels of values that `default` and `object_hook` read and write in turn with those of the outer value.

use std::cell::Cell;

use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;

/// The depth limit, that of the library.
pub(crate) const MOST: u16 = 128;

thread_local! {
    /// How many levels the outer values of this thread nest.
    static OUTER: Cell<u16> = const { Cell::new(0) };
}

/// How many levels a value may nest.
pub(crate) fn left() -> u16 {
    MOST.saturating_sub(OUTER.get())
}

/// Calls `default` or `object_hook`. Inside of its object, `left` more levels may nest.
///
/// # Errors
///
/// What the function raises. `RecursionError` if calls nest too deep: the stack has an end.
pub(crate) fn call<'py>(
    function: &Bound<'py, PyAny>,
    object: &Bound<'py, PyAny>,
    left: u16,
) -> PyResult<Bound<'py, PyAny>> {
    let outer = OUTER.get();
    if outer >= MOST {
        return Err(PyRecursionError::new_err(too_deep()));
    }
    let more = MOST.saturating_sub(left).saturating_sub(outer).saturating_add(1);
    OUTER.set(outer.saturating_add(more));
    let _nested = Nested(more);
    function.call1((object,))
}

/// Subtracts levels at its end. Another greenlet of the thread may have added its own, so it does not restore a number.
struct Nested(u16);

impl Drop for Nested {
    fn drop(&mut self) {
        OUTER.set(OUTER.get().saturating_sub(self.0));
    }
}

pub(crate) fn too_deep() -> String {
    format!("nested deeper than {MOST} levels")
}
