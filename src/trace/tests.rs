use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Deserialize;

use super::{Graph, Id, Shown};

#[derive(Deserialize)]
#[expect(dead_code, reason = "is only traced")]
enum Tree {
    Fork(Box<Tree>, Box<Tree>),
    List(Vec<Tree>),
    Leaf(u8),
}

/// Whether nothing is left to be seen in what can be reached.
fn is_whole(graph: &Graph) -> bool {
    let mut met = alloc::vec![graph.root];
    let mut at = 0;
    while let Some(id) = met.get(at).copied() {
        at += 1;
        if graph.shown(id).is_pending() {
            return false;
        }
        let parts: Vec<Id> = graph.shown(id).parts().into_iter().flatten().collect();
        met.extend(parts.into_iter().filter(|part| !met.contains(part)).collect::<Vec<_>>());
    }
    true
}

#[test]
fn types_that_contain_themselves_are_seen_as_a_whole() {
    assert!(is_whole(&Graph::of::<Tree>()));
    assert!(is_whole(&Graph::of::<Option<Box<Tree>>>()));
    let graph = Graph::of::<BTreeMap<String, Option<Box<Tree>>>>();
    assert!(matches!(graph.shown(graph.root), Shown::Map(Some(_), Some(_))));
    assert!(is_whole(&graph));
}
