//! The JSON form of a part of a file.

use std::borrow::Cow;

use super::{Elements, Items, SUMMARY};
use crate::write::hex;

/// A JSON value. Numbers keep their original type, so that each is written in its shortest form.
#[derive(Clone, Debug)]
pub enum Part<'a> {
    Null,
    Bool(bool),
    Integer(i128),
    Unsigned(u128),
    /// Finite.
    Float32(f32),
    /// Finite; other floats are text in JSON.
    Float64(f64),
    Text(Cow<'a, str>),
    /// Bytes as text: `0x`, then two digits for each.
    Hex(&'a [u8]),
    List(Vec<Part<'a>>),
    /// A list whose items are created lazily.
    Items(Items<'a>),
    Map(Vec<(Cow<'a, str>, Part<'a>)>),
    Tensor(Box<Tensor<'a>>),
}

/// A tensor: an object with `data` as its last field.
#[derive(Clone, Debug)]
pub struct Tensor<'a> {
    /// Type and shape for people.
    pub title: String,
    /// The fields before the data.
    pub head: Vec<(Cow<'a, str>, Part<'a>)>,
    pub elements: Elements<'a>,
}

impl<'a> Part<'a> {
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Part::Text(text.into())
    }

    pub fn integer(number: impl Into<i128>) -> Self {
        Part::Integer(number.into())
    }

    /// An object with one key that begins with `$`, for values that JSON does not have.
    pub fn form(name: &'a str, part: Part<'a>) -> Self {
        Part::Map(vec![(name.into(), part)])
    }

    pub fn map<const N: usize>(fields: [(&'static str, Part<'a>); N]) -> Self {
        Part::Map(fields.into_iter().map(|(name, part)| (name.into(), part)).collect())
    }

    /// The name of the form and its content, if this is a form.
    pub fn as_form(&self) -> Option<(&str, &Part<'a>)> {
        match self {
            Part::Map(fields) => match fields.as_slice() {
                [(name, part)] if is_form(name) => Some((name, part)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it has no parts.
    pub const fn is_scalar(&self) -> bool {
        !matches!(self, Part::List(_) | Part::Items(_) | Part::Map(_) | Part::Tensor(_))
    }

    /// Its text, if it is one.
    pub fn as_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Part::Text(text) => Some(Cow::Borrowed(text)),
            Part::Hex(bytes) => Some(Cow::Owned(format!("0x{}", hex::digits(bytes)))),
            _ => None,
        }
    }
}

/// Whether a key is that of a form, not a name of a file.
pub(super) fn is_form(key: &str) -> bool {
    match key.strip_prefix('$') {
        Some(rest) => !rest.starts_with(['$', '#']),
        None => false,
    }
}

impl<'a> Tensor<'a> {
    /// The replacement of the elements, if there are more than `most`.
    pub fn summary(&self, most: usize) -> Option<Part<'static>> {
        match self.elements.count() > most {
            true => Some(Part::form(SUMMARY, Part::Map(self.elements.summary()))),
            false => None,
        }
    }
}
