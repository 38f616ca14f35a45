//! Progress bars and spinners for long work, on standard error and in terminals only.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::io::{self, IsTerminal as _, Seek, SeekFrom, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use fourfold_inspect::write::count::number;
use indicatif::{ProgressBar, ProgressStyle};

/// Shorter work shows no progress.
const DELAY: Duration = Duration::from_millis(500);
/// How often a spinner turns.
const TICK: Duration = Duration::from_millis(100);
/// How many bytes are written before a bar moves.
const STEP: usize = 1 << 20;

/// The template of a bar.
const TEMPLATE: &str = "{bar:40} {bytes}/{total_bytes} {eta}";

/// A progress bar that appears after half a second and is removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    total: u64,
    begun: Instant,
    bar: OnceCell<ProgressBar>,
}

impl Progress {
    /// A bar for `total` bytes.
    pub(crate) fn of_bytes(total: usize) -> Self {
        Progress { total: number(total), begun: Instant::now(), bar: OnceCell::new() }
    }

    /// Sets the position to `done` bytes.
    pub(crate) fn reach(&self, done: u64) {
        self.reach_by(|| done);
    }

    /// The same, but `done` is called only if the bar is shown.
    pub(crate) fn reach_by(&self, done: impl FnOnce() -> u64) {
        if self.bar.get().is_none() && (self.begun.elapsed() < DELAY || !io::stderr().is_terminal())
        {
            return;
        }
        self.bar.get_or_init(|| self.start()).set_position(done());
    }

    fn start(&self) -> ProgressBar {
        let bar = ProgressBar::new(self.total);
        // If the template is invalid, the bar has its default style.
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        bar
    }

    /// A writer that passes bytes to `writer` and counts them.
    pub(crate) const fn counting<W>(&self, writer: W) -> Counting<'_, W> {
        Counting { writer, written: 0, progress: self }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

/// A writer that counts bytes.
pub(crate) struct Counting<'a, W> {
    writer: W,
    written: u64,
    progress: &'a Progress,
}

impl<W: Write> Write for Counting<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes.get(..STEP).unwrap_or(bytes))?;
        self.written += number(written);
        self.progress.reach(self.written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl<W: Seek> Seek for Counting<'_, W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.writer.seek(to)
    }
}

/// Calls `work`, which has no known end and prints nothing, and shows a spinner with `what` if it takes long.
pub(crate) fn with_progress<T>(what: impl Into<Cow<'static, str>>, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let what = what.into();
    let (working, watch) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if watch.recv_timeout(DELAY) == Err(RecvTimeoutError::Timeout) {
                let bar = ProgressBar::new_spinner().with_message(what);
                bar.enable_steady_tick(TICK);
                // Nothing is ever sent: this waits until the work drops its end.
                let _ = watch.recv();
                bar.finish_and_clear();
            }
        });
        let result = work();
        drop(working);
        result
    })
}
