//! Suggestions for a path that does not exist.

use std::ops::ControlFlow;

use fourfold::{Path, Segment};

use super::Parts;
use crate::model::same_hash;
use crate::spans::Span;
use crate::write::missing::{Inside, missing};

/// Maximum number of spans searched for suggestions.
const LOOKED_AT: usize = 1 << 18;

impl Parts<'_> {
    /// The error for a path that does not exist.
    pub fn missing(self, path: &str) -> String {
        let segments: Vec<Segment> =
            Path::new(path).map(|path| path.segments().cloned().collect()).unwrap_or_default();
        let place = self.leading(&segments);
        let found = segments.get(..place.len()).unwrap_or_default();
        let (place, found) = (way_of(&place), way_of(found));
        let (names, inside) = self.children(&place);
        let inside = inside.unwrap_or(Inside::Named(names.iter().map(String::as_str).collect()));
        missing(path, &found, &inside, |path| self.path(path).is_some())
    }

    /// The longest prefix of `segments` that exists, spelled as in spans. Searches all spans once.
    fn leading(self, segments: &[Segment]) -> Vec<Segment> {
        let mut longest = Vec::new();
        self.find("", |span| {
            let own = span.place.segments();
            let alike =
                own.iter().zip(segments).take_while(|(own, wanted)| self.is_step(own, wanted));
            let count = alike.count();
            if count > longest.len() {
                longest = own.iter().take(count).map(|own| (*own).clone()).collect();
            }
            count == segments.len()
        });
        longest
    }

    /// Whether a segment of a span matches one of the path.
    pub(super) fn is_step(self, own: &Segment, wanted: &Segment) -> bool {
        match (own, wanted) {
            (Segment::Field(own), Segment::Field(wanted)) if self.kind.has_hashes() => {
                same_hash(own, wanted)
            }
            _ => own == wanted,
        }
    }

    /// The names of the nested parts, or what is there instead of names.
    fn children(self, way: &str) -> (Vec<String>, Option<Inside<'static>>) {
        let depth = Path::new(way).map_or(0, |path| path.segments().len());
        let (mut last, mut names, mut items) = (None, Vec::new(), 0);
        let mut looked_at = 0;
        self.each(way, |span| {
            let step = child(&span, depth);
            looked_at += usize::from(step.is_some());
            if step.is_some() && step != last {
                match &step {
                    Some(Segment::Index(index)) => items = items.max(index.saturating_add(1)),
                    Some(step) => names.push(joined("", step)),
                    None => {}
                }
                last = step;
            }
            match looked_at < LOOKED_AT {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        let inside = match (items, names.is_empty(), looked_at < LOOKED_AT) {
            (0, true, _) => Some(Inside::Nothing),
            (0, false, true) => None,
            (items, _, true) => Some(Inside::Items(items)),
            (2.., _, false) => Some(Inside::More(items.saturating_sub(1))),
            _ => Some(Inside::Unknown),
        };
        (names, inside)
    }
}

fn way_of(segments: &[Segment]) -> String {
    segments.iter().fold(String::new(), |way, segment| joined(&way, segment))
}

/// Appends a segment to a path.
pub(super) fn joined(way: &str, segment: &Segment) -> String {
    let dot = if way.is_empty() || matches!(segment, Segment::Index(_)) { "" } else { "." };
    format!("{way}{dot}{segment}")
}

/// The segment of a span's path at that depth.
pub(super) fn child(span: &Span, depth: usize) -> Option<Segment> {
    span.place.segments().get(depth).map(|segment| (*segment).clone())
}
