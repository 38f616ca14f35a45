//! The layout of a Rust type in Molecule, from its requests to serde.

use std::collections::BTreeMap;

use fourfold::mark::ANY;
use fourfold::molecule::mark::{self, Mark, Target, UnionIds};
use fourfold::molecule::{Error, ErrorKind, Result};

use crate::common::{Mismatch, Verdict};
use crate::trace::{
    Graph, Id, Lost, MOST_NEWTYPES, Shown, Variants, Walk, named, numbered, own_name,
};

/// A part of a traced type: the place of its layout in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PartId(pub(super) usize);

/// The layout of a part.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) form: Form,
    /// The size of all its values, if it is the same.
    pub(super) size: Option<usize>,
    /// What its Rust type is called, without a mark.
    pub(super) name: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub(super) enum Form {
    /// A number, `bool` or `char`, by the name of its type.
    Scalar(&'static str),
    /// As many items of one type.
    Array(PartId, usize),
    /// Whether its own name marks it.
    Struct(Vec<(String, PartId)>, Marked),
    /// Whether it has a mark, which makes its items packed.
    FixVec(PartId, Marked),
    /// Whether it is one also when it is empty, which takes a mark.
    DynVec(PartId, Marked),
    Table(Vec<(String, PartId)>),
    Option(PartId),
    Union(Vec<Item>),
    /// A part that is kept raw: bytes of any type.
    Raw,
    /// The content of an adjacently tagged enum.
    Tagged,
    /// Why it is nothing that Molecule has, has been reported.
    Lost,
}

/// Whether a part has a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Marked {
    Yes,
    No,
}

/// An item of a union.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) id: u32,
    pub(super) variant: &'static str,
    /// `None` for a unit variant.
    pub(super) value: Option<PartId>,
}

/// What surrounds a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Around {
    /// Something that takes parts of any size.
    Any,
    /// A struct or fixvec, whose parts are fixed: structs and tuples are packed.
    Packed,
}

/// A type, and all that is in it.
pub(super) struct Traced {
    pub(super) parts: Vec<Part>,
    pub(super) root: PartId,
    pub(super) verdict: Verdict,
    /// What concerns schemas: most of the verdict's mismatches, and some more.
    pub(super) errors: Vec<Mismatch>,
}

impl Traced {
    pub(super) fn new(graph: &Graph) -> Self {
        let mut tracing =
            Tracing { walk: Walk::new(graph), parts: Vec::new(), known: BTreeMap::new() };
        let root = tracing.part(Some(graph.root), None, Around::Any);
        let Tracing { walk, parts, .. } = tracing;
        Traced {
            parts,
            root,
            verdict: walk.report.verdict(),
            errors: walk.report.into_mismatches(),
        }
    }

    pub(super) fn get(&self, id: PartId) -> &Part {
        static LOST: Part = Part { form: Form::Lost, size: None, name: None };
        self.parts.get(id.0).unwrap_or(&LOST)
    }
}

/// What the layout of a part depends on: its type, the mark, what is around it, and the name of its newtype.
type Key = (Id, Option<Mark>, Around, &'static str);

/// A nested type without its newtypes, the mark that they make, and the name of the outermost one that has one.
type Bare = (Id, Shown, Option<Mark>, &'static str);

/// Whether a newtype of that name has the layout of what is in it.
fn is_transparent(name: &str) -> bool {
    name != ANY && !mark::is_lazy(name)
}

struct Tracing<'g> {
    walk: Walk<'g, Key>,
    parts: Vec<Part>,
    known: BTreeMap<Key, PartId>,
}

impl Tracing<'_> {
    fn add(&mut self, form: Form, size: Option<usize>) -> PartId {
        self.parts.push(Part { form, size, name: None });
        PartId(self.parts.len() - 1)
    }

    fn set(&mut self, id: PartId, form: Form, size: Option<usize>) {
        if let Some(part) = self.parts.get_mut(id.0) {
            (part.form, part.size) = (form, size);
        }
    }

    fn size(&self, id: PartId) -> Option<usize> {
        self.parts.get(id.0).and_then(|part| part.size)
    }

    fn lose(&mut self, error: String, fix: Option<&str>) -> Lost {
        self.walk.lose(error, fix)
    }

    fn refuse<T>(&mut self, refused: mark::Result<T>) -> Result<T, Lost> {
        match refused.map_err(Error::placeless) {
            Err(error) if matches!(error.kind(), ErrorKind::Mark { .. }) => {
                Err(self.lose(error.kind().to_string(), Some("leave out the mark")))
            }
            refused => self.walk.refuse(refused),
        }
    }

    fn step(&mut self, step: &str, part: Option<Id>, mark: Option<Mark>, around: Around) -> PartId {
        let length = self.walk.enter(step);
        let id = self.part(part, mark, around);
        self.walk.leave(length);
        id
    }

    fn part(&mut self, part: Option<Id>, mark: Option<Mark>, around: Around) -> PartId {
        let Ok((id, shown, mark, newtype)) = self.bare(part, mark) else {
            return self.add(Form::Lost, None);
        };
        let key = (id, mark, around, newtype);
        let Some(start) = self.walk.report.start(key) else {
            let known = self.known.get(&key).copied();
            return known.unwrap_or_else(|| self.add(Form::Lost, None));
        };
        // What contains itself is dynamic: a table, a vector, an option or a union.
        let place = self.add(Form::Lost, None);
        self.known.insert(key, place);
        let name = shown.name_in(newtype);
        if let Ok((form, size)) = self.form(&shown, mark, around) {
            // Of packed parts with parts, those have been reported.
            let is_whole = !matches!(form, Form::Struct(..) | Form::Array(..));
            if around == Around::Packed && size.is_none() && is_whole {
                let error = format!("{} is dynamic, and what is around it is packed", form.name());
                self.lose(error, None);
                self.walk.report.refuse_part();
            }
            self.set(place, form, size);
        }
        if let Some(part) = self.parts.get_mut(place.0) {
            part.name = name;
        }
        self.walk.report.finish(key, start);
        place
    }

    fn bare(&mut self, part: Option<Id>, mark: Option<Mark>) -> Result<Bare, Lost> {
        let (mut id, mut shown) = self.walk.seen(part)?;
        let (mut mark, mut newtype) = (mark, "");
        for _ in 0..MOST_NEWTYPES {
            match shown {
                Shown::Newtype(name, inner) if is_transparent(name) => {
                    if newtype.is_empty() {
                        newtype = own_name(name);
                    }
                    mark = self.refuse(Mark::one_of(mark, name))?;
                    (id, shown) = self.walk.seen(inner)?;
                }
                shown => return Ok((id, shown, mark, newtype)),
            }
        }
        Err(self.walk.endless())
    }

    fn form(&mut self, shown: &Shown, mark: Option<Mark>, around: Around) -> Formed {
        match shown {
            Shown::Untyped | Shown::Identifier => Err(self.walk.untyped("Molecule")),
            Shown::Map(key, _) if self.walk.names_fields(*key) => {
                Err(self.walk.flattened("Molecule"))
            }
            Shown::Varied => Err(self.walk.varied()),
            Shown::Scalar(name) => self.scalar(name, mark),
            Shown::Text => self.bytes(mark, Target::Text),
            Shown::Bytes => self.bytes(mark, Target::Bytes),
            Shown::Unit => {
                self.check(mark, Target::Unit)?;
                Ok((Form::Table(Vec::new()), None))
            }
            Shown::UnitStruct(name) => {
                self.check(mark, Target::UnitStruct)?;
                self.refuse(mark::refuse_on_unit(name))?;
                Ok((Form::Table(Vec::new()), None))
            }
            Shown::Newtype(ANY, _) => self.bytes(mark, Target::Any),
            Shown::Newtype(name, _) if mark::is_lazy(name) => {
                self.check(mark, Target::Raw)?;
                Ok((Form::Raw, None))
            }
            // The walk has reported the one, and looked into the other.
            Shown::Unseen | Shown::Newtype(..) => Err(Lost),
            Shown::Option(inner) => {
                self.walk.report.set_optional();
                if self.is_option(*inner) {
                    let error = "`Some(None)` has the same bytes as `None`";
                    let fix = "wrap the inner option in `molecule::with::Table((value,))`";
                    self.walk.doubt_values(error, fix);
                }
                let inner = self.part(*inner, mark, Around::Any);
                Ok((Form::Option(inner), None))
            }
            Shown::Sequence(item) => {
                self.check(mark, Target::Sequence)?;
                self.walk.report.set_optional();
                self.sequence(*item, mark)
            }
            Shown::Map(key, value) => {
                self.check(mark, Target::Map)?;
                self.walk.report.set_optional();
                self.map(*key, *value, mark)
            }
            Shown::Tuple(items) => {
                self.check(mark, Target::Tuple)?;
                let mark = Mark::of_tuple(mark, items.len());
                self.tuple(items, mark, around)
            }
            Shown::TupleStruct(name, items) => {
                self.record(name, numbered(items), usize::MAX, mark, around)
            }
            Shown::Struct(name, fields) => {
                self.walk.refuse_units(fields, &ErrorKind::UNIT_CONTENT);
                // The tag determines what the content is.
                let seen = if self.walk.is_adjacent(fields) { 1 } else { usize::MAX };
                self.record(name, named(fields), seen, mark, around)
            }
            Shown::Enum(name, variants) => {
                self.check(mark, Target::Enum)?;
                self.union(name, variants)
            }
        }
    }

    fn check(&mut self, mark: Option<Mark>, target: Target) -> Result<(), Lost> {
        self.refuse(mark.map_or(Ok(()), |mark| mark.check(target)))
    }

    fn scalar(&mut self, name: &'static str, mark: Option<Mark>) -> Formed {
        self.check(mark, Target::Scalar(name))?;
        let size = match name {
            "u16" | "i16" => 2,
            "u32" | "i32" | "f32" | "char" => 4,
            "u64" | "i64" | "f64" => 8,
            "u128" | "i128" => 16,
            _ => 1,
        };
        Ok((Form::Scalar(name), Some(size)))
    }

    fn bytes(&mut self, mark: Option<Mark>, target: Target) -> Formed {
        self.check(mark, target)?;
        let byte = self.add(Form::Scalar("u8"), Some(1));
        Ok((Form::FixVec(byte, Marked::No), None))
    }

    /// Whether a part is an option, perhaps in newtypes.
    fn is_option(&self, part: Option<Id>) -> bool {
        let mut part = part;
        for _ in 0..MOST_NEWTYPES {
            match part.map(|id| self.walk.shown(id)) {
                Some(Shown::Newtype(name, inner)) if is_transparent(name) => part = *inner,
                Some(Shown::Option(_)) => return true,
                _ => return false,
            }
        }
        false
    }

    fn sequence(&mut self, item: Option<Id>, mark: Option<Mark>) -> Formed {
        let around = match mark {
            Some(Mark::FixVec) => Around::Packed,
            _ => Around::Any,
        };
        let item = self.step("[]", item, None, around);
        Ok((self.vector(item, mark)?, None))
    }

    fn map(&mut self, key: Option<Id>, value: Option<Id>, mark: Option<Mark>) -> Formed {
        let around = match mark {
            Some(Mark::FixVec) => Around::Packed,
            _ => Around::Any,
        };
        let key = self.step("[key]", key, None, around);
        let value = self.step("[]", value, None, around);
        let fields = vec![("key".to_owned(), key), ("value".to_owned(), value)];
        let entry = match around {
            Around::Packed => {
                let size = self.sum(&fields);
                self.add(Form::Struct(fields, Marked::No), size)
            }
            Around::Any => self.add(Form::Table(fields), None),
        };
        Ok((self.vector(entry, mark)?, None))
    }

    /// The kind of vector follows from the item, but an empty one does not show it.
    fn vector(&mut self, item: PartId, mark: Option<Mark>) -> Result<Form, Lost> {
        match (mark, self.size(item)) {
            (Some(Mark::DynVec), Some(_)) => {
                let error = "items of a fixed size are marked `dynvec`";
                Err(self
                    .lose(error.into(), Some("mark the sequence with `molecule::with::fixvec`")))
            }
            (Some(Mark::DynVec), None) => Ok(Form::DynVec(item, Marked::Yes)),
            (Some(Mark::FixVec), _) => Ok(Form::FixVec(item, Marked::Yes)),
            (_, Some(_)) => Ok(Form::FixVec(item, Marked::No)),
            _ => Ok(Form::DynVec(item, Marked::No)),
        }
    }

    fn tuple(&mut self, items: &[Option<Id>], mark: Option<Mark>, around: Around) -> Formed {
        let inner = match (mark, around) {
            (Some(Mark::Struct), _) | (None, Around::Packed) => Around::Packed,
            _ => Around::Any,
        };
        let item = self.walk.array_item(items).flatten();
        let is_array = item.is_some();
        let fields: Vec<(String, PartId)> = match is_array {
            true => {
                let item = self.step("[]", item, None, inner);
                (0..items.len()).map(|at| (at.to_string(), item)).collect()
            }
            false => self.fields(numbered(items), inner),
        };
        let size = self.sum(&fields);
        let is_packed = inner == Around::Packed || (mark.is_none() && size.is_some());
        match (is_packed, fields.first()) {
            (true, Some((_, item))) if is_array => Ok((Form::Array(*item, items.len()), size)),
            (true, _) => Ok((Form::Struct(fields, Marked::No), size)),
            (false, _) => Ok((Form::Table(fields), None)),
        }
    }

    /// A struct, of whose fields so many are looked at.
    fn record(
        &mut self,
        name: &'static str,
        fields: Vec<(String, Option<Id>)>,
        seen: usize,
        mark: Option<Mark>,
        around: Around,
    ) -> Formed {
        self.check(mark, Target::Struct)?;
        // Under a mark that it cannot have it is what it is without one: what else is wrong is reported, too.
        let is_marked = self.refuse(Mark::is_packed(name)).unwrap_or(false);
        let is_packed = match mark {
            Some(Mark::Table) => false,
            Some(_) => true,
            None => is_marked || around == Around::Packed,
        };
        let inner = if is_packed { Around::Packed } else { Around::Any };
        self.walk.report.enter_definition();
        let rest = fields.get(seen..).unwrap_or_default().to_vec();
        let mut fields = self.fields(fields.into_iter().take(seen).collect(), inner);
        fields.extend(rest.into_iter().map(|(name, _)| (name, self.add(Form::Tagged, None))));
        self.walk.report.leave_definition();
        if is_packed && fields.is_empty() {
            self.lose("a struct has at least one field".into(), Some("leave out the mark"));
        }
        match is_packed {
            true => {
                let size = self.sum(&fields);
                let marked = if is_marked { Marked::Yes } else { Marked::No };
                Ok((Form::Struct(fields, marked), size))
            }
            false => Ok((Form::Table(fields), None)),
        }
    }

    fn fields(
        &mut self,
        fields: Vec<(String, Option<Id>)>,
        around: Around,
    ) -> Vec<(String, PartId)> {
        let part = |(name, id): (String, Option<Id>)| {
            let part = self.step(&name, id, None, around);
            (name, part)
        };
        fields.into_iter().map(part).collect()
    }

    /// The size of parts one after another, if each has one.
    fn sum(&self, fields: &[(String, PartId)]) -> Option<usize> {
        fields.iter().try_fold(0usize, |sum, (_, part)| sum.checked_add(self.size(*part)?))
    }

    fn union(&mut self, name: &'static str, variants: &Variants) -> Formed {
        let ids = self.refuse(UnionIds::of(name)).unwrap_or(None);
        if ids.is_none() && !variants.has_numbers() {
            let error = "some variants have several names, which hides their numbers";
            return Err(self.walk.hide(error.into(), Some("give ids by a `union` mark")));
        }
        self.walk.report.set_enum();
        self.walk.report.enter_definition();
        let mut items = Vec::new();
        let is_missing = |name: &str| ids.is_some_and(|ids| !ids.has(name));
        let names = variants.iter().map(|it| it.name);
        let mut missing: Vec<&'static str> = names.filter(|name| is_missing(name)).collect();
        for (index, variant) in variants.iter().enumerate() {
            // Some are other names of variants, and a mark needs none of those.
            if is_missing(variant.name) && !variants.has_numbers() {
                continue;
            }
            let around = self.walk.report.start_part();
            let id = match ids {
                Some(_) if is_missing(variant.name) && missing.is_empty() => {
                    self.walk.report.refuse_part();
                    Err(Lost)
                }
                Some(ids) if is_missing(variant.name) => {
                    let kind = ids.leaves_out(&core::mem::take(&mut missing));
                    self.walk.refuse::<u32, ErrorKind>(Err(Error::placeless(kind)))
                }
                Some(ids) => self.refuse(ids.id(variant.name)),
                None => Ok(u32::try_from(index).unwrap_or(u32::MAX)),
            };
            let length = self.walk.enter(variant.name);
            let value = self.content(variant.content);
            self.walk.leave(length);
            self.walk.report.finish_part(around);
            items.push(id.map(|id| Item { id, variant: variant.name, value }));
        }
        self.walk.report.leave_definition();
        let mut items = items.into_iter().collect::<Result<Vec<_>, Lost>>()?;
        items.sort_by_key(|item| item.id);
        Ok((Form::Union(items), None))
    }

    /// The content of a variant.
    fn content(&mut self, content: Option<Id>) -> Option<PartId> {
        let fields = match self.walk.shown_of(content) {
            Shown::Unit => return None,
            Shown::Tuple(items) => numbered(items),
            Shown::Struct(_, fields) => named(fields),
            Shown::Newtype(_, value) => {
                let value = *value;
                return Some(self.part(value, None, Around::Any));
            }
            _ => return Some(self.part(None, None, Around::Any)),
        };
        let fields = self.fields(fields, Around::Any);
        Some(self.add(Form::Table(fields), None))
    }
}

type Formed = Result<(Form, Option<usize>), Lost>;
