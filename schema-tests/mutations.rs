//! Rust types generated from schemas, each with one change, and the expected error.

use std::fmt::Write as _;

/// A type with one change.
pub(crate) struct Mutation {
    /// The type's name, in Rust and in the schema.
    pub(crate) name: String,
    pub(crate) change: String,
    pub(crate) code: String,
    pub(crate) verdict: Verdict,
}

/// The expected result of a check.
pub(crate) enum Verdict {
    /// No mismatch: the bytes are the same.
    Same,
    /// A path, and its fix.
    Fix { path: String, fix: String },
    /// A path, and the mark of the unchanged type as the fix.
    Mark { path: String, mark: String },
}

/// A field or a variant.
#[derive(Clone)]
struct Part {
    /// The module in `with`.
    module: Option<String>,
    name: String,
    ty: String,
}

#[derive(Clone)]
enum Body {
    Alias(String),
    Newtype(String),
    Struct(Vec<Part>),
    Enum(Vec<Part>),
}

/// A generated type.
#[derive(Clone)]
struct Item {
    name: String,
    rename: Option<String>,
    body: Body,
}

/// The text between two delimiters.
fn between<'t>(text: &'t str, front: &str, back: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(front)?;
    rest.split_once(back).map(|(inner, _)| inner)
}

/// Parses the types of a generated text, which has a line for each attribute, field and variant.
fn items(text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut rename = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("#[serde(rename") {
            rename = between(line, "\"", "\"").map(str::to_owned);
            continue;
        }
        let Some((kind, rest)) = line.strip_prefix("pub ").and_then(|it| it.split_once(' ')) else {
            continue;
        };
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let body = match kind {
            "type" => between(rest, "= ", ";").map(|ty| Body::Alias(ty.to_owned())),
            "struct" if rest.ends_with("{}") => Some(Body::Struct(Vec::new())),
            "struct" if rest.ends_with('{') => Some(Body::Struct(parts(&mut lines))),
            "struct" => between(rest, "pub ", ");").map(|ty| Body::Newtype(ty.to_owned())),
            _ => Some(Body::Enum(parts(&mut lines))),
        };
        let rename = rename.take();
        items.extend(body.map(|body| Item { name, rename, body }));
    }
    items
}

fn parts<'t>(lines: &mut impl Iterator<Item = &'t str>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut module = None;
    for line in lines.map(str::trim).take_while(|line| *line != "}") {
        if line.starts_with("#[serde(with") {
            module = between(line, "\"", "\"").map(str::to_owned);
        } else if let Some((name, ty)) = line.trim_end_matches(',').split_once(": ") {
            let name = name.trim_start_matches("pub ").to_owned();
            parts.push(Part { module: module.take(), name, ty: ty.to_owned() });
        } else if let Some((name, ty)) = line.trim_end_matches("),").split_once('(') {
            parts.push(Part { module: None, name: name.to_owned(), ty: ty.to_owned() });
        }
    }
    parts
}

impl Item {
    fn code(&self) -> String {
        let Item { name, rename, body } = self;
        let mut code = String::new();
        if let Body::Alias(ty) = body {
            return format!("pub type {name} = {ty};");
        }
        code.push_str("#[derive(Deserialize)] ");
        if let Some(rename) = rename {
            write!(code, "#[serde(rename = {rename:?})] ").unwrap_or_default();
        }
        match body {
            Body::Alias(_) => {}
            Body::Newtype(ty) => code += &format!("pub struct {name}(pub {ty});"),
            Body::Struct(parts) => code += &format!("pub struct {name} {{ {} }}", list(parts)),
            Body::Enum(parts) => {
                let variants = parts.iter().map(|part| match part.ty.as_str() {
                    "" => format!("{}, ", part.name),
                    ty => format!("{}({ty}), ", part.name),
                });
                code += &format!("pub enum {name} {{ {} }}", variants.collect::<String>());
            }
        }
        code
    }

    fn with(&self, body: Body) -> Self {
        Item { body, ..self.clone() }
    }

    fn renamed(&self, rename: impl Into<Option<String>>) -> Self {
        Item { rename: rename.into(), ..self.clone() }
    }

    /// The mark of the type: its keyword, and the rest.
    fn mark(&self) -> Option<(&str, &str)> {
        self.rename.as_deref().and_then(|rename| rename.split_once('.'))
    }
}

fn list(parts: &[Part]) -> String {
    let field = |part: &Part| match &part.module {
        Some(module) => format!("#[serde(with = {module:?})] pub {}: {}, ", part.name, part.ty),
        None => format!("pub {}: {}, ", part.name, part.ty),
    };
    parts.iter().map(field).collect()
}

/// The expected fix of the type itself.
fn fix(text: impl Into<String>) -> Verdict {
    Verdict::Fix { path: String::new(), fix: text.into() }
}

fn fix_in(path: &str, fix: &str) -> Verdict {
    Verdict::Fix { path: path.to_owned(), fix: fix.to_owned() }
}

fn mark(mark: impl Into<String>) -> Verdict {
    Verdict::Mark { path: String::new(), mark: mark.into() }
}

/// All changes of all types in a generated text.
pub(crate) fn all(text: &str) -> Vec<Mutation> {
    let items = items(text);
    let mut mutating = Mutating { items: &items, found: Vec::new() };
    for (number, item) in items.iter().enumerate() {
        match &item.body {
            Body::Alias(ty) => mutating.alias(item, ty),
            Body::Newtype(ty) => mutating.newtype(item, ty),
            Body::Struct(parts) => mutating.record(item, parts, number),
            Body::Enum(parts) => mutating.union(item, parts, number),
        }
    }
    mutating.found
}

struct Mutating<'i> {
    items: &'i [Item],
    found: Vec<Mutation>,
}

impl Mutating<'_> {
    fn add(&mut self, item: &Item, change: impl Into<String>, verdict: Verdict) {
        let (name, change, code) = (item.name.clone(), change.into(), item.code());
        self.found.push(Mutation { name, change, code, verdict });
    }

    /// Options and vectors, which are aliases in Rust.
    fn alias(&mut self, item: &Item, ty: &str) {
        let mut add = |ty: String, verdict| {
            self.add(&item.with(Body::Alias(ty.clone())), format!("is {ty}"), verdict);
        };
        if let Some(inner) = ty.strip_prefix("Option<").and_then(|ty| ty.strip_suffix('>')) {
            add(inner.to_owned(), fix("make it an `Option`"));
            add(format!("Vec<{inner}>"), fix("make it an `Option`"));
        }
        for (word, other) in [("with::FixVec", "with::DynVec"), ("with::DynVec", "with::FixVec")] {
            let Some(inner) = ty.strip_prefix(word) else { continue };
            add(format!("{other}{inner}"), mark(word));
            add(format!("Option<{ty}>"), fix("make it no `Option`"));
            let sequence = inner.trim_start_matches('<').strip_suffix('>').unwrap_or_default();
            // Without a mark, items of a fixed size are a fixvec, too.
            let verdict = if word == "with::FixVec" { Verdict::Same } else { mark(word) };
            add(sequence.to_owned(), verdict);
        }
    }

    /// Arrays and strings of bytes.
    fn newtype(&mut self, item: &Item, ty: &str) {
        if let Some(count) = between(ty, "[u8; ", "]").and_then(|count| count.parse::<usize>().ok())
        {
            let shorter = format!("[u8; {}]", count - 1);
            for other in [&shorter, "Vec<u8>", "Option<u8>"] {
                let mutated = item.with(Body::Newtype(other.to_owned()));
                self.add(&mutated, format!("holds {other}"), fix(format!("`{ty}`")));
            }
            let mutated = item.with(Body::Newtype(format!("[u16; {count}]")));
            self.add(&mutated, "holds u16", fix_in("[]", "`u8`"));
            let mutated = item.with(Body::Newtype(format!("[i8; {count}]")));
            self.add(&mutated, "holds i8", Verdict::Same);
        }
        if let Some(("fixvec", name)) = item.mark() {
            self.add(
                &item.renamed(format!("dynvec.{name}")),
                "is marked dynvec",
                mark("with::fixvec"),
            );
            self.add(&item.renamed(None), "is not marked", Verdict::Same);
            self.add(&item.with(Body::Newtype("String".into())), "holds a String", Verdict::Same);
            let mutated = item.with(Body::Newtype("Vec<u16>".into()));
            self.add(
                &mutated,
                "holds numbers",
                Verdict::Fix { path: "[]".into(), fix: "`u8`".into() },
            );
        }
    }

    /// Structs and tables.
    fn record(&mut self, item: &Item, parts: &[Part], number: usize) {
        self.record_marks(item);
        let with = |parts: Vec<Part>| item.with(Body::Struct(parts));
        let extra = Part { module: None, name: "extra".into(), ty: "u8".into() };
        let added = with([parts, &[extra]].concat());
        self.add(&added, "has a field more", fix("leave out extra"));
        let Some(at) = number.checked_rem(parts.len()) else { return };
        let part = &parts[at];

        let mut left = parts.to_vec();
        left.remove(at);
        self.add(
            &with(left),
            format!("is without {}", part.name),
            fix(format!("add {}", part.name)),
        );
        if let [_, _, ..] = parts {
            let mut swapped = parts.to_vec();
            swapped.swap(at, (at + 1) % parts.len());
            let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
            let order = format!("their order is {}", names.join(", "));
            self.add(&with(swapped), format!("has {} elsewhere", part.name), fix(order));
        }
        // One field of each type, and all that have a mark.
        let is_chosen = |(other, part): &(usize, &Part)| *other == at || part.module.is_some();
        for (at, part) in parts.iter().enumerate().filter(is_chosen) {
            for (other, verdict) in self.others(part) {
                let mut changed = parts.to_vec();
                let Part { module, ty, name } = &other;
                let change = format!("has {} as {ty} {name} {module:?}", part.name);
                changed[at] = other;
                self.add(&with(changed), change, verdict);
            }
        }
    }

    fn record_marks(&mut self, item: &Item) {
        let name = &item.name;
        match item.mark() {
            Some(_) => {
                let own = item.rename.clone().unwrap_or_default();
                self.add(&item.renamed(None), "is not marked", mark(own.clone()));
                for other in ["fixvec", "dynvec", "union"] {
                    let mutated = item.renamed(format!("{other}.{name}"));
                    self.add(&mutated, format!("is marked {other}"), mark(own.clone()));
                }
            }
            None => {
                for other in ["fixvec", "dynvec", "struct"] {
                    let mutated = item.renamed(format!("{other}.{name}"));
                    let verdict = fix("leave out the mark");
                    self.add(&mutated, format!("is marked {other}"), verdict);
                }
            }
        }
    }

    /// Other forms of a field.
    fn others(&self, part: &Part) -> Vec<(Part, Verdict)> {
        let mut others = Vec::new();
        let path = || part.name.clone();
        let as_type = |ty: String| Part { ty, module: None, ..part.clone() };
        let needs = |fix: &str| fix_in(&part.name, fix);
        let renamed = Part { name: format!("{}_of_it", part.name), ..part.clone() };
        others.push((renamed, Verdict::Same));

        if let Some(module) = &part.module {
            let by_mark = || Verdict::Mark { path: path(), mark: module.clone() };
            let (other, is_dynamic) = match module.as_str() {
                "with::dynvec" => ("with::fixvec", true),
                _ => ("with::dynvec", false),
            };
            others.push((Part { module: Some(other.into()), ..part.clone() }, by_mark()));
            // Without a mark, items of a fixed size are a fixvec, too.
            let verdict = if is_dynamic { by_mark() } else { Verdict::Same };
            others.push((Part { module: None, ..part.clone() }, verdict));
        }
        if let Some(inner) = part.ty.strip_prefix("Option<").and_then(|ty| ty.strip_suffix('>')) {
            let other = Part { ty: inner.to_owned(), ..part.clone() };
            others.push((other, needs("make it an `Option`")));
            return others;
        }
        let optional = Part { ty: format!("Option<{}>", part.ty), ..part.clone() };
        others.push((optional, needs("make it no `Option`")));
        if let Some(inner) = part.ty.strip_prefix("Vec<").and_then(|ty| ty.strip_suffix('>')) {
            let other = as_type(format!("Option<{inner}>"));
            others.push((other, needs("make it no `Option`, but a sequence of")));
            return others;
        }
        let number = |ty: &str, same: &str, fix: &str| {
            [(as_type(ty.into()), needs(fix)), (as_type(same.into()), Verdict::Same)]
        };
        match part.ty.as_str() {
            "u8" => others.extend(number("u16", "i8", "make it `u8`")),
            "u32" => others.extend(number("u64", "i32", "make it `u32`")),
            "u64" => others.extend(number("u32", "f64", "make it `u64`")),
            "u128" => others.extend(number("u64", "i128", "make it `u128`")),
            name => {
                let needed = match self.items.iter().find(|item| item.name == name) {
                    Some(Item { body: Body::Newtype(ty), .. }) => ty.clone(),
                    Some(Item { rename: Some(rename), .. }) => rename.clone(),
                    _ => format!("the fields of `{name}"),
                };
                others.push((as_type("[u8; 20]".into()), needs(&needed)));
            }
        }
        others
    }

    /// Unions.
    fn union(&mut self, item: &Item, parts: &[Part], number: usize) {
        let with = |parts: Vec<Part>| item.with(Body::Enum(parts));
        let counted = |at: usize| format!(".{}-{at}", parts[at].name);
        let listed: String = (0..parts.len()).map(counted).collect();
        let counted = format!("union.{}{listed}", item.name);
        let own = item.rename.clone().unwrap_or_else(|| counted.clone());
        let extra = Part { module: None, name: "Extra".into(), ty: "u8".into() };
        let at = number % (parts.len() - 1);
        let part = &parts[at];

        match &item.rename {
            None => {
                self.add(
                    &with([parts, &[extra]].concat()),
                    "has a variant more",
                    fix("leave out Extra"),
                );
                self.add(&item.renamed(counted), "is marked as it counts", Verdict::Same);
                let mut swapped = parts.to_vec();
                swapped.swap(at, at + 1);
                let change = format!("has {} elsewhere", part.name);
                self.add(&with(swapped), change, mark(own.clone()));
            }
            Some(_) => {
                self.add(&item.renamed(None), "is not marked", mark(own.clone()));
                let extra = item
                    .renamed(format!("{own}.Extra-77"))
                    .with(Body::Enum([parts, &[extra]].concat()));
                self.add(&extra, "has a variant more", fix("leave out Extra"));
            }
        }
        for other in ["struct", "fixvec", "dynvec"] {
            let mutated = item.renamed(format!("{other}.{}", item.name));
            self.add(
                &mutated,
                format!("is marked {other}"),
                match item.rename {
                    Some(_) => mark(own.clone()),
                    None => fix("leave out the mark"),
                },
            );
        }
        for id in [parts.len() + 20, usize::try_from(u32::MAX).unwrap_or_default()] {
            let mutated = item.renamed(with_id(&own, &part.name, id));
            self.add(&mutated, format!("has {} as {id}", part.name), mark(own.clone()));
        }
        let (one, two) = (id_of(&own, &part.name), id_of(&own, &parts[at + 1].name));
        let exchanged = with_id(&with_id(&own, &part.name, two), &parts[at + 1].name, one);
        self.add(&item.renamed(exchanged), format!("exchanges {one} and {two}"), mark(own.clone()));

        let mut left = parts.to_vec();
        left.remove(at);
        self.add(
            &with(left),
            format!("is without {}", part.name),
            fix(format!("add {}", part.name)),
        );
        for ty in ["", "u8"] {
            let mut changed = parts.to_vec();
            changed[at].ty = ty.into();
            let verdict = Verdict::Fix { path: part.name.clone(), fix: format!("`{}`", part.name) };
            self.add(&with(changed), format!("has {}({ty})", part.name), verdict);
        }
    }
}

/// The id that a mark gives a variant.
fn id_of(mark: &str, variant: &str) -> usize {
    let id = mark.split('.').find_map(|entry| entry.strip_prefix(variant)?.strip_prefix('-'));
    id.and_then(|id| id.parse().ok()).unwrap_or_default()
}

/// The mark with another id for a variant.
fn with_id(mark: &str, variant: &str, id: usize) -> String {
    let entry = |entry: &str| match entry.strip_prefix(variant) {
        Some(rest) if rest.starts_with('-') => format!("{variant}-{id}"),
        _ => entry.to_owned(),
    };
    mark.split('.').map(entry).collect::<Vec<_>>().join(".")
}
