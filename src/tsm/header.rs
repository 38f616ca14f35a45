//! The first 128 bytes of a module.

use alloc::boxed::Box;
use core::fmt;
use core::ops::Range;

use super::Result;
use super::document::{Pieces, within};
use super::wire::{HEADER_CODE_OFFSET, HEADER_DATA, MAGIC};
use crate::read::Reader;

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

    pub(super) fn take(reader: &mut Reader<'_>) -> Result<Self> {
        let fake = within("fake", reader.take_array().map(u32::from_le_bytes))?;
        let code = within("code", reader.take_array().map(u32::from_le_bytes))?;
        Ok(Header { fake, code, data: within("data", reader.take_array())? })
    }

    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        out.put(&self.fake.to_le_bytes());
        out.put(&self.code.to_le_bytes());
        out.put(&self.data);
        Ok(())
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
