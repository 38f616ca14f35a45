//! Types that look alike in all their parts become one. Knows what is shown, does not know serde.

use std::collections::BTreeMap;

use super::{Content, Graph, Id, Shown};

/// What tells types apart, but for their parts: the request, and names in it.
type Look = (u8, Vec<&'static str>, usize);

impl Shown {
    fn look(&self) -> Look {
        let look = |kind, names: &[&'static str], count| (kind, names.to_vec(), count);
        match self {
            Shown::Unseen => look(0, &[], 0),
            Shown::Untyped => look(1, &[], 0),
            Shown::Varied => look(15, &[], 0),
            Shown::Identifier => look(16, &[], 0),
            Shown::Scalar(name) => look(2, &[name], 0),
            Shown::Text => look(3, &[], 0),
            Shown::Bytes => look(4, &[], 0),
            Shown::Unit => look(5, &[], 0),
            Shown::UnitStruct(name) => look(6, &[name], 0),
            Shown::Newtype(name, _) => look(7, &[name], 0),
            Shown::Option(_) => look(8, &[], 0),
            Shown::Sequence(_) => look(9, &[], 0),
            Shown::Map(..) => look(10, &[], 0),
            Shown::Tuple(items) => look(11, &[], items.len()),
            Shown::TupleStruct(name, items) => look(12, &[name], items.len()),
            Shown::Struct(name, fields) => {
                let names = [*name].into_iter().chain(fields.iter().map(|field| field.name));
                (13, names.collect(), 0)
            }
            Shown::Enum(name, variants) => {
                let mut names = vec![*name];
                for variant in variants.iter() {
                    names.push(variant.name);
                    match &variant.content {
                        Content::Unseen => names.push("?"),
                        Content::Unit => names.push("-"),
                        Content::Newtype(_) => names.push("("),
                        Content::Tuple(_) => names.push("[]"),
                        Content::Struct(fields) => {
                            names.push("{");
                            names.extend(fields.iter().map(|field| field.name));
                        }
                    }
                }
                (14, names, 0)
            }
        }
    }
}

impl Graph {
    /// The type that stands for all that look as this one does.
    pub(crate) fn merged(&self) -> Merged<'_> {
        let mut classes: Vec<usize> = Vec::new();
        let mut known = BTreeMap::new();
        for node in &self.nodes {
            let next = known.len();
            classes.push(*known.entry(node.shown.look()).or_insert(next));
        }
        let mut count = known.len();
        loop {
            let mut known = BTreeMap::new();
            let mut finer = Vec::new();
            for (node, class) in self.nodes.iter().zip(&classes) {
                let class_of = |part: Option<Id>| part.and_then(|id| classes.get(id.0).copied());
                let parts: Vec<Option<usize>> =
                    node.shown.parts().into_iter().map(class_of).collect();
                let next = known.len();
                finer.push(*known.entry((*class, parts)).or_insert(next));
            }
            classes = finer;
            if known.len() == count {
                break;
            }
            count = known.len();
        }
        let mut first = vec![Id(0); count];
        for (at, class) in classes.iter().enumerate().rev() {
            if let Some(first) = first.get_mut(*class) {
                *first = Id(at);
            }
        }
        Merged { graph: self, classes, first }
    }
}

/// The types of a graph, each once.
pub(crate) struct Merged<'g> {
    graph: &'g Graph,
    classes: Vec<usize>,
    first: Vec<Id>,
}

impl Merged<'_> {
    /// The one of all types alike that stands for them.
    pub(crate) fn one_of(&self, id: Id) -> Id {
        self.classes.get(id.0).and_then(|class| self.first.get(*class)).copied().unwrap_or(id)
    }

    pub(crate) fn shown(&self, id: Id) -> &Shown {
        self.graph.shown(id)
    }

    pub(crate) fn has_asked(&self, id: Id) -> bool {
        self.graph.nodes.get(id.0).is_some_and(|node| node.has_asked)
    }

    pub(crate) fn has_units(&self, id: Id) -> bool {
        self.graph.nodes.get(id.0).is_some_and(|node| node.has_units)
    }
}
