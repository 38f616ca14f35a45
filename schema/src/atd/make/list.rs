//! Lists and tables with their headers.

use core::fmt;

use fourfold::biniou::Options;
use fourfold::biniou::wire::{self, Tag};
use serde_core::de::{Deserializer, SeqAccess, Visitor};

use super::Making;
use super::fields::Row;
use crate::atd::shape::{Fields, Shape, Type};
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
    columns: Option<Fields<'s>>,
    count: usize,
    body: Vec<u8>,
}

impl<'s> ListMaker<'s> {
    /// Makes an ARRAY of values of that type.
    #[must_use]
    pub const fn list(item: Type<'s>) -> Self {
        ListMaker { item, columns: None, count: 0, body: Vec::new() }
    }

    /// Makes a TABLE whose rows are of that type. `None` if it is no record.
    #[must_use]
    pub fn table(row: Type<'s>) -> Option<Self> {
        match row.unwrapped() {
            Shape::Record(fields) => {
                Some(ListMaker { columns: Some(fields), ..ListMaker::list(row) })
            }
            _ => None,
        }
    }

    /// Appends the items that a list has, all of them or none. See [`Type::make`] for the form of each.
    ///
    /// # Errors
    ///
    /// Those of [`Schema::make`](crate::atd::Schema::make).
    pub fn append<'de, D: Deserializer<'de>>(&mut self, list: D) -> Result<(), D::Error> {
        let ListMaker { item, columns, count, body } = self;
        let start = body.len();
        // The list is a level of its own.
        let whole = Depth::new(Options::new().depth_limit());
        let depth = whole.enter().unwrap_or(whole);
        let items = Items { item: *item, columns: *columns, depth, out: &mut *body };
        match list.deserialize_seq(items) {
            Ok(more) => *count = count.saturating_add(more),
            Err(error) => {
                body.truncate(start);
                return Err(error);
            }
        }
        Ok(())
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
        let (tag, rest) = match self.columns {
            Some(fields) => (Tag::Table, table_head(self.count, fields)),
            None => (Tag::Array, list_head(self.count, self.item.tag())),
        };
        [tag.byte()].into_iter().chain(rest).collect()
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
    /// Those of a table.
    pub(super) columns: Option<Fields<'s>>,
    pub(super) depth: Depth,
    pub(super) out: &'o mut Vec<u8>,
}

impl<'de> Visitor<'de> for Items<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<usize, A::Error> {
        let Items { item: ty, columns, depth, out } = self;
        let mut count = 0;
        loop {
            let out = &mut *out;
            let item = match columns {
                Some(fields) => items.next_element_seed(Row { fields, depth, out })?,
                None => items.next_element_seed(Making { ty, depth, is_tagged: false, out })?,
            };
            if item.is_none() {
                return Ok(count);
            }
            count += 1;
        }
    }
}

/// A count, and the tag of all items if there are some.
pub(super) fn list_head(count: usize, tag: Option<Tag>) -> Vec<u8> {
    let mut head = Vec::new();
    wire::put_length(&mut head, count);
    head.extend(tag.filter(|_| count > 0).map(Tag::byte));
    head
}

/// The header of a TABLE after its tag.
pub(super) fn table_head(rows: usize, fields: Fields<'_>) -> Vec<u8> {
    let mut head = Vec::new();
    wire::put_length(&mut head, rows);
    if rows > 0 {
        wire::put_length(&mut head, fields.len());
        for field in fields.iter() {
            head.extend(wire::field_key(field.hash()));
            head.extend(field.ty().tag().map(Tag::byte));
        }
    }
    head
}
