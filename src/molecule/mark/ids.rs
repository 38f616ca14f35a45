//! The list of ids in a `union.` mark.
//!
//! What looks at names is always inlined, as in [`mark`](super).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{MarkError, Result, STRUCT_KEYWORD, UNION_KEYWORD, Wrong, misplaced, refuse_vector};
use crate::molecule::ErrorKind;

/// What is wrong with a list of ids.
#[derive(Clone, Copy, Debug)]
pub(super) enum IdsError {
    NoTypeName(&'static str),
    NoNumber(&'static str),
    LeavesOut(&'static str),
    SameId(u32),
    SameName(&'static str),
    NoVariant(&'static str),
}

/// The ids of a `union.` mark: `union.Item.Cell-0.Header-7`.
///
/// The type's name follows the keyword, then for each variant its serde name, a `-` and the id, in
/// any order.
#[derive(Clone, Copy, Debug)]
pub struct UnionIds {
    mark: &'static str,
    list: &'static str,
}

impl UnionIds {
    /// The ids in the name of an enum. `None` if it has no mark or one without a list: then the
    /// id is the variant's index.
    ///
    /// # Errors
    ///
    /// `Mark` for the mark of something else, `UnionMark` for a list that does not begin with the type's name; those
    /// of names that are nearly marks.
    #[inline(always)]
    pub fn of(name: &'static str) -> Result<Option<Self>> {
        if name.starts_with(STRUCT_KEYWORD) {
            return Err(misplaced("struct", "an enum"));
        }
        refuse_vector(name, "an enum")?;
        Self::in_name(name)
    }

    /// The same of a name that may be a struct's: an adjacently tagged enum looks like one.
    #[inline(always)]
    pub(in crate::molecule) fn in_name(name: &'static str) -> Result<Option<Self>> {
        match name.strip_prefix(UNION_KEYWORD) {
            None => Ok(None),
            Some(rest) => Self::in_rest(name, rest),
        }
    }

    /// The same for the text after the mark in a name.
    fn in_rest(name: &'static str, rest: &'static str) -> Result<Option<Self>> {
        let (type_name, list) = match rest.split_once('.') {
            Some((type_name, list)) => (type_name, Some(list)),
            None => (rest, None),
        };
        if type_name.contains('-') {
            let mark = UnionIds { mark: name, list: "" };
            return Err(mark.unsound(IdsError::NoTypeName(type_name)));
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

    /// The id that precedes the variant `index` of the enum `name`.
    #[inline(always)]
    pub(in crate::molecule) fn id_of(
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<u32> {
        match Self::of(name)? {
            Some(ids) => ids.id(variant),
            None => Ok(index),
        }
    }

    /// The id of a variant.
    ///
    /// # Errors
    ///
    /// `UnionMark` if the list does not have the variant once, with a number of its own.
    pub fn id(self, variant: &'static str) -> Result<u32> {
        match self.entries().find(|(name, _)| *name == variant) {
            // Looked up the other way too, which finds what is unsound.
            Some((_, Some(id))) => self.variant(id).map(|_| id),
            Some((_, None)) => Err(self.unsound(IdsError::NoNumber(variant))),
            None => Err(self.unsound(IdsError::LeavesOut(variant))),
        }
    }

    /// The variant of an id: for reading. `None` if no variant has it.
    pub(in crate::molecule) fn variant(self, id: u32) -> Result<Option<&'static str>> {
        let mut found = None;
        for (name, entry) in self.entries() {
            match entry {
                None => return Err(self.unsound(IdsError::NoNumber(name))),
                Some(other) if other != id => {}
                Some(_) if found.is_some() => {
                    return Err(self.unsound(IdsError::SameId(id)));
                }
                Some(_) => found = Some(name),
            }
        }
        match found {
            Some(name) if self.entries().filter(|(other, _)| *other == name).count() > 1 => {
                Err(self.unsound(IdsError::SameName(name)))
            }
            _ => Ok(found),
        }
    }

    /// Refuses a name that is none of the type's variants.
    pub(in crate::molecule) fn check(
        self,
        variant: &'static str,
        variants: &[&'static str],
    ) -> Result<()> {
        match variants.contains(&variant) {
            true => Ok(()),
            false => Err(self.unsound(IdsError::NoVariant(variant))),
        }
    }

    /// Whether the list names a variant.
    #[must_use]
    pub fn has(self, variant: &str) -> bool {
        self.entries().any(|(name, _)| name == variant)
    }

    /// The error for a list that leaves out these variants of the type: its hint is a mark that has all of them.
    #[must_use]
    #[cold]
    pub fn leaves_out(self, missing: &[&'static str]) -> ErrorKind {
        let rest = self.mark.strip_prefix(UNION_KEYWORD).unwrap_or(self.mark);
        let type_name = rest.split_once('.').map_or(rest, |(type_name, _)| type_name);
        let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
        ErrorKind::UnionMark {
            mark: self.mark,
            error: format!("leaves out {}", names.join(", ")),
            sound: written(type_name, self, |_| false, missing.iter().copied()),
        }
    }

    fn unsound(self, error: IdsError) -> MarkError {
        MarkError(Wrong::Ids { mark: self.mark, error })
    }
}

/// A `union.` mark with the same ids as an unsound one, as far as these are sound: each variant once, and the
/// smallest free ids where they are missing.
#[cold]
pub(super) fn sound(mark: &'static str, error: IdsError) -> String {
    let rest = mark.strip_prefix(UNION_KEYWORD).unwrap_or(mark);
    let (type_name, list) = match (error, rest.split_once('.')) {
        (IdsError::NoTypeName(_), _) => ("Type", rest),
        (_, Some(parts)) => parts,
        (_, None) => (rest, ""),
    };
    let ids = UnionIds { mark, list };
    let missing = match error {
        IdsError::LeavesOut(name) => Some(name),
        _ => None,
    };
    let is_gone = |name: &str| matches!(error, IdsError::NoVariant(gone) if gone == name);
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
