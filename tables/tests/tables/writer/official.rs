//! Files of the official implementations are reproduced byte for byte.

use std::fs;
use std::path::{Path, PathBuf};

use fourfold_tables::{Form, Options, Schema};
use serde::de::value::{BytesDeserializer, MapDeserializer};

use super::{again, choices};

fn fixtures(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures").join(path)
}

/// Values of all types that atdgen has written, each as a field of a record.
#[test]
fn values_of_ocaml_are_the_same_again() {
    let mut count = 0;
    for entry in fs::read_dir(fixtures("biniou/typed")).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(named) = file.strip_suffix(".biniou") else { continue };
        let (schema, rest) = named.split_once('.').unwrap();
        let (ty, _) = rest.split_once('-').unwrap();
        let text = fs::read_to_string(fixtures(&format!("biniou/schemas/{schema}.atd"))).unwrap();
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
    #[derive(serde::Deserialize)]
    struct Case {
        r#type: String,
        hex: String,
    }
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(fixtures("molecule/schemas")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let mut files: Vec<PathBuf> = fs::read_dir(fixtures("molecule/values"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "json"))
        .collect();
    files.push(fixtures("molecule/vectors.json"));
    let mut count = 0;
    for file in files {
        let cases: Vec<Case> = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        for case in cases {
            let (schema, ty) = case.r#type.split_once('.').unwrap();
            let path = folder.path().join("in_a_row.mol");
            fs::write(&path, format!("import {schema};\ntable InARow {{ value: {ty}, }}")).unwrap();
            let schema = Schema::from_file(&path).unwrap();
            let digits = case.hex.trim_start_matches("0x");
            let value: Vec<u8> = (0..digits.len() / 2)
                .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap())
                .collect();
            let size = u32::try_from(value.len() + 8).unwrap();
            let bytes = [&size.to_le_bytes()[..], &[8, 0, 0, 0], &value].concat();
            for options in choices().into_iter().filter(|it| *it != Options::new()) {
                let made = again(&schema, "InARow", options.clone(), &bytes, Form::Values);
                assert_eq!(made.as_deref(), Ok(&*bytes), "{} {options:?}", case.r#type);
            }
            count += 1;
        }
    }
    assert!(count > 900, "{count}");
}
