//! Which names are marks, and what is wrong with others.

use super::*;

#[test]
fn the_shared_list_has_all_words() {
    assert!(WORDS.iter().all(|word| mark::WORDS.contains(word)));
}

#[test]
fn a_union_mark_lists_ids_in_any_order() {
    let ids = UnionIds::of("union.Item.Header-7.Cell-0.with-dash-4294967295").unwrap().unwrap();
    assert_eq!(ids.id("Cell").unwrap(), 0);
    assert_eq!(ids.id("with-dash").unwrap(), u32::MAX);
    assert_eq!(ids.variant(7).unwrap(), Some("Header"));
    assert_eq!(ids.variant(1).unwrap(), None);
}

#[test]
fn unsound_union_marks_are_refused() {
    let text = |name, variant| {
        let id = UnionIds::of(name).and_then(|ids| ids.unwrap().id(variant));
        format!("{}", ErrorKind::from(id.unwrap_err()))
    };
    for (name, variant, error) in [
        ("union.Item.Cell-0", "Header", "leaves out `Header`"),
        ("union.Item.Cell-0.Header-0", "Header", "gives the id 0 twice"),
        ("union.Item.Cell-4294967296", "Cell", "gives `Cell` no number"),
        ("union.Item.Cell-0.Header", "Cell", "gives `Header` no number"),
        ("union.Item.Cell--1", "Cell", "leaves out `Cell`"),
        ("union.Item.Cell-0.Cell-1", "Cell", "names `Cell` twice"),
        ("union.Cell-0.Header-1", "Header", "begins with `Cell-0`, not with the type's name"),
        ("union.Cell-7", "Cell", "begins with `Cell-7`, not with the type's name"),
    ] {
        assert_eq!(text(name, variant), format!("the mark `{name}` {error}"));
    }
}

#[test]
fn names_of_others_are_no_marks() {
    for name in ["OutPoint", "table.Points", "int8.Level", "structure", "dynvecs", "a.struct."] {
        assert_eq!(Mark::of_newtype(name).unwrap(), None);
        assert!(!Mark::is_packed(name).unwrap());
        assert!(UnionIds::of(name).unwrap().is_none());
    }
}
