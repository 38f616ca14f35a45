//! The attributes of a node.

use std::cell::RefCell;
use std::collections::HashMap;

use bytes::Bytes;

use super::Lowered;
use crate::attribute::Value;
use crate::proto::{Attribute, Graph, Tensor};

/// Attributes by name. Those that nobody has looked at are refused: they may change what the node computes.
pub(super) struct Attributes<'a> {
    unread: RefCell<HashMap<&'a str, &'a Attribute>>,
}

impl<'a> Attributes<'a> {
    pub(super) fn of(attributes: &'a [Attribute]) -> Self {
        let by_name = attributes.iter().map(|attribute| (attribute.name.as_str(), attribute));
        Attributes { unread: RefCell::new(by_name.collect()) }
    }

    fn take(&self, name: &str) -> Lowered<Option<Value<'a>>> {
        let Some(attribute) = self.unread.borrow_mut().remove(name) else { return Ok(None) };
        attribute.value().map(Some).ok_or_else(|| format!("attribute {name} has no value"))
    }

    pub(super) fn int(&self, name: &str) -> Lowered<Option<i64>> {
        match self.take(name)? {
            None => Ok(None),
            Some(Value::Int(value)) => Ok(Some(value)),
            Some(_) => Err(format!("attribute {name} is no integer")),
        }
    }

    pub(super) fn flag(&self, name: &str, default: bool) -> Lowered<bool> {
        match self.int(name)? {
            None => Ok(default),
            Some(0) => Ok(false),
            Some(1) => Ok(true),
            Some(other) => Err(format!("{name} is {other}; 0 or 1 is expected")),
        }
    }

    pub(super) fn float(&self, name: &str, default: f32) -> Lowered<f32> {
        Ok(self.float_if(name)?.unwrap_or(default))
    }

    pub(super) fn float_if(&self, name: &str) -> Lowered<Option<f32>> {
        match self.take(name)? {
            None => Ok(None),
            Some(Value::Float(value)) => Ok(Some(value)),
            Some(_) => Err(format!("attribute {name} is no number")),
        }
    }

    pub(super) fn floats(&self, name: &str) -> Lowered<Option<&'a [f32]>> {
        match self.take(name)? {
            None => Ok(None),
            Some(Value::Floats(values)) => Ok(Some(values)),
            Some(_) => Err(format!("attribute {name} is no list of numbers")),
        }
    }

    pub(super) fn ints(&self, name: &str) -> Lowered<Option<&'a [i64]>> {
        match self.take(name)? {
            None => Ok(None),
            Some(Value::Ints(values)) => Ok(Some(values)),
            Some(_) => Err(format!("attribute {name} is no list of integers")),
        }
    }

    pub(super) fn text(&self, name: &str, default: &'static str) -> Lowered<&'a str> {
        match self.take(name)? {
            None => Ok(default),
            Some(Value::String(text)) => {
                std::str::from_utf8(text).map_err(|_| format!("attribute {name} is not UTF-8"))
            }
            Some(_) => Err(format!("attribute {name} is no text")),
        }
    }

    pub(super) fn texts(&self, name: &str) -> Lowered<Option<&'a [Bytes]>> {
        match self.take(name)? {
            None => Ok(None),
            Some(Value::Strings(texts)) => Ok(Some(texts)),
            Some(_) => Err(format!("attribute {name} is no list of texts")),
        }
    }

    pub(super) fn tensor(&self, name: &str) -> Lowered<Option<&'a Tensor>> {
        match self.take(name)? {
            None => Ok(None),
            Some(Value::Tensor(tensor)) => Ok(Some(tensor)),
            Some(_) => Err(format!("attribute {name} is no tensor")),
        }
    }

    pub(super) fn graph(&self, name: &str) -> Lowered<&'a Graph> {
        match self.take(name)? {
            Some(Value::Graph(graph)) => Ok(graph),
            _ => Err(format!("attribute {name} is no graph")),
        }
    }

    /// Refuses an attribute that is not what TenniS does.
    pub(super) fn only(&self, name: &str, value: i64) -> Lowered {
        match self.int(name)? {
            Some(found) if found != value => {
                Err(format!("{name} is {found}, TenniS has {value} only"))
            }
            _ => Ok(()),
        }
    }

    /// Leaves out an attribute that does not change what is computed.
    pub(super) fn ignore(&self, name: &str) {
        self.unread.borrow_mut().remove(name);
    }

    /// Refuses attributes that were not read.
    pub(super) fn finish(&self) -> Lowered {
        match self.unread.borrow().keys().min() {
            Some(name) => Err(format!("attribute {name:?} is unknown")),
            None => Ok(()),
        }
    }
}
