//! Generates Rust types from a schema.

use std::collections::BTreeMap;

use super::{Fields, Items, Schema, Shape, Type, habit, order};
use crate::common::rust::{
    Body, Field, Item, Names, Variant, argument, field_name, renamed, text_of, type_name, unnamed,
};
use crate::common::{RustBytes, RustOptions};

impl Schema {
    /// Rust types that have the bytes of the types of this schema, as formatted text: for a `build.rs`, or to be
    /// committed. [`check`](Schema::check) passes for each of them.
    ///
    /// | schema | Rust |
    /// |---|---|
    /// | `byte` | `u8` |
    /// | arrays of bytes `Uint16` to `Uint128`, `Int16` to `Int128` | `u16` to `u128`, `i16` to `i128` |
    /// | other arrays, vectors of bytes | a newtype |
    /// | `struct`, `table` | a struct |
    /// | `union` | an enum, marked where its ids do not count from 0 |
    /// | vectors and options with a name of habit (`ScriptVec`, `ScriptOpt`) | `Vec<Script>` and `Option<Script>` where they are used, and an alias |
    /// | other vectors and options | a newtype |
    ///
    /// Where a name is another one in Rust, serde sees that of the schema.
    ///
    /// ```
    /// use fourfold_schema::mol::Schema;
    /// use fourfold_schema::RustOptions;
    ///
    /// let schema = Schema::parse("
    ///     array Byte32 [byte; 32];
    ///     array Uint32 [byte; 4];
    ///     struct OutPoint { tx_hash: Byte32, index: Uint32, }
    ///     vector OutPointVec <OutPoint>;
    ///     // What a cell depends on.
    ///     table Deps { points: OutPointVec, }
    /// ")?;
    /// assert_eq!(schema.to_rust(&RustOptions::new()), "\
    /// use fourfold::molecule::with;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    /// pub struct Byte32(pub [u8; 32]);
    ///
    /// #[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
    /// #[serde(rename = \"struct.OutPoint\")]
    /// pub struct OutPoint {
    ///     pub tx_hash: Byte32,
    ///     pub index: u32,
    /// }
    ///
    /// pub type OutPointVec = with::FixVec<Vec<OutPoint>>;
    ///
    /// /// What a cell depends on.
    /// #[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
    /// pub struct Deps {
    ///     #[serde(with = \"with::fixvec\")]
    ///     pub points: Vec<OutPoint>,
    /// }
    /// ");
    /// # Ok::<(), fourfold_schema::mol::Error>(())
    /// ```
    #[must_use]
    pub fn to_rust(&self, options: &RustOptions) -> String {
        let writing = Writing::new(self, options);
        let imports = [
            (writing.uses_marks, "fourfold::molecule::with"),
            (true, "serde::{Deserialize, Serialize}"),
            (writing.uses_cow, "std::borrow::Cow"),
        ];
        let items: Vec<Item> = self.types().filter_map(|ty| writing.item(ty)).collect();
        options.finish(text_of(imports, &items))
    }
}

/// serde, and `Default`, support arrays of so many items.
const LONGEST_ARRAY: usize = 32;

/// Marks longer ones.
const ARRAY_MODULE: &str = "with::array";

/// What a type is in Rust.
#[derive(Clone, Copy)]
enum Role<'s> {
    /// What the user has chosen, `u8` or an integer.
    Plain(&'s str),
    /// A vector or option that is written where it is used.
    Inline,
    /// A type of its own.
    Own,
}

fn role<'s>(options: &'s RustOptions, ty: Type<'_>) -> Role<'s> {
    if let Some(chosen) = options.chosen(ty.name()) {
        return Role::Plain(chosen);
    }
    let is_habit = match ty.shape() {
        Shape::Byte => return Role::Plain("u8"),
        Shape::Array(..) => return ty.integer().map_or(Role::Own, Role::Plain),
        Shape::FixVec(item) if item.shape() == Shape::Byte => false,
        Shape::FixVec(item) | Shape::DynVec(item) => {
            !options.newtypes && habit::vector(item.name()) == ty.name()
        }
        Shape::Option(item) => habit::option(item.name()) == ty.name(),
        _ => false,
    };
    if is_habit { Role::Inline } else { Role::Own }
}

/// The mark of a vector, as a module and as a type.
fn vector_mark(ty: Type<'_>) -> Option<(&'static str, &'static str)> {
    match ty.shape() {
        Shape::FixVec(_) => Some(("fixvec", "FixVec")),
        Shape::DynVec(_) => Some(("dynvec", "DynVec")),
        _ => None,
    }
}

/// How a type is written.
struct Known {
    /// Where no attribute can be beside it.
    wrapped: String,
    /// Where one can: the mark that the attribute has, and the type.
    mark: Option<&'static str>,
    beside: String,
    /// It has a lifetime.
    borrows: bool,
    /// It has no `Default`.
    lacks_default: bool,
}

/// A type that is not known, of which there are none.
static UNKNOWN: Known = Known {
    wrapped: String::new(),
    mark: None,
    beside: String::new(),
    borrows: false,
    lacks_default: false,
};

struct Writing<'s> {
    options: &'s RustOptions,
    /// The names in Rust of types that are declared.
    names: BTreeMap<&'s str, String>,
    known: BTreeMap<&'s str, Known>,
    uses_marks: bool,
    uses_cow: bool,
}

impl<'s> Writing<'s> {
    fn new(schema: &'s Schema, options: &'s RustOptions) -> Self {
        let mut given = Names::default();
        let names = schema.types().filter(|ty| !matches!(role(options, *ty), Role::Plain(_)));
        let names = names.map(|ty| (ty.name(), given.one(type_name(ty.name())))).collect();
        let known = BTreeMap::new();
        let mut writing = Writing { options, names, known, uses_marks: false, uses_cow: false };
        // Without recursion, since schemas may be as deep as they are long. One that was read has no types that
        // are part of themselves.
        let order = order::parts_first(&schema.types).unwrap_or_default();
        for ty in order.into_iter().map(|id| Type::new(schema, id)) {
            let known = writing.known(ty);
            writing.known.insert(ty.name(), known);
        }
        writing
    }

    fn get(&self, ty: Type<'_>) -> &Known {
        self.known.get(ty.name()).unwrap_or(&UNKNOWN)
    }

    /// How a type is written whose parts are known.
    fn known(&mut self, ty: Type<'_>) -> Known {
        match (role(self.options, ty), ty.shape()) {
            (Role::Inline, Shape::Option(item)) => {
                let Known { wrapped, mark, beside, borrows, .. } = self.get(item);
                let (wrapped, beside) = (format!("Option<{wrapped}>"), format!("Option<{beside}>"));
                Known { wrapped, mark: *mark, beside, borrows: *borrows, lacks_default: false }
            }
            (Role::Inline, Shape::FixVec(item) | Shape::DynVec(item)) => {
                self.uses_marks = true;
                let Known { wrapped, borrows, .. } = self.get(item);
                let beside = format!("Vec<{wrapped}>");
                let (mark, wrapper) = vector_mark(ty).unzip();
                let wrapped = format!("with::{}<{beside}>", wrapper.unwrap_or_default());
                Known { wrapped, mark, beside, borrows: *borrows, lacks_default: false }
            }
            (Role::Plain(plain), _) => {
                let (wrapped, beside) = (plain.to_owned(), plain.to_owned());
                Known { wrapped, mark: None, beside, borrows: false, lacks_default: false }
            }
            _ => {
                let (borrows, lacks_default) = self.traits(ty);
                let generics = if borrows { "<'a>" } else { "" };
                let name = self.names.get(ty.name()).map_or("", String::as_str);
                let wrapped = format!("{name}{generics}");
                let beside = wrapped.clone();
                Known { wrapped, mark: None, beside, borrows, lacks_default }
            }
        }
    }

    /// The module that marks an array: serde itself supports short ones only.
    fn array_module(&self, item: Type<'_>, count: usize) -> Option<&str> {
        let module = self.options.bytes_module.as_deref().filter(|_| item.shape() == Shape::Byte);
        module.or((count > LONGEST_ARRAY).then_some(ARRAY_MODULE))
    }

    /// Whether a type of its own borrows, and whether it lacks a default.
    fn traits(&mut self, ty: Type<'_>) -> (bool, bool) {
        let of = |ty: Type<'_>| {
            let known = self.get(ty);
            (known.borrows, known.lacks_default)
        };
        match ty.shape() {
            Shape::Byte => (false, false),
            Shape::Array(item, count) => {
                let (borrows, lacks_default) = of(item);
                self.uses_marks |= self.array_module(item, count) == Some(ARRAY_MODULE);
                (borrows, lacks_default || count > LONGEST_ARRAY)
            }
            Shape::FixVec(item) if item.shape() == Shape::Byte => {
                self.uses_cow |= self.options.bytes == RustBytes::Cow;
                (self.options.bytes != RustBytes::Owned, false)
            }
            Shape::FixVec(item) | Shape::DynVec(item) | Shape::Option(item) => (of(item).0, false),
            Shape::Struct(fields) | Shape::Table(fields) => {
                let parts = fields.iter().map(|field| of(field.ty()));
                parts.fold((false, false), |all, part| (all.0 || part.0, all.1 || part.1))
            }
            Shape::Union(items) => (items.iter().any(|item| of(item.ty()).0), true),
        }
    }

    fn item(&self, ty: Type<'s>) -> Option<Item> {
        let name = self.names.get(ty.name())?.clone();
        let docs = ty.docs().to_owned();
        let known = self.get(ty);
        let generics = if known.borrows { "<'a>" } else { "" };
        if let Role::Inline = role(self.options, ty) {
            let body = Body::Alias(known.wrapped.clone());
            let (derives, serde) = (Vec::new(), Vec::new());
            return Some(Item { docs, derives, serde, name, generics, body });
        }
        let rename = renamed(&name, ty.name());
        let marked = |word: &str| Some(argument("rename", &format!("{word}.{}", ty.name())));
        let (serde, body) = match ty.shape() {
            Shape::Byte => return None,
            Shape::Array(item, count) => (rename, self.array(item, count)),
            Shape::FixVec(item) if item.shape() == Shape::Byte => {
                (marked("fixvec"), self.bytes(known))
            }
            Shape::FixVec(item) | Shape::DynVec(item) => {
                let (mark, _) = vector_mark(ty)?;
                let item = self.get(item);
                let serde = attributes(item, None);
                (marked(mark), newtype(serde, format!("Vec<{}>", item.wrapped)))
            }
            Shape::Option(item) => {
                let item = self.get(item);
                let serde = attributes(item, module(item.mark).as_deref());
                (rename, newtype(serde, format!("Option<{}>", item.beside)))
            }
            Shape::Struct(fields) => (marked("struct"), Body::Struct(self.fields(fields))),
            Shape::Table(fields) => (rename, Body::Struct(self.fields(fields))),
            Shape::Union(items) => {
                let (ids, variants) = self.variants(items);
                let mark = ids.map(|ids| argument("rename", &format!("union.{}{ids}", ty.name())));
                (mark.or(rename), Body::Enum(variants))
            }
        };
        let derives = derives(self.options, ty, known);
        Some(Item { docs, derives, serde: serde.into_iter().collect(), name, generics, body })
    }

    fn array(&self, item: Type<'_>, count: usize) -> Body {
        let known = self.get(item);
        let serde = attributes(known, self.array_module(item, count));
        newtype(serde, format!("[{}; {count}]", known.wrapped))
    }

    fn bytes(&self, known: &Known) -> Body {
        let ty = match self.options.bytes {
            RustBytes::Owned => "Vec<u8>",
            RustBytes::Borrowed => "&'a [u8]",
            RustBytes::Cow => "Cow<'a, [u8]>",
        };
        newtype(attributes(known, self.options.bytes_module.as_deref()), ty.to_owned())
    }

    fn fields(&self, fields: Fields<'_>) -> Vec<Field> {
        let mut given = Names::default();
        let field = |field: super::Field<'_>| {
            let name = given.one(field_name(field.name()));
            let known = self.get(field.ty());
            let mut serde: Vec<String> = renamed(&name, field.name()).into_iter().collect();
            serde.extend(attributes(known, module(known.mark).as_deref()));
            Field { docs: field.docs().to_owned(), serde, name, ty: known.beside.clone() }
        };
        fields.iter().map(field).collect()
    }

    /// The variants of a union, and the list of ids that a mark has, if they do not count from 0.
    fn variants(&self, items: Items<'_>) -> (Option<String>, Vec<Variant>) {
        let mut given = Names::default();
        let mut ids = String::new();
        let variant = |item: super::Item<'_>| {
            let name = given.one(type_name(item.ty().name()));
            ids.push_str(&format!(".{}-{}", name, item.id()));
            let known = self.get(item.ty());
            let serde = attributes(known, None);
            let holds = Vec::from([unnamed(Vec::new(), known.wrapped.clone())]);
            Variant { docs: item.docs().to_owned(), serde, name, holds }
        };
        let variants = items.iter().map(variant).collect();
        let counts = items.iter().enumerate().all(|(at, item)| u32::try_from(at) == Ok(item.id()));
        ((!counts).then_some(ids), variants)
    }
}

/// Arguments of `#[serde(..)]` for what is of that type, and has such a module beside it.
fn attributes(known: &Known, module: Option<&str>) -> Vec<String> {
    let borrow = known.borrows.then(|| "borrow".to_owned());
    borrow.into_iter().chain(module.map(|module| argument("with", module))).collect()
}

/// The module of a mark.
fn module(mark: Option<&str>) -> Option<String> {
    mark.map(|mark| format!("with::{mark}"))
}

fn newtype(serde: Vec<String>, ty: String) -> Body {
    Body::Tuple(Vec::from([unnamed(serde, ty)]))
}

/// The derives that fit a type.
fn derives(options: &RustOptions, ty: Type<'_>, known: &Known) -> Vec<String> {
    let is_bytes = |item: Type<'_>| item.shape() == Shape::Byte;
    let is_copy = matches!(ty.shape(), Shape::Array(item, _) if is_bytes(item));
    let is_key = ty.size().is_some() || matches!(ty.shape(), Shape::FixVec(item) if is_bytes(item));
    options.derives(&[
        ("Clone", true),
        ("Copy", is_copy),
        ("Debug", true),
        ("Default", !known.lacks_default),
        ("PartialEq", true),
        ("Eq", true),
        ("Hash", is_key),
    ])
}
