//! The markers of MessagePack that have a count. Knows their bytes, does not know serde.

use rmp::Marker;

use crate::error::{Error, Fault, Kind};

/// Kinds of values with a count in front.
#[derive(Clone, Copy)]
pub(crate) enum Headed {
    Str,
    Bin,
    Array,
    Map,
}

/// A marker with a count.
pub(super) struct Header {
    bytes: [u8; 5],
    len: usize,
}

impl Header {
    pub(super) fn new<K: Kind>(headed: Headed, count: usize) -> Result<Self, Error<K>> {
        let Ok(count) = u32::try_from(count) else {
            let reason = "messagepack has no more than 4294967295 bytes or items of a value";
            return Err(Error::placeless(Fault::Unsupported { reason, hint: None }));
        };
        let [a, b, c, d] = count.to_be_bytes();
        let fixed = match (headed, count) {
            (Headed::Str, 0..32) => Some(Marker::FixStr(d)),
            (Headed::Array, 0..16) => Some(Marker::FixArray(d)),
            (Headed::Map, 0..16) => Some(Marker::FixMap(d)),
            _ => None,
        };
        let short = match headed {
            Headed::Str => Some(Marker::Str8),
            Headed::Bin => Some(Marker::Bin8),
            Headed::Array | Headed::Map => None,
        };
        let (medium, long) = match headed {
            Headed::Str => (Marker::Str16, Marker::Str32),
            Headed::Bin => (Marker::Bin16, Marker::Bin32),
            Headed::Array => (Marker::Array16, Marker::Array32),
            Headed::Map => (Marker::Map16, Marker::Map32),
        };
        Ok(match (fixed, short, count) {
            (Some(fixed), ..) => Header { bytes: [fixed.to_u8(), 0, 0, 0, 0], len: 1 },
            (None, Some(short), 0..0x100) => Header { bytes: [short.to_u8(), d, 0, 0, 0], len: 2 },
            (None, _, 0..0x1_0000) => Header { bytes: [medium.to_u8(), c, d, 0, 0], len: 3 },
            _ => Header { bytes: [long.to_u8(), a, b, c, d], len: 5 },
        })
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}
