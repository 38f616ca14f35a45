//! Streams of chunks: the marks and lengths around values.

use fourfold::biniou::wire::{CHUNK, END};
use fourfold::biniou::{Error, ErrorKind};
use fourfold::{CommonKind, Reader, Segment};

use super::atom::Stop;
use super::{Explanation, Outcome, text};
use crate::spans::hex;

impl Explanation<'_, '_> {
    /// Explains chunks up to the end mark.
    pub(super) fn chunks(&mut self, mut reader: Reader<'_>) -> Outcome {
        let mut index = 0;
        while reader.peek() == Some(CHUNK) && !self.spans.is_stopped() {
            self.spans.enter(|| Segment::Index(index));
            let outcome = self.chunk(&mut reader);
            self.spans.leave();
            outcome?;
            index += 1;
        }
        self.end(reader)
    }

    /// Explains the bytes after the last chunk.
    fn end(&mut self, mut reader: Reader<'_>) -> Outcome {
        let start = reader.offset();
        match reader.take_array::<1, ErrorKind>() {
            Ok([END]) => self.spans.put(1, "end of chunks", || END.to_string()),
            Ok([found]) => {
                let error = Error::at(ErrorKind::ChunkMark { found }, start);
                self.spans.put_wrong(1, "chunk mark", || found.to_string(), text(&error));
            }
            Err(error) => self.spans.put_wrong(0, "end of chunks", String::new, text(&error)),
        }
        Ok(())
    }

    /// Explains a chunk.
    fn chunk(&mut self, reader: &mut Reader<'_>) -> Outcome {
        self.spans.put(1, "chunk mark", || CHUNK.to_string());
        let _ = reader.take::<ErrorKind>(1);
        let left = *reader;
        let length = match reader.take_array::<8, ErrorKind>() {
            Ok(bytes) => u64::from_be_bytes(bytes),
            Err(error) => {
                let bytes = reader.take::<ErrorKind>(left.left()).unwrap_or_default();
                self.spans.put_wrong(bytes.len(), "length of chunk", || hex(bytes), text(&error));
                return Err(Stop);
            }
        };
        self.spans.put(8, "length of chunk", || length.to_string());

        let (start, here) = (reader.offset(), reader.left());
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let is_cut = length > here;
        if is_cut {
            let error = CommonKind::UnexpectedEnd { needed: length, left: here };
            self.spans.put_wrong(0, "chunk", String::new, error.to_string());
        }
        let bytes = reader.take::<ErrorKind>(length.min(here)).unwrap_or_default();
        // The next chunk is found whatever is in this one.
        if !self.spans.is_hidden() {
            let _ = self.values(Reader::new(bytes, start));
        }
        self.spans.put_rest(reader.offset());
        if is_cut { Err(Stop) } else { Ok(()) }
    }
}
