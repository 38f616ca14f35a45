//! How much memory a piece of work may take.

use crate::support::alloc::measure_value;
use crate::support::fixture::hex;

/// So many bytes, and so many for each byte of input.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    pub(crate) constant: usize,
    pub(crate) per_byte: usize,
}

/// All that is ever allocated, to the most that is at once: vectors that double, and no second
/// reading of the same bytes for each level around them.
const TOTAL: usize = 8;

impl Bound {
    /// Works on `input` and fails if that takes more.
    pub(crate) fn hold<R>(self, name: &str, input: &[u8], work: impl FnOnce() -> R) -> R {
        let (made, stats) = measure_value(work);
        let most = self.constant + self.per_byte * input.len();
        let shown = hex(&input[..input.len().min(2000)]);
        assert!(stats.peak <= most, "{name} of {shown}: {stats:?}, more than {most}");
        assert!(stats.total <= TOTAL * most, "{name} of {shown}: {stats:?}, in all");
        made
    }
}
