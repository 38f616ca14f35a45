//! Tests of paths: their text, both ways.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test reports by panicking")]

use fourfold::{Path, Segment};
use quickcheck::{Arbitrary, Gen, quickcheck};

fn name(name: &str) -> Segment {
    Segment::Field(name.to_owned().into())
}

#[test]
fn text_is_read_as_it_is_written() {
    use Segment::{Index, Slot};

    let cases: &[(&str, &[Segment])] = &[
        ("", &[]),
        ("a", &[name("a")]),
        ("[0]", &[Index(0)]),
        ("2[500].0.0", &[Slot(2), Index(500), Slot(0), Slot(0)]),
        ("outputs[2].lock", &[name("outputs"), Index(2), name("lock")]),
        (r#""a.b"[1]."c[0]""#, &[name("a.b"), Index(1), name("c[0]")]),
        (r#""7".8"#, &[name("7"), Slot(8)]),
        (r#""".x"#, &[name(""), name("x")]),
        (r#""\\\"\n\u{1b}""#, &[name("\\\"\n\u{1b}")]),
        (r"a\b.#1a2b3c4d.é ï", &[name(r"a\b"), name("#1a2b3c4d"), name("é ï")]),
        (r#""…(3 more)…""#, &[name("…(3 more)…")]),
    ];
    for (text, segments) in cases {
        let path = Path::new(text).unwrap();
        assert_eq!(path.segments().cloned().collect::<Vec<_>>(), *segments, "{text}");
        assert_eq!(path.to_string(), *text);
        assert_eq!(path, segments.iter().cloned().collect::<Path>());
    }
    for (text, written) in [(".a.b", "a.b"), (".2", "2"), (r#""a""#, "a"), ("007[03]", "7[3]")] {
        assert_eq!(text.parse::<Path>().unwrap().to_string(), written);
    }
}

#[test]
fn every_error_of_a_text_has_its_byte() {
    let quotes = "a name with quotes, brackets or control characters needs quotes";
    let cases = [
        (".", "a name or number is missing", 1),
        ("a..b", "a name or number is missing", 2),
        ("a.[0]", "a name or number is missing", 2),
        ("a[", "a number is missing between brackets", 2),
        ("a[.5]", "a number is missing between brackets", 2),
        ("a[5", "the bracket `]` is missing", 3),
        ("a[5 ]", "the bracket `]` is missing", 3),
        ("a[5]b", "a dot or bracket is missing", 4),
        (r#""a"b"#, "a dot or bracket is missing", 3),
        (r#"x."a"#, "the quotes have no end", 2),
        (r#""a\q""#, "no character has this escape", 2),
        (r#""\u{110000}""#, "no character has this escape", 1),
        (r#""\u{+41}""#, "no character has this escape", 1),
        (r#""\u{}""#, "no character has this escape", 1),
        ("é]", quotes, 2),
        ("a\tb", quotes, 1),
        ("a…(3 more)….b", "`…` replaces omitted segments: a path needs all of them", 1),
        ("99999999999999999999", "the number is too large", 0),
        ("a[99999999999999999999]", "the number is too large", 2),
    ];
    for (text, reason, offset) in cases {
        let error = Path::new(text).unwrap_err();
        assert_eq!(error.to_string(), format!("{reason} at byte {offset} of the path"), "{text}");
        assert_eq!(error.offset(), Some(offset), "{text}");
    }
}

#[derive(Clone, Debug)]
struct Step(Segment);

impl Arbitrary for Step {
    fn arbitrary(g: &mut Gen) -> Self {
        let likely = ["", "0", "a", ".", "a.b", "[", "]", "\"", "\\", "…", "\n", "x y", "é"];
        Step(match u8::arbitrary(g) % 4 {
            0 => Segment::Slot(usize::arbitrary(g)),
            1 => Segment::Index(usize::arbitrary(g)),
            2 => name(&String::arbitrary(g)),
            _ => name(&[*g.choose(&likely).unwrap(), *g.choose(&likely).unwrap()].concat()),
        })
    }
}

quickcheck! {
    fn short_paths_are_read_back(steps: Vec<Step>) -> bool {
        let path: Path = steps.into_iter().take(24).map(|Step(segment)| segment).collect();
        Path::new(&path.to_string()) == Ok(path)
    }

    fn no_text_panics(parts: Vec<u8>) -> bool {
        let signs = [".", "[", "]", "\"", "\\", "5", "a", "…", "{", "u", "n", "é"];
        let text: String = parts.iter().map(|part| signs[usize::from(*part) % signs.len()]).collect();
        match Path::new(&text) {
            Ok(path) => Path::new(&path.to_string()) == Ok(path.clone()) || path.segments().len() > 24,
            Err(error) => error.offset().is_some_and(|at| text.is_char_boundary(at)),
        }
    }
}
