//! The error of a fast way, and whether anybody has read its text.

use core::fmt::{self, Debug, Display};
use core::sync::atomic::{AtomicUsize, Ordering};

use serde_core::de::{self, Expected, Unexpected};
use serde_core::ser;

/// Why there is no value: the fast way has met something unusual, or the type has refused what it got. It
/// has no content, since the exact way will say what is wrong.
pub(crate) struct Bail;

/// How often the text of a [`Bail`] has been read.
///
/// A type may make a value of an error's text, and that must be the exact reader's text. An error of size
/// zero can tell only a static that it is being formatted. So a count that has grown meanwhile, by whichever
/// thread, means: read again, exactly.
static ERROR_TEXT_READS: AtomicUsize = AtomicUsize::new(0);

/// How often texts had been read when this was made.
#[derive(Clone, Copy)]
pub(crate) struct ErrorTextReads(usize);

impl ErrorTextReads {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn snapshot() -> Self {
        ErrorTextReads(ERROR_TEXT_READS.load(Ordering::Relaxed))
    }

    /// Whether nobody has read a text since then, whoever it is.
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
        // Machines without such an instruction have one core.
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

/// All of these inlined, so that visitors stay small enough to be inlined themselves.
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
