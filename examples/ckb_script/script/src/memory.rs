//! Memory of a script: what is loaded, and what its types own. Nothing is ever given back, since a script ends soon.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ckb_std::error::SysError;
use ckb_std::syscalls;

use crate::Closed;

/// How much can be loaded: of the 4 MiB of the machine, the program and its stack take some.
const LOADED: usize = 1 << 20;

/// How much types can own.
const OWNED: usize = 1 << 20;

#[repr(align(16))]
struct Block<const N: usize>(UnsafeCell<[u8; N]>);

// SAFETY: what is loaded is taken once, what is owned is given out in parts that do not overlap.
unsafe impl<const N: usize> Sync for Block<N> {}

static LOAD: Block<LOADED> = Block(UnsafeCell::new([0; LOADED]));
static OWN: Block<OWNED> = Block(UnsafeCell::new([0; OWNED]));

/// Memory that is left for what is loaded.
pub(crate) struct Memory(&'static mut [u8]);

impl Memory {
    /// All of it, once.
    pub(crate) fn take() -> Self {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        if TAKEN.load(Ordering::Relaxed) {
            return Memory(&mut []);
        }
        TAKEN.store(true, Ordering::Relaxed);
        // SAFETY: nobody else has taken it.
        Memory(unsafe { &mut *LOAD.0.get() })
    }

    /// Has `load` load something.
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

/// What a script exits with whose types own more.
const OUT_OF_MEMORY: i8 = -2;

struct Allocator;

#[cfg(target_arch = "riscv64")]
#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// How much of it is given out.
static OWNED_BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: each block begins behind the one before, at its alignment, and ends within the memory.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > align_of::<Block<OWNED>>() {
            syscalls::exit(OUT_OF_MEMORY);
        }
        let start = OWNED_BYTES.load(Ordering::Relaxed).next_multiple_of(layout.align());
        match start.checked_add(layout.size()) {
            Some(end) if end <= OWNED => {
                OWNED_BYTES.store(end, Ordering::Relaxed);
                // SAFETY: `start` lies within the memory.
                unsafe { OWN.0.get().cast::<u8>().add(start) }
            }
            // Without memory there is nothing to be done, so nobody has to ask for it.
            _ => syscalls::exit(OUT_OF_MEMORY),
        }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}
