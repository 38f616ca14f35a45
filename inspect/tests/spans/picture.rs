//! Draws the bytes of a biniou record with their meaning, one row for each field.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fourfold::biniou::{Dictionary, Options};
use fourfold_inspect::spans::{Span, all, biniou};

/// Title, position and width of the columns.
const COLUMNS: [(&str, u32, u32); 4] =
    [("name, as a hash", 50, 114), ("tag", 170, 58), ("length", 234, 58), ("value", 298, 308)];
const WIDTH: u32 = 614;
const TOP: u32 = 50;
const ROW: u32 = 44;
/// Maximum number of shown bytes of a value. A longer one ends with `…`.
const BYTES: usize = 12;

const STYLE: &str = "\
.paper { fill: #fff; } text { fill: #1b1f24; } .hex { font-family: monospace; font-size: 13px; }
.dim { fill: #57606a; } .c0 { fill: #dbeafe; } .c1 { fill: #ede4fb; } .c2 { fill: #fdeccd; } .c3 { fill: #d9f3dd; }
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117; } text { fill: #e6edf3; } .dim { fill: #9198a1; }
.c0 { fill: #17375e; } .c1 { fill: #3b2a5c; } .c2 { fill: #553c0d; } .c3 { fill: #174a26; }
}";

/// The scalar fields of the record at `place` that begin at byte `start` or after it, as an SVG.
fn picture(title: &str, bytes: &[u8], options: &Options, place: &str, start: usize) -> String {
    let spans = all(|each| biniou::explain(bytes, options, "", each));
    let (mut rows, mut body) = (0, String::new());
    for span in spans.iter().filter(|span| span.range.start >= start && is_field(span, place)) {
        let column = match &*span.what {
            "field hash" => 0,
            "tag" => 1,
            "length" => 2,
            _ => 3,
        };
        rows += u32::from(column == 0);
        let y = TOP + ROW * (rows - 1);
        if column == 0 {
            let offset = span.range.start;
            let _ = writeln!(body, "<text class=\"dim\" x=\"10\" y=\"{}\">{offset}</text>", y + 16);
        }
        cell(&mut body, column, y, &hex(&bytes[span.range.clone()]), &escaped(shown(span)));
    }
    let height = TOP + ROW * rows + 4;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" role=\"img\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<title>{title}</title>\n<style>\n{STYLE}\n</style>\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\" rx=\"6\"/>\n\
         <text x=\"10\" y=\"20\" font-weight=\"bold\">{title}</text>\n",
        title = escaped(title)
    );
    let headings = COLUMNS.iter().map(|(heading, x, _)| (*heading, x + 6));
    for (heading, x) in headings.chain([("byte", 10)]) {
        let _ = writeln!(out, "<text class=\"dim\" x=\"{x}\" y=\"42\">{heading}</text>");
    }
    out + &body + "</svg>\n"
}

/// Whether a span belongs to a field of the record at `place`, not to a nested value.
fn is_field(span: &Span, place: &str) -> bool {
    let path = span.place.to_string();
    path.strip_prefix(place).is_some_and(|rest| rest.matches('.').count() == 1)
}

fn cell(body: &mut String, column: usize, y: u32, hex: &str, text: &str) {
    let (_, x, width) = COLUMNS[column];
    let _ = writeln!(
        body,
        "<rect class=\"c{column}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" rx=\"4\"/>\n\
         <text class=\"hex\" x=\"{}\" y=\"{}\">{hex}</text>\n\
         <text x=\"{}\" y=\"{}\">{text}</text>",
        ROW - 6,
        x + 6,
        y + 16,
        x + 6,
        y + 32,
    );
}

/// The text of a span; for a hash, only the name.
fn shown(span: &Span) -> &str {
    match &*span.what {
        "field hash" => span.value.split(' ').next_back().unwrap_or_default(),
        _ => &span.value,
    }
}

fn hex(bytes: &[u8]) -> String {
    let shown: Vec<String> = bytes.iter().take(BYTES).map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > BYTES { " …" } else { "" };
    shown.join(" ") + more
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The picture as the target of a link, since rustdoc has no other files.
fn definition(name: &str, svg: &str) -> String {
    let mut url = String::from("data:image/svg+xml,");
    for letter in svg.chars() {
        match letter {
            '%' | '#' | '<' | '>' | '\\' | '&' | '\n' | ' ' | '"' | '\'' => {
                let _ = write!(url, "%{:02X}", u32::from(letter));
            }
            _ => url.push(letter),
        }
    }
    format!("[{name}]: <{url}>\n")
}

/// The README's picture is the explanation of a fixture's bytes. `UPDATE=1 cargo test -p fourfold-inspect --test spans`
/// draws it again.
#[test]
fn the_picture_shows_the_bytes_of_a_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = root.join("tests/fixtures/biniou");
    let bytes = fs::read(folder.join("data/log.log_list-three.biniou")).unwrap();
    let schema = fs::read_to_string(folder.join("schemas/log.atd")).unwrap();
    let words = schema.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let names = Dictionary::from_words(&words.collect::<Vec<_>>().join("\n")).unwrap();
    let title = "Six fields of a log that OCaml wrote, and what each byte is";
    let svg = picture(title, &bytes, &Options::new().names(names), "[1]", 165);
    let link = definition("docs/explain.svg", &svg);
    for (file, text) in [("docs/explain.svg", svg), ("src/explain_svg.md", link)] {
        let path = root.join(file);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let is_so = fs::read_to_string(&path).is_ok_and(|old| old == text);
        assert!(
            is_so,
            "{file}: `UPDATE=1 cargo test -p fourfold-inspect --test spans` writes it again"
        );
    }
}
