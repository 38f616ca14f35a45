//! Chunks of a stream: the mark and the length before each, and the end mark.

/// The byte before each chunk of a stream.
pub const CHUNK: u8 = 1;
/// The byte at the end of a stream.
pub const END: u8 = 0;

/// How many bytes precede a chunk: [`CHUNK`] and its length.
pub const CHUNK_HEADER: usize = 1 + size_of::<u64>();

/// What is where a chunk of a stream may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkStart<'a> {
    /// A chunk, and what follows it.
    Whole {
        /// What is in it.
        chunk: &'a [u8],
        /// The bytes after it.
        rest: &'a [u8],
    },
    /// A chunk that continues after the bytes.
    Cut {
        /// What is there of it.
        chunk: &'a [u8],
        /// How long it is.
        length: usize,
    },
    /// Less than the mark and length of a chunk: so many bytes are missing.
    CutHeader {
        /// How many.
        missing: usize,
    },
    /// The end mark, and what follows it.
    End {
        /// The bytes after it.
        rest: &'a [u8],
    },
    /// No chunk.
    Other,
}

impl<'a> ChunkStart<'a> {
    /// What `bytes` begin with.
    ///
    /// ```
    /// use fourfold::biniou::ChunkStart;
    ///
    /// let bytes = [1, 0, 0, 0, 0, 0, 0, 0, 2, 16, 7, 0];
    /// let ChunkStart::Whole { chunk: [16, 7], rest } = ChunkStart::of(&bytes) else { panic!() };
    /// assert_eq!(ChunkStart::of(rest), ChunkStart::End { rest: &[] });
    /// ```
    #[must_use]
    pub fn of(bytes: &'a [u8]) -> Self {
        match bytes.split_first() {
            Some((&END, rest)) => return ChunkStart::End { rest },
            Some((&CHUNK, _)) | None => {}
            Some(_) => return ChunkStart::Other,
        }
        let Some(([_, length @ ..], rest)) = bytes.split_first_chunk::<CHUNK_HEADER>() else {
            return ChunkStart::CutHeader { missing: CHUNK_HEADER - bytes.len() };
        };
        let length = usize::try_from(u64::from_be_bytes(*length)).unwrap_or(usize::MAX);
        match rest.split_at_checked(length) {
            Some((chunk, rest)) => ChunkStart::Whole { chunk, rest },
            None => ChunkStart::Cut { chunk: rest, length },
        }
    }
}

/// How many chunks the stream has that takes all of `bytes`, if they are one.
pub(in crate::biniou) fn chunks(bytes: &[u8]) -> Option<usize> {
    let (mut rest, mut count) = (bytes, 0);
    loop {
        match ChunkStart::of(rest) {
            ChunkStart::Whole { rest: after, .. } => (rest, count) = (after, count + 1),
            ChunkStart::End { rest: [] } => return Some(count),
            _ => return None,
        }
    }
}
