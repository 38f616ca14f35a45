//! Iterators over the items of lists.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

use serde_core::de::Deserialize;

use super::{DynVec, FixVec, Result};

macro_rules! items {
    ($items:ident, $list:ident, $what:literal, |$own:ident, $index:ident, $size:pat_param| $item:expr) => {
        #[doc = concat!("The items of a [`", $what, "`], which are read one by one.")]
        pub struct $items<'a, T> {
            list: $list<'a, T>,
            places: Range<usize>,
            /// The size of each, where all have one.
            size: usize,
        }

        impl<'a, T: Deserialize<'a>> $items<'a, T> {
            pub(super) fn new(list: $list<'a, T>, count: usize, size: usize) -> Self {
                $items { list, places: 0..count, size }
            }

            #[inline]
            fn item(&self, $index: usize) -> Result<T> {
                let ($own, $size) = (&self.list, self.size);
                $item
            }
        }

        impl<'a, T: Deserialize<'a>> Iterator for $items<'a, T> {
            type Item = Result<T>;

            #[inline]
            fn next(&mut self) -> Option<Result<T>> {
                self.places.next().map(|index| self.item(index))
            }

            #[inline]
            fn nth(&mut self, count: usize) -> Option<Result<T>> {
                self.places.nth(count).map(|index| self.item(index))
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.places.size_hint()
            }
        }

        impl<'a, T: Deserialize<'a>> DoubleEndedIterator for $items<'a, T> {
            #[inline]
            fn next_back(&mut self) -> Option<Result<T>> {
                self.places.next_back().map(|index| self.item(index))
            }
        }

        impl<'a, T: Deserialize<'a>> ExactSizeIterator for $items<'a, T> {}

        impl<'a, T: Deserialize<'a>> FusedIterator for $items<'a, T> {}

        impl<T> Clone for $items<'_, T> {
            fn clone(&self) -> Self {
                $items { list: self.list, places: self.places.clone(), size: self.size }
            }
        }

        impl<T> fmt::Debug for $items<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($items)).field(&self.places).finish()
            }
        }

        impl<'a, T: Deserialize<'a>> IntoIterator for $list<'a, T> {
            type Item = Result<T>;
            type IntoIter = $items<'a, T>;

            fn into_iter(self) -> $items<'a, T> {
                self.iter()
            }
        }

        impl<'a, T: Deserialize<'a>> IntoIterator for &$list<'a, T> {
            type Item = Result<T>;
            type IntoIter = $items<'a, T>;

            fn into_iter(self) -> $items<'a, T> {
                self.iter()
            }
        }
    };
}

items!(DynVecItems, DynVec, "DynVec", |list, index, _| list.item(index));
items!(FixVecItems, FixVec, "FixVec", |list, index, size| list.item(index, size));
