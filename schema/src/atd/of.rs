//! The layout of a Rust type in biniou, from its requests to serde.

use std::collections::BTreeMap;

use fourfold::biniou::mark::{Mark, Target, is_lazy};
use fourfold::biniou::wire::hash;
use fourfold::biniou::{Error, ErrorKind, Result};
use fourfold::mark::ANY;

use super::number::{Float, Int};
use crate::common::{Mismatch, Verdict};
use crate::trace::{
    self, Fields, Graph, Id, Lost, MOST_NEWTYPES, Shown, Variants, Walk, numbered, own_name,
};

/// A part of a traced type: its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PartId(usize);

#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) form: Form,
    /// What its Rust type is called, without a mark.
    pub(super) name: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub(super) enum Form {
    Unit,
    Bool,
    Int(Int),
    Float(Float),
    String,
    Record(Vec<Field>),
    Sum(Vec<Variant>),
    Tuple(Vec<PartId>),
    /// As many cells of one type.
    Array(PartId, usize),
    List(PartId),
    Table(PartId),
    Option(PartId),
    /// A value that references may lead to.
    Shared,
    /// A `biniou::Value`.
    Any,
    /// The content of an adjacently tagged enum.
    Tagged,
    /// Why it is nothing that biniou has, has been reported.
    Lost,
}

/// A field of a record.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    /// What is written: of an optional field, what is in the option.
    pub(super) part: PartId,
    pub(super) is_optional: bool,
    /// A record without it is refused.
    pub(super) is_required: bool,
    /// A record without it is taken. Of some types neither is known.
    pub(super) has_default: bool,
}

/// A variant, and its content, unless it is a unit variant.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    pub(super) name: &'static str,
    pub(super) argument: Option<PartId>,
}

/// A type, and all that is in it.
pub(super) struct Traced {
    parts: Vec<Part>,
    pub(super) root: PartId,
    pub(super) verdict: Verdict,
    /// Those of the verdict that concern schemas.
    pub(super) errors: Vec<Mismatch>,
}

impl Traced {
    pub(super) fn new(graph: &Graph) -> Self {
        let mut tracing =
            Tracing { walk: Walk::new(graph), parts: Vec::new(), known: BTreeMap::new() };
        let root = tracing.part(Some(graph.root), None);
        let Tracing { walk, parts, .. } = tracing;
        Traced {
            parts,
            root,
            verdict: walk.report.verdict(),
            errors: walk.report.into_mismatches(),
        }
    }

    pub(super) fn get(&self, id: PartId) -> &Part {
        static LOST: Part = Part { form: Form::Lost, name: None };
        self.parts.get(id.0).unwrap_or(&LOST)
    }
}

/// What a part is; where it is nothing that biniou has, that has been reported.
type Step<T> = core::result::Result<T, Lost>;

/// What the form of a part depends on: its type, the mark, and its name.
type Key = (Id, Option<Mark>, Option<&'static str>);

struct Tracing<'g> {
    walk: Walk<'g, Key>,
    parts: Vec<Part>,
    known: BTreeMap<Key, PartId>,
}

/// A nested type without its newtypes.
struct Bare {
    id: Id,
    shown: Shown,
    mark: Option<Mark>,
    /// The name of the outermost newtype that has one.
    newtype: &'static str,
}

impl Tracing<'_> {
    fn add(&mut self, form: Form) -> PartId {
        self.parts.push(Part { form, name: None });
        PartId(self.parts.len() - 1)
    }

    fn lose(&mut self, error: &str, fix: Option<&str>) -> Lost {
        self.walk.lose(error.to_owned(), fix)
    }

    fn step(&mut self, step: &str, part: Option<Id>, mark: Option<Mark>) -> PartId {
        let length = self.walk.enter(step);
        let id = self.part(part, mark);
        self.walk.leave(length);
        id
    }

    /// What a part is under a mark.
    fn part(&mut self, part: Option<Id>, mark: Option<Mark>) -> PartId {
        match self.bare(part, mark) {
            Ok(bare) => self.known(bare),
            Err(Lost) => self.add(Form::Lost),
        }
    }

    /// Goes through the newtypes around a part.
    fn bare(&mut self, part: Option<Id>, outer: Option<Mark>) -> Step<Bare> {
        let (mut id, mut shown) = self.walk.seen(part)?;
        let mut bare = Bare { id, shown: Shown::Unseen, mark: outer, newtype: "" };
        for _ in 0..MOST_NEWTYPES {
            match shown {
                Shown::Newtype(name, _) if is_lazy(name) => {
                    return Ok(Bare { id, shown, ..bare });
                }
                Shown::Newtype(name, inner) if name != ANY => {
                    bare.mark = self.walk.refuse(Mark::one_of(bare.mark, name))?;
                    if bare.newtype.is_empty() {
                        bare.newtype = own_name(name);
                    }
                    if let Some(Mark::Shared { .. }) = bare.mark {
                        // What is shared is a value of its own.
                        return Ok(Bare { id, shown: Shown::Newtype(name, inner), ..bare });
                    }
                    (id, shown) = self.walk.seen(inner)?;
                }
                _ => return Ok(Bare { id, shown, ..bare }),
            }
        }
        Err(self.walk.endless())
    }

    fn known(&mut self, bare: Bare) -> PartId {
        let Bare { id, shown, mark, newtype } = bare;
        let name = shown.name_in(newtype);
        let key = (id, mark, name);
        let Some(start) = self.walk.report.start(key) else {
            let known = self.known.get(&key).copied();
            return known.unwrap_or_else(|| self.add(Form::Lost));
        };
        // It may contain itself.
        let place = self.add(Form::Lost);
        self.known.insert(key, place);
        if let Ok(form) = self.form(&shown, mark) {
            if let Some(part) = self.parts.get_mut(place.0) {
                *part = Part { form, name };
            }
        }
        self.walk.report.finish(key, start);
        place
    }

    fn form(&mut self, shown: &Shown, mark: Option<Mark>) -> Step<Form> {
        match shown {
            // Already reported.
            Shown::Unseen => Err(Lost),
            Shown::Untyped => {
                let error = "calls `deserialize_any`, and biniou has no names and no maps";
                let fix = "mark it `any` if it can be a struct, an enum or a map";
                Err(self.walk.doubt(error.to_owned(), Some(fix)))
            }
            Shown::Varied => Err(self.walk.varied()),
            Shown::Map(key, _) if self.walk.names_fields(*key) => {
                let error = "is read as a map of fields, as `flatten` does, and what these hold cannot be seen: \
                             biniou has no names and no maps in them";
                let fix = "mark the field that holds it `any`, or wrap it in `with::Any`, if one can be a struct, an \
                            enum or a map";
                Err(self.walk.doubt(error.to_owned(), Some(fix)))
            }
            Shown::Identifier => self.plain(mark, Target::Text, Form::String),
            Shown::Scalar(name) => self.scalar(name, mark),
            Shown::Text => self.plain(mark, Target::Text, Form::String),
            Shown::Bytes => self.plain(mark, Target::Bytes, Form::String),
            Shown::Unit => self.plain(mark, Target::Unit, Form::Unit),
            Shown::UnitStruct(name) => {
                self.refuse(name, Target::UnitStruct)?;
                self.plain(mark, Target::Unit, Form::Unit)
            }
            Shown::Newtype(name, _) if is_lazy(name) => self.plain(mark, Target::Raw, Form::Any),
            Shown::Newtype(_, inner) => match mark {
                Some(Mark::Shared { .. }) => {
                    self.part(*inner, None);
                    Ok(Form::Shared)
                }
                // `bare` has removed other newtypes.
                _ => self.any(mark),
            },
            Shown::Option(inner) => {
                self.walk.report.set_optional();
                Ok(Form::Option(self.part(*inner, Mark::in_option(mark))))
            }
            Shown::Sequence(item) => {
                self.check(mark, Target::Sequence)?;
                self.walk.report.set_optional();
                match mark {
                    Some(Mark::Table) => Ok(Form::Table(self.row(*item))),
                    mark => Ok(Form::List(self.step("[]", *item, mark))),
                }
            }
            Shown::Map(key, value) => {
                self.check(mark, Target::Map)?;
                self.walk.report.set_optional();
                let key = self.step("[key]", *key, None);
                let value = self.step("[]", *value, None);
                let entry = self.add(Form::Tuple([key, value].into()));
                Ok(Form::List(entry))
            }
            Shown::Tuple(items) => {
                self.check(mark, Target::Tuple)?;
                match (mark, self.walk.array_item(items)) {
                    (Some(Mark::Table), Some(item)) => Ok(Form::Table(self.row(item))),
                    (Some(Mark::Table), None) => {
                        let error = "a table has rows of one type, and these items are of several";
                        Err(self.lose(error, Some("leave out the mark `table`")))
                    }
                    (mark, Some(item)) => {
                        let item = self.step("[]", item, mark);
                        Ok(Form::Array(item, items.len()))
                    }
                    (mark, None) => Ok(self.tuple(items, mark)),
                }
            }
            Shown::TupleStruct(name, items) => {
                self.refuse(name, Target::TupleStruct)?;
                self.check(mark, Target::TupleStruct)?;
                // Some marks on a field go through to the items.
                Ok(self.tuple(items, mark))
            }
            Shown::Struct(name, fields) => {
                self.refuse(name, Target::Struct)?;
                self.check(mark, Target::Struct)?;
                self.walk.report.enter_definition();
                let form = self.record(fields);
                self.walk.report.leave_definition();
                form
            }
            Shown::Enum(name, variants) => {
                self.refuse(name, Target::Enum)?;
                self.check(mark, Target::Enum)?;
                self.walk.report.enter_definition();
                let form = self.sum(variants);
                self.walk.report.leave_definition();
                form
            }
        }
    }

    fn check(&mut self, mark: Option<Mark>, target: Target) -> Step<()> {
        self.walk.refuse(mark.map_or(Ok(()), |mark| mark.check(target)))
    }

    /// Refuses a mark in the name of a type that cannot have one.
    fn refuse(&mut self, name: &'static str, target: Target) -> Step<()> {
        self.walk.refuse(Mark::refuse(name, target))
    }

    fn plain(&mut self, mark: Option<Mark>, target: Target, form: Form) -> Step<Form> {
        self.check(mark, target).map(|()| form)
    }

    /// A part in MessagePack.
    fn any(&mut self, mark: Option<Mark>) -> Step<Form> {
        self.check(mark, Target::Any)?;
        Ok(Form::String)
    }

    fn scalar(&mut self, name: &'static str, mark: Option<Mark>) -> Step<Form> {
        let (target, form) = match name {
            "bool" => (Target::Bool, Form::Bool),
            "char" => {
                (Target::Char, if mark.is_none() { Form::String } else { Form::Int(Int::Char) })
            }
            "f32" => (Target::Float, Form::Float(Float::Float32)),
            "f64" => {
                let float = if mark.is_none() { Float::Float64 } else { Float::Float32 };
                (Target::Float, Form::Float(float))
            }
            name => {
                let int = match mark {
                    Some(Mark::Int8) => Int::Int8,
                    Some(Mark::Int16) => Int::Int16,
                    Some(Mark::Int32) => Int::Int32,
                    Some(Mark::Int64) => Int::Int64,
                    Some(Mark::Uvint) => Int::Uvint,
                    Some(Mark::Svint) => Int::Svint,
                    _ if name.starts_with('u') => Int::Uvint,
                    _ => Int::Svint,
                };
                (Target::Integer, Form::Int(int))
            }
        };
        self.plain(mark, target, form)
    }

    /// The row of a table: a struct, perhaps in newtypes without marks.
    fn row(&mut self, item: Option<Id>) -> PartId {
        let length = self.walk.enter("[]");
        let row = self.row_here(item);
        self.walk.leave(length);
        row.unwrap_or_else(|Lost| self.add(Form::Lost))
    }

    fn row_here(&mut self, item: Option<Id>) -> Step<PartId> {
        let bare = self.bare(item, None)?;
        let found = match (&bare.shown, bare.mark) {
            (_, Some(mark)) => return self.walk.refuse(Err(mark.mismatch(Target::Row))),
            (Shown::Untyped | Shown::Varied | Shown::Identifier | Shown::Struct(..), None) => {
                return Ok(self.known(bare));
            }
            (Shown::Scalar("bool"), None) => "a sequence of bools",
            (Shown::Scalar("char"), None) => "a sequence of chars",
            (Shown::Scalar("f32" | "f64"), None) => "a sequence of floats",
            (Shown::Scalar(_), None) => "a sequence of integers",
            (Shown::Text, None) => "a sequence of texts",
            (Shown::Bytes, None) => "a sequence of byte strings",
            (Shown::Option(_), None) => "a sequence of options",
            (Shown::Unit | Shown::UnitStruct(_), None) => "a sequence of units",
            (Shown::Enum(..), None) => "a sequence of enums",
            (Shown::Sequence(_), None) => "a sequence of sequences",
            (Shown::Tuple(_), None) => "a sequence of tuples",
            (Shown::TupleStruct(..), None) => "a sequence of tuple structs",
            (Shown::Map(..), None) => "a sequence of maps",
            (Shown::Newtype(..) | Shown::Unseen, None) => "a sequence of values marked `any`",
        };
        self.walk.refuse(Err(Mark::Table.mismatch(Target::ListOf(found))))
    }

    fn tuple(&mut self, items: &[Option<Id>], mark: Option<Mark>) -> Form {
        let cells = numbered(items).into_iter();
        Form::Tuple(cells.map(|(step, item)| self.step(&step, item, mark)).collect())
    }

    fn record(&mut self, fields: &Fields) -> Step<Form> {
        self.walk.refuse(distinct(fields.names()))?;
        let is_adjacent = self.walk.is_adjacent(fields);
        let mut list = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            let length = self.walk.enter(field.name);
            let field = match is_adjacent && at > 0 {
                true => {
                    let (part, name) = (self.add(Form::Tagged), field.name);
                    Field { name, part, is_optional: false, is_required: false, has_default: false }
                }
                false => self.field(field),
            };
            self.walk.leave(length);
            list.push(field);
        }
        Ok(Form::Record(list))
    }

    fn field(&mut self, field: &trace::Field) -> Field {
        let bare = self.bare(field.value, None);
        let (part, is_optional) = match bare {
            Err(Lost) => (self.add(Form::Lost), false),
            Ok(Bare { shown: Shown::Option(inner), mark: Some(Mark::Optional), .. }) => {
                (self.part(inner, None), true)
            }
            Ok(bare) => (self.known(bare), false),
        };
        if is_optional && field.is_required() {
            let error = "is left out for `None`, and refused where it is not there";
            self.walk.doubt(error.to_owned(), Some("add `#[serde(default)]`"));
        }
        let (is_required, has_default) = (field.is_required(), field.has_default());
        Field { name: field.name, part, is_optional, is_required, has_default }
    }

    fn sum(&mut self, variants: &Variants) -> Step<Form> {
        self.walk.refuse(distinct(variants.iter().map(|variant| variant.name)))?;
        self.walk.report.set_enum();
        let mut list = Vec::new();
        for variant in variants.iter() {
            let around = self.walk.report.start_part();
            let length = self.walk.enter(variant.name);
            let argument = self.argument(variant.content);
            self.walk.leave(length);
            self.walk.report.finish_part(around);
            list.push(Variant { name: variant.name, argument });
        }
        Ok(Form::Sum(list))
    }

    /// The content of a variant.
    fn argument(&mut self, content: Option<Id>) -> Option<PartId> {
        let form = match self.walk.shown_of(content).clone() {
            Shown::Unit => return None,
            Shown::Newtype(_, value) => return Some(self.part(value, None)),
            Shown::Tuple(items) => Ok(self.tuple(&items, None)),
            Shown::Struct(_, fields) => self.record(&fields),
            _ => return Some(self.part(None, None)),
        };
        Some(self.add(form.unwrap_or(Form::Lost)))
    }
}

/// Refuses two names with one hash.
fn distinct(names: impl Iterator<Item = &'static str>) -> Result<()> {
    let mut known = BTreeMap::new();
    for name in names {
        let hash = hash(name);
        match known.insert(hash, name) {
            Some(first) if first != name => {
                let (first, second) = (first.to_owned(), name.to_owned());
                return Err(Error::placeless(ErrorKind::Collision { first, second, hash }));
            }
            _ => {}
        }
    }
    Ok(())
}
