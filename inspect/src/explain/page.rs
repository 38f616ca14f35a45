//! Writes the annotated dump as a self-contained HTML report.
//!
//! The report is written while parts are read. It embeds two streams in base64: the file's bytes and its rows (`rows`).
//! A script draws only the visible rows. Memory is bounded by the buffers here, and in the browser by the maximum number
//! of rows and bytes in a report (`choice`).

mod base64;
mod choice;
mod packed;
mod rows;
mod texts;

use std::io::{self, Write};
use std::ops::ControlFlow;

use serde_json::json;

use self::base64::Block;
use self::choice::Choice;
pub use self::choice::Window;
pub use self::packed::{Packed, packed, unexplained};
use self::rows::Rows;
use super::{Subject, Tally};
use crate::spans::Span;
use crate::write::markup::Escaped;
use crate::write::plain::{plain, write_json};

const PAGE: &str = include_str!("page.html");
const STYLE: [&str; 2] = [include_str!("page/dump.css"), include_str!("page.css")];
/// Modules, each after those that it imports. The report has them as one script.
const SCRIPT: [&str; 10] = [
    include_str!("page/rows.js"),
    include_str!("page/embedded.js"),
    include_str!("page/view.js"),
    include_str!("page/resize.js"),
    include_str!("page/words.js"),
    include_str!("page/bytes.js"),
    include_str!("page/tree.js"),
    include_str!("page/find.js"),
    include_str!("page/dump.js"),
    include_str!("page.js"),
];

pub fn write(
    writer: &mut dyn Write,
    subject: &Subject<'_>,
    window: Window,
    tally: &mut Tally,
) -> io::Result<()> {
    let mut page = Page::begin(writer, subject.name, subject.bytes, window)?;
    subject.each(|span| page.put(&span))?;
    *tally = page.tally;
    page.finish(&subject.summary())
}

/// A report that is being written.
struct Page<'a> {
    writer: &'a mut dyn Write,
    bytes: &'a [u8],
    choice: Choice,
    rows: Rows,
    stream: Block,
    data: Block,
    tally: Tally,
}

impl<'a> Page<'a> {
    fn begin(
        writer: &'a mut dyn Write,
        name: &str,
        bytes: &'a [u8],
        window: Window,
    ) -> io::Result<Self> {
        let (front, _) = around_data();
        for piece in front.split("{{") {
            match piece.split_once("}}") {
                None => writer.write_all(piece.as_bytes())?,
                Some((slot, text)) => {
                    match slot {
                        "name" => write!(writer, "{}", Escaped(&plain(name)))?,
                        "style" => {
                            STYLE
                                .iter()
                                .try_for_each(|style| writer.write_all(style.as_bytes()))?;
                        }
                        _ => {}
                    }
                    writer.write_all(text.as_bytes())?;
                }
            }
        }
        Ok(Page {
            writer,
            bytes,
            choice: Choice::new(window, bytes.len()),
            rows: Rows::new(),
            stream: Block::new("rows"),
            data: Block::new("bytes"),
            tally: Tally::default(),
        })
    }

    /// Adds the next part. Breaks if the report needs no more parts.
    fn put(&mut self, span: &Span) -> io::Result<ControlFlow<()>> {
        if self.choice.is_done(span) {
            return Ok(ControlFlow::Break(()));
        }
        if !self.choice.wants(&span.range) {
            return Ok(ControlFlow::Continue(()));
        }
        self.tally.add(span);
        let Page { choice, rows, stream, data, writer, bytes, .. } = self;
        choice.take(span, |span, shown| {
            let rows_before = rows.count();
            stream.put(*writer, rows.put(span, &shown))?;
            for piece in shown.pieces {
                data.put(*writer, bytes.get(piece).unwrap_or_default())?;
            }
            Ok(rows.count().saturating_sub(rows_before))
        })?;
        Ok(ControlFlow::Continue(()))
    }

    fn finish(mut self, summary: &str) -> io::Result<()> {
        self.stream.put(self.writer, self.rows.finish())?;
        self.stream.flush(self.writer)?;
        self.data.flush(self.writer)?;
        let more = if self.choice.is_complete() { "" } else { "more than " };
        let about = json!({
            "summary": format!("{summary}, {more}{}", self.tally),
            "notes": self.choice.notes(),
            "errors": self.tally.errors,
            "length": self.bytes.len(),
            "bytes": self.data.total(),
            "stream": self.stream.total(),
            "rows": self.rows.count(),
            "texts": self.rows.texts(),
        });
        writeln!(self.writer, "<script type=\"application/json\" id=\"about\">")?;
        write_json(self.writer, &about)?;
        writeln!(self.writer, "</script>\n<script type=\"module\">\n\"use strict\";")?;
        for line in SCRIPT.iter().flat_map(|file| file.lines()) {
            if !line.starts_with("import ") {
                writeln!(self.writer, "{}", line.strip_prefix("export ").unwrap_or(line))?;
            }
        }
        writeln!(self.writer, "</script>")?;
        self.writer.write_all(around_data().1.as_bytes())
    }
}

/// The HTML before and after the data.
fn around_data() -> (&'static str, &'static str) {
    PAGE.split_once("{{data}}").unwrap_or((PAGE, ""))
}
