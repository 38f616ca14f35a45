//! The types of a schema, as a graph to walk through.

use core::fmt;
use std::sync::Arc;

use super::{NumberType, Schema};
use crate::common::{Location, Named, TypeId, list};

/// What a schema keeps of a type.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) body: Body,
    /// The size of all its values, if it is the same.
    pub(super) size: Option<usize>,
    /// How deep its values nest, if that is fixed by their size.
    pub(super) height: u16,
    /// What number its bytes are, if they are one.
    pub(super) number: Option<NumberType>,
}

#[derive(Clone, Debug)]
pub(super) enum Body {
    Byte,
    Array(TypeId, usize),
    Struct(Vec<Member<Arc<str>>>),
    FixVec(TypeId),
    DynVec(TypeId),
    Table(Vec<Member<Arc<str>>>),
    Option(TypeId),
    Union(Vec<Member<u32>>),
}

/// A field with its name, or an item of a union with its id.
#[derive(Clone, Debug)]
pub(super) struct Member<K> {
    pub(super) key: K,
    pub(super) ty: TypeId,
    pub(super) docs: String,
    pub(super) location: Location,
}

impl Body {
    /// The types inside, one after another.
    pub(super) fn parts(&self) -> Vec<TypeId> {
        match self {
            Body::Byte => Vec::new(),
            Body::Array(item, _) | Body::FixVec(item) | Body::DynVec(item) | Body::Option(item) => {
                Vec::from([*item])
            }
            Body::Struct(fields) | Body::Table(fields) => fields.iter().map(|it| it.ty).collect(),
            Body::Union(items) => items.iter().map(|it| it.ty).collect(),
        }
    }
}

/// A type of a schema.
#[derive(Clone, Copy)]
pub struct Type<'s> {
    schema: &'s Schema,
    named: &'s Named<Layout>,
    id: TypeId,
}

impl<'s> Type<'s> {
    pub(super) fn new(schema: &'s Schema, id: TypeId) -> Self {
        Type { schema, named: schema.types.get(id), id }
    }

    /// Its number in the schema.
    pub(super) fn id(self) -> TypeId {
        self.id
    }

    pub(super) fn is_byte(self) -> bool {
        matches!(self.named.shape.body, Body::Byte)
    }

    /// How many levels its values nest, if they have a fixed size.
    #[must_use]
    pub fn height(self) -> u16 {
        self.named.shape.height
    }

    /// Its name, as it is declared.
    #[must_use]
    pub fn name(self) -> &'s str {
        &self.named.name
    }

    /// What it is.
    #[must_use]
    pub fn shape(self) -> Shape<'s> {
        let schema = self.schema;
        let part = |id: &TypeId| Type::new(schema, *id);
        match &self.named.shape.body {
            Body::Byte => Shape::Byte,
            Body::Array(item, count) => Shape::Array(part(item), *count),
            Body::Struct(list) => Shape::Struct(Fields { schema, list }),
            Body::FixVec(item) => Shape::FixVec(part(item)),
            Body::DynVec(item) => Shape::DynVec(part(item)),
            Body::Table(list) => Shape::Table(Fields { schema, list }),
            Body::Option(item) => Shape::Option(part(item)),
            Body::Union(list) => Shape::Union(Items { schema, list }),
        }
    }

    /// What number its values are, if it is an array of bytes that is one: by its name, as CKB's schemas have them
    /// (`array Uint32 [byte; 4];`, `Int64` with a sign), or by the comment `fourfold: number` or
    /// `fourfold: signed number` of its declaration, or by [`Schema::with_number`]. Numbers have at most 32 bytes.
    #[must_use]
    pub fn number(self) -> Option<NumberType> {
        self.named.shape.number
    }

    /// The Rust integer whose bytes its values are, if it is a [`number`](Type::number) of 2, 4, 8 or 16 bytes:
    /// `"u32"` of `array Uint32 [byte; 4];`.
    #[must_use]
    pub fn integer(self) -> Option<&'static str> {
        self.number()?.integer()
    }

    /// How many bytes each of its values takes, if that is the same for all.
    #[must_use]
    pub fn size(self) -> Option<usize> {
        self.named.shape.size
    }

    /// The comments above the declaration and after it in its line, without the signs of comments.
    #[must_use]
    pub fn docs(self) -> &'s str {
        &self.named.docs
    }

    /// Where its name is declared. Nowhere, if it is `byte`.
    #[must_use]
    pub fn location(self) -> Option<&'s Location> {
        Some(&self.named.location).filter(|_| !matches!(self.named.shape.body, Body::Byte))
    }
}

impl PartialEq for Type<'_> {
    /// Whether it is the same type of the same schema.
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.schema, other.schema) && self.id == other.id
    }
}

impl fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a type is: how its bytes are laid out.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape<'s> {
    /// One byte.
    Byte,
    /// So many items of a fixed size, one after the other.
    Array(Type<'s>, usize),
    /// Fields of fixed sizes, one after the other.
    Struct(Fields<'s>),
    /// A count, then items of a fixed size.
    FixVec(Type<'s>),
    /// A header with offsets, then items of any size.
    DynVec(Type<'s>),
    /// A header with offsets, then fields of any size.
    Table(Fields<'s>),
    /// A value, or no bytes.
    Option(Type<'s>),
    /// An id, then the value of the item that has it.
    Union(Items<'s>),
}

/// The fields of a struct or table, in order.
#[derive(Clone, Copy)]
pub struct Fields<'s> {
    schema: &'s Schema,
    list: &'s [Member<Arc<str>>],
}

/// The items of a union, by their ids.
#[derive(Clone, Copy)]
pub struct Items<'s> {
    schema: &'s Schema,
    list: &'s [Member<u32>],
}

/// A field of a struct or table.
#[derive(Clone, Copy)]
pub struct Field<'s> {
    ty: Type<'s>,
    member: &'s Member<Arc<str>>,
}

/// An item of a union.
#[derive(Clone, Copy)]
pub struct Item<'s> {
    ty: Type<'s>,
    member: &'s Member<u32>,
}

/// Methods that fields and items share.
macro_rules! member {
    ($member:ident) => {
        impl<'s> $member<'s> {
            /// Its type.
            #[must_use]
            pub fn ty(self) -> Type<'s> {
                self.ty
            }

            /// The comments above it and after it in its line.
            #[must_use]
            pub fn docs(self) -> &'s str {
                &self.member.docs
            }

            /// Where it is.
            #[must_use]
            pub fn location(self) -> &'s Location {
                &self.member.location
            }
        }
    };
}

member!(Field);
member!(Item);
list!(Fields, Field, "field", |schema, member| Field { ty: Type::new(schema, member.ty), member });
list!(Items, Item, "item", |schema, member| Item { ty: Type::new(schema, member.ty), member });

impl<'s> Items<'s> {
    /// The item with that id.
    #[must_use]
    pub fn with_id(self, id: u32) -> Option<Item<'s>> {
        self.place_of(id).map(|(_, item)| item)
    }

    /// The same, and which of the items it is.
    pub(super) fn place_of(self, id: u32) -> Option<(usize, Item<'s>)> {
        let index = self.list.binary_search_by_key(&id, |member| member.key).ok()?;
        Some((index, self.get(index)?))
    }
}

impl<'s> Field<'s> {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'s str {
        &self.member.key
    }
}

impl Item<'_> {
    /// What is before its value.
    #[must_use]
    pub fn id(self) -> u32 {
        self.member.key
    }
}

impl fmt::Debug for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.ty.name())
    }
}

impl fmt::Debug for Item<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.ty.name(), self.id())
    }
}
