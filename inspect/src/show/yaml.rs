//! Parts as YAML: numbers and text are read the same by readers of YAML 1.1 and 1.2. Very deep parts are in YAML's
//! flow style: on one line, with brackets.

use std::borrow::Cow;
use std::io::{self, Write};

use super::json::MOST_INDENT;
use crate::model::{Part, float};
use crate::write::plain::quoted;
use crate::write::width::Blanks;

/// Indentation per level.
const INDENT: usize = 2;

/// Maximum length of a key on the same line as its colon.
const LONGEST_KEY: usize = 1000;

/// Words that some readers do not read as text.
const WORDS: [&str; 11] =
    ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"];

pub fn write(part: &Part<'_>, most: usize, out: &mut dyn Write) -> io::Result<()> {
    Yaml { out, most }.part(part, Place::Top, 0)
}

struct Yaml<'w> {
    out: &'w mut dyn Write,
    most: usize,
}

/// What is before a part on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    /// A key and its colon.
    Key,
    /// A dash.
    Dash,
    /// Other text of the same line, in brackets.
    Flow,
}

impl Yaml<'_> {
    /// Writes a part whose key or dash is indented by `indent`.
    fn part(&mut self, part: &Part<'_>, place: Place, indent: usize) -> io::Result<()> {
        // The indentation of many levels would be longer than the text.
        if indent > MOST_INDENT && place != Place::Flow && !part.is_scalar() {
            self.out.write_all(b" ")?;
            self.part(part, Place::Flow, indent)?;
            return self.out.write_all(b"\n");
        }
        match part {
            Part::List(items) => self.list(items.iter().map(Cow::Borrowed), place, indent),
            Part::Items(items) => self.list(items.iter().map(Cow::Owned), place, indent),
            Part::Map(fields) => {
                let fields = fields.iter().map(|(key, part)| (&**key, Some(part)));
                self.map(fields, part, place, indent)
            }
            Part::Tensor(tensor) if tensor.head.is_empty() => self.data(part, place, indent),
            Part::Tensor(tensor) => {
                let head = tensor.head.iter().map(|(key, part)| (&**key, Some(part)));
                self.map(head.chain([("data", None)]), part, place, indent)
            }
            scalar => self.line(&self::scalar(scalar), place),
        }
    }

    /// The elements of a tensor, or their statistics.
    fn data(&mut self, part: &Part<'_>, place: Place, indent: usize) -> io::Result<()> {
        let Part::Tensor(tensor) = part else { return Ok(()) };
        match tensor.summary(self.most) {
            Some(summary) => self.part(&summary, place, indent),
            None => self.list(tensor.elements.iter().map(Cow::Owned), place, indent),
        }
    }

    fn line(&mut self, text: &str, place: Place) -> io::Result<()> {
        match place {
            Place::Top => writeln!(self.out, "{text}"),
            Place::Key | Place::Dash => writeln!(self.out, " {text}"),
            Place::Flow => self.out.write_all(text.as_bytes()),
        }
    }

    fn list<'p, 'a: 'p>(
        &mut self,
        items: impl Iterator<Item = Cow<'p, Part<'a>>>,
        place: Place,
        indent: usize,
    ) -> io::Result<()> {
        if place == Place::Flow {
            return self
                .in_brackets(["[", "]"], items, |yaml, item| yaml.part(&item, place, indent));
        }
        // A list is indented like its key.
        let inner = if place == Place::Dash { indent + INDENT } else { indent };
        let mut is_empty = true;
        for item in items {
            self.begin(place, is_empty, inner)?;
            self.out.write_all(b"-")?;
            self.part(&item, Place::Dash, inner)?;
            is_empty = false;
        }
        if is_empty { self.line("[]", place) } else { Ok(()) }
    }

    /// Fields; a field without a part is the data of `whole`.
    fn map<'p, 'a: 'p>(
        &mut self,
        fields: impl Iterator<Item = (&'p str, Option<&'p Part<'a>>)>,
        whole: &Part<'_>,
        place: Place,
        indent: usize,
    ) -> io::Result<()> {
        if place == Place::Flow {
            return self.in_brackets(["{", "}"], fields, |yaml, (key, part)| {
                let key = text(key);
                match key.len() > LONGEST_KEY {
                    true => write!(yaml.out, "? {key} : ")?,
                    false => write!(yaml.out, "{key}: ")?,
                }
                yaml.value(part, whole, place, indent)
            });
        }
        let inner = if place == Place::Top { indent } else { indent + INDENT };
        let mut is_empty = true;
        for (key, part) in fields {
            self.begin(place, is_empty, inner)?;
            let key = text(key);
            match key.len() > LONGEST_KEY {
                true => write!(self.out, "? {key}\n{}:", Blanks(inner))?,
                false => write!(self.out, "{key}:")?,
            }
            self.value(part, whole, Place::Key, inner)?;
            is_empty = false;
        }
        if is_empty { self.line("{}", place) } else { Ok(()) }
    }

    /// The value of a field; without one, the data of `whole`.
    fn value(
        &mut self,
        part: Option<&Part<'_>>,
        whole: &Part<'_>,
        place: Place,
        indent: usize,
    ) -> io::Result<()> {
        match part {
            Some(part) => self.part(part, place, indent),
            None => self.data(whole, place, indent),
        }
    }

    /// Items with commas between them.
    fn in_brackets<T>(
        &mut self,
        [open, close]: [&str; 2],
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.out.write_all(open.as_bytes())?;
        for (index, item) in items.enumerate() {
            if index > 0 {
                self.out.write_all(b", ")?;
            }
            write(self, item)?;
        }
        self.out.write_all(close.as_bytes())
    }

    /// Begins the line of a field or an item. The first one is on the line of the dash.
    fn begin(&mut self, place: Place, is_first: bool, indent: usize) -> io::Result<()> {
        match (place, is_first) {
            (Place::Dash, true) => return self.out.write_all(b" "),
            (Place::Key, true) => self.out.write_all(b"\n")?,
            _ => {}
        }
        write!(self.out, "{}", Blanks(indent))
    }
}

fn scalar(part: &Part<'_>) -> Cow<'static, str> {
    match part {
        Part::Bool(value) => value.to_string().into(),
        Part::Integer(number) => number.to_string().into(),
        Part::Unsigned(number) => number.to_string().into(),
        Part::Float32(float) => number(format!("{float:?}")).into(),
        Part::Float64(float) => match float::text(*float).as_deref() {
            Some("-inf") => "-.inf".into(),
            Some(text) => format!(".{text}").into(),
            None => number(format!("{float:?}")).into(),
        },
        Part::Text(_) | Part::Hex(_) => match part.as_text() {
            Some(text) => self::text(&text).into_owned().into(),
            None => "''".into(),
        },
        Part::Null | Part::List(_) | Part::Items(_) | Part::Map(_) | Part::Tensor(_) => {
            "null".into()
        }
    }
}

/// A float in the syntax of YAML 1.1: with a point, and a sign of the exponent.
fn number(float: String) -> String {
    let Some((digits, exponent)) = float.split_once('e') else { return float };
    let point = if digits.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    format!("{digits}{point}e{sign}{exponent}")
}

/// Plain text if all readers read it as text, else quoted.
fn text(text: &str) -> Cow<'_, str> {
    let begins = |letter: char| letter.is_alphabetic() || "_/<$".contains(letter);
    let goes_on = |letter: char| letter.is_alphanumeric() || "_-./<>+$() ".contains(letter);
    let is_plain = text.starts_with(begins)
        && text.chars().all(goes_on)
        && !text.starts_with("<<")
        && !text.ends_with(' ')
        && !WORDS.contains(&text.to_lowercase().as_str());
    if is_plain {
        return Cow::Borrowed(text);
    }
    // Line breaks and control characters are escaped as in JSON.
    let json = quoted(text);
    match json.contains('\\') {
        true => Cow::Owned(json),
        false => Cow::Owned(format!("'{}'", text.replace('\'', "''"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_floats_to_everyone() {
        let of = |float: f64| scalar(&Part::Float64(float)).into_owned();
        assert_eq!(of(1e-45), "1.0e-45");
        assert_eq!(of(-1.5e300), "-1.5e+300");
        assert_eq!(
            [of(0.0), of(-0.0), of(1e15), of(0.1)],
            ["0.0", "-0.0", "1000000000000000.0", "0.1"]
        );
    }

    #[test]
    fn lines_are_indented_up_to_some_width() {
        let long = "a".repeat(LONGEST_KEY + 1);
        let fields = vec![("a".into(), Part::Null), (long.clone().into(), Part::Null)];
        let empty = [Part::List(vec![]), Part::Map(vec![]), Part::Float64(f64::NAN)];
        let part = Part::Map(vec![
            ("b".into(), Part::Map(fields)),
            ("c".into(), Part::List(empty.into())),
            ("d".into(), Part::Text("[1".into())),
        ]);
        let lines = |indent| {
            let mut out = Vec::new();
            Yaml { out: &mut out, most: 0 }.part(&part, Place::Top, indent).unwrap();
            String::from_utf8(out).unwrap()
        };
        let text = |blanks: &str| {
            let inner = format!("{blanks}  a: null\n{blanks}  ? {long}\n{blanks}  : null\n");
            let list = format!("{blanks}- []\n{blanks}- {{}}\n{blanks}- .nan\n");
            format!("{blanks}b:\n{inner}{blanks}c:\n{list}{blanks}d: '[1'\n")
        };
        assert_eq!(lines(MOST_INDENT), text(&" ".repeat(MOST_INDENT)));
        let flow = format!(" {{b: {{a: null, ? {long} : null}}, c: [[], {{}}, .nan], d: '[1'}}\n");
        assert_eq!(lines(MOST_INDENT + INDENT), flow);
    }

    #[test]
    fn text_stays_text() {
        for plain in ["a", "<param>", "conv1/w", "_x y", "重み", "e5"] {
            assert_eq!(text(plain), plain);
        }
        for (odd, shown) in [
            ("", "''"),
            ("Yes", "'Yes'"),
            ("1e5", "'1e5'"),
            ("12:30", "'12:30'"),
            ("<<", "'<<'"),
            ("it's", "'it''s'"),
            ("a: b", "'a: b'"),
            ("~", "'~'"),
            ("#1", "'#1'"),
            ("a\nb", r#""a\nb""#),
            ("\u{85}", r#""\u0085""#),
            ("back\\slash", r#""back\\slash""#),
        ] {
            assert_eq!(text(odd), shown);
        }
    }
}
