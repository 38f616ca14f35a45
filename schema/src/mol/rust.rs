//! Generates Rust types from a schema.

use std::collections::BTreeMap;

use super::{Fields, Items, Schema, Shape, Type, habit, order};
use crate::common::rust::{
    Body, Cell, Item, Member, Names, argument, cells, field_name, renamed, type_name,
};
use crate::common::{RustBytes, RustOptions};

impl Schema {
    /// Rust types that have the bytes of the types of this schema, as text: for a `build.rs`, or to be committed.
    /// Long lines are for rustfmt to break. [`check`](Schema::check) passes for each of them.
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
        let items: Vec<Item> = self.types().filter_map(|ty| writing.item(ty)).collect();
        options.text("fourfold::molecule::with", &items, "")
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

/// How a type is written.
struct Known {
    /// Without an attribute.
    wrapped: String,
    /// With one: the module of the mark in the attribute, and the type.
    module: Option<&'static str>,
    unmarked: String,
    /// It has no `Default`.
    lacks_default: bool,
}

impl Known {
    fn plain(text: String, lacks_default: bool) -> Self {
        Known { wrapped: text.clone(), module: None, unmarked: text, lacks_default }
    }

    /// Whether it has a lifetime.
    fn borrows(&self) -> bool {
        self.wrapped.contains("'a")
    }

    /// Arguments of `#[serde(..)]` for a value of it, which has such a module.
    fn attributes(&self, module: Option<&str>) -> Vec<String> {
        let borrow = self.borrows().then(|| "borrow".to_owned());
        borrow.into_iter().chain(module.map(|module| argument("with", module))).collect()
    }
}

struct Writing<'s> {
    options: &'s RustOptions,
    /// The names in Rust of types that are declared.
    names: BTreeMap<&'s str, String>,
    known: BTreeMap<&'s str, Known>,
}

impl<'s> Writing<'s> {
    fn new(schema: &'s Schema, options: &'s RustOptions) -> Self {
        let mut given = Names::default();
        let names = schema.types().filter(|ty| !matches!(role(options, *ty), Role::Plain(_)));
        let names = names.map(|ty| (ty.name(), given.one(type_name(ty.name())))).collect();
        let mut writing = Writing { options, names, known: BTreeMap::new() };
        // Without recursion, since schemas may be as deep as they are long. One that was read has no types that
        // contain themselves.
        let order = order::parts_first(&schema.types).unwrap_or_default();
        for ty in order.into_iter().map(|id| Type::new(schema, id)) {
            let known = writing.known(ty);
            writing.known.insert(ty.name(), known);
        }
        writing
    }

    /// How a type is written that has been seen.
    fn get(&self, ty: Type<'_>) -> &Known {
        static UNKNOWN: Known = Known {
            wrapped: String::new(),
            module: None,
            unmarked: String::new(),
            lacks_default: false,
        };
        self.known.get(ty.name()).unwrap_or(&UNKNOWN)
    }

    /// How a type is written whose parts have been seen.
    fn known(&self, ty: Type<'_>) -> Known {
        let (word, item) = match (role(self.options, ty), ty.shape()) {
            (Role::Plain(plain), _) => return Known::plain(plain.to_owned(), false),
            (Role::Inline, Shape::Option(item)) => {
                let Known { wrapped, module, unmarked, .. } = self.get(item);
                let (wrapped, unmarked) =
                    (format!("Option<{wrapped}>"), format!("Option<{unmarked}>"));
                return Known { wrapped, module: *module, unmarked, lacks_default: false };
            }
            (Role::Inline, Shape::FixVec(item)) => (("with::fixvec", "FixVec"), item),
            (Role::Inline, Shape::DynVec(item)) => (("with::dynvec", "DynVec"), item),
            _ => {
                let (borrows, lacks_default) = self.traits(ty);
                let name = self.names.get(ty.name()).map_or("", String::as_str);
                let generics = if borrows { "<'a>" } else { "" };
                return Known::plain(format!("{name}{generics}"), lacks_default);
            }
        };
        let unmarked = format!("Vec<{}>", self.get(item).wrapped);
        let wrapped = format!("with::{}<{unmarked}>", word.1);
        Known { wrapped, module: Some(word.0), unmarked, lacks_default: false }
    }

    /// The module that marks an array: serde itself supports short ones only.
    fn array_module(&self, item: Type<'_>, count: usize) -> Option<&str> {
        let module = self.options.bytes_module.as_deref().filter(|_| item.shape() == Shape::Byte);
        module.or((count > LONGEST_ARRAY).then_some(ARRAY_MODULE))
    }

    /// Whether a type of its own borrows, and whether it lacks a default.
    fn traits(&self, ty: Type<'_>) -> (bool, bool) {
        let borrows = |ty: Type<'_>| self.get(ty).borrows();
        let lacks = |ty: Type<'_>| self.get(ty).lacks_default;
        match ty.shape() {
            Shape::Byte => (false, false),
            Shape::Array(item, count) => (borrows(item), count > LONGEST_ARRAY || lacks(item)),
            Shape::FixVec(item) if item.shape() == Shape::Byte => {
                (self.options.bytes != RustBytes::Owned, false)
            }
            Shape::FixVec(item) | Shape::DynVec(item) | Shape::Option(item) => {
                (borrows(item), false)
            }
            Shape::Struct(fields) | Shape::Table(fields) => {
                let any = |has: &dyn Fn(Type<'_>) -> bool| fields.iter().any(|it| has(it.ty()));
                (any(&borrows), any(&lacks))
            }
            Shape::Union(items) => (items.iter().any(|item| borrows(item.ty())), true),
        }
    }

    fn item(&self, ty: Type<'s>) -> Option<Item> {
        let name = self.names.get(ty.name())?.clone();
        let docs = ty.docs().to_owned();
        let known = self.get(ty);
        let generics = if known.borrows() { "<'a>" } else { "" };
        if let Role::Inline = role(self.options, ty) {
            let body = Body::Alias(known.wrapped.clone());
            return Some(Item {
                docs,
                derives: Vec::new(),
                serde: Vec::new(),
                name,
                generics,
                body,
            });
        }
        let rename = renamed(&name, ty.name());
        let marked = |word: &str| Some(argument("rename", &format!("{word}.{}", ty.name())));
        let vector = |item: Type<'_>| {
            let item = self.get(item);
            newtype(item.attributes(None), format!("Vec<{}>", item.wrapped))
        };
        let (serde, body) = match ty.shape() {
            Shape::Byte => return None,
            Shape::Array(item, count) => {
                let module = self.array_module(item, count);
                let item = self.get(item);
                let text = format!("[{}; {count}]", item.wrapped);
                (rename, newtype(item.attributes(module), text))
            }
            Shape::FixVec(item) if item.shape() == Shape::Byte => {
                let text = match self.options.bytes {
                    RustBytes::Owned => "Vec<u8>",
                    RustBytes::Borrowed => "&'a [u8]",
                    RustBytes::Cow => "Cow<'a, [u8]>",
                };
                let serde = known.attributes(self.options.bytes_module.as_deref());
                (marked("fixvec"), newtype(serde, text.to_owned()))
            }
            Shape::FixVec(item) => (marked("fixvec"), vector(item)),
            Shape::DynVec(item) => (marked("dynvec"), vector(item)),
            Shape::Option(item) => {
                let item = self.get(item);
                let text = format!("Option<{}>", item.unmarked);
                (rename, newtype(item.attributes(item.module), text))
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

    fn fields(&self, fields: Fields<'_>) -> Vec<Member> {
        let mut given = Names::default();
        let field = |field: super::Field<'_>| {
            let name = given.one(field_name(field.name()));
            let known = self.get(field.ty());
            let mut serde: Vec<String> = renamed(&name, field.name()).into_iter().collect();
            serde.extend(known.attributes(known.module));
            let text = format!("pub {name}: {}", known.unmarked);
            Member { docs: field.docs().to_owned(), serde, text }
        };
        fields.iter().map(field).collect()
    }

    /// The variants of a union, and the list of ids that a mark has, if they do not count from 0.
    fn variants(&self, items: Items<'_>) -> (Option<String>, Vec<Member>) {
        let mut given = Names::default();
        let mut ids = String::new();
        let variant = |item: super::Item<'_>| {
            let name = given.one(type_name(item.ty().name()));
            ids.push_str(&format!(".{}-{}", name, item.id()));
            let known = self.get(item.ty());
            let value: Cell = (Vec::new(), known.wrapped.clone());
            let text = name + &cells(&[value], "");
            Member { docs: item.docs().to_owned(), serde: known.attributes(None), text }
        };
        let variants = items.iter().map(variant).collect();
        let counts = items.iter().enumerate().all(|(at, item)| u32::try_from(at) == Ok(item.id()));
        ((!counts).then_some(ids), variants)
    }
}

fn newtype(serde: Vec<String>, ty: String) -> Body {
    Body::Tuple(Vec::from([(serde, ty)]))
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
