//! Fixes that give a Rust type the bytes of a schema's type.

use std::collections::{BTreeMap, BTreeSet};

use super::of::{Form, Item, Marked, Part};
use super::{Fields, Items, Shape, Type};
use crate::common::rust::type_name;

/// A sequence that is a dynvec also when it is empty.
pub(super) const DYNVEC: &str = "mark the sequence with `molecule::with::dynvec`";

const TABLE: &str = "mark it with `molecule::with::table`, and not as a struct";

/// For a part that has another layout.
pub(super) fn layout(part: &Part, ty: Type<'_>) -> String {
    let name = part.name.unwrap_or_else(|| ty.name());
    match (&part.form, ty.shape()) {
        (Form::Table(own), Shape::Struct(fields)) if own.len() == fields.len() => marked(name),
        (Form::Table(own), Shape::Array(_, count)) if own.len() == count => marked(name),
        (Form::Struct(_, Marked::Yes), Shape::Table(_)) => {
            format!("leave out the mark `struct.{name}`, or mark it with `molecule::with::table`")
        }
        (Form::Struct(own, _), Shape::Table(fields)) if own.len() == fields.len() => TABLE.into(),
        (Form::Array(_, count), Shape::Table(fields)) if *count == fields.len() => TABLE.into(),
        (Form::DynVec(..), Shape::FixVec(_)) => {
            "mark the sequence with `molecule::with::fixvec`".to_owned()
        }
        (Form::FixVec(_, Marked::Yes), Shape::DynVec(_)) => format!("{DYNVEC}, not `fixvec`"),
        (Form::FixVec(_, Marked::No), Shape::DynVec(item)) => format!(
            "its items have to be `{}`, which is dynamic: leave out marks that make them packed",
            item.name()
        ),
        (_, Shape::Option(_)) => "make it an `Option`".to_owned(),
        (Form::Option(_), _) => format!("make it no `Option`, but {}", wanted(ty)),
        _ => format!("make it {}", wanted(ty)),
    }
}

fn marked(name: &str) -> String {
    format!("mark it `struct.{name}`")
}

/// What a type of a schema is in Rust.
fn wanted(ty: Type<'_>) -> String {
    match ty.shape() {
        Shape::Byte => "`u8`".to_owned(),
        Shape::Array(item, count) if item.shape() == Shape::Byte => match ty.integer() {
            Some(integer) => format!("`{integer}`"),
            None => format!("`[u8; {count}]`"),
        },
        Shape::Array(item, count) => format!("an array of {count} `{}`", item.name()),
        Shape::Struct(_) => {
            format!("a struct with the fields of `{0}`, marked `struct.{0}`", ty.name())
        }
        Shape::Table(_) => format!("a struct with the fields of `{}`", ty.name()),
        Shape::FixVec(item) if item.shape() == Shape::Byte => "bytes, as `Vec<u8>` is".to_owned(),
        Shape::FixVec(item) => {
            format!("a sequence of `{}`, marked with `molecule::with::fixvec`", item.name())
        }
        Shape::DynVec(item) => {
            format!("a sequence of `{}`, marked with `molecule::with::dynvec`", item.name())
        }
        Shape::Option(_) => "an `Option`".to_owned(),
        Shape::Union(_) => format!("an enum with the items of `{}`", ty.name()),
    }
}

/// For fields that are too few or too many.
pub(super) fn fields<'t>(own: impl Iterator<Item = &'t str>, expected: Fields<'_>) -> String {
    let own: Vec<&str> = own.collect();
    let names: Vec<&str> = expected.iter().map(|field| field.name()).collect();
    let (missing, extra) = (beyond(&names, &own), beyond(&own, &names));
    match (missing.as_slice(), extra.as_slice()) {
        ([_, ..], []) => format!("add {}", missing.join(", ")),
        ([], [_, ..]) => format!("leave out {}", extra.join(", ")),
        _ => format!("make them {}", names.join(", ")),
    }
}

/// The names of the first list that are not in the second one.
fn beyond<'n>(names: &[&'n str], others: &[&str]) -> Vec<&'n str> {
    let others: BTreeSet<&str> = others.iter().copied().collect();
    names.iter().copied().filter(|name| !others.contains(name)).collect()
}

/// Which variants and items belong together by their names.
pub(super) struct Pairs<'t> {
    /// For each item its variant, if one has its name.
    variants: Vec<Option<&'t Item>>,
    /// Variants that no item has the name of.
    extra: Vec<&'static str>,
}

impl<'t> Pairs<'t> {
    /// A variant has the item's own name, or that in Rust's manner.
    pub(super) fn new(own: &'t [Item], expected: Items<'_>) -> Self {
        let mut places = BTreeMap::new();
        for (place, item) in expected.iter().enumerate() {
            places.insert(type_name(item.ty().name()), place);
        }
        for (place, item) in expected.iter().enumerate() {
            places.insert(item.ty().name().to_owned(), place);
        }
        let mut pairs = Pairs { variants: vec![None; expected.len()], extra: Vec::new() };
        for variant in own {
            let place = places.get(variant.variant).copied();
            match place.and_then(|place| pairs.variants.get_mut(place)) {
                Some(paired) => *paired = Some(variant),
                None => pairs.extra.push(variant.variant),
            }
        }
        pairs
    }

    /// Whether each variant has the name of an item, and some variant's id is that of another one.
    pub(super) fn are_permuted(&self, expected: Items<'_>) -> bool {
        let mut pairs = self.variants.iter().zip(expected.iter());
        self.extra.is_empty() && pairs.any(|(own, item)| own.is_some_and(|own| own.id != item.id()))
    }

    /// For variants that are too few or too many, or whose ids are others.
    pub(super) fn fix(&self, part: &Part, own: &[Item], expected: Items<'_>) -> String {
        let missing = self.variants.iter().zip(expected.iter());
        let missing = missing.filter(|(variant, _)| variant.is_none());
        let missing: Vec<&str> = missing.map(|(_, item)| item.ty().name()).collect();
        match (missing.as_slice(), self.extra.as_slice()) {
            ([_, ..], []) => format!("add {}", missing.join(", ")),
            ([], [_, ..]) => format!("leave out {}", self.extra.join(", ")),
            _ => {
                let entry = |(at, item): (usize, super::Item<'_>)| {
                    let by_name = self.variants.get(at).copied().flatten();
                    let variant = by_name.or(own.get(at)).map(|variant| variant.variant);
                    format!(".{}-{}", variant.unwrap_or_else(|| item.ty().name()), item.id())
                };
                let list: String = expected.iter().enumerate().map(entry).collect();
                format!("mark it `union.{}{list}`", part.name.unwrap_or("Name"))
            }
        }
    }
}
