//! Reading where each byte of the program is paid for, as scripts on CKB are.
//!
//! [`from_slice`] here reads with the same code as [`molecule::from_slice`](super::from_slice), but compiles nothing for
//! errors: no text, no paths, no offsets. What it refuses is [`Refused`]; `molecule::from_slice`, elsewhere, returns the
//! reason. Scripts take the library with `default-features = false, features = ["molecule"]`.
//!
//! It returns the values that `molecule::from_slice` returns, and never accepts what that refuses. It refuses some
//! messages that are read there:
//!
//! - maps that are fixvecs, values that are marked `any`, adjacently tagged enums;
//! - packed tuples without a mark whose bytes happen to begin like a table;
//! - types that continue after an error of one of their values;
//! - types that call `deserialize_identifier` themselves.
//!
//! For types that borrow there are a [`DynVec`] and a [`FixVec`] whose items are read on demand, an [`Array`] of bytes,
//! and a [`Lazy`] for everything else. They allocate no memory, and the other readers and writers of Molecule support
//! them as well, so that one derive is enough on-chain and off-chain. A [`Source`] reads one nested value of a message
//! that is too large to be loaded.
//!
//! ```
//! use fourfold::molecule::{self, small};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Heir<'a> {
//!     #[serde(borrow)]
//!     lock_hash: small::Array<'a, 4>,
//!     after: u64,
//!     note: &'a str,
//! }
//!
//! #[derive(Serialize, Deserialize)]
//! struct Args<'a> {
//!     #[serde(borrow)]
//!     owner: small::Array<'a, 4>,
//!     #[serde(borrow)]
//!     heirs: small::DynVec<'a, Heir<'a>>,
//! }
//!
//! let heirs = [Heir { lock_hash: small::Array(&[1; 4]), after: 7, note: "" }];
//! let heirs = molecule::to_vec(&molecule::with::DynVec(Vec::from(heirs)))?;
//! let args = Args { owner: small::Array(&[2; 4]), heirs: small::DynVec::of(&heirs)? };
//! let bytes = molecule::to_vec(&args)?;
//!
//! let args: Args<'_> = small::from_slice(&bytes)?;
//! assert_eq!(*args.owner, [2; 4]);
//! assert_eq!(args.heirs.get(0).ok_or(small::Refused)??.after, 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod items;
mod source;

use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;

use serde_core::de::{self, Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

pub use self::items::{DynVecItems, FixVecItems};
pub use self::source::{Load, Source};
use super::de::{Form, without_reason};
use super::raw::RAW;
use super::wire::{self, NUMBER_SIZE};
use crate::count::Bytes;
use crate::limits::{DEFAULT_MAX_DEPTH, Depth};
use crate::raw::{Found, Settings, part_of, write_part};

/// The bytes are not those of a value of the type. [`molecule::from_slice`](super::from_slice) returns the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Refused;

/// A result of this module.
pub type Result<T, E = Refused> = core::result::Result<T, E>;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("refused; `molecule::from_slice` returns the reason")
    }
}

impl core::error::Error for Refused {}

/// Maximum depth of a whole message.
const WHOLE: Depth = Depth::new(DEFAULT_MAX_DEPTH);

/// Reads a `T` from all of `bytes`.
///
/// # Errors
///
/// [`Refused`], for every error of the bytes, for those that `T` itself returns, and for the messages
/// that the [module](self) does not support.
///
/// # Examples
///
/// ```
/// use fourfold::molecule::small::{Refused, from_slice};
///
/// let text: &str = from_slice(&[2, 0, 0, 0, b'h', b'i'])?;
/// assert_eq!(text, "hi");
/// assert_eq!(from_slice::<&str>(&[3, 0, 0, 0, b'h', b'i']), Err(Refused));
/// # Ok::<(), Refused>(())
/// ```
#[inline]
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    read(bytes, Form::Slot, WHOLE)
}

#[inline]
fn read<'de, T: Deserialize<'de>>(bytes: &'de [u8], form: Form, depth: Depth) -> Result<T> {
    without_reason(bytes, form, depth).ok_or(Refused)
}

/// Reads an item of a vector that may nest so deep, where it was found.
#[inline]
fn item<'de, T: Deserialize<'de>>(found: Option<&'de [u8]>, form: Form, depth: Depth) -> Result<T> {
    read(found.ok_or(Refused)?, form, depth.enter().ok_or(Refused)?)
}

/// The storage of a type in this module, and how it is shown.
macro_rules! raw_parts {
    ($($type:ident $word:literal $found:expr;)*) => {$(
        impl<'a, T> $type<'a, T> {
            fn new(bytes: &'a [u8], depth: Depth) -> Self {
                $type { bytes, depth, value: PhantomData }
            }

            /// The bytes of the value.
            #[must_use]
            pub fn bytes(&self) -> &'a [u8] {
                self.bytes
            }
        }

        impl<T> Clone for $type<'_, T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $type<'_, T> {}

        impl<T> fmt::Debug for $type<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($type)).field(&self.bytes).finish()
            }
        }

        impl<T> PartialEq for $type<'_, T> {
            fn eq(&self, other: &Self) -> bool {
                self.bytes == other.bytes
            }
        }

        impl<T> Eq for $type<'_, T> {}

        impl<T> Serialize for $type<'_, T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                write_part("molecule", RAW, self.bytes, serializer)
            }
        }

        impl<'de: 'a, 'a, T> Deserialize<'de> for $type<'a, T> {
            #[inline]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let Found { bytes, settings: Settings { depth, .. }, .. } =
                    part_of("molecule", RAW, deserializer)?;
                let part: Result<_> = $found(bytes, depth);
                part.map_err(|Refused| de::Error::custom(concat!("the bytes are those of no ", $word)))
            }
        }
    )*};
}

raw_parts! {
    Lazy "value" |bytes, depth| Ok(Lazy::new(bytes, depth));
    DynVec "dynvec" DynVec::within;
    FixVec "fixvec" FixVec::within;
}

/// A value that is read when it is needed. Two are equal if their bytes are.
///
/// ```
/// use fourfold::molecule::{small, to_vec};
///
/// let bytes = to_vec(&(7u32, "signature"))?;
/// let (id, witness): (u32, small::Lazy<'_, &str>) = small::from_slice(&bytes)?;
/// assert_eq!((id, witness.get()?), (7, "signature"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Lazy<'a, T> {
    bytes: &'a [u8],
    /// How deep it may nest.
    depth: Depth,
    value: PhantomData<fn() -> T>,
}

impl<'a, T: Deserialize<'a>> Lazy<'a, T> {
    /// Reads the value: each time from its bytes.
    ///
    /// # Errors
    ///
    /// Those of [`from_slice`].
    #[inline]
    pub fn get(&self) -> Result<T> {
        read(self.bytes, Form::Slot, self.depth)
    }
}

/// A Molecule `dynvec` whose items are read on demand. Two are equal if their bytes are.
///
/// Its header is checked as far as [`len`](DynVec::len) needs it, the offsets of an item when that is read.
pub struct DynVec<'a, T> {
    bytes: &'a [u8],
    /// How deep it may nest.
    depth: Depth,
    value: PhantomData<fn() -> T>,
}

impl<'a, T> DynVec<'a, T> {
    /// The dynvec that takes all of `bytes`.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the full size or the first offset is none of a dynvec of that length.
    pub fn of(bytes: &'a [u8]) -> Result<Self> {
        DynVec::within(bytes, WHOLE)
    }

    fn within(bytes: &'a [u8], depth: Depth) -> Result<Self> {
        match wire::lazy_header(bytes) {
            Some(_) => Ok(DynVec::new(bytes, depth)),
            None => Err(Refused),
        }
    }

    /// Its header was checked.
    fn header(&self) -> usize {
        wire::number_at(self.bytes, NUMBER_SIZE).unwrap_or(NUMBER_SIZE)
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        (self.header() / NUMBER_SIZE).saturating_sub(1)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a, T: Deserialize<'a>> DynVec<'a, T> {
    /// An item, by its number. `None` if there are not so many.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the offsets around the item are wrong, or the item is.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Result<T>> {
        (index < self.len()).then(|| self.item(index))
    }

    #[inline]
    fn item(&self, index: usize) -> Result<T> {
        let found = wire::dynvec_item(self.bytes, index, self.header());
        item(found, Form::Dynamic, self.depth)
    }

    /// The first item. `None` if there are none.
    #[must_use]
    pub fn first(&self) -> Option<Result<T>> {
        self.get(0)
    }

    /// The last item. `None` if there are none.
    #[must_use]
    pub fn last(&self) -> Option<Result<T>> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Iterates over the items.
    pub fn iter(&self) -> DynVecItems<'a, T> {
        DynVecItems::new(*self, self.len(), 0)
    }

    /// Reads each item, and keeps none.
    ///
    /// # Errors
    ///
    /// [`Refused`] if an item is. If it passes, [`molecule::from_slice`](super::from_slice) reads the bytes as a marked
    /// `Vec<T>`; lazy values inside items are not checked.
    pub fn check(&self) -> Result<()> {
        self.iter().try_for_each(|item| item.map(drop))
    }
}

/// A Molecule `fixvec` whose items are read on demand. Two are equal if their bytes are.
///
/// ```
/// use fourfold::molecule::{small, to_vec};
///
/// let bytes = to_vec(&[[1u16, 2], [3, 4]].to_vec())?;
/// let pairs: small::FixVec<'_, [u16; 2]> = small::from_slice(&bytes)?;
/// assert_eq!(pairs.len(), 2);
/// assert_eq!(pairs.get(1), Some(Ok([3, 4])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FixVec<'a, T> {
    bytes: &'a [u8],
    /// How deep it may nest.
    depth: Depth,
    value: PhantomData<fn() -> T>,
}

impl<'a, T> FixVec<'a, T> {
    /// The fixvec that takes all of `bytes`.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the items cannot fill the bytes evenly.
    pub fn of(bytes: &'a [u8]) -> Result<Self> {
        FixVec::within(bytes, WHOLE)
    }

    fn within(bytes: &'a [u8], depth: Depth) -> Result<Self> {
        match wire::fixvec_parts(bytes) {
            Some(_) => Ok(FixVec::new(bytes, depth)),
            None => Err(Refused),
        }
    }

    /// How many items there are, and the size of each. The header was checked.
    #[inline]
    fn parts(&self) -> (usize, usize) {
        wire::fixvec_parts(self.bytes).unwrap_or_default()
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        let (count, _) = self.parts();
        count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a, T: Deserialize<'a>> FixVec<'a, T> {
    /// An item, by its number. `None` if there are not so many.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the item is no `T`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Result<T>> {
        let (count, size) = self.parts();
        (index < count).then(|| self.item(index, size))
    }

    #[inline]
    fn item(&self, index: usize, size: usize) -> Result<T> {
        item(wire::fixvec_item(self.bytes, index, size), Form::Packed, self.depth)
    }

    /// The first item. `None` if there are none.
    #[must_use]
    pub fn first(&self) -> Option<Result<T>> {
        self.get(0)
    }

    /// The last item. `None` if there are none.
    #[must_use]
    pub fn last(&self) -> Option<Result<T>> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Iterates over the items.
    pub fn iter(&self) -> FixVecItems<'a, T> {
        let (count, size) = self.parts();
        FixVecItems::new(*self, count, size)
    }

    /// Reads each item, and keeps none.
    ///
    /// # Errors
    ///
    /// [`Refused`] if an item is. If it passes, [`molecule::from_slice`](super::from_slice) reads the bytes as a marked
    /// `Vec<T>`; lazy values inside items are not checked.
    pub fn check(&self) -> Result<()> {
        self.iter().try_for_each(|item| item.map(drop))
    }
}

/// A Molecule `array` of bytes, borrowed from the input: in a field of a table, an item of a dynvec, the payload of a union.
///
/// It counts as dynamic, as other lazy values do. That is right for structs that are tables; a tuple with it is a
/// table; and for items of a fixvec use `FixVec<[u8; 32]>`, for fields of a marked struct `[u8; 32]`.
///
/// ```
/// use fourfold::molecule::{small, to_vec};
///
/// let bytes = to_vec(&([7u8; 32], "seven"))?;
/// let (hash, name): (small::Array<'_, 32>, &str) = small::from_slice(&bytes)?;
/// assert_eq!((*hash, name), ([7; 32], "seven"));
/// assert_eq!(to_vec(&(hash, name))?, bytes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Array<'a, const N: usize>(pub &'a [u8; N]);

impl<const N: usize> Deref for Array<'_, N> {
    type Target = [u8; N];

    fn deref(&self) -> &[u8; N] {
        self.0
    }
}

impl<const N: usize> Serialize for Array<'_, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write_part("molecule", RAW, self.0, serializer)
    }
}

impl<'de: 'a, 'a, const N: usize> Deserialize<'de> for Array<'a, N> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Found { bytes, .. } = part_of("molecule", RAW, deserializer)?;
        match bytes.try_into() {
            Ok(bytes) => Ok(Array(bytes)),
            Err(_) => Err(de::Error::custom(format_args!(
                "{} expected, {} found",
                Bytes(&N),
                bytes.len()
            ))),
        }
    }
}
