//! Rows that are read one after another from bytes of which not all are there yet.

/// How much is read at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// So many rows, and no more.
    pub rows: usize,
    /// So many bytes: the row that has the last of them is the last one.
    pub bytes: usize,
}

/// Whether a row has been stepped over that is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Passed {
    /// The next one can be read.
    Yes,
    /// Where the next one begins is shown by bytes that have not come yet.
    More,
    /// Nothing shows where the next one begins.
    No,
}

/// Where reading has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// So much has been read as was requested: at least one row, if any were.
    Full,
    /// The bytes end before the next row does.
    More,
    /// There are no more rows.
    End,
}
