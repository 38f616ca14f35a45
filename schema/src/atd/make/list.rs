//! Lists and tables with their headers.

use core::fmt;

use fourfold::biniou::Options;
use fourfold::biniou::wire::{self, Tag};
use serde_core::de::{Deserializer, SeqAccess, Visitor};

use super::{Head, Making};
use crate::atd::shape::{Shape, Type};
use crate::depth::Depth;

/// Makes an ARRAY or TABLE of which not all items are at hand at once.
///
/// Its count comes first, so the bytes of all items are kept until there are no more.
///
/// ```
/// use fourfold_schema::atd::{ListMaker, Schema};
///
/// let schema = Schema::parse("type level = int <biniou repr=\"int8\">").unwrap();
/// let mut levels = ListMaker::list(schema.get("level").unwrap());
/// for json in ["[7, 8]", "[9]"] {
///     levels.append(&mut serde_json::Deserializer::from_str(json))?;
/// }
/// assert_eq!([levels.head(), levels.body().to_vec()], [vec![19, 3, 1], vec![7, 8, 9]]);
///
/// // Nothing is kept of items among which one is refused.
/// levels.append(&mut serde_json::Deserializer::from_str("[10, 256]")).unwrap_err();
/// assert_eq!(levels.count(), 3);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ListMaker<'s> {
    item: Type<'s>,
    head: Head,
    count: usize,
    body: Vec<u8>,
}

impl<'s> ListMaker<'s> {
    /// Makes an ARRAY of values of that type.
    #[must_use]
    pub const fn list(item: Type<'s>) -> Self {
        ListMaker { item, head: Head::Nothing, count: 0, body: Vec::new() }
    }

    /// Makes a TABLE whose rows are of that type. `None` if it is no record.
    #[must_use]
    pub fn table(row: Type<'s>) -> Option<Self> {
        let is_record = matches!(row.unwrapped(), Shape::Record(_));
        is_record.then(|| ListMaker { head: Head::Row, ..ListMaker::list(row) })
    }

    /// Appends the items that a list has, all of them or none. See [`Type::make`] for the form of each.
    ///
    /// # Errors
    ///
    /// Those of [`Schema::make`](crate::atd::Schema::make).
    pub fn append<'de, D: Deserializer<'de>>(&mut self, list: D) -> Result<(), D::Error> {
        let start = self.body.len();
        // The list is a level of its own.
        let whole = Depth::new(Options::new().depth_limit());
        let depth = whole.enter().unwrap_or(whole);
        let items = Items { item: self.item, head: self.head, depth, out: &mut self.body };
        let appended = list.deserialize_seq(items).map(|more| self.count += more);
        if appended.is_err() {
            self.body.truncate(start);
        }
        appended
    }

    /// Forgets all items.
    pub fn clear(&mut self) {
        self.count = 0;
        self.body.clear();
    }

    /// How many items there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The tag of the whole, and what is before so many items.
    #[must_use]
    pub fn head(&self) -> Vec<u8> {
        let tag = if self.head == Head::Row { Tag::Table } else { Tag::Array };
        let head = head_of(self.count, self.item, self.head);
        [tag.byte()].into_iter().chain(head).collect()
    }

    /// The bytes of all items.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }
}

/// The items of a list, or the rows of a table, which are appended to `out`. Returns how many there are.
pub(super) struct Items<'s, 'o> {
    pub(super) item: Type<'s>,
    pub(super) head: Head,
    pub(super) depth: Depth,
    pub(super) out: &'o mut Vec<u8>,
}

impl<'de> Visitor<'de> for Items<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<usize, A::Error> {
        let Items { item: ty, head, depth, out } = self;
        let mut count = 0;
        while items.next_element_seed(Making { ty, depth, head, out: &mut *out })?.is_some() {
            count += 1;
        }
        Ok(count)
    }
}

/// A length before what has it.
pub(super) fn length(count: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    wire::put_length(&mut bytes, count);
    bytes
}

/// What is between the tag of a list or table and its items: their count, and the tag of all or the columns.
pub(super) fn head_of(count: usize, item: Type<'_>, head: Head) -> Vec<u8> {
    let mut bytes = length(count);
    match item.unwrapped() {
        _ if count == 0 => {}
        Shape::Record(fields) if head == Head::Row => {
            wire::put_length(&mut bytes, fields.len());
            for field in fields.iter() {
                bytes.extend(wire::field_key(field.hash()));
                bytes.extend(field.ty().tag().map(Tag::byte));
            }
        }
        _ => bytes.extend(item.tag().map(Tag::byte)),
    }
    bytes
}
