//! Ctrl-C during long work.

use pyo3::prelude::*;

/// Units of work (items or bytes of a file) between two checks: some milliseconds.
const UNITS: usize = 1 << 16;

/// Counts work that holds the GIL. After each [`UNITS`], other threads may run, and signal handlers do.
pub(crate) struct Signals<'py> {
    py: Python<'py>,
    left: usize,
}

impl<'py> Signals<'py> {
    pub(crate) fn new(py: Python<'py>) -> Self {
        Signals { py, left: UNITS }
    }

    /// Counts units of work.
    ///
    /// # Errors
    ///
    /// The exception of a signal handler: `KeyboardInterrupt`.
    #[inline]
    pub(crate) fn work(&mut self, units: usize) -> PyResult<()> {
        match self.left.checked_sub(units) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => self.check(),
        }
    }

    #[cold]
    fn check(&mut self) -> PyResult<()> {
        self.left = UNITS;
        self.py.detach(|| ());
        self.py.check_signals()
    }
}
