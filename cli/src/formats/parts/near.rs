//! What is near a path that leads to no spans.

use std::iter;
use std::ops::ControlFlow;

use fourfold::{Path, Segment, Span};

use super::Parts;
use crate::write::missing::{Inside, missing};

/// So many spans are looked at to say what is near.
const LOOKED_AT: usize = 1 << 18;

impl Parts<'_> {
    /// What is said of a path that leads to no part.
    pub(crate) fn missing(self, path: &str) -> String {
        let segments: Vec<Segment> =
            Path::new(path).map(|path| path.segments().cloned().collect()).unwrap_or_default();
        // That the last leads to nothing is known.
        let outer = segments.split_last().map_or(&[][..], |(_, outer)| outer);
        let ways = outer.iter().scan(String::new(), |way, segment| {
            *way = joined(way, segment);
            Some(way.clone())
        });
        // A name may have dots, so that a way may go on behind one that leads nowhere.
        let found = ways.filter_map(|way| Some((self.path(&way)?, way))).last();
        let (place, found) = found.unwrap_or_default();
        let (names, inside) = self.children(&place);
        let inside = inside.unwrap_or(Inside::Named(names.iter().map(String::as_str).collect()));
        missing(path, &found, &inside, |path| self.path(path).is_some())
    }

    /// The names of the parts of a part, unless they have numbers or there are none.
    fn children(self, way: &str) -> (Vec<String>, Option<Inside<'static>>) {
        let depth = Path::new(way).map_or(0, |path| path.segments().len());
        let (mut last, mut names, mut items) = (None, Vec::new(), 0);
        let mut looked_at = 0;
        self.each(way, |span| {
            looked_at += 1;
            let step = child(&span, depth);
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
            (0, false, _) => None,
            (items, _, true) => Some(Inside::Items(items)),
            (items, _, false) => Some(Inside::More(items.saturating_sub(1))),
        };
        (names, inside)
    }
}

/// A way that goes on.
pub(super) fn joined(way: &str, segment: &Segment) -> String {
    let step: Path = iter::once(segment.clone()).collect();
    let dot = if way.is_empty() || matches!(segment, Segment::Index(_)) { "" } else { "." };
    format!("{way}{dot}{step}")
}

/// The step of a span's place that follows so many.
pub(super) fn child(span: &Span, depth: usize) -> Option<Segment> {
    span.place.segments().get(depth).map(|segment| (*segment).clone())
}
