//! The error of an attempt at a value that is read once more, thoroughly, if the attempt fails.

use core::fmt::{self, Debug, Display};
use core::sync::atomic::{AtomicUsize, Ordering};

use serde_core::de::{self, Expected, Unexpected};

/// Whether readers attempt the usual case before the reader that can do all is asked. Without, that does
/// everything, so that programs are smaller.
pub(crate) const FAST: bool = cfg!(feature = "fast");

/// The same of writers. What an attempt does not fit is serialized again, so types whose values can be
/// serialized once only, such as iterators, need that this is off.
pub(crate) const FAST_WRITE: bool = cfg!(feature = "fast-write");

/// Why there is no value: the attempt has given up, or the type has refused what it got. A word
/// without content, since somebody else will say what is wrong.
pub(crate) struct GaveUp;

/// How often anybody has read the text of a [`GaveUp`].
static LOOKS: AtomicUsize = AtomicUsize::new(0);

/// How often texts had been read when this was made. Types that make a value of an error's text must
/// get the thorough reader's, and an error has no other way to tell that it was looked at.
/// (Where no type does so, link-time optimization leaves nothing of it: `nm` finds no `LOOKS` in the
/// program `bench`.)
#[derive(Clone, Copy)]
pub(crate) struct Looks(usize);

impl Looks {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn so_far() -> Self {
        Looks(LOOKS.load(Ordering::Relaxed))
    }

    /// Whether nobody has read a text since then, whoever it is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn are_all(self) -> bool {
        LOOKS.load(Ordering::Relaxed) == self.0
    }
}

impl GaveUp {
    #[cold]
    fn look() {
        #[cfg(target_has_atomic = "ptr")]
        LOOKS.fetch_add(1, Ordering::Relaxed);
        // Machines without such an instruction have one core.
        #[cfg(not(target_has_atomic = "ptr"))]
        LOOKS.store(LOOKS.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }
}

impl Debug for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        GaveUp::look();
        f.write_str("left to the thorough reader")
    }
}

impl core::error::Error for GaveUp {}

/// All of these inlined, so that visitors stay small enough to be inlined themselves.
impl de::Error for GaveUp {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn custom<T: Display>(_: T) -> Self {
        GaveUp
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        GaveUp
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn invalid_value(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        GaveUp
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        GaveUp
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        GaveUp
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        GaveUp
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn missing_field(_: &'static str) -> Self {
        GaveUp
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn duplicate_field(_: &'static str) -> Self {
        GaveUp
    }
}
