//! The memory of a script, for loaded bytes and for owned values. Nothing is freed: a script ends soon.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ckb_std::error::SysError;
use ckb_std::syscalls;

use crate::Closed;

/// Size of the load buffer. The machine has 4 MiB, also for the program and its stack.
const LOADED: usize = 1 << 20;

/// Size of the heap.
const OWNED: usize = 1 << 20;

#[repr(align(16))]
struct Block<const N: usize>(UnsafeCell<[u8; N]>);

// SAFETY: the load buffer is taken once, and allocations do not overlap.
unsafe impl<const N: usize> Sync for Block<N> {}

static LOAD: Block<LOADED> = Block(UnsafeCell::new([0; LOADED]));
static OWN: Block<OWNED> = Block(UnsafeCell::new([0; OWNED]));

/// The unused rest of the load buffer.
pub(crate) struct Memory(&'static mut [u8]);

impl Memory {
    /// Takes the whole buffer; empty after the first call.
    pub(crate) fn take() -> Self {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        if TAKEN.load(Ordering::Relaxed) {
            return Memory(&mut []);
        }
        TAKEN.store(true, Ordering::Relaxed);
        // SAFETY: `TAKEN` allows this only once.
        Memory(unsafe { &mut *LOAD.0.get() })
    }

    /// Calls `load` with the rest of the buffer.
    pub(crate) fn load(
        &mut self,
        load: impl FnOnce(&mut [u8]) -> Result<usize, SysError>,
    ) -> Result<&'static [u8], Closed> {
        let rest = core::mem::take(&mut self.0);
        let length = load(rest).map_err(|_| Closed::Load)?;
        let (loaded, rest) = rest.split_at_mut_checked(length).ok_or(Closed::Load)?;
        self.0 = rest;
        Ok(loaded)
    }
}

/// The exit code if the heap is full.
const OUT_OF_MEMORY: i8 = -2;

struct Allocator;

#[cfg(target_arch = "riscv64")]
#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// Allocated bytes of the heap.
static OWNED_BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: each block begins after the one before, is aligned, and ends within the heap.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > align_of::<Block<OWNED>>() {
            syscalls::exit(OUT_OF_MEMORY);
        }
        let start = OWNED_BYTES.load(Ordering::Relaxed).next_multiple_of(layout.align());
        match start.checked_add(layout.size()) {
            Some(end) if end <= OWNED => {
                OWNED_BYTES.store(end, Ordering::Relaxed);
                // SAFETY: `start` is within the heap.
                unsafe { OWN.0.get().cast::<u8>().add(start) }
            }
            // Exits here, so that callers need no code for this case.
            _ => syscalls::exit(OUT_OF_MEMORY),
        }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}
