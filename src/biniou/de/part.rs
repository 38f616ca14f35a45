//! One part of a document by its path. Knows how parts follow one another, does not know how values are read.
//!
//! The way steps over what stands in front of the part, as the exact reader steps over what its type does not
//! want. Of equal fields the last one counts, so each RECORD on the way is looked through to its end.

use serde_core::de::{self, Deserialize, Visitor};
use serde_core::forward_to_deserialize_any;

use super::node::Node;
use super::reading::{Reading as _, TagAndMark};
use super::state::State;
use super::table::{Row, Table};
use super::{Source, Types, error_of_document, fast};
use crate::biniou::budget::Budget;
use crate::biniou::names::HashName;
use crate::biniou::wire::{self, COLUMN_SIZE, ENTRY_CELLS, HASH_SIZE, Tag};
use crate::biniou::{Error, ErrorKind, Options, Path, Result, Segment};
use crate::fast::FAST;
use crate::glue::erased;
use crate::glue::nested::UnderWay;
use crate::raw::Route;
use crate::read::Reader;

/// The value of the part that `path` leads to.
#[inline]
pub(in crate::biniou) fn at<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
    path: &Path,
) -> Result<T> {
    if path.is_empty() {
        return super::from_slice(options, bytes);
    }
    let mut value = None;
    let found = find(options, bytes, path, &mut |state, found| {
        value = Some(read(options, bytes, state, found, path)?);
        Ok(())
    });
    match (found, value) {
        (Ok(()), Some(value)) => Ok(value),
        (Err(error), _) => Err(error_of_document(error, bytes)),
        (Ok(()), None) => Err(Error::at(ErrorKind::AbsentPart, 0)),
    }
}

/// A part that has been found.
#[derive(Clone, Copy)]
enum Found<'p> {
    /// A value that comes next, and where its tag lies.
    Value { tag: Tag, at: usize, kind: Kind },
    /// The row of a TABLE that begins at `table`, and where the row does.
    Row { table: usize, at: usize },
    /// A field that the RECORD does not have whose fields begin there.
    Missing { name: &'p str, at: usize },
}

/// What a value is in what is around it.
#[derive(Clone, Copy)]
enum Kind {
    /// In a RECORD, where an optional one is bare.
    Field,
    /// In an ARRAY or a TABLE, which have its tag in front of them.
    Headed,
    /// In anything else.
    Plain,
}

impl Kind {
    fn marked(self, tag: Tag) -> TagAndMark {
        match self {
            Kind::Field => TagAndMark::of_field(tag.byte()),
            Kind::Headed | Kind::Plain => TagAndMark::new(tag.byte(), None),
        }
    }
}

/// What is done with a part that has been found.
type Take<'t, 'de> = dyn FnMut(&mut State<'de>, Found<'_>) -> Result<()> + 't;

/// Reads a part that has been found.
fn read<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
    state: &mut State<'de>,
    found: Found<'_>,
    path: &Path,
) -> Result<T> {
    match found {
        Found::Missing { name, at } => T::deserialize(Missing { name, at }),
        // The fast way knows no shared values in front of the part.
        Found::Value { tag, kind, .. } if FAST && state.definitions.is_empty() => {
            let part = bytes.get(state.reader.offset()..).unwrap_or_default();
            let (tag, depth) = (Some(kind.marked(tag)), state.depth.left());
            match fast::take(
                Source { tag, depth, ..Source::whole(options, part) },
                &Types::default(),
            ) {
                Some((value, _)) => Ok(value),
                None => erased::value_by(|read| read_exactly(state, found, path, read)),
            }
        }
        Found::Value { .. } | Found::Row { .. } => {
            erased::value_by(|read| read_exactly(state, found, path, read))
        }
    }
}

#[cold]
fn read_exactly<'de>(
    state: &mut State<'de>,
    found: Found<'_>,
    path: &Path,
    read: &mut super::Read<'_, 'de>,
) -> Result<()> {
    let _reading = UnderWay::exact();
    state.outer = Route::along(path).into();
    match found {
        Found::Value { tag, at, kind } => {
            let start = state.reader.offset();
            let node = Node { input: &mut *state, tag_and_mark: kind.marked(tag), at };
            let begin = if matches!(kind, Kind::Headed) { start } else { at };
            erased::read_by(node, read).map_err(|error| error.or_offset(begin))?;
            state.skip_if_unread(start, Some(tag))
        }
        Found::Row { table, at } => {
            state.return_to(table);
            let mut table = Table::take(state)?;
            state.return_to(at);
            let row = Row::new(state, &mut table);
            erased::read_by(row, read).map_err(|error| error.or_offset(at))?;
            match state.failed {
                false => Ok(()),
                true => state.check_swallowed(),
            }
        }
        Found::Missing { name, at } => Err(missing(name, at)),
    }
}

#[cold]
fn missing(name: &str, at: usize) -> Error {
    Error::at(ErrorKind::MissingField { name: name.into() }, at)
}

/// A field that is not there: an option is `None`.
struct Missing<'p> {
    name: &'p str,
    at: usize,
}

impl<'de> de::Deserializer<'de> for Missing<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        Err(missing(self.name, self.at))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Has `take` read the part that `path` leads to.
fn find<'de>(
    options: &Options,
    bytes: &'de [u8],
    path: &Path,
    take: &mut Take<'_, 'de>,
) -> Result<()> {
    // A part cannot be read twice here, so that its records are looked through first.
    let mut state = State::new(options, bytes, true, Budget::new());
    Way { path, taken: 0 }.tagged(&mut state, Kind::Plain, take)
}

/// A path, and how many of its segments have been taken.
#[derive(Clone, Copy)]
struct Way<'p> {
    path: &'p Path,
    taken: usize,
}

impl<'p> Way<'p> {
    /// The step that is next, and the way behind it.
    fn step(self) -> Option<(&'p Segment, Self)> {
        let segment = self.path.segments().nth(self.taken)?;
        Some((segment, Way { taken: self.taken + 1, ..self }))
    }

    /// Goes on in the value whose tag is next.
    fn tagged<'de>(
        self,
        state: &mut State<'de>,
        kind: Kind,
        take: &mut Take<'_, 'de>,
    ) -> Result<()> {
        let at = state.reader.offset();
        let tag = wire::take_tag(&mut state.reader)?;
        self.value(state, tag, at, kind, take)
    }

    /// Goes on in a value whose tag, which lies at `at`, is known.
    fn value<'de>(
        self,
        state: &mut State<'de>,
        tag: Tag,
        at: usize,
        kind: Kind,
        take: &mut Take<'_, 'de>,
    ) -> Result<()> {
        let Some((segment, inner)) = self.step() else {
            return take(state, Found::Value { tag, at, kind });
        };
        let start = state.reader.offset();
        match (tag, segment) {
            (Tag::Shared, _) => {
                state.shared(|state, tag, at| self.value(state, tag, at, Kind::Plain, take))
            }
            (Tag::NumVariant, _) => match wire::take_num_variant(&mut state.reader)? {
                (_, true) => state.level(|state| self.tagged(state, Kind::Plain, take)),
                (_, false) => Err(Error::at(ErrorKind::AbsentPart, at)),
            },
            (Tag::Variant, _) => match wire::take_variant(&mut state.reader)? {
                (_, true) => state.level(|state| self.tagged(state, Kind::Plain, take)),
                (_, false) => Err(Error::at(ErrorKind::AbsentPart, at)),
            },
            (Tag::Array, Segment::Index(index)) => {
                state.level(|state| inner.item(state, *index, take))
            }
            (Tag::Tuple, Segment::Index(index) | Segment::Slot(index)) => {
                state.level(|state| inner.cell(state, *index, segment, take))
            }
            (Tag::Tuple, Segment::Field(name)) if is_entry(state.reader) => {
                let index = match &**name {
                    "key" => 0,
                    "value" => 1,
                    _ => return Err(wrong_tag(tag, segment, at)),
                };
                state.level(|state| inner.cell(state, index, segment, take))
            }
            (Tag::Record, Segment::Field(name)) => {
                state.level(|state| inner.field(state, name, segment, take))
            }
            (Tag::Table, Segment::Index(index)) => {
                state.level(|state| inner.row(state, start, *index, take))
            }
            _ => Err(wrong_tag(tag, segment, at)),
        }
    }

    /// Goes on in an item of an ARRAY.
    fn item<'de>(
        self,
        state: &mut State<'de>,
        index: usize,
        take: &mut Take<'_, 'de>,
    ) -> Result<()> {
        let start = state.reader.offset();
        let found = wire::take_items(&mut state.reader)?;
        if index >= found {
            return Err(Error::at(ErrorKind::NoPart { index, found }, start));
        }
        let at = state.reader.offset();
        let tag = wire::take_tag(&mut state.reader)?;
        skip_many(state, tag.fixed_size(), index, |state| state.skip(tag))?;
        let part = self.value(state, tag, at, Kind::Headed, take);
        part.map_err(|error| error.inside(Segment::Index(index)))
    }

    /// Goes on in a cell of a TUPLE.
    fn cell<'de>(
        self,
        state: &mut State<'de>,
        index: usize,
        segment: &Segment,
        take: &mut Take<'_, 'de>,
    ) -> Result<()> {
        let start = state.reader.offset();
        let found = wire::take_cells(&mut state.reader)?;
        if index >= found {
            return Err(Error::at(ErrorKind::MissingCells { found }, start));
        }
        skip_many(state, None, index, State::skip_tagged)?;
        let part = self.tagged(state, Kind::Plain, take);
        part.map_err(|error| error.inside(segment.clone()))
    }

    /// Goes on in a field of a RECORD: the last one of that name.
    fn field<'de>(
        self,
        state: &mut State<'de>,
        name: &'p str,
        segment: &Segment,
        take: &mut Take<'_, 'de>,
    ) -> Result<()> {
        let start = state.reader.offset();
        let mut found = Places::new(name);
        for _ in 0..wire::take_fields(&mut state.reader)? {
            let hash = wire::take_field(&mut state.reader)?;
            // The part itself is read or stepped over again, so that its rows count there.
            match found.note(hash, state.reader.offset()) {
                true => state.skip_beside(None)?,
                false => state.skip_tagged()?,
            }
        }
        match found.place() {
            Some(place) => {
                state.return_to(place);
                let part = self.tagged(state, Kind::Field, take);
                part.map_err(|error| error.inside(segment.clone()))
            }
            None if self.step().is_none() => take(state, Found::Missing { name, at: start }),
            None => Err(missing(name, start)),
        }
    }

    /// Goes on in a row of the TABLE that begins at `start`.
    fn row<'de>(
        self,
        state: &mut State<'de>,
        start: usize,
        index: usize,
        take: &mut Take<'_, 'de>,
    ) -> Result<()> {
        let (found, count) = wire::take_table_counts(&mut state.reader)?;
        if index >= found {
            return Err(Error::at(ErrorKind::NoPart { index, found }, start));
        }
        let header_at = state.reader.offset();
        let mut size = Some(0usize);
        for _ in 0..count {
            wire::take_field(&mut state.reader)?;
            let tag = wire::take_tag(&mut state.reader)?;
            size = size.and_then(|size| size.checked_add(tag.fixed_size()?));
        }
        let header = Header { at: header_at, end: state.reader.offset() };
        skip_many(state, size, index, |state| {
            header.columns(state).try_for_each(|(_, tag, _)| state.skip(tag))
        })?;
        let at = state.reader.offset();
        let part = match self.step() {
            None => take(state, Found::Row { table: start, at }),
            Some((segment @ Segment::Field(name), inner)) => {
                state.level(|state| inner.column(state, header, name, segment, take))
            }
            Some((segment, _)) => Err(wrong_tag(Tag::Record, segment, at)),
        };
        part.map_err(|error| error.inside(Segment::Index(index)))
    }

    /// Goes on in the cell of a row.
    fn column<'de>(
        self,
        state: &mut State<'de>,
        header: Header,
        name: &'p str,
        segment: &Segment,
        take: &mut Take<'_, 'de>,
    ) -> Result<()> {
        let start = state.reader.offset();
        let mut found = Places::new(name);
        for (hash, _, at) in header.columns(state) {
            found.note(hash, at);
        }
        let Some(place) = found.place() else {
            return match self.step() {
                None => take(state, Found::Missing { name, at: start }),
                Some(_) => Err(missing(name, start)),
            };
        };
        for (_, tag, at) in header.columns(state) {
            if at == place {
                let part = self.value(state, tag, at, Kind::Headed, take);
                return part.map_err(|error| error.inside(segment.clone()));
            }
            state.skip(tag)?;
        }
        Err(missing(name, start))
    }
}

/// Where the columns of a TABLE lie, which have been taken before.
#[derive(Clone, Copy)]
struct Header {
    at: usize,
    end: usize,
}

impl Header {
    /// The hash and tag of each column, and where the tag lies.
    fn columns<'de>(
        self,
        state: &State<'de>,
    ) -> impl Iterator<Item = (u32, Tag, usize)> + use<'de> {
        let bytes = state.input(self.at..self.end);
        let places = (self.at..).step_by(COLUMN_SIZE);
        bytes.chunks_exact(COLUMN_SIZE).zip(places).filter_map(|(column, at)| {
            let (key, tag) = column.split_first_chunk()?;
            Some((wire::hash_in(*key), Tag::from_byte(*tag.first()?)?, at + HASH_SIZE))
        })
    }
}

/// Where the last field lies that a path may mean by a name: that of the name's hash, else that of the hash that
/// the name spells.
struct Places {
    of_name: (u32, Option<usize>),
    of_hash: Option<(u32, Option<usize>)>,
}

impl Places {
    fn new(name: &str) -> Self {
        let spelled = HashName::parse(name);
        Places { of_name: (wire::hash(name), None), of_hash: spelled.map(|hash| (hash, None)) }
    }

    /// Notes a field that lies there. Tells whether it may be the one.
    fn note(&mut self, hash: u32, place: usize) -> bool {
        let mut is_meant = false;
        for (wanted, found) in [&mut self.of_name].into_iter().chain(&mut self.of_hash) {
            if *wanted == hash {
                *found = Some(place);
                is_meant = true;
            }
        }
        is_meant
    }

    fn place(&self) -> Option<usize> {
        self.of_name.1.or(self.of_hash.and_then(|(_, found)| found))
    }
}

/// Whether a TUPLE, of which the cells come next, may be an entry of a map.
fn is_entry(mut cells: Reader<'_>) -> bool {
    wire::take_cells(&mut cells).is_ok_and(|cells| cells == ENTRY_CELLS)
}

#[cold]
fn wrong_tag(tag: Tag, segment: &Segment, at: usize) -> Error {
    let expected = match segment {
        Segment::Field(_) => "record",
        Segment::Slot(_) => "tuple",
        Segment::Index(_) => "array, tuple or table",
    };
    Error::at(ErrorKind::WrongTag { found: tag.name(), expected }, at)
}

/// Steps over so many values or rows, of `size` bytes each if all have the same.
fn skip_many<'de>(
    state: &mut State<'de>,
    size: Option<usize>,
    count: usize,
    skip: impl Fn(&mut State<'de>) -> Result<()>,
) -> Result<()> {
    let whole = size.and_then(|size| size.checked_mul(count));
    if let Some(whole) = whole.filter(|whole| *whole <= state.reader.left()) {
        state.reader.skip(whole);
        return Ok(());
    }
    (0..count)
        .try_for_each(|index| skip(state).map_err(|error| error.inside(Segment::Index(index))))
}
