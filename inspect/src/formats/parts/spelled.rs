//! Paths whose segments are spelled differently in spans.

use fourfold::{Path, Segment};

use super::Parts;
use super::near::{child, joined};
use crate::spans::Span;

impl Parts<'_> {
    /// Converts a path of `dump` to the spelling of spans: a name instead of its hash or the reverse, `.0` in tuples, and
    /// `.key` and `.value` in tuples of two cells.
    pub(super) fn respelled(self, path: &str) -> Option<String> {
        let path = Path::new(path).ok()?;
        path.segments().try_fold(String::new(), |way, segment| {
            let of_way = |segment: &Segment| Some(joined(&way, segment)).filter(|it| self.has(it));
            of_way(segment).or_else(|| of_way(&self.other_step(&way, segment)?))
        })
    }

    /// The segment in spans for `segment` at `way`.
    fn other_step(self, way: &str, segment: &Segment) -> Option<Segment> {
        let cells = self.find(way, |it| it.what == "count of cells" || !is_at(it, way));
        let cells = cells.filter(|it| is_at(it, way));
        match (segment, cells) {
            (Segment::Slot(index), Some(_)) => Some(Segment::Index(*index)),
            (Segment::Field(name), Some(cells)) if cells.value == "2" => match &**name {
                "key" => Some(Segment::Index(0)),
                "value" => Some(Segment::Index(1)),
                _ => None,
            },
            (Segment::Field(_), None) if self.kind.has_hashes() => {
                let depth = Path::new(way).ok()?.segments().len();
                let mut step = None;
                self.find(way, |span| {
                    let it = child(span, depth);
                    let is_item = matches!(it, Some(Segment::Index(_)));
                    step = it.filter(|it| self.is_step(it, segment));
                    is_item || step.is_some()
                });
                step
            }
            _ => None,
        }
    }

    fn has(self, way: &str) -> bool {
        self.find(way, |_| true).is_some()
    }
}

/// Whether a span belongs to that part itself and not to a nested part.
fn is_at(span: &Span, way: &str) -> bool {
    span.place.to_string() == way
}
