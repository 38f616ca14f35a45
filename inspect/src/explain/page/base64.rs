//! Embeds bytes in a report, as base64 in blocks of bounded size.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::write::count::number;

/// Maximum number of bytes in a block: a multiple of three, so that only the last block is padded.
const BLOCK: usize = 768 << 10;

/// Buffers bytes and writes them as elements that the script of the report reads.
pub(super) struct Block {
    class: &'static str,
    buffer: Vec<u8>,
    /// Number of bytes written.
    written: u64,
}

impl Block {
    pub(super) const fn new(class: &'static str) -> Self {
        Block { class, buffer: Vec::new(), written: 0 }
    }

    pub(super) fn put(&mut self, writer: &mut dyn Write, mut bytes: &[u8]) -> io::Result<()> {
        while self.buffer.len() + bytes.len() >= BLOCK {
            let (now, later) = bytes.split_at(BLOCK - self.buffer.len());
            self.buffer.extend_from_slice(now);
            self.flush(writer)?;
            bytes = later;
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    pub(super) fn flush(&mut self, writer: &mut dyn Write) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        write!(writer, "<script type=\"text/plain\" class=\"{}\">", self.class)?;
        writeln!(writer, "{}</script>", STANDARD.encode(&self.buffer))?;
        self.written = self.total();
        self.buffer.clear();
        Ok(())
    }

    /// Number of bytes written or buffered.
    pub(super) fn total(&self) -> u64 {
        self.written + number(self.buffer.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_bounded() {
        let mut block = Block::new("x");
        let mut page = Vec::new();
        block.put(&mut page, &vec![0; 2 * BLOCK + 1]).unwrap();
        block.put(&mut page, &[0]).unwrap();
        block.flush(&mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        let lengths: Vec<usize> = page.lines().map(|line| line.matches('A').count()).collect();
        assert_eq!(lengths, [BLOCK / 3 * 4, BLOCK / 3 * 4, 3]);
        assert_eq!(block.total(), 2 * BLOCK as u64 + 2);
    }
}
