//! atdgen's rules for single definitions, types and names; the predefined types.

use std::collections::BTreeMap;

use super::annotation::{self, Annotated, OCAML, Place};
use super::parse::{self, Word};
use super::shape::{Body, Float, Int, Member};
use super::{ErrorKind, Step, unfit, wrong_at};
use crate::common::{Mark, shortened};

pub(super) fn is_option(body: Option<&Body>) -> bool {
    matches!(body, Some(Body::Option(_) | Body::Nullable(_)))
}

pub(super) fn has_default(body: Option<&Body>) -> bool {
    use Body::{Bool, Float, Int, List, Object, String, Table, Unit};
    let has_own = |body: &Body| {
        matches!(body, Unit | Bool | Int(_) | Float(_) | String | List(_) | Object(_) | Table(_))
    };
    is_option(body) || body.is_some_and(has_own)
}

/// A type that is always there.
pub(super) fn predefined(
    name: Word<'_>,
    item: Option<usize>,
    annotated: Annotated<'_, '_>,
    mark: Mark,
) -> Step<Body> {
    Ok(match (name.text, item) {
        ("unit", _) => Body::Unit,
        ("bool", _) => Body::Bool,
        ("string", _) => Body::String,
        ("int", _) => Body::Int(int(annotated, mark)?),
        ("float", _) => {
            let kinds = [("float32", Float::Float32), ("float64", Float::Float64)];
            Body::Float(annotated.choice("biniou", "repr", &kinds, Float::Float64)?)
        }
        ("list", Some(item)) => {
            annotated.choice("ocaml", "repr", &[("list", ()), ("array", ())], ())?;
            let kinds = [("array", false), ("table", true)];
            let is_table = annotated.choice("biniou", "repr", &kinds, false)?;
            let kinds = [("array", false), ("object", true)];
            match annotated.choice("json", "repr", &kinds, false).unwrap_or_default() {
                _ if is_table => Body::Table(item),
                true => Body::Object(item),
                false => Body::List(item),
            }
        }
        ("option", Some(item)) => Body::Option(item),
        ("nullable", Some(item)) => Body::Nullable(item),
        ("wrap", Some(item)) => {
            annotated.check_wrap(mark)?;
            Body::Wrap(item)
        }
        ("shared", _) => {
            return unfit("atdgen 2.10 has no shared types", mark);
        }
        _ => Body::Abstract,
    })
}

/// How an integer is written, and what it is in OCaml: not all go together.
fn int(annotated: Annotated<'_, '_>, mark: Mark) -> Step<Int> {
    let kinds = ["int", "char", "int32", "int64", "float"].map(|kind| (kind, kind));
    let ocaml = annotated.choice("ocaml", "repr", &kinds, "int")?;
    let kinds = [
        ("svint", Int::Svint),
        ("uvint", Int::Uvint),
        ("int8", Int::Int8),
        ("int16", Int::Int16),
        ("int32", Int::Int32),
        ("int64", Int::Int64),
    ];
    let int = annotated.choice("biniou", "repr", &kinds, Int::Svint)?;
    let missing = match (ocaml, int) {
        ("int", Int::Svint | Int::Uvint | Int::Int8 | Int::Int16)
        | ("int32", Int::Int32)
        | ("int64", Int::Int64) => return Ok(int),
        ("char", Int::Int8) => return Ok(Int::Char),
        (_, Int::Int32) => r#"<biniou repr="int32"> also requires <ocaml repr="int32">"#,
        (_, Int::Int64) => r#"<biniou repr="int64"> also requires <ocaml repr="int64">"#,
        ("int32", _) => r#"<ocaml repr="int32"> also requires <biniou repr="int32">"#,
        ("int64", _) => r#"<ocaml repr="int64"> also requires <biniou repr="int64">"#,
        ("char", _) => r#"<ocaml repr="char"> also requires <biniou repr="int8">"#,
        _ => r#"biniou has no integers for <ocaml repr="float">"#,
    };
    unfit(missing, mark)
}

/// Checks a definition but for its type.
pub(super) fn check_definition(definition: &parse::Definition<'_>) -> Step<()> {
    let own = &definition.annotations;
    let name = definition.name;
    annotation::check_places(own, Place::Definition)?;
    check_keyword(name.text, name.mark)?;
    let annotated = Annotated::new(own);
    annotated.flag(OCAML, "predef")?;
    annotated.docs()?;
    for target in ["ocaml_biniou", "ocaml_json", "ocaml_bs", "ocaml_validate"] {
        annotated.names_a_module(&[target, "ocaml"])?;
    }
    let after = Annotated::new(&definition.body.annotations);
    let docs = annotated.value(&["doc"], "text")?;
    if let (Some(_), Some((_, mark))) = (docs, after.value(&["doc"], "text")?) {
        let annotation = "<doc text>".to_owned();
        return Err(wrong_at(ErrorKind::Annotation { annotation, what: "is there twice" }, mark));
    }
    after.docs()?;
    for section in own.iter().filter(|section| section.name == "ocaml") {
        for entry in section.entries.iter().filter(|entry| entry.key == "attr") {
            annotation::value_of(section.name, entry)?;
        }
    }
    Ok(())
}

pub(super) fn check_keyword(name: &str, mark: Mark) -> Step<()> {
    match annotation::is_keyword(name) {
        true => Err(wrong_at(ErrorKind::Keyword { name: name.into() }, mark)),
        false => Ok(()),
    }
}

/// Refuses two names of one type that have one hash.
pub(super) fn check_hashes(members: &[Member]) -> Step<()> {
    let mut known: BTreeMap<u32, &Member> = BTreeMap::new();
    for member in members {
        if let Some(first) = known.insert(member.hash, member) {
            let (first, second) = (shortened(&first.name), shortened(&member.name));
            return Err(wrong_at(
                ErrorKind::Collision { first, second, hash: member.hash },
                member.mark,
            ));
        }
    }
    Ok(())
}
