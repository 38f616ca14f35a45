//! Merges types that are alike in all their parts.

use std::collections::HashMap;

use super::{Graph, Id, Shown};

impl Shown {
    /// The names of its parts.
    fn names(&self) -> Vec<&'static str> {
        match self {
            Shown::Struct(_, fields) => fields.iter().map(|field| field.name).collect(),
            Shown::Enum(_, variants) => variants.iter().map(|variant| variant.name).collect(),
            _ => Vec::new(),
        }
    }
}

impl Graph {
    /// Finds types that are alike in all their parts: the first of them represents the others.
    pub(crate) fn merged(&self) -> Merged<'_> {
        let mut classes: Vec<usize> = Vec::new();
        let mut known = HashMap::new();
        for node in &self.nodes {
            let next = known.len();
            classes.push(*known.entry((node.shown.outline(), node.shown.names())).or_insert(next));
        }
        let mut count = known.len();
        loop {
            let mut known = HashMap::new();
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
    /// The one of all types alike that represents them.
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
