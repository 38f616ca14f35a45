//! The annotated dump as one page for a browser, with nothing to fetch and a bounded size.

mod bytes;
mod excerpt;

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::ControlFlow;

use fourfold::Span;

use self::bytes::Rows;
use self::excerpt::Excerpt;
use super::{Subject, Tally};
use crate::format::counted;
use crate::plain::plain;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// How many characters of a path and of a value are shown.
const TEXT: usize = 160;
/// How many faults are listed above the bytes.
const FAULTS: usize = 20;
/// How many colours words have.
const HUES: u32 = 6;

/// How many parts are taken in, of which the page shows some. Memory holds them all.
const MOST_PARTS: usize = 400_000;

pub(super) fn write(
    writer: &mut dyn Write,
    subject: &Subject<'_>,
    tally: &mut Tally,
) -> io::Result<()> {
    let mut spans = Vec::new();
    subject.each(|span| {
        tally.add(&span);
        spans.push(span);
        Ok(match spans.len() {
            ..MOST_PARTS => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        })
    })?;
    let spans = spans.as_slice();
    let summary = format!("{}, {tally}", subject.summary());
    let excerpt = Excerpt::of(spans);
    // `{{name}}` and the others, between which the page stands as it is.
    for (i, piece) in PAGE.split("{{").enumerate() {
        let (slot, text) = match i {
            0 => ("", piece),
            _ => piece.split_once("}}").unwrap_or(("", piece)),
        };
        match slot {
            "name" => write!(writer, "{}", Escaped(subject.name))?,
            "summary" => write!(writer, "{}", Escaped(&summary))?,
            "style" => writer.write_all(STYLE.as_bytes())?,
            "script" => writer.write_all(SCRIPT.as_bytes())?,
            "notes" => write_notes(writer, spans, &excerpt)?,
            "bytes" => write_bytes(writer, subject.bytes, spans, &excerpt)?,
            "parts" => write_parts(writer, spans, &excerpt)?,
            _ => {}
        }
        writer.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// What is left out, and the first faults.
fn write_notes(writer: &mut dyn Write, spans: &[Span], excerpt: &Excerpt) -> io::Result<()> {
    if excerpt.left_out > 0 {
        writeln!(
            writer,
            "<p>The page shows the first parts and those around faults; {} left out. \
             <code>--path</code> shows one part.</p>",
            match excerpt.left_out {
                1 => "1 part is".to_owned(),
                count => format!("{count} parts are"),
            }
        )?;
    }
    if spans.iter().all(|span| span.fault.is_none()) {
        return Ok(());
    }
    writeln!(writer, "<ul class=\"faults\">")?;
    let faults = spans.iter().enumerate().filter(|(_, span)| span.fault.is_some());
    for (i, span) in faults.clone().take(FAULTS) {
        writeln!(
            writer,
            "<li><a href=\"#p{i}\">byte {}: {}</a></li>",
            span.range.start,
            Shortened(span.fault.as_deref().unwrap_or_default())
        )?;
    }
    let others = faults.skip(FAULTS).count();
    if others > 0 {
        writeln!(writer, "<li>and {}</li>", counted(others, "more fault"))?;
    }
    writeln!(writer, "</ul>")
}

fn write_bytes(
    writer: &mut dyn Write,
    bytes: &[u8],
    spans: &[Span],
    excerpt: &Excerpt,
) -> io::Result<()> {
    let mut rows = Rows::new(writer, bytes);
    for window in &excerpt.windows {
        for (i, span) in spans.iter().enumerate().take(window.end).skip(window.start) {
            for range in excerpt::shown(&span.range) {
                rows.put(range, i, span)?;
            }
        }
    }
    let end = spans.last().map_or(0, |span| span.range.end);
    rows.finish(end)
}

fn write_parts(writer: &mut dyn Write, spans: &[Span], excerpt: &Excerpt) -> io::Result<()> {
    let mut next = 0;
    for window in &excerpt.windows {
        write_gap(writer, window.start - next)?;
        for (i, span) in spans.iter().enumerate().take(window.end).skip(window.start) {
            write_part(writer, i, span)?;
        }
        next = window.end;
    }
    write_gap(writer, spans.len() - next)
}

fn write_gap(writer: &mut dyn Write, parts: usize) -> io::Result<()> {
    match parts {
        0 => Ok(()),
        _ => writeln!(writer, "<div class=\"gap\">… {} left out …</div>", counted(parts, "part")),
    }
}

fn write_part(writer: &mut dyn Write, index: usize, span: &Span) -> io::Result<()> {
    let (start, end) = (span.range.start, span.range.end);
    write!(
        writer,
        "<div class=\"part {}\" id=\"p{index}\" data-p=\"{index}\" role=\"option\" \
         aria-selected=\"false\"><span class=\"range\">{start}..{end}</span>\
         <span class=\"place\">{}</span><span class=\"what\">{}</span>\
         <span class=\"value\">{}</span>",
        class(span),
        Shortened(&span.place.to_string()),
        Shortened(&span.what),
        Shortened(&span.value),
    )?;
    if let Some(fault) = &span.fault {
        write!(writer, "<span class=\"fault\">{}</span>", Shortened(fault))?;
    }
    writeln!(writer, "</div>")
}

/// The colour of a span: that of its kind, and of what is wrong.
fn class(span: &Span) -> String {
    let sum = span.what.bytes().fold(0u32, |sum, byte| sum.wrapping_mul(31) ^ u32::from(byte));
    let bad = if span.fault.is_some() { " bad" } else { "" };
    format!("k{}{bad}", sum % HUES)
}

/// Text as it has to stand in a page, between tags or in quotes.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for character in plain(self.0).chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                _ => std::fmt::Write::write_char(f, character)?,
            }
        }
        Ok(())
    }
}

/// The same, cut in the middle if it is long.
struct Shortened<'a>(&'a str);

impl Display for Shortened<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = self.0.chars().count();
        if count <= TEXT {
            return Escaped(self.0).fmt(f);
        }
        let head: String = self.0.chars().take(TEXT / 2).collect();
        let tail: String = self.0.chars().skip(count - TEXT / 2).collect();
        write!(f, "{}…{}", Escaped(&head), Escaped(&tail))
    }
}
