//! What each byte is by the type of a schema: every field with its name, past errors as far as headers show where the next
//! value begins.

use fourfold::molecule::wire::{self, NUMBER_SIZE, Table};
use fourfold::molecule::{Error, ErrorKind, Result};
use fourfold::{CommonKind, Segment};
use fourfold_schema::mol::{Field, Fields, Items, Schema, Shape, Type};

use super::header::{End, Header};
use super::{explain_records, most_levels};
use crate::spans::{Each, Spans, byte_count, hex, is_text, text};
use crate::write::count::counted;

/// Explains a file whose values are of the type of that name, with the names of fields, items and types.
///
/// There is an error if and only if [`Schema::values_of`] refuses a value, and the first is its error, at its offset. After
/// it the walk continues as far as headers show where the next value begins. Of records, each has its number first, as in
/// `[1].name`, and errors of its own.
///
/// ```
/// use fourfold::molecule::to_vec;
/// use fourfold_inspect::spans::molecule::explain_typed;
/// use fourfold_schema::mol::Schema;
///
/// let schema = Schema::parse("
///     array Uint16 [byte; 2];
///     vector Bytes <byte>;
///     table Entry { id: Uint16, name: Bytes, }
/// ")?;
/// let mut bytes = to_vec(&(7u16, "hi"))?;
/// bytes[14] = 3;
/// let mut lines = Vec::new();
/// explain_typed(&schema, &bytes, "Entry", "", &mut |span| {
///     lines.push(format!("{:?} {}: {}, {} {:?}", span.range, span.place, span.what, span.value, span.error));
///     std::ops::ControlFlow::Continue(())
/// })?;
/// assert_eq!(lines, [
///     "0..4 : full size of Entry, 20 None",
///     "4..8 : offset in Entry, 12: id None",
///     "8..12 : offset in Entry, 14: name None",
///     "12..14 id: Uint16, 7 None",
///     "14..18 name: item count of Bytes, 3 items of 1 byte None",
///     "18..20 name: text, \"hi\" Some(\"field or item ends early: 3 bytes needed, 2 left\")",
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// `NoType` if there is no such type.
pub fn explain_typed(
    schema: &Schema,
    bytes: &[u8],
    name: &str,
    path: &str,
    each: &mut Each<'_>,
) -> Result<()> {
    let are_records = schema.values_of(bytes, name)?.are_records();
    let Some(ty) = schema.get(name) else { return Ok(()) };
    let mut spans = Spans::new(path, each);
    // The reader's error may be that of an earlier span.
    spans.delay();
    let mut walk = Walk { schema, ty, spans, end: End::Open, refused: usize::MAX, error: None };
    match are_records {
        true => explain_records(&mut walk, bytes, |walk| &mut walk.spans, Walk::record),
        false => walk.whole(bytes, End::Open, walk.refusal(bytes)),
    }
    walk.spans.finish(bytes.len());
    Ok(())
}

/// How many more levels, and options in one another, may be entered.
#[derive(Clone, Copy)]
struct Depth {
    levels: u16,
    wrappers: u16,
}

impl Depth {
    fn enter(self) -> Option<Self> {
        Some(Depth { levels: self.levels.checked_sub(1)?, ..self })
    }

    fn wrap(self) -> Option<Self> {
        Some(Depth { wrappers: self.wrappers.checked_sub(1)?, ..self })
    }

    fn has_room(self, height: u16) -> bool {
        self.levels.min(self.wrappers) >= height
    }
}

/// Spans under construction.
struct Walk<'t, 's> {
    schema: &'t Schema,
    /// The type of all values of the file.
    ty: Type<'t>,
    spans: Spans<'s>,
    /// What shows where the current value ends.
    end: End,
    /// The first byte that a reader refuses. What seems to be wrong before it is not.
    refused: usize,
    /// What is wrong with the bytes that are explained next.
    error: Option<String>,
}

/// What is after a header of offsets.
#[derive(Clone, Copy)]
enum Inside<'t> {
    Items(Type<'t>),
    Fields(Fields<'t>),
}

impl<'t> Inside<'t> {
    /// How many fields there have to be, if the type has fields.
    fn count(self) -> Option<usize> {
        match self {
            Inside::Items(_) => None,
            Inside::Fields(fields) => Some(fields.len()),
        }
    }

    fn field(self, index: usize) -> Option<Field<'t>> {
        match self {
            Inside::Items(_) => None,
            Inside::Fields(fields) => fields.get(index),
        }
    }

    /// The type of a field or item. A table may have more fields than its type.
    fn ty(self, index: usize) -> Option<Type<'t>> {
        match self {
            Inside::Items(ty) => Some(ty),
            Inside::Fields(_) => self.field(index).map(Field::ty),
        }
    }

    fn step(self, index: usize) -> Segment {
        match (self, self.field(index)) {
            (Inside::Items(_), _) => Segment::Index(index),
            (Inside::Fields(_), Some(field)) => Segment::named(field.name()),
            (Inside::Fields(_), None) => Segment::Slot(index),
        }
    }

    fn name(self, index: usize) -> String {
        match (self, self.field(index)) {
            (Inside::Items(_), _) => format!("item {index}"),
            (Inside::Fields(_), Some(field)) => field.name().to_owned(),
            (Inside::Fields(_), None) => format!("field {index}, which the type has not"),
        }
    }
}

/// An error of a table whose header is right, but not that of the type.
fn count_error(table: &Table<'_>, expected: usize) -> Option<Error> {
    let found = table.count();
    let kind = match found {
        _ if found < expected => ErrorKind::MissingFields { found },
        _ if found > expected => ErrorKind::ExtraFields { found, expected },
        _ => return None,
    };
    Some(Error::at(kind, table.count_offset()))
}

/// The error of a value without bytes.
fn error_of_none(ty: Type<'_>, base: usize) -> Option<Error> {
    match (ty.size(), ty.shape()) {
        (Some(size), _) => wire::exactly(&[], size, base).err(),
        (None, Shape::Option(_)) => None,
        (None, Shape::Table(_) | Shape::DynVec(_)) => Table::parse(&[], base).err(),
        (None, _) => wire::parse_number(&[], base).err(),
    }
}

impl Walk<'_, '_> {
    /// The error of a reader for a whole value.
    fn refusal(&self, bytes: &[u8]) -> Option<Error> {
        self.schema.to_value(bytes, self.ty.name()).err()
    }

    fn record(&mut self, bytes: &[u8], error: Option<Error>) {
        let start = self.spans.offset();
        let moved = |error: Error| error.map_kind(ErrorKind::in_item).moved(start);
        match error {
            None => self.whole(bytes, End::Enclosed, self.refusal(bytes).map(moved)),
            Some(error) => {
                self.error = Some(error.kind().to_string());
                self.whole(bytes, End::Open, Some(error));
            }
        }
    }

    /// Explains all of a value, which the reader refuses or not.
    fn whole(&mut self, bytes: &[u8], end: End, refusal: Option<Error>) {
        let at = |error: &Error| error.offset().unwrap_or_default();
        let refused = refusal.as_ref().map(at);
        let errors = refusal.iter().map(|error| (at(error), error.kind().to_string()));
        self.spans.judge(refused, errors);
        self.refused = refused.unwrap_or(usize::MAX);
        self.end = end;
        let depth = Depth { levels: most_levels(), wrappers: most_levels() };
        self.value(self.ty, bytes, end, depth);
    }

    /// The text of an error without its place, as the reader has it for the current value.
    fn describe(&self, error: Error) -> String {
        let error = match self.end {
            End::Open => error,
            End::Enclosed => error.map_kind(ErrorKind::in_item),
        };
        error.kind().to_string()
    }

    /// The next bytes, and what is known to be wrong with them.
    fn put(
        &mut self,
        len: usize,
        what: impl FnOnce() -> String,
        value: impl FnOnce() -> String,
        error: Option<String>,
    ) {
        let error = self.error.take().or(error);
        // What is missing has no bytes, and is shown only with an error.
        let is_shown = len > 0 || (error.is_some() && self.spans.offset() >= self.refused);
        if is_shown {
            self.spans.put_named(len, || what().into(), value, error);
        }
    }

    /// Explains bytes that do not have the type.
    fn put_wrong(&mut self, bytes: &[u8], what: impl FnOnce() -> String, error: String) {
        self.put(bytes.len(), what, || hex(bytes), Some(error));
    }

    fn trailing(&mut self, bytes: &[u8]) {
        if let count @ 1.. = bytes.len() {
            let error = CommonKind::TrailingBytes { count }.to_string();
            self.put_wrong(bytes, || "trailing bytes".into(), error);
        }
    }

    /// Explains all of `bytes`, which come next.
    fn value(&mut self, ty: Type<'_>, bytes: &[u8], end: End, depth: Depth) {
        let base = self.spans.offset();
        let inside = match (ty.size(), ty.shape()) {
            (Some(_), _) => Some(depth).filter(|depth| depth.has_room(ty.height())),
            (None, Shape::Option(_)) => depth.wrap(),
            (None, _) => depth.enter(),
        };
        let Some(inside) = inside else {
            let error = CommonKind::DepthLimit { limit: most_levels() }.to_string();
            return self.put_wrong(bytes, || ty.name().to_owned(), error);
        };
        if bytes.is_empty() {
            if let Some(error) = error_of_none(ty, base) {
                self.put_wrong(bytes, || ty.name().to_owned(), self.describe(error));
            }
            return;
        }
        match (ty.size(), ty.shape()) {
            (Some(size), _) => self.sized(ty, bytes, size),
            (None, Shape::Option(inner)) => self.value(inner, bytes, end, inside),
            (None, Shape::Union(items)) => self.union(ty, items, bytes, end, inside),
            (None, Shape::FixVec(item)) => self.fixvec(ty, item, bytes),
            (None, Shape::DynVec(item)) => {
                self.headed(ty, Inside::Items(item), bytes, end, inside);
            }
            (None, Shape::Table(fields)) => {
                self.headed(ty, Inside::Fields(fields), bytes, end, inside);
            }
            // The others have a size.
            (None, _) => {}
        }
    }

    /// A value of a fixed size.
    fn sized(&mut self, ty: Type<'_>, bytes: &[u8], size: usize) {
        let (value, after) = bytes.split_at_checked(size).unwrap_or((bytes, &[]));
        if value.len() < size {
            let refused = wire::exactly(bytes, size, self.spans.offset());
            self.error = refused.err().map(|error| self.describe(error));
        }
        self.fixed(ty, value);
        self.trailing(after);
    }

    /// The fields and items of a value of a fixed size, as far as there are bytes.
    fn fixed(&mut self, ty: Type<'_>, bytes: &[u8]) {
        match ty.shape() {
            Shape::Array(item, _) if item.shape() != Shape::Byte => self.packed(item, bytes),
            Shape::Struct(fields) => {
                let mut rest = bytes;
                for field in fields.iter() {
                    if rest.is_empty() || self.spans.is_stopped() {
                        return;
                    }
                    let size = field.ty().size().unwrap_or_default();
                    let (part, after) = rest.split_at_checked(size).unwrap_or((rest, &[]));
                    rest = after;
                    self.spans.enter(|| Segment::named(field.name()));
                    self.within(part, |walk| walk.fixed(field.ty(), part));
                }
            }
            _ if bytes.is_empty() => {}
            _ => self.put(bytes.len(), || ty.name().to_owned(), || leaf(ty, bytes), None),
        }
    }

    /// Explains a field or item that was entered, unless nothing of it is wanted.
    fn within(&mut self, bytes: &[u8], explain: impl FnOnce(&mut Self)) {
        let end = self.spans.offset().saturating_add(bytes.len());
        match self.spans.is_hidden() {
            true => self.error = None,
            false => explain(self),
        }
        self.spans.put_rest(end);
        self.spans.leave();
    }

    /// Concatenated items of a fixed size.
    fn packed(&mut self, item: Type<'_>, bytes: &[u8]) {
        let Some(size @ 1..) = item.size() else { return };
        let first = self.spans.first_wanted(0).min(bytes.len().div_ceil(size));
        if first > 0 {
            self.error = None;
            self.spans.pass(first.saturating_mul(size).min(bytes.len()));
        }
        for (index, part) in bytes.chunks(size).enumerate().skip(first) {
            if self.spans.is_stopped() {
                return;
            }
            self.spans.enter(|| Segment::Index(index));
            self.within(part, |walk| walk.fixed(item, part));
        }
    }

    fn fixvec(&mut self, ty: Type<'_>, item: Type<'_>, bytes: &[u8]) {
        let what = || format!("item count of {}", ty.name());
        let base = self.spans.offset();
        let (count, body) = match wire::parse_number(bytes, base) {
            Ok(parsed) => parsed,
            Err(error) => return self.put_wrong(bytes, what, self.describe(error)),
        };
        let (count, size) = (wire::stated(count), item.size().unwrap_or(1));
        let value = || format!("{} of {}", counted(count, "item"), byte_count(size));
        self.put(NUMBER_SIZE, what, value, None);
        let size = size.saturating_mul(count);
        let (items, after) = body.split_at_checked(size).unwrap_or((body, &[]));
        if items.len() < size {
            let refused = wire::exactly(body, size, base.saturating_add(NUMBER_SIZE));
            self.error = refused.err().map(|error| self.describe(error));
        }
        match item.shape() {
            Shape::Byte if is_text(items) => {
                self.put(items.len(), || "text".into(), || text(items), None)
            }
            Shape::Byte => self.put(items.len(), || "bytes".into(), || hex(items), None),
            _ if items.is_empty() => self.put(0, || item.name().to_owned(), String::new, None),
            _ => self.packed(item, items),
        }
        self.trailing(after);
    }

    fn union(&mut self, ty: Type<'_>, items: Items<'_>, bytes: &[u8], end: End, depth: Depth) {
        let what = || format!("item id of {}", ty.name());
        let (id, payload) = match wire::parse_number(bytes, self.spans.offset()) {
            Ok(parsed) => parsed,
            Err(error) => return self.put_wrong(bytes, what, self.describe(error)),
        };
        match items.with_id(id) {
            Some(item) => {
                self.put(NUMBER_SIZE, what, || format!("{id}: {}", item.ty().name()), None);
                self.value(item.ty(), payload, end, depth);
            }
            None => {
                let error = ErrorKind::UnknownId { id }.to_string();
                self.put(NUMBER_SIZE, what, || id.to_string(), Some(error));
                self.put(payload.len(), || "bytes".into(), || hex(payload), None);
            }
        }
    }

    /// What has a header of offsets.
    fn headed(&mut self, ty: Type<'_>, inside: Inside<'_>, bytes: &[u8], end: End, depth: Depth) {
        let base = self.spans.offset();
        let refusal = match (Table::parse(bytes, base), inside.count()) {
            (Err(error), _) => Some(error),
            (Ok(table), Some(expected)) => count_error(&table, expected),
            (Ok(_), None) => None,
        };
        let refusal = refusal.map(|error| (error.offset(), self.describe(error)));
        let refused_at = |at| {
            let (_, error) = refusal.as_ref().filter(|(offset, _)| *offset == Some(at))?;
            Some(error.clone())
        };
        let what = |part| move || format!("{part} {}", ty.name());
        let header = Header::assumed(bytes, end, inside.count());
        let size = bytes.len().min(NUMBER_SIZE);
        let value = || match wire::number_at(bytes, 0) {
            Some(found) => found.to_string(),
            None => hex(bytes),
        };
        self.put(size, what("full size of"), value, refused_at(base));

        let ends = header.offsets().skip(1).map(|next| next.found).chain([header.end()]);
        let mut count = 0;
        for ((index, offset), end) in header.offsets().enumerate().zip(ends) {
            if self.spans.is_stopped() {
                return;
            }
            count = index + 1;
            let error = refused_at(self.spans.offset()).or(offset.error);
            let place = match error {
                None => header.place_of(offset.found, end, base),
                Some(_) => String::new(),
            };
            let value = || format!("{}: {}{place}", offset.found, inside.name(index));
            self.put(NUMBER_SIZE, what("offset in"), value, error);
        }
        let after = bytes.get(wire::header_size(0)..).unwrap_or_default();
        if let (0, Some(error)) = (count, refused_at(self.spans.offset())) {
            // There is not even one offset.
            self.put_wrong(after, what("offset in"), error);
            return;
        }
        self.parts(inside, bytes, &header, end, depth, base);
    }

    /// What is after a header.
    fn parts(
        &mut self,
        inside: Inside<'_>,
        bytes: &[u8],
        header: &Header<'_>,
        end: End,
        depth: Depth,
        base: usize,
    ) {
        for items in header.all_items() {
            if self.spans.is_stopped() {
                return;
            }
            let part = bytes.get(items.bytes.clone()).unwrap_or_default();
            if items.indices.is_empty() {
                continue;
            }
            if items.indices.len() > 1 {
                let (first, last) = (items.indices.start, items.indices.end.saturating_sub(1));
                let value = || format!("items {first} to {last}, {}", hex(part));
                self.put(part.len(), || "items not separable".into(), value, None);
                continue;
            }
            // The end of the last item is missing if that of the input is.
            let is_cut = end == End::Open
                && header.full_size().found > bytes.len()
                && items.bytes.end == bytes.len();
            let end = if is_cut { End::Open } else { End::Enclosed };
            let index = items.indices.start;
            self.spans.enter(|| inside.step(index));
            self.within(part, |walk| match inside.ty(index) {
                Some(ty) => walk.value(ty, part, end, depth),
                None => walk.put(part.len(), || "bytes".into(), || hex(part), None),
            });
        }
        self.spans.put_rest(base.saturating_add(bytes.len()));
    }
}

/// A value without fields and items.
fn leaf(ty: Type<'_>, bytes: &[u8]) -> String {
    match (ty.shape(), bytes) {
        (Shape::Byte, [byte]) => byte.to_string(),
        (_, bytes) => match ty.number().and_then(|number| number.of(bytes)) {
            Some(number) => number.to_string(),
            None => hex(bytes),
        },
    }
}
