//! Files of the official implementations are reproduced byte for byte.

use std::fs;

use fourfold_tables::{Form, Options, Schema};
use serde::de::value::{BytesDeserializer, MapDeserializer};

use super::{again, choices};
use crate::values::{fixture, molecule, text};

/// Values of all types that atdgen has written, each as a field of a record.
#[test]
fn values_of_ocaml_are_the_same_again() {
    let mut count = 0;
    for entry in fs::read_dir(fixture("biniou/typed")).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(named) = file.strip_suffix(".biniou") else { continue };
        let (schema, rest) = named.split_once('.').unwrap();
        let (ty, _) = rest.split_once('-').unwrap();
        let text = text(&format!("biniou/schemas/{schema}.atd"));
        let schema =
            Schema::biniou(&format!("{text}\ntype in_a_row = {{ value : {ty} }}")).unwrap();
        let Schema::Biniou(atd) = &schema else { panic!("it is one of biniou") };
        let value = fs::read(&path).unwrap();
        let is_string = value[0] == 18;
        let content = if is_string { &value[2..] } else { &value[..] };
        let entries = [(0u64, BytesDeserializer::<serde::de::value::Error>::new(content))];
        let entries = entries.map(|(key, value)| (key, Bytes(value)));
        let row = atd.get("in_a_row").unwrap();
        let bytes = row.make(MapDeserializer::new(entries.into_iter())).unwrap();
        assert!(bytes.ends_with(&value), "{file}");
        for options in choices() {
            let made = again(&schema, "in_a_row", options.clone(), &bytes, Form::Values);
            assert_eq!(made.as_deref(), Ok(&*bytes), "{file} {options:?}");
        }
        count += 1;
    }
    assert!(count > 100, "{count}");
}

/// A deserializer of bytes.
struct Bytes<'a>(BytesDeserializer<'a, serde::de::value::Error>);

impl<'a, 'de> serde::de::IntoDeserializer<'de> for Bytes<'a> {
    type Deserializer = BytesDeserializer<'a, serde::de::value::Error>;

    fn into_deserializer(self) -> Self::Deserializer {
        self.0
    }
}

/// Values of all types that the official implementation of Molecule has written, each as a field of a table.
#[test]
fn values_of_molecule_are_the_same_again() {
    let schemas = molecule::schemas();
    let mut values = molecule::values();
    values.extend(molecule::cases("molecule/vectors.json"));
    for (schema, ty, value) in &values {
        let bytes = molecule::table_of(value);
        for options in choices().into_iter().filter(|it| *it != Options::new()) {
            let made =
                again(&schemas[schema], &format!("In{ty}"), options.clone(), &bytes, Form::Values);
            assert_eq!(made.as_deref(), Ok(&*bytes), "{schema}.{ty} {options:?}");
        }
    }
    assert!(values.len() > 900, "{}", values.len());
}
