//! Files that OCaml wrote.

use std::collections::BTreeMap;

use fourfold::biniou::{File, hash};
use fourfold_schema::atd::{self, Shape};
use fourfold_tables::{Error, Schema, Table};
use serde_json::{Value, json};

use super::json::{self, Choices};
use super::{bytes, fixture, names, text};
use crate::rows::{Outcome, read};

/// The schemas of the fixtures, with an added record `in_TYPE` for every type, whose only field `it` has that type.
fn schemas() -> BTreeMap<String, Schema> {
    let files = names("biniou/schemas", ".atd").into_iter();
    let schemas = files.map(|file| {
        let mut text = text(&format!("biniou/schemas/{file}"));
        let parsed = atd::Schema::parse(&text).unwrap();
        for ty in parsed.types().filter_map(atd::Type::name) {
            text.push_str(&format!("type in_{ty} = {{ it : {ty} }}\n"));
        }
        (file.strip_suffix(".atd").unwrap().to_owned(), Schema::biniou(&text).unwrap())
    });
    schemas.collect()
}

/// A record that contains the bytes of a value.
fn record_of(value: &[u8]) -> Vec<u8> {
    [&[21, 1][..], &(hash("it") | 1 << 31).to_be_bytes(), value].concat()
}

/// The rows of a file as the library's JSON of its values: the items of lists.
fn shown(schema: &Schema, bytes: &[u8], name: &str) -> Result<Vec<Value>, String> {
    let Schema::Biniou(schema) = schema else { panic!("{schema:?}") };
    let file = File::from_slice(bytes);
    let is_list = matches!(
        schema.get(name).unwrap().shape(),
        Shape::List(_) | Shape::Table(_) | Shape::Object(_)
    );
    let mut rows = Vec::new();
    for value in schema.values_of(&file, name).unwrap() {
        let value = value.map_err(|error| error.without_hint().to_string())?;
        match serde_json::to_value(value).map_err(|error| error.to_string())? {
            Value::Array(items) if is_list => rows.extend(items),
            Value::Object(entries) if is_list => {
                rows.extend(entries.into_iter().map(|(key, value)| json!([key, value])));
            }
            value => rows.push(value),
        }
    }
    Ok(rows)
}

fn assert_same(name: &str, shown: &[Value], json: &[Value]) {
    assert_eq!(shown.len(), json.len(), "{name}");
    for (index, (shown, json)) in shown.iter().zip(json).enumerate() {
        assert!(json::is_same(shown, json), "{name}, row {index}: {shown}, but {json}");
    }
}

/// The rows of a file in columns, as the library's JSON.
fn json(schema: &Schema, choices: Choices, name: &str, bytes: &[u8]) -> Result<Vec<Value>, String> {
    let table = Table::with_options(schema, name, choices.options()).unwrap();
    match read(&table, bytes) {
        Outcome { error: Some(error), .. } => Err(error),
        Outcome { rows, .. } => {
            Ok(rows.iter().map(|row| json::row(schema, choices.sums, name, row)).collect())
        }
    }
}

#[test]
fn files_of_ocaml_have_the_rows_that_the_library_shows() {
    let schemas = schemas();
    let (mut files, mut rows) = (0, 0);
    let folders =
        [("data", ".biniou"), ("multi", ".biniou"), ("stream", ".stream"), ("typed", ".biniou")];
    for (folder, end) in folders {
        for file in names(&format!("biniou/{folder}"), end) {
            let (schema, rest) = file.split_once('.').unwrap();
            let (name, _) = rest.split_once('-').unwrap();
            let schema = &schemas[schema];
            let bytes = bytes(&format!("biniou/{folder}/{file}"));
            match Table::new(schema, name) {
                Ok(_) => {}
                Err(Error::NoRecord { .. }) => continue,
                Err(error) => panic!("{error}"),
            }
            let shown = shown(schema, &bytes, name).unwrap();
            for choices in
                [Choices::USUAL, Choices { recursion: 5, batch_rows: 2, ..Choices::USUAL }]
            {
                assert_same(&file, &shown, &json(schema, choices, name, &bytes).unwrap());
            }
            files += 1;
            rows += shown.len();
        }
    }
    println!("{files} files, {rows} rows");
    assert!(files > 60 && rows > 140, "{files} files, {rows} rows");
}

#[test]
fn values_of_ocaml_are_the_same_in_a_column() {
    let schemas = schemas();
    let mut count = 0;
    for file in names("biniou/typed", ".biniou") {
        let (schema, rest) = file.split_once('.').unwrap();
        let (name, _) = rest.split_once('-').unwrap();
        let (schema, name) = (&schemas[schema], format!("in_{name}"));
        let bytes = record_of(&bytes(&format!("biniou/typed/{file}")));
        let shown = shown(schema, &bytes, &name).unwrap();
        assert_same(&file, &shown, &json(schema, Choices::USUAL, &name, &bytes).unwrap());
        count += 1;
    }
    println!("{count} values");
    assert!(count > 140, "{count}");
}

/// For everything that OCaml's readers accept or refuse, columns have the library's values and error texts.
#[test]
fn what_ocaml_refuses_is_refused() {
    let schemas = schemas();
    let (mut good, mut bad, mut wide) = (0, 0, 0);
    for line in text("biniou/MANIFEST.md").lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, file, ty, ..] = cells[..] else { continue };
        let path = format!("biniou/reader/{file}.biniou");
        let Some((schema, name)) = ty.split_once('.') else { continue };
        if !fixture(&path).exists() {
            continue;
        }
        let (schema, name) = (&schemas[schema], format!("in_{name}"));
        let bytes = record_of(&bytes(&path));
        let row =
            |error: String| format!("row {}: {error}", usize::from(file.contains("trailing")));
        match (shown(schema, &bytes, &name), json(schema, Choices::USUAL, &name, &bytes)) {
            (Ok(shown), Ok(json)) => {
                assert_same(file, &shown, &json);
                good += 1;
            }
            (Err(shown), Err(json)) => {
                assert_eq!(row(shown), json, "{file}");
                bad += 1;
            }
            // OCaml's integers are wider than the column.
            (Ok(_), Err(json)) if json.contains("does not fit in the") => wide += 1,
            (shown, json) => panic!("{file}: {shown:?}, but {json:?}"),
        }
    }
    println!("{good} good, {bad} bad, {wide} too wide");
    assert!(good > 40 && bad > 40 && wide > 0, "{good} good, {bad} bad");
}
