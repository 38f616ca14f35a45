//! Names for hashes: those of a text in the ATD language, and those of a Rust type.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use fourfold::biniou::{Dictionary, Error, ErrorKind, Result, hash};
use serde_core::de::Deserialize;

use super::parse::parse;
use crate::trace::{Graph, Shown};

/// The names in type definitions in the ATD language: those of record fields and of variants.
///
/// It is the ATD name that is hashed, so that names in annotations (`<json name="..">`) do not
/// count. Types that come from other files by `inherit` or `import` bring their names only when
/// [merged](Dictionary::merge) from there.
///
/// ```
/// use fourfold::biniou::hash;
/// use fourfold_schema::atd;
///
/// let names = atd::names(r#"
///     type shape = [ Circle of float | Empty ]
///     type drawing = { ?title <json name="caption"> : string option; shapes : shape list }
/// "#)?;
/// assert!(["Circle", "Empty", "title", "shapes"].map(|name| names.name(hash(name))).iter()
///     .all(Option::is_some));
/// assert_eq!(names.len(), 4);
///
/// let error = atd::names("type t = {\n x int }").unwrap_err();
/// assert_eq!(error.to_string(), "expected `:` after the name of a field, found `int`, line 2");
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
///
/// # Errors
///
/// `Dictionary`, with the line, if the text is not in that language; `Collision` if two names
/// have one hash.
pub fn names(text: &str) -> Result<Dictionary> {
    let mut names = Dictionary::new();
    let parsed = parse(text).map_err(|wrong| {
        let (kind, mark) = *wrong;
        let line = usize::try_from(mark.line).unwrap_or(usize::MAX);
        Error::placeless(ErrorKind::Dictionary { what: kind.to_string(), line })
    })?;
    for name in parsed.names {
        names.insert(name)?;
    }
    Ok(names)
}

/// The names that a type reads: of its own fields and variants and those of the types in it.
///
/// The type reads itself from made-up data, several times, so that no value of it is
/// needed. Some names cannot be learned like this: those inside `flatten` and of enums with a
/// `tag` or `untagged`, which take whatever the data hold, and those after a part that refuses
/// all made-up data. Names that share a hash with another are left out.
///
/// ```
/// use fourfold_schema::atd;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// #[allow(dead_code)]
/// enum Tree {
///     Leaf(u32),
///     Fork { left: Box<Tree>, right: Box<Tree> },
/// }
///
/// let names = atd::names_of::<Option<Tree>>();
/// let mut found: Vec<&str> = names.names().collect();
/// found.sort();
/// assert_eq!(found, ["Fork", "Leaf", "left", "right"]);
/// ```
#[must_use]
pub fn names_of<'de, T: Deserialize<'de>>() -> Dictionary {
    let mut known = BTreeMap::new();
    for name in read_names(&Graph::of::<T>()) {
        match known.entry(hash(name)) {
            Entry::Vacant(place) => drop(place.insert(Some(name))),
            Entry::Occupied(mut other) => drop(other.insert(None)),
        }
    }
    let mut names = Dictionary::new();
    for name in known.into_values().flatten() {
        // Each has a hash of its own.
        let _ = names.insert(name);
    }
    names
}

/// All names that reading may request.
fn read_names(graph: &Graph) -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    let mut met = BTreeSet::new();
    let mut next = vec![graph.root];
    while let Some(id) = next.pop() {
        let shown = graph.shown(id);
        match shown {
            Shown::Struct(_, fields) => names.extend(fields.names()),
            Shown::Enum(_, variants) => names.extend(variants.iter().map(|variant| variant.name)),
            _ => {}
        }
        next.extend(shown.parts().into_iter().flatten().filter(|part| met.insert(*part)));
    }
    names
}
