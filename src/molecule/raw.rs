//! Lazy values, and the items of lazy lists.

use alloc::vec::Vec;

use serde_core::de::Deserialize;
use serde_core::ser::Serialize;

use super::de;
use super::wire::{self, ListParts};
use super::{Error, ErrorKind, Options, Result};
use crate::error::Segment;
use crate::limits::{self, Depth};
use crate::raw::sealed::RawFormat;
use crate::raw::{self, Found, ListFormat, Settings};

/// The bytes of one value, as they are in the message.
///
/// Molecule values do not show their own length, so nothing is checked before they are read. A lazy value counts
/// as dynamic: in a vector without a mark, it is an item of a dynvec.
///
/// ```
/// use fourfold::molecule::{self, Raw};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Transaction<'a> {
///     id: u32,
///     #[serde(borrow)]
///     witness: Raw<'a>,
/// }
///
/// let bytes = molecule::to_vec(&(7u32, "signature"))?;
/// let transaction: Transaction<'_> = molecule::from_slice(&bytes)?;
/// assert_eq!(transaction.witness.bytes(), b"\x09\0\0\0signature");
/// assert_eq!(transaction.witness.get::<&str>()?, "signature");
/// assert_eq!(molecule::to_vec(&transaction)?, bytes);
/// # Ok::<(), molecule::Error>(())
/// ```
pub type Raw<'a> = raw::Raw<'a, ErrorKind>;

/// A [`Raw`] that owns its bytes.
///
/// ```
/// use fourfold::molecule::{self, OwnedRaw};
///
/// let file: &[u8] = &[2, 0, 0, 0, b'h', b'i'];
/// let raw: OwnedRaw = molecule::from_reader(file)?;
/// assert_eq!(raw.get::<&str>()?, "hi");
/// # Ok::<(), molecule::Error>(())
/// ```
pub type OwnedRaw = raw::OwnedRaw<ErrorKind>;

/// A value that is read when it is needed.
///
/// ```
/// use fourfold::molecule::{self, Lazy};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Transaction<'a> {
///     id: u32,
///     #[serde(borrow)]
///     witness: Lazy<'a, &'a str>,
/// }
///
/// let mut bytes = molecule::to_vec(&(7u32, "signature"))?;
/// let transaction: Transaction<'_> = molecule::from_slice(&bytes)?;
/// assert_eq!(transaction.witness.get()?, "signature");
///
/// // What is wrong in it is found when it is read. The offset is that in the message, the path begins at the lazy value.
/// bytes[20] = 0xff;
/// let transaction: Transaction<'_> = molecule::from_slice(&bytes)?;
/// assert_eq!(transaction.id, 7);
/// let error = transaction.witness.get().unwrap_err();
/// assert_eq!(error.to_string(), "invalid utf-8 at byte 20");
/// # Ok::<(), molecule::Error>(())
/// ```
pub type Lazy<'a, T> = raw::Lazy<'a, T, ErrorKind>;

/// A sequence whose items are read on demand: a dynvec or a fixvec, as its bytes show.
///
/// An item is found by its number, without reading the others: [`get`](raw::List::get) checks only the two offsets
/// around it. Items of a hostile list may overlap; [`iter`](raw::List::iter) ends at the first offset that is smaller
/// than the previous one. Structs in a fixvec are read as packed ones.
///
/// ```
/// use fourfold::molecule::{self, List};
///
/// let bytes = molecule::to_vec(&["one", "two", "three"].map(String::from).to_vec())?;
/// let words: List<'_, &str> = molecule::from_slice(&bytes)?;
/// assert_eq!(words.len(), 3);
/// assert_eq!(words.get(1).transpose()?, Some("two"));
/// assert!(words.get(3).is_none());
///
/// let last = words.get(1..).unwrap();
/// assert_eq!(last.iter().collect::<Result<Vec<_>, _>>()?, ["two", "three"]);
/// # Ok::<(), molecule::Error>(())
/// ```
pub type List<'a, T> = raw::List<'a, T, ErrorKind>;

/// The reserved names of newtype structs for lazy values.
pub(super) const RAW: &str = "fourfold.molecule.lazy";
pub(super) const LIST: &str = "fourfold.molecule.list";

/// Whether a newtype struct of this name is a lazy value of this format.
#[must_use]
#[inline]
pub fn is_reserved(name: &str) -> bool {
    name == RAW || name == LIST
}

/// What `Settings` have of [`Options`] ..
const STRICT: u16 = 1;
const COMPATIBLE: u16 = 2;
/// .. and whether something has stated where the bytes end, so that more input would not help.
const FRAMED: u16 = 4;

pub(super) const DEFAULTS: &Options = &Options::new();

impl Options {
    /// What a lazy value that may nest so deep is read with.
    #[inline]
    pub(super) const fn settings(&self, depth: Depth, is_framed: bool) -> Settings {
        let strict = if self.strict { STRICT } else { 0 };
        let compatible = if self.compatible { COMPATIBLE } else { 0 };
        let framed = if is_framed { FRAMED } else { 0 };
        let flags = strict | compatible | framed;
        Settings { flags, depth, max_depth: self.max_depth }
    }

    /// The settings for reading a nested value whose end is known.
    #[inline]
    pub(super) const fn part_settings(&self) -> Settings {
        self.settings(Depth::new(self.max_depth), true)
    }

    /// The options of a lazy value.
    #[inline]
    pub(super) const fn from_settings(settings: Settings) -> Self {
        let Settings { flags, max_depth, .. } = settings;
        Options::new()
            .max_depth(max_depth)
            .strict(flags & STRICT != 0)
            .compatible(flags & COMPATIBLE != 0)
    }
}

/// Whether something has stated where a lazy value ends.
pub(super) const fn is_framed(settings: Settings) -> bool {
    settings.flags & FRAMED != 0
}

impl RawFormat for ErrorKind {
    const NAME: &'static str = RAW;
    const FORMAT: &'static str = "molecule";

    fn settings() -> Settings {
        DEFAULTS.settings(Depth::new(DEFAULTS.max_depth), false)
    }

    fn write<T: ?Sized + Serialize>(value: &T) -> Result<Vec<u8>> {
        super::to_vec(value)
    }

    #[inline]
    fn read<'de, T: Deserialize<'de>>(part: Found<'de>) -> Result<T> {
        let Found { bytes, offset, settings, .. } = part;
        de::part(&Options::from_settings(settings), bytes, offset, settings, de::Form::Slot)
    }
}

/// Where the items of a list are, and the settings for reading them.
#[derive(Clone, Debug)]
pub struct Layout {
    parts: Option<ListParts>,
    options: Options,
}

impl ListFormat for ErrorKind {
    const LIST: &'static str = LIST;

    type Layout = Layout;
    type Cursor = ();

    #[inline]
    fn layout(list: Found<'_>) -> (Layout, usize) {
        let parts = wire::list_parts(list.bytes);
        let count = match parts {
            Some(ListParts::Dynvec { count, .. } | ListParts::Fixvec { count, .. }) => count,
            None => 0,
        };
        (Layout { parts, options: Options::from_settings(list.settings) }, count)
    }

    #[inline]
    #[cfg(feature = "rayon")]
    fn sound_end(list: Found<'_>, layout: &Layout, first: usize) -> usize {
        match layout.parts {
            Some(ListParts::Dynvec { count, .. }) => {
                wire::ordered_end(list.bytes, first).min(count)
            }
            Some(ListParts::Fixvec { count, .. }) => count,
            None => 0,
        }
    }

    #[inline]
    fn find(_: Found<'_>, _: &Layout, _: usize) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn item<'de, T: Deserialize<'de>>(
        list: Found<'de>,
        layout: &Layout,
        index: usize,
        cursor: &mut Option<()>,
    ) -> Result<T> {
        let Found { bytes, offset, settings, .. } = list;
        let item = match layout.parts {
            Some(ListParts::Fixvec { size, .. }) => wire::fixvec_item(bytes, index, size),
            Some(ListParts::Dynvec { header, .. }) => wire::dynvec_item(bytes, index, header),
            None => None,
        };
        let Some(item) = item else {
            // Where the next one begins is not known, either: items would overlap.
            *cursor = None;
            return Err(wire::wrong_offset(bytes, index).moved(offset));
        };
        let start = item.as_ptr().addr().wrapping_sub(bytes.as_ptr().addr());
        let Some(depth) = settings.depth.enter() else {
            return Err(limits::too_deep(settings.max_depth).or_offset(offset));
        };
        let offset = offset.saturating_add(start);
        let settings = Settings { depth, flags: settings.flags | FRAMED, ..settings };
        // The form is a constant for each, so that reading is compiled for it.
        let value = match layout.parts {
            Some(ListParts::Fixvec { .. }) => {
                de::part(&layout.options, item, offset, settings, de::Form::Packed)
            }
            _ => de::part(&layout.options, item, offset, settings, de::Form::Dynamic),
        };
        value.map_err(|error: Error| error.inside(Segment::Index(index)))
    }
}
