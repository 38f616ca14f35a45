//! Where a type and a schema, or a type and a format, do not go together.

use core::fmt;

use super::text::write_lines;

/// A place where a type is not what it should be.
///
/// [`Display`](fmt::Display) writes one line: the place, what is wrong, and what mends it, if that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    path: String,
    error: String,
    fix: Option<String>,
}

impl Mismatch {
    pub(crate) fn new(path: &str, error: String, fix: Option<String>) -> Self {
        Mismatch { path: path.into(), error, fix }
    }

    pub(crate) fn move_to(&mut self, path: &str) {
        self.path = path.into();
    }

    /// The way from the type to the place: names of fields and variants, `[]` for an item, `[key]` for a map's
    /// key. Empty for the type itself.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What is wrong.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.error
    }

    /// What to write, so that they go together.
    #[must_use]
    pub fn fix(&self) -> Option<&str> {
        self.fix.as_deref()
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.error)?;
        match &self.fix {
            Some(fix) => write!(f, ": {fix}"),
            None => Ok(()),
        }
    }
}

/// All places where a type is not what it should be; at least one.
///
/// Where several fields have the same type, each field has its own mismatches, since a mark is written on a field.
/// Those of a struct's or enum's own fields are listed once, where the struct or enum is first used. After 1,000
/// mismatches the same holds for all types.
#[derive(Clone, PartialEq, Eq)]
pub struct Mismatches {
    list: Box<[Mismatch]>,
}

impl Mismatches {
    /// Fails if there are any.
    pub(crate) fn none_of(list: Vec<Mismatch>) -> Result<(), Self> {
        match list.is_empty() {
            true => Ok(()),
            false => Err(Mismatches { list: list.into() }),
        }
    }

    pub(crate) fn one(mismatch: Mismatch) -> Self {
        Mismatches { list: [mismatch].into() }
    }

    /// All of them, in the order of the type's parts.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Mismatch> {
        self.list.iter()
    }
}

/// One line for each.
impl fmt::Display for Mismatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_lines(f, self.iter())
    }
}

/// As they are displayed, since tests unwrap them.
impl fmt::Debug for Mismatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for Mismatches {}
