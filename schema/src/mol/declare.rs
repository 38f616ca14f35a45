//! Declarations into types: names, ids, sizes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::note::{Note, note};
use super::parse::{self, Declaration, Text, Word};
use super::shape::{Body, Layout, Member};
use super::{Error, ErrorKind, NumberType, Result, Schema, order};
use crate::common::{CommonKind, Cursor, Location, Named, TypeId, Types, shortened};

const BYTE: &str = "byte";

/// A text with the file that it is from.
#[derive(Debug)]
pub(super) struct Source<'t> {
    file: Option<Arc<str>>,
    text: &'t str,
    parsed: Text<'t>,
}

impl<'t> Source<'t> {
    pub(super) fn new(file: Option<Arc<str>>, text: &'t str) -> Result<Self> {
        let parsed = parse::text(text, file.as_ref())?;
        Ok(Source { file, text, parsed })
    }

    /// A text without its declarations.
    pub(super) fn head(file: Option<Arc<str>>, text: &'t str) -> Result<Self> {
        let parsed = parse::head(text, file.as_ref())?;
        Ok(Source { file, text, parsed })
    }

    /// The paths of the files that it imports.
    pub(super) fn imports(&self) -> impl Iterator<Item = Word<'t>> {
        self.parsed.imports.iter().copied()
    }

    /// The version of the language, if the text gives one.
    fn syntax(&self) -> Result<Option<(u64, Word<'t>)>> {
        let Some(word) = self.parsed.syntax else { return Ok(None) };
        match word.text.parse() {
            Ok(version) => Ok(Some((version, word))),
            Err(_) => Err(self.error(ErrorKind::TooLarge { what: "version" }, word)),
        }
    }

    #[cold]
    pub(super) fn error(&self, kind: impl Into<ErrorKind>, word: Word<'t>) -> Error {
        Error::new(kind, self.location(word), Cursor::new(self.text).line(word.mark))
    }

    fn location(&self, word: Word<'t>) -> Location {
        Location::new(self.file.as_ref(), word.mark)
    }
}

/// All versions have to be that of the first text, which is 1 if it gives none.
fn check_versions(sources: &[Source<'_>]) -> Result<()> {
    let mut expected = None;
    for source in sources {
        let version = source.syntax()?;
        match (expected, version) {
            (Some(expected), Some((found, word))) if found != expected => {
                return Err(source.error(ErrorKind::Syntax { found, expected }, word));
            }
            _ => expected = expected.or(Some(version.map_or(1, |(found, _)| found))),
        }
    }
    Ok(())
}

/// The types of all texts, which are in the order in which they were read.
pub(super) fn declare(sources: &[Source<'_>]) -> Result<Schema> {
    check_versions(sources)?;
    let mut types = Types::new(Named {
        name: BYTE.into(),
        shape: Layout { body: Body::Byte, size: Some(1), height: 0, number: None },
        docs: String::new(),
        location: Location::default(),
    });
    let declared = name_all(sources, &mut types)?;
    for (id, source, declaration) in &declared {
        let body = Scope { types: &types, source }.body(&declaration.body)?;
        types.get_mut(*id).shape.body = body;
    }
    let order =
        order::parts_first(&types).map_err(|circle| recursion(&circle, &types, &declared))?;
    let declared: BTreeMap<_, _> =
        declared.into_iter().map(|(id, source, it)| (id, (source, it))).collect();
    for id in order {
        if let Some((source, declaration)) = declared.get(&id) {
            let layout = Scope { types: &types, source }.sized(id, declaration)?;
            types.get_mut(id).shape = layout;
        }
    }
    Ok(Schema { types })
}

/// A type and where it comes from.
type Declared<'a, 't> = (TypeId, &'a Source<'t>, &'a Declaration<'t>);

/// Adds all types by their names, without their bodies.
fn name_all<'a, 't>(
    sources: &'a [Source<'t>],
    types: &mut Types<Layout>,
) -> Result<Vec<Declared<'a, 't>>> {
    let mut lowered = BTreeMap::new();
    let mut declared = Vec::new();
    for source in sources {
        for declaration in &source.parsed.declarations {
            let word = declaration.name;
            let lower = word.text.to_ascii_lowercase();
            if lower == BYTE {
                let name = word.text.to_owned();
                return Err(source.error(ErrorKind::Reserved { name }, word));
            }
            let named = Named {
                name: word.text.into(),
                shape: Layout { body: Body::Byte, size: None, height: 0, number: None },
                docs: declaration.docs.clone(),
                location: source.location(word),
            };
            let name = shortened(word.text);
            let id = match types.add(named) {
                Ok(id) => id,
                Err(known) => {
                    let first = types.get(known).location.clone();
                    return Err(source.error(CommonKind::Redeclared { name, first }, word));
                }
            };
            if let Some(known) = lowered.insert(lower, id) {
                let known = types.get(known);
                let (other, first) = (shortened(&known.name), known.location.clone());
                return Err(source.error(ErrorKind::Capitals { name, other, first }, word));
            }
            declared.push((id, source, declaration));
        }
    }
    Ok(declared)
}

/// Maximum number of types of a circle in an error.
const LONGEST_WAY: usize = 8;

/// The error of types that contain themselves, at the first of them.
#[cold]
fn recursion(circle: &[TypeId], types: &Types<Layout>, declared: &[Declared<'_, '_>]) -> Error {
    let name = |id: &TypeId| shortened(&types.get(*id).name);
    let mut way: Vec<String> = circle.iter().take(LONGEST_WAY).map(name).collect();
    if circle.len() > LONGEST_WAY {
        way.push("…".to_owned());
    }
    way.extend(circle.first().map(name));
    let kind = ErrorKind::Recursive { way: way.join(", ") };
    match declared.iter().find(|(id, ..)| circle.first() == Some(id)) {
        Some((_, source, declaration)) => source.error(kind, declaration.name),
        None => Error::placeless(kind),
    }
}

/// What names mean in a text.
struct Scope<'a, 't> {
    types: &'a Types<Layout>,
    source: &'a Source<'t>,
}

impl<'t> Scope<'_, 't> {
    fn id(&self, word: Word<'t>) -> Result<TypeId> {
        self.types.id(word.text).ok_or_else(|| {
            self.source.error(CommonKind::Undeclared { name: shortened(word.text) }, word)
        })
    }

    /// A type's body. Of a vector, what its items are is not known yet, so it is called a fixvec.
    fn body(&self, body: &parse::Body<'t>) -> Result<Body> {
        Ok(match body {
            parse::Body::Array(item, count) => {
                let parsed = count.text.parse();
                let large = |_| self.too_large("count", *count);
                Body::Array(self.id(*item)?, parsed.map_err(large)?)
            }
            parse::Body::Vector(item) => Body::FixVec(self.id(*item)?),
            parse::Body::Option(item) => Body::Option(self.id(*item)?),
            parse::Body::Struct(fields) => Body::Struct(self.fields(fields)?),
            parse::Body::Table(fields) => Body::Table(self.fields(fields)?),
            parse::Body::Union(items) => Body::Union(self.items(items)?),
        })
    }

    fn fields(&self, fields: &[parse::Member<'t>]) -> Result<Vec<Member<Arc<str>>>> {
        let field = |field: &parse::Member<'t>| {
            let ty = self.id(field.of.unwrap_or(field.name))?;
            self.without_note(field)?;
            Ok(self.member(field.name.text.into(), ty, field))
        };
        fields.iter().map(field).collect()
    }

    /// The items of a union by their ids: the one that is given, or one more than that of the item before.
    fn items(&self, items: &[parse::Member<'t>]) -> Result<Vec<Member<u32>>> {
        let mut by_id = BTreeMap::new();
        let mut next = Some(0u32);
        for item in items {
            let ty = self.id(item.name)?;
            self.without_note(item)?;
            let word = item.of.unwrap_or(item.name);
            let id = item.of.map_or(next, |given| given.text.parse().ok());
            let id = id.ok_or_else(|| {
                let id =
                    item.of.map_or_else(|| (1u64 << 32).to_string(), |given| shortened(given.text));
                self.source.error(ErrorKind::LargeId { id }, word)
            })?;
            if by_id.insert(id, self.member(id, ty, item)).is_some() {
                return Err(self.source.error(ErrorKind::RepeatedId { id }, word));
            }
            next = id.checked_add(1);
        }
        Ok(by_id.into_values().collect())
    }

    /// Notes about a type are in the comment of its declaration.
    fn without_note(&self, member: &parse::Member<'t>) -> Result<()> {
        match note(&member.docs) {
            None => Ok(()),
            Some(_) => Err(self.source.error(ErrorKind::UnknownNote, member.name)),
        }
    }

    fn member<K>(&self, key: K, ty: TypeId, member: &parse::Member<'t>) -> Member<K> {
        let location = self.source.location(member.name);
        Member { key, ty, docs: member.docs.clone(), location }
    }

    /// A type with its size, whose parts have theirs.
    fn sized(&self, id: TypeId, declaration: &Declaration<'t>) -> Result<Layout> {
        let mut body = self.types.get(id).shape.body.clone();
        let mut size = None;
        match (&body, &declaration.body) {
            (Body::Array(item, count), parse::Body::Array(word, _)) => {
                let item = self.fixed_size(*item, *word, "an array")?;
                let array = item.checked_mul(*count);
                size = Some(array.ok_or_else(|| self.too_large("array", declaration.name))?);
            }
            (Body::Struct(fields), parse::Body::Struct(words)) => {
                let mut sum = 0usize;
                for (field, word) in fields.iter().zip(words) {
                    let word = word.of.unwrap_or(word.name);
                    let larger = sum.checked_add(self.fixed_size(field.ty, word, "a struct")?);
                    sum = larger.ok_or_else(|| self.too_large("struct", declaration.name))?;
                }
                size = Some(sum);
            }
            (Body::FixVec(item), _) if self.types.get(*item).shape.size.is_none() => {
                body = Body::DynVec(*item);
            }
            _ => {}
        }
        let number = self.number(&body, declaration)?;
        let heights = body.parts().into_iter().map(|part| self.types.get(part).shape.height);
        let height = heights.max().unwrap_or(0).saturating_add(1);
        Ok(Layout { height: if size.is_some() { height } else { 0 }, body, size, number })
    }

    /// What number an array is, by its comment or its name.
    fn number(&self, body: &Body, declaration: &Declaration<'t>) -> Result<Option<NumberType>> {
        let size = match body {
            Body::Array(item, size) if matches!(self.types.get(*item).shape.body, Body::Byte) => {
                Some(*size)
            }
            _ => None,
        };
        match (note(&declaration.docs), size) {
            (None, None) => Ok(None),
            (None, Some(size)) => Ok(NumberType::of_name(declaration.name.text, size)),
            (Some(Note::Number { is_signed }), size) => {
                let number = size.and_then(|size| NumberType::new(size, is_signed));
                let name = || shortened(declaration.name.text);
                let refused = || ErrorKind::NoNumber { name: name() };
                number.map(Some).ok_or_else(|| self.source.error(refused(), declaration.name))
            }
            (Some(Note::Unknown), _) => {
                Err(self.source.error(ErrorKind::UnknownNote, declaration.name))
            }
        }
    }

    fn fixed_size(&self, part: TypeId, word: Word<'t>, holder: &'static str) -> Result<usize> {
        let part = self.types.get(part);
        part.shape.size.ok_or_else(|| {
            let name = shortened(&part.name);
            self.source.error(ErrorKind::NotFixed { name, holder }, word)
        })
    }

    #[cold]
    fn too_large(&self, what: &'static str, word: Word<'t>) -> Error {
        self.source.error(ErrorKind::TooLarge { what }, word)
    }
}
