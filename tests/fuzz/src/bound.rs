//! Limits of the memory of a piece of work.

use crate::support::alloc::measure_value;
use crate::support::fixture::hex;

/// A number of bytes, and a number for each byte of input.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    pub(crate) constant: usize,
    pub(crate) per_byte: usize,
}

/// Maximum ratio of all allocations to the peak: vectors double, but bytes are not read again for each enclosing level.
const TOTAL: usize = 8;

impl Bound {
    /// Runs `work` on `input`, and fails if it takes more memory.
    pub(crate) fn hold<R>(self, name: &str, input: &[u8], work: impl FnOnce() -> R) -> R {
        let (made, stats) = measure_value(work);
        let most = self.constant + self.per_byte * input.len();
        let shown = hex(&input[..input.len().min(2000)]);
        assert!(stats.peak <= most, "{name} of {shown}: {stats:?}, more than {most}");
        assert!(stats.total <= TOTAL * most, "{name} of {shown}: {stats:?}, in all");
        made
    }
}
