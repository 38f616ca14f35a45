//! The error of a first attempt. Nobody sees it, so it says nothing and takes no room.

use core::fmt;

use serde_core::de;

/// Something that only the exact reading can judge.
#[derive(Debug)]
pub(in crate::molecule::de) struct Surprise;

impl fmt::Display for Surprise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not for a first attempt")
    }
}

impl core::error::Error for Surprise {}

/// All of these inlined, so that visitors stay small enough to be inlined themselves.
impl de::Error for Surprise {
    #[inline(always)]
    fn custom<T: fmt::Display>(_: T) -> Self {
        Surprise
    }

    #[inline(always)]
    fn invalid_type(_: de::Unexpected<'_>, _: &dyn de::Expected) -> Self {
        Surprise
    }

    #[inline(always)]
    fn invalid_value(_: de::Unexpected<'_>, _: &dyn de::Expected) -> Self {
        Surprise
    }

    #[inline(always)]
    fn invalid_length(_: usize, _: &dyn de::Expected) -> Self {
        Surprise
    }

    #[inline(always)]
    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Surprise
    }

    #[inline(always)]
    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        Surprise
    }

    #[inline(always)]
    fn missing_field(_: &'static str) -> Self {
        Surprise
    }

    #[inline(always)]
    fn duplicate_field(_: &'static str) -> Self {
        Surprise
    }
}
