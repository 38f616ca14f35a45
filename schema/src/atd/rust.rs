//! Generates Rust types from a schema.

mod declare;
mod default;
mod graph;
mod part;
mod role;
mod text;

use std::collections::BTreeSet;

use fourfold::biniou::mark::Mark;

use self::declare::{Declaration, OPTIONAL, declarations};
use self::default::{is_zero, literal};
use self::graph::Graph;
use self::part::{Key, rows, written};
use self::role::{Roles, Use};
use self::text::Texts;
use super::node::{Body, Member, Part, Presence};
use super::number::Int;
use super::schema::{Result, Schema};
use crate::common::RustOptions;
use crate::common::rust::{
    Body as RustBody, Cell, Item, Member as RustMember, Names, argument, cells, field_name,
    renamed, snake_case, unescaped,
};

impl Schema {
    /// Rust types that have the bytes of the types of this schema, as text: for a `build.rs`, or to be committed.
    /// Long lines are for rustfmt to break.
    ///
    /// | ATD | Rust |
    /// |---|---|
    /// | record, sum type | a struct, an enum |
    /// | another definition | another name for a type: `pub type Level = with::Int8<u8>;` |
    /// | `int`, with the `repr` `uvint`, `int8`, `int16`, `int32`, `int64`, `char` | `i64`; `u64`, `u8`, `u16`, `i32`, `i64`, `char` |
    /// | `float`, with the `repr` `float32` | `f64`; `f32` |
    /// | `string` | `String`; of [`RustBytes::Borrowed`](crate::RustBytes::Borrowed) `&'a str`, of [`RustBytes::Cow`](crate::RustBytes::Cow) `Cow<'a, str>` |
    /// | `list`, table, list of pairs | `Vec` |
    /// | `option`, `nullable`, `?field` | `Option` |
    /// | tuple | a tuple; a struct without names where cells at its end have a default |
    /// | `wrap` | what is wrapped |
    /// | a definition with parameters | a type of its own for each use: `IntPage` of `int page` |
    ///
    /// Types that contain themselves are in boxes. Where a name is another one in Rust, serde sees that of the schema.
    ///
    /// A `~field` has the default of the schema, if that is a number, a string, a variant without an argument, or
    /// empty; otherwise the field has to be there when it is read, which its documentation states. So it is with cells
    /// at the end of a tuple. A field that
    /// OCaml leaves out for its default is left out here, too, but not in records that are rows of a table, which have
    /// all columns.
    ///
    /// Strings that are not UTF-8 are refused by the types, as are negative numbers of `uvint`. For strings that are
    /// no text, choose a type: `with_type("string", "serde_bytes::ByteBuf")`. A type may be chosen for `unit`,
    /// `bool`, `int`, `float`, `string` and `abstract`, too, where there is no `repr`.
    /// [`with_bytes_module`](RustOptions::with_bytes_module) means nothing here.
    ///
    /// ```
    /// use fourfold_schema::atd::Schema;
    /// use fourfold_schema::RustOptions;
    ///
    /// let schema = Schema::parse(r#"
    ///     type level = int <biniou repr="int8">
    ///     type shape = [ Empty | Rect of (float * float) | Group of shape list ]
    ///     type drawing <doc text="What is drawn."> = {
    ///         level : level;
    ///         ?author : string option;
    ///         ~tags : string list;
    ///         ~scale <ocaml default="2"> : int;
    ///         type_ : shape;
    ///     }
    /// "#)?;
    /// assert_eq!(schema.to_rust(&RustOptions::new())?, r#"use fourfold::biniou::with;
    /// use serde::{Deserialize, Serialize};
    ///
    /// pub type Level = with::Int8<u8>;
    ///
    /// #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    /// pub enum Shape {
    ///     Empty,
    ///     Rect(f64, f64),
    ///     Group(Vec<Shape>),
    /// }
    ///
    /// /// What is drawn.
    /// #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    /// pub struct Drawing {
    ///     #[serde(with = "with::int8")]
    ///     pub level: u8,
    ///     #[serde(with = "with::optional", default)]
    ///     pub author: Option<String>,
    ///     #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ///     pub tags: Vec<String>,
    ///     #[serde(default = "drawing_scale", skip_serializing_if = "is_drawing_scale")]
    ///     pub scale: i64,
    ///     pub type_: Shape,
    /// }
    ///
    /// fn drawing_scale() -> i64 {
    ///     2
    /// }
    ///
    /// fn is_drawing_scale(value: &i64) -> bool {
    ///     *value == 2
    /// }
    /// "#);
    /// # Ok::<(), fourfold_schema::atd::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Abstract` or `Missing` for `abstract`, of which only OCaml defines what it is, unless a type is chosen for it; `Cyclic` for a
    /// type that wraps nothing but itself.
    pub fn to_rust(&self, options: &RustOptions) -> Result<String> {
        let roles = Roles::new(self, options);
        let declared = declarations(&roles)?;
        let graph = Graph::new(&roles, &declared);
        let mut names = Names::default();
        names.one(IS_DEFAULT.to_owned());
        let mut writing = Writing {
            texts: Texts::new(&roles, &graph, &declared),
            rows: declared.iter().flat_map(|it| rows(&roles, &it.parts)).collect(),
            functions: String::new(),
            names,
            uses_zero: false,
            uses_optional: false,
        };
        let mut items: Vec<Item> =
            declared.iter().enumerate().map(|(at, it)| writing.item(at, it)).collect();
        let mut functions = String::new();
        if writing.uses_optional {
            items.push(optional(options));
            functions.push_str(OPTIONAL_DEFAULT);
        }
        if writing.uses_zero {
            functions.push_str(IS_DEFAULT_FUNCTION);
        }
        functions.push_str(&writing.functions);
        Ok(options.text("fourfold::biniou::with", &items, &functions))
    }
}

/// The function that finds what is left out.
const IS_DEFAULT: &str = "is_default";
const IS_DEFAULT_FUNCTION: &str = "
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
";

/// A derived one would need a default of `T`.
const OPTIONAL_DEFAULT: &str = "
impl<T> Default for Optional<T> {
    fn default() -> Self {
        Optional(None)
    }
}
";

fn optional(options: &RustOptions) -> Item {
    let fitting = ["Clone", "Debug", "PartialEq", "Eq", "Hash"].map(|derive| (derive, true));
    let mut derives = options.derives(&fitting);
    derives.retain(|derive| derive != "Default");
    let mark = format!("{}.{OPTIONAL}", Mark::Optional.keyword());
    Item {
        docs: "A field that is left out for `None`.".to_owned(),
        derives,
        serde: Vec::from([argument("rename", &mark)]),
        name: OPTIONAL.to_owned(),
        generics: "<T>",
        body: RustBody::Tuple(Vec::from([(Vec::new(), "Option<T>".to_owned())])),
    }
}

struct Writing<'w, 's> {
    texts: Texts<'w, 's>,
    /// Records of which there are tables.
    rows: BTreeSet<usize>,
    functions: String,
    /// Those of functions.
    names: Names,
    uses_zero: bool,
    uses_optional: bool,
}

impl<'s> Writing<'_, 's> {
    fn item(&mut self, at: usize, declaration: &Declaration<'s>) -> Item {
        let name = declaration.name.clone();
        let generics = self.texts.generics(at);
        let docs = markdown(declaration.docs);
        let own = match declaration.key {
            Key::Own(own) => own,
            Key::Alias(defined) => {
                let body = RustBody::Alias(self.alias(at, defined));
                let (derives, serde) = (Vec::new(), Vec::new());
                return Item { docs, derives, serde, name, generics, body };
            }
        };
        // A name that differs from the one in Rust.
        let defined = declaration.defined.and_then(|defined| defined.rsplit('.').next());
        let defined = defined.filter(|defined| snake_case(&name) != *defined);
        let mark = self.texts.roles.inner_mark(own);
        let rename = match mark.filter(|_| self.texts.roles.options.newtypes) {
            Some(mark) => Some(format!("{}.{}", mark.keyword(), defined.unwrap_or(&name))),
            None => defined.map(String::from),
        };
        let serde = rename.map(|rename| argument("rename", &rename)).into_iter().collect();
        let body = match self.texts.roles.body(own) {
            Some(Body::Record(members)) => RustBody::Struct(self.fields(at, own, &members.list)),
            Some(Body::Sum(members, _)) => RustBody::Enum(self.variants(at, own, &members.list)),
            Some(Body::Tuple(cells)) if cells.len() > 1 => {
                RustBody::Tuple(self.cells(at, &name, cells))
            }
            _ => {
                let text = self.texts.inner(own, at);
                let with = self.with(mark);
                let serde = borrow(&text).into_iter().chain(with).collect();
                RustBody::Tuple(Vec::from([(serde, text)]))
            }
        };
        let derives = self.derives(at, own);
        Item { docs, derives, serde, name, generics, body }
    }

    /// The type of another name.
    fn alias(&self, at: usize, defined: &'s str) -> String {
        let roles = self.texts.roles;
        let end = roles.end(part::root(roles, defined));
        match roles.is_own(end) {
            true => self.texts.unmarked(end, at),
            false => self.texts.around(roles.inner_mark(end), self.texts.inner(end, at)),
        }
    }

    /// The derives that fit a type.
    fn derives(&self, at: usize, own: usize) -> Vec<String> {
        let has = |flags: &[bool]| flags.get(at).copied().unwrap_or_default();
        let is_exact = !has(&self.texts.graph.have_floats);
        let is_plain = match self.texts.roles.body(own) {
            Some(Body::Sum(variants, _)) => variants.list.iter().all(|it| it.ty.is_none()),
            Some(Body::Int(_)) => true,
            _ => false,
        };
        self.texts.roles.options.derives(&[
            ("Clone", true),
            ("Copy", is_plain),
            ("Debug", true),
            ("Default", !has(&self.texts.graph.lack_defaults)),
            ("PartialEq", true),
            ("Eq", is_exact),
            ("Hash", is_exact),
        ])
    }

    fn with(&self, mark: Option<Mark>) -> Option<String> {
        let mark = mark.filter(|_| !self.texts.roles.options.newtypes);
        mark.map(|mark| argument("with", &format!("with::{}", mark.keyword())))
    }

    /// The arguments of serde for a type, and the type.
    fn cell(&self, id: usize, at: usize) -> Cell {
        let text = self.texts.unmarked(id, at);
        let borrow = borrow(&text).into_iter();
        (borrow.chain(self.with(self.texts.roles.mark(id))).collect(), text)
    }

    fn fields(&mut self, at: usize, own: usize, members: &[Member]) -> Vec<RustMember> {
        let owner = self.texts.name(Key::Own(own));
        let is_row = self.rows.contains(&own);
        let mut given = Names::default();
        let mut fields = Vec::new();
        for member in members {
            let name = given.one(field_name(&member.name));
            let mut docs = markdown(&member.docs);
            let mut serde: Vec<String> = renamed(&name, &member.name).into_iter().collect();
            let ty = match &member.presence {
                Presence::Optional => {
                    let ty = self.texts.wrapped(written(self.texts.roles, member), at);
                    serde.extend(borrow(&ty));
                    serde.extend(self.with(Some(Mark::Optional)));
                    serde.push("default".to_owned());
                    let newtypes = self.texts.roles.options.newtypes;
                    self.uses_optional |= newtypes;
                    format!("{}<{ty}>", if newtypes { OPTIONAL } else { "Option" })
                }
                presence => {
                    let id = member.ty.unwrap_or_default();
                    let (arguments, ty) = self.cell(id, at);
                    serde.extend(arguments);
                    if let Presence::Default(ocaml) = presence {
                        let called = format!("{owner}_{}", unescaped(&name));
                        let place = Place { id, at, called, may_lack: !is_row };
                        match self.default(&place, ocaml.as_deref()) {
                            Some(arguments) => serde.extend(arguments),
                            None => note_default(&mut docs, ocaml.as_deref()),
                        }
                    }
                    ty
                }
            };
            fields.push(RustMember { docs, serde, text: format!("pub {name}: {ty}") });
        }
        fields
    }

    fn variants(&mut self, at: usize, own: usize, members: &[Member]) -> Vec<RustMember> {
        let owner = self.texts.name(Key::Own(own));
        let mut variants = Vec::new();
        for (place, member) in members.iter().enumerate() {
            let name = self.texts.variant(own, place).unwrap_or_default().to_owned();
            let values =
                match member.ty.map(|argument| (argument, self.texts.roles.spread(argument))) {
                    None => String::new(),
                    Some((_, Some(spread))) => {
                        cells(&self.cells(at, &format!("{owner}_{name}"), spread), "")
                    }
                    Some((argument, None)) => cells(&[self.cell(argument, at)], ""),
                };
            let serde = renamed(&name, &member.name).into_iter().collect();
            let docs = markdown(&member.docs);
            variants.push(RustMember { docs, serde, text: name + &values });
        }
        variants
    }

    /// The cells of a tuple. Those at its end may have defaults.
    fn cells(&mut self, at: usize, called: &str, cells: &[Part]) -> Vec<Cell> {
        let required = cells.iter().rposition(|cell| cell.default.is_none());
        let mut fields = Vec::new();
        for (number, cell) in cells.iter().enumerate() {
            let (mut serde, ty) = self.cell(cell.ty, at);
            if required.is_none_or(|last| number > last) {
                let called = format!("{called}_{number}");
                let place = Place { id: cell.ty, at, called, may_lack: false };
                serde.extend(self.default(&place, cell.default.as_deref()).unwrap_or_default());
            }
            fields.push((serde, ty));
        }
        fields
    }

    /// The arguments of serde for a default: what the expression is or, without one, what is empty, zero or
    /// false.
    fn default(&mut self, place: &Place, ocaml: Option<&str>) -> Option<Vec<String>> {
        let roles = self.texts.roles;
        let value = match ocaml {
            Some(ocaml) => literal(&self.texts, place.id, ocaml)?,
            None => match roles.usage(place.id) {
                // Whether it has a default depends on what the user derives.
                Use::Own(own) => {
                    let zero = match roles.body(own) {
                        Some(Body::Int(Int::Char)) => "'\\0'",
                        Some(Body::Int(_)) => "0",
                        _ => "Default::default()",
                    };
                    format!("{}({zero})", self.texts.name(Key::Own(own)))
                }
                _ => String::new(),
            },
        };
        let is_left_out = place.may_lack && self.is_left_out(place.id, &value);
        if value.is_empty() || is_zero(&value) {
            let mut arguments = Vec::from(["default".to_owned()]);
            if is_left_out {
                let test = self.zero_test(place.id);
                arguments.push(argument("skip_serializing_if", test));
            }
            return Some(arguments);
        }
        let name = self.names.one(snake_case(&place.called));
        let mut arguments = Vec::from([argument("default", &name)]);
        let ty = self.texts.unmarked(place.id, place.at).replace("'a", "'static");
        let boxed = self.texts.boxed(place.id, place.at, value.clone());
        self.function(&name, "", &ty, &boxed);
        if is_left_out {
            let name = self.names.one(format!("is_{}", snake_case(&place.called)));
            arguments.push(argument("skip_serializing_if", &name));
            // Rust looks into a box by itself.
            let ty = self.texts.unboxed(place.id, place.at).replace("<'a>", "<'_>");
            let test = self.test(place.id, &value);
            self.function(&name, &format!("value: &{ty}"), "bool", &test);
        }
        Some(arguments)
    }

    fn function(&mut self, name: &str, takes: &str, gives: &str, body: &str) {
        let text = format!("\nfn {name}({takes}) -> {gives} {{\n    {body}\n}}\n");
        self.functions.push_str(&text);
    }

    /// Whether `value` is that default.
    fn test(&self, id: usize, default: &str) -> String {
        let roles = self.texts.roles;
        match (roles.usage(id), roles.body(roles.end(id))) {
            (Use::Own(_), Some(Body::List(_) | Body::Object(_))) => "value.0.is_empty()".to_owned(),
            (Use::Own(_), Some(Body::Option(_) | Body::Nullable(_))) => {
                "value.0.is_none()".to_owned()
            }
            _ if default == "true" => "*value".to_owned(),
            (Use::Own(_), Some(Body::Int(_))) => format!("matches!(value, {default})"),
            _ if default.contains("::") => format!("matches!(value, {default})"),
            _ => format!("*value == {default}"),
        }
    }

    /// Whether OCaml leaves out a field for such a default: it compares what values are in memory, so it does so
    /// where they need none of their own.
    fn is_left_out(&self, id: usize, value: &str) -> bool {
        let roles = self.texts.roles;
        match (roles.usage(id), roles.body(roles.end(id))) {
            (Use::Chosen(_), _) => false,
            // Those of their own that have a default: variants, and what is empty.
            (Use::Own(_), Some(Body::Sum(..) | Body::List(_) | Body::Object(_))) => true,
            (Use::Own(_), Some(Body::Option(_) | Body::Nullable(_))) => true,
            (_, Some(Body::Int(int))) => !matches!(int, Int::Int32 | Int::Int64),
            (Use::Own(_), _) => false,
            (_, Some(Body::Unit | Body::Bool)) => true,
            // With its mark around it, it is no list or option by itself.
            (Use::Alias(_), _) if roles.inner_mark(roles.end(id)).is_some() => false,
            (_, Some(Body::List(_) | Body::Object(_) | Body::Option(_) | Body::Nullable(_))) => {
                value.is_empty() || is_zero(value)
            }
            _ => false,
        }
    }

    /// The path of a function that tests for what is empty, zero or false.
    fn zero_test(&mut self, id: usize) -> &'static str {
        let roles = self.texts.roles;
        match roles.body(roles.end(id)) {
            Some(Body::List(_) | Body::Object(_)) => "Vec::is_empty",
            Some(Body::Option(_) | Body::Nullable(_)) => "Option::is_none",
            _ => {
                self.uses_zero = true;
                IS_DEFAULT
            }
        }
    }
}

/// What has a default.
struct Place {
    id: usize,
    at: usize,
    /// What the function is called after that makes the default.
    called: String,
    may_lack: bool,
}

/// The argument of serde for a type that has a lifetime.
fn borrow(ty: &str) -> Option<String> {
    ty.contains("'a").then(|| "borrow".to_owned())
}

/// States that a field has to be there, though OCaml may leave it out.
fn note_default(docs: &mut String, ocaml: Option<&str>) {
    if !docs.is_empty() {
        docs.push_str("\n\n");
    }
    let ocaml = ocaml.unwrap_or_default().lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let code = if ocaml.contains('`') { ocaml } else { format!("`{ocaml}`") };
    docs.push_str(&format!("OCaml may leave it out for {code}. Here it has to be there."));
}

/// The text of a documentation as Rust has it: code is between other signs.
fn markdown(docs: &str) -> String {
    let escaped = [("\\\\", "\u{1}"), ("\\{", "\u{2}"), ("\\}", "\u{3}")];
    let code = ["{{{", "}}}", "{{", "}}"].map(|sign| (sign, "`"));
    let signs = [("\u{1}", "\\"), ("\u{2}", "{"), ("\u{3}", "}")];
    let all = escaped.into_iter().chain(code).chain(signs);
    all.fold(docs.to_owned(), |text, (from, to)| text.replace(from, to))
}
