//! Counts in words.

use core::fmt;

/// So many things that are called so: `1 field`, `2 fields`.
pub(crate) struct Things<'a, N>(pub(crate) &'a N, pub(crate) &'static str);

impl<N: fmt::Display + PartialEq + From<u8>> fmt::Display for Things<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if *self.0 == N::from(1) { "" } else { "s" };
        write!(f, "{} {}{plural}", self.0, self.1)
    }
}

/// So many bytes: `1 byte`, `2 bytes`.
pub(crate) struct Bytes<'a, N>(pub(crate) &'a N);

impl<N: fmt::Display + PartialEq + From<u8>> fmt::Display for Bytes<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Things(self.0, "byte").fmt(f)
    }
}

/// An iterator returned another number of items than it had announced.
pub(crate) struct Announced<'a>(pub(crate) &'a usize, pub(crate) &'a usize);

impl Announced<'_> {
    /// The fix.
    pub(crate) const HINT: &'static str =
        "pass the number of items that follow to the serializer, in the `Serialize` implementation";
}

impl fmt::Display for Announced<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (announced, given) = (Things(self.0, "item"), self.1);
        write!(f, "{announced} announced and {given} given")
    }
}
