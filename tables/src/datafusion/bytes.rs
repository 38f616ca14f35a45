//! Reads the bytes of files from any object store.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use datafusion::error::Result;
use object_store::{GetOptions, GetResultPayload, ObjectMeta, ObjectStore, ObjectStoreExt as _};
use tokio::runtime::Handle;

/// Number of bytes that are requested at once.
const PIECE: u64 = 8 << 20;

/// An open file.
pub(super) enum Source {
    /// A local file.
    Local(File, PathBuf),
    /// A file that is fetched, which blocks.
    Remote(Remote),
}

impl Source {
    pub(super) async fn open(store: Arc<dyn ObjectStore>, meta: &ObjectMeta) -> Result<Self> {
        let mut first = GetOptions::new();
        if meta.size > 0 {
            // Without a range, remote stores would send the whole file.
            first = first.with_range(Some(0..meta.size.min(PIECE)));
        }
        let first = store.get_opts(&meta.location, first).await?;
        if let GetResultPayload::File(file, path) = first.payload {
            return Ok(Source::Local(file, path));
        }
        let piece = first.bytes().await?;
        let (meta, runtime) = (meta.clone(), Handle::current());
        Ok(Source::Remote(Remote { store, meta, runtime, at: 0, piece, start: 0 }))
    }
}

/// A file of an object store. Reading blocks, so it must happen on a thread that may block.
pub(super) struct Remote {
    store: Arc<dyn ObjectStore>,
    meta: ObjectMeta,
    runtime: Handle,
    /// The position of the next read.
    at: u64,
    /// The bytes of the last fetch, and their position.
    piece: Bytes,
    start: u64,
}

impl Remote {
    /// Its path in the store.
    pub(super) fn path(&self) -> PathBuf {
        self.meta.location.as_ref().into()
    }

    /// The fetched bytes from the current position on.
    fn there(&self) -> &[u8] {
        let passed =
            self.at.checked_sub(self.start).and_then(|passed| usize::try_from(passed).ok());
        passed.and_then(|passed| self.piece.get(passed..)).unwrap_or_default()
    }
}

impl Read for Remote {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.there().is_empty() && self.at < self.meta.size {
            let range = self.at..self.meta.size.min(self.at.saturating_add(PIECE));
            let fetched = self.store.get_range(&self.meta.location, range);
            self.piece = self.runtime.block_on(fetched)?;
            self.start = self.at;
        }
        let read = self.there().read(bytes)?;
        self.at = self.at.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
        Ok(read)
    }
}

impl Seek for Remote {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let to = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::Current(step) => self.at.checked_add_signed(step),
            SeekFrom::End(step) => self.meta.size.checked_add_signed(step),
        };
        self.at = to.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
