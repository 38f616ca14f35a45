//! A counting allocator: measures the memory that a piece of work takes.
//!
//! The root of the test binary installs it:
//! `#[global_allocator] static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;`

#![allow(
    unsafe_code,
    reason = "`GlobalAlloc` is an unsafe trait; every call is forwarded to the system's allocator"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

/// What a piece of work allocated, on its own thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stats {
    /// Bytes allocated and not yet freed. Negative if older memory was freed.
    pub(crate) current: isize,
    /// The maximum of `current`.
    pub(crate) peak: usize,
    /// All bytes ever allocated. Growing a buffer counts as allocating all of it.
    pub(crate) total: usize,
    /// Number of allocations.
    pub(crate) count: usize,
}

impl Stats {
    const NONE: Stats = Stats { current: 0, peak: 0, total: 0, count: 0 };

    fn taken(&mut self, grown: isize, requested: usize) {
        self.moved(grown);
        self.total = self.total.saturating_add(requested);
        self.count += 1;
    }

    fn moved(&mut self, by: isize) {
        self.current = self.current.saturating_add(by);
        // A negative value is not a peak.
        self.peak = self.peak.max(usize::try_from(self.current).unwrap_or(0));
    }
}

thread_local! {
    // Tests run in parallel, so each thread has its own count. A constant without a destructor: accessing it never
    // allocates, which would call the allocator again.
    static STATS: Cell<Stats> = const { Cell::new(Stats::NONE) };
}

fn count(change: impl FnOnce(&mut Stats)) {
    // A thread that is being destroyed has no count.
    let _ = STATS.try_with(|stats| {
        let mut now = stats.get();
        change(&mut now);
        stats.set(now);
    });
}

/// No allocation is larger than `isize::MAX`.
fn signed(bytes: usize) -> isize {
    isize::try_from(bytes).unwrap_or(isize::MAX)
}

/// The system's allocator with a counter.
pub(crate) struct Counting;

// SAFETY: the four calls pass their arguments to `System` unchanged and return what it returns. The
// code between neither unwinds nor allocates.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(|stats| stats.taken(signed(layout.size()), layout.size()));
        // SAFETY: the caller's promise about `layout`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(|stats| stats.taken(signed(layout.size()), layout.size()));
        // SAFETY: the caller's promise about `layout`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(|stats| stats.moved(-signed(layout.size())));
        // SAFETY: the caller's promise about `block` and `layout`.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(|stats| stats.taken(signed(size) - signed(layout.size()), size));
        // SAFETY: the caller's promise about `block`, `layout` and `size`.
        unsafe { System.realloc(block, layout, size) }
    }
}

/// What `work` allocates. Its result is dropped after the count.
pub(crate) fn measure<R>(work: impl FnOnce() -> R) -> Stats {
    measure_value(work).1
}

/// As [`measure`], and keeps the result.
///
/// May be nested; the outer count includes the inner one.
pub(crate) fn measure_value<R>(work: impl FnOnce() -> R) -> (R, Stats) {
    let outer = STATS.replace(Stats::NONE);
    drop(black_box(Box::new(1_u8)));
    assert_ne!(
        STATS.replace(Stats::NONE).count,
        0,
        "the test binary does not install the counting allocator"
    );

    let result = work();
    let inner = STATS.get();
    let highest = outer.current.saturating_add(signed(inner.peak));
    STATS.set(Stats {
        current: outer.current.saturating_add(inner.current),
        peak: outer.peak.max(usize::try_from(highest).unwrap_or(0)),
        total: outer.total.saturating_add(inner.total),
        count: outer.count + inner.count,
    });
    (result, inner)
}
