//! Where the parts of a path lie: the way through the types of a schema, or of a Rust type. Knows what steps each
//! layout has, does not know bytes.

use core::num::NonZeroUsize;
use std::borrow::Cow;
use std::collections::BTreeMap;

use fourfold::molecule::route::{Choice, NOWHERE, Route, Step, Stop, Walk};
use fourfold::molecule::{Error, ErrorKind, Options, Result};
use fourfold::{Path, PathError, Segment};
use serde_core::de::Deserialize;

use super::of::{Form, PartId, Traced};
use super::verify::Check;
use super::{Schema, Shape, Type, Value};
use crate::common::TypeId;
use crate::trace::Graph;

/// A path into values of a Rust type, which knows where its names are: for [`at`](fourfold::molecule::at()).
///
/// Names are those that serde has, with `key` and `value` for the entries of maps. Options, newtypes and the
/// variants of enums take no step: if several variants have such a part, it is that of the variant that is there.
///
/// # Errors
///
/// Text that is no path, and what `T` has not, with the byte of the text.
///
/// # Examples
///
/// ```
/// use fourfold::molecule::{at, to_vec};
/// use fourfold_schema::mol::path_of;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// #[serde(rename = "struct.Point")]
/// struct Point {
///     x: u16,
///     y: u16,
/// }
///
/// #[derive(Serialize, Deserialize)]
/// struct Line {
///     name: String,
///     points: Vec<Point>,
/// }
///
/// let points = vec![Point { x: 1, y: 2 }, Point { x: 3, y: 4 }];
/// let bytes = to_vec(&Line { name: "edge".into(), points })?;
/// let path = path_of::<Line>("points[1].y")?;
/// assert_eq!(at::<u16>(&bytes, &path)?, 4);
///
/// let error = path_of::<Line>("points[1].z").unwrap_err();
/// assert_eq!(error.to_string(), "`Point` has no part `z`, but x, y at byte 9 of the path");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn path_of<'de, T: Deserialize<'de>>(text: &str) -> Result<Path, PathError> {
    let traced = Traced::new(&Graph::of::<T>());
    resolve(&traced, traced.root, text)
}

impl Schema {
    /// A path into values of the type of that name, which knows where its names are: for
    /// [`at`](fourfold::molecule::at()).
    ///
    /// Options and the items of unions take no step: if several items have such a part, it is that of the item
    /// that is there.
    ///
    /// ```
    /// use fourfold::molecule::{at, to_vec};
    /// use fourfold_schema::mol::Schema;
    ///
    /// let schema = Schema::parse("
    ///     array Word [byte; 4]; vector Bytes <byte>;
    ///     table Entry { id: Word, name: Bytes, } vector Entries <Entry>;
    /// ")?;
    /// let bytes = to_vec(&[(1u32, "one"), (2, "two")][..])?;
    /// let path = schema.path("Entries", "[1].name")?;
    /// assert_eq!(at::<&str>(&bytes, &path)?, "two");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Text that is no path, and what the type has not, with the byte of the text; that there is no such type.
    pub fn path(&self, name: &str, text: &str) -> Result<Path, PathError> {
        match self.get(name) {
            Some(ty) => resolve(self, ty.id(), text),
            None => Err(PathError::new(self.no_type(name).to_string(), None)),
        }
    }

    /// The part of `bytes` that `path` leads to, if they are of the type of that name, without a look at the rest.
    ///
    /// What lies on the way is checked as [`at`](fourfold::molecule::at()) does, and the part down to the last header.
    /// The path need not be told where names are.
    ///
    /// ```
    /// use fourfold::molecule::{Path, to_vec};
    /// use fourfold_schema::mol::Schema;
    ///
    /// let schema = Schema::parse("vector Bytes <byte>; table Entry { id: byte, name: Bytes, }")?;
    /// let bytes = to_vec(&(7u8, "molecule"))?;
    /// let name = schema.value_at(&bytes, "Entry", &Path::new("name")?)?;
    /// assert_eq!(name.bytes()[4..], *b"molecule");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`at`](fourfold::molecule::at()) on the way and of [`to_value`](Schema::to_value) for the part; `NoPath` if
    /// the type has none.
    pub fn value_at<'a>(&'a self, bytes: &'a [u8], name: &str, path: &Path) -> Result<Value<'a>> {
        const DEFAULTS: &Options = &Options::new();
        let mut ty = self.need(name)?;
        let mut walk = Walk::new(DEFAULTS, bytes);
        for (taken, segment) in path.segments().enumerate() {
            ty = self.part(ty, segment, &mut walk).map_err(|error| inside(error, path, taken))?;
        }
        let (check, value) = (Check::new(DEFAULTS), Value::unchecked(ty, walk.part()));
        match check.value(value, walk.offset(), check.depth()) {
            Ok(()) => Ok(value),
            Err(error) => Err(inside(error, path, usize::MAX)),
        }
    }

    /// Steps into a part, and gives its type.
    fn part<'a>(
        &'a self,
        mut ty: Type<'a>,
        segment: &Segment,
        walk: &mut Walk<'_, 'a>,
    ) -> Result<Type<'a>> {
        loop {
            ty = match ty.shape() {
                Shape::Option(inner) => inner,
                Shape::Union(items) => {
                    let mut chosen = ty;
                    walk.choose(|id| {
                        chosen = items.with_id(id)?.ty();
                        Some(true)
                    })?;
                    chosen
                }
                _ => break,
            };
        }
        let (step, id) = step(self, ty.id(), segment)
            .map_err(|error| Error::at(ErrorKind::NoPath { error }, walk.offset()))?;
        walk.step(step)?;
        Ok(Type::new(self, id))
    }
}

/// The error of what the first `segments` of a path lead to.
#[cold]
#[inline(never)]
fn inside(error: Error, path: &Path, segments: usize) -> Error {
    let outer = path.segments().take(segments).rev();
    outer.fold(error, |error, segment| error.inside(segment.clone()))
}

/// How the bytes of a type are laid out, for a way through it.
#[derive(Clone, Copy)]
enum Layout<I> {
    /// Nothing leads further.
    Leaf,
    /// Fields one after the other.
    Packed,
    /// Fields after a header.
    Table,
    Array(I, usize),
    FixVec(I),
    DynVec(I),
    Option(I),
    Union,
}

/// Types that a way leads through.
trait Types {
    type Id: Copy + Ord;

    /// How many there are.
    fn count(&self) -> usize;

    fn layout(&self, id: Self::Id) -> Layout<Self::Id>;

    fn size(&self, id: Self::Id) -> Option<usize>;

    /// What messages call it.
    fn name(&self, id: Self::Id) -> Cow<'_, str>;

    /// Its field of that number.
    fn field(&self, id: Self::Id, index: usize) -> Option<(&str, Self::Id)>;

    /// Its items, and the ids of those.
    fn items(&self, id: Self::Id) -> Vec<(u32, Option<Self::Id>)>;
}

impl Types for Schema {
    type Id = TypeId;

    fn count(&self) -> usize {
        self.types.len()
    }

    fn layout(&self, id: TypeId) -> Layout<TypeId> {
        match Type::new(self, id).shape() {
            Shape::Byte => Layout::Leaf,
            Shape::Array(item, count) => Layout::Array(item.id(), count),
            Shape::Struct(_) => Layout::Packed,
            Shape::FixVec(item) => Layout::FixVec(item.id()),
            Shape::DynVec(item) => Layout::DynVec(item.id()),
            Shape::Table(_) => Layout::Table,
            Shape::Option(inner) => Layout::Option(inner.id()),
            Shape::Union(_) => Layout::Union,
        }
    }

    fn size(&self, id: TypeId) -> Option<usize> {
        Type::new(self, id).size()
    }

    fn name(&self, id: TypeId) -> Cow<'_, str> {
        format!("`{}`", Type::new(self, id).name()).into()
    }

    fn field(&self, id: TypeId, index: usize) -> Option<(&str, TypeId)> {
        match Type::new(self, id).shape() {
            Shape::Struct(fields) | Shape::Table(fields) => {
                fields.get(index).map(|field| (field.name(), field.ty().id()))
            }
            _ => None,
        }
    }

    fn items(&self, id: TypeId) -> Vec<(u32, Option<TypeId>)> {
        match Type::new(self, id).shape() {
            Shape::Union(items) => {
                items.iter().map(|item| (item.id(), Some(item.ty().id()))).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Types for Traced {
    type Id = PartId;

    fn count(&self) -> usize {
        self.len()
    }

    fn layout(&self, id: PartId) -> Layout<PartId> {
        match &self.get(id).form {
            Form::Scalar(_) | Form::Raw | Form::Tagged | Form::Lost => Layout::Leaf,
            Form::Array(item, count) => Layout::Array(*item, *count),
            Form::Struct(..) => Layout::Packed,
            Form::FixVec(item, _) => Layout::FixVec(*item),
            Form::DynVec(item, _) => Layout::DynVec(*item),
            Form::Table(_) => Layout::Table,
            Form::Option(inner) => Layout::Option(*inner),
            Form::Union(_) => Layout::Union,
        }
    }

    fn size(&self, id: PartId) -> Option<usize> {
        self.get(id).size
    }

    fn name(&self, id: PartId) -> Cow<'_, str> {
        let part = self.get(id);
        match part.name {
            Some(name) => format!("`{name}`").into(),
            None => part.form.name().into(),
        }
    }

    fn field(&self, id: PartId, index: usize) -> Option<(&str, PartId)> {
        match &self.get(id).form {
            Form::Struct(fields, _) | Form::Table(fields) => {
                fields.get(index).map(|(name, part)| (name.as_str(), *part))
            }
            _ => None,
        }
    }

    fn items(&self, id: PartId) -> Vec<(u32, Option<PartId>)> {
        match &self.get(id).form {
            Form::Union(items) => items.iter().map(|item| (item.id, item.value)).collect(),
            _ => Vec::new(),
        }
    }
}

/// So many names are told to whoever has missed one.
const MOST_TOLD: usize = 12;

/// Why there is no such step.
type NoStep = Cow<'static, str>;

/// The step of that segment into a value of a type that is no option or union, and the type of the part.
fn step<T: Types>(types: &T, id: T::Id, segment: &Segment) -> Result<(Step, T::Id), NoStep> {
    let nothing = || -> NoStep {
        let named: String = Path::from_iter([segment.clone()]).to_string();
        let names = (0..).map_while(|index| Some(types.field(id, index)?.0));
        let mut listed: Vec<&str> = names.take(MOST_TOLD + 1).collect();
        if listed.len() > MOST_TOLD {
            listed.truncate(MOST_TOLD);
            listed.push("…");
        }
        let but = if listed.is_empty() { "" } else { ", but " };
        format!("{} has no part `{named}`{but}{}", types.name(id), listed.join(", ")).into()
    };
    let (layout, index) = match (types.layout(id), segment) {
        (layout @ (Layout::Packed | Layout::Table), Segment::Field(name)) => {
            let mut names = (0..).map_while(|index| Some(types.field(id, index)?.0));
            (layout, names.position(|field| field == name).ok_or_else(nothing)?)
        }
        (layout @ (Layout::Packed | Layout::Table), Segment::Slot(index))
        | (layout, Segment::Index(index)) => (layout, *index),
        _ => return Err(nothing()),
    };
    let size = |part| types.size(part).ok_or_else(nothing);
    match layout {
        Layout::Table => {
            let (_, part) = types.field(id, index).ok_or_else(nothing)?;
            let count = (0..).take_while(|index| types.field(id, *index).is_some()).count();
            Ok((Step::Field { index, count: NonZeroUsize::new(count) }, part))
        }
        Layout::Packed => {
            let (_, part) = types.field(id, index).ok_or_else(nothing)?;
            let mut start = 0usize;
            for before in (0..index).filter_map(|index| types.field(id, index)) {
                start = start.saturating_add(size(before.1)?);
            }
            Ok((Step::Bytes { start, size: size(part)?, whole: size(id)? }, part))
        }
        Layout::Array(item, count) if index < count => {
            let of_item = size(item)?;
            let start = index.saturating_mul(of_item);
            Ok((Step::Bytes { start, size: of_item, whole: size(id)? }, item))
        }
        Layout::FixVec(item) => Ok((Step::Packed { index, size: size(item)? }, item)),
        Layout::DynVec(item) => Ok((Step::Item { index }, item)),
        Layout::Leaf | Layout::Array(..) | Layout::Option(_) | Layout::Union => Err(nothing()),
    }
}

/// The path of a text, which knows where its parts are in a value of that type.
fn resolve<T: Types>(types: &T, root: T::Id, text: &str) -> Result<Path, PathError> {
    let segments = Path::parse(text)?;
    let route = Building {
        types,
        segments: &segments,
        known: BTreeMap::new(),
        places: Vec::new(),
        lost: None,
    }
    .route(root)?;
    segments.into_iter().map(|(segment, _)| segment).collect::<Path>().with_route(route)
}

/// A type that a way has come to, and the number of segments that lead there.
type Place<I> = (I, usize);

/// What is next at a place: a number of another one, or the end of the path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Place(usize),
    End,
}

/// How a way goes on.
enum On {
    By(Step, Next),
    /// By the id that is found.
    Choose(Vec<(u32, Option<Next>)>),
    Nowhere,
}

/// A route under construction. Unions make it a graph: each type is met once with the same rest of the path.
struct Building<'p, T: Types> {
    types: &'p T,
    segments: &'p [(Segment, usize)],
    known: BTreeMap<Place<T::Id>, usize>,
    places: Vec<Place<T::Id>>,
    /// What is wrong where a way ends early, of the longest of these.
    lost: Option<PathError>,
}

impl<T: Types> Building<'_, T> {
    fn route(mut self, root: T::Id) -> Result<Route, PathError> {
        if self.next(root, 0) == Next::End {
            return Ok(Route::default());
        }
        let mut ways = Vec::new();
        while let Some(place) = self.places.get(ways.len()).copied() {
            let on = self.on(place);
            ways.push(on);
        }
        let leads = leading(&ways);
        if leads.first() != Some(&true) {
            let nowhere = || PathError::new("the path leads nowhere", 0);
            return Err(self.lost.unwrap_or_else(nowhere));
        }
        let end = ways.len();
        let number = |next| match next {
            Next::Place(place) => place,
            Next::End => end,
        };
        let mut choices = Vec::new();
        let mut stops = Vec::new();
        for (on, (_, segments)) in ways.into_iter().zip(self.places) {
            let (step, next) = match on {
                On::By(step, next) => (step, number(next)),
                On::Nowhere => (Step::Choose { first: 0, count: 0 }, NOWHERE),
                On::Choose(mut items) => {
                    let first = choices.len();
                    items.sort_by_key(|(id, _)| *id);
                    choices.extend(items.into_iter().map(|(id, next)| {
                        let next = next.filter(|next| is_good(&leads, *next));
                        Choice { id, next: next.map_or(NOWHERE, number) }
                    }));
                    (Step::Choose { first, count: choices.len() - first }, NOWHERE)
                }
            };
            stops.push(Stop { step, segments, next });
        }
        Ok(Route { stops, choices })
    }

    /// The place of a type after so many segments.
    fn next(&mut self, id: T::Id, segments: usize) -> Next {
        if segments == self.segments.len() {
            return Next::End;
        }
        let places = &mut self.places;
        Next::Place(*self.known.entry((id, segments)).or_insert_with(|| {
            places.push((id, segments));
            places.len() - 1
        }))
    }

    fn on(&mut self, (mut id, taken): Place<T::Id>) -> On {
        let types = self.types;
        // A type may be an option of itself.
        for _ in 0..types.count() {
            let Layout::Option(inner) = types.layout(id) else { break };
            id = inner;
        }
        if let Layout::Union = types.layout(id) {
            let items = types.items(id).into_iter();
            let items = items.map(|(id, part)| (id, part.map(|part| self.next(part, taken))));
            return On::Choose(items.collect());
        }
        let Some((segment, at)) = self.segments.get(taken) else { return On::Nowhere };
        match step(types, id, segment) {
            Ok((step, part)) => On::By(step, self.next(part, taken + 1)),
            Err(error) => {
                if self.lost.as_ref().is_none_or(|lost| lost.offset() < Some(*at)) {
                    self.lost = Some(PathError::new(error, *at));
                }
                On::Nowhere
            }
        }
    }
}

/// From which places a way leads to the end.
fn leading(ways: &[On]) -> Vec<bool> {
    let mut leads = vec![false; ways.len()];
    loop {
        let mut has_more = false;
        // What is next has a larger number, but for types that contain themselves.
        for (place, on) in ways.iter().enumerate().rev() {
            let is_good = match on {
                On::By(_, next) => is_good(&leads, *next),
                On::Choose(items) => {
                    items.iter().any(|(_, next)| next.is_some_and(|next| is_good(&leads, next)))
                }
                On::Nowhere => false,
            };
            if let Some(known) = leads.get_mut(place).filter(|known| is_good && !**known) {
                (*known, has_more) = (true, true);
            }
        }
        if !has_more {
            return leads;
        }
    }
}

fn is_good(leads: &[bool], next: Next) -> bool {
    match next {
        Next::Place(place) => leads.get(place).is_some_and(|leads| *leads),
        Next::End => true,
    }
}
