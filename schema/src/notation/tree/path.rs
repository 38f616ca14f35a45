//! Paths into a tree, such as `graph.nodes[0].bubble`.

use std::borrow::Cow;

use fourfold::{Path, Segment};

use super::{Tree, Value};

/// A value in a tree, or in an array of a built-in type.
#[derive(Clone, Debug)]
pub(in crate::notation) enum Found<'s, 'de> {
    Tree(&'s Tree<'de>),
    Item(Value<'static>),
}

impl<'s, 'de> Found<'s, 'de> {
    pub(in crate::notation) fn value(&self) -> &Value<'de> {
        match self {
            Found::Tree(tree) => tree.value(),
            Found::Item(value) => value,
        }
    }

    /// A field of a structure.
    pub(in crate::notation) fn member(&self, name: &str) -> Option<Found<'s, 'de>> {
        match self {
            Found::Tree(Tree { value: Value::Struct(parts), .. }) => {
                parts.get(name).map(Found::Tree)
            }
            _ => None,
        }
    }

    /// An item of an array.
    pub(in crate::notation) fn item(&self, index: usize) -> Option<Found<'s, 'de>> {
        match self {
            Found::Tree(Tree { value: Value::Array(items), .. }) => {
                items.get(index).map(Found::Tree)
            }
            Found::Tree(Tree { value: Value::Scalars(array), .. }) => {
                array.get(index).map(Found::Item)
            }
            _ => None,
        }
    }
}

impl<'de> Tree<'de> {
    /// The part at a path, which is written as in errors: `graph.nodes[0].bubble`, `[2].0`. The
    /// empty path is the way to the tree itself.
    ///
    /// Items of an array of a built-in type are no trees of their own: see [`int`](Tree::int),
    /// [`float`](Tree::float) and [`as_scalars`](Tree::as_scalars).
    ///
    /// ```
    /// use fourfold_schema::notation::Notation;
    ///
    /// let notation = Notation::parse("string := <int32:size><char8*$size:data>; <string><string*1>")?;
    /// let tree = notation.decode(&[1, 0, 0, 0, b'a', 1, 0, 0, 0, b'b'])?;
    /// // Both fields would go by the name of their type, so that neither does.
    /// assert_eq!(tree.get("0.data").and_then(|data| data.as_str()), Some("a"));
    /// assert_eq!(tree.get("1[0].data").and_then(|data| data.as_str()), Some("b"));
    /// assert_eq!(tree.get("1[1].data"), None);
    /// # Ok::<(), fourfold_schema::notation::Error>(())
    /// ```
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Tree<'de>> {
        match self.find(path)? {
            Found::Tree(tree) => Some(tree),
            Found::Item(_) => None,
        }
    }

    /// The part at a path, to be changed.
    ///
    /// ```
    /// use fourfold_schema::notation::Notation;
    ///
    /// let notation = Notation::parse("<int32:fake><int32:code>")?;
    /// let mut tree = notation.decode(&[1, 0, 0, 0, 2, 0, 0, 0])?;
    /// if let Some(fake) = tree.get_mut("fake") {
    ///     *fake = 7.into();
    /// }
    /// assert_eq!(notation.encode(&tree)?, [7, 0, 0, 0, 2, 0, 0, 0]);
    /// # Ok::<(), fourfold_schema::notation::Error>(())
    /// ```
    pub fn get_mut(&mut self, path: &str) -> Option<&mut Tree<'de>> {
        let mut tree = self;
        for (segment, _) in Path::parse(path).ok()? {
            tree = match (&segment, &mut tree.value) {
                (Segment::Index(index), Value::Array(items)) => items.get_mut(*index)?,
                (segment, Value::Struct(parts)) => parts.get_mut(&member(segment)?)?,
                _ => return None,
            };
        }
        Some(tree)
    }

    /// The integer at a path, also one in an array: `inputs.indexs[0]`.
    #[must_use]
    pub fn int(&self, path: &str) -> Option<i64> {
        match self.find(path)?.value() {
            Value::Int(int) => Some(*int),
            _ => None,
        }
    }

    /// The float of either width at a path, also one in an array.
    #[must_use]
    pub fn float(&self, path: &str) -> Option<f64> {
        self.find(path)?.value().as_f64()
    }

    fn find(&self, path: &str) -> Option<Found<'_, 'de>> {
        let mut found = Found::Tree(self);
        for (segment, _) in Path::parse(path).ok()? {
            found = match segment {
                Segment::Index(index) => found.item(index)?,
                segment => found.member(&member(&segment)?)?,
            };
        }
        Some(found)
    }
}

/// A step of an error's path into a field.
pub(in crate::notation) fn segment(name: &str) -> Segment {
    match name.parse() {
        Ok(position) => Segment::Slot(position),
        Err(_) => Segment::named(name),
    }
}

/// The name of the field that a segment steps into.
fn member(segment: &Segment) -> Option<Cow<'_, str>> {
    match segment {
        Segment::Field(name) => Some(Cow::Borrowed(name)),
        Segment::Slot(position) => Some(Cow::Owned(position.to_string())),
        _ => None,
    }
}
