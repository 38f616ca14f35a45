//! Marks: layout attributes in the names of serde containers, as a type shows them to a `Deserializer`.
//!
//! For programs that find out the layout of a Rust type without a value of it, as `fourfold-schema` does. A mark is in
//! the name of a newtype struct, which is the one of a `with` module or begins with a keyword and a dot, or in that
//! of a struct or an enum itself.
//!
//! ```
//! use fourfold::molecule::mark::{Mark, Target, UnionIds};
//! use fourfold::molecule::{Error, ErrorKind};
//!
//! assert_eq!(Mark::one_of(None, "dynvec.Names").map_err(ErrorKind::from)?, Some(Mark::DynVec));
//! assert!(Mark::is_packed("struct.Point").map_err(ErrorKind::from)?);
//! assert_eq!(UnionIds::of("union.Item.Cell-3").map_err(ErrorKind::from)?.unwrap().id("Cell").unwrap(), 3);
//!
//! let misplaced = Mark::Struct.check(Target::Sequence).unwrap_err();
//! assert!(matches!(ErrorKind::from(misplaced), ErrorKind::Mark { mark: "struct", found: "a sequence" }));
//! # Ok::<(), ErrorKind>(())
//! ```
// Functions that compare names are always inlined: names are constants in the types of users, so that the comparisons
// disappear.

mod ids;

use alloc::format;

pub use self::ids::UnionIds;
use self::ids::{IdsError, sound};
use super::ErrorKind;
pub use super::raw::is_reserved as is_lazy;
use super::raw::{LIST, RAW};
use crate::error::CommonKind;
use crate::glue::mark::{self, ANY, NameError, TWO_MARKS};

/// A result of this module.
pub type Result<T, E = MarkError> = core::result::Result<T, E>;

/// What is wrong with a mark: an [`ErrorKind`] that has no text yet.
// It takes no memory: reading for small programs makes it to drop it.
#[derive(Clone, Copy, Debug)]
pub struct MarkError(Wrong);

#[derive(Clone, Copy, Debug)]
enum Wrong {
    /// A container's name is nearly a mark.
    Name(NameError),
    /// Under `strict`, a name that looks like a mark and is none.
    NoMark { name: &'static str },
    /// A mark does not fit what it is on.
    Misplaced { mark: &'static str, found: &'static str },
    /// A unit struct is marked `struct`.
    EmptyStruct,
    /// The list of ids in a `union.` mark is unsound.
    Ids { mark: &'static str, error: IdsError },
}

impl From<NameError> for MarkError {
    fn from(error: NameError) -> Self {
        MarkError(Wrong::Name(error))
    }
}

impl From<MarkError> for ErrorKind {
    #[cold]
    #[inline(never)]
    fn from(MarkError(wrong): MarkError) -> Self {
        match wrong {
            Wrong::Name(error) => CommonKind::from(error).into(),
            Wrong::NoMark { name } => ErrorKind::NoMark { name },
            Wrong::Misplaced { mark, found } => ErrorKind::Mark { mark, found },
            Wrong::EmptyStruct => ErrorKind::EmptyStruct,
            Wrong::Ids { mark, error } => {
                let sound = sound(mark, error);
                let error = match error {
                    IdsError::NoTypeName(name) => {
                        format!("begins with `{name}`, not with the type's name")
                    }
                    IdsError::NoNumber(name) => format!("gives `{name}` no number"),
                    IdsError::LeavesOut(name) => format!("leaves out `{name}`"),
                    IdsError::SameId(id) => format!("gives the id {id} twice"),
                    IdsError::SameName(name) => format!("names `{name}` twice"),
                    IdsError::NoVariant(name) => format!("names `{name}`, which is no variant"),
                };
                ErrorKind::UnionMark { mark, error, sound }
            }
        }
    }
}

/// A layout rule for one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
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
pub enum Target {
    /// A number, `bool` or `char`, by the name of its type.
    Scalar(&'static str),
    /// A string.
    Text,
    /// Bytes.
    Bytes,
    /// `()`.
    Unit,
    /// A unit struct.
    UnitStruct,
    /// A sequence of any length.
    Sequence,
    /// A map.
    Map,
    /// A tuple or array.
    Tuple,
    /// A struct or tuple struct.
    Struct,
    /// An enum.
    Enum,
    /// A value under `with::any`.
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

    /// The mark of a newtype struct, whose surroundings may have one for it already: then it is theirs.
    ///
    /// # Errors
    ///
    /// `Mark` for two different marks or one that no newtype has; those of names that are nearly marks.
    #[inline(always)]
    pub fn one_of(outer: Option<Self>, name: &'static str) -> Result<Option<Self>> {
        match (outer, Self::of_newtype(name)?) {
            (Some(outer), Some(own)) if outer != own => Err(misplaced(outer.keyword(), TWO_MARKS)),
            (outer, own) => Ok(outer.or(own)),
        }
    }

    /// The mark of a tuple or array: one without items and mark is a table.
    #[must_use]
    #[inline]
    pub const fn of_tuple(outer: Option<Self>, len: usize) -> Option<Self> {
        match outer {
            None if len == 0 => Some(Mark::Table),
            outer => outer,
        }
    }

    /// Whether the name of a struct or tuple struct marks it as packed.
    ///
    /// It may have the mark of a union: an adjacently tagged enum looks like a struct.
    ///
    /// # Errors
    ///
    /// `Mark` for the mark of a vector; those of names that are nearly marks.
    #[inline(always)]
    pub fn is_packed(name: &'static str) -> Result<bool> {
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
    ///
    /// # Errors
    ///
    /// `Mark`.
    #[inline]
    pub fn check(self, target: Target) -> Result<()> {
        match self.fits(target) {
            true => Ok(()),
            false => Err(self.mismatch(target)),
        }
    }

    /// The error of a mark on a value that it does not fit.
    pub(super) fn mismatch(self, target: Target) -> MarkError {
        misplaced(self.keyword(), target.name())
    }
}

/// Refuses every mark of this format in the name of a unit struct.
///
/// # Errors
///
/// `EmptyStruct` for `struct`, `Mark` for other marks; those of names that are nearly marks.
#[inline(always)]
pub fn refuse_on_unit(name: &'static str) -> Result<()> {
    if name.starts_with(STRUCT_KEYWORD) {
        return Err(MarkError(Wrong::EmptyStruct));
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
fn refuse_strictly(name: &'static str) -> MarkError {
    match mark::look(name, WORDS) {
        Ok(()) => MarkError(Wrong::NoMark { name }),
        Err(error) => error.into(),
    }
}

fn misplaced(mark: &'static str, found: &'static str) -> MarkError {
    MarkError(Wrong::Misplaced { mark, found })
}

#[cfg(test)]
mod tests;
