//! Ctrl-C during long work.

use std::cell::Cell;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Deref;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
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

/// Drops items in a thread if they are many, which takes longer than Ctrl-C may.
pub(crate) fn drop_elsewhere<T: Send + 'static>(items: Vec<T>) {
    if items.len() > UNITS {
        // Without a thread, they are dropped here.
        drop(thread::Builder::new().spawn(move || drop(items)));
    }
}

/// The exception that ended reading or writing, of which the library has only the text.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Keeps an exception, and returns the error for the library.
    pub(crate) fn keep(&self, error: PyErr) -> io::Error {
        let text = io::Error::other(error.to_string());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        text
    }

    /// A writer whose exception is kept here.
    pub(crate) fn writer<W>(&self, out: W) -> Interruptible<'_, W> {
        Interruptible { out, left: PIECE, raised: self }
    }
}

/// Bytes to write between two checks of signals: some milliseconds, more on a slow disk.
const PIECE: usize = 1 << 20;

/// A writer that ends with an error when a signal handler raises an exception.
pub(crate) struct Interruptible<'r, W> {
    out: W,
    left: usize,
    raised: &'r Raised,
}

impl<W: Write> Write for Interruptible<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 {
            let checked = Python::attach(|py| py.check_signals());
            checked.map_err(|error| self.raised.keep(error))?;
            self.left = PIECE;
        }
        let written = self.out.write(bytes.get(..self.left).unwrap_or(bytes))?;
        self.left = self.left.saturating_sub(written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Seek> Seek for Interruptible<'_, W> {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        self.out.seek(target)
    }
}

/// Calls `work`, which writes, without the GIL.
///
/// # Errors
///
/// The exception of a signal handler, or what `refused` makes of the error of `work`.
pub(crate) fn writing<R: Send, E: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Raised) -> Result<R, E> + Send,
    refused: impl FnOnce(E) -> PyErr,
) -> PyResult<R> {
    let raised = Raised::default();
    let written = py.detach(|| work(&raised));
    written.map_err(|error| raised.take().unwrap_or_else(|| refused(error)))
}

/// Bytes that other threads share.
pub(crate) trait Shared: Deref<Target = [u8]> + Send + Sync + 'static {}

impl<B: Deref<Target = [u8]> + Send + Sync + 'static> Shared for B {}

/// Bytes that are read in some milliseconds.
pub(crate) const FEW: usize = 1 << 20;

/// The time between two checks of signals.
const WAIT: Duration = Duration::from_millis(20);

/// Calls `work` for `len` bytes, without the GIL. That of many bytes is in a thread: after a signal it goes on,
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
                return Err(PyRuntimeError::new_err("the thread that reads the bytes has ended"));
            }
        }
    }
}
