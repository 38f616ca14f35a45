//! Names for hashes, since biniou's bytes contain only hashes.

mod shown;

use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use alloc::string::{String, ToString};

use serde_core::ser::Serialize;

use super::wire::hash;
use super::{Error, ErrorKind, Result};

/// Names by their hashes: those of fields and variants.
///
/// Pass it to [`Options::names`](super::Options::names) for types that need a self-describing format.
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

    /// The names that a value shows when it is written: of the fields and variants that are in it. So it also has those of
    /// internally tagged and untagged enums, which a type alone does not show (`fourfold_schema::atd::names_of`).
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
