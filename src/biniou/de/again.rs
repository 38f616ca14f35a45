//! A message that is read once, or twice: first the fields of structs in order, then by name.

#[cfg(feature = "std")]
use core::cell::Cell;

#[cfg(feature = "std")]
std::thread_local! {
    /// Whether a message is being read.
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// Reads a message. `read` gets whether to read by name, and returns whether it has to be done again.
///
/// A type may read a message in a message. If both were read twice, and those in them, time would double with each
/// level. So messages in messages are read by name at once. Without `std` there are no thread-local variables to find
/// them: then all messages are read by name.
#[inline]
pub(super) fn once_or_twice<T>(mut read: impl FnMut(bool) -> (T, bool)) -> T {
    let reading = Reading::begin();
    let mut by_name = reading.is_inner;
    loop {
        let (value, again) = read(by_name);
        if !again || by_name {
            return value;
        }
        by_name = true;
    }
}

/// A message that is being read, until this is dropped: also if a type panics.
struct Reading {
    is_inner: bool,
}

impl Reading {
    #[inline]
    fn begin() -> Self {
        #[cfg(feature = "std")]
        let is_inner = READING.replace(true);
        #[cfg(not(feature = "std"))]
        let is_inner = true;
        Reading { is_inner }
    }
}

impl Drop for Reading {
    #[inline]
    fn drop(&mut self) {
        #[cfg(feature = "std")]
        READING.set(self.is_inner);
    }
}
