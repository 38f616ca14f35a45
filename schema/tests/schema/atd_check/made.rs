//! Schemas generated from Rust types: they are equal to the schemas that the types were written for, and OCaml reads and
//! writes the same values with them.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Mutex;

use fourfold::biniou;
use fourfold_schema::atd::{Presence, Schema, Shape, Type, schema_of};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{FIXTURES, for_each_type};
use crate::atd_random::{Answer, Question, Reference};
use crate::ocaml_types::{Test, fixture, with_type};

/// The structure of a type, without names and wraps. An object is a list of pairs, and a nullable is an option. `~` is
/// kept only for types with a default of their own.
pub(crate) fn described(ty: Type<'_>) -> String {
    describe(ty, &mut Vec::new())
}

/// The same, nested in the types `open`.
fn describe(ty: Type<'_>, open: &mut Vec<String>) -> String {
    let mut part = |ty: Type<'_>| describe(ty, open);
    match ty.shape() {
        Shape::Wrap(inner) => part(inner),
        Shape::List(item) => format!("{} list", part(item)),
        Shape::Object(item) => format!("{} list", part(item)),
        Shape::Table(item) => format!("{} table", part(item)),
        Shape::Option(inner) | Shape::Nullable(inner) => format!("{} option", part(inner)),
        Shape::Tuple(cells) => {
            let cells: Vec<String> = cells.iter().map(|cell| part(cell.ty())).collect();
            format!("({})", cells.join(" * "))
        }
        Shape::Record(_) | Shape::Sum(_) => {
            let own = format!("{ty:?}");
            if let Some(at) = open.iter().rposition(|name| *name == own) {
                return format!("^{}", open.len() - at);
            }
            open.push(own);
            let parts = parts(ty, open);
            open.pop();
            parts
        }
        shape => format!("{shape:?}"),
    }
}

fn parts(ty: Type<'_>, open: &mut Vec<String>) -> String {
    let parts: Vec<String> = match ty.shape() {
        Shape::Record(fields) => {
            let field = |field: fourfold_schema::atd::Field<'_>| {
                let sign = match field.presence() {
                    Presence::Optional => "?",
                    Presence::Default(_) if has_default(field.ty().shape()) => "~",
                    _ => "",
                };
                format!("{sign}{}: {}", field.name(), describe(field.ty(), open))
            };
            fields.iter().map(field).collect()
        }
        Shape::Sum(variants) => {
            let variant = |variant: fourfold_schema::atd::Variant<'_>| match variant.argument() {
                Some(ty) => format!("{} of {}", variant.name(), describe(ty, open)),
                None => variant.name().to_owned(),
            };
            variants.iter().map(variant).collect()
        }
        _ => Vec::new(),
    };
    format!("{{{}}}", parts.join(", "))
}

fn has_default(shape: Shape<'_>) -> bool {
    !matches!(
        shape,
        Shape::Record(_) | Shape::Sum(_) | Shape::Tuple(_) | Shape::Option(_) | Shape::Nullable(_)
    )
}

/// Checks that the schema generated from a type is the one that it was written for.
struct Made(String, Schema);

impl Test for Made {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String> {
        let Made(name, written) = self;
        let made = schema_of::<T>().map_err(|error| format!("{name}:\n{error}"))?;
        let root = made.types().last().unwrap();
        let (own, official) = (described(root), described(written.get(name).unwrap()));
        if own != official {
            return Err(format!("{name}:\n{own}\n{official}\n{made}"));
        }
        made.check::<T>(root.name().unwrap()).map_err(|error| format!("{name}:\n{error}\n{made}"))
    }
}

#[test]
fn the_schema_of_a_type_is_the_one_it_was_written_for() {
    for_each_type(Made);
}

/// Types of the fixtures with another default than atdgen: it leaves out fields that they require.
const OWN_DEFAULTS: [&str; 1] = ["feat.default_record"];

/// Generates the schema of a type and stores it with the name.
struct Text<'a>(&'a str, &'a Mutex<Vec<(String, String, Vec<String>)>>);

impl Test for Text<'_> {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String> {
        let made = schema_of::<T>().map_err(|error| error.to_string())?;
        let root = made.types().last().unwrap().name().unwrap().to_owned();
        self.1.lock().unwrap().push((self.0.to_owned(), made.to_string(), vec![root]));
        Ok(())
    }
}

/// Reads the bytes of a file as a type and writes them again.
struct Bytes<'a>(&'a [u8], &'a Mutex<Vec<u8>>);

impl Test for Bytes<'_> {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String> {
        let value: T = biniou::from_slice(self.0).map_err(|error| error.to_string())?;
        *self.1.lock().unwrap() = biniou::to_vec(&value).map_err(|error| error.to_string())?;
        Ok(())
    }
}

/// Checks that two messages have the same value.
struct Same<'a>(&'a [u8], &'a [u8]);

impl Test for Same<'_> {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String> {
        let read = |bytes| biniou::from_slice::<T>(bytes).map_err(|error| error.to_string());
        let (one, other) = (read(self.0)?, read(self.1)?);
        // NaN is not equal to itself.
        match one == other || format!("{one:?}") == format!("{other:?}") {
            true => Ok(()),
            false => Err(format!("{one:?}\n{other:?}")),
        }
    }
}

#[test]
fn ocaml_reads_and_writes_values_with_the_schema_of_a_type() {
    if !crate::values::is_ocaml_installed() {
        return;
    }
    let files: Vec<(String, String)> = ["data", "typed"]
        .iter()
        .flat_map(|folder| {
            let names = FIXTURES.names(folder, "biniou").into_iter();
            names.map(move |name| {
                (format!("{folder}/{name}.biniou"), fixture::type_of(&name).to_owned())
            })
        })
        .collect();
    let names: BTreeSet<&str> = files.iter().map(|(_, name)| &**name).collect();
    let schemas = Mutex::new(Vec::new());
    for name in names.iter().filter(|name| !OWN_DEFAULTS.contains(name)) {
        with_type(name, &Text(name, &schemas)).unwrap();
    }
    let schemas = schemas.into_inner().unwrap();
    let reference = Reference::new(schemas.iter().map(|(_, text, names)| (&**text, &**names)));
    let mut questions = Vec::new();
    for (path, name) in &files {
        let Some(at) = schemas.iter().position(|(own, ..)| own == name) else { continue };
        let (file, own) = (FIXTURES.bytes(path), Mutex::new(Vec::new()));
        with_type(name, &Bytes(&file, &own)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let kind = format!("{at}.{}", schemas[at].2[0]);
        questions.push((path, name, kind, own.into_inner().unwrap()));
    }
    let questions_by_kind: Vec<_> = questions
        .iter()
        .map(|(.., kind, bytes)| (&**kind, Question::Bytes(bytes.clone())))
        .collect();
    let mut same = 0;
    for ((path, name, _, bytes), answer) in
        questions.iter().zip(reference.answers(&questions_by_kind))
    {
        let Answer::Bytes(Ok((Some(theirs), _))) = answer else { panic!("{path}: {answer:?}") };
        with_type(name, &Same(bytes, &theirs)).unwrap_or_else(|error| panic!("{path}: {error}"));
        same += usize::from(theirs == *bytes);
    }
    let count = questions.len();
    println!("{count} values by {} schemas, {same} with the same bytes", schemas.len());
    assert!(count > 100 && same * 4 > count * 3, "{same} of {count}");
}
