//! The types of a schema, as a graph to walk through.

use core::fmt;

use fourfold::biniou::Tag;

pub use super::node::Presence;
pub(super) use super::node::{Body, Instance, Member, Members, Node, Part, resolve};
pub use super::number::{Float, Int};
use super::{MAX_DEPTH, Schema};
use crate::common::{Location, list};

/// A type of a schema.
#[derive(Clone, Copy)]
pub struct Type<'s> {
    schema: &'s Schema,
    id: usize,
}

/// What a type is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape<'s> {
    /// A byte of 0.
    Unit,
    /// A byte, 0 or 1.
    Bool,
    /// An integer.
    Int(Int),
    /// A float.
    Float(Float),
    /// Bytes, which need not be UTF-8.
    String,
    /// A type that only OCaml code defines: its values are not read.
    Abstract,
    /// Fields, with those it inherits.
    Record(Fields<'s>),
    /// One of some variants, with those it inherits.
    Sum(Variants<'s>),
    /// Some cells.
    Tuple(Cells<'s>),
    /// An ARRAY of such items.
    List(Type<'s>),
    /// An ARRAY of pairs of a string and a value, which JSON has as an object.
    Object(Type<'s>),
    /// A TABLE of such records.
    Table(Type<'s>),
    /// A value or `None`.
    Option(Type<'s>),
    /// The same bytes as of an option; in JSON the value or null.
    Nullable(Type<'s>),
    /// A type that OCaml code wraps in another one.
    Wrap(Type<'s>),
}

impl<'s> Type<'s> {
    pub(super) fn new(schema: &'s Schema, id: usize) -> Self {
        Type { schema, id }
    }

    /// The types that this one is another name for, with itself.
    fn aliases(self) -> impl Iterator<Item = &'s Node> {
        let nodes = &self.schema.nodes;
        core::iter::successors(nodes.get(self.id), |node| match node.body {
            Body::Alias(id) => nodes.get(id),
            _ => None,
        })
    }

    /// Its name, if it is defined or there without a definition. `None` for what is written where it is used, as
    /// `int list`.
    #[must_use]
    pub fn name(self) -> Option<&'s str> {
        if let Some(name) = self.aliases().find_map(|node| node.name.as_deref()) {
            return Some(name);
        }
        match self.shape() {
            Shape::Unit => Some("unit"),
            Shape::Bool => Some("bool"),
            Shape::Int(_) => Some("int"),
            Shape::Float(_) => Some("float"),
            Shape::String => Some("string"),
            Shape::Abstract => Some("abstract"),
            _ => None,
        }
    }

    /// What the schema keeps of it. Another name for a type is what that is.
    #[inline]
    pub(super) fn body(self) -> &'s Body {
        let mut id = self.id;
        loop {
            match self.schema.nodes.get(id).map(|node| &node.body) {
                Some(Body::Alias(next)) => id = *next,
                Some(body) => return body,
                None => return &Body::Abstract,
            }
        }
    }

    /// Another type of its schema.
    #[inline]
    pub(super) fn other(self, id: usize) -> Self {
        Type { schema: self.schema, id }
    }

    /// What it is. Another name for a type is what that is.
    #[must_use]
    pub fn shape(self) -> Shape<'s> {
        let schema = self.schema;
        let part = |id: usize| Type { schema, id };
        match self.body() {
            Body::Unit => Shape::Unit,
            Body::Bool => Shape::Bool,
            Body::Int(int) => Shape::Int(*int),
            Body::Float(float) => Shape::Float(*float),
            Body::String => Shape::String,
            Body::Abstract | Body::Parameter | Body::Alias(_) => Shape::Abstract,
            Body::Record(members) => Shape::Record(Fields { schema, members, list: &members.list }),
            Body::Sum(members, is_open) => {
                let list = &members.list;
                Shape::Sum(Variants { schema, members, list, is_open: *is_open })
            }
            Body::Tuple(list) => Shape::Tuple(Cells { schema, list }),
            Body::List(item) => Shape::List(part(*item)),
            Body::Object(item) => Shape::Object(part(*item)),
            Body::Table(item) => Shape::Table(part(*item)),
            Body::Option(item) => Shape::Option(part(*item)),
            Body::Nullable(item) => Shape::Nullable(part(*item)),
            Body::Wrap(item) => Shape::Wrap(part(*item)),
        }
    }

    /// The text of `<doc text="..">` after the name or the type that is defined.
    #[must_use]
    pub fn docs(self) -> &'s str {
        let defined = || Some(self.schema.types.get(self.schema.types.id(self.name()?)?));
        defined().map_or("", |named| &named.docs)
    }

    /// Where its name is defined, if it is.
    #[must_use]
    pub fn location(self) -> Option<&'s Location> {
        let defined = self.schema.types.get(self.schema.types.id(self.name()?)?);
        Some(&defined.location).filter(|location| location.line() > 0)
    }

    /// The tag that atdgen writes before its values.
    pub(super) fn tag(self) -> Option<Tag> {
        Some(match self.unwrapped() {
            Shape::Unit => Tag::Unit,
            Shape::Bool => Tag::Bool,
            Shape::Int(int) => int.tag(),
            Shape::Float(float) => float.tag(),
            Shape::String => Tag::String,
            Shape::Record(_) => Tag::Record,
            Shape::Sum(_) => Tag::Variant,
            Shape::Tuple(_) => Tag::Tuple,
            Shape::List(_) | Shape::Object(_) => Tag::Array,
            Shape::Table(_) => Tag::Table,
            Shape::Option(_) | Shape::Nullable(_) => Tag::NumVariant,
            Shape::Abstract | Shape::Wrap(_) => return None,
        })
    }

    /// Itself, or what is wrapped.
    pub(super) fn unwrapped(self) -> Shape<'s> {
        let mut ty = self;
        // Wrapped types come to no end where a type wraps itself.
        for _ in 0..MAX_DEPTH {
            match ty.shape() {
                Shape::Wrap(inner) => ty = inner,
                shape => return shape,
            }
        }
        Shape::Abstract
    }

    /// The number of the type with aliases and wraps resolved, and their names. Types of one number have the same bytes.
    pub(super) fn bare(self) -> (usize, Vec<&'s str>) {
        let (mut bare, mut names) = (self.id, Vec::new());
        for (id, node) in resolve(&self.schema.nodes, self.id) {
            names.extend(node.name.as_deref());
            bare = id;
        }
        (bare, names)
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
        match (self.name(), self.shape()) {
            (Some(name), _) => f.write_str(name),
            (None, Shape::List(item) | Shape::Object(item)) => write!(f, "{item:?} list"),
            (None, Shape::Option(item)) => write!(f, "{item:?} option"),
            (None, Shape::Nullable(item)) => write!(f, "{item:?} nullable"),
            (None, Shape::Tuple(_)) => f.write_str("tuple"),
            (None, Shape::Record(_)) => f.write_str("record"),
            (None, Shape::Sum(_)) => f.write_str("sum type"),
            (None, Shape::Table(_)) => f.write_str("table"),
            (None, _) => f.write_str("type"),
        }
    }
}

/// The fields of a record, in order.
#[derive(Clone, Copy)]
pub struct Fields<'s> {
    schema: &'s Schema,
    members: &'s Members,
    list: &'s [Member],
}

/// The variants of a sum type, in order.
#[derive(Clone, Copy)]
pub struct Variants<'s> {
    schema: &'s Schema,
    members: &'s Members,
    list: &'s [Member],
    is_open: bool,
}

/// The cells of a tuple, in order.
#[derive(Clone, Copy)]
pub struct Cells<'s> {
    schema: &'s Schema,
    list: &'s [Part],
}

/// A field of a record.
#[derive(Clone, Copy)]
pub struct Field<'s> {
    schema: &'s Schema,
    member: &'s Member,
}

/// A variant of a sum type.
#[derive(Clone, Copy)]
pub struct Variant<'s> {
    schema: &'s Schema,
    member: &'s Member,
}

/// A cell of a tuple.
#[derive(Clone, Copy)]
pub struct Cell<'s> {
    schema: &'s Schema,
    part: &'s Part,
}

list!(Fields, Field, "field", |schema, member| Field { schema, member });
list!(Variants, Variant, "variant", |schema, member| Variant { schema, member });
list!(Cells, Cell, "cell", |schema, part| Cell { schema, part });

impl<'s> Fields<'s> {
    pub(super) fn new(ty: Type<'s>, members: &'s Members) -> Self {
        Fields { schema: ty.schema, members, list: &members.list }
    }

    /// The same as [`with_hash`](Fields::with_hash), and faster if it is at that place.
    #[inline]
    pub(super) fn with_hash_at(self, hash: u32, place: usize) -> Option<(usize, Field<'s>)> {
        match self.list.get(place) {
            Some(member) if member.hash == hash => Some((place, self.get(place)?)),
            _ => self.with_hash(hash),
        }
    }

    /// The field whose name has that hash, and its place.
    pub(super) fn with_hash(self, hash: u32) -> Option<(usize, Field<'s>)> {
        let at = self.members.with_hash(hash)?;
        Some((at, self.get(at)?))
    }
}

impl<'s> Variants<'s> {
    /// The variant whose name has that hash.
    pub(super) fn with_hash(self, hash: u32) -> Option<Variant<'s>> {
        self.place_of(hash).map(|(_, variant)| variant)
    }

    /// The same, and which of the variants it is.
    pub(super) fn place_of(self, hash: u32) -> Option<(usize, Variant<'s>)> {
        let index = self.members.with_hash(hash)?;
        Some((index, self.get(index)?))
    }
}

/// What fields and variants have in common.
macro_rules! member {
    ($one:ident) => {
        impl<'s> $one<'s> {
            /// Its name: the one whose hash is in the bytes.
            #[must_use]
            pub fn name(self) -> &'s str {
                &self.member.name
            }

            /// Its name in JSON: the one of `<json name="..">`, or else the same.
            #[must_use]
            pub fn json_name(self) -> &'s str {
                self.member.json.as_ref().unwrap_or(&self.member.name)
            }

            /// The text of `<doc text="..">`.
            #[must_use]
            pub fn docs(self) -> &'s str {
                &self.member.docs
            }

            /// Where it is, also if it is inherited from there.
            #[must_use]
            pub fn location(self) -> Location {
                self.schema.location(self.member.mark)
            }

            /// The hash of its name.
            pub(super) fn hash(self) -> u32 {
                self.member.hash
            }
        }
    };
}

member!(Field);
member!(Variant);

impl<'s> Field<'s> {
    /// Its type; of `?field` the option or nullable.
    #[must_use]
    pub fn ty(self) -> Type<'s> {
        // Each field has one.
        Type { schema: self.schema, id: self.member.ty.unwrap_or_default() }
    }

    /// Whether it may be left out.
    #[must_use]
    pub fn presence(self) -> &'s Presence {
        &self.member.presence
    }

    /// Whether it is a `?field`.
    pub(super) fn is_optional(self) -> bool {
        matches!(self.presence(), Presence::Optional)
    }

    /// Whether it has to be there.
    pub(super) fn is_required(self) -> bool {
        matches!(self.presence(), Presence::Required)
    }

    /// The type of what is in a RECORD: of `?field` the one in the option.
    pub(super) fn written(self) -> Type<'s> {
        if self.is_optional() {
            if let Shape::Option(inner) | Shape::Nullable(inner) = self.ty().shape() {
                return inner;
            }
        }
        self.ty()
    }
}

impl<'s> Variant<'s> {
    /// The type of its argument, if it has one.
    #[must_use]
    pub fn argument(self) -> Option<Type<'s>> {
        self.member.ty.map(|id| Type { schema: self.schema, id })
    }
}

impl Variants<'_> {
    /// Whether the sum type is `<json open_enum>`: in JSON, the one variant that has an argument is that text.
    #[must_use]
    pub fn is_open(self) -> bool {
        self.is_open
    }
}

impl<'s> Cell<'s> {
    /// Its type.
    #[must_use]
    pub fn ty(self) -> Type<'s> {
        Type { schema: self.schema, id: self.part.ty }
    }

    /// The OCaml expression of its value in a tuple that has fewer cells.
    #[must_use]
    pub fn default(self) -> Option<&'s str> {
        self.part.default.as_deref()
    }
}

impl Cells<'_> {
    /// How many cells there are at least: those up to the last without a default.
    #[must_use]
    pub fn least(self) -> usize {
        let required = self.list.iter().rposition(|part| part.default.is_none());
        required.map_or(0, |last| last + 1)
    }
}

impl fmt::Debug for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.name(), self.ty())
    }
}

impl fmt::Debug for Variant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.argument() {
            Some(ty) => write!(f, "{} of {ty:?}", self.name()),
            None => f.write_str(self.name()),
        }
    }
}

impl fmt::Debug for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ty().fmt(f)
    }
}
