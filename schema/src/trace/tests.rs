use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Fields, Graph, Id, Shown};

#[derive(Deserialize)]
#[expect(dead_code, reason = "is only traced")]
enum Tree {
    Fork(Box<Tree>, Box<Tree>),
    List(Vec<Tree>),
    Leaf(u8),
}

/// Whether nothing is left to be seen in what can be reached.
fn is_whole(graph: &Graph) -> bool {
    let mut met = vec![graph.root];
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

// Under Miri a function has another address each time, so that no type is known again, and this takes many minutes.
#[cfg_attr(miri, ignore = "types are known by the addresses of functions")]
#[test]
fn types_that_contain_themselves_are_seen_as_a_whole() {
    assert!(is_whole(&Graph::of::<Tree>()));
    assert!(is_whole(&Graph::of::<Option<Box<Tree>>>()));
    let graph = Graph::of::<BTreeMap<String, Option<Box<Tree>>>>();
    assert!(matches!(graph.shown(graph.root), Shown::Map(Some(_), Some(_))));
    assert!(is_whole(&graph));
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "is only traced")]
enum Event {
    Quit,
    Key {
        code: u8,
        #[serde(default)]
        repeated: bool,
        after: Option<Box<Event>>,
    },
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "is only traced")]
struct Log {
    #[serde(default = "Vec::new")]
    events: Vec<Event>,
    last: Tree,
    owner: (u8, Owner),
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "is only traced")]
struct Owner {
    name: String,
    note: Option<String>,
}

/// Fields by their names, with `?` after those that need not be there.
fn fields(fields: &Fields) -> Vec<String> {
    let sign = |required, default| match (required, default) {
        (true, false) => "",
        (false, true) => "?",
        _ => "??",
    };
    let field = |field: &super::Field| {
        format!("{}{}", field.name, sign(field.is_required(), field.has_default()))
    };
    fields.iter().map(field).collect()
}

#[test]
fn fields_that_need_not_be_there_are_seen() {
    let graph = Graph::with_defaults::<(Log, Option<Log>)>();
    let mut seen = Vec::new();
    for at in 0..graph.nodes.len() {
        if let Shown::Struct(_, own) = graph.shown(Id(at)) {
            seen.push(fields(own));
        }
    }
    let expected: [&[&str]; 3] =
        [&["events?", "last", "owner"], &["code", "repeated?", "after?"], &["name", "note?"]];
    for fields in expected {
        assert!(seen.iter().any(|own| own == fields), "{fields:?} are none of {seen:?}");
    }
    assert!(!seen.concat().iter().any(|field| field.ends_with("??")), "{seen:?}");
}
