//! Where the bytes of a Rust type differ from those of a schema.

use std::collections::BTreeSet;

use serde_core::de::Deserialize;

use super::fix::{self, Pairs};
use super::of::{Form, Item, Marked, Part, PartId, Traced};
use super::{Fields, Items, Schema, Shape, Type};
use crate::common::{Mismatches, Verdict};
use crate::count::Things;
use crate::trace::{Graph, Way};

impl Schema {
    /// Checks that a Rust type has the bytes of a type of this schema.
    ///
    /// Names are compared where that shows an order: a type with the same names of fields or variants in
    /// another order is no match. Otherwise a field is what is in its place. Values that a schema lets a
    /// fixed part have, and the type does not (a `bool` beyond 1), are no mismatch.
    ///
    /// ```
    /// use fourfold_schema::mol::Schema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// struct OutPoint {
    ///     tx_hash: [u8; 32],
    ///     index: u32,
    /// }
    ///
    /// let schema = Schema::parse("
    ///     array Byte32 [byte; 32];
    ///     array Uint32 [byte; 4];
    ///     struct OutPoint { tx_hash: Byte32, index: Uint32, }
    /// ")?;
    /// let mismatches = schema.check::<OutPoint>("OutPoint").unwrap_err();
    /// assert_eq!(
    ///     mismatches.to_string(),
    ///     "the schema has struct `OutPoint` of 36 bytes, the type is a table: \
    ///      mark it `struct.OutPoint`",
    /// );
    /// # Ok::<(), fourfold_schema::mol::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// All places where the bytes differ, also where no value of the type can be made up to look.
    pub fn check<'de, T: Deserialize<'de>>(&self, name: &str) -> Result<(), Mismatches> {
        let traced = Traced::new(&Graph::of::<T>());
        let mut checking = Checking { traced: &traced, way: Way::new() };
        match self.get(name) {
            Some(ty) => checking.part(traced.root, ty),
            None => checking.way.add(self.no_type(name).to_string(), None),
        }
        let differences = checking.way.report.into_mismatches();
        Mismatches::none_of([traced.errors, differences].concat())
    }
}

/// Checks which values of a Rust type come back equal from Molecule, without a value of it.
///
/// Only reading is traced. What it does in writing alone is not seen: `skip_serializing_if`, a skipped
/// variant before others, a `Serialize` that does not match. Nor is what the variants of an adjacently tagged
/// enum hold, except that unit variants are refused.
///
/// The verdict is [`SomeValues`](Verdict::SomeValues) where a value without what is refused comes back: a `None`, an
/// empty list, another variant. So it is where something cannot be seen.
///
/// ```
/// use fourfold_schema::mol;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// #[serde(rename = "struct.Cell")]
/// struct Cell {
///     capacity: u64,
///     note: String,
/// }
///
/// assert_eq!(
///     mol::check::<Cell>().to_string(),
///     "never\n\
///      note: a fixvec is dynamic, and what is around it is packed",
/// );
/// ```
pub fn check<'de, T: Deserialize<'de>>() -> Verdict {
    Traced::new(&Graph::of::<T>()).verdict
}

struct Checking<'t> {
    traced: &'t Traced,
    /// Compares each part of the type once with a type of the schema, identified by its name.
    way: Way<(PartId, *const u8)>,
}

/// The schema's side in a message.
pub(super) fn called(ty: Type<'_>) -> String {
    let kind = match ty.shape() {
        Shape::Byte => return "a byte".to_owned(),
        Shape::Array(..) => "array",
        Shape::Struct(_) => "struct",
        Shape::FixVec(_) => "fixvec",
        Shape::DynVec(_) => "dynvec",
        Shape::Table(_) => "table",
        Shape::Option(_) => "option",
        Shape::Union(_) => "union",
    };
    match ty.size() {
        Some(size) => format!("{kind} `{}` of {size} bytes", ty.name()),
        None => format!("{kind} `{}`", ty.name()),
    }
}

impl Form {
    /// What messages call it.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Form::Scalar(name) => name,
            Form::Array(..) => "an array",
            Form::Struct(..) => "a struct",
            Form::FixVec(..) => "a fixvec",
            Form::DynVec(..) => "a dynvec",
            Form::Table(_) => "a table",
            Form::Option(_) => "an option",
            Form::Union(_) => "a union",
            Form::Raw => "a lazy value",
            Form::Tagged => "the content of an adjacently tagged enum",
            Form::Lost => "nothing",
        }
    }
}

impl Checking<'_> {
    fn step(&mut self, step: &str, part: PartId, ty: Type<'_>) {
        if let Some(length) = self.way.enter(step) {
            self.part(part, ty);
            self.way.leave(length);
        }
    }

    /// Compares a part of the type with a type of the schema.
    fn part(&mut self, id: PartId, ty: Type<'_>) {
        let key = (id, ty.name().as_ptr());
        if let Some(start) = self.way.report.start(key) {
            self.compare(self.traced.get(id), ty);
            self.way.report.finish(key, start);
        }
    }

    fn compare(&mut self, part: &Part, ty: Type<'_>) {
        match (&part.form, ty.shape()) {
            // A lazy value has the bytes of whatever is there.
            (Form::Lost | Form::Raw | Form::Tagged, _) => {}
            (Form::Struct(fields, _), Shape::Struct(expected)) => {
                self.record(part, fields, expected);
            }
            (Form::Array(item, count), Shape::Array(expected, length)) if *count == length => {
                self.step("[]", *item, expected);
            }
            (_, Shape::Byte | Shape::Array(..) | Shape::Struct(_)) if part.size == ty.size() => {}
            (Form::Table(fields), Shape::Table(expected)) => self.record(part, fields, expected),
            (Form::FixVec(item, _), Shape::FixVec(expected)) => self.step("[]", *item, expected),
            (Form::DynVec(item, marked), Shape::DynVec(expected)) => {
                if *marked == Marked::No {
                    let error = format!("an empty {} has no mark and is a fixvec", called(ty));
                    self.way.add(error, Some(fix::DYNVEC.to_owned()));
                }
                self.step("[]", *item, expected);
            }
            (Form::Option(inner), Shape::Option(expected)) => self.step("", *inner, expected),
            (Form::Union(items), Shape::Union(expected)) => {
                self.way.report.enter_definition();
                self.union(part, items, expected);
                self.way.report.leave_definition();
            }
            _ => self.differ(part, ty),
        }
    }

    /// Reports layouts of different kinds, with the fix.
    #[cold]
    fn differ(&mut self, part: &Part, ty: Type<'_>) {
        let size = part.size.map(|size| format!(" of {size} bytes")).unwrap_or_default();
        let error =
            format!("the schema has {}, the type is {}{size}", called(ty), part.form.name());
        self.way.add(error, Some(fix::layout(part, ty)));
    }

    /// Compares a struct, or a tuple: that has no name, and is written where it is used.
    fn record(&mut self, part: &Part, fields: &[(String, PartId)], expected: Fields<'_>) {
        if part.name.is_some() {
            self.way.report.enter_definition();
        }
        self.fields(fields, expected);
        if part.name.is_some() {
            self.way.report.leave_definition();
        }
    }

    fn fields(&mut self, fields: &[(String, PartId)], expected: Fields<'_>) {
        if fields.len() != expected.len() {
            let (has, wants) = (fields.len(), expected.len());
            let fix = fix::fields(fields.iter().map(|(name, _)| name.as_str()), expected);
            let error = format!("the schema has {}, the type {has}", Things(&wants, "field"));
            return self.way.add(error, Some(fix));
        }
        let mut pairs = expected.iter().zip(fields);
        if pairs.any(|(field, (own, _))| field.name() != own) {
            let names: BTreeSet<&str> = fields.iter().map(|(own, _)| own.as_str()).collect();
            let order: Vec<&str> = expected.iter().map(|field| field.name()).collect();
            if order.iter().all(|name| names.contains(name)) {
                let fix = format!("their order is {}", order.join(", "));
                return self.way.add("the fields are in another order".to_owned(), Some(fix));
            }
        }
        for ((name, part), field) in fields.iter().zip(expected.iter()) {
            self.step(name, *part, field.ty());
        }
    }

    fn union(&mut self, part: &Part, items: &[Item], expected: Items<'_>) {
        let same_ids = items.len() == expected.len()
            && items.iter().zip(expected.iter()).all(|(own, item)| own.id == item.id());
        let pairs = Pairs::new(items, expected);
        if !same_ids || pairs.are_permuted(expected) {
            let error = match same_ids {
                true => "the ids of variants are those of other items".to_owned(),
                false => {
                    let own = ids(items.iter().map(|item| item.id));
                    let wanted = ids(expected.iter().map(|item| item.id()));
                    format!("the schema has the ids {wanted}, the type {own}")
                }
            };
            return self.way.add(error, Some(pairs.fix(part, items, expected)));
        }
        for (own, item) in items.iter().zip(expected.iter()) {
            match (own.value, item.ty().shape()) {
                (Some(value), _) => self.step(own.variant, value, item.ty()),
                (None, Shape::Option(_)) => {}
                (None, _) => {
                    let (variant, ty) = (own.variant, item.ty());
                    let error = format!("the schema has {}, `{variant}` holds nothing", called(ty));
                    let fix = format!("let it hold a `{}`", ty.name());
                    if let Some(length) = self.way.enter(variant) {
                        self.way.add(error, Some(fix));
                        self.way.leave(length);
                    }
                }
            }
        }
    }
}

/// Ids as a list.
fn ids(ids: impl Iterator<Item = u32>) -> String {
    ids.map(|id| format!("{id}")).collect::<Vec<_>>().join(", ")
}
