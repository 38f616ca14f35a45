//! As much of a file as is looked at to tell its format.

/// How many bytes readers are given of a longer file.
pub const LOOK: usize = 1 << 20;

/// The beginning of a file, or all of it.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// What readers are given.
    pub front: &'a [u8],
    /// All bytes, where they lie in memory, or in a map of the file.
    pub all: Option<&'a [u8]>,
    /// How many bytes follow what readers are given, if that is known.
    behind: Option<usize>,
}

impl<'a> Sample<'a> {
    /// Of a file whose bytes are all there.
    pub fn of(bytes: &'a [u8]) -> Self {
        let front = bytes.get(..LOOK).unwrap_or(bytes);
        Sample { front, all: Some(bytes), behind: Some(bytes.len() - front.len()) }
    }

    /// Of a stream that goes on behind these bytes.
    pub const fn begins(front: &'a [u8]) -> Self {
        Sample { front, all: None, behind: None }
    }

    /// Of a part of a sample, which begins with `front` and is so many bytes long.
    pub(super) fn part(&self, front: &'a [u8], len: usize) -> Self {
        let start = self.front.len() - front.len();
        let all = self.all.and_then(|all| all.get(start..)?.get(..len));
        Sample { front, all, behind: len.checked_sub(front.len()) }
    }

    /// Whether nothing follows what readers are given.
    pub fn is_whole(&self) -> bool {
        self.behind == Some(0)
    }

    /// Whether so many bytes more may follow what readers are given.
    pub(super) fn has_behind(&self, count: usize) -> bool {
        self.behind.is_none_or(|behind| behind >= count)
    }

    /// Whether the file ends behind so many bytes more.
    pub(super) fn ends_behind(&self, count: usize) -> bool {
        self.behind == Some(count)
    }

    /// How much was looked at: `the first 1048576 of 5368709120 bytes`.
    pub fn extent(&self) -> Option<String> {
        let looked = self.front.len();
        match self.all {
            _ if self.is_whole() => None,
            Some(all) => Some(format!("the first {looked} of {} bytes", all.len())),
            None => Some(format!("the first {looked} bytes")),
        }
    }
}
