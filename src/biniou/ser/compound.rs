//! Writing a value that has parts: one type for all of serde's compound traits. Knows the order of
//! parts, does not know how values are written.
//!
//! In release builds, what writes a part is inlined into the code that writes all parts of a type: there
//! the hash of a field's name, the shape and the tag are constants. In debug builds it is not, since
//! stack frames would become large.

use serde_core::ser::{self, Serialize};

use super::adjacent::ADJACENT_FIELDS;
use super::encoder::Encoder;
use super::fields::Fields;
use super::length_slot::LengthSlot;
use super::prefix::{Keyed, NoTag, Prefix, Tagged};
use super::table::{Table, put_row};
use super::value::ValueWriter;
use crate::biniou::error::FLATTEN;
use crate::biniou::mark::Mark;
use crate::biniou::wire::{self, ENTRY_CELLS, Tag};
use crate::biniou::{Error, ErrorKind, Result};
use crate::error::Segment;

/// A value whose parts are being written. It begins with its length.
#[derive(Debug)]
pub(in crate::biniou) struct Compound<'a> {
    pub(super) encoder: &'a mut Encoder,
    length_slot: LengthSlot,
    /// Parts so far.
    pub(super) count: usize,
    /// The fields of a record so far.
    fields: Fields,
    shape: Shape,
    /// The mark that stands on each part.
    mark: Option<Mark>,
    /// Whether this is the argument of a variant.
    argument: bool,
    /// Whether this is a map of unknown length, as serde's `flatten` makes.
    flattens: bool,
    /// Whether an entry lacks its value.
    lacks_value: bool,
}

/// What the value is, as far as that is known.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// An ARRAY: before the first item, and when that has shown the tag of all.
    NewArray,
    Array(Tag),
    /// A TUPLE, or a sequence that turned out to have unlike items.
    Tuple,
    /// A map: an ARRAY of TUPLEs of two.
    Map,
    Record,
    /// A TABLE, whose columns the encoder has.
    Table,
}

impl<'a> Compound<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new<F: Prefix>(
        writer: ValueWriter<'a, F>,
        tag: Tag,
        announced: usize,
        shape: Shape,
    ) -> Result<Self> {
        let ValueWriter { encoder, prefix } = writer;
        encoder.depth.enter()?;
        let before = encoder.out.len();
        prefix.put_length(&mut encoder.out, tag, announced);
        let start = before + F::SIZE;
        Ok(Compound {
            encoder,
            length_slot: LengthSlot { start, has_tag: F::SIZE > 0, announced },
            count: 0,
            fields: Fields::NONE,
            shape,
            mark: None,
            argument: false,
            flattens: false,
            lacks_value: false,
        })
    }

    /// A sequence; `mark` is that of each item.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn sequence<F: Prefix>(
        writer: ValueWriter<'a, F>,
        len: Option<usize>,
        mark: Option<Mark>,
    ) -> Result<Self> {
        Ok(Compound { mark, ..Self::new(writer, Tag::Array, len.unwrap_or(0), Shape::NewArray)? })
    }

    /// A tuple or array; `mark` is that of each item.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tuple<F: Prefix>(
        writer: ValueWriter<'a, F>,
        len: usize,
        mark: Option<Mark>,
    ) -> Result<Self> {
        Ok(Compound { mark, ..Self::new(writer, Tag::Tuple, len, Shape::Tuple)? })
    }

    /// A map.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn map<F: Prefix>(writer: ValueWriter<'a, F>, len: Option<usize>) -> Result<Self> {
        writer.encoder.refuse_flattened(MAP_IN_FLATTENED)?;
        let flattens = len.is_none();
        writer.encoder.flattened += u16::from(flattens);
        Ok(Compound { flattens, ..Self::new(writer, Tag::Array, len.unwrap_or(0), Shape::Map)? })
    }

    /// A struct; `name` is its own or the variant's.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn record<F: Prefix>(
        writer: ValueWriter<'a, F>,
        name: &'static str,
        len: usize,
    ) -> Result<Self> {
        let fields = Fields::of(&mut writer.encoder.names, name, len);
        Ok(Compound { fields, ..Self::new(writer, Tag::Record, len, Shape::Record)? })
    }

    /// A sequence of structs by the mark `table`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn table<F: Prefix>(writer: ValueWriter<'a, F>, len: Option<usize>) -> Result<Self> {
        writer.encoder.tables.push(Table::default());
        Self::new(writer, Tag::Table, len.unwrap_or(0), Shape::Table)
    }

    /// Notes that a variant's hash and the tag stand in front.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn for_variant(self) -> Self {
        Compound { argument: true, ..self }
    }

    /// The tag of a sequence's items, if these go without it and without a mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tag(&self) -> Option<Tag> {
        match (self.shape, self.mark) {
            (Shape::Array(tag), None) => Some(tag),
            _ => None,
        }
    }

    /// Writes the next item of a sequence.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        match self.shape {
            Shape::Array(tag) => self.put_without_tag(value, tag),
            Shape::Table => self.put_row(value),
            _ => self.put_with_tag(value),
        }
    }

    /// Writes an item whose tag stands in front of the first one, if it has that tag.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_without_tag<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        tag: Tag,
    ) -> Result<()> {
        let at = self.encoder.out.len();
        let writer = ValueWriter { encoder: &mut *self.encoder, prefix: NoTag };
        match writer.put_marked(value, self.mark)? {
            Some(next) if next != tag => {
                self.length_slot.array_becomes_tuple(self.encoder, tag, next, at)?;
                self.shape = Shape::Tuple;
            }
            _ => {}
        }
        self.count += 1;
        Ok(())
    }

    /// Writes an item that has a tag of its own. The first one shows the tag of all.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_with_tag<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let writer = ValueWriter { encoder: &mut *self.encoder, prefix: Tagged };
        let tag = writer.put_marked(value, self.mark)?;
        if let (Shape::NewArray, Some(tag)) = (self.shape, tag) {
            self.shape = Shape::Array(tag);
        }
        self.count += 1;
        Ok(())
    }

    /// Writes the next row of a TABLE.
    fn put_row<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        put_table_row(self.encoder, value)?;
        self.count += 1;
        Ok(())
    }

    /// Writes the next cell of a tuple.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_cell<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let writer = ValueWriter { encoder: &mut *self.encoder, prefix: Tagged };
        writer.put_marked(value, self.mark)?;
        self.count += 1;
        Ok(())
    }

    /// Writes the next cell of a tuple, or row of an array that is a TABLE.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_part<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        match self.shape {
            Shape::Table => self.put_row(value),
            _ => self.put_cell(value),
        }
    }

    /// Writes the next field of a record.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        // A constant where this is inlined for one field.
        let hash = wire::hash(key);
        self.fields.add(self.encoder, hash, key, (self.length_slot.start, self.count))?;
        if self.length_slot.announced == ADJACENT_FIELDS {
            self.expect_adjacent(value);
        }
        let tag = value
            .serialize(ValueWriter { encoder: &mut *self.encoder, prefix: Keyed::new(hash) })?;
        self.count += usize::from(tag.is_some());
        Ok(())
    }

    /// Expects that the next field is the tag or the content of an adjacently tagged enum.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn expect_adjacent<T: ?Sized>(&mut self, value: &T) {
        let record = self.length_slot.start;
        let Encoder { out, adjacent, tells_names, .. } = &mut *self.encoder;
        match self.count {
            _ if *tells_names => {}
            0 => adjacent.expect_tag(value, record, out.len()),
            _ => adjacent.expect_content(value, record, out.len()),
        }
    }

    /// Leaves a field out.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn skip(&mut self, key: &'static str) {
        self.fields.skip(&mut self.encoder.names, wire::hash(key), key);
    }

    /// Completes the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Result<Option<Tag>> {
        self.close().map(|(_, tag)| tag)
    }

    /// Completes the value and gives the encoder back.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn close(self) -> Result<(&'a mut Encoder, Option<Tag>)> {
        self.encoder.flattened -= u16::from(self.flattens);
        if self.lacks_value {
            let (announced, given) = (self.count + 1, self.count);
            return Err(Error::placeless(ErrorKind::LengthMismatch { announced, given }));
        }
        let tag = match self.shape {
            Shape::Array(Tag::Tuple) if self.encoder.flattened > 0 => {
                self.length_slot.refuse_pairs(self.encoder)?;
                Tag::Array
            }
            Shape::NewArray | Shape::Array(_) | Shape::Map => Tag::Array,
            Shape::Tuple => Tag::Tuple,
            Shape::Record => Tag::Record,
            Shape::Table => {
                if let Some(table) = self.encoder.tables.pop() {
                    table.finish(self.encoder, self.count)?;
                }
                Tag::Table
            }
        };
        if self.count != self.length_slot.announced {
            self.length_slot.patch_length(self.encoder, self.count);
        }
        self.encoder.depth.leave();
        if !self.argument {
            return Ok((self.encoder, Some(tag)));
        }
        self.encoder.depth.leave();
        Ok((self.encoder, Some(Tag::Variant)))
    }

    /// Writes the key of a map's next entry: the first cell of a TUPLE of two.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        if self.count == 0 {
            self.encoder.out.put_bytes(&[Tag::Tuple.byte()]);
        }
        if core::mem::replace(&mut self.lacks_value, true) {
            let (announced, given) = (self.count + 1, self.count);
            return Err(Error::placeless(ErrorKind::LengthMismatch { announced, given }));
        }
        NoTag.put_length(&mut self.encoder.out, Tag::Tuple, ENTRY_CELLS);
        self.encoder.depth.enter()?;
        self.encoder.put(key)?;
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        if !core::mem::take(&mut self.lacks_value) {
            let (announced, given) = (self.count, self.count + 1);
            return Err(Error::placeless(ErrorKind::LengthMismatch { announced, given }));
        }
        self.encoder.put(value)?;
        self.encoder.depth.leave();
        self.count += 1;
        Ok(())
    }
}

/// Writes the next row of the table that was begun last.
#[inline(never)]
fn put_table_row<T: ?Sized + Serialize>(encoder: &mut Encoder, value: &T) -> Result<()> {
    // Tables inside of this one are pushed and popped meanwhile.
    let Some(mut table) = encoder.tables.pop() else { return Ok(()) };
    let result = put_row(encoder, &mut table, value);
    encoder.tables.push(table);
    result
}

/// Maps and lists of pairs are the same bytes.
const MAP_IN_FLATTENED: (&str, &str) =
    ("a map in a flattened type would come back as a list", FLATTEN);

/// The traits whose parts have no names.
macro_rules! serialize_items {
    ($($trait:ident $method:ident $put:ident $segment:ident,)*) => {$(
        impl ser::$trait for Compound<'_> {
            type Ok = Option<Tag>;
            type Error = Error;

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                let index = self.count;
                match self.$put(value) {
                    Ok(()) => Ok(()),
                    Err(error) => Err(fail(self.encoder, error, Segment::$segment(index))),
                }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<Option<Tag>> {
                self.finish()
            }
        }
    )*};
}

serialize_items! {
    SerializeSeq serialize_element put Index,
    SerializeTuple serialize_element put_part Index,
    SerializeTupleStruct serialize_field put_cell Slot,
    SerializeTupleVariant serialize_field put_cell Slot,
}

/// The traits whose parts have names. A skipped field takes no bytes.
macro_rules! serialize_fields {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Compound<'_> {
            type Ok = Option<Tag>;
            type Error = Error;

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<()> {
                match self.put_field(key, value) {
                    Ok(()) => Ok(()),
                    Err(error) => Err(fail(self.encoder, error, Segment::Field(key.into()))),
                }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn skip_field(&mut self, key: &'static str) -> Result<()> {
                self.skip(key);
                Ok(())
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<Option<Tag>> {
                self.finish()
            }
        }
    )*};
}

serialize_fields! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Compound<'_> {
    type Ok = Option<Tag>;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        let index = self.count;
        let result = self.put_key(key);
        self.encoder.failed |= result.is_err();
        result.map_err(|error| error.in_entry(index, "key"))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let index = self.count;
        let result = self.put_value(value);
        self.encoder.failed |= result.is_err();
        result.map_err(|error| error.in_entry(index, "value"))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<Option<Tag>> {
        self.finish()
    }
}

/// Adds the part to the path of an error, and notes that the document cannot be complete.
#[cold]
#[inline(never)]
pub(super) fn fail(encoder: &mut Encoder, error: Error, part: Segment) -> Error {
    encoder.failed = true;
    error.inside(part)
}
