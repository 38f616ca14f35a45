//! Checks whether a format can represent a Rust type.

use fourfold::{Error, Kind};

use crate::common::Verdict;
use crate::trace::{Graph, Id, Lost, Shown, Variants, Walk, named, numbered};

/// What a format can represent.
pub(crate) trait Rules {
    /// A mark on a value.
    type Mark: Copy + Ord;
    /// A kind of error.
    type Kind: Kind;

    /// What messages call the format.
    const FORMAT: &'static str;

    /// The error of writing a unit variant of an adjacently tagged enum, if there is one.
    fn units() -> Option<Self::Kind> {
        None
    }

    /// What a type under a mark may be, by what it is itself.
    fn enter(
        mark: Option<Self::Mark>,
        shown: &Shown,
    ) -> Result<Inside<Self::Mark>, Error<Self::Kind>>;
}

/// What is in a type that a format can represent.
#[derive(Clone, Copy)]
pub(crate) enum Inside<M> {
    /// Nothing that follows rules of its own.
    Nothing,
    /// Parts of their own.
    Parts,
    /// The same value, which has this mark.
    Same(Option<M>),
    /// Parts, of which the first has this mark.
    First(M),
}

/// Whether a format can represent a type.
pub(crate) fn check<R: Rules>(graph: &Graph) -> Verdict {
    let mut checking = Checking::<R> { walk: Walk::new(graph) };
    checking.part("", Some(graph.root), None);
    checking.walk.report.verdict()
}

struct Checking<'g, R: Rules> {
    /// Each type is checked once under each mark.
    walk: Walk<'g, (Id, Option<R::Mark>)>,
}

impl<R: Rules> Checking<'_, R> {
    fn part(&mut self, step: &str, part: Option<Id>, mark: Option<R::Mark>) {
        let length = self.walk.enter(step);
        if let Ok((id, shown)) = self.walk.seen(part) {
            if let Some(start) = self.walk.report.start((id, mark)) {
                if let Ok(inside) = self.inside(&shown, mark) {
                    self.parts(&shown, inside);
                }
                self.walk.report.finish((id, mark), start);
            }
        }
        self.walk.leave(length);
    }

    fn inside(&mut self, shown: &Shown, mark: Option<R::Mark>) -> Result<Inside<R::Mark>, Lost> {
        let inside = self.walk.refuse(R::enter(mark, shown))?;
        if let (Shown::Struct(_, fields), Some(error)) = (shown, R::units()) {
            self.walk.refuse_units(fields, &error);
        }
        match shown {
            Shown::Untyped | Shown::Identifier => Err(self.walk.untyped(R::FORMAT)),
            Shown::Varied => Err(self.walk.varied()),
            Shown::Map(key, _) if self.walk.names_fields(*key) => {
                Err(self.walk.flattened(R::FORMAT))
            }
            _ => Ok(inside),
        }
    }

    fn parts(&mut self, shown: &Shown, inside: Inside<R::Mark>) {
        let (mut first, rest) = match inside {
            Inside::Nothing => return,
            Inside::Parts => (None, None),
            Inside::Same(mark) => (mark, mark),
            Inside::First(mark) => (Some(mark), None),
        };
        match shown {
            Shown::Enum(_, variants) => return self.variants(variants),
            Shown::Option(_) | Shown::Sequence(_) | Shown::Map(..) => {
                self.walk.report.set_optional();
            }
            _ => {}
        }
        let is_definition = matches!(shown, Shown::TupleStruct(..) | Shown::Struct(..));
        if is_definition {
            self.walk.report.enter_definition();
        }
        for (step, part) in self.steps(shown) {
            self.part(&step, part, first);
            first = rest;
        }
        if is_definition {
            self.walk.report.leave_definition();
        }
    }

    fn variants(&mut self, variants: &Variants) {
        self.walk.report.set_enum();
        self.walk.report.enter_definition();
        for variant in variants.iter() {
            let parts = match self.walk.shown_of(variant.content) {
                Shown::Unit => Vec::new(),
                Shown::Newtype(_, part) => [(String::new(), *part)].into(),
                Shown::Tuple(items) => numbered(items),
                Shown::Struct(_, fields) => named(fields),
                _ => [(String::new(), None)].into(),
            };
            let around = self.walk.report.start_part();
            let length = self.walk.enter(variant.name);
            for (step, part) in parts {
                self.part(&step, part, None);
            }
            self.walk.leave(length);
            self.walk.report.finish_part(around);
        }
        self.walk.report.leave_definition();
    }

    /// The parts of a type, and the way to each.
    fn steps(&self, shown: &Shown) -> Vec<(String, Option<Id>)> {
        match shown {
            Shown::Newtype(_, part) | Shown::Option(part) => [(String::new(), *part)].into(),
            Shown::Sequence(item) => [("[]".to_owned(), *item)].into(),
            Shown::Map(key, value) => {
                [("[key]".to_owned(), *key), ("[]".to_owned(), *value)].into()
            }
            Shown::Tuple(items) => match self.walk.array_item(items) {
                Some(item) => [("[]".to_owned(), item)].into(),
                None => numbered(items),
            },
            Shown::TupleStruct(_, items) => numbered(items),
            Shown::Struct(_, fields) if self.walk.is_adjacent(fields) => {
                named(fields).into_iter().take(1).collect()
            }
            Shown::Struct(_, fields) => named(fields),
            _ => Vec::new(),
        }
    }
}
