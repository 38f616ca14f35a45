//! A vector with one value per item.

/// One value per item, by index. Missing items have the default.
#[derive(Clone, Debug)]
pub(super) struct Per<T>(Vec<T>);

impl<T: Clone + Default> Per<T> {
    pub(super) fn new(count: usize) -> Self {
        Per(vec![T::default(); count])
    }

    pub(super) fn at(&self, item: usize) -> T
    where
        T: Copy,
    {
        self.0.get(item).copied().unwrap_or_default()
    }

    pub(super) fn put(&mut self, item: usize, value: T) {
        if let Some(place) = self.0.get_mut(item) {
            *place = value;
        }
    }

    pub(super) fn change(&mut self, item: usize, change: impl FnOnce(&mut T)) {
        if let Some(value) = self.0.get_mut(item) {
            change(value);
        }
    }
}

impl<T: Clone> Per<Vec<T>> {
    pub(super) fn list(&self, item: usize) -> &[T] {
        self.0.get(item).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn push(&mut self, item: usize, value: T) {
        self.change(item, |list| list.push(value));
    }
}

impl<T> From<Vec<T>> for Per<T> {
    fn from(values: Vec<T>) -> Self {
        Per(values)
    }
}
