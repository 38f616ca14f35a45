//! Lists of the fields, variants or items of a type.

/// Methods and traits of a list of fields, variants or items, which has a `schema` and a `list`.
macro_rules! list {
    ($list:ident, $one:ident, $what:literal, |$schema:ident, $item:ident| $make:expr) => {
        impl<'s> $list<'s> {
            /// How many there are.
            #[must_use]
            pub fn len(self) -> usize {
                self.list.len()
            }

            /// Whether there are none.
            #[must_use]
            pub fn is_empty(self) -> bool {
                self.list.is_empty()
            }

            #[doc = concat!("The ", $what, " at that place, from 0.")]
            #[must_use]
            pub fn get(self, index: usize) -> Option<$one<'s>> {
                let $schema = self.schema;
                self.list.get(index).map(|$item| $make)
            }

            /// All of them, in order.
            pub fn iter(self) -> impl ExactSizeIterator<Item = $one<'s>> {
                let $schema = self.schema;
                self.list.iter().map(move |$item| $make)
            }
        }

        impl PartialEq for $list<'_> {
            /// Whether they are those of the same type.
            fn eq(&self, other: &Self) -> bool {
                core::ptr::eq(self.list, other.list)
            }
        }

        impl core::fmt::Debug for $list<'_> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_list().entries(self.iter()).finish()
            }
        }
    };
}

pub(crate) use list;
