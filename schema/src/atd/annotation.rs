//! Annotations: where each key is allowed, and its value. The keys are those of atdgen for biniou.

use std::sync::Arc;

use super::parse::{Entry, Section};
use super::{ErrorKind, Step, Wrong, unfit, wrong_at};
use crate::common::{Mark, shortened};

/// What an annotation is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Module,
    Definition,
    Type,
    Variant,
    Cell,
    Field,
}

/// Sections for OCaml, the more exact one first.
pub(super) const OCAML: &[&str] = &["ocaml_biniou", "ocaml"];

/// The keys that a section may have in a place, if atdgen looks at the section.
fn allowed(section: &str, place: Place) -> Option<&'static [&'static str]> {
    Some(match (section, place) {
        ("ocaml", Place::Definition) => &["attr", "from", "module", "predef", "t"],
        ("ocaml", Place::Type) => {
            &["field_prefix", "module", "repr", "t", "unwrap", "valid", "validator", "wrap"]
        }
        ("ocaml", Place::Variant) => &["name"],
        ("ocaml", Place::Cell) => &["default"],
        ("ocaml", Place::Field) => &["default", "mutable", "name", "repr"],
        ("ocaml_biniou", Place::Definition) => &["from", "module", "predef", "t"],
        ("biniou", Place::Type) => &["repr"],
        ("ocaml" | "ocaml_biniou" | "biniou", _) => &[],
        _ => return None,
    })
}

/// Refuses keys that mean nothing where they are.
pub(super) fn check_places(sections: &[Section<'_>], place: Place) -> Step<()> {
    for section in sections {
        let Some(allowed) = allowed(section.name, place) else { continue };
        let misplaced = section.entries.iter().find(|entry| !allowed.contains(&&*entry.key));
        if let Some(entry) = misplaced {
            return Err(wrong(section.name, entry, "means nothing here"));
        }
    }
    Ok(())
}

/// The value of an entry that needs one.
pub(super) fn value_of<'a>(section: &str, entry: &'a Entry) -> Step<&'a [u8]> {
    entry.value.as_deref().ok_or_else(|| wrong(section, entry, "has no value"))
}

#[cold]
fn wrong(section: &str, entry: &Entry, what: &'static str) -> Wrong {
    let annotation = format!("<{} {}>", shortened(section), shortened(&entry.key));
    wrong_at(ErrorKind::Annotation { annotation, what }, entry.mark)
}

/// The sections of one place; those of a type that is made from a definition with parameters, before those of
/// the definition, which they replace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Annotated<'a, 't> {
    pub(super) outer: &'a [&'a [Section<'t>]],
    pub(super) own: &'a [Section<'t>],
}

impl<'a, 't> Annotated<'a, 't> {
    pub(super) fn new(own: &'a [Section<'t>]) -> Self {
        Annotated { outer: &[], own }
    }

    /// The entry of the first of the sections that has one.
    fn find(self, sections: &[&'static str], key: &str) -> Step<Option<(&'static str, &'a Entry)>> {
        for name in sections {
            let of = |list: &'a [Section<'t>]| {
                let list = list.iter().filter(|section| section.name == *name);
                list.flat_map(|section| &section.entries).filter(|entry| entry.key == key)
            };
            if let Some(entry) = self.outer.iter().find_map(|list| of(list).next()) {
                return Ok(Some((name, entry)));
            }
            let mut own = of(self.own);
            if let Some(entry) = own.next() {
                return match own.next() {
                    Some(second) if self.outer.is_empty() => {
                        Err(wrong(name, second, "is there twice"))
                    }
                    _ => Ok(Some((name, entry))),
                };
            }
        }
        Ok(None)
    }

    /// A value, whatever it is.
    pub(super) fn value(
        self,
        sections: &[&'static str],
        key: &str,
    ) -> Step<Option<(&'a [u8], Mark)>> {
        match self.find(sections, key)? {
            None => Ok(None),
            Some((section, entry)) => Ok(Some((value_of(section, entry)?, entry.mark))),
        }
    }

    /// Which of the values it has, or else the first.
    pub(super) fn choice<T: Copy>(
        self,
        section: &'static str,
        key: &str,
        values: &[(&str, T)],
        default: T,
    ) -> Step<T> {
        let Some((section, entry)) = self.find(&[section], key)? else { return Ok(default) };
        let value = value_of(section, entry)?;
        match values.iter().find(|(name, _)| name.as_bytes() == value) {
            Some((_, value)) => Ok(*value),
            None => Err(wrong(section, entry, "has no such value")),
        }
    }

    /// A value as text.
    pub(super) fn text(self, sections: &[&'static str], key: &str) -> Step<Option<Arc<str>>> {
        let value = self.value(sections, key)?;
        Ok(value.map(|(value, _)| String::from_utf8_lossy(value).into()))
    }

    pub(super) fn flag(self, sections: &[&'static str], key: &str) -> Step<bool> {
        let Some((section, entry)) = self.find(sections, key)? else { return Ok(false) };
        match entry.value.as_deref() {
            None | Some(b"true") => Ok(true),
            Some(b"false") => Ok(false),
            Some(_) => Err(wrong(section, entry, "has no such value")),
        }
    }

    /// The name in JSON. What `atdgen -j` refuses is as though it were not there.
    pub(super) fn json_name(self) -> Step<Option<String>> {
        let Ok(Some((section, entry))) = self.find(&["json"], "name") else { return Ok(None) };
        let Some(value) = &entry.value else { return Ok(None) };
        match core::str::from_utf8(value) {
            Ok(name) => Ok(Some(name.into())),
            Err(_) => Err(wrong(section, entry, "is no UTF-8")),
        }
    }

    /// The text of `<doc text="..">`.
    pub(super) fn docs(self) -> Step<String> {
        let Some((section, entry)) = self.find(&["doc"], "text")? else { return Ok(String::new()) };
        let text = value_of(section, entry)?;
        match is_closed(text) {
            true => Ok(String::from_utf8_lossy(text).into_owned()),
            false => Err(wrong(section, entry, "opens code with {{ that it does not close")),
        }
    }

    /// Whether another module has the type; also checks the annotation.
    pub(super) fn names_a_module(self, sections: &[&'static str]) -> Step<bool> {
        let module = self.value(sections, "module")?;
        let is_there = module.is_some() || self.value(sections, "from")?.is_some();
        if is_there {
            self.value(sections, "t")?;
        }
        Ok(is_there)
    }

    /// The module that is made of another `.atd` file and has the type, and the type's name there.
    pub(super) fn origin(self) -> Step<Option<(&'a str, Option<&'a str>)>> {
        if self.value(OCAML, "module")?.is_some() {
            return Ok(None);
        }
        let text = |value: Option<(&'a [u8], Mark)>| core::str::from_utf8(value?.0).ok();
        let name = text(self.value(OCAML, "t")?);
        Ok(text(self.value(OCAML, "from")?).map(|module| (module, name)))
    }

    /// Checks how a type is wrapped in OCaml: not at all, or with all that it takes.
    pub(super) fn check_wrap(self, mark: Mark) -> Step<()> {
        let has = |key| self.value(OCAML, key).map(|value| value.is_some());
        let module = has("module")?;
        let parts = [has("t")?, has("wrap")?, has("unwrap")?];
        match module || parts == [true; 3] || parts == [false; 3] {
            true => Ok(()),
            false => unfit("a wrapped type needs `t`, `wrap` and `unwrap`", mark),
        }
    }
}

/// Whether each `{{` and `{{{` of a documentation has its end.
fn is_closed(text: &[u8]) -> bool {
    // The end that is looked for, with its escape.
    let mut open: Option<&[u8]> = None;
    let mut rest = text;
    while !rest.is_empty() {
        let skip = match open {
            _ if rest.starts_with(b"\\\\") => 2,
            None if rest.starts_with(b"\\{{{") => 4,
            None if rest.starts_with(b"\\{{") => 3,
            None if rest.starts_with(b"{{{") => {
                open = Some(b"}}}");
                3
            }
            None if rest.starts_with(b"{{") => {
                open = Some(b"}}");
                2
            }
            Some(end) if rest.strip_prefix(b"\\").is_some_and(|rest| rest.starts_with(end)) => {
                end.len() + 1
            }
            Some(end) if rest.starts_with(end) => {
                open = None;
                end.len()
            }
            _ => 1,
        };
        rest = rest.get(skip..).unwrap_or_default();
    }
    open.is_none()
}

/// Whether OCaml keeps a name for itself.
pub(super) fn is_keyword(name: &str) -> bool {
    const KEYWORDS: &str = "and as assert asr begin class constraint do done downto else end \
        exception external false for fun function functor if in include inherit initializer land \
        lazy let lor lsl lsr lxor match method mod module mutable new nonrec object of open or \
        private rec sig struct then to true try type val virtual when while with";
    KEYWORDS.split(' ').any(|keyword| keyword == name)
}
