//! A global allocator that counts memory only during `peak`, because counting takes time.

#![allow(
    unsafe_code,
    reason = "`GlobalAlloc` is an unsafe trait; every call is forwarded to another allocator"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use alloc::{Counting, Stats, measure_value};

use crate::Outcome;

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../../tests/support/alloc.rs"]
mod alloc;

static COUNTS: AtomicBool = AtomicBool::new(false);

#[global_allocator]
static ALLOCATOR: Switched = Switched;

struct Switched;

// SAFETY: each call is forwarded unchanged to `System` or to `Counting`, which itself forwards to `System`. So either
// may free a block of the other.
unsafe impl GlobalAlloc for Switched {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { if COUNTS.load(Relaxed) { Counting.alloc(layout) } else { System.alloc(layout) } }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe {
            if COUNTS.load(Relaxed) {
                Counting.alloc_zeroed(layout)
            } else {
                System.alloc_zeroed(layout)
            }
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe {
            if COUNTS.load(Relaxed) {
                Counting.dealloc(block, layout);
            } else {
                System.dealloc(block, layout);
            }
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe {
            if COUNTS.load(Relaxed) {
                Counting.realloc(block, layout, size)
            } else {
                System.realloc(block, layout, size)
            }
        }
    }
}

/// The memory that `work` allocates.
///
/// # Errors
///
/// Those of `work`.
pub(crate) fn peak<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<Stats> {
    COUNTS.store(true, Relaxed);
    let (made, stats) = measure_value(work);
    COUNTS.store(false, Relaxed);
    made.map(|_| stats)
}
