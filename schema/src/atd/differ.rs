//! Where the bytes of a Rust type differ from those of a schema.

use std::collections::BTreeSet;

use fourfold::biniou::wire::hash;
use serde_core::de::Deserialize;

use super::of::{self, Form, PartId, Traced};
use super::shape::{Cells, Field, Fields, Float, Int, Presence, Shape, Type, Variants};
use super::{Mismatches, Schema};
use crate::common::{Verdict, listed};
use crate::trace::{Graph, Way};

impl Schema {
    /// Checks that a Rust type has the bytes of a type of this schema.
    ///
    /// The order of fields counts, since it is that of the bytes, although readers take any. An integer that the
    /// mark or the type cannot hold is no mismatch, nor is text that is not UTF-8, nor which value is written for a
    /// field that is not there. Which cells of a tuple need not be there is not looked at. A variant with an `alias`
    /// shows as two. An `abstract` type is whatever the Rust type is.
    ///
    /// ```
    /// use fourfold_schema::atd::Schema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// struct Entry {
    ///     code: u16,
    ///     user: Option<String>,
    /// }
    ///
    /// let schema = Schema::parse("type entry = { code : int; ?user : string option }")?;
    /// let mismatches = schema.check::<Entry>("entry").unwrap_err();
    /// assert_eq!(
    ///     mismatches.to_string(),
    ///     "code: the schema has an svint, the type is a uvint: mark it with `biniou::with::svint`\n\
    ///      user: the schema leaves it out for `None`: \
    ///      mark it with `biniou::with::optional`, and add `#[serde(default)]`",
    /// );
    /// # Ok::<(), fourfold_schema::atd::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// All places where the bytes differ, or where the type refuses what the schema lets be left out; and those
    /// that [`biniou::check`](crate::atd::check) names.
    pub fn check<'de, T: Deserialize<'de>>(&self, name: &str) -> Result<(), Mismatches> {
        let traced = Traced::new(&Graph::with_defaults::<T>());
        let mut checking = Checking { traced: &traced, way: Way::new() };
        match self.get(name) {
            Some(ty) => checking.part(traced.root, ty),
            None => checking.way.add(self.no_type(name).to_string(), None),
        }
        let differences = checking.way.report.into_mismatches();
        Mismatches::none_of([traced.errors, differences].concat())
    }
}

/// Checks which values of a Rust type come back equal from biniou, without a value of it.
///
/// Only reading is traced. What it does in writing alone is not seen: `skip_serializing_if`, a skipped
/// variant before others, a `Serialize` that does not match. Nor is what the variants of an adjacently tagged
/// enum hold.
///
/// The verdict is [`SomeValues`](Verdict::SomeValues) where a value without what is refused comes back: a `None`, an
/// empty list, another variant. So it is where something cannot be seen.
///
/// Types that call `deserialize_any`, by `untagged`, `tag` or `flatten`, come back if what they hold has no names:
/// numbers, text, lists and options. The type does not show that, so the verdict is `SomeValues`.
///
/// ```
/// use fourfold::biniou;
/// use fourfold_schema::atd;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Note {
///     #[serde(with = "biniou::with::int8")]
///     name: String,
///     #[serde(with = "biniou::with::optional")]
///     user: Option<String>,
/// }
///
/// assert_eq!(
///     atd::check::<Note>().to_string(),
///     "never\n\
///      name: the mark `int8` fits integers and lists of them, not text: remove the mark\n\
///      user: is left out for `None`, and refused where it is not there: add `#[serde(default)]`",
/// );
/// ```
pub fn check<'de, T: Deserialize<'de>>() -> Verdict {
    Traced::new(&Graph::with_defaults::<T>()).verdict
}

struct Checking<'t> {
    traced: &'t Traced,
    /// Compares each part of the type once with a type of the schema, identified by its place.
    way: Way<(PartId, usize)>,
}

/// What messages call a type.
pub(super) fn kind(ty: Type<'_>) -> &'static str {
    match ty.unwrapped() {
        Shape::Unit => "unit",
        Shape::Bool => "bool",
        Shape::Int(int) => int.tag().name(),
        Shape::Float(float) => float.tag().name(),
        Shape::String => "string",
        Shape::Abstract | Shape::Wrap(_) => "abstract type",
        Shape::Record(_) => "record",
        Shape::Sum(_) => "sum type",
        Shape::Tuple(_) => "tuple",
        Shape::List(_) | Shape::Object(_) => "list",
        Shape::Table(_) => "table",
        Shape::Option(_) | Shape::Nullable(_) => "option",
    }
}

/// The same with an article.
fn called(ty: Type<'_>) -> String {
    match ty.unwrapped() {
        Shape::Tuple(cells) => tuple(cells.len()),
        _ => one(kind(ty)),
    }
}

fn one(kind: &str) -> String {
    let is_vowel = kind == "svint" || kind.starts_with(['a', 'i', 'o']);
    format!("{} {kind}", if is_vowel { "an" } else { "a" })
}

fn tuple(cells: usize) -> String {
    format!("a tuple of {cells} cells")
}

impl Form {
    /// What messages call it.
    pub(super) fn name(&self) -> String {
        one(match self {
            Form::Unit => "unit",
            Form::Bool => "bool",
            Form::Int(int) => int.tag().name(),
            Form::Float(float) => float.tag().name(),
            Form::String => "string",
            Form::Record(_) => "record",
            Form::Sum(_) => "sum type",
            Form::Tuple(cells) => return tuple(cells.len()),
            Form::Array(_, count) => return tuple(*count),
            Form::List(_) => "list",
            Form::Table(_) => "table",
            Form::Option(_) => "option",
            Form::Shared => "shared value",
            Form::Any => return "any value".into(),
            Form::Tagged => return "the content of an adjacently tagged enum".into(),
            Form::Lost => return "nothing".into(),
        })
    }
}

impl Checking<'_> {
    fn step(&mut self, step: &str, part: PartId, ty: Type<'_>) {
        self.within(step, |checking| checking.part(part, ty));
    }

    fn within(&mut self, step: &str, look: impl FnOnce(&mut Self)) {
        if let Some(length) = self.way.enter(step) {
            look(self);
            self.way.leave(length);
        }
    }

    /// Compares a part of the type with a type of the schema.
    fn part(&mut self, id: PartId, ty: Type<'_>) {
        let key = (id, ty.bare().0);
        if let Some(start) = self.way.report.start(key) {
            self.compare(&self.traced.get(id).form, ty);
            self.way.report.finish(key, start);
        }
    }

    fn compare(&mut self, form: &Form, ty: Type<'_>) {
        match (form, ty.unwrapped()) {
            (Form::Lost, _) | (_, Shape::Abstract) | (Form::Unit, Shape::Unit) => {}
            (Form::Bool, Shape::Bool) | (Form::String, Shape::String) => {}
            (Form::Int(own), Shape::Int(int)) if own.tag() == int.tag() => {}
            (Form::Float(own), Shape::Float(float)) if *own == float => {}
            (Form::Record(own), Shape::Record(fields)) => {
                self.way.report.enter_definition();
                self.fields(own, fields);
                self.way.report.leave_definition();
            }
            (Form::Sum(own), Shape::Sum(variants)) => {
                self.way.report.enter_definition();
                self.variants(own, variants);
                self.way.report.leave_definition();
            }
            (Form::Tuple(own), Shape::Tuple(cells)) if own.len() == cells.len() => {
                self.cells(own.iter().copied(), cells);
            }
            (Form::Array(item, count), Shape::Tuple(cells)) if *count == cells.len() => {
                self.cells(core::iter::repeat_n(*item, *count), cells);
            }
            (Form::List(item), Shape::List(ty) | Shape::Object(ty))
            | (Form::Table(item), Shape::Table(ty)) => self.step("[]", *item, ty),
            (Form::Option(inner), Shape::Option(ty) | Shape::Nullable(ty)) => {
                self.step("", *inner, ty);
            }
            _ => self.differ(form, ty),
        }
    }

    /// Reports a part of another kind, with the fix.
    fn differ(&mut self, form: &Form, ty: Type<'_>) {
        let with = |word: &str| Some(format!("mark it with `biniou::with::{word}`"));
        let fix = match (form, ty.unwrapped()) {
            (Form::Shared, _) => Some("leave out the mark `shared`".to_owned()),
            // The bytes of a char are those of an int8, which marks integers.
            (Form::Int(_), Shape::Int(Int::Char)) => with("int8"),
            (Form::Int(_), Shape::Int(int)) => with(int.mark().keyword()),
            (Form::Float(_), Shape::Float(Float::Float32)) => with("float32"),
            (Form::Float(_), Shape::Float(Float::Float64)) => {
                Some("make it an `f64` without a mark".to_owned())
            }
            (Form::String, Shape::Int(Int::Char)) => with("char"),
            (Form::List(_), Shape::Table(_)) => with("table"),
            (Form::Table(_), Shape::List(_) | Shape::Object(_)) => {
                Some("leave out the mark `table`".to_owned())
            }
            (Form::Tuple(_) | Form::Array(..), Shape::List(_) | Shape::Object(_)) => {
                Some("make it a `Vec`".to_owned())
            }
            (Form::List(_), Shape::Tuple(_)) => Some("make it a tuple".to_owned()),
            (_, Shape::Option(_) | Shape::Nullable(_)) => Some("make it an `Option`".to_owned()),
            (Form::Option(_), _) => Some("make it no `Option`".to_owned()),
            _ => None,
        };
        self.way.add(format!("the schema has {}, the type is {}", called(ty), form.name()), fix);
    }

    fn cells(&mut self, own: impl Iterator<Item = PartId>, cells: Cells<'_>) {
        for ((at, part), cell) in own.enumerate().zip(cells.iter()) {
            self.step(&format!("{at}"), part, cell.ty());
        }
    }

    fn fields(&mut self, own: &[of::Field], fields: Fields<'_>) {
        let place = |field: &of::Field| fields.with_hash(hash(field.name)).map(|(at, _)| at);
        let places: Vec<usize> = own.iter().filter_map(place).collect();
        let missing = fields.iter().enumerate().filter(|(at, _)| !places.contains(at));
        let missing: Vec<&str> = missing.map(|(_, field)| field.name()).collect();
        self.missing("field", &missing);
        if !places.is_sorted() {
            let order: Vec<&str> = fields.iter().map(|field| field.name()).collect();
            let fix = format!("their order is {}", order.join(", "));
            self.way.add("the fields are in another order".to_owned(), Some(fix));
        }
        for field in own {
            let found = fields.with_hash(hash(field.name));
            self.within(field.name, |checking| match found {
                Some((_, expected)) => checking.field(field, expected),
                None => checking.way.add("the schema has no such field".to_owned(), None),
            });
        }
    }

    /// Reports what only the schema has.
    fn missing(&mut self, what: &str, names: &[&str]) {
        if !names.is_empty() {
            let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let error = listed(what, &quoted, "missing");
            self.way.add(error, Some(format!("add {}", names.join(", "))));
        }
    }

    fn field(&mut self, own: &of::Field, field: Field<'_>) {
        match (own.is_optional, field.presence()) {
            (false, Presence::Optional) => {
                let is_option = matches!(self.traced.get(own.part).form, Form::Option(_));
                let fix = match is_option {
                    true => "mark it with `biniou::with::optional`, and add `#[serde(default)]`",
                    false => {
                        "make it an `Option`, mark it with `biniou::with::optional`, and add \
                         `#[serde(default)]`"
                    }
                };
                self.way
                    .add("the schema leaves it out for `None`".to_owned(), Some(fix.to_owned()));
                if is_option {
                    self.part(own.part, field.ty());
                }
            }
            (true, Presence::Required | Presence::Default(_)) => {
                let fix = "leave out the mark `optional`".to_owned();
                self.way.add("the schema does not leave it out for `None`".to_owned(), Some(fix));
            }
            (_, presence) => {
                if own.is_required && matches!(presence, Presence::Default(_)) {
                    let error = "the schema may leave it out, the type refuses that".to_owned();
                    self.way.add(error, Some("add `#[serde(default)]`".to_owned()));
                }
                self.part(own.part, field.written());
            }
        }
    }

    fn variants(&mut self, own: &[of::Variant], variants: Variants<'_>) {
        let known: BTreeSet<u32> = own.iter().map(|variant| hash(variant.name)).collect();
        let missing = variants.iter().filter(|variant| !known.contains(&variant.hash()));
        let missing: Vec<&str> = missing.map(|variant| variant.name()).collect();
        self.missing("variant", &missing);
        for variant in own {
            let found = variants.with_hash(hash(variant.name));
            self.within(variant.name, |checking| {
                let Some(expected) = found else {
                    return checking.way.add("the schema has no such variant".to_owned(), None);
                };
                match (variant.argument, expected.argument()) {
                    (Some(part), Some(ty)) => checking.part(part, ty),
                    (None, None) => {}
                    (Some(_), None) => {
                        checking
                            .way
                            .add("the schema has no argument, the type has one".into(), None);
                    }
                    (None, Some(ty)) => {
                        let error = format!("the schema has {}, the type no argument", called(ty));
                        checking.way.add(error, None);
                    }
                }
            });
        }
    }
}
