//! Writing one value of any kind, forward to the writer.
//!
//! What looks at a name is always inlined, for the reason in [`mark`](crate::primitiv::mark).

use rmp::Marker;
use serde_core::ser::{self, Serialize};

use super::compound::Compound;
use super::output::Sink;
use crate::error::CommonKind;
use crate::glue::mark::TWO_MARKS;
use crate::limits::DepthMeter;
use crate::primitiv::document::DocumentKind;
use crate::primitiv::mark::Mark;
use crate::primitiv::wire::{self, Headed, Header, Width};
use crate::primitiv::{Error, ErrorKind, Options, Result, raw};
use crate::raw::{bytes_of, pieces_of};
#[cfg(feature = "any")]
use crate::{any, glue::mark::ANY};

/// Writes one value.
#[derive(Debug)]
pub(super) struct Encoder<W> {
    pub(super) writer: W,
    pub(super) depth: DepthMeter,
    /// How many `Some` begin where the next byte goes.
    somes: u16,
    /// The mark on the next value.
    mark: Option<Mark>,
    /// The name of the struct whose only field is next. That is the tag of an adjacently tagged enum if it is a unit
    /// variant of the same name.
    pub(super) tagged: Option<&'static str>,
    /// Whether an element was refused, so that what was written is no value.
    pub(super) failed: bool,
}

impl<W> Encoder<W> {
    pub(super) fn new(options: &Options, writer: W) -> Self {
        let depth = DepthMeter::new(options.max_depth);
        let (somes, mark, tagged, failed) = (0, None, None, false);
        Encoder { writer, depth, somes, mark, tagged, failed }
    }
}

impl<W: Sink> Encoder<W> {
    /// Begins a new value, and forgets what an error before it has left.
    #[inline]
    pub(super) fn begin_value(&mut self) -> &mut Self {
        let Encoder { writer, depth, somes, mark, tagged, failed } = self;
        (*somes, *mark, *tagged, *failed) = (0, None, None, false);
        depth.restart();
        writer.forget();
        self
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.writer.put(bytes).map_err(|error| Error::placeless(CommonKind::Io(error)))
    }

    /// Begins a sequence whose count is not known before its end.
    #[cold]
    fn begin_uncounted(&mut self) -> Result<Compound<'_, W>> {
        self.begin(false, "a sequence")?;
        let start = self.writer.hold();
        Compound::uncounted(self, start)
    }

    /// Inserts the header before the items that began at `start`.
    #[cold]
    pub(super) fn put_count(&mut self, start: usize, count: usize) -> Result<()> {
        let header = Header::new(Headed::Array, wire::length(count)?, Width::Shortest);
        let released = self.writer.release(start, header.as_slice());
        released.map_err(|error| Error::placeless(CommonKind::Io(error)))
    }

    /// Called before every object: here it shows whether `Some` has to be written, and whether a
    /// mark is on a value that it does not fit.
    #[inline]
    fn begin(&mut self, is_nil: bool, found: &'static str) -> Result<()> {
        match (self.somes, self.mark) {
            (0, None) => Ok(()),
            _ => self.begin_unusual(is_nil, found),
        }
    }

    #[cold]
    fn begin_unusual(&mut self, is_nil: bool, found: &'static str) -> Result<()> {
        if let Some(mark) = self.mark.take() {
            return Err(mark.mismatch(found));
        }
        let somes = core::mem::take(&mut self.somes);
        // A value that is no nil is its own `Some`.
        let written = if is_nil { somes } else { 0 };
        (0..written).try_for_each(|_| self.put(&wire::SOME))
    }

    #[inline]
    fn put_object(&mut self, bytes: &[u8], found: &'static str) -> Result<()> {
        self.begin(false, found)?;
        self.put(bytes)
    }

    #[inline]
    pub(super) fn put_nil(&mut self, found: &'static str) -> Result<()> {
        self.begin(true, found)?;
        self.put(&[Marker::Null.to_u8()])
    }

    #[inline]
    fn put_header(&mut self, headed: Headed, len: usize, found: &'static str) -> Result<()> {
        self.begin(false, found)?;
        let header = Header::new(headed, wire::length(len)?, Width::Shortest);
        self.put(header.as_slice())
    }

    #[inline]
    fn put_bytes(&mut self, headed: Headed, bytes: &[u8], found: &'static str) -> Result<()> {
        self.put_header(headed, bytes.len(), found)?;
        self.put(bytes)
    }

    /// A 128-bit integer is a bin of 16 bytes.
    fn put_wide(&mut self, bytes: [u8; 16], found: &'static str) -> Result<()> {
        self.put_object(&[Marker::Bin8.to_u8(), wire::WIDE_SIZE], found)?;
        self.put(&bytes)
    }

    /// Writes the index or name of an enum's variant.
    #[inline]
    fn put_variant(&mut self, name: &'static str, index: u32, variant: &str) -> Result<()> {
        self.tagged = None;
        let named = self.mark == Some(Mark::Named);
        if named {
            self.mark = None;
        }
        match Mark::of(name)? {
            Some(Mark::Named) => self.put_bytes(Headed::Str, variant.as_bytes(), "an enum"),
            None if named => self.put_bytes(Headed::Str, variant.as_bytes(), "an enum"),
            None => self.put_object(&wire::uint32(index), "an enum"),
            Some(mark) => Err(mark.mismatch("an enum")),
        }
    }
}

impl<W: Sink> Encoder<W> {
    /// Writes the bytes of a lazy value.
    #[cold]
    #[inline(never)]
    fn put_raw<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let bytes = bytes_of(value)?;
        raw::check_alone(&bytes)?;
        // The prefix of a `Some` of nil hides another `Some` as nil does.
        let first = bytes.first().map(|first| Marker::from_u8(*first));
        let is_nil = matches!(first, Some(Marker::Null | Marker::FixExt1));
        self.begin(is_nil, "a lazy value")?;
        self.put(&bytes)
    }
}

#[cfg(feature = "any")]
impl<W: Sink> Encoder<W> {
    /// Writes a value that is marked `any`: a bin.
    #[cold]
    #[inline(never)]
    fn put_any<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let part = any::pack(value, self.depth.limits())?;
        self.put_bytes(Headed::Bin, &part, "a value that is marked `any`")
    }
}

macro_rules! serialize_numbers {
    ($($method:ident $type:ty => $bytes:expr,)*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<()> {
            self.put_object(&$bytes(value), stringify!($type))
        }
    )*};
}

impl<'a, W: Sink> ser::Serializer for &'a mut Encoder<W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'a, W>;
    type SerializeTuple = Compound<'a, W>;
    type SerializeTupleStruct = Compound<'a, W>;
    type SerializeTupleVariant = Compound<'a, W>;
    type SerializeMap = Compound<'a, W>;
    type SerializeStruct = Compound<'a, W>;
    type SerializeStructVariant = Compound<'a, W>;

    serialize_numbers! {
        serialize_bool bool => |v| [(if v { Marker::True } else { Marker::False }).to_u8()],
        serialize_u8 u8 => |v| wire::uint32(u32::from(v)),
        serialize_u16 u16 => |v| wire::uint32(u32::from(v)),
        serialize_u32 u32 => wire::uint32,
        serialize_u64 u64 => |v: u64| wire::prefixed_8(Marker::U64, v.to_be_bytes()),
        serialize_i8 i8 => |v| wire::prefixed(Marker::I32, i32::from(v).to_be_bytes()),
        serialize_i16 i16 => |v| wire::prefixed(Marker::I32, i32::from(v).to_be_bytes()),
        serialize_i32 i32 => |v: i32| wire::prefixed(Marker::I32, v.to_be_bytes()),
        serialize_i64 i64 => |v: i64| wire::prefixed_8(Marker::I64, v.to_be_bytes()),
        serialize_f32 f32 => wire::float,
        serialize_f64 f64 => |v: f64| wire::prefixed_8(Marker::F64, v.to_bits().to_be_bytes()),
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        self.put_wide(value.to_be_bytes(), "u128")
    }

    fn serialize_i128(self, value: i128) -> Result<()> {
        self.put_wide(value.to_be_bytes(), "i128")
    }

    #[inline]
    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        if self.mark == Some(Mark::Text) {
            self.mark = None;
        }
        self.put_bytes(Headed::Str, value.as_bytes(), "text")
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        match self.mark {
            Some(Mark::Text) => {
                self.mark = None;
                self.put_bytes(Headed::Str, value, "bytes")
            }
            _ => self.put_bytes(Headed::Bin, value, "bytes"),
        }
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        // A mark on an option is one on what it may hold.
        self.mark = None;
        self.put_nil("an option")
    }

    #[inline]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        self.depth.wrap()?;
        self.somes += 1;
        value.serialize(&mut *self)?;
        self.depth.unwrap();
        Ok(())
    }

    #[inline]
    fn serialize_unit(self) -> Result<()> {
        self.put_nil("a unit")
    }

    #[inline]
    fn serialize_unit_struct(self, name: &'static str) -> Result<()> {
        Mark::refuse(name, "a unit struct")?;
        self.put_nil("a unit struct")
    }

    #[inline]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<()> {
        if self.tagged == Some(name) {
            return Err(Error::placeless(ErrorKind::UNIT_CONTENT));
        }
        self.put_variant(name, index, variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        if DocumentKind::of(name).is_some() {
            self.begin(false, "a document")?;
            return pieces_of(value, &mut |piece| self.put(piece));
        }
        if raw::is_reserved(name) {
            return self.put_raw(value);
        }
        self.depth.wrap()?;
        #[cfg(feature = "any")]
        if name == ANY {
            self.put_any(value)?;
            self.depth.unwrap();
            return Ok(());
        }
        match (Mark::of(name)?, self.mark) {
            (Some(own), Some(outer)) if own != outer => {
                return Err(own.mismatch(TWO_MARKS));
            }
            (own, outer) => self.mark = own.or(outer),
        }
        value.serialize(&mut *self)?;
        self.depth.unwrap();
        Ok(())
    }

    #[inline]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.put_variant(name, index, variant)?;
        self.depth.enter()?;
        value.serialize(&mut *self)?;
        self.depth.leave();
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Compound<'a, W>> {
        let Some(len) = len else {
            return self.begin_uncounted();
        };
        self.put_header(Headed::Array, len, "a sequence")?;
        Compound::items(self, len)
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Compound<'a, W>> {
        if let Some(mark) = self.mark.take() {
            return Err(mark.mismatch("a tuple or array"));
        }
        Compound::tuple(self, len)
    }

    #[inline]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Compound<'a, W>> {
        Mark::refuse(name, "a tuple struct")?;
        self.serialize_tuple(len).map(Compound::exact)
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a, W>> {
        self.put_variant(name, index, variant)?;
        let compound = Compound::tuple(self, len).map(Compound::exact);
        compound.map(Compound::of_variant)
    }

    #[inline]
    fn serialize_map(self, len: Option<usize>) -> Result<Compound<'a, W>> {
        let Some(len) = len else {
            return Err(Error::placeless(ErrorKind::UnknownLength));
        };
        self.put_header(Headed::Map, len, "a map")?;
        Compound::items(self, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Compound<'a, W>> {
        // One on an adjacently tagged enum is one on its tag, which is the first field.
        match Mark::of(name)?.or(self.mark) {
            Some(Mark::Text) => return Err(Mark::Text.mismatch("a struct")),
            mark => self.mark = mark,
        }
        let fields = Compound::fields(self)?;
        fields.encoder.tagged = (len == 1).then_some(name);
        Ok(fields)
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a, W>> {
        let _ = len;
        self.put_variant(name, index, variant)?;
        Compound::fields(self).map(Compound::of_variant)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}
