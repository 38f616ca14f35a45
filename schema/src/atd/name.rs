//! A schema for a Rust type: names for all types, fields and variants.

use std::collections::{BTreeMap, BTreeSet};

use serde_core::de::Deserialize;

use super::annotation::is_keyword;
use super::check::PREDEFINED;
use super::lexer::{Lexer, Token};
use super::number::{Float, Int};
use super::of::{Field, Form, PartId, Traced, Variant};
use super::{Mismatch, Mismatches, Schema};
use crate::common::rust::{Names, snake_case};
use crate::trace::{Graph, enter};

/// The schema of a Rust type, without a value of it. The type itself is the last of [`Schema::types`]; it is called
/// `t` if it has no name.
///
/// Structs, enums and newtypes have their serde names, without marks, in the case of OCaml. A field that the
/// type has a default for is a `~field`, if atdgen has a default for its type: that the two are the same cannot be
/// seen. If they are not, give atdgen yours, by `<ocaml default="..">`.
///
/// ```
/// use fourfold::biniou;
/// use fourfold_schema::atd;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct LogEntry {
///     #[serde(with = "biniou::with::int16")]
///     code: u16,
///     #[serde(with = "biniou::with::optional", default)]
///     user: Option<String>,
///     #[serde(default)]
///     tags: Vec<(String, u64)>,
/// }
///
/// let schema = atd::schema_of::<LogEntry>()?;
/// assert_eq!(
///     schema.to_string(),
///     "type log_entry = {\n  \
///        code : int <biniou repr=\"int16\">;\n  \
///        ?user : string option;\n  \
///        ~tags : (string * int <biniou repr=\"uvint\">) list;\n\
///      }\n",
/// );
/// # Ok::<(), atd::Mismatches>(())
/// ```
///
/// # Errors
///
/// The mismatches of [`check`](super::check()); names of fields and variants that OCaml has no such names for; and what
/// atdgen has no type for: tuples of less than two cells, structs without fields, enums without variants, shared
/// values, a [`Value`](fourfold::biniou::Value), the content of adjacently tagged enums.
pub fn schema_of<'de, T: Deserialize<'de>>() -> Result<Schema, Mismatches> {
    let traced = Traced::new(&Graph::with_defaults::<T>());
    Mismatches::none_of(traced.errors.clone())?;
    let mut naming = Naming {
        traced: &traced,
        names: BTreeMap::new(),
        given: Names::default(),
        open: BTreeSet::new(),
        errors: Vec::new(),
        path: String::new(),
        text: String::new(),
    };
    let root = naming.ty(traced.root, "t");
    if !naming.names.contains_key(&traced.root) {
        let name = naming.given.one("t".into());
        naming.text.push_str(&format!("type {name} = {root}\n"));
    }
    Mismatches::none_of(naming.errors)?;
    Schema::parse(&naming.text)
        .map_err(|error| Mismatches::one(Mismatch::new("", error.to_string(), None)))
}

struct Naming<'t> {
    traced: &'t Traced,
    /// Types that have a definition.
    names: BTreeMap<PartId, String>,
    given: Names,
    /// Types without a name whose parts are being named.
    open: BTreeSet<PartId>,
    errors: Vec<Mismatch>,
    path: String,
    text: String,
}

/// The name of a type in OCaml.
fn type_name(name: &str) -> String {
    let sound: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let mut cased = snake_case(&sound);
    // Others are not shown by what atdgen makes.
    if cased.starts_with('_') {
        cased.insert(0, 't');
    }
    if is_keyword(&cased) || PREDEFINED.iter().any(|(known, _)| *known == cased) {
        cased.push('_');
    }
    cased
}

/// Whether a name is one token of the language, and nothing else.
fn is_token(name: &str, is_kind: impl FnOnce(Token<'_>) -> bool) -> bool {
    let mut lexer = Lexer::new(name);
    let first = lexer.take().is_ok_and(|(token, _)| is_kind(token));
    first && matches!(lexer.take(), Ok((Token::End, _))) && !name.contains(char::is_whitespace)
}

const fn int(int: Int) -> &'static str {
    match int {
        Int::Svint => "int",
        Int::Uvint => "int <biniou repr=\"uvint\">",
        Int::Int8 => "int <biniou repr=\"int8\">",
        Int::Int16 => "int <biniou repr=\"int16\">",
        Int::Char => "int <ocaml repr=\"char\"> <biniou repr=\"int8\">",
        Int::Int32 => "int <ocaml repr=\"int32\"> <biniou repr=\"int32\">",
        Int::Int64 => "int <ocaml repr=\"int64\"> <biniou repr=\"int64\">",
    }
}

/// Whether atdgen has a default for such a type that Rust does not have anyway.
const fn has_default(form: &Form) -> bool {
    matches!(
        form,
        Form::Unit
            | Form::Bool
            | Form::Int(_)
            | Form::Float(_)
            | Form::String
            | Form::List(_)
            | Form::Table(_)
    )
}

/// What is after the rows of a table: code for another kind of list does not compile in OCaml.
const TABLE: &str = " list <ocaml repr=\"array\"> <biniou repr=\"table\">";

/// Tuples are no longer in text. Arrays of arrays would be, since all cells are written.
const LONGEST_TUPLE: usize = 1 << 16;

impl Naming<'_> {
    #[cold]
    fn lose(&mut self, error: &str, fix: Option<&str>) -> String {
        self.errors.push(Mismatch::new(&self.path, error.into(), fix.map(String::from)));
        "unit".into()
    }

    fn step(&mut self, step: &str, part: PartId, hint: &str) -> String {
        let length = enter(&mut self.path, step);
        let ty = self.ty(part, hint);
        self.path.truncate(length);
        ty
    }

    /// How a part is written where it is used. One with a name is defined before, if it is new; `hint` is for what
    /// needs one and has none.
    fn ty(&mut self, id: PartId, hint: &str) -> String {
        if let Some(name) = self.names.get(&id) {
            return name.clone();
        }
        let part = self.traced.get(id);
        let needs_name = matches!(part.form, Form::Record(_) | Form::Sum(_));
        match part.name.or(needs_name.then_some(hint)) {
            Some(name) => {
                let name = self.given.one(type_name(name));
                self.names.insert(id, name.clone());
                let body = self.body(&part.form, &name);
                self.text.push_str(&format!("type {name} = {body}\n"));
                name
            }
            None if !self.open.insert(id) => {
                self.lose("contains itself and has no name", Some("give its newtype a name"))
            }
            None => {
                let body = self.body(&part.form, hint);
                self.open.remove(&id);
                body
            }
        }
    }

    fn body(&mut self, form: &Form, name: &str) -> String {
        match form {
            Form::Unit => "unit".into(),
            Form::Bool => "bool".into(),
            Form::Int(kind) => int(*kind).into(),
            Form::Float(Float::Float32) => "float <biniou repr=\"float32\">".into(),
            Form::Float(Float::Float64) => "float".into(),
            Form::String => "string".into(),
            Form::List(item) => self.step("[]", *item, name) + " list",
            Form::Table(row) => self.step("[]", *row, name) + TABLE,
            Form::Option(inner) => self.ty(*inner, name) + " option",
            Form::Tuple(cells) => {
                let cells = cells.iter().enumerate();
                let cells = cells.map(|(at, cell)| self.step(&at.to_string(), *cell, name));
                let cells: Vec<String> = cells.collect();
                self.tuple(&cells)
            }
            Form::Array(item, count) => {
                let item = self.step("[]", *item, name);
                match item.len().saturating_mul(*count) > LONGEST_TUPLE {
                    true => self
                        .lose("has too many cells for a tuple of OCaml", Some("make it a `Vec`")),
                    false => self.tuple(&vec![item; *count]),
                }
            }
            Form::Record(fields) => self.record(fields, name),
            Form::Sum(variants) => self.sum(variants, name),
            Form::Shared => {
                self.lose("atdgen 2.10 has no shared types", Some("leave out the mark `shared`"))
            }
            Form::Any => self.lose("any value may be here, which a schema cannot express", None),
            Form::Tagged => self.lose(
                "the type here depends on the tag of the enum, which a schema cannot express",
                Some("leave out `tag` and `content` of the enum"),
            ),
            // Already reported.
            Form::Lost => "unit".into(),
        }
    }

    fn tuple(&mut self, cells: &[String]) -> String {
        match cells.len() {
            0 | 1 => self.lose("a tuple of OCaml has at least two cells", None),
            _ => format!("({})", cells.join(" * ")),
        }
    }

    fn record(&mut self, fields: &[Field], name: &str) -> String {
        if fields.is_empty() {
            return self.lose("a record of OCaml has at least one field", None);
        }
        let mut body = String::from("{");
        for field in fields {
            let length = enter(&mut self.path, field.name);
            if !is_token(field.name, |token| matches!(token, Token::Lower(_))) {
                let fix = "rename it: fields begin with a small letter, have letters, digits and `_`, and are not \
                            `of`, `type` or `inherit`";
                self.lose("OCaml has no such name for a field", Some(fix));
            }
            let ty = self.ty(field.part, &format!("{name}_{}", field.name));
            self.path.truncate(length);
            let (sign, option) = match field.is_optional {
                true => ("?", " option"),
                false if field.has_default && has_default(&self.traced.get(field.part).form) => {
                    ("~", "")
                }
                false => ("", ""),
            };
            let own = field.name;
            // In the bytes it is as it was.
            let other = match is_keyword(own) {
                true => {
                    let mut other = format!("{own}_");
                    while fields.iter().any(|field| field.name == other) {
                        other.push('_');
                    }
                    format!(" <ocaml name=\"{other}\">")
                }
                false => String::new(),
            };
            body.push_str(&format!(" {sign}{own}{other} : {ty}{option};"));
        }
        body + " }"
    }

    fn sum(&mut self, variants: &[Variant], name: &str) -> String {
        if variants.is_empty() {
            return self.lose("a sum type of OCaml has at least one variant", None);
        }
        let mut body = String::from("[");
        for variant in variants {
            let length = enter(&mut self.path, variant.name);
            if !is_token(variant.name, |token| matches!(token, Token::Upper(_))) {
                let fix = "rename it: variants begin with a capital letter, and have letters, digits and `_`";
                self.lose("OCaml has no such name for a variant", Some(fix));
            }
            body.push_str(&format!(" | {}", variant.name));
            if let Some(argument) = variant.argument {
                let ty = self.ty(argument, &format!("{name}_{}", variant.name));
                body.push_str(&format!(" of {ty}"));
            }
            self.path.truncate(length);
        }
        body + " ]"
    }
}
