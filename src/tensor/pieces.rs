//! A document's bytes when it is written: small pieces are joined, large ones are passed on without a copy.

use alloc::vec::Vec;

use serde_core::ser::{self, SerializeTuple as _, Serializer};

use crate::error::{CommonKind, Error, Kind};
#[cfg(feature = "std")]
use crate::io;
use crate::raw::{Bytes, Emit};

/// Bytes of data from this size on are not copied.
const LARGE: usize = 1 << 12;
/// Gathered bytes are passed on at this size.
const ENOUGH: usize = 1 << 16;

/// Passes bytes to `emit`.
pub(crate) struct Pieces<'a, K> {
    gathered: Vec<u8>,
    emit: Emit<'a, K>,
}

impl<K> Pieces<'_, K> {
    /// Passes to `emit` what `put` appends.
    fn emit(
        emit: Emit<'_, K>,
        put: impl FnOnce(&mut Pieces<'_, K>) -> Result<(), Error<K>>,
    ) -> Result<(), Error<K>> {
        let mut out = Pieces { gathered: Vec::new(), emit };
        put(&mut out)?;
        out.hand_on()
    }

    /// Appends a few bytes. A list of any length calls [`hand_on_enough`](Pieces::hand_on_enough) after each item.
    #[inline]
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.gathered.extend_from_slice(bytes);
    }

    /// Appends bytes of any size.
    #[inline]
    pub(crate) fn put_data(&mut self, bytes: &[u8]) -> Result<(), Error<K>> {
        if bytes.len() >= LARGE {
            self.hand_on()?;
            return (self.emit)(bytes);
        }
        self.put(bytes);
        self.hand_on_enough()
    }

    /// Passes on what [`put`](Pieces::put) has appended, if it is much.
    #[inline]
    pub(crate) fn hand_on_enough(&mut self) -> Result<(), Error<K>> {
        match self.gathered.len() >= ENOUGH {
            true => self.hand_on(),
            false => Ok(()),
        }
    }

    fn hand_on(&mut self) -> Result<(), Error<K>> {
        if !self.gathered.is_empty() {
            (self.emit)(&self.gathered)?;
            self.gathered.clear();
        }
        Ok(())
    }
}

/// The bytes that `put` appends. If they are many, they are counted first, so that memory is taken for just as many as there
/// are.
pub(crate) fn gather<K>(
    put: impl Fn(&mut Pieces<'_, K>) -> Result<(), Error<K>>,
) -> Result<Vec<u8>, Error<K>> {
    let (mut bytes, mut size) = (Vec::new(), 0_usize);
    let mut emit = |piece: &[u8]| {
        size = size.saturating_add(piece.len());
        if size < ENOUGH {
            bytes.extend_from_slice(piece);
        }
        Ok(())
    };
    Pieces::emit(&mut emit, &put)?;
    if size < ENOUGH {
        return Ok(bytes);
    }
    let mut bytes = Vec::with_capacity(size);
    let mut emit = |piece: &[u8]| {
        bytes.extend_from_slice(piece);
        Ok(())
    };
    Pieces::emit(&mut emit, &put)?;
    Ok(bytes)
}

/// Passes to `serializer`, as a tuple of bytes, what `put` appends.
pub(crate) fn serialize<K: Kind, S: Serializer>(
    serializer: S,
    put: impl FnOnce(&mut Pieces<'_, K>) -> Result<(), Error<K>>,
) -> Result<S::Ok, S::Error> {
    // Only the writer of the format gets so far, which ignores the number.
    let (mut pieces, mut refused) = (serializer.serialize_tuple(0)?, None);
    let mut emit = |piece: &[u8]| {
        pieces.serialize_element(&Bytes(piece)).map_err(|error| {
            refused = Some(error);
            Error::placeless(CommonKind::Abandoned)
        })
    };
    match (Pieces::emit(&mut emit, put), refused) {
        (Ok(()), _) => pieces.end(),
        (Err(_), Some(refused)) => Err(refused),
        (Err(error), None) => Err(ser::Error::custom(error)),
    }
}

/// Writes to `writer` what `put` appends.
#[cfg(feature = "std")]
pub(crate) fn write<W: io::Write, K: From<CommonKind>>(
    mut writer: W,
    put: impl FnOnce(&mut Pieces<'_, K>) -> Result<(), Error<K>>,
) -> Result<(), Error<K>> {
    let mut emit = |piece: &[u8]| {
        writer.write_all(piece).map_err(|error| Error::placeless(CommonKind::Io(error)))
    };
    Pieces::emit(&mut emit, put)
}
