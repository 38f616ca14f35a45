//! Rows as this crate and atdgen write them. For any other, this fails, and `verify` reads the row.
//!
//! What a loop over rows calls for each of them is always inlined.

mod lanes;

use fourfold::biniou::wire::{
    self, ARGUMENT, HASH_SIZE, NONE, SOME, Source as _, Tag, Zigzag as _, leading_text,
};

use super::bytes::Bytes;
use crate::atd::shape::{Field, Float, Int, Shape, Type};
use crate::common::{Ignore, Interest, Visit};
use crate::foresight::{Failed, Foresight};
use crate::lanes::ROWS;

type Result<T> = core::result::Result<T, Failed>;

/// What the values of a type usually look like.
#[derive(Debug)]
pub(super) struct Program {
    item: Item,
    /// Those of a record, if all its fields are simple.
    lanes: Option<lanes::Program>,
    /// So many rows are not tried side by side.
    one_by_one: usize,
}

/// A value after its tag.
#[derive(Debug)]
struct Item {
    tag: u8,
    op: Op,
}

#[derive(Debug)]
enum Op {
    Unit,
    Bool,
    Svint,
    /// Another integer.
    Int(Int),
    Float32,
    Float64,
    String,
    Option(Box<Item>),
    Record(Box<[Part]>),
    Tuple(Box<[Part]>),
    List(Box<Item>),
    Sum(Box<[Variant]>),
}

/// A field or cell.
#[derive(Debug)]
struct Part {
    /// The key, if it is a field, and the tag.
    head: [u8; HEAD],
    op: Op,
    /// Whether it may be left out: then it is visited as the value of an option.
    may_miss: bool,
}

#[derive(Debug)]
struct Variant {
    /// With the bit of an argument, if there is one.
    hash: u32,
    argument: Option<Item>,
}

/// A field's key and its tag.
const HEAD: usize = HASH_SIZE + 1;

impl Program {
    /// That of a type, if its values are of a form that can be foreseen.
    pub(super) fn of(ty: Type<'_>, mut foresight: Foresight) -> Option<Self> {
        let item = Item::of(ty, &mut foresight)?;
        let lanes = match &item.op {
            Op::Record(fields) => lanes::Program::of(fields),
            _ => None,
        };
        Some(Program { item, lanes, one_by_one: 0 })
    }

    /// The tag of values.
    pub(super) fn tag(&self) -> Option<Tag> {
        Tag::from_byte(self.item.tag)
    }

    /// Reads rows that follow one another without tags, as long as they are usual: at most so many. Returns how
    /// many these are, and how many bytes they take.
    pub(super) fn read<V: Visit>(
        &mut self,
        bytes: &[u8],
        mut most: usize,
        visitor: &mut V,
    ) -> (usize, usize) {
        if self.one_by_one == 0 {
            match self.lanes.as_mut().and_then(|lanes| lanes.read(bytes, most, visitor)) {
                // Gathering found nothing: do not try again at once.
                Some((0, _)) => self.one_by_one = ROWS,
                Some(read) => return read,
                None => {}
            }
        }
        if self.one_by_one > 0 {
            // What follows may be visited side by side again.
            most = most.min(self.one_by_one);
        }
        let mut source = Bytes(bytes);
        for row in 0..most {
            let before = source;
            self.one_by_one = self.one_by_one.saturating_sub(1);
            if self.item.op.read(&mut source, visitor).is_err() {
                visitor.again();
                return (row, bytes.len() - before.0.len());
            }
            visitor.row();
        }
        (most, bytes.len() - source.0.len())
    }
}

impl Item {
    fn of(ty: Type<'_>, foresight: &mut Foresight) -> Option<Self> {
        foresight.part(|foresight| Self::inside(ty, foresight))
    }

    fn inside(ty: Type<'_>, foresight: &mut Foresight) -> Option<Self> {
        let tag = ty.tag()?.byte();
        let op = match ty.unwrapped() {
            Shape::Unit => Op::Unit,
            Shape::Bool => Op::Bool,
            Shape::Int(Int::Svint) => Op::Svint,
            Shape::Int(int) => Op::Int(int),
            Shape::Float(Float::Float32) => Op::Float32,
            Shape::Float(Float::Float64) => Op::Float64,
            Shape::String => Op::String,
            Shape::Option(inner) | Shape::Nullable(inner) => {
                Op::Option(Box::new(Item::of(inner, foresight)?))
            }
            Shape::List(item) | Shape::Object(item) => {
                Op::List(Box::new(Item::of(item, foresight)?))
            }
            Shape::Record(fields) => {
                let fields = fields.iter().map(|field| Part::of_field(field, foresight));
                Op::Record(fields.collect::<Option<_>>()?)
            }
            Shape::Tuple(cells) => {
                let cells = cells.iter().map(|cell| {
                    let item = Item::of(cell.ty(), foresight)?;
                    Some(Part::new([0; HASH_SIZE], item, cell.default().is_some()))
                });
                Op::Tuple(cells.collect::<Option<_>>()?)
            }
            Shape::Sum(variants) => {
                let variants = variants.iter().map(|variant| {
                    let argument = match variant.argument() {
                        Some(ty) => Some(Item::of(ty, foresight)?),
                        None => None,
                    };
                    let bit = if argument.is_some() { ARGUMENT } else { 0 };
                    Some(Variant { hash: variant.hash() | bit, argument })
                });
                Op::Sum(variants.collect::<Option<_>>()?)
            }
            Shape::Table(_) | Shape::Abstract | Shape::Wrap(_) => return None,
        };
        Some(Item { tag, op })
    }

    /// Reads a tag and the value after it.
    #[inline(never)]
    fn outlined<V: Visit>(&self, source: &mut Bytes<'_>, visitor: &mut V) -> Result<()> {
        match source.take_array()? {
            [tag] if tag == self.tag => self.op.read(source, visitor),
            _ => Err(Failed),
        }
    }
}

impl Part {
    fn new(key: [u8; HASH_SIZE], item: Item, may_miss: bool) -> Self {
        let [a, b, c, d] = key;
        Part { head: [a, b, c, d, item.tag], op: item.op, may_miss }
    }

    fn of_field(field: Field<'_>, foresight: &mut Foresight) -> Option<Self> {
        let item = Item::of(field.written(), foresight)?;
        Some(Part::new(wire::field_key(field.hash()), item, !field.is_required()))
    }

    #[inline(always)]
    fn read<V: Visit>(&self, source: &mut Bytes<'_>, visitor: &mut V) -> Result<()> {
        let visitor = if self.may_miss { visitor.some() } else { visitor };
        self.op.read(source, visitor)
    }
}

impl Op {
    #[inline(always)]
    fn read<V: Visit>(&self, source: &mut Bytes<'_>, visitor: &mut V) -> Result<()> {
        match visitor.interest() {
            Interest::Parts => {}
            Interest::Nothing => return self.pass(source),
            Interest::Bytes => return Err(Failed),
        }
        match self {
            Op::Svint => visitor.int(zigzag(uvint(source)?)?).map_err(|_| Failed),
            Op::String if V::LISTENS => {
                let length = wire::take_length(source, 1)?;
                let (text, bytes) = (leading_text(source.0, length), source.take(length)?);
                let taken = match text {
                    Some(text) => visitor.text(text),
                    None => visitor.bytes(bytes),
                };
                taken.map_err(|_| Failed)
            }
            Op::String => wire::take_string(source).map(drop),
            Op::Float64 => {
                visitor.float64(f64::from_be_bytes(source.take_array()?));
                Ok(())
            }
            Op::Bool => match source.take_array()? {
                [bit @ 0..=1] => {
                    visitor.bool(bit == 1);
                    Ok(())
                }
                _ => Err(Failed),
            },
            Op::Option(inner) => match source.take_array()? {
                [NONE] => {
                    visitor.none();
                    Ok(())
                }
                [SOME] => inner.outlined(source, visitor.some()),
                _ => Err(Failed),
            },
            _ => self.rare(source, visitor),
        }
    }

    /// Reads a value without a visitor.
    #[inline(never)]
    fn check(&self, source: &mut Bytes<'_>) -> Result<()> {
        self.read(source, &mut Ignore)
    }

    /// Reads a value that is rarer, or has parts.
    #[inline(never)]
    fn rare<V: Visit>(&self, source: &mut Bytes<'_>, visitor: &mut V) -> Result<()> {
        match self {
            Op::Record(fields) => return record(fields, source, visitor),
            Op::Tuple(cells) => return tuple(cells, source, visitor),
            Op::List(item) => {
                let count = wire::take_items(source)?;
                if count > 0 && source.take_array()? != [item.tag] {
                    return Err(Failed);
                }
                for _ in 0..count {
                    item.op.read(source, visitor.part(0))?;
                }
                return visitor.list(count).map_err(|_| Failed);
            }
            Op::Sum(variants) => {
                let hash = u32::from_be_bytes(source.take_array()?);
                let index = variants.iter().position(|it| it.hash == hash).ok_or(Failed)?;
                visitor.variant(index);
                let Some(Variant { argument: Some(item), .. }) = variants.get(index) else {
                    return Ok(());
                };
                return item.outlined(source, visitor.part(index));
            }
            Op::Unit => match source.take_array()? {
                [wire::UNIT] => visitor.unit(),
                _ => return Err(Failed),
            },
            Op::Float32 => visitor.float32(f32::from_be_bytes(source.take_array()?)),
            Op::Int(int) => return visitor.int(integer(*int, source)?).map_err(|_| Failed),
            _ => return Err(Failed),
        }
        Ok(())
    }

    /// A value that is not wanted.
    #[inline(always)]
    fn pass(&self, source: &mut Bytes<'_>) -> Result<()> {
        match self {
            Op::String => wire::take_string(source).map(drop),
            Op::Svint | Op::Int(Int::Uvint) => source.pass_uvint(),
            Op::Float64 | Op::Int(Int::Int64) => source.take_array::<8>().map(drop),
            Op::Bool => wire::take_bool(source).map(drop),
            // The others are checked as they are read.
            _ => self.check(source),
        }
    }
}

/// The number of a vint.
#[inline(always)]
fn zigzag(number: u64) -> Result<i64> {
    let number = i64::unzigzag(number);
    // OCaml has 63 bits.
    if number.checked_mul(2).is_none() {
        return Err(Failed);
    }
    Ok(number)
}

/// An integer as in the bytes.
fn integer(int: Int, source: &mut Bytes<'_>) -> Result<i64> {
    Ok(match int {
        Int::Svint => zigzag(uvint(source)?)?,
        Int::Uvint => match i64::try_from(uvint(source)?) {
            // Larger ones are negative.
            Ok(number) if number.checked_mul(2).is_some() => number,
            _ => return Err(Failed),
        },
        Int::Int8 | Int::Char => i64::from(u8::from_be_bytes(source.take_array()?)),
        Int::Int16 => i64::from(u16::from_be_bytes(source.take_array()?)),
        Int::Int32 => i64::from(i32::from_be_bytes(source.take_array()?)),
        Int::Int64 => i64::from_be_bytes(source.take_array()?),
    })
}

/// A vint of 64 bits at most.
#[inline(always)]
fn uvint(source: &mut Bytes<'_>) -> Result<u64> {
    u64::try_from(source.take_uvint()?).map_err(|_| Failed)
}

/// Fields in the order of the type; those that may be left out may be missing.
#[inline]
fn record<V: Visit>(fields: &[Part], source: &mut Bytes<'_>, visitor: &mut V) -> Result<()> {
    let count = wire::take_fields(source)?;
    if count != fields.len() {
        return some_fields(count, fields, source, visitor);
    }
    let all = visitor.wants_all();
    for (index, field) in fields.iter().enumerate() {
        if source.take_array::<HEAD>()? != field.head {
            return Err(Failed);
        }
        match all || visitor.wants(index) {
            true => field.read(source, visitor.part(index))?,
            false => field.op.pass(source)?,
        }
    }
    visitor.whole_record();
    Ok(())
}

/// So many of the fields.
#[inline(never)]
fn some_fields<V: Visit>(
    count: usize,
    fields: &[Part],
    source: &mut Bytes<'_>,
    visitor: &mut V,
) -> Result<()> {
    let mut rest = fields.iter().enumerate();
    for _ in 0..count {
        let head = source.take_array::<HEAD>()?;
        let (index, field) = loop {
            match rest.next() {
                Some((index, field)) if field.head == head => break (index, field),
                Some((_, field)) if field.may_miss => {}
                _ => return Err(Failed),
            }
        };
        field.read(source, visitor.part(index))?;
    }
    if rest.any(|(_, field)| !field.may_miss) {
        return Err(Failed);
    }
    visitor.record();
    Ok(())
}

/// All cells of the type.
fn tuple<V: Visit>(cells: &[Part], source: &mut Bytes<'_>, visitor: &mut V) -> Result<()> {
    if wire::take_cells(source)? != cells.len() {
        return Err(Failed);
    }
    for (index, cell) in cells.iter().enumerate() {
        let [.., tag] = cell.head;
        if source.take_array()? != [tag] {
            return Err(Failed);
        }
        cell.read(source, visitor.part(index))?;
    }
    visitor.whole_record();
    Ok(())
}
