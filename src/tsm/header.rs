//! The first 128 bytes of a module.

use alloc::boxed::Box;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::ErrorKind;
use super::fields::{Counted, read_fields};
use super::wire::{HEADER_CODE_OFFSET, HEADER_DATA, MAGIC};
use super::with::{RawBytes, RawLen};
use crate::tensor::memory::Memory;

/// The first 128 bytes of a module.
///
/// Nothing but the code has a meaning. TenniS reads the rest and writes zeros.
///
/// ```
/// use fourfold::tsm::{Header, to_vec};
///
/// let bytes = to_vec(&Header::default())?;
/// assert_eq!(bytes[..8], [0, 0, 0, 0, 0x29, 0x09, 0x91, 0x19]);
/// assert_eq!(bytes[Header::CODE_RANGE], Header::CODE_BYTES);
/// assert_eq!(bytes[8..], [0; 120]);
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    /// Reserved.
    pub fake: u32,
    /// The code that identifies modules: [`Header::CODE`].
    pub code: u32,
    /// Free for the writer of the file.
    pub data: [u8; HEADER_DATA],
}

impl Header {
    /// The one `code` that there is.
    pub const CODE: u32 = MAGIC;

    /// The bytes of that code.
    pub const CODE_BYTES: [u8; 4] = MAGIC.to_le_bytes();

    /// Where they are in a file.
    pub const CODE_RANGE: Range<usize> =
        HEADER_CODE_OFFSET..HEADER_CODE_OFFSET + Self::CODE_BYTES.len();

    fn read<'de>(fake: u32, code: u32, data: impl Into<Memory<'de>>) -> Result<Self, ErrorKind> {
        let data = data.into();
        match <[u8; HEADER_DATA]>::try_from(data.as_slice()) {
            Ok(data) => Ok(Header { fake, code, data }),
            Err(_) => Err(ErrorKind::MemorySize { expected: HEADER_DATA, found: data.len() }),
        }
    }
}

impl Default for Header {
    fn default() -> Self {
        Header { fake: 0, code: MAGIC, data: [0; HEADER_DATA] }
    }
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let data: Box<[u8]> = match self.data.iter().rposition(|byte| *byte != 0) {
            Some(last) => self.data.iter().take(last + 1).copied().collect(),
            None => Box::default(),
        };
        f.debug_struct("Header")
            .field("fake", &self.fake)
            .field("code", &format_args!("{:#x}", self.code))
            .field("data", &format_args!("{data:02x?}"))
            .finish()
    }
}

impl Serialize for Header {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Header", 3)?;
        fields.serialize_field("fake", &self.fake)?;
        fields.serialize_field("code", &self.code)?;
        fields.serialize_field("data", &RawBytes(&self.data))?;
        fields.end()
    }
}

read_fields! {
    Header as Header, "a header" = Header::read;
    fake: u32, PhantomData::<u32>;
    code: u32, PhantomData::<u32>;
    data: Counted<'de>, RawLen(HEADER_DATA);
}
