//! Resolves paths of names with a schema or a Rust type.

use core::num::NonZeroUsize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use fourfold::molecule::route::{Choice, NOWHERE, Route, Step, Stop, Walk};
use fourfold::molecule::{Error, ErrorKind, Options, Result};
use fourfold::{Path, PathError, Segment};
use serde_core::de::Deserialize;

use super::of::{Form, Part, PartId, Traced};
use super::shape::{Body, Layout, Member};
use super::verify::Check;
use super::{Fields, Item, Schema, Shape, Type, Value};
use crate::common::{Location, Named, TypeId, Types, leading_to};
use crate::trace::Graph;

/// A path into values of a Rust type, with the places of its names: for [`at`](fourfold::molecule::at()).
///
/// Names are those that serde has, with `key` and `value` for the entries of maps. Options, newtypes and the
/// variants of enums take no step: if several variants have such a part, it is that of the variant that is there.
///
/// # Errors
///
/// Text that is no path, and steps that `T` does not have, with the byte of the text.
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
/// assert_eq!(error.to_string(), "`Point` has no `z`, but x, y at byte 9 of the path");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn path_of<'de, T: Deserialize<'de>>(text: &str) -> Result<Path, PathError> {
    let traced = Traced::new(&Graph::of::<T>());
    resolve(&schema_of_parts(&traced.parts), type_of(traced.root), text)
}

impl Schema {
    /// A path into values of the type of that name, with the places of its names: for
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
    /// Text that is no path, and steps that the type does not have, with the byte of the text; an unknown type.
    pub fn path(&self, name: &str, text: &str) -> Result<Path, PathError> {
        match self.get(name) {
            Some(ty) => resolve(self, ty.id(), text),
            None => Err(PathError::new(self.no_type(name).to_string(), None)),
        }
    }

    /// The part of `bytes` that `path` leads to, if they are of the type of that name, without a look at the rest.
    ///
    /// What is on the way is checked as [`at`](fourfold::molecule::at()) does, and the part down to the last header.
    /// The path needs no places of names.
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
        let (step, part) = step(ty, segment)
            .map_err(|error| Error::at(ErrorKind::NoPath { error }, walk.offset()))?;
        walk.step(step)?;
        Ok(part)
    }
}

/// The error of what the first `segments` of a path lead to.
#[cold]
#[inline(never)]
fn inside(error: Error, path: &Path, segments: usize) -> Error {
    let outer = path.segments().take(segments).rev();
    outer.fold(error, |error, segment| error.inside(segment.clone()))
}

/// The variant of an enum that holds nothing has no type.
const NOTHING: TypeId = TypeId(usize::MAX);

/// The types of a traced type as those of a schema. Their names are only for messages.
fn schema_of_parts(parts: &[Part]) -> Schema {
    fn named(name: &str, body: Body, size: Option<usize>) -> Named<Layout> {
        let shape = Layout { body, size, height: 0, number: None };
        Named { name: name.into(), shape, docs: String::new(), location: Location::default() }
    }
    fn member<K>(key: K, ty: TypeId) -> Member<K> {
        Member { key, ty, docs: String::new(), location: Location::default() }
    }
    let fields = |list: &[(String, PartId)]| {
        list.iter().map(|(name, part)| member(Arc::from(&**name), type_of(*part))).collect()
    };
    let types = parts.iter().map(|part| {
        let body = match &part.form {
            Form::Scalar(_) | Form::Raw | Form::Tagged | Form::Lost => Body::Byte,
            Form::Array(item, count) => Body::Array(type_of(*item), *count),
            Form::Struct(list, _) => Body::Struct(fields(list)),
            Form::FixVec(item, _) => Body::FixVec(type_of(*item)),
            Form::DynVec(item, _) => Body::DynVec(type_of(*item)),
            Form::Table(list) => Body::Table(fields(list)),
            Form::Option(inner) => Body::Option(type_of(*inner)),
            Form::Union(items) => {
                let items = items.iter();
                let items = items.map(|it| member(it.id, it.value.map_or(NOTHING, type_of)));
                Body::Union(items.collect())
            }
        };
        named(part.name.unwrap_or_else(|| part.form.name()), body, part.size)
    });
    Schema { types: Types::unnamed(named("", Body::Byte, None), types.collect()) }
}

fn type_of(part: PartId) -> TypeId {
    TypeId(part.0 + 1)
}

/// Maximum number of field names in an error.
const MOST_LISTED: usize = 12;

/// Why there is no such step.
type NoStep = Cow<'static, str>;

/// The step of that segment into a value of a type that is no option or union, and the type of the part.
fn step<'s>(ty: Type<'s>, segment: &Segment) -> Result<(Step, Type<'s>), NoStep> {
    let fields = match ty.shape() {
        Shape::Struct(fields) | Shape::Table(fields) => Some(fields),
        _ => None,
    };
    let nothing = || -> NoStep {
        let named: String = Path::from_iter([segment.clone()]).to_string();
        let names = fields.into_iter().flat_map(Fields::iter).map(|field| field.name());
        let mut listed: Vec<&str> = names.take(MOST_LISTED + 1).collect();
        if listed.len() > MOST_LISTED {
            listed.truncate(MOST_LISTED);
            listed.push("…");
        }
        let but = if listed.is_empty() { "" } else { ", but " };
        // A type without a name goes by its layout, such as `a table`.
        let quote = if ty.name().contains(' ') { "" } else { "`" };
        let listed = listed.join(", ");
        format!("{quote}{}{quote} has no `{named}`{but}{listed}", ty.name()).into()
    };
    let index = match (segment, fields) {
        (Segment::Field(name), Some(fields)) => {
            fields.iter().position(|field| field.name() == name).ok_or_else(nothing)?
        }
        (Segment::Slot(index), Some(_)) | (Segment::Index(index), _) => *index,
        _ => return Err(nothing()),
    };
    let field = fields.and_then(|fields| fields.get(index));
    let size = |ty: Type<'_>| ty.size().ok_or_else(nothing);
    match ty.shape() {
        Shape::Table(fields) => {
            let part = field.ok_or_else(nothing)?.ty();
            Ok((Step::Field { index, count: NonZeroUsize::new(fields.len()) }, part))
        }
        Shape::Struct(fields) => {
            let part = field.ok_or_else(nothing)?.ty();
            let mut start = 0usize;
            for before in fields.iter().take(index) {
                start = start.saturating_add(size(before.ty())?);
            }
            Ok((Step::Bytes { start, size: size(part)?, whole: size(ty)? }, part))
        }
        Shape::Array(item, count) if index < count => {
            let of_item = size(item)?;
            let start = index.saturating_mul(of_item);
            Ok((Step::Bytes { start, size: of_item, whole: size(ty)? }, item))
        }
        Shape::FixVec(item) => Ok((Step::Packed { index, size: size(item)? }, item)),
        Shape::DynVec(item) => Ok((Step::Item { index }, item)),
        Shape::Byte | Shape::Array(..) | Shape::Option(_) | Shape::Union(_) => Err(nothing()),
    }
}

/// The path of a text, with its route in values of that type.
fn resolve(schema: &Schema, root: TypeId, text: &str) -> Result<Path, PathError> {
    let segments = Path::parse(text)?;
    let route = Building {
        schema,
        segments: &segments,
        known: BTreeMap::new(),
        places: Vec::new(),
        lost: None,
    }
    .route(root)?;
    segments.into_iter().map(|(segment, _)| segment).collect::<Path>().with_route(route)
}

/// A type that a way has come to, and the number of segments that lead there.
type Place = (TypeId, usize);

/// What is next at a place: another one, or the end of the path.
type Next = Option<usize>;

/// How a way goes on: by a step or, if a union is chosen from, by one of some ids, if there is something.
type Way = (Option<Step>, Vec<(u32, Next)>);

/// A route under construction. Unions make it a graph: each type is met once with the same rest of the path.
struct Building<'p> {
    schema: &'p Schema,
    segments: &'p [(Segment, usize)],
    known: BTreeMap<Place, usize>,
    places: Vec<Place>,
    /// What is wrong where a way ends early, of the longest of these.
    lost: Option<PathError>,
}

impl Building<'_> {
    fn route(mut self, root: TypeId) -> Result<Route, PathError> {
        if self.next(root, 0).is_none() {
            return Ok(Route::default());
        }
        let mut ways = Vec::new();
        while let Some(place) = self.places.get(ways.len()).copied() {
            let way = self.way(place);
            ways.push(way);
        }
        let end = ways.len();
        let mut users = vec![Vec::new(); end + 1];
        for (place, (_, nexts)) in ways.iter().enumerate() {
            for (_, next) in nexts {
                users.get_mut(next.unwrap_or(end)).into_iter().for_each(|it| it.push(place));
            }
        }
        let leads = leading_to(&users, vec![end]);
        let number = |next: Next| {
            let next = next.unwrap_or(end);
            if leads.get(next) == Some(&true) { next } else { NOWHERE }
        };
        if number(Some(0)) == NOWHERE {
            let nowhere = || PathError::new("the path leads nowhere", 0);
            return Err(self.lost.unwrap_or_else(nowhere));
        }
        let mut choices = Vec::new();
        let mut stops = Vec::new();
        for ((step, mut nexts), (_, segments)) in ways.into_iter().zip(self.places) {
            let (step, next) = match step {
                Some(step) => (step, nexts.first().map_or(NOWHERE, |(_, next)| number(*next))),
                None => {
                    let first = choices.len();
                    nexts.sort_by_key(|(id, _)| *id);
                    choices.extend(
                        nexts.iter().map(|(id, next)| Choice { id: *id, next: number(*next) }),
                    );
                    (Step::Choose { first, count: nexts.len() }, NOWHERE)
                }
            };
            stops.push(Stop { step, segments, next });
        }
        Ok(Route { stops, choices })
    }

    /// The place of a type after so many segments.
    fn next(&mut self, id: TypeId, segments: usize) -> Next {
        let places = &mut self.places;
        let place = || {
            places.push((id, segments));
            places.len() - 1
        };
        let is_end = segments == self.segments.len();
        (!is_end).then(|| *self.known.entry((id, segments)).or_insert_with(place))
    }

    fn way(&mut self, (id, taken): Place) -> Way {
        let mut ty = Type::new(self.schema, id);
        // A type may be an option of itself.
        for _ in 0..self.schema.types.len() {
            let Shape::Option(inner) = ty.shape() else { break };
            ty = inner;
        }
        if let Shape::Union(items) = ty.shape() {
            let choice = |item: Item<'_>| match item.ty().id() {
                NOTHING => (item.id(), Some(NOWHERE)),
                id => (item.id(), self.next(id, taken)),
            };
            return (None, items.iter().map(choice).collect());
        }
        let Some((segment, at)) = self.segments.get(taken) else { return (None, Vec::new()) };
        match step(ty, segment) {
            Ok((step, part)) => (Some(step), vec![(0, self.next(part.id(), taken + 1))]),
            Err(error) => {
                if self.lost.as_ref().is_none_or(|lost| lost.offset() < Some(*at)) {
                    self.lost = Some(PathError::new(error, *at));
                }
                (None, Vec::new())
            }
        }
    }
}
