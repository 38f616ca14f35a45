//! Merges types that are alike in all their parts.

use std::collections::HashMap;

use super::{Content, Graph, Id, Shown};

impl Shown {
    /// The names of its parts, with what each variant holds.
    fn names(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        match self {
            Shown::Struct(_, fields) => names.extend(fields.iter().map(|field| field.name)),
            Shown::Enum(_, variants) => {
                for variant in variants.iter() {
                    names.push(variant.name);
                    names.push(match &variant.content {
                        Content::Unseen => "?",
                        Content::Unit => "-",
                        Content::Newtype(_) => "(",
                        Content::Tuple(_) => "[]",
                        Content::Struct(_) => "{",
                    });
                    if let Content::Struct(fields) = &variant.content {
                        names.extend(fields.iter().map(|field| field.name));
                    }
                }
            }
            _ => {}
        }
        names
    }
}

impl Graph {
    /// The type that stands for all that look as this one does.
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
