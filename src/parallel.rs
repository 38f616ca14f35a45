//! All cores for pieces of bytes that are found one after another: how far is walked ahead, and how what
//! becomes of the pieces is put together in their order. Knows neither formats nor serde.

use alloc::vec::Vec;

use rayon::iter::ParallelIterator;
use rayon::iter::plumbing::{Folder, Reducer, UnindexedConsumer};
use rayon::prelude::ParallelDrainRange;

/// A piece, and how many bytes it has.
pub(crate) trait Piece: Send {
    fn len(&self) -> usize;
}

/// How many pieces a window has at most.
const MOST_PIECES: usize = 1 << 13;

/// With so many bytes it is full, too.
const MOST_BYTES: usize = 16 << 20;

/// Hands `consumer` what `read` makes of each piece.
///
/// The pieces are walked through window by window: those of one are read by all threads before the next one is
/// looked for. So neither memory nor the walk grow with the input, and pieces behind the point where nobody wants more
/// are not looked for.
pub(crate) fn drive<P, T, C>(
    pieces: impl Iterator<Item = P>,
    read: impl Fn(P) -> T + Sync,
    consumer: C,
) -> C::Result
where
    P: Piece,
    T: Send,
    C: UnindexedConsumer<T>,
{
    let mut windows = Windows { pieces, window: Vec::new(), read };
    let mut done: Option<C::Result> = None;
    // Some consumers halve a range of positions with each split, so one split for each window would leave none
    // for those of a long input: the trees of windows double.
    for height in 0.. {
        if !windows.find() || consumer.full() {
            break;
        }
        let (reducer, left) = (consumer.to_reducer(), consumer.split_off_left());
        let next = windows.tree(height, left);
        done = Some(match done {
            None => next,
            Some(done) => reducer.reduce(done, next),
        });
    }
    let reducer = consumer.to_reducer();
    let end = consumer.into_folder().complete();
    match done {
        None => end,
        Some(done) => reducer.reduce(done, end),
    }
}

struct Windows<I, P, F> {
    pieces: I,
    /// Pieces that were found and are not read.
    window: Vec<P>,
    read: F,
}

impl<I, P, F, T> Windows<I, P, F>
where
    I: Iterator<Item = P>,
    P: Piece,
    F: Fn(P) -> T + Sync,
    T: Send,
{
    /// Finds the pieces of the next window, if those of the last one were read. `false` if there are none.
    fn find(&mut self) -> bool {
        if !self.window.is_empty() {
            return true;
        }
        let mut bytes = 0usize;
        while self.window.len() < MOST_PIECES && bytes < MOST_BYTES {
            let Some(piece) = self.pieces.next() else { break };
            bytes = bytes.saturating_add(piece.len());
            self.window.push(piece);
        }
        !self.window.is_empty()
    }

    /// Reads 2 to the power of `height` windows, as far as there are any. Recursion is as deep as `height`, the
    /// logarithm of their number.
    fn tree<C: UnindexedConsumer<T>>(&mut self, height: u32, consumer: C) -> C::Result {
        if !self.find() || consumer.full() {
            return consumer.into_folder().complete();
        }
        let Some(below) = height.checked_sub(1) else {
            return self.window.par_drain(..).map(&self.read).drive_unindexed(consumer);
        };
        let (reducer, left) = (consumer.to_reducer(), consumer.split_off_left());
        let done = self.tree(below, left);
        reducer.reduce(done, self.tree(below, consumer))
    }
}
