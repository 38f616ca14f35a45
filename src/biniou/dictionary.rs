//! Names for hashes, since biniou's bytes contain only hashes.

mod shown;

use alloc::collections::btree_map::Entry;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};

use serde_core::de::Deserialize;
use serde_core::ser::Serialize;

use super::value::VALUE;
use super::wire::hash;
use super::{Error, ErrorKind, Result, atd};
use crate::trace::{Content, Graph, Shown};

/// Names by their hashes: those of fields and variants.
///
/// Pass it to [`view_with`](super::view_with) to show names, and to
/// [`Options::names`](super::Options::names) for types that need a self-describing format.
///
/// ```
/// use fourfold::biniou::{hash, Dictionary};
///
/// let mut names = Dictionary::from_words("x\ny\n")?;
/// names.insert("azdwbie")?;
/// assert_eq!(names.name(hash("x")), Some("x"));
/// assert_eq!(names.name(hash("z")), None);
///
/// // Two names of one hash cannot be distinguished.
/// let error = names.insert("c7diagq").unwrap_err();
/// assert_eq!(error.to_string(), "`azdwbie` and `c7diagq` have the same hash, #6c312372; rename one of them");
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dictionary {
    names: BTreeMap<u32, String>,
}

impl Dictionary {
    /// A dictionary without names.
    #[must_use]
    pub const fn new() -> Self {
        Dictionary { names: BTreeMap::new() }
    }

    /// The words of a text, one per line, as in the dictionary files of OCaml's `bdump`. Empty
    /// lines are ignored; words may have spaces and commas.
    ///
    /// # Errors
    ///
    /// `Collision` if two words have one hash.
    pub fn from_words(text: &str) -> Result<Self> {
        let mut names = Dictionary::new();
        for word in text.lines().filter(|line| !line.is_empty()) {
            names.insert(word)?;
        }
        Ok(names)
    }

    /// The names in type definitions in the ATD language: those of record fields and of variants.
    ///
    /// It is the ATD name that is hashed, so that names in annotations (`<json name="..">`) do not
    /// count. Types that come from other files by `inherit` or `import` bring their names only when
    /// [merged](Dictionary::merge) from there.
    ///
    /// ```
    /// use fourfold::biniou::{hash, Dictionary};
    ///
    /// let names = Dictionary::from_atd(r#"
    ///     type shape = [ Circle of float | Empty ]
    ///     type drawing = { ?title <json name="caption"> : string option; shapes : shape list }
    /// "#)?;
    /// assert!(["Circle", "Empty", "title", "shapes"].map(|name| names.name(hash(name))).iter()
    ///     .all(Option::is_some));
    /// assert_eq!(names.len(), 4);
    ///
    /// let error = Dictionary::from_atd("type t = {\n x int }").unwrap_err();
    /// assert_eq!(error.to_string(), "expected `:` behind the name of a field, found `int`, line 2");
    /// # Ok::<(), fourfold::biniou::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Dictionary`, with the line, if the text is not in that language; `Collision` if two names
    /// have one hash.
    pub fn from_atd(text: &str) -> Result<Self> {
        let mut names = Dictionary::new();
        let parsed = atd::parse(text).map_err(|wrong| {
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
    /// The type is deserialized from generated data, several times, so that no value of it is
    /// needed. Some names cannot be found in this way: those inside `flatten` and of enums with a
    /// `tag` or `untagged`, which accept any data, and those after a value that refuses all
    /// generated data. Names that share a hash with another are left out.
    ///
    /// ```
    /// use fourfold::biniou::Dictionary;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// #[allow(dead_code)]
    /// enum Tree {
    ///     Leaf(u32),
    ///     Fork { left: Box<Tree>, right: Box<Tree> },
    /// }
    ///
    /// let names = Dictionary::of::<Option<Tree>>();
    /// let mut found: Vec<&str> = names.names().collect();
    /// found.sort();
    /// assert_eq!(found, ["Fork", "Leaf", "left", "right"]);
    /// ```
    #[must_use]
    pub fn of<'de, T: Deserialize<'de>>() -> Self {
        let mut names = Dictionary::new();
        let mut ambiguous = alloc::vec::Vec::new();
        for name in read_names(&Graph::of::<T>()) {
            if names.insert(name).is_err() {
                ambiguous.push(hash(name));
            }
        }
        for hash in ambiguous {
            names.names.remove(&hash);
        }
        names
    }

    /// The names that a value shows when it is written: those of its fields and variants. Unlike
    /// [`of`](Dictionary::of), it finds names of internally tagged and untagged enums.
    ///
    /// ```
    /// use fourfold::biniou::{Dictionary, Options, to_vec};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Serialize, Deserialize, Debug, PartialEq)]
    /// #[serde(tag = "kind")]
    /// enum Shape {
    ///     Circle { radius: f64 },
    /// }
    ///
    /// let circle = Shape::Circle { radius: 2.0 };
    /// let options = Options::new().names(Dictionary::of_value(&circle)?);
    /// assert_eq!(options.from_slice::<Shape>(&to_vec(&circle)?)?, circle);
    /// # Ok::<(), fourfold::biniou::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Collision` if two names have one hash, `DepthLimit` beyond 128 levels; what the value itself refuses.
    pub fn of_value<T: ?Sized + Serialize>(value: &T) -> Result<Self> {
        shown::names(value)
    }

    /// Adds a name. One that is there already changes nothing.
    ///
    /// # Errors
    ///
    /// `Collision` if there is another name with the same hash.
    pub fn insert(&mut self, name: &str) -> Result<()> {
        let hash = hash(name);
        match self.names.entry(hash) {
            Entry::Vacant(place) => {
                place.insert(name.to_string());
                Ok(())
            }
            Entry::Occupied(known) if known.get() == name => Ok(()),
            Entry::Occupied(known) => {
                let (first, second) = (known.get().clone(), name.to_string());
                let error = Error::placeless(ErrorKind::Collision { first, second, hash });
                Err(error.or_hint(Some("rename one of them")))
            }
        }
    }

    /// Adds all names of another dictionary.
    ///
    /// # Errors
    ///
    /// `Collision` if two different names have one hash; those before it have been added.
    pub fn merge(&mut self, other: &Dictionary) -> Result<()> {
        other.names().try_for_each(|name| self.insert(name))
    }

    /// The name with this hash.
    #[must_use]
    pub fn name(&self, hash: u32) -> Option<&str> {
        self.names.get(&hash).map(String::as_str)
    }

    /// All names, in the order of their hashes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.values().map(String::as_str)
    }

    /// How many names there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// All names that reading may request, except those of a [`Value`](super::Value), which names tags.
fn read_names(graph: &Graph) -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    let mut met = BTreeSet::new();
    let mut next = alloc::vec![graph.root];
    while let Some(id) = next.pop() {
        let shown = graph.shown(id);
        match shown {
            Shown::Enum(VALUE, _) => continue,
            Shown::Struct(_, fields) => names.extend(fields.names()),
            Shown::Enum(_, variants) => {
                for variant in variants.iter() {
                    names.insert(variant.name);
                    if let Content::Struct(fields) = &variant.content {
                        names.extend(fields.names());
                    }
                }
            }
            _ => {}
        }
        next.extend(shown.parts().into_iter().flatten().filter(|part| met.insert(*part)));
    }
    names
}
