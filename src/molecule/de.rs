//! Reading: the public functions, and the beginning and end of a message.
//!
//! A [`Document`] is what all values of a message share. [`Value`] deserializes a value in a slot, [`Packed`] a fixed-size
//! one among others; their accesses are in the same modules. `Deserialize` runs once. While it does, an error is the token
//! [`Failed`], and the document keeps kind, offset and path.
//!
//! The functions that begin a message are always inlined: the value is then built in its final place, not copied.

mod adjacent;
mod document;
mod errors;
mod fixvec;
mod hint;
mod layout;
mod packed;
mod parts;
mod union;
mod value;

use serde_core::de::{self, Deserialize, Visitor};

use self::document::{Context, Document, Quiet};
use self::packed::{CHECKED, Packed, PackedIn};
use self::value::{Rule, Value};
use super::{Error, ErrorKind, Options, Result, raw};
use crate::error::CommonKind;
use crate::failed::{Failed, take_refusal};
use crate::glue::macros::for_each_deserialize_method;
use crate::limits::Depth;
use crate::raw::Settings;

/// Reads one value from one Molecule message.
///
/// Use [`from_slice`](super::from_slice) or [`from_reader`](super::from_reader) unless code that
/// is generic over deserializers needs one: it is implemented for `&mut Deserializer`. Molecule
/// leaves the length of a value to its surroundings, so the first value takes all the bytes.
///
/// ```
/// use fourfold::molecule::Deserializer;
/// use serde::Deserialize;
///
/// let mut deserializer = Deserializer::from_slice(&[7, 0]);
/// assert_eq!(u16::deserialize(&mut deserializer)?, 7);
/// deserializer.end()?;
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
#[derive(Debug)]
pub struct Deserializer<'de> {
    bytes: &'de [u8],
    taken: bool,
    /// An error that the type of the value must not ignore.
    ignored: Option<Error>,
}

impl<'de> Deserializer<'de> {
    /// A deserializer with default options.
    #[must_use]
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer { bytes, taken: false, ignored: None }
    }

    /// Checks that the input has been read.
    ///
    /// # Errors
    ///
    /// `TrailingBytes` if there is input and no value was read from it. `Abandoned` if a nested value failed, nothing
    /// after it can be read, and a type ignored the error.
    pub fn end(&mut self) -> Result<()> {
        match (self.bytes.len(), self.ignored.take()) {
            (count @ 1.., _) if !self.taken => {
                Err(Error::at(CommonKind::TrailingBytes { count }, 0))
            }
            (_, Some(error)) => Err(error),
            (_, None) => Ok(()),
        }
    }

    fn read<T>(
        &mut self,
        read: impl FnOnce(Value<'de, &Document<'_, 'de>>) -> Result<T, Failed>,
    ) -> Result<T> {
        let bytes = if self.taken { &[] } else { self.bytes };
        self.taken = true;
        let document = Document::new(DEFAULTS, bytes);
        let value = read(Value::new(&document, bytes, Depth::new(DEFAULTS.max_depth)));
        if !document.is_sound() {
            self.ignored = Some(document.ignored());
        }
        value.map_err(|Failed| document.located(bytes))
    }
}

const DEFAULTS: &Options = &Options::new();

macro_rules! methods {
    ($($method:ident($($arg:ident: $type:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            self.read(|value| value.$method($($arg,)* visitor))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    for_each_deserialize_method!(methods);

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The layout that the outermost value may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Any: it has a slot of its own.
    Slot,
    /// A dynamic one, as an item of a dynvec.
    Dynamic,
    /// A fixed-size one, as an item of a fixvec, where structs are packed.
    Packed,
}

/// The value of one message.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn from_slice<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<T> {
    let document = Document::new(options, bytes);
    document.conclude(read(&document, bytes, Depth::new(options.max_depth), Form::Slot))
}

/// Reads a nested value that begins at `offset`: a lazy value, a record of a stream, or the value at a path. Offsets of
/// errors count from the start of the message, and their paths begin at the value.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn part<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
    offset: usize,
    settings: Settings,
    form: Form,
) -> Result<T> {
    let is_framed = raw::is_framed(settings);
    let mut document = Document::new(options, bytes);
    (document.offset, document.is_framed) = (offset, is_framed);
    let value = document.conclude(read(&document, bytes, settings.depth, form));
    value.map_err(|error| if is_framed { error.map_kind(ErrorKind::in_item) } else { error })
}

/// The value of a message or of a field or item that may nest so deep, without a reason if there is none.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn without_reason<'de, T: Deserialize<'de>>(
    bytes: &'de [u8],
    form: Form,
    depth: Depth,
) -> Option<T> {
    let quiet = Quiet::default();
    match read(&quiet, bytes, depth, form) {
        Ok(value) if quiet.errors.get() == 0 => Some(value),
        Ok(_) => None,
        Err(Failed) => {
            drop(take_refusal());
            None
        }
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn read<'de, C: Context<'de>, T: Deserialize<'de>>(
    context: C,
    bytes: &'de [u8],
    depth: Depth,
    form: Form,
) -> Result<T, Failed> {
    let rule = match form {
        Form::Packed => return packed(context, bytes, depth),
        Form::Slot if context.allows_trailing() => Rule::AllowTrailing,
        Form::Slot => Rule::None,
        Form::Dynamic => Rule::Dynamic,
    };
    T::deserialize(Value { rule, ..Value::new(context, bytes, depth) })
}

/// Reads a packed value that takes all of `bytes`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn packed<'de, C: Context<'de>, T: Deserialize<'de>>(
    context: C,
    bytes: &'de [u8],
    depth: Depth,
) -> Result<T, Failed> {
    let (mut rest, within) = (bytes, PackedIn::Marked);
    match T::deserialize(Packed::<C, CHECKED> { rest: &mut rest, context, depth, within }) {
        Ok(value) if rest.is_empty() => Ok(value),
        Ok(_) => Err(context.explain()?.trailing(rest)),
        Err(Failed) => {
            let document = context.explain()?;
            Err(document.keep(document.fixed_error(bytes, rest.len())))
        }
    }
}
