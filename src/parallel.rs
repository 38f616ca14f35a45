//! Reads pieces of bytes on all cores that are found sequentially: how far the search runs ahead,
//! and how the results are joined in order.

use alloc::vec::Vec;

use rayon::iter::plumbing::{Folder, Reducer, UnindexedConsumer};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

/// A piece, and how many bytes it has.
pub(crate) trait Piece {
    fn len(&self) -> usize;
}

/// A run of pieces, which one thread reads, ends with so many bytes ..
const RUN_BYTES: usize = 64 << 10;

/// .. or so many pieces.
const RUN_PIECES: usize = 1 << 10;

/// A window has at most so many runs ..
const MOST_RUNS: usize = 1 << 10;

/// .. and ends with so many bytes.
const MOST_BYTES: usize = 16 << 20;

/// A run of pieces: an iterator before the first one, and their number. Finding the pieces again costs less
/// than keeping each.
struct Run<I> {
    pieces: I,
    count: usize,
}

/// Passes `consumer` the result of `read` for each piece.
///
/// The pieces are found window by window, each while all threads read the one before it. So neither memory nor
/// the search grow with the input, and the search ends soon after the consumer does.
pub(crate) fn drive<I, T, C>(
    pieces: I,
    read: impl Fn(I::Item) -> T + Sync,
    consumer: C,
) -> C::Result
where
    I: Iterator<Item: Piece> + Clone + Send,
    T: Send,
    C: UnindexedConsumer<T>,
{
    let mut windows = Windows { window: Vec::new(), pieces, read };
    windows.window = find(&mut windows.pieces);
    let mut done: Option<C::Result> = None;
    // Some consumers halve a range of positions with each split, so one split for each window would leave none
    // for those of a long input: the trees of windows double.
    for height in 0.. {
        if windows.window.is_empty() || consumer.full() {
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

struct Windows<I, F> {
    /// What was found and is not read.
    window: Vec<Run<I>>,
    /// The window after it.
    pieces: I,
    read: F,
}

impl<I, F, T> Windows<I, F>
where
    I: Iterator<Item: Piece> + Clone + Send,
    F: Fn(I::Item) -> T + Sync,
    T: Send,
{
    /// Reads 2 to the power of `height` windows, as far as there are any. Recursion is as deep as `height`, the
    /// logarithm of their number.
    fn tree<C: UnindexedConsumer<T>>(&mut self, height: u32, consumer: C) -> C::Result {
        if self.window.is_empty() || consumer.full() {
            return consumer.into_folder().complete();
        }
        let Some(below) = height.checked_sub(1) else { return self.read(consumer) };
        let (reducer, left) = (consumer.to_reducer(), consumer.split_off_left());
        let done = self.tree(below, left);
        reducer.reduce(done, self.tree(below, consumer))
    }

    /// Reads the window, and finds the next one.
    fn read<C: UnindexedConsumer<T>>(&mut self, consumer: C) -> C::Result {
        let Windows { window, pieces, read } = self;
        // Split down to single runs, since the thread that finds the next window comes late.
        let runs = core::mem::take(window).into_par_iter().with_max_len(1);
        let values = runs.flat_map_iter(|run| run.pieces.take(run.count).map(&*read));
        let (done, next) = rayon::join(|| values.drive_unindexed(consumer), || find(pieces));
        self.window = next;
        done
    }
}

/// Finds the pieces of the next window. There are no more if it is empty.
fn find<I: Iterator<Item: Piece> + Clone>(pieces: &mut I) -> Vec<Run<I>> {
    let (mut window, mut bytes) = (Vec::new(), 0usize);
    while window.len() < MOST_RUNS && bytes < MOST_BYTES {
        let mut run = Run { pieces: pieces.clone(), count: 0 };
        let mut size = 0usize;
        while run.count < RUN_PIECES && size < RUN_BYTES {
            let Some(piece) = pieces.next() else { break };
            size = size.saturating_add(piece.len());
            run.count += 1;
        }
        if run.count == 0 {
            break;
        }
        bytes = bytes.saturating_add(size);
        window.push(run);
    }
    window
}
