//! Values of random schemas: columns have the values that the library shows of the same bytes, with all options.
//!
//! Schemas and values come from the generators that the library and the official compilers are tested with. A failure
//! is shrunk.

use std::collections::BTreeMap;
use std::fmt;

use fourfold_schema::atd::{self, Presence};
use fourfold_schema::mol;
use fourfold_tables::{Error, Schema, Sums, Table};
use serde_json::Value;

use super::json::{self, Choices};
use crate::random::{self, Dice};
use crate::rows::{Outcome, made, read};
use crate::{atd_schemas, atd_values, mol_schemas, mol_values};

/// Number of schemas of each format.
const SCHEMAS: usize = 1_000;

/// Concatenated values of a type of a schema.
struct Case {
    text: String,
    schema: Schema,
    name: String,
    values: Vec<Value>,
    choices: Choices,
    kinds: Kinds,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { text, name, values, choices, .. } = self;
        let values: Vec<String> = values.iter().map(Value::to_string).collect();
        write!(f, "{text}\n{name}: {values:#?}\n{choices:?}")
    }
}

/// The number of values of each kind of type.
type Kinds = BTreeMap<&'static str, usize>;

fn choices(dice: &mut Dice, sums: &[Sums]) -> Choices {
    Choices { recursion: 1 + dice.below(3), sums: dice.one_of(sums), batch_rows: 1 + dice.below(3) }
}

/// Counts the kinds of biniou types in a type.
fn kinds_of_biniou(ty: atd::Type<'_>, depth: usize, kinds: &mut Kinds) {
    use atd::Shape;
    if depth > 6 {
        return;
    }
    let part = |ty: atd::Type<'_>, kinds: &mut Kinds| kinds_of_biniou(ty, depth + 1, kinds);
    let kind = match ty.shape() {
        Shape::Unit => "unit",
        Shape::Bool => "bool",
        Shape::Int(int) => match int {
            atd::Int::Svint => "svint",
            atd::Int::Uvint => "uvint",
            atd::Int::Int8 => "int8",
            atd::Int::Char => "char",
            atd::Int::Int16 => "int16",
            atd::Int::Int32 => "int32",
            _ => "int64",
        },
        Shape::Float(atd::Float::Float32) => "float32",
        Shape::Float(_) => "float64",
        Shape::String => "string",
        Shape::Record(fields) => {
            for field in fields.iter() {
                let presence = match field.presence() {
                    Presence::Required => "field",
                    Presence::Optional => "?field",
                    Presence::Default(None) => "~field",
                    Presence::Default(Some(_)) => "~field with a default",
                    other => panic!("{other:?}"),
                };
                *kinds.entry(presence).or_default() += 1;
                part(field.ty(), kinds);
            }
            "record"
        }
        Shape::Sum(variants) => {
            variants.iter().filter_map(atd::Variant::argument).for_each(|ty| part(ty, kinds));
            match variants.iter().any(|it| it.argument().is_some()) {
                true if variants.is_open() => "open enum",
                true => "sum type",
                false => "names",
            }
        }
        Shape::Tuple(cells) => {
            cells.iter().for_each(|cell| part(cell.ty(), kinds));
            match cells.iter().any(|it| it.default().is_some()) {
                true => "tuple with a default",
                false => "tuple",
            }
        }
        Shape::List(item) => {
            part(item, kinds);
            "list"
        }
        Shape::Object(item) => {
            part(item, kinds);
            "object"
        }
        Shape::Table(item) => {
            part(item, kinds);
            "table"
        }
        Shape::Option(inner) => {
            part(inner, kinds);
            match inner.shape() {
                Shape::Option(_) | Shape::Nullable(_) => "option of option",
                _ => "option",
            }
        }
        Shape::Nullable(inner) => {
            part(inner, kinds);
            "nullable"
        }
        Shape::Wrap(inner) => {
            part(inner, kinds);
            "wrap"
        }
        other => panic!("{other:?}"),
    };
    *kinds.entry(kind).or_default() += 1;
}

const OF_BINIOU: [&str; 30] = [
    "unit",
    "bool",
    "svint",
    "uvint",
    "int8",
    "char",
    "int16",
    "int32",
    "int64",
    "float32",
    "float64",
    "string",
    "field",
    "?field",
    "~field",
    "~field with a default",
    "record",
    "open enum",
    "sum type",
    "names",
    "tuple with a default",
    "tuple",
    "list",
    "object",
    "table",
    "option of option",
    "option",
    "nullable",
    "wrap",
    "cut",
];

/// Counts the kinds of Molecule types in a type.
fn kinds_of_molecule(ty: mol::Type<'_>, kinds: &mut Kinds) {
    use mol::Shape;
    let is_byte = |ty: mol::Type<'_>| ty.shape() == Shape::Byte;
    let part = |ty: mol::Type<'_>, kinds: &mut Kinds| kinds_of_molecule(ty, kinds);
    let kind = match ty.shape() {
        Shape::Byte => "byte",
        Shape::Array(item, _) if is_byte(item) && ty.integer().is_some() => "integer",
        Shape::Array(item, _) if is_byte(item) => "array of bytes",
        Shape::Array(item, _) => {
            part(item, kinds);
            "array"
        }
        Shape::FixVec(item) if is_byte(item) => "bytes",
        Shape::FixVec(item) => {
            part(item, kinds);
            "fixvec"
        }
        Shape::DynVec(item) => {
            part(item, kinds);
            "dynvec"
        }
        Shape::Struct(fields) => {
            fields.iter().for_each(|it| part(it.ty(), kinds));
            "struct"
        }
        Shape::Table(fields) => {
            fields.iter().for_each(|it| part(it.ty(), kinds));
            if fields.is_empty() { "empty table" } else { "table" }
        }
        Shape::Option(inner) => {
            part(inner, kinds);
            match inner.shape() {
                Shape::Option(_) => "option of option",
                Shape::Union(_) => "option of union",
                _ => "option",
            }
        }
        Shape::Union(items) => {
            items.iter().for_each(|it| part(it.ty(), kinds));
            "union"
        }
        other => panic!("{other:?}"),
    };
    *kinds.entry(kind).or_default() += 1;
}

const OF_MOLECULE: [&str; 15] = [
    "byte",
    "integer",
    "array of bytes",
    "array",
    "bytes",
    "fixvec",
    "dynvec",
    "struct",
    "empty table",
    "table",
    "option of option",
    "option of union",
    "option",
    "union",
    "union of Arrow",
];

/// A record around each type, and a value of each.
fn of_biniou(dice: &mut Dice, sums: &[Sums]) -> Case {
    let count = 1 + dice.below(5);
    let mut text = atd_schemas::definitions(dice, atd_schemas::Purpose::Values, count);
    let parsed = atd::Schema::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let names: Vec<&str> = parsed.types().filter_map(atd::Type::name).collect();
    // Many types have no columns of their own.
    for name in &names {
        text.push_str(&format!("type in_{name} = {{ it : {name} }}\n"));
    }
    let Some(name) = names.get(dice.below(names.len())) else {
        return of_biniou(dice, sums);
    };
    let name = format!("{}{name}", dice.one_of(&["in_", ""]));
    let parsed = atd::Schema::parse(&text).unwrap();
    let ty = parsed.get(&name).unwrap();
    let mut kinds = Kinds::new();
    kinds_of_biniou(ty, 0, &mut kinds);
    let values = (0..1 + dice.below(4)).map(|_| atd_values::value(ty, 0, dice)).collect();
    let choices = choices(dice, sums);
    Case { text, schema: Schema::from(parsed), name, values, choices, kinds }
}

/// Adapts the random numbers for the generator of Molecule.
struct Numbers<'d>(&'d mut Dice);

impl mol_schemas::Numbers for Numbers<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }
}

fn of_molecule(dice: &mut Dice, sums: &[Sums]) -> Case {
    let count = 1 + dice.below(8);
    // Names that make an array an integer.
    let integers =
        [("Uint16", 2), ("Int16", 2), ("Uint32", 4), ("Int64", 8), ("Uint64", 8), ("Uint128", 16)];
    let integers = integers.map(|(name, size)| (name.to_owned(), size));
    let others: Vec<String> = integers.iter().map(|(name, _)| name.clone()).collect();
    let mut text: String =
        integers.iter().map(|(name, size)| format!("array {name} [byte; {size}];\n")).collect();
    let purpose = mol_schemas::Purpose::Values;
    let made = mol_schemas::declarations(&mut Numbers(dice), purpose, count, 0, &others);
    text.push_str(&made.join("\n"));
    let parsed = mol::Schema::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let names: Vec<&str> = parsed.types().map(mol::Type::name).collect();
    for name in &names {
        text.push_str(&format!("\ntable in_{name} {{ it: {name}, }}"));
    }
    // The first names are the integers.
    let name = names.get(6 + dice.below(names.len() - 6)).unwrap_or(&names[0]);
    let name = format!("{}{name}", dice.one_of(&["in_", ""]));
    let parsed = mol::Schema::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let ty = parsed.get(&name).unwrap();
    let mut kinds = Kinds::new();
    kinds_of_molecule(ty, &mut kinds);
    // Vectors can be concatenated, as tables and fixed-size values.
    let is_one =
        ty.size().is_none() && !ty.shows_size() && !matches!(ty.shape(), mol::Shape::FixVec(_));
    let count = if is_one { 1 } else { 1 + dice.below(4) };
    let values = (0..count).map(|_| mol_values::value(ty, 0, dice)).collect();
    let choices = choices(dice, sums);
    Case { text, schema: Schema::from(parsed), name, values, choices, kinds }
}

/// The rows as the library shows them: the items of a list value.
fn shown(case: &Case, bytes: &[u8]) -> Vec<Value> {
    let name = &*case.name;
    let shown = match &case.schema {
        Schema::Biniou(schema) => serde_json::to_value(schema.to_value(bytes, name).unwrap()),
        Schema::Molecule(schema) => serde_json::to_value(schema.to_value(bytes, name).unwrap()),
        other => panic!("{other:?}"),
    };
    match (shown.unwrap(), is_list(case)) {
        (Value::Array(items), true) => items,
        (Value::Object(entries), true) => {
            entries.into_iter().map(|(key, value)| serde_json::json!([key, value])).collect()
        }
        (value, _) => vec![value],
    }
}

/// Whether the rows are the items of values.
fn is_list(case: &Case) -> bool {
    match &case.schema {
        Schema::Biniou(schema) => {
            let mut ty = schema.get(&case.name).unwrap();
            while let atd::Shape::Wrap(inner) = ty.shape() {
                ty = inner;
            }
            matches!(ty.shape(), atd::Shape::List(_) | atd::Shape::Table(_) | atd::Shape::Object(_))
        }
        Schema::Molecule(schema) => {
            let shape = schema.get(&case.name).unwrap().shape();
            matches!(shape, mol::Shape::DynVec(_) | mol::Shape::FixVec(_) | mol::Shape::Array(..))
        }
        other => panic!("{other:?}"),
    }
}

/// The counts of all cases.
#[derive(Debug, Default)]
struct Tally {
    without_columns: usize,
    rows: usize,
    columns: usize,
    kinds: Kinds,
}

fn check_case(case: &Case, tally: &mut Tally) {
    let Case { schema, name, values, choices, .. } = case;
    let table = match Table::with_options(schema, name, choices.options()) {
        Ok(table) => table,
        Err(Error::NoRecord { .. }) => {
            tally.without_columns += 1;
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let (mut bytes, mut expected) = (Vec::new(), Vec::new());
    for value in values {
        let one = made(schema, value, name);
        expected.extend(shown(case, &one));
        bytes.extend(one);
    }
    let Outcome { rows, batches, error } = read(&table, &*bytes);
    assert_eq!(error, None);
    assert!(batches.iter().rev().skip(1).all(|rows| *rows == choices.batch_rows), "{batches:?}");
    assert_eq!(rows.len(), expected.len());
    for (row, shown) in rows.iter().zip(&expected) {
        let json = json::row(schema, choices.sums, name, row);
        assert!(json::is_same(shown, &json), "{shown}\n{json}\n{row}");
    }
    tally.rows += rows.len();
    tally.columns += table.schema().fields().len();
    for (kind, count) in &case.kinds {
        *tally.kinds.entry(kind).or_default() += count;
    }
    let columns = table.schema().to_string();
    // For biniou, no other column is bytes here.
    let is_cut = matches!(schema, Schema::Biniou(_)) && columns.contains("Binary");
    let also = [(is_cut, "cut"), (columns.contains("Union("), "union of Arrow")];
    for (_, kind) in also.iter().filter(|(is_met, _)| *is_met) {
        *tally.kinds.entry(kind).or_default() += 1;
    }
}

fn check(name: &str, make: impl Fn(&mut Dice) -> Case, kinds: &[&str]) {
    let mut tally = Tally::default();
    random::check(name, SCHEMAS, make, |_, case| check_case(&case, &mut tally));
    println!("{name}: {SCHEMAS} schemas, {tally:?}");
    let missed: Vec<_> = kinds
        .iter()
        .filter(|kind| tally.kinds.get(**kind).is_none_or(|count| *count == 0))
        .collect();
    assert!(missed.is_empty(), "no values of {missed:?}");
    assert!(SCHEMAS - tally.without_columns >= 200 && tally.rows > SCHEMAS, "{tally:?}");
}

#[test]
fn columns_of_random_schemas_of_biniou_have_what_the_library_shows() {
    check("tables of atd schemas", |dice| of_biniou(dice, &[Sums::Struct]), &OF_BINIOU);
}

#[test]
fn unions_of_random_schemas_of_biniou_have_what_the_library_shows() {
    check("unions of atd schemas", |dice| of_biniou(dice, &[Sums::Union]), &OF_BINIOU);
}

#[test]
fn columns_of_random_schemas_of_molecule_have_what_the_library_shows() {
    let kinds = &OF_MOLECULE[..OF_MOLECULE.len() - 1];
    check("tables of mol schemas", |dice| of_molecule(dice, &[Sums::Struct]), kinds);
}

#[test]
fn unions_of_random_schemas_of_molecule_have_what_the_library_shows() {
    check("unions of mol schemas", |dice| of_molecule(dice, &[Sums::Union]), &OF_MOLECULE);
}

/// Errors of damaged bytes are those of the library.
#[test]
fn damaged_values_of_random_schemas_are_refused_as_the_library_does() {
    let (mut good, mut bad, mut only_here) = (0, 0, 0);
    let make = |dice: &mut Dice| {
        let mut case = of_biniou(dice, &[Sums::Struct]);
        // One row, a record.
        case.name = format!("in_{}", case.name.trim_start_matches("in_"));
        let Schema::Biniou(schema) = &case.schema else { panic!("{case:?}") };
        let ty = schema.get(&case.name).unwrap();
        let bytes = made(&case.schema, &atd_values::value(ty, 0, dice), &case.name);
        let bytes = crate::atd_damage::damage(bytes.clone(), &[bytes], dice);
        (case, bytes)
    };
    random::check("damaged tables of atd schemas", 4 * SCHEMAS, make, |_, (case, bytes)| {
        let Schema::Biniou(schema) = &case.schema else { panic!("{case:?}") };
        // Only a record, or a value that is cut off, has this first byte.
        if bytes.first() != Some(&21) {
            return;
        }
        let table = Table::with_options(&case.schema, &case.name, case.choices.options()).unwrap();
        let found = read(&table, &*bytes);
        let file = fourfold::biniou::File::from_slice(&bytes);
        let mut values = schema.values_of(&file, &case.name).unwrap();
        let (mut count, mut error) = (0, None);
        for value in &mut values {
            match value {
                Ok(_) => count += 1,
                Err(other) => error = Some(format!("row {count}: {}", other.without_hint())),
            }
        }
        // A file of records may contain lists of records.
        let is_list = |error: &String| {
            ["array", "table"].iter().any(|it| error.contains(&format!("{it}, expected record at")))
        };
        if error.as_ref().is_some_and(is_list) {
            return;
        }
        match (&error, &found.error) {
            (None, None) => good += 1,
            (Some(error), Some(found)) if error == found => bad += 1,
            // Columns accept only UTF-8, and no wider integers than the schema's.
            (_, Some(found)) if found.contains("utf-8") || found.contains("does not fit in") => {
                only_here += 1;
                return;
            }
            _ => panic!("{error:?}, but {:?}\n{bytes:?}", found.error),
        }
        assert_eq!(found.rows.len(), count);
    });
    println!("{good} good, {bad} bad, {only_here} only here");
    assert!(good > SCHEMAS / 4 && bad > SCHEMAS && only_here > 10, "{good} {bad} {only_here}");
}
