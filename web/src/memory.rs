//! Memory for a file. Pages that are not written to take no physical memory.

#![allow(unsafe_code, reason = "the only file that allocates pages directly")]

use fourfold_inspect::input::Input;

/// The bytes of a file, zero until they are loaded. They are never freed.
pub(crate) struct Buffer {
    bytes: &'static mut [u8],
    name: String,
}

impl Buffer {
    /// Allocates `len` zeros; `None` if there is not enough memory.
    pub(crate) fn new(name: String, len: usize) -> Option<Self> {
        Some(Buffer { bytes: zeros(len)?, name })
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The range that bytes are loaded into.
    pub(crate) fn part(&mut self, start: usize, len: usize) -> &mut [u8] {
        self.bytes.get_mut(start..).and_then(|rest| rest.get_mut(..len)).unwrap_or_default()
    }

    /// The offset of a slice of the buffer, if it is one.
    pub(crate) fn offset_of(&self, part: &[u8]) -> Option<usize> {
        let start = part.as_ptr().addr().checked_sub(self.bytes.as_ptr().addr())?;
        (start.checked_add(part.len())? <= self.bytes.len()).then_some(start)
    }

    /// Calls `read` with the file.
    pub(crate) fn lend<T>(&self, read: impl FnOnce(&Input) -> T) -> T {
        // SAFETY: the pages are never freed. They are changed only by `part`, which needs the buffer not to be
        // borrowed: the type of `read` prevents its result from borrowing from its argument, and nothing here keeps a
        // copy of the memory in a value of another kind.
        let bytes: &'static [u8] =
            unsafe { std::slice::from_raw_parts(self.bytes.as_ptr(), self.bytes.len()) };
        read(&Input::new(self.name.clone(), bytes))
    }
}

/// New pages are zero, and take physical memory once they are written to.
#[cfg(target_arch = "wasm32")]
fn zeros(len: usize) -> Option<&'static mut [u8]> {
    const PAGE: usize = 1 << 16;
    if len == 0 {
        return Some(&mut []);
    }
    let before = core::arch::wasm32::memory_grow::<0>(len.div_ceil(PAGE));
    let start = before.checked_mul(PAGE)?;
    start.checked_add(len)?;
    // SAFETY: the pages from `start` on are new, so they are zero and used by nobody else: the allocator uses only
    // pages that it has allocated. They are never freed.
    Some(unsafe { std::slice::from_raw_parts_mut(start as *mut u8, len) })
}

#[cfg(not(target_arch = "wasm32"))]
fn zeros(len: usize) -> Option<&'static mut [u8]> {
    Some(vec![0; len].leak())
}
