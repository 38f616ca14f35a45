//! What MessagePack adds to the pieces of a document.

use crate::primitiv::wire::{self, Headed, Header, Width};
use crate::primitiv::{ErrorKind, Result};

/// Where a document is written to.
pub(super) type Pieces<'a> = crate::tensor::pieces::Pieces<'a, ErrorKind>;

impl Pieces<'_> {
    /// Appends a header for `size` bytes or items.
    #[inline]
    pub(super) fn put_header(&mut self, headed: Headed, size: usize, width: Width) -> Result<()> {
        let header = Header::new(headed, wire::length(size)?, width);
        self.put(header.as_slice());
        Ok(())
    }

    /// Appends a header and bytes of any size.
    #[inline]
    pub(super) fn put_bytes(&mut self, headed: Headed, bytes: &[u8], width: Width) -> Result<()> {
        self.put_header(headed, bytes.len(), width)?;
        self.put_data(bytes)
    }
}
