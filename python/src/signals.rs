//! Ctrl-C during long work.

use std::cell::Cell;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Units of work (items or bytes of a file) between two checks: some milliseconds.
const UNITS: usize = 1 << 16;

/// Counts work that holds the GIL. After each [`UNITS`], other threads may run, and signal handlers do.
pub(crate) struct Signals<'py> {
    py: Python<'py>,
    left: Cell<usize>,
}

impl<'py> Signals<'py> {
    pub(crate) fn new(py: Python<'py>) -> Self {
        Signals { py, left: Cell::new(UNITS) }
    }

    /// Counts units of work.
    ///
    /// # Errors
    ///
    /// The exception of a signal handler: `KeyboardInterrupt`.
    #[inline]
    pub(crate) fn work(&self, units: usize) -> PyResult<()> {
        match self.left.get().checked_sub(units) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => self.check(),
        }
    }

    #[cold]
    fn check(&self) -> PyResult<()> {
        self.left.set(UNITS);
        self.py.detach(|| ());
        self.py.check_signals()
    }
}

/// Bytes of a file that are read in little time.
const FEW: usize = 4 << 20;

/// The time between two checks of signals.
const WAIT: Duration = Duration::from_millis(20);

/// Calls `work` for a file of `len` bytes, without the GIL. That of a large file is in a thread: after a signal it goes on,
/// and its result is dropped, since the library cannot be interrupted. So it must not write.
///
/// # Errors
///
/// The exception of a signal handler: `KeyboardInterrupt`.
pub(crate) fn detached<R: Send + 'static>(
    py: Python<'_>,
    len: usize,
    work: impl FnOnce() -> R + Send + 'static,
) -> PyResult<R> {
    if len <= FEW {
        return Ok(py.detach(work));
    }
    let (sender, receiver) = channel();
    // The receiver is gone after a signal.
    let run = move || drop(sender.send(work()));
    thread::Builder::new().spawn(run)?;
    let receiver = Mutex::new(receiver);
    loop {
        let received = py.detach(|| match receiver.lock() {
            Ok(receiver) => receiver.recv_timeout(WAIT),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        });
        match received {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the thread that reads the file has ended"));
            }
        }
    }
}
