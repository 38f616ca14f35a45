//! Bytes inside a page: base64, in blocks of bounded size.

use std::io::{self, Write};

/// How many bytes a block has at most: a multiple of three, so that only the last one is padded.
const BLOCK: usize = 768 << 10;

/// Gathers bytes and writes them as elements that the page's script reads.
pub(super) struct Block {
    class: &'static str,
    buffer: Vec<u8>,
    /// How many bytes were written.
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
        let letters: Vec<u8> = self.buffer.chunks(3).flat_map(encode).collect();
        writer.write_all(&letters)?;
        writeln!(writer, "</script>")?;
        self.written = self.total();
        self.buffer.clear();
        Ok(())
    }

    /// How many bytes were put.
    pub(super) fn total(&self) -> u64 {
        self.written + u64::try_from(self.buffer.len()).unwrap_or(u64::MAX)
    }
}

/// Four letters for up to three bytes.
fn encode(bytes: &[u8]) -> [u8; 4] {
    match *bytes {
        [a, b, c] => [letter(a >> 2), letter(a << 4 | b >> 4), letter(b << 2 | c >> 6), letter(c)],
        [a, b] => [letter(a >> 2), letter(a << 4 | b >> 4), letter(b << 2), b'='],
        [a] => [letter(a >> 2), letter(a << 4), b'=', b'='],
        _ => *b"====",
    }
}

/// The letter for the lower six bits.
const fn letter(bits: u8) -> u8 {
    let six = bits & 0x3f;
    match six {
        0..26 => b'A' + six,
        26..52 => b'a' + six - 26,
        52..62 => b'0' + six - 52,
        62 => b'+',
        _ => b'/',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_rfc_4648() {
        for (bytes, expected) in [("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v")] {
            assert_eq!(encode(bytes.as_bytes()), expected.as_bytes());
        }
        assert_eq!(encode(&[0xfb, 0xff, 0xbf]), *b"+/+/");
    }

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
