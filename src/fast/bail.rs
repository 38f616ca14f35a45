//! The error of the fast readers, and whether its text was read. Knows no format.

use core::fmt::{self, Debug, Display};
use core::sync::atomic::{AtomicUsize, Ordering};

use serde_core::de::{self, Expected, Unexpected};
use serde_core::ser;

/// Error of the fast way: the value is unusual, or its type returned an error. It carries nothing,
/// since the exact way reports the real cause.
pub(crate) struct Bail;

/// Counts how often the text of a [`Bail`] was read.
///
/// A type may make a value out of an error's text, and that has to be the text of the exact reader.
/// An error of size zero can only tell a static that it is being formatted. If the count has
/// changed, even by another thread, the document is read again by the exact reader.
static ERROR_TEXT_READS: AtomicUsize = AtomicUsize::new(0);

/// The count at one moment.
#[derive(Clone, Copy)]
pub(crate) struct ErrorTextReads(usize);

impl ErrorTextReads {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn snapshot() -> Self {
        ErrorTextReads(ERROR_TEXT_READS.load(Ordering::Relaxed))
    }

    /// Whether no text was read since then.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn unchanged(self) -> bool {
        ERROR_TEXT_READS.load(Ordering::Relaxed) == self.0
    }
}

impl Bail {
    #[cold]
    fn note_reading() {
        #[cfg(target_has_atomic = "ptr")]
        ERROR_TEXT_READS.fetch_add(1, Ordering::Relaxed);
        // Machines without this instruction have one core.
        #[cfg(not(target_has_atomic = "ptr"))]
        ERROR_TEXT_READS
            .store(ERROR_TEXT_READS.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }
}

impl Debug for Bail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Display for Bail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Bail::note_reading();
        f.write_str("left to the exact way")
    }
}

impl core::error::Error for Bail {}

impl ser::Error for Bail {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn custom<T: Display>(_: T) -> Self {
        Bail
    }
}

/// All inlined, so that visitors stay small enough to be inlined themselves.
impl de::Error for Bail {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn custom<T: Display>(_: T) -> Self {
        Bail
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Bail
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn invalid_value(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Bail
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Bail
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Bail
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        Bail
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn missing_field(_: &'static str) -> Self {
        Bail
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn duplicate_field(_: &'static str) -> Self {
        Bail
    }
}
