//! All cores for pieces of bytes that are found one after another: how far is walked ahead, and how what
//! becomes of the pieces is put together in their order. Knows neither formats nor serde.

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

/// Pieces that follow one another: an iterator that stands in front of them, and how many they are. To find them
/// again costs less than to keep each.
struct Run<I> {
    pieces: I,
    count: usize,
}

/// Hands `consumer` what `read` makes of each piece.
///
/// The pieces are walked through window by window, each while the one before it is read by all threads. So neither
/// memory nor the walk grow with the input, and pieces far behind the point where nobody wants more are not
/// looked for.
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
    /// What comes behind it.
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
        // Split to the last, since whoever finds the next window comes late.
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
