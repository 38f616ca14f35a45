//! Marks: container names that select a layout which serde's data model does not show.
//!
//! Functions that compare names are always inlined: names are constants in the types of users, so that the comparisons
//! disappear.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::ErrorKind;
use super::raw::{LIST, RAW};
use crate::error::Fault;
use crate::glue::mark::{self, ANY, NameFault, TWO_MARKS};

/// A result of this module.
pub(super) type Result<T, E = MarkFault> = core::result::Result<T, E>;

/// What is wrong with a mark. It takes no memory and has no text: reading for small programs makes it to drop it.
#[derive(Clone, Copy, Debug)]
pub(super) enum MarkFault {
    /// A container's name is nearly a mark.
    Name(NameFault),
    /// Under `strict`, a name that looks like a mark and is none.
    NoMark { name: &'static str },
    /// A mark does not fit what it is on.
    Misplaced { mark: &'static str, found: &'static str },
    /// A unit struct is marked `struct`.
    EmptyStruct,
    /// The list of ids in a `union.` mark is unsound.
    Ids { mark: &'static str, fault: IdsFault },
}

/// What is wrong with a list of ids.
#[derive(Clone, Copy, Debug)]
pub(super) enum IdsFault {
    NoTypeName(&'static str),
    NoNumber(&'static str),
    LeavesOut(&'static str),
    SameId(u32),
    SameName(&'static str),
    NoVariant(&'static str),
}

impl From<NameFault> for MarkFault {
    fn from(fault: NameFault) -> Self {
        MarkFault::Name(fault)
    }
}

impl From<MarkFault> for ErrorKind {
    #[cold]
    #[inline(never)]
    fn from(fault: MarkFault) -> Self {
        match fault {
            MarkFault::Name(fault) => Fault::from(fault).into(),
            MarkFault::NoMark { name } => ErrorKind::NoMark { name },
            MarkFault::Misplaced { mark, found } => ErrorKind::Mark { mark, found },
            MarkFault::EmptyStruct => ErrorKind::EmptyStruct,
            MarkFault::Ids { mark, fault } => {
                let sound = sound(mark, fault);
                let fault = match fault {
                    IdsFault::NoTypeName(name) => {
                        format!("begins with `{name}`, not with the type's name")
                    }
                    IdsFault::NoNumber(name) => format!("gives `{name}` no number"),
                    IdsFault::LeavesOut(name) => format!("leaves out `{name}`"),
                    IdsFault::SameId(id) => format!("gives the id {id} twice"),
                    IdsFault::SameName(name) => format!("names `{name}` twice"),
                    IdsFault::NoVariant(name) => format!("names `{name}`, which is no variant"),
                };
                ErrorKind::UnionMark { mark, fault, sound }
            }
        }
    }
}

/// A `union.` mark with the same ids as an unsound one, as far as these are sound: each variant once, and the
/// smallest free ids where they are missing.
#[cold]
fn sound(mark: &'static str, fault: IdsFault) -> String {
    let rest = mark.strip_prefix(UNION_KEYWORD).unwrap_or(mark);
    let (type_name, list) = match (fault, rest.split_once('.')) {
        (IdsFault::NoTypeName(_), _) => ("Type", rest),
        (_, Some(parts)) => parts,
        (_, None) => (rest, ""),
    };
    let ids = UnionIds { mark, list };
    let missing = match fault {
        IdsFault::LeavesOut(name) => Some(name),
        _ => None,
    };
    let is_gone = |name: &str| matches!(fault, IdsFault::NoVariant(gone) if gone == name);
    written(type_name, ids, is_gone, missing)
}

/// A `union.` mark with the ids of another one, without the variants that are gone and with those that are missing.
#[cold]
fn written(
    type_name: &str,
    ids: UnionIds,
    is_gone: impl Fn(&str) -> bool,
    missing: impl IntoIterator<Item = &'static str>,
) -> String {
    let mut entries: Vec<(&str, Option<u32>)> = Vec::new();
    for (name, id) in ids.entries().chain(missing.into_iter().map(|name| (name, None))) {
        let is_gone = is_gone(name);
        let is_known = entries.iter().any(|(known, _)| *known == name);
        let id = id.filter(|id| entries.iter().all(|(_, known)| *known != Some(*id)));
        if !is_gone && !is_known && !name.is_empty() {
            entries.push((name, id));
        }
    }
    let mut free = (0..).filter(|id| entries.iter().all(|(_, known)| *known != Some(*id)));
    let list: String = entries
        .iter()
        .map(|(name, id)| format!(".{name}-{}", id.or_else(|| free.next()).unwrap_or_default()))
        .collect();
    format!("{UNION_KEYWORD}{type_name}{list}")
}

/// A layout rule for one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// A struct, tuple or array of fixed items, without a header.
    Struct,
    /// A tuple or array with a header.
    Table,
    /// A sequence of fixed items. Structs in it are packed.
    FixVec,
    /// A sequence of dynamic items.
    DynVec,
}

/// What a mark is on, as serde shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A number, `bool` or `char`, by the name of its type.
    Scalar(&'static str),
    Text,
    Bytes,
    Unit,
    UnitStruct,
    Sequence,
    Map,
    /// A tuple or array.
    Tuple,
    /// A struct or tuple struct.
    Struct,
    Enum,
    /// A value that is marked `any`.
    Any,
    /// A lazy value.
    Raw,
}

impl Target {
    /// What errors call it.
    const fn name(self) -> &'static str {
        match self {
            Target::Scalar(name) => name,
            Target::Text => "text",
            Target::Bytes => "bytes",
            Target::Unit => "a unit",
            Target::UnitStruct => "a unit struct",
            Target::Sequence => "a sequence",
            Target::Map => "a map",
            Target::Tuple => "a tuple or array",
            Target::Struct => "a struct",
            Target::Enum => "an enum",
            Target::Any => "a value that is marked `any`",
            Target::Raw => RAW_PART,
        }
    }
}

/// The name of lazy values in errors.
pub(super) const RAW_PART: &str = "a lazy value";

/// The reserved names of the newtype structs of `with`.
pub(super) const STRUCT: &str = "fourfold.molecule.struct";
pub(super) const TABLE: &str = "fourfold.molecule.table";
pub(super) const FIXVEC: &str = "fourfold.molecule.fixvec";
pub(super) const DYNVEC: &str = "fourfold.molecule.dynvec";

/// Keywords: what the name of a user's own container begins with. There is none for `table`: a
/// struct is one without a mark, and other formats have that word.
const STRUCT_KEYWORD: &str = "struct.";
const FIXVEC_KEYWORD: &str = "fixvec.";
const DYNVEC_KEYWORD: &str = "dynvec.";
const UNION_KEYWORD: &str = "union.";

/// The keywords without their dots.
const WORDS: &[&str] = &["struct", "fixvec", "dynvec", "union"];

impl Mark {
    /// The mark in the name of a newtype struct: a reserved name or the user's own.
    #[inline(always)]
    pub(super) fn of_newtype(name: &'static str) -> Result<Option<Self>> {
        match name {
            STRUCT => Ok(Some(Mark::Struct)),
            TABLE => Ok(Some(Mark::Table)),
            FIXVEC => Ok(Some(Mark::FixVec)),
            DYNVEC => Ok(Some(Mark::DynVec)),
            // Callers that support it have handled it before.
            ANY => Err(misplaced("any", TWO_MARKS)),
            RAW | LIST => Err(misplaced("raw", TWO_MARKS)),
            _ if name.starts_with(STRUCT_KEYWORD) => Ok(Some(Mark::Struct)),
            _ if name.starts_with(FIXVEC_KEYWORD) => Ok(Some(Mark::FixVec)),
            _ if name.starts_with(DYNVEC_KEYWORD) => Ok(Some(Mark::DynVec)),
            _ if name.starts_with(UNION_KEYWORD) => Err(misplaced("union", "a newtype struct")),
            _ => check_name(name).map(|()| None),
        }
    }

    /// The mark of a newtype struct, whose surroundings may have one for it already: then it is
    /// theirs, and another in its own name is refused.
    #[inline(always)]
    pub(super) fn one_of(outer: Option<Self>, name: &'static str) -> Result<Option<Self>> {
        match (outer, Self::of_newtype(name)?) {
            (Some(outer), Some(own)) if outer != own => Err(misplaced(outer.keyword(), TWO_MARKS)),
            (outer, own) => Ok(outer.or(own)),
        }
    }

    /// The mark of a tuple or array. Without items, it is a table.
    #[inline]
    pub(super) const fn of_tuple(outer: Option<Self>, len: usize) -> Option<Self> {
        match outer {
            None if len == 0 => Some(Mark::Table),
            outer => outer,
        }
    }

    /// Whether the name of a struct or tuple struct marks it as packed.
    ///
    /// The mark of a union also fits what looks like a struct: an adjacently tagged enum.
    #[inline(always)]
    pub(super) fn is_packed(name: &'static str) -> Result<bool> {
        if name.starts_with(STRUCT_KEYWORD) {
            return Ok(true);
        }
        refuse_vector(name, "a struct")?;
        Ok(false)
    }

    /// The keyword, as errors name it.
    pub(super) const fn keyword(self) -> &'static str {
        match self {
            Mark::Struct => "struct",
            Mark::Table => "table",
            Mark::FixVec => "fixvec",
            Mark::DynVec => "dynvec",
        }
    }

    /// Whether the mark fits such a value: it selects one of its layouts, or confirms the only one.
    #[inline]
    pub(super) const fn fits(self, target: Target) -> bool {
        match self {
            // A marked newtype around a scalar is a struct of one field.
            Mark::Struct => matches!(target, Target::Scalar(_) | Target::Tuple | Target::Struct),
            Mark::Table => {
                matches!(target, Target::Unit | Target::UnitStruct | Target::Tuple | Target::Struct)
            }
            Mark::FixVec => matches!(
                target,
                Target::Text | Target::Bytes | Target::Sequence | Target::Map | Target::Any
            ),
            Mark::DynVec => matches!(target, Target::Sequence | Target::Map),
        }
    }

    /// Refuses the mark on a value that it does not fit.
    #[inline]
    pub(super) fn check(self, target: Target) -> Result<()> {
        match self.fits(target) {
            true => Ok(()),
            false => Err(self.mismatch(target)),
        }
    }

    /// The error of a mark on a value that it does not fit.
    pub(super) fn mismatch(self, target: Target) -> MarkFault {
        misplaced(self.keyword(), target.name())
    }
}

/// Refuses every mark of this format in the name of a unit struct.
#[inline(always)]
pub(super) fn refuse_on_unit(name: &'static str) -> Result<()> {
    if name.starts_with(STRUCT_KEYWORD) {
        return Err(MarkFault::EmptyStruct);
    }
    if name.starts_with(UNION_KEYWORD) {
        return Err(misplaced("union", "a unit struct"));
    }
    refuse_vector(name, "a unit struct")
}

/// Refuses a name that is nearly a mark, or a keyword alone. Those are no names of types in Rust.
#[inline(always)]
fn check_name(name: &'static str) -> Result<()> {
    Ok(mark::look_markable(name, WORDS)?)
}

#[inline(always)]
fn refuse_vector(name: &'static str, found: &'static str) -> Result<()> {
    if name.starts_with(FIXVEC_KEYWORD) {
        return Err(misplaced("fixvec", found));
    }
    if name.starts_with(DYNVEC_KEYWORD) {
        return Err(misplaced("dynvec", found));
    }
    match name.starts_with(UNION_KEYWORD) {
        true => Ok(()),
        false => check_name(name),
    }
}

/// Refuses a name that looks like a mark and is none: where there should be no doubt.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn check_strictly(name: &'static str) -> Result<()> {
    match mark::is_known(name) {
        true => Ok(()),
        false => Err(refuse_strictly(name)),
    }
}

/// The error of such a name: the mark that it is nearly.
#[cold]
#[inline(never)]
fn refuse_strictly(name: &'static str) -> MarkFault {
    match mark::look(name, WORDS) {
        Ok(()) => MarkFault::NoMark { name },
        Err(fault) => fault.into(),
    }
}

fn misplaced(mark: &'static str, found: &'static str) -> MarkFault {
    MarkFault::Misplaced { mark, found }
}

/// The ids of a `union.` mark: `union.Item.Cell-0.Header-7`.
///
/// The type's name follows the keyword, then for each variant its serde name, a `-` and the id, in
/// any order.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnionIds {
    mark: &'static str,
    list: &'static str,
}

impl UnionIds {
    /// The ids in the name of an enum. `None` if it has no mark or one without a list: then the
    /// id is the variant's index.
    #[inline(always)]
    pub(super) fn of(name: &'static str) -> Result<Option<Self>> {
        if name.starts_with(STRUCT_KEYWORD) {
            return Err(misplaced("struct", "an enum"));
        }
        refuse_vector(name, "an enum")?;
        Self::in_name(name)
    }

    /// The same of a name that may be a struct's: an adjacently tagged enum looks like one.
    #[inline(always)]
    pub(super) fn in_name(name: &'static str) -> Result<Option<Self>> {
        match name.strip_prefix(UNION_KEYWORD) {
            None => Ok(None),
            Some(rest) => Self::in_rest(name, rest),
        }
    }

    /// The same for the part of the name after the mark.
    fn in_rest(name: &'static str, rest: &'static str) -> Result<Option<Self>> {
        let (type_name, list) = match rest.split_once('.') {
            Some((type_name, list)) => (type_name, Some(list)),
            None => (rest, None),
        };
        if type_name.contains('-') {
            let mark = UnionIds { mark: name, list: "" };
            return Err(mark.unsound(IdsFault::NoTypeName(type_name)));
        }
        Ok(list.map(|list| UnionIds { mark: name, list }))
    }

    /// Name and id of each variant in the list. A broken entry has no id.
    fn entries(self) -> impl Iterator<Item = (&'static str, Option<u32>)> {
        self.list.split('.').map(|entry| match entry.rsplit_once('-') {
            Some((variant, id)) => (variant, id.parse().ok()),
            None => (entry, None),
        })
    }

    /// The id of a variant of the enum `name`, whose index is `index`.
    #[inline(always)]
    pub(super) fn id_of(name: &'static str, index: u32, variant: &'static str) -> Result<u32> {
        match Self::of(name)? {
            Some(ids) => ids.id(variant),
            None => Ok(index),
        }
    }

    /// The id of a variant: for writing.
    pub(super) fn id(self, variant: &'static str) -> Result<u32> {
        match self.entries().find(|(name, _)| *name == variant) {
            // Looked up the other way too, which finds what is unsound.
            Some((_, Some(id))) => self.variant(id).map(|_| id),
            Some((_, None)) => Err(self.unsound(IdsFault::NoNumber(variant))),
            None => Err(self.unsound(IdsFault::LeavesOut(variant))),
        }
    }

    /// The variant of an id: for reading. `None` if no variant has it.
    pub(super) fn variant(self, id: u32) -> Result<Option<&'static str>> {
        let mut found = None;
        for (name, entry) in self.entries() {
            match entry {
                None => return Err(self.unsound(IdsFault::NoNumber(name))),
                Some(other) if other != id => {}
                Some(_) if found.is_some() => {
                    return Err(self.unsound(IdsFault::SameId(id)));
                }
                Some(_) => found = Some(name),
            }
        }
        match found {
            Some(name) if self.entries().filter(|(other, _)| *other == name).count() > 1 => {
                Err(self.unsound(IdsFault::SameName(name)))
            }
            _ => Ok(found),
        }
    }

    /// Refuses a name that is none of the type's variants.
    pub(super) fn check(self, variant: &'static str, variants: &[&'static str]) -> Result<()> {
        match variants.contains(&variant) {
            true => Ok(()),
            false => Err(self.unsound(IdsFault::NoVariant(variant))),
        }
    }

    /// Whether the list names a variant.
    #[cfg(feature = "schema")]
    pub(super) fn has(self, variant: &str) -> bool {
        self.entries().any(|(name, _)| name == variant)
    }

    /// That the list leaves out these variants of the type, with a mark that has all of them.
    #[cfg(feature = "schema")]
    #[cold]
    pub(super) fn leaves_out(self, missing: &[&'static str]) -> ErrorKind {
        let rest = self.mark.strip_prefix(UNION_KEYWORD).unwrap_or(self.mark);
        let type_name = rest.split_once('.').map_or(rest, |(type_name, _)| type_name);
        let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
        ErrorKind::UnionMark {
            mark: self.mark,
            fault: format!("leaves out {}", names.join(", ")),
            sound: written(type_name, self, |_| false, missing.iter().copied()),
        }
    }

    fn unsound(self, fault: IdsFault) -> MarkFault {
        MarkFault::Ids { mark: self.mark, fault }
    }
}

#[cfg(test)]
mod tests;
