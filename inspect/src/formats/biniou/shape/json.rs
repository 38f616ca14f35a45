//! Serializes shapes as JSON.

use fourfold::biniou::{Dictionary, Tag};
use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};

use super::{Field, Fields, Kind, Parts, Shape, word};
use crate::model::spelled;

/// A shape as a list of kinds, with names if they are known.
pub(in crate::formats::biniou) struct Named<'a> {
    pub(in crate::formats::biniou) shape: &'a Shape,
    pub(in crate::formats::biniou) names: &'a Dictionary,
}

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.names;
        let mut kinds = serializer.serialize_seq(Some(self.shape.kinds.len()))?;
        for kind in &self.shape.kinds {
            kinds.serialize_element(&NamedKind { kind, names })?;
        }
        kinds.end()
    }
}

struct NamedKind<'a> {
    kind: &'a Kind,
    names: &'a Dictionary,
}

impl Serialize for NamedKind<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.names;
        let named = |shape| Named { shape, names };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", word(self.kind.tag))?;
        map.serialize_entry("count", &self.kind.count)?;
        match &self.kind.parts {
            Parts::None => {}
            Parts::Items { least, most, item } => {
                map.serialize_entry("least_items", least)?;
                map.serialize_entry("most_items", most)?;
                map.serialize_entry("item", &named(item))?;
            }
            Parts::Tuples(tuples) => {
                let tuples: Vec<Vec<Named<'_>>> =
                    tuples.values().map(|items| items.iter().map(named).collect()).collect();
                map.serialize_entry("tuples", &tuples)?;
            }
            Parts::Fields { records, fields } => {
                map.serialize_entry("records", records)?;
                map.serialize_entry("fields", &NamedFields { fields, names, numbered: false })?;
            }
            Parts::Variants(fields) => {
                let numbered = self.kind.tag == Tag::NumVariant;
                map.serialize_entry("variants", &NamedFields { fields, names, numbered })?;
            }
        }
        map.end()
    }
}

struct NamedFields<'a> {
    fields: &'a Fields,
    names: &'a Dictionary,
    numbered: bool,
}

impl Serialize for NamedFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Row<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            number: Option<u32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            hash: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            name: Option<&'a str>,
            count: u64,
            shape: Named<'a>,
        }
        let names = self.names;
        serializer.collect_seq(self.fields.list.iter().map(|Field { hash, count, shape }| Row {
            number: self.numbered.then_some(*hash),
            hash: (!self.numbered).then(|| spelled(*hash)),
            name: names.name(*hash).filter(|_| !self.numbered),
            count: *count,
            shape: Named { shape, names },
        }))
    }
}
