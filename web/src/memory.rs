//! Memory for a file, of which pages cost nothing until something is written to them.

#![allow(unsafe_code, reason = "the only file that asks for pages by itself")]

use fourfold::Memory;
use fourfold_inspect::input::Input;

/// The bytes of a file, zeros until they are loaded. They are there until the worker ends.
pub(crate) struct Buffer {
    bytes: &'static mut [u8],
    name: String,
}

impl Buffer {
    /// Of so many zeros; `None` if there is no room.
    pub(crate) fn new(name: String, len: usize) -> Option<Self> {
        Some(Buffer { bytes: zeros(len)?, name })
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Where bytes are loaded to.
    pub(crate) fn part(&mut self, start: usize, len: usize) -> &mut [u8] {
        self.bytes.get_mut(start..).and_then(|rest| rest.get_mut(..len)).unwrap_or_default()
    }

    /// Where a part of the bytes lies, if it is one.
    pub(crate) fn offset_of(&self, part: &[u8]) -> Option<usize> {
        let start = part.as_ptr().addr().checked_sub(self.bytes.as_ptr().addr())?;
        (start.checked_add(part.len())? <= self.bytes.len()).then_some(start)
    }

    /// Lends the file to those who read.
    pub(crate) fn lend<T>(&self, read: impl FnOnce(&Input) -> T) -> T {
        // SAFETY: the pages are never given back. They are changed by `part` only, for which nobody may
        // borrow the buffer: `read` gives out nothing that borrows from its argument, as its type says, and
        // nothing here keeps a copy of the memory in a value of another kind.
        let bytes: &'static [u8] =
            unsafe { std::slice::from_raw_parts(self.bytes.as_ptr(), self.bytes.len()) };
        read(&Input { name: self.name.clone(), bytes: Memory::from(bytes) })
    }
}

/// Fresh pages are zeros, and take room in the machine once they are written to.
#[cfg(target_arch = "wasm32")]
fn zeros(len: usize) -> Option<&'static mut [u8]> {
    const PAGE: usize = 1 << 16;
    if len == 0 {
        return Some(&mut []);
    }
    let before = core::arch::wasm32::memory_grow::<0>(len.div_ceil(PAGE));
    let start = before.checked_mul(PAGE)?;
    start.checked_add(len)?;
    // SAFETY: the pages from `start` on are new, so they are zeros and nobody else's: the allocator takes
    // those only that it has asked for. They are never given back.
    Some(unsafe { std::slice::from_raw_parts_mut(start as *mut u8, len) })
}

#[cfg(not(target_arch = "wasm32"))]
fn zeros(len: usize) -> Option<&'static mut [u8]> {
    Some(vec![0; len].leak())
}
