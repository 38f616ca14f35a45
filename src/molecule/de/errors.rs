//! The errors of the reader, with kind, offset and path, and the layouts that `layout` does not read itself: with trailing
//! bytes, more fields than the type, or a mark.
//!
//! Messages of the usual layouts do not need these functions. So they are cold and not generic, and take and return
//! values that fit in registers: an access does not stay in registers if a function takes its address.

use super::document::{Document, Result};
use super::hint;
use super::layout::FieldCount;
use super::value::Rule;
use crate::error::{CommonKind, Segment};
use crate::failed::{Failed, Reason};
use crate::glue::names::Names;
use crate::limits;
use crate::molecule::error::{ANY, ANY_UNMARKED, TABLE};
use crate::molecule::mark::{Mark, Target};
use crate::molecule::wire::{self, EMPTY_TABLE, ENTRY_FIELDS, NUMBER_SIZE, Parts, Table};
use crate::molecule::{Error, ErrorKind};
use crate::text;

/// The result of the field or item of a table or dynvec that was read last.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Read,
    Failed,
    /// Its slot is empty, and its type does not accept that.
    Absent,
}

/// The error for a type that needs a self-describing format.
pub(super) const NO_TYPES: CommonKind = CommonKind::Unsupported {
    reason: "molecule does not describe itself, and this type needs that (as flatten, untagged and \
             internally tagged enums do)",
    hint: Some(ANY),
};

/// Values in slots and their marks.
impl<'de> Document<'_, 'de> {
    #[cold]
    pub(super) fn too_deep(&self, at: &[u8]) -> Failed {
        self.keep(limits::too_deep(self.options.max_depth).or_offset(self.offset(at)))
    }

    #[cold]
    pub(super) fn trailing(&self, rest: &[u8]) -> Failed {
        self.fail(rest, CommonKind::TrailingBytes { count: rest.len() })
    }

    /// A value that takes at least `needed` bytes.
    #[cold]
    pub(super) fn ends_early(&self, at: &[u8], needed: usize) -> Failed {
        self.fail(at, CommonKind::UnexpectedEnd { needed, left: at.len() })
    }

    #[cold]
    pub(super) fn bad_bool(&self, at: &[u8], found: u8) -> Failed {
        self.fail(at, ErrorKind::InvalidBool { found })
    }

    #[cold]
    pub(super) fn bad_char(&self, at: &[u8], found: u32) -> Failed {
        self.fail(at, ErrorKind::InvalidChar { found })
    }

    #[cold]
    pub(super) fn bad_text(&self, content: &[u8]) -> Failed {
        let error = text::utf8::<ErrorKind>(content, self.offset(content)).err();
        self.keep(error.unwrap_or_else(|| Error::at(CommonKind::InvalidUtf8, self.offset(content))))
    }

    /// A value without a length, in a place where bytes may follow.
    #[cold]
    pub(super) fn endless(&self, at: &[u8], found: &'static str) -> Failed {
        self.fail(at, ErrorKind::Endless { found })
    }

    /// A type needs a self-describing format.
    #[cold]
    pub(super) fn no_types(&self, at: &[u8], is_packed: bool) -> Failed {
        self.mark_untyped(at);
        let error = Error::at(NO_TYPES, self.offset(at));
        self.keep(error.or_hint(is_packed.then_some(ANY_UNMARKED)))
    }

    #[cold]
    pub(super) fn misplaced(&self, at: &[u8], mark: Mark, target: &Target) -> Failed {
        self.fail(at, mark.mismatch(*target))
    }

    /// The bytes of a number with a wrong length, a mark or a rule.
    #[cold]
    pub(super) fn scalar(&self, bytes: &'de [u8], size: usize, rule: Rule) -> Result<&'de [u8]> {
        match bytes.split_at_checked(size) {
            None => Err(self.ends_early(bytes, size)),
            Some((_, rest)) if !rest.is_empty() && rule != Rule::AllowTrailing => {
                Err(self.trailing(rest))
            }
            Some((number, _)) => Ok(number),
        }
    }

    /// The content of a `fixvec <byte>` with a mark, wrong length or bytes after it.
    #[cold]
    pub(super) fn parse_content(
        &self,
        bytes: &'de [u8],
        mark: Option<Mark>,
        target: &Target,
        rule: Rule,
    ) -> Result<&'de [u8]> {
        match mark {
            Some(mark) if !mark.fits(*target) => Err(self.misplaced(bytes, mark, target)),
            _ => wire::parse_open_bytes(bytes, self.offset(bytes), rule == Rule::AllowTrailing)
                .map_err(|error| self.keep(error)),
        }
    }

    /// The error of a list of lazy items with an invalid header.
    #[cold]
    pub(super) fn no_list(&self, bytes: &[u8]) -> Failed {
        match wire::check_list(bytes, self.offset(bytes)) {
            Err(error) => self.keep(error),
            Ok(()) => self.ends_early(bytes, NUMBER_SIZE),
        }
    }

    /// An unmarked tuple of `len` fixed-size items that has the header of a table: it would be written packed.
    #[cold]
    pub(super) fn table_of_fixed(&self, parts: Parts<'de>, len: usize) -> Failed {
        let bytes = parts.bytes();
        let packed = bytes.len().saturating_sub(parts.header_len());
        // The error that `in_packed` takes, to add a fix.
        let _ = self.trailing(bytes.get(packed..).unwrap_or(bytes));
        self.in_packed(bytes, len, Names::Indices)
    }

    /// The error of a union with an unknown id.
    #[cold]
    pub(super) fn unknown_id(
        &self,
        union: &[u8],
        id: u32,
        name: &'static str,
        variants: &'static [&'static str],
        is_marked: bool,
    ) -> Failed {
        let payload = union.len().saturating_sub(NUMBER_SIZE);
        let hint = hint::of_union(id, payload, name, variants, is_marked);
        self.keep(Error::at(ErrorKind::UnknownId { id }, self.offset(union)).or_hint(hint))
    }
}

/// Tables and dynvecs.
impl<'de> Document<'_, 'de> {
    /// Checks the whole header of a table or dynvec. Callers check the rules that apply to one of them only.
    pub(super) fn header(
        &self,
        bytes: &'de [u8],
        allows_trailing: bool,
    ) -> Result<Parts<'de>, Error> {
        Table::parse_open(bytes, self.offset(bytes), allows_trailing).map(Parts::from)
    }

    /// A table with trailing bytes, or with more fields than the type, which a compatible reader ignores.
    #[cold]
    pub(super) fn parse_table(
        &self,
        bytes: &'de [u8],
        count: FieldCount,
        rule: Rule,
    ) -> Result<&'de [u8]> {
        let (most, allows_trailing) = (count.most(), rule == Rule::AllowTrailing);
        if most == 0 && self.options.compatible {
            // For a type without fields, only the full size is checked.
            return match Table::parse_open_full_size(bytes, self.offset(bytes), allows_trailing) {
                Ok(table) => Ok(table.bytes()),
                Err(error) => Err(self.keep(error)),
            };
        }
        match self.header(bytes, allows_trailing) {
            Err(error) => Err(self.keep(error)),
            Ok(parts) if count.fits(parts.header_len()) => Ok(parts.bytes()),
            Ok(parts) if parts.count() > most && self.options.compatible => {
                Ok(parts.first_ones(most).bytes())
            }
            Ok(parts) => Err(self.keep(self.wrong_count(parts, most))),
        }
    }

    /// The error of bytes without the header of a table, for the type `name`, whose size in memory is `size`.
    #[cold]
    pub(super) fn no_table(
        &self,
        bytes: &[u8],
        size: usize,
        name: &'static str,
        names: Names,
    ) -> Failed {
        let error = self.located(bytes);
        let is_struct = !bytes.is_empty() && bytes.len() == size;
        self.keep(error.or_hint(is_struct.then(|| hint::of_table(name, names))))
    }

    /// A dynvec with an invalid header or trailing bytes.
    #[cold]
    pub(super) fn parse_dynvec(&self, bytes: &'de [u8], rule: Rule) -> Result<&'de [u8]> {
        match self.header(bytes, rule == Rule::AllowTrailing) {
            Ok(parts) => Ok(parts.bytes()),
            Err(error) => Err(self.keep(error.or_hint(hint::of_vector(bytes, Mark::DynVec)))),
        }
    }

    #[cold]
    pub(super) fn wrong_count(&self, parts: Parts<'_>, expected: usize) -> Error {
        let found = parts.count();
        let kind = match found < expected {
            true => ErrorKind::MissingFields { found },
            false => ErrorKind::ExtraFields { found, expected },
        };
        Error::at(kind, self.offset(parts.at_count()))
    }

    /// The error of a missing field or item: an offset is invalid, or a table has fewer fields than the type.
    #[cold]
    pub(super) fn no_part(&self, bytes: &'de [u8]) -> Failed {
        match self.header(bytes, false) {
            Err(error) => {
                self.mark_end_unknown(bytes);
                self.keep(error)
            }
            Ok(parts) => {
                self.mark_end_unknown(parts.at_count());
                self.fail(parts.at_count(), ErrorKind::MissingFields { found: parts.count() })
            }
        }
    }

    /// Checks that a table has only `taken` fields, or more if the options are compatible.
    #[cold]
    pub(super) fn left_fields(&self, bytes: &'de [u8], taken: usize) -> Result<()> {
        match self.header(bytes, false) {
            _ if !is_whole(bytes) => Ok(()),
            Err(error) => Err(self.keep(error)),
            Ok(_) if self.options.compatible => Ok(()),
            Ok(parts) => Err(self.keep(self.wrong_count(parts, taken))),
        }
    }

    /// The error of a visitor that has not read all items.
    #[cold]
    pub(super) fn left_items(&self, bytes: &[u8], found: usize, expected: usize) -> Failed {
        self.fail(bytes, ErrorKind::ExtraItems { found, expected })
    }

    /// The error of a table or dynvec: of its header, of the field or item that was read last, or of the visitor.
    #[cold]
    pub(super) fn in_parts(&self, parts: Parts<'de>, last: Last, names: Names) -> Failed {
        self.mark_end_known(parts.bytes());
        if let (true, Err(error)) = (is_whole(parts.bytes()), self.header(parts.bytes(), false)) {
            return self.keep(error);
        }
        let names = match names {
            // The list has aliases, so that names and fields do not correspond.
            Names::Fields(list) if list.len() > parts.count() => Names::SLOTS,
            names => names,
        };
        let part = parts.last_taken();
        let segment = names.segment(parts.last());
        self.keep(match (last, self.take()) {
            (Last::Failed, error) => {
                self.locate(error, part).map_kind(ErrorKind::in_item).inside(segment)
            }
            // The visitor's own error is only that there are too few fields.
            (Last::Absent, None | Some((_, Reason::Length))) => {
                Error::at(ErrorKind::Absent, self.offset(part)).inside(segment)
            }
            (_, error) => self.locate(error, parts.bytes()),
        })
    }

    /// The error of the `key` or `value` of a map's entry.
    #[cold]
    pub(super) fn in_entry(&self, part: &[u8], index: usize, half: &'static str) -> Failed {
        let error = self.located(part).map_kind(ErrorKind::in_item);
        self.keep(error.in_entry(index, half))
    }

    /// The error of an invalid entry.
    #[cold]
    pub(super) fn no_entry(&self, bytes: &'de [u8], index: usize) -> Failed {
        let error = match self.header(bytes, false) {
            Err(error) => error,
            Ok(parts) => self.wrong_count(parts, ENTRY_FIELDS),
        };
        self.keep(error.inside(Segment::Index(index)))
    }
}

/// Whether these are all bytes of a table or dynvec. If it has more fields than the type, `bytes` can end before them; then
/// the header was checked before.
fn is_whole(bytes: &[u8]) -> bool {
    wire::number_at(bytes, 0) == Some(bytes.len())
}

/// Packed values and fixvecs.
impl<'de> Document<'_, 'de> {
    /// A fixed-size item of a dynvec.
    #[cold]
    pub(super) fn fixed_item(&self, at: &[u8]) -> Failed {
        self.fail(at, ErrorKind::FixedItem)
    }

    /// The error of a dynamic value at the start of `rest`, where values must have a fixed size.
    #[cold]
    pub(super) fn dynamic(&self, rest: &[u8], found: &'static str, place: &'static str) -> Failed {
        self.mark_end_unknown(rest);
        self.fail(rest, ErrorKind::DynamicItem { found, place })
    }

    /// The same of a struct that is a table.
    #[cold]
    pub(super) fn unpacked(&self, rest: &[u8], name: &'static str, place: &'static str) -> Failed {
        self.mark_end_unknown(rest);
        let kind = ErrorKind::DynamicItem { found: TABLE, place };
        self.keep(Error::at(kind, self.offset(rest)).or_hint(Some(hint::packed(name))))
    }

    /// The error of a visitor that has not read the last `left` fields or items of the packed value at `start`. If it has
    /// read all, the end of the value is known.
    #[cold]
    pub(super) fn left_packed(&self, start: &[u8], left: usize) -> Failed {
        if left > 0 {
            // A type that ignores the error would continue in the middle of the value.
            self.mark_end_unknown(start);
        }
        Failed
    }

    /// A packed value without fields or items.
    #[cold]
    pub(super) fn nothing_packed(&self, at: &[u8], names: Names, place: &'static str) -> Failed {
        match names {
            Names::Indices => self.dynamic(at, "an empty tuple or array", place),
            Names::Fields(_) => self.fail(at, ErrorKind::EmptyStruct),
        }
    }

    /// The error of the fixed-size value at the start of `start`, with `rest` unread bytes: perhaps a truncated number.
    #[cold]
    pub(super) fn fixed_error(&self, start: &[u8], rest: usize) -> Error {
        let rest = start.get(start.len().saturating_sub(rest)..).unwrap_or(start);
        match (self.cut_number.take(), rest.len()) {
            (needed, left) if left < needed => {
                self.mark_end_unknown(rest);
                Error::at(CommonKind::UnexpectedEnd { needed, left }, self.offset(rest))
            }
            _ => self.located(start),
        }
    }

    /// The error of field or item `number`, counted from 1, of a packed value. It begins at `start`, `rest` bytes are left,
    /// and `left` fields or items come after it.
    #[cold]
    pub(super) fn in_packed_part(
        &self,
        start: &[u8],
        rest: usize,
        names: Names,
        number: usize,
        left: usize,
    ) -> Failed {
        let error = self.fixed_error(start, rest);
        self.left_packed(start, left);
        self.keep(error.inside(names.segment(number.saturating_sub(1))))
    }

    /// The error of a packed struct, tuple or array that takes all of `bytes`.
    #[cold]
    pub(super) fn in_packed(&self, bytes: &'de [u8], count: usize, names: Names) -> Failed {
        let error = self.located(bytes);
        self.mark_end_known(bytes);
        if !error.kind().is_of_packed_tuple() {
            return self.keep(error.or_hint(hint::of_struct(bytes, count, names)));
        }
        // A tuple with a dynamic item is a table, so its header is invalid.
        if self.options.strict {
            return self.fail(bytes, ErrorKind::UNMARKED_TUPLE);
        }
        match self.header(bytes, false) {
            Ok(parts) => self.keep(self.wrong_count(parts, count)),
            Err(error) => self.keep(error),
        }
    }

    /// The items of a fixvec that is empty, unmarked, followed by other bytes, or invalid.
    #[cold]
    pub(super) fn parse_fixvec(
        &self,
        bytes: &'de [u8],
        mark: Option<Mark>,
        rule: Rule,
    ) -> Result<(usize, &'de [u8])> {
        let offset = self.offset(bytes);
        let parsed = match mark {
            None if bytes == EMPTY_TABLE && self.options.strict => {
                return Err(self.fail(bytes, ErrorKind::UNMARKED_SEQUENCE));
            }
            // An empty dynvec. The error of the first item shows what the items are.
            None if bytes == EMPTY_TABLE => {
                Ok((NUMBER_SIZE, bytes.get(NUMBER_SIZE..).unwrap_or(bytes)))
            }
            None => wire::parse_unmarked_fixvec(bytes, offset),
            Some(_) => wire::parse_open_fixvec(bytes, offset, rule == Rule::AllowTrailing)
                .map_err(|error| error.or_hint(hint::of_vector(bytes, Mark::FixVec))),
        };
        parsed.map_err(|error| self.keep(error))
    }

    /// The error of item `index` of a fixvec.
    #[cold]
    pub(super) fn in_fixvec_item(&self, start: &[u8], rest: usize, index: usize) -> Failed {
        let error = self.fixed_error(start, rest);
        self.mark_end_unknown(start);
        self.keep(error.inside(Segment::Index(index)))
    }

    /// The error of items of different sizes: this one has `taken` bytes instead of `size`.
    #[cold]
    pub(super) fn unlike(&self, start: &[u8], index: usize, taken: usize, size: usize) -> Failed {
        self.mark_end_unknown(start);
        if index == 0 && (1..size).contains(&taken) {
            // All items are shorter than their share of the vector.
            let end = (start.len() / size).saturating_mul(taken);
            return self.trailing(start.get(end..).unwrap_or(start));
        }
        let kind = match index == 0 && taken > size {
            true => CommonKind::UnexpectedEnd { needed: taken, left: size }.into(),
            false => ErrorKind::UnlikeItems { index },
        };
        self.keep(Error::at(kind, self.offset(start)).inside(Segment::Index(index)))
    }

    /// The error of a fixvec.
    #[cold]
    pub(super) fn in_fixvec(&self, bytes: &[u8], is_marked: bool) -> Failed {
        let error = self.located(bytes);
        self.mark_end_known(bytes);
        if is_marked || bytes != EMPTY_TABLE {
            return self.keep(error);
        }
        // An empty dynvec would be written again as an empty fixvec.
        let mark = match error.kind() {
            ErrorKind::DynamicItem { .. } => "dynvec",
            // In a tuple, the next item may be dynamic.
            ErrorKind::Common(CommonKind::UnexpectedEnd { .. })
                if !matches!(error.path().segments().nth(1), Some(Segment::Index(_))) =>
            {
                let parsed = wire::parse_unmarked_fixvec(bytes, self.offset(bytes)).err();
                return self.keep(parsed.unwrap_or(error));
            }
            _ => "dynvec, if its items are dynamic",
        };
        self.fail(bytes, ErrorKind::Unmarked { found: "an empty dynvec", mark })
    }

    /// The error of the `key` or `value` of an entry of a fixvec.
    #[cold]
    pub(super) fn in_fixvec_entry(
        &self,
        start: &[u8],
        rest: usize,
        index: usize,
        half: &'static str,
    ) -> Failed {
        let error = self.fixed_error(start, rest).map_kind(ErrorKind::in_item);
        self.mark_end_unknown(start);
        self.keep(error.in_entry(index, half))
    }

    /// The error of bytes after the items of a fixvec, or of items that a visitor has not read.
    #[cold]
    pub(super) fn after_items(
        &self,
        bytes: &[u8],
        rest: &[u8],
        count: usize,
        left: usize,
    ) -> Failed {
        match left {
            0 => self.trailing(rest),
            _ => self.left_items(bytes, count, count - left),
        }
    }
}
