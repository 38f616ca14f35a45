//! Differences between two schemas, and what readers of one do with values of the other.

use core::fmt;

use super::text::write_lines;

/// What readers of one schema do with values of another one. Later ones are worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Outcome {
    /// They read all of them.
    Reads,
    /// They read all of them if they are compatible, and refuse some if they are strict.
    ReadsCompatibly,
    /// They refuse some of them.
    Refuses,
    /// They refuse some of them or, worse, take them for other values without a word.
    Misreads,
}

/// A difference between two schemas.
///
/// [`Display`](fmt::Display) writes one line: the place, what has changed, and what that does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    path: String,
    text: String,
    older: Outcome,
    newer: Outcome,
}

impl Change {
    pub(crate) fn new(path: &str, text: String, older: Outcome, newer: Outcome) -> Self {
        Change { path: path.into(), text, older, newer }
    }

    /// The type that both schemas have, and the way from there to the place: names of fields and items, `[]` for
    /// an item of a list.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What has changed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What readers of the older schema do with values of the newer one.
    #[must_use]
    pub fn older_readers(&self) -> Outcome {
        self.older
    }

    /// What readers of the newer schema do with values of the older one.
    #[must_use]
    pub fn newer_readers(&self) -> Outcome {
        self.newer
    }
}

/// What readers do, if they do not just read.
fn write_outcome(f: &mut fmt::Formatter<'_>, outcome: Outcome, values: &str) -> fmt::Result {
    match outcome {
        Outcome::Reads => write!(f, "read all {values} values"),
        Outcome::ReadsCompatibly => {
            write!(f, "read {values} values only if they are compatible ones")
        }
        Outcome::Refuses => write!(f, "refuse {values} values"),
        Outcome::Misreads => write!(f, "may take {values} values for something else"),
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: ", self.path, self.text)?;
        if (self.older, self.newer) == (Outcome::Reads, Outcome::Reads) {
            return f.write_str("safe");
        }
        f.write_str("older readers ")?;
        write_outcome(f, self.older, "newer")?;
        f.write_str(", newer readers ")?;
        write_outcome(f, self.newer, "older")
    }
}

/// All differences between two schemas, perhaps none.
///
/// [`Display`](fmt::Display) writes one line for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    list: Box<[Change]>,
}

impl Changes {
    pub(crate) fn new(list: Vec<Change>) -> Self {
        Changes { list: list.into() }
    }

    /// All of them, in the order of the newer schema; types that only the older one has come last.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Change> {
        self.list.iter()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The worst that readers of the older schema do with values of the newer one.
    #[must_use]
    pub fn older_readers(&self) -> Outcome {
        self.iter().map(Change::older_readers).max().unwrap_or(Outcome::Reads)
    }

    /// The worst that readers of the newer schema do with values of the older one.
    #[must_use]
    pub fn newer_readers(&self) -> Outcome {
        self.iter().map(Change::newer_readers).max().unwrap_or(Outcome::Reads)
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_lines(f, self.iter())
    }
}
