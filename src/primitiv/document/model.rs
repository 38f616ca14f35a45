//! Models: parameters by their keys.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::check::{self, Mismatch};
use super::parameter::LEAST_TENSOR;
use super::pieces::Pieces;
use super::places::{self, Places};
use super::{DataType, Key, Parameter, Shape, Submodel, within, within_item};
use crate::primitiv::wire;
use crate::primitiv::{Error, ErrorKind, Result};
use crate::read::Reader;
use crate::tensor::memory::Memory;

/// The minimum size of an entry: a key of one empty segment, a scalar, no statistics.
const LEAST_ENTRY: u32 = 2 + LEAST_TENSOR + 1;

/// A model: uint32 (the number of parameters), and each one's key and parameter.
///
/// A model that was read keeps the order of the file and is written the same. One that is built is
/// written sorted by key, as primitiv does; so is one that was read sorted and then changed. No
/// address is both a parameter's and a submodel's.
///
/// ```
/// use fourfold::primitiv::{Model, Parameter, Tensor, from_slice, to_vec};
///
/// let mut model = Model::new();
/// model.insert(["encoder", "lstm", "w"], Parameter::new(Tensor::scalar(0.5))?)?;
/// model.insert(["encoder", "bias"], Parameter::new(Tensor::scalar(1.5))?)?;
/// let bytes = to_vec(&model)?;
/// let model: Model = from_slice(&bytes)?;
/// let keys: Vec<String> = model.entries().iter().map(|entry| entry.key().to_string()).collect();
/// assert_eq!(keys, ["encoder.bias", "encoder.lstm.w"]);
/// let weight = model.get(["encoder", "lstm", "w"]).unwrap();
/// assert_eq!(weight.value().to_column_major(), [0.5]);
/// assert!(model.get(["encoder", "lstm"]).is_none());
/// # Ok::<(), fourfold::primitiv::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Model<'de> {
    entries: Vec<Entry<'de>>,
    /// Whether the entries are not in strict order of their keys ..
    unsorted: bool,
    /// .. and whether they are to be written as they are even so.
    keeps_order: bool,
    /// Where the entry of each key is: of equal ones the last. There if they are not in strict
    /// order, and for changes.
    places: Option<Places<'de>>,
}

/// A parameter and its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'de> {
    key: Key<'de>,
    parameter: Parameter<'de>,
}

impl<'de> Entry<'de> {
    pub(super) const fn new(key: Key<'de>, parameter: Parameter<'de>) -> Self {
        Entry { key, parameter }
    }

    /// The parameter's address.
    #[must_use]
    pub const fn key(&self) -> &Key<'de> {
        &self.key
    }

    /// The parameter.
    #[must_use]
    pub const fn parameter(&self) -> &Parameter<'de> {
        &self.parameter
    }
}

impl<'de> Model<'de> {
    /// A model without parameters.
    #[must_use]
    pub const fn new() -> Self {
        Model { entries: Vec::new(), unsorted: false, keeps_order: false, places: None }
    }

    /// These entries in this order, even such that have one key: the last of them counts, as for
    /// primitiv.
    ///
    /// # Errors
    ///
    /// `EmptyKey`, and `KeyConflict` if one key is the beginning of another.
    pub fn from_entries(
        entries: impl IntoIterator<Item = (Key<'de>, Parameter<'de>)>,
    ) -> Result<Self> {
        let entries = entries.into_iter().map(|(key, parameter)| Entry { key, parameter });
        let mut model = Model { entries: entries.collect(), ..Model::new() };
        if model.entries.iter().any(|entry| entry.key.parts().is_empty()) {
            return Err(Error::placeless(ErrorKind::EmptyKey));
        }
        let mut pairs = model.entries.iter().zip(model.entries.iter().skip(1));
        model.unsorted = pairs.any(|(one, next)| one.key >= next.key);
        model.keeps_order = model.unsorted;
        match model.check_keys() {
            None => Ok(model),
            Some((_, name)) => {
                Err(Error::placeless(ErrorKind::KeyConflict { name: name.to_string() }))
            }
        }
    }

    /// All entries in the order of the file, or in which they were put in. Of equal keys primitiv
    /// takes the last.
    #[must_use]
    pub fn entries(&self) -> &[Entry<'de>] {
        &self.entries
    }

    /// The entries in the order of their keys, each key once: the model that primitiv reads from the file.
    #[must_use]
    pub fn sorted(&self) -> Vec<&Entry<'de>> {
        match self.places.as_ref().filter(|_| self.unsorted) {
            Some(places) => places.values().filter_map(|place| self.entries.get(*place)).collect(),
            None => self.entries.iter().collect(),
        }
    }

    /// The whole model as the outermost of its submodels.
    #[must_use]
    pub fn root(&self) -> Submodel<'_, 'de> {
        Submodel::new(self.sorted())
    }

    /// The parameter of a key, outermost segment first.
    pub fn get<P: AsRef<[u8]>>(&self, key: impl IntoIterator<Item = P>) -> Option<&Parameter<'de>> {
        let entry = self.entries.get(self.place(&key.into_iter().collect::<Vec<_>>())?)?;
        Some(&entry.parameter)
    }

    /// The parameter of a key, to be changed.
    pub fn get_mut<P: AsRef<[u8]>>(
        &mut self,
        key: impl IntoIterator<Item = P>,
    ) -> Option<&mut Parameter<'de>> {
        let place = self.place(&key.into_iter().collect::<Vec<_>>())?;
        Some(&mut self.entries.get_mut(place)?.parameter)
    }

    fn place<P: AsRef<[u8]>>(&self, parts: &[P]) -> Option<usize> {
        match self.places.as_ref().filter(|_| self.unsorted) {
            Some(places) => {
                let key = Key::new(parts.iter().map(AsRef::as_ref));
                (places as &Places<'_>).get(&key).copied()
            }
            None => self.entries.binary_search_by(|entry| entry.key.cmp_parts(parts)).ok(),
        }
    }

    /// Inserts a parameter, and returns the previous one of that key.
    ///
    /// # Errors
    ///
    /// `EmptyKey`; `KeyConflict` if the key is the address of a submodel, or leads through a
    /// parameter. Nothing has changed then.
    pub fn insert(
        &mut self,
        key: impl Into<Key<'de>>,
        parameter: Parameter<'de>,
    ) -> Result<Option<Parameter<'de>>> {
        let key = key.into();
        if key.parts().is_empty() {
            return Err(Error::placeless(ErrorKind::EmptyKey));
        }
        let next = self.entries.len();
        let places = self.places_to_change();
        if let Some(old) = places.get(&key).copied() {
            let old = self.entries.get_mut(old).map(|entry| &mut entry.parameter);
            return Ok(old.map(|old| core::mem::replace(old, parameter)));
        }
        if let Some(name) = places::conflict(places, &key) {
            let name = name.to_string();
            return Err(Error::placeless(ErrorKind::KeyConflict { name }));
        }
        places.insert(key.clone(), next);
        self.unsorted |= self.entries.last().is_some_and(|last| last.key > key);
        self.entries.push(Entry { key, parameter });
        Ok(None)
    }

    /// Takes a parameter out. Takes time in proportion to the number of parameters.
    pub fn remove<P: AsRef<[u8]>>(
        &mut self,
        key: impl IntoIterator<Item = P>,
    ) -> Option<Parameter<'de>> {
        let parts: Vec<P> = key.into_iter().collect();
        let place = self.place(&parts)?;
        let entries = core::mem::take(&mut self.entries);
        let (mut removed, mut new_places) = (None, Vec::with_capacity(entries.len()));
        for (index, entry) in entries.into_iter().enumerate() {
            new_places.push(self.entries.len());
            if index == place {
                removed = Some(entry);
            } else if !self.unsorted || !entry.key.cmp_parts(&parts).is_eq() {
                // Those it has hidden do not come to light.
                self.entries.push(entry);
            }
        }
        let Entry { key, parameter } = removed?;
        if let Some(places) = &mut self.places {
            places.remove(&key);
            for place in places.values_mut() {
                *place = new_places.get(*place).copied().unwrap_or_default();
            }
        }
        if self.entries.is_empty() {
            *self = Model::new();
        }
        Some(parameter)
    }

    /// Drops the statistics of all parameters: what primitiv writes with `with_stats` off.
    pub fn clear_stats(&mut self) {
        for entry in &mut self.entries {
            entry.parameter.clear_stats();
        }
    }

    /// The key of every parameter and the shape of its value, in the order of the keys: what a model that
    /// is to load the file has to have, for [`check`](Model::check).
    pub fn shapes(&self) -> impl Iterator<Item = (Key<'de>, Shape)> {
        let shape = |entry: &Entry<'de>| (entry.key.clone(), *entry.parameter.value().shape());
        self.sorted().into_iter().map(shape).collect::<Vec<_>>().into_iter()
    }

    /// Compares the model with the parameters that a program expects: those that are missing, those that
    /// are extra, and those of another shape, in the order of their keys. Nothing if all is as expected.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::primitiv::{Key, Mismatch, Model, Parameter, Shape, Tensor};
    ///
    /// let mut model = Model::new();
    /// model.insert(["lstm", "w"], Parameter::new(Tensor::scalar(0.5))?)?;
    /// model.insert(["old"], Parameter::new(Tensor::scalar(0.5))?)?;
    ///
    /// let expected = [
    ///     (Key::from(["lstm", "b"]), Shape::new(&[3])?),
    ///     (Key::from(["lstm", "w"]), Shape::new(&[2, 3])?),
    /// ];
    /// let found: Vec<String> = model.check(expected).iter().map(Mismatch::to_string).collect();
    /// assert_eq!(
    ///     found,
    ///     [
    ///         "lstm.b is missing, [3]x1 was expected",
    ///         "lstm.w is []x1, [2,3]x1 was expected",
    ///         "old is not expected",
    ///     ]
    /// );
    /// assert_eq!(model.check(model.shapes()), []);
    /// # Ok::<(), fourfold::primitiv::Error>(())
    /// ```
    #[must_use]
    pub fn check<'k, K: Into<Key<'k>>>(
        &self,
        expected: impl IntoIterator<Item = (K, Shape)>,
    ) -> Vec<Mismatch> {
        check::mismatches(
            &self.sorted(),
            expected.into_iter().map(|(key, shape)| (key.into(), shape)),
        )
    }

    /// How many addresses have a parameter.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.places.as_ref().filter(|_| self.unsorted) {
            Some(places) => places.len(),
            None => self.entries.len(),
        }
    }

    /// Whether there are no parameters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The same without the input's lifetime: borrowed bytes are copied.
    #[must_use]
    pub fn into_owned(self) -> Model<'static> {
        self.moved(&Memory::into_owned)
    }

    pub(super) fn moved<'to>(self, to: &impl Fn(Memory<'de>) -> Memory<'to>) -> Model<'to> {
        let Model { entries, unsorted, keeps_order, .. } = self;
        let entries = entries.into_iter().map(|Entry { key, parameter }| Entry {
            key: key.into_owned(),
            parameter: parameter.moved(to),
        });
        let mut moved = Model { entries: entries.collect(), unsorted, keeps_order, places: None };
        if unsorted {
            moved.places_to_change();
        }
        moved
    }

    /// A model of entries in strict order that do not conflict.
    pub(super) fn of_sorted(entries: Vec<Entry<'de>>) -> Self {
        Model { entries, ..Model::new() }
    }

    fn places_to_change(&mut self) -> &mut Places<'de> {
        let Model { entries, places, .. } = self;
        places.get_or_insert_with(|| {
            let keys = entries.iter().map(|entry| entry.key.clone());
            keys.enumerate().map(|(place, key)| (key, place)).collect()
        })
    }

    #[inline]
    pub(super) fn take(reader: &mut Reader<'de>, lenient: bool) -> Result<Self> {
        let start = *reader;
        let mut model = within("parameters", Model::take_entries(reader, lenient))?;
        model.keeps_order = model.unsorted;
        match model.check_keys() {
            None => Ok(model),
            Some((place, name)) => Err(conflict_at(start, lenient, place, name)),
        }
    }

    /// Refuses the first bytes of a file, which would be a model without parameters.
    #[inline]
    pub(in crate::primitiv) fn check_no_file_header(
        mut reader: Reader<'_>,
        lenient: bool,
    ) -> Result<()> {
        let start = reader.offset();
        let [mut major, mut minor, mut found] = [0; 3];
        for number in [&mut major, &mut minor, &mut found] {
            match wire::take_uint32(&mut reader, lenient) {
                Ok(taken) => *number = taken,
                Err(_) => return Ok(()),
            }
        }
        match [major, minor] == wire::VERSION && DataType::from_number(found).is_some() {
            true => Err(Error::at(ErrorKind::FileHeader { found }, start)),
            false => Ok(()),
        }
    }

    #[inline]
    fn take_entries(reader: &mut Reader<'de>, lenient: bool) -> Result<Self> {
        let start = reader.offset();
        let claimed = wire::take_uint32(reader, lenient)?;
        let count = wire::believe(claimed, LEAST_ENTRY, reader.left(), start)?;
        let mut model = Model { entries: Vec::with_capacity(count), ..Model::new() };
        for index in 0..count {
            let entry = within_item(index, Entry::take(reader, lenient))?;
            let last = model.entries.last();
            model.unsorted |= last.is_some_and(|last| last.key >= entry.key);
            model.entries.push(entry);
        }
        Ok(model)
    }

    /// The first entry whose key is the address of a submodel, or leads through a parameter, and
    /// that address. Leaves the places of keys that are not in order.
    fn check_keys(&mut self) -> Option<(usize, Key<'de>)> {
        if !self.unsorted {
            // What a key contains follows it at once.
            let mut pairs = self.entries.iter().zip(self.entries.iter().skip(1)).enumerate();
            let found = pairs.find(|(_, (outer, inner))| outer.key.contains(&inner.key));
            return found.map(|(place, (outer, _))| (place + 1, outer.key.clone()));
        }
        let places = self.places_to_change();
        let mut pairs = places.keys().zip(places.keys().skip(1));
        match pairs.any(|(outer, inner)| outer.contains(inner)) {
            true => places::first_conflict(self.entries.iter().map(|entry| &entry.key)),
            false => None,
        }
    }

    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        if self.unsorted && !self.keeps_order {
            let sorted = self.sorted();
            let count = wire::length(sorted.len())?;
            out.put(&wire::uint32(count));
            return sorted.into_iter().try_for_each(|entry| entry.put(out));
        }
        let count = wire::length(self.entries.len())?;
        out.put(&wire::uint32(count));
        self.entries.iter().try_for_each(|entry| entry.put(out))
    }
}

/// Walks to the key that is wrong once more, for its offset.
#[cold]
fn conflict_at(start: Reader<'_>, lenient: bool, place: usize, name: Key<'_>) -> Error {
    let mut reader = start;
    let walked = wire::take_uint32(&mut reader, lenient)
        .and_then(|_| (0..place).try_for_each(|_| Entry::take(&mut reader, lenient).map(|_| ())));
    let error = match walked {
        Ok(()) => Error::at(ErrorKind::KeyConflict { name: name.to_string() }, reader.offset()),
        Err(error) => error,
    };
    let error = within("parameters", within_item(place, within("key", Err::<(), _>(error))));
    error.err().unwrap_or_else(|| Error::placeless(ErrorKind::EmptyKey))
}

impl PartialEq for Model<'_> {
    /// Whether keys and parameters are equal, whatever the order of the keys. Statistics count in
    /// their order.
    fn eq(&self, other: &Self) -> bool {
        self.sorted() == other.sorted()
    }
}

impl Eq for Model<'_> {}

impl<'de> Entry<'de> {
    #[inline]
    fn take(reader: &mut Reader<'de>, lenient: bool) -> Result<Self> {
        let key = within("key", Key::take(reader, lenient))?;
        Ok(Entry { key, parameter: Parameter::take(reader, lenient)? })
    }

    #[inline]
    fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        self.key.put(out)?;
        self.parameter.put(out)
    }
}
