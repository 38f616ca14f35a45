//! Lazy values, and the items of lazy lists.

use alloc::vec::Vec;

use serde_core::de::Deserialize;
use serde_core::ser::Serialize;

use super::wire::{self, Headed};
use super::{Error, ErrorKind, Options, Result, de};
use crate::error::{CommonKind, Segment};
use crate::limits::{self, Depth};
use crate::raw::sealed::RawFormat;
use crate::raw::{self, Found, ListFormat, Settings};
use crate::read::Reader;

/// The bytes of one value, as they are in the message: one object of MessagePack, with everything in it.
///
/// Structs, tuples and variants with a payload are written as several concatenated objects, and nothing shows where
/// they end. So they cannot be lazy values; their fields can. The prefix of a `Some` of nil belongs to the nil.
///
/// ```
/// use fourfold::primitiv::{self, Raw};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Layer<'a> {
///     id: u32,
///     #[serde(borrow)]
///     weights: Raw<'a>,
/// }
///
/// let bytes = primitiv::to_vec(&(7u32, vec![0.5f32, 1.5]))?;
/// let layer: Layer<'_> = primitiv::from_slice(&bytes)?;
/// assert_eq!(layer.weights.bytes().len(), 11);
/// assert_eq!(layer.weights.get::<Vec<f32>>()?, [0.5, 1.5]);
/// assert_eq!(primitiv::to_vec(&layer)?, bytes);
/// # Ok::<(), primitiv::Error>(())
/// ```
pub type Raw<'a> = raw::Raw<'a, ErrorKind>;

/// A [`Raw`] that owns its bytes.
///
/// ```
/// use fourfold::primitiv::{self, OwnedRaw};
///
/// let file: &[u8] = &[0xa2, b'h', b'i'];
/// let raw: OwnedRaw = primitiv::from_reader(file)?;
/// assert_eq!(raw.get::<&str>()?, "hi");
/// # Ok::<(), primitiv::Error>(())
/// ```
pub type OwnedRaw = raw::OwnedRaw<ErrorKind>;

/// A value that is read on demand: one MessagePack object, as in a [`Raw`]. It was checked to be an object, but not to
/// have the type. The paths of its errors begin at this value, their offsets at the message.
///
/// ```
/// use fourfold::primitiv::{self, Lazy};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Layer<'a> {
///     id: u32,
///     #[serde(borrow)]
///     weights: Lazy<'a, Vec<f32>>,
/// }
///
/// let bytes = primitiv::to_vec(&(7u32, vec![0.5f64, 1.5]))?;
/// let layer: Layer<'_> = primitiv::from_slice(&bytes)?;
/// assert_eq!(layer.id, 7);
/// let error = layer.weights.get().unwrap_err();
/// assert_eq!(error.path().to_string(), "[0]");
/// # Ok::<(), primitiv::Error>(())
/// ```
pub type Lazy<'a, T> = raw::Lazy<'a, T, ErrorKind>;

/// A sequence whose items are read on demand: an array whose items are one MessagePack object each.
///
/// Reading an item skips those before it. To read many, use [`iter`](raw::List::iter).
///
/// ```
/// use fourfold::primitiv::{self, List};
///
/// let bytes = primitiv::to_vec(&["one", "two", "three"].to_vec())?;
/// let words: List<'_, &str> = primitiv::from_slice(&bytes)?;
/// assert_eq!(words.len(), 3);
/// assert_eq!(words.get(1).transpose()?, Some("two"));
/// assert_eq!(words.iter().collect::<Result<Vec<_>, _>>()?, ["one", "two", "three"]);
/// # Ok::<(), primitiv::Error>(())
/// ```
pub type List<'a, T> = raw::List<'a, T, ErrorKind>;

/// The reserved names of newtype structs for lazy values.
const RAW: &str = "fourfold.primitiv.lazy";
pub(super) const LIST: &str = "fourfold.primitiv.list";

/// Whether a newtype struct of this name is a lazy value.
#[inline]
pub(super) fn is_reserved(name: &str) -> bool {
    name == RAW || name == LIST
}

/// What `Settings` have of [`Options`].
const LENIENT: u16 = 1;

/// The settings for reading a value of this maximum depth.
pub(super) const fn settings(lenient: bool, depth: Depth, max_depth: u16) -> Settings {
    Settings { flags: if lenient { LENIENT } else { 0 }, depth, max_depth }
}

impl Options {
    pub(super) fn of_part(settings: Settings) -> Self {
        let Settings { flags, max_depth, .. } = settings;
        Options::new().max_depth(max_depth).lenient(flags & LENIENT != 0)
    }
}

/// Refuses bytes that are not one object: nothing would show where they end.
pub(super) fn check_alone(bytes: &[u8]) -> Result<()> {
    let mut reader = Reader::new(bytes, 0);
    let object = wire::take_object(&mut reader);
    match object.is_ok() && reader.left() == 0 {
        true => Ok(()),
        false => Err(Error::placeless(SEVERAL)),
    }
}

/// The error for a value that is several objects.
const SEVERAL: CommonKind = CommonKind::Unsupported {
    reason: "a raw value or item of a list is one object of MessagePack, and this one is several (as structs, \
             tuples and variants are)",
    hint: Some(
        "use `fourfold::primitiv::with::Any(value)`, which is one object, or `Raw` for each of its fields",
    ),
};

impl RawFormat for ErrorKind {
    const NAME: &'static str = RAW;
    const FORMAT: &'static str = "primitiv";

    fn settings() -> Settings {
        let Options { max_depth, lenient, .. } = Options::new();
        settings(lenient, Depth::new(max_depth), max_depth)
    }

    fn write<T: ?Sized + Serialize>(value: &T) -> Result<Vec<u8>> {
        super::to_vec(value)
    }

    fn read<'de, T: Deserialize<'de>>(part: Found<'de>) -> Result<T> {
        let (value, taken) = de::take_part(part)?;
        let rest = Reader::after(part.bytes, taken);
        rest.finish().map_err(|error: Error| error.moved(part.offset))?;
        Ok(value)
    }
}

impl ListFormat for ErrorKind {
    const LIST: &'static str = LIST;

    /// Where the first item begins.
    type Layout = usize;
    /// Where an item begins.
    type Cursor = usize;

    fn layout(list: Found<'_>) -> (usize, usize) {
        let mut reader = Reader::new(list.bytes, 0);
        match wire::take_count(&mut reader, Headed::Array, 1) {
            Ok((count, _)) => (reader.offset(), count),
            Err(_) => (0, 0),
        }
    }

    #[cfg(feature = "rayon")]
    fn sound_end(list: Found<'_>, _: &usize, _: usize) -> usize {
        Self::layout(list).1
    }

    fn find(list: Found<'_>, first: &usize, index: usize) -> Result<usize> {
        let mut reader = Reader::after(list.bytes, *first);
        for _ in 0..index {
            wire::take_object(&mut reader).map_err(|error| error.moved(list.offset))?;
        }
        Ok(reader.offset())
    }

    fn item<'de, T: Deserialize<'de>>(
        list: Found<'de>,
        _: &usize,
        index: usize,
        cursor: &mut Option<usize>,
    ) -> Result<T> {
        let Found { bytes, offset, settings, .. } = list;
        let Some(at) = cursor.take() else { return Err(Error::placeless(CommonKind::Abandoned)) };
        let Some(depth) = settings.depth.enter() else {
            return Err(limits::too_deep(settings.max_depth).or_offset(offset));
        };
        let mut reader = Reader::after(bytes, at);
        let object = wire::take_object(&mut reader).map_err(|error| error.moved(offset))?;
        *cursor = Some(reader.offset());
        let start = offset.saturating_add(at);
        let settings = Settings { depth, ..settings };
        let item = Found { bytes: object, offset: start, settings };
        let read = de::take_part(item).map_err(|error| match error.is_eof() {
            // The object is complete, but the type requests more of them.
            true => Error::at(SEVERAL, start),
            false => error,
        });
        read.map(|(value, _)| value).map_err(|error| error.inside(Segment::Index(index)))
    }
}
