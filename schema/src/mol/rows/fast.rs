//! Rows of usual values. For any other, this fails, and `verify` reads the row.
//!
//! What a loop over rows calls for each of them is always inlined.

mod lanes;

use fourfold::molecule::wire::{self, Parts};

use crate::common::{Interest, Visit};
use crate::foresight::{Failed, Foresight};
use crate::mol::{Shape, Type};

type Result<T> = core::result::Result<T, Failed>;

/// What the values of a type are made of.
#[derive(Debug)]
pub(super) struct Program {
    op: Op,
    /// Those of a table or struct, if all its fields are simple.
    lanes: Option<lanes::Program>,
}

#[derive(Debug)]
enum Op {
    Byte,
    /// So many bytes.
    Bytes(usize),
    /// A fixvec of bytes.
    ByteVec,
    /// Items of a size, and so many.
    Array(Box<Op>, usize, usize),
    /// Fields with their sizes, and the sum of these.
    Struct(Box<[(Op, usize)]>, usize),
    /// Items of a size.
    FixVec(Box<Op>, usize),
    DynVec(Box<Op>),
    Table(Box<[Op]>),
    Option(Box<Op>),
    /// Values with their ids.
    Union(Box<[(Op, u32)]>),
}

impl Program {
    /// That of a type, if its values are not too deep.
    pub(super) fn of(ty: Type<'_>, mut foresight: Foresight) -> Option<Self> {
        let op = Op::of(ty, &mut foresight)?;
        let lanes = lanes::Program::of(&op);
        Some(Program { op, lanes })
    }

    /// Visits rows side by side that begin there, the last one of which ends at the last `start`, until one is unusual:
    /// how many these are, and how many bytes they take. None, if `visitor` does not want that.
    pub(super) fn read_some<V: Visit>(
        &mut self,
        bytes: &[u8],
        starts: &[u32],
        visitor: &mut V,
    ) -> Option<(usize, usize)> {
        self.lanes.as_mut()?.read(&self.op, bytes, starts, visitor)
    }

    /// Reads a row that takes all of `bytes`, if it is usual.
    #[inline]
    pub(super) fn read<V: Visit>(&self, bytes: &[u8], visitor: &mut V) -> Result<()> {
        self.op.read(bytes, visitor)
    }
}

impl Op {
    fn of(ty: Type<'_>, foresight: &mut Foresight) -> Option<Self> {
        foresight.part(|foresight| Self::inside(ty, foresight))
    }

    fn inside(ty: Type<'_>, foresight: &mut Foresight) -> Option<Self> {
        Some(match ty.shape() {
            Shape::Byte => Op::Byte,
            Shape::Array(item, count) if item.is_byte() => Op::Bytes(count),
            Shape::Array(item, count) => {
                Op::Array(Box::new(Op::of(item, foresight)?), item.size()?, count)
            }
            Shape::FixVec(item) if item.is_byte() => Op::ByteVec,
            Shape::FixVec(item) => Op::FixVec(Box::new(Op::of(item, foresight)?), item.size()?),
            Shape::DynVec(item) => Op::DynVec(Box::new(Op::of(item, foresight)?)),
            Shape::Struct(fields) => {
                let fields = fields
                    .iter()
                    .map(|field| Some((Op::of(field.ty(), foresight)?, field.ty().size()?)));
                Op::Struct(fields.collect::<Option<_>>()?, ty.size()?)
            }
            Shape::Table(fields) => {
                let fields = fields.iter().map(|field| Op::of(field.ty(), foresight));
                Op::Table(fields.collect::<Option<_>>()?)
            }
            Shape::Option(inner) => Op::Option(Box::new(Op::of(inner, foresight)?)),
            Shape::Union(items) => {
                let items =
                    items.iter().map(|item| Some((Op::of(item.ty(), foresight)?, item.id())));
                Op::Union(items.collect::<Option<_>>()?)
            }
        })
    }

    /// Reads a value that takes all of `bytes`.
    #[inline(always)]
    fn read<V: Visit>(&self, bytes: &[u8], visitor: &mut V) -> Result<()> {
        match visitor.interest() {
            Interest::Parts => {}
            Interest::Nothing => return Ok(()),
            Interest::Bytes => return Err(Failed),
        }
        match self {
            Op::Bytes(size) if *size == bytes.len() => visitor.bytes(bytes).map_err(|_| Failed),
            Op::ByteVec => {
                let bytes = wire::byte_items(bytes).ok_or(Failed)?;
                visitor.bytes(bytes).map_err(|_| Failed)
            }
            Op::Byte => match *bytes {
                [byte] => {
                    visitor.byte(byte);
                    Ok(())
                }
                _ => Err(Failed),
            },
            Op::Option(inner) => match bytes.is_empty() {
                true => {
                    visitor.none();
                    Ok(())
                }
                false => inner.outlined(bytes, visitor.some()),
            },
            _ => self.compound(bytes, visitor),
        }
    }

    /// The same where it is not the rule.
    #[inline(never)]
    fn outlined<V: Visit>(&self, bytes: &[u8], visitor: &mut V) -> Result<()> {
        self.read(bytes, visitor)
    }

    #[inline(never)]
    fn compound<V: Visit>(&self, bytes: &[u8], visitor: &mut V) -> Result<()> {
        match self {
            Op::Table(fields) => {
                let header = wire::lazy_header(bytes).ok_or(Failed)?;
                let mut parts = Parts::new(bytes, header);
                if parts.count() != fields.len() {
                    return Err(Failed);
                }
                let all = visitor.wants_all();
                for (index, field) in fields.iter().enumerate() {
                    let part = parts.take().ok().flatten().ok_or(Failed)?;
                    if all || visitor.wants(index) {
                        field.read(part, visitor.part(index))?;
                    }
                }
                visitor.whole_record();
                Ok(())
            }
            Op::Struct(fields, size) if *size == bytes.len() => {
                let mut rest = bytes;
                for (index, (field, size)) in fields.iter().enumerate() {
                    let (part, after) = rest.split_at_checked(*size).ok_or(Failed)?;
                    field.outlined(part, visitor.part(index))?;
                    rest = after;
                }
                visitor.whole_record();
                Ok(())
            }
            Op::Array(item, size, count) if size.checked_mul(*count) == Some(bytes.len()) => {
                items(item, *size, bytes, visitor)
            }
            Op::FixVec(item, size) => {
                let (count, bytes) = wire::split_number(bytes).ok_or(Failed)?;
                match wire::stated(count).checked_mul(*size) {
                    Some(whole) if whole == bytes.len() => items(item, *size, bytes, visitor),
                    _ => Err(Failed),
                }
            }
            Op::DynVec(item) => {
                let header = wire::lazy_header(bytes).ok_or(Failed)?;
                let mut parts = Parts::new(bytes, header);
                let count = parts.count();
                while let Some(part) = parts.take().map_err(|_| Failed)? {
                    item.outlined(part, visitor.part(0))?;
                }
                visitor.list(count).map_err(|_| Failed)
            }
            Op::Union(items) => {
                let (id, bytes) = wire::split_number(bytes).ok_or(Failed)?;
                let mut found = items.iter().enumerate();
                let (index, (item, _)) =
                    found.find(|(_, (_, other))| *other == id).ok_or(Failed)?;
                visitor.variant(index);
                item.outlined(bytes, visitor.part(index))
            }
            _ => Err(Failed),
        }
    }
}

/// Items of one size that follow one another.
fn items<V: Visit>(item: &Op, size: usize, bytes: &[u8], visitor: &mut V) -> Result<()> {
    let items = bytes.chunks_exact(size.max(1));
    let count = items.len();
    for bytes in items {
        item.outlined(bytes, visitor.part(0))?;
    }
    visitor.list(count).map_err(|_| Failed)
}
