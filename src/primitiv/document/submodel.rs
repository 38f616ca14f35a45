//! Looking at models as they are nested.

use alloc::vec::Vec;

use super::{Entry, Key, Model, Name, Parameter};
use crate::primitiv::Result;

/// The part of a model whose keys have the same prefix.
///
/// ```
/// use fourfold::primitiv::{Model, Parameter, Tensor};
///
/// let mut model = Model::new();
/// for key in [&["b"][..], &["a", "w"], &["a", "lstm", "u"], &["a", "lstm", "w"]] {
///     model.insert(key.to_vec(), Parameter::new(Tensor::scalar(0.0))?)?;
/// }
/// let root = model.root();
/// let names: Vec<_> = root.parameters().map(|(name, _)| name.to_string()).collect();
/// assert_eq!(names, ["b"]);
/// let (name, part) = root.submodels().next().unwrap();
/// assert_eq!((name.to_string(), part.len()), ("a".into(), 3));
/// assert_eq!(part.submodel("lstm").unwrap().parameters().count(), 2);
/// # Ok::<(), fourfold::primitiv::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Submodel<'a, 'de> {
    /// In the order of their keys.
    entries: Vec<&'a Entry<'de>>,
    /// The length of the common prefix, in segments.
    depth: usize,
}

impl<'a, 'de> Submodel<'a, 'de> {
    pub(super) fn new(entries: Vec<&'a Entry<'de>>) -> Self {
        Submodel { entries, depth: 0 }
    }

    /// How many parameters there are, here and further inside.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The segments of a key after the common prefix.
    fn rest(&self, entry: &'a Entry<'de>) -> &'a [Name<'de>] {
        entry.key().parts().get(self.depth..).unwrap_or_default()
    }

    /// All parameters, here and further inside, with the rest of their keys.
    pub fn all(&self) -> impl Iterator<Item = (&'a [Name<'de>], &'a Parameter<'de>)> + '_ {
        self.entries.iter().map(|entry| (self.rest(entry), entry.parameter()))
    }

    /// The parameters of this submodel itself.
    pub fn parameters(&self) -> impl Iterator<Item = (&'a Name<'de>, &'a Parameter<'de>)> + '_ {
        self.entries.iter().filter_map(|entry| match self.rest(entry) {
            [name] => Some((name, entry.parameter())),
            _ => None,
        })
    }

    /// The submodels of this one, in the order of their names.
    pub fn submodels(&self) -> impl Iterator<Item = (&'a Name<'de>, Submodel<'a, 'de>)> + '_ {
        let groups =
            self.entries.chunk_by(|one, other| self.rest(one).first() == self.rest(other).first());
        groups.filter_map(|group| match self.rest(group.first()?) {
            [name, _, ..] => {
                Some((name, Submodel { entries: group.to_vec(), depth: self.depth + 1 }))
            }
            _ => None,
        })
    }

    /// The submodel of a name.
    pub fn submodel(&self, name: impl AsRef<[u8]>) -> Option<Submodel<'a, 'de>> {
        let name = name.as_ref();
        self.submodels().find(|(own, _)| own.as_bytes() == name).map(|(_, submodel)| submodel)
    }

    /// A model of its own, with keys as they are seen from here.
    ///
    /// # Errors
    ///
    /// None: what is sound inside of a model is sound on its own.
    pub fn to_model(&self) -> Result<Model<'de>> {
        let entries =
            self.all().map(|(rest, parameter)| Entry::new(Key::from(rest), parameter.clone()));
        Ok(Model::of_sorted(entries.collect()))
    }
}
