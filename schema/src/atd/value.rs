//! Values without Rust types: checked bytes, and their type in a schema.

use core::fmt;

use fourfold::Reader;
use fourfold::biniou::skip::skip_value;
use fourfold::biniou::wire::{self, Source as _, Tag, Zigzag};
use fourfold::biniou::{ErrorKind, Result};

use super::shape::{Field, Fields, Int, Presence, Shape, Type, Variant};

/// A value and its type: bytes that have been checked, which are decoded as they are requested.
///
/// [`Debug`](fmt::Debug) shows the type and the bytes.
#[derive(Clone, Copy, PartialEq)]
pub struct Value<'a> {
    ty: Type<'a>,
    place: Place<'a>,
    /// What is after the tag.
    bytes: &'a [u8],
}

/// What precedes a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place<'a> {
    Tag(Tag),
    /// It is a row of a TABLE whose columns these are.
    Row(&'a [u8]),
}

/// What is in a value.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Parts<'a> {
    /// A unit.
    Unit,
    /// A bool.
    Bool(bool),
    /// An integer of any width.
    Int(i64),
    /// A float of four bytes.
    Float32(f32),
    /// A float of eight bytes.
    Float64(f64),
    /// The bytes of a string.
    String(&'a [u8]),
    /// The items of a list, or the rows of a table.
    List(List<'a>),
    /// The cells of a tuple: as many as are there, and no more than the type has.
    Tuple(List<'a>),
    /// The fields of a record.
    Record(Record<'a>),
    /// A variant, with its argument if it has one.
    Variant(Variant<'a>, Option<Value<'a>>),
    /// The value of an option or nullable, if it has one.
    Option(Option<Value<'a>>),
}

impl<'a> Value<'a> {
    pub(super) fn of(ty: Type<'a>, (tag, bytes): Start<'a>) -> Self {
        Value { ty, place: Place::Tag(tag), bytes }
    }

    /// The value of bytes that [`to_value`](super::Schema::to_value) accepts, without checking them again. What is in
    /// other bytes is not specified.
    ///
    /// ```
    /// use fourfold_schema::atd::{Schema, Value};
    ///
    /// let schema = Schema::parse("type flag = bool")?;
    /// let bytes = [0, 1];
    /// let value = schema.to_value(&bytes, "flag")?;
    /// assert_eq!(Value::unchecked(schema.get("flag").unwrap(), &bytes), value);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unchecked(ty: Type<'a>, bytes: &'a [u8]) -> Self {
        let mut reader = Reader::new(bytes, 0);
        let tag = wire::take_tag(&mut reader).unwrap_or(Tag::Unit);
        Value::of(ty, (tag, reader.rest()))
    }

    /// Its type.
    #[must_use]
    pub fn ty(self) -> Type<'a> {
        self.ty
    }

    /// What is in it. Of a wrapped type, what is wrapped.
    #[must_use]
    pub fn parts(self) -> Parts<'a> {
        // All bytes have been checked.
        self.decoded().unwrap_or(Parts::Unit)
    }

    fn decoded(self) -> Option<Parts<'a>> {
        let Value { ty, place, bytes } = self;
        let mut reader = Reader::new(bytes, 0);
        let tag = if let Place::Tag(tag) = place { tag } else { Tag::Record };
        Some(match (ty.unwrapped(), tag) {
            (Shape::Unit, _) => Parts::Unit,
            (Shape::Bool, _) => Parts::Bool(wire::take_bool(&mut reader).ok()?),
            (Shape::Int(int), _) => Parts::Int(take_int(&mut reader, tag, int).ok()??),
            (Shape::Float(_), Tag::Float32) => {
                Parts::Float32(f32::from_be_bytes(reader.take_array::<4, ErrorKind>().ok()?))
            }
            (Shape::Float(_), _) => {
                Parts::Float64(f64::from_be_bytes(reader.take_array::<8, ErrorKind>().ok()?))
            }
            (Shape::String, _) => Parts::String(wire::take_string(&mut reader).ok()?.0),
            (Shape::List(item) | Shape::Object(item) | Shape::Table(item), Tag::Array) => {
                let count = wire::take_items(&mut reader).ok()?;
                let tag = match count {
                    0 => Tag::Unit,
                    _ => wire::take_tag(&mut reader).ok()?,
                };
                let items = Items::Of(item, tag);
                Parts::List(List { items, count, bytes: reader.rest() })
            }
            (Shape::Table(item), _) => {
                let (count, columns) = wire::take_table_counts(&mut reader).ok()?;
                let header = reader.rest();
                let (columns, bytes) = header.split_at_checked(columns * wire::COLUMN_SIZE)?;
                Parts::List(List { items: Items::Rows(item, columns), count, bytes })
            }
            (Shape::Tuple(cells), _) => {
                let count = wire::take_cells(&mut reader).ok()?.min(cells.len());
                let items = Items::Cells(ty);
                Parts::Tuple(List { items, count, bytes: reader.rest() })
            }
            (Shape::Record(fields), _) => Parts::Record(Record { fields, place, bytes }),
            (Shape::Sum(variants), _) => {
                let (hash, _) = wire::take_variant(&mut reader).ok()?;
                let variant = variants.with_hash(hash)?;
                let rest = reader.rest();
                Parts::Variant(variant, variant.argument().map(|ty| Value::unchecked(ty, rest)))
            }
            (Shape::Option(inner) | Shape::Nullable(inner), _) => {
                let is_there = wire::take_option(&mut reader).ok()?;
                let rest = reader.rest();
                Parts::Option(is_there.then(|| Value::unchecked(inner, rest)))
            }
            (Shape::Abstract | Shape::Wrap(_) | Shape::List(_) | Shape::Object(_), _) => {
                return None;
            }
        })
    }

    /// The field of that name, if it is a record that has it. Of an option, that of its value.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Value<'a>> {
        match self.parts() {
            Parts::Record(record) => record.get(name),
            Parts::Option(value) => value?.get(name),
            _ => None,
        }
    }
}

/// Takes an integer after its tag. `None` if OCaml has none that is so large.
pub(super) fn take_int(reader: &mut Reader<'_>, tag: Tag, int: Int) -> Result<Option<i64>> {
    const OCAML: i64 = 1 << 62;
    Ok(match (tag, int) {
        (Tag::Int8, _) => reader.take_array().map(|[byte]| Some(i64::from(byte)))?,
        (Tag::Int16, _) => Some(i64::from(u16::from_be_bytes(reader.take_array()?))),
        (Tag::Int32, _) => Some(i64::from(i32::from_be_bytes(reader.take_array()?))),
        (Tag::Int64, _) => Some(i64::from_be_bytes(reader.take_array()?)),
        (Tag::Uvint, _) => {
            // The upper half of 63 bits is that of negative numbers.
            let number = i64::try_from(reader.take_uvint()?).ok();
            number.map(|number| if number < OCAML { number } else { (number - OCAML) - OCAML })
        }
        _ => {
            let number = reader.take_uvint()?;
            let number = match u64::try_from(number) {
                Ok(number) => Some(i64::unzigzag(number)),
                Err(_) => i64::try_from(i128::unzigzag(number)).ok(),
            };
            number.filter(|number| (-OCAML..OCAML).contains(number))
        }
    })
}

/// Which types items have, and what is before each.
#[derive(Clone, Copy)]
enum Items<'a> {
    /// All are of one type, after one tag.
    Of(Type<'a>, Tag),
    /// Each has a tag, and the type of the tuple's cell.
    Cells(Type<'a>),
    /// All are rows.
    Rows(Type<'a>, &'a [u8]),
}

/// Values that follow one another.
#[derive(Clone, Copy)]
pub struct List<'a> {
    items: Items<'a>,
    count: usize,
    bytes: &'a [u8],
}

impl<'a> List<'a> {
    /// How many there are.
    #[must_use]
    pub fn len(self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.count == 0
    }

    /// All of them, in order.
    pub fn iter(self) -> impl Iterator<Item = Value<'a>> {
        let mut reader = Reader::new(self.bytes, 0);
        (0..self.count).map_while(move |index| match self.items {
            Items::Of(ty, tag) => Some(Value::of(ty, take(&mut reader, Some(tag))?)),
            Items::Cells(tuple) => {
                let Shape::Tuple(cells) = tuple.unwrapped() else { return None };
                Some(Value::of(cells.get(index)?.ty(), take(&mut reader, None)?))
            }
            Items::Rows(ty, columns) => {
                let bytes = reader.rest();
                let mut tags = header(columns).map(|(_, tag)| tag);
                tags.try_for_each(|tag| take(&mut reader, Some(tag)).map(drop))?;
                Some(Value { ty, place: Place::Row(columns), bytes })
            }
        })
    }
}

/// The tag of a value, and what begins with the rest of it.
pub(super) type Start<'a> = (Tag, &'a [u8]);

/// Takes a value, and its tag if none is given. It has been checked, also how deep it is.
fn take<'a>(reader: &mut Reader<'a>, tag: Option<Tag>) -> Option<Start<'a>> {
    let tag = match tag {
        Some(tag) => tag,
        None => wire::take_tag(reader).ok()?,
    };
    let bytes = reader.rest();
    skip_value(reader, Some(tag), u16::MAX).ok()?;
    Some((tag, bytes))
}

/// The columns of a TABLE: hashes and tags.
fn header(columns: &[u8]) -> impl Iterator<Item = (u32, Tag)> {
    columns.chunks_exact(wire::COLUMN_SIZE).filter_map(|column| {
        let (hash, tag) = column.split_first_chunk()?;
        Some((wire::hash_in(*hash), Tag::from_byte(*tag.first()?)?))
    })
}

/// The fields of a record.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    fields: Fields<'a>,
    place: Place<'a>,
    bytes: &'a [u8],
}

impl<'a> Record<'a> {
    /// The fields as the schema has them.
    #[must_use]
    pub fn fields(self) -> Fields<'a> {
        self.fields
    }

    /// The fields that are there with their values, in the order of the schema. That of a `?field` is the value in
    /// the option. Of equal ones in the bytes the last one counts.
    pub fn iter(self) -> impl Iterator<Item = (Field<'a>, Value<'a>)> {
        let places = self.places().unwrap_or_default();
        self.fields.iter().zip(places).filter_map(move |(field, place)| {
            let Place::Row(_) = self.place else {
                return Some((field, Value::of(field.written(), place?)));
            };
            // In a row the option itself is there.
            let value = Value::of(field.ty(), place?);
            match (field.presence(), value.parts()) {
                (Presence::Optional, Parts::Option(inner)) => Some((field, inner?)),
                _ => Some((field, value)),
            }
        })
    }

    /// The value of the field of that name, if it is there.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Value<'a>> {
        self.iter().find(|(field, _)| field.name() == name).map(|(_, value)| value)
    }

    /// Where each field is, if it is there.
    fn places(self) -> Option<Vec<Option<Start<'a>>>> {
        let mut places: Vec<Option<Start<'a>>> = vec![None; self.fields.len()];
        let mut next = 0;
        let mut reader = Reader::new(self.bytes, 0);
        let mut keep = |hash, start| {
            if let Some((index, _)) = self.fields.with_hash_at(hash, next) {
                next = index + 1;
                places.get_mut(index).into_iter().for_each(|place| *place = Some(start));
            }
        };
        match self.place {
            Place::Row(columns) => {
                for (hash, tag) in header(columns) {
                    keep(hash, take(&mut reader, Some(tag))?);
                }
            }
            Place::Tag(_) => {
                for _ in 0..wire::take_fields(&mut reader).ok()? {
                    keep(wire::take_field(&mut reader).ok()?, take(&mut reader, None)?);
                }
            }
        }
        Some(places)
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.ty, self.parts())
    }
}

impl fmt::Debug for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(field, value)| (field.name(), value))).finish()
    }
}
