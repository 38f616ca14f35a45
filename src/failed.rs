//! The error of a reader while it reads: a token without size.
//!
//! A `Result` of a number with it fits in registers, so the code of small values is inlined. The reader keeps the error
//! itself, in [`Kept`]. A `Deserialize` implementation that fails has no access to the reader: its text is kept here
//! until the reader takes it. Without `std` there is no such place, and the text is lost.

use alloc::boxed::Box;
#[cfg(feature = "std")]
use alloc::string::ToString as _;
use core::cell::Cell;
use core::fmt::{self, Display};

use serde_core::de::{self, Expected, Unexpected};

use crate::error::{CommonKind, Error};

/// Reading has failed.
#[derive(Debug)]
pub(crate) struct Failed;

/// The error of a `Deserialize` implementation.
pub(crate) struct Refusal {
    text: Box<str>,
    reason: Reason,
}

/// Why a type refuses a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A visitor does not take a sequence.
    Sequence,
    /// There are too few or too many items.
    Length,
    /// A visitor does not take bytes.
    Bytes,
    Other,
}

/// Replaces the message of an error whose text the reader keeps.
const KEPT: &str = "reading failed";

#[cfg(feature = "std")]
std::thread_local! {
    static REFUSAL: Cell<Option<Refusal>> = const { Cell::new(None) };
}

#[cfg(feature = "std")]
#[cold]
fn refuse(text: impl Display, reason: Reason) -> Failed {
    let text = text.to_string().into_boxed_str();
    // A type that passes on an error by its text has nothing to add to what the reader keeps.
    if *text != *KEPT {
        let _ = REFUSAL.try_with(|kept| kept.set(Some(Refusal { text, reason })));
    }
    Failed
}

/// Takes the last message, if it was not taken yet.
#[cold]
pub(crate) fn take_refusal() -> Option<Refusal> {
    #[cfg(feature = "std")]
    return REFUSAL.try_with(Cell::take).ok().flatten();
    #[cfg(not(feature = "std"))]
    None
}

/// The error of a message while the token for it goes from one level to the next.
pub(crate) struct Kept<K>(Cell<Option<Error<K>>>);

impl<K: From<CommonKind>> Kept<K> {
    pub(crate) const fn new() -> Self {
        Kept(Cell::new(None))
    }

    /// Keeps an error. It is newer than any text of a type.
    #[cold]
    pub(crate) fn keep(&self, error: Error<K>) -> Failed {
        drop(take_refusal());
        self.0.set(Some(error));
        Failed
    }

    /// Takes the error, and why it is one: the text of a type, if there is one, which is newer than what was kept.
    #[cold]
    pub(crate) fn take(&self) -> Option<(Error<K>, Reason)> {
        let kept = self.0.take();
        let Some(Refusal { text, reason }) = take_refusal() else {
            return kept.map(|error| (error, Reason::Other));
        };
        // The type may have put the error into its own message, where `KEPT` is in the place of the kind.
        let error = match (kept, text.split_once(KEPT)) {
            #[cfg(feature = "std")]
            (Some(error), Some((before, after))) => error.between(before, after),
            _ => Error::placeless(CommonKind::Message(text)),
        };
        Some((error, reason))
    }
}

/// The error of a type whose text is lost.
#[cold]
pub(crate) fn unexplained<K: From<CommonKind>>() -> Error<K> {
    Error::placeless(CommonKind::Message("the type refuses the value".into()))
}

/// The text of a type, for types that look at it.
impl Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let refusal = take_refusal();
        let written = f.write_str(refusal.as_ref().map_or(KEPT, |refusal| &refusal.text));
        #[cfg(feature = "std")]
        let _ = REFUSAL.try_with(|kept| kept.set(refusal));
        written
    }
}

impl core::error::Error for Failed {}

/// Not inlined: each visitor and each field of each type may call these.
#[cfg(feature = "std")]
impl de::Error for Failed {
    #[cold]
    #[inline(never)]
    fn custom<T: Display>(message: T) -> Self {
        refuse(message, Reason::Other)
    }

    #[cold]
    #[inline(never)]
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let reason = match found {
            Unexpected::Seq => Reason::Sequence,
            Unexpected::Bytes(_) => Reason::Bytes,
            _ => Reason::Other,
        };
        refuse(format_args!("invalid type: {found}, expected {expected}"), reason)
    }

    #[cold]
    #[inline(never)]
    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        refuse(format_args!("invalid value: {found}, expected {expected}"), Reason::Other)
    }

    #[cold]
    #[inline(never)]
    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        refuse(format_args!("invalid length {length}, expected {expected}"), Reason::Length)
    }

    #[cold]
    #[inline(never)]
    fn missing_field(field: &'static str) -> Self {
        refuse(format_args!("missing field `{field}`"), Reason::Other)
    }

    #[cold]
    #[inline(never)]
    fn duplicate_field(field: &'static str) -> Self {
        refuse(format_args!("duplicate field `{field}`"), Reason::Other)
    }
}

#[cfg(not(feature = "std"))]
macro_rules! without_text {
    ($($method:ident($($type:ty),*))*) => {$(
        #[inline(always)]
        fn $method($(_: $type),*) -> Self {
            Failed
        }
    )*};
}

/// Inlined, so that no code for texts is left in a program that never shows one.
#[cfg(not(feature = "std"))]
impl de::Error for Failed {
    #[inline(always)]
    fn custom<T: Display>(_: T) -> Self {
        Failed
    }

    without_text! {
        invalid_type(Unexpected<'_>, &dyn Expected)
        invalid_value(Unexpected<'_>, &dyn Expected)
        invalid_length(usize, &dyn Expected)
        unknown_variant(&str, &'static [&'static str])
        unknown_field(&str, &'static [&'static str])
        missing_field(&'static str)
        duplicate_field(&'static str)
    }
}
