//! The bytes of a file that are read to detect its format.

/// Maximum length of a sample.
pub const LOOK: usize = 1 << 20;

/// The beginning of a file, or all of it.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The sample that readers get.
    pub front: &'a [u8],
    /// All bytes, if the file is in memory or mapped.
    pub all: Option<&'a [u8]>,
    /// Number of bytes after the sample, if it is known.
    following: Option<usize>,
}

impl<'a> Sample<'a> {
    /// The sample of a complete file.
    pub fn of(bytes: &'a [u8]) -> Self {
        let front = bytes.get(..LOOK).unwrap_or(bytes);
        Sample { front, all: Some(bytes), following: Some(bytes.len() - front.len()) }
    }

    /// The sample of a stream that continues after these bytes.
    pub const fn begins(front: &'a [u8]) -> Self {
        Sample { front, all: None, following: None }
    }

    /// A part of the sample with length `len`, which begins with `front`.
    pub(super) fn part(&self, front: &'a [u8], len: usize) -> Self {
        let start = self.front.len() - front.len();
        let all = self.all.and_then(|all| all.get(start..)?.get(..len));
        Sample { front, all, following: len.checked_sub(front.len()) }
    }

    /// Whether nothing follows the sample.
    pub fn is_whole(&self) -> bool {
        self.following == Some(0)
    }

    /// Whether at least `count` bytes may follow the sample.
    pub(super) fn may_have_more(&self, count: usize) -> bool {
        self.following.is_none_or(|following| following >= count)
    }

    /// Whether the file ends exactly `count` bytes after the sample.
    pub(super) fn ends_after(&self, count: usize) -> bool {
        self.following == Some(count)
    }

    /// The size of the sample: `the first 1048576 of 5368709120 bytes`.
    pub fn extent(&self) -> Option<String> {
        let looked = self.front.len();
        match self.all {
            _ if self.is_whole() => None,
            Some(all) => Some(format!("the first {looked} of {} bytes", all.len())),
            None => Some(format!("the first {looked} bytes")),
        }
    }
}
