//! The objects of MessagePack: their types, lengths and ends.

use rmp::Marker;

/// The type of an object, if that has a length.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Str,
    Bin,
    Array,
    Map,
    Ext,
    Other,
}

/// The beginning of an object.
pub(crate) struct Head {
    pub(crate) ty: Type,
    /// The length in bytes, or the count of items.
    pub(crate) len: u32,
    /// The bytes of the marker and of the length.
    pub(crate) size: usize,
    /// How many bytes of the object follow, without the objects in it.
    pub(crate) content: usize,
}

/// Where a length is: in the marker, or in so many bytes after it.
enum Length {
    Here(u32),
    After(usize),
}

fn layout(marker: Marker) -> (Type, Length) {
    use Length::{After, Here};
    match marker {
        Marker::FixStr(len) => (Type::Str, Here(len.into())),
        Marker::Str8 => (Type::Str, After(1)),
        Marker::Str16 => (Type::Str, After(2)),
        Marker::Str32 => (Type::Str, After(4)),
        Marker::Bin8 => (Type::Bin, After(1)),
        Marker::Bin16 => (Type::Bin, After(2)),
        Marker::Bin32 => (Type::Bin, After(4)),
        Marker::FixArray(count) => (Type::Array, Here(count.into())),
        Marker::Array16 => (Type::Array, After(2)),
        Marker::Array32 => (Type::Array, After(4)),
        Marker::FixMap(count) => (Type::Map, Here(count.into())),
        Marker::Map16 => (Type::Map, After(2)),
        Marker::Map32 => (Type::Map, After(4)),
        Marker::FixExt1 => (Type::Ext, Here(1)),
        Marker::FixExt2 => (Type::Ext, Here(2)),
        Marker::FixExt4 => (Type::Ext, Here(4)),
        Marker::FixExt8 => (Type::Ext, Here(8)),
        Marker::FixExt16 => (Type::Ext, Here(16)),
        Marker::Ext8 => (Type::Ext, After(1)),
        Marker::Ext16 => (Type::Ext, After(2)),
        Marker::Ext32 => (Type::Ext, After(4)),
        Marker::U8 | Marker::I8 => (Type::Other, Here(1)),
        Marker::U16 | Marker::I16 => (Type::Other, Here(2)),
        Marker::U32 | Marker::I32 | Marker::F32 => (Type::Other, Here(4)),
        Marker::U64 | Marker::I64 | Marker::F64 => (Type::Other, Here(8)),
        Marker::FixPos(_)
        | Marker::FixNeg(_)
        | Marker::Null
        | Marker::True
        | Marker::False
        | Marker::Reserved => (Type::Other, Here(0)),
    }
}

impl Type {
    pub(crate) fn of(marker: u8) -> Self {
        layout(Marker::from_u8(marker)).0
    }
}

impl Head {
    /// The beginning of the object at the start of `bytes`.
    ///
    /// # Errors
    ///
    /// How many bytes are needed, of the marker or of the length after it, if there are fewer.
    pub(crate) fn of(bytes: &[u8]) -> Result<Self, usize> {
        let (marker, rest) = bytes.split_first().ok_or(1usize)?;
        let (ty, length) = layout(Marker::from_u8(*marker));
        let (len, width) = match length {
            Length::Here(len) => (len, 0),
            Length::After(width) => {
                let number = rest.get(..width).ok_or(width)?;
                (number.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)), width)
            }
        };
        let in_bytes = usize::try_from(len).unwrap_or(usize::MAX);
        let content = match ty {
            Type::Array | Type::Map => 0,
            // The type of an ext is a byte.
            Type::Ext => in_bytes.saturating_add(1),
            Type::Str | Type::Bin | Type::Other => in_bytes,
        };
        Ok(Head { ty, len, size: 1 + width, content })
    }

    /// How many objects are in it.
    fn objects(&self) -> u64 {
        match self.ty {
            Type::Array => self.len.into(),
            Type::Map => u64::from(self.len) * 2,
            _ => 0,
        }
    }
}

/// How many bytes the object at the start of `bytes` takes with all that is in it, if they are there.
pub(crate) fn size(bytes: &[u8]) -> Option<usize> {
    let (mut rest, mut left) = (bytes, 1u64);
    while left > 0 {
        let head = Head::of(rest).ok()?;
        rest = rest.get(head.size.saturating_add(head.content)..)?;
        left = (left - 1).saturating_add(head.objects());
    }
    Some(bytes.len() - rest.len())
}

/// The integer at the start of `bytes`.
pub(crate) fn integer(mut bytes: &[u8]) -> Option<i128> {
    rmp::decode::read_int(&mut bytes).ok()
}
