//! Checks for the spans of all formats.

use fourfold::{Error, Kind};
use fourfold_inspect::spans::Span;

/// Asserts that each byte is in one span, in order, and that a span without bytes has an error.
pub(crate) fn assert_covered(name: &str, len: usize, spans: &[Span]) {
    let mut end = 0;
    for span in spans {
        assert_eq!(span.range.start, end, "{name}: {span:?}");
        assert!(span.range.end >= end, "{name}: {span:?}");
        assert!(!span.range.is_empty() || span.error.is_some(), "{name}: {span:?}");
        assert!(!span.what.is_empty(), "{name}: {span:?}");
        assert!(!span.value.contains('\n'), "{name}: {span:?}");
        end = span.range.end;
    }
    assert_eq!(end, len, "{name}");
}

/// One line for each span: `range place: what = value`, and `!` with the error.
pub(crate) fn lines(spans: &[Span]) -> Vec<String> {
    let lines = spans.iter().map(|span| {
        let Span { range, place, what, value, error, .. } = span;
        let mut line = format!("{range:?} {place}: {what}");
        if !value.is_empty() {
            line += &format!(" = {value}");
        }
        if let Some(error) = error {
            line += &format!(" ! {error}");
        }
        line
    });
    lines.collect()
}

/// One line for each span, without empty parts: its range, place, meaning and value, and `!` with the error.
pub(crate) fn terse_lines(spans: &[Span]) -> Vec<String> {
    let line = |span: &Span| {
        let mut line = format!("{}..{}", span.range.start, span.range.end);
        for part in [&*span.place.to_string(), &*span.what, &*span.value] {
            if !part.is_empty() {
                line.push(' ');
                line.push_str(part);
            }
        }
        if let Some(error) = &span.error {
            line.push_str(" ! ");
            line.push_str(error);
        }
        line
    };
    spans.iter().map(line).collect()
}

/// Offset and text of the first error.
pub(crate) fn first_error_of(spans: &[Span]) -> Option<(usize, String)> {
    spans.iter().find_map(|span| Some((span.range.start, span.error.clone()?)))
}

/// The spans that have errors.
pub(crate) fn wrong_spans(spans: &[Span]) -> Vec<String> {
    let wrong: Vec<Span> = spans.iter().filter(|span| span.error.is_some()).cloned().collect();
    lines(&wrong)
}

/// Asserts that the spans have the reader's error: without one, no span has an error; otherwise the first error has its
/// offset and text, and is in the value at its path.
pub(crate) fn assert_verdict<K: Kind>(name: &str, spans: &[Span], error: Option<&Error<K>>) {
    let first = spans.iter().find(|span| span.error.is_some());
    match (first, error) {
        (None, None) => {
            assert!(spans.iter().all(|span| span.what != "not read"), "{name}: not read");
        }
        (Some(span), Some(error)) => {
            let about = format!("{name}: {span:?}, {error}");
            assert_eq!(Some(span.range.start), error.offset(), "{about}");
            let shown = span.error.as_deref().unwrap_or_default();
            assert!(shown.contains(&error.kind().to_string()), "{about}");
            // An error may name a value that begins at the byte.
            let (place, path) = (span.place.to_string(), error.path().to_string());
            let inside = place.strip_prefix(&path);
            let is_part = |inside: &str| inside.is_empty() || inside.starts_with(['.', '[']);
            assert!(path.is_empty() || inside.is_some_and(is_part), "{about}");
            assert_ne!(span.what, "not read", "{about}");
        }
        (span, error) => panic!("{name}: {span:?}, {error:?}"),
    }
}
