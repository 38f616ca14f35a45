//! Paths of errors and `explain`, which follow the bytes: there, params and configs are lists of name and value, a
//! value is a list of tensors, and the content of a tensor is its memory.

use std::borrow::Cow;

use super::{data_of, index};
use crate::model::Part;

/// The position of such a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum At<'p> {
    /// At a part, as any other path.
    Part,
    /// At the field with that name, selected by index: `bubble[1]`.
    Entry(&'p str),
    /// At the value of such a field: `bubble[1].value`.
    Value,
    /// At a tensor of such a value: `bubble[1].value[0]`.
    Field,
}

impl<'p> At<'p> {
    /// The position after a step of any path that begins at `part`.
    pub(super) fn after<'a>(self, part: &'p Part<'a>, path: &str) -> Self {
        match (part, index(path), self) {
            (Part::Map(fields), Some((at, _)), _) => {
                fields.get(at).map_or(At::Part, |(name, _)| At::Entry(name))
            }
            (Part::List(_), Some(_), At::Value) => At::Field,
            _ => At::Part,
        }
    }

    /// A step that only such paths have.
    pub(super) fn step<'a, 'r>(
        self,
        part: &'p Part<'a>,
        path: &'r str,
    ) -> Option<(Cow<'p, Part<'a>>, &'r str, At<'p>)> {
        let after = |name: &str| {
            let rest = path.strip_prefix('.')?.strip_prefix(name)?;
            (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
        };
        let after_name = || after("name").or_else(|| after("key"));
        match (self, part) {
            (At::Entry(name), _) => match after("value") {
                Some(rest) => Some((Cow::Borrowed(part), rest, At::Value)),
                None => Some((Cow::Owned(Part::text(name.to_owned())), after_name()?, At::Part)),
            },
            (At::Value, Part::Tensor(_) | Part::Text(_)) => {
                Some((Cow::Borrowed(part), path.strip_prefix("[0]")?, At::Field))
            }
            (At::Field, Part::Text(_)) => Some((Cow::Borrowed(part), after("memory")?, At::Part)),
            (_, Part::Tensor(tensor)) => {
                Some((Cow::Owned(Part::Tensor(data_of(tensor))), after("memory")?, At::Part))
            }
            // Fields are pairs if a name occurs twice.
            (_, Part::List(pair)) => match pair.as_slice() {
                [name, value] if name.is_scalar() || name.as_form().is_some() => {
                    match after("value") {
                        Some(rest) => Some((Cow::Borrowed(value), rest, At::Value)),
                        None => Some((Cow::Borrowed(name), after_name()?, At::Part)),
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }
}
