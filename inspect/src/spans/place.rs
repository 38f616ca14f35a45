//! The place of a span: a nested value, as a path.

use std::fmt;
use std::iter;
use std::sync::Arc;

use fourfold::Segment;

/// A nested value, as in the path of an error: `nodes[2].bubble.op`. Spans of the same value share it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Place(pub(super) Option<Arc<Step>>);

/// How many segments from the outermost on are found at once, however deep a value is.
const NEAR: usize = 128;

pub(super) struct Step {
    pub(super) outer: Place,
    pub(super) segment: Segment,
    /// How many segments there are up to here.
    depth: usize,
    /// The step at depth [`NEAR`], if this is further in.
    near: Option<Arc<Step>>,
}

impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        self.depth == other.depth && self.segment == other.segment && self.outer == other.outer
    }
}

impl Eq for Step {}

impl Place {
    /// Whether this is the place of the whole value.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The segments, outermost first.
    pub fn segments(&self) -> Vec<&Segment> {
        let mut segments: Vec<_> = self.outwards().map(|step| &step.segment).collect();
        segments.reverse();
        segments
    }

    /// Writes at most `count` segments of either end, and `…` for the others. So the time does not
    /// depend on the depth of the value.
    pub fn ends(&self, count: usize) -> impl fmt::Display + '_ {
        Ends { place: self, count }
    }

    /// The steps, innermost first.
    pub(super) fn outwards(&self) -> impl Iterator<Item = &Step> {
        iter::successors(self.0.as_deref(), |step| step.outer.0.as_deref())
    }

    pub(super) fn depth(&self) -> usize {
        self.0.as_ref().map_or(0, |step| step.depth)
    }

    pub(super) fn part(&self, segment: Segment) -> Self {
        let near = match &self.0 {
            Some(step) if step.depth == NEAR => Some(step.clone()),
            Some(step) => step.near.clone(),
            None => None,
        };
        let depth = self.depth().saturating_add(1);
        Place(Some(Arc::new(Step { outer: self.clone(), segment, depth, near })))
    }
}

fn write_segment(segment: &Segment, is_first: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if !is_first && !matches!(segment, Segment::Index(_)) {
        f.write_str(".")?;
    }
    write!(f, "{segment}")
}

/// A place with its middle left out.
struct Ends<'a> {
    place: &'a Place,
    count: usize,
}

impl fmt::Display for Ends<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ends { place, count } = *self;
        if place.depth() <= count.saturating_mul(2) {
            return place.fmt(f);
        }
        let near = place.0.as_ref().and_then(|step| step.near.clone());
        let front = match near.filter(|near| count <= near.depth) {
            Some(near) => Place(Some(near)),
            None => place.clone(),
        };
        let mut first: Vec<_> = front.outwards().skip_while(|step| step.depth > count).collect();
        let mut last: Vec<_> = place.outwards().take(count).collect();
        first.reverse();
        last.reverse();
        for step in first {
            write_segment(&step.segment, step.depth == 1, f)?;
        }
        f.write_str("…")?;
        last.into_iter().try_for_each(|step| write_segment(&step.segment, false, f))
    }
}

/// As a [`Path`](fourfold::Path) is written.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.segments().into_iter().enumerate() {
            write_segment(segment, i == 0, f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
