//! A document's bytes when it is written: small pieces are joined, large ones are passed on without a copy.

use alloc::vec::Vec;

use crate::primitiv::wire::{self, Headed, Header, Width};
use crate::primitiv::{Error, Result};

/// Bytes of data from this size on are not copied.
const LARGE: usize = 1 << 12;
/// Gathered bytes are passed on at this size.
const ENOUGH: usize = 1 << 16;

/// Passes bytes to `emit`; `refuse` converts errors of the document itself.
pub(super) struct Pieces<F, R> {
    gathered: Vec<u8>,
    emit: F,
    refuse: R,
}

impl<E, F: FnMut(&[u8]) -> Result<(), E>, R: Fn(Error) -> E> Pieces<F, R> {
    pub(super) fn new(emit: F, refuse: R) -> Self {
        Pieces { gathered: Vec::new(), emit, refuse }
    }

    /// Refuses the document.
    pub(super) fn refuse(&self, error: Error) -> E {
        (self.refuse)(error)
    }

    /// A length or count as MessagePack has it.
    #[inline]
    pub(super) fn length(&self, size: usize) -> Result<u32, E> {
        wire::length(size).map_err(&self.refuse)
    }

    /// Appends a few bytes.
    #[inline]
    pub(super) fn put(&mut self, bytes: &[u8]) {
        self.gathered.extend_from_slice(bytes);
    }

    /// Appends a header for `size` bytes or items.
    #[inline]
    pub(super) fn put_header(
        &mut self,
        headed: Headed,
        size: usize,
        width: Width,
    ) -> Result<(), E> {
        let header = Header::new(headed, self.length(size)?, width);
        self.put(header.as_slice());
        Ok(())
    }

    /// Appends a header and bytes of any size.
    #[inline]
    pub(super) fn put_bytes(
        &mut self,
        headed: Headed,
        bytes: &[u8],
        width: Width,
    ) -> Result<(), E> {
        self.put_header(headed, bytes.len(), width)?;
        if bytes.len() >= LARGE {
            self.hand_on()?;
            return (self.emit)(bytes);
        }
        self.put(bytes);
        match self.gathered.len() >= ENOUGH {
            true => self.hand_on(),
            false => Ok(()),
        }
    }

    fn hand_on(&mut self) -> Result<(), E> {
        (self.emit)(&self.gathered)?;
        self.gathered.clear();
        Ok(())
    }

    /// Passes on the rest.
    pub(super) fn finish(mut self) -> Result<(), E> {
        match self.gathered.is_empty() {
            true => Ok(()),
            false => self.hand_on(),
        }
    }
}
