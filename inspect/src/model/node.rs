//! JSON input: each value has its location.

mod fields;
mod items;

use std::borrow::Cow;
use std::fmt;

use serde_json::value::RawValue;

pub use self::fields::Fields;
use self::items::Items;
use crate::failure::deeper;
use crate::write::width::head;

/// Maximum nesting of lists and objects: more than most files need. Each level is scanned once more for those within
/// it.
pub const DEEPEST: usize = 1024;

/// Maximum number of columns of a value in an error.
const SHOWN: usize = 61;

/// A value in a JSON file. Its text is parsed lazily, one level at a time, so that long lists take no memory.
#[derive(Clone, Copy, Debug)]
pub struct Node<'n> {
    raw: &'n RawValue,
    outer: Option<&'n Node<'n>>,
    step: Step<'n>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'n> {
    Whole,
    Key(&'n str),
    Index(usize),
}

/// The kind of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Null,
    Bool(bool),
    Number,
    Text,
    List,
    Object,
}

/// An error in a value, and its location.
#[derive(Debug)]
pub struct Wrong {
    text: String,
    path: String,
    /// The address of its text in memory.
    address: usize,
    /// How to fix it.
    hint: Option<String>,
}

impl Wrong {
    /// The same with a hint how to fix it.
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Wrong { hint: Some(hint.into()), ..self }
    }

    /// How to fix it, if that is known.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The error with path, line and column, followed by the hint.
    pub fn in_text(&self, source: &str) -> String {
        let offset = self.address.saturating_sub(source.as_ptr().addr());
        let before = source.as_bytes().get(..offset).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let (text, column) = (&self.text, offset - start + 1);
        let hint = self.hint.iter().map(|hint| format!("; {hint}")).collect::<String>();
        match self.path.as_str() {
            "" => format!("{text} at line {line} column {column}{hint}"),
            path => format!("{text} in {path} at line {line} column {column}{hint}"),
        }
    }
}

impl<'n> Node<'n> {
    /// Parses a whole JSON text, whose lists and objects may nest to that depth.
    ///
    /// # Errors
    ///
    /// Syntax errors, with line and column.
    pub fn parse(source: &'n str, deepest: usize) -> Result<Self, serde_json::Error> {
        if depth(source) > deepest {
            let hint = deeper().map(|hint| format!("; {hint}")).unwrap_or_default();
            let text = format!("lists and objects are nested deeper than {deepest} levels{hint}");
            return Err(serde::de::Error::custom(text));
        }
        let raw = serde_json::from_str(source)?;
        Ok(Node { raw, outer: None, step: Step::Whole })
    }

    /// Its JSON text.
    pub fn source(&self) -> &'n str {
        self.raw.get()
    }

    pub fn shape(&self) -> Shape {
        match self.source().as_bytes().first() {
            Some(b'{') => Shape::Object,
            Some(b'[') => Shape::List,
            Some(b'"') => Shape::Text,
            Some(b't') => Shape::Bool(true),
            Some(b'f') => Shape::Bool(false),
            Some(b'n') | None => Shape::Null,
            Some(_) => Shape::Number,
        }
    }

    pub fn wrong(&self, text: impl Into<String>) -> Wrong {
        let address = self.source().as_ptr().addr();
        Wrong { text: text.into(), path: self.to_string(), address, hint: None }
    }

    /// Converts an error of a parser of its text, which counts lines and columns from there.
    pub fn wrong_within(&self, error: &serde_json::Error) -> Wrong {
        let lines = self.source().split_inclusive('\n');
        let before = lines.take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
        let offset = before + error.column().saturating_sub(1);
        let text = error.to_string();
        let text = text.rsplit_once(" at line ").map_or(&*text, |(text, _)| text);
        let is_number = |text: &str| text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
        let (text, hint) = match text.rsplit_once("; write ") {
            Some((text, number)) if is_number(number) => (text, Some(format!("write {number}"))),
            _ => (text, None),
        };
        let address = self.source().as_ptr().addr().saturating_add(offset);
        Wrong { text: text.to_owned(), path: self.path_at(address), address, hint }
    }

    /// The path of the innermost value at that address.
    fn path_at(&self, address: usize) -> String {
        let mut path = self.to_string();
        let mut look = |inner: &Node<'_>| {
            let start = inner.source().as_ptr().addr();
            if (start..start.saturating_add(inner.source().len())).contains(&address) {
                path = inner.path_at(address);
            }
            Ok(())
        };
        // The syntax was checked, so there are no errors.
        let _ = match self.shape() {
            Shape::List => self.each(&mut look),
            Shape::Object => {
                self.entries().and_then(|it| it.iter().try_for_each(|(_, it)| look(&it)))
            }
            _ => Ok(()),
        };
        path
    }

    /// An error: something else is expected here.
    pub fn expected(&self, what: &str) -> Wrong {
        let found = match self.shape() {
            Shape::Null | Shape::Bool(_) | Shape::Number => head(self.source(), SHOWN).into_owned(),
            Shape::Text => head(self.source(), SHOWN).into_owned(),
            Shape::List => "a list".into(),
            Shape::Object => "an object".into(),
        };
        self.wrong(format!("expected {what}, found {found}"))
    }

    pub fn to_text(self) -> Result<Cow<'n, str>, Wrong> {
        if self.shape() != Shape::Text {
            return Err(self.expected("text"));
        }
        // Only text with escapes is copied.
        match serde_json::from_str::<&str>(self.source()) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(_) => match serde_json::from_str::<String>(self.source()) {
                Ok(text) => Ok(Cow::Owned(text)),
                Err(_) => Err(self.wrong("this text has escapes of invalid characters")),
            },
        }
    }

    /// The integer, if it is within these bounds.
    pub fn integer(&self, least: i128, most: i128) -> Result<i128, Wrong> {
        let number = self.source().parse().ok().filter(|_| self.shape() == Shape::Number);
        match number {
            Some(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(self.expected(&format!("an integer from {least} to {most}"))),
        }
    }

    /// The integer, if it is from 0 to `most`.
    pub fn unsigned(&self, most: u128) -> Result<u128, Wrong> {
        let number = self.source().parse().ok().filter(|_| self.shape() == Shape::Number);
        match number {
            Some(number) if number <= most => Ok(number),
            _ => Err(self.expected(&format!("an integer from 0 to {most}"))),
        }
    }

    /// Converts a number whose bounds were checked to the type with these bounds.
    pub fn narrow<T: TryFrom<N>, N: fmt::Display + Copy>(&self, number: N) -> Result<T, Wrong> {
        T::try_from(number).map_err(|_| self.wrong(format!("{number} is too large")))
    }

    /// Calls `look` with each item of a list.
    pub fn each(&self, look: &mut dyn FnMut(&Node<'_>) -> Result<(), Wrong>) -> Result<(), Wrong> {
        if self.shape() != Shape::List {
            return Err(self.expected("a list"));
        }
        let mut found = None;
        let items = Items { node: self, look, found: &mut found };
        let mut reader = serde_json::Deserializer::from_str(self.source());
        let ended = serde::de::DeserializeSeed::deserialize(items, &mut reader);
        match (found, ended) {
            (Some(wrong), _) => Err(wrong),
            (None, Ok(())) => Ok(()),
            (None, Err(error)) => Err(self.wrong(error.to_string())),
        }
    }

    /// Calls `make` with each item of a list, and returns the results.
    pub fn items<T>(
        &self,
        mut make: impl FnMut(&Node<'_>) -> Result<T, Wrong>,
    ) -> Result<Vec<T>, Wrong> {
        let mut items = Vec::new();
        self.each(&mut |item| {
            items.push(make(item)?);
            Ok(())
        })?;
        Ok(items)
    }

    /// Calls the functions with the two items of a list, and returns the results.
    pub fn pair<T, U>(
        &self,
        what: &str,
        first: impl FnOnce(&Node<'_>) -> Result<T, Wrong>,
        second: impl FnOnce(&Node<'_>) -> Result<U, Wrong>,
    ) -> Result<(T, U), Wrong> {
        let (mut first, mut second) = (Some(first), Some(second));
        let (mut one, mut two) = (None, None);
        if self.shape() != Shape::List {
            return Err(self.expected(what));
        }
        self.each(&mut |item| {
            if let Some(make) = first.take() {
                one = Some(make(item)?);
            } else if let Some(make) = second.take() {
                two = Some(make(item)?);
            } else {
                return Err(self.expected(what));
            }
            Ok(())
        })?;
        one.zip(two).ok_or_else(|| self.expected(what))
    }
}

/// The nesting depth of brackets, in valid syntax.
fn depth(source: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    let mut bytes = source.bytes();
    let mut is_text = false;
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_text = !is_text,
            b'\\' => drop(bytes.next()),
            b'[' | b'{' if !is_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !is_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

pub(super) fn u32(node: &Node<'_>) -> Result<u32, Wrong> {
    node.narrow(node.unsigned(u32::MAX.into())?)
}

pub(super) fn u8(node: &Node<'_>) -> Result<u8, Wrong> {
    node.narrow(node.unsigned(u8::MAX.into())?)
}

/// The path.
impl fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut steps = Vec::new();
        let mut node = Some(self);
        while let Some(Node { outer, step, .. }) = node {
            steps.push(step);
            node = *outer;
        }
        let mut dot = "";
        for step in steps.into_iter().rev() {
            match step {
                Step::Whole => continue,
                Step::Key(key) => write!(f, "{dot}{key}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
            dot = ".";
        }
        Ok(())
    }
}
