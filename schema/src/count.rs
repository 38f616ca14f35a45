//! Counts in words.

use std::fmt;

/// A number of things: `1 field`, `2 fields`.
pub(crate) struct Things<'a, N>(pub(crate) &'a N, pub(crate) &'static str);

impl<N: fmt::Display + PartialEq + From<u8>> fmt::Display for Things<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if *self.0 == N::from(1) { "" } else { "s" };
        write!(f, "{} {}{plural}", self.0, self.1)
    }
}
