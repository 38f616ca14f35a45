//! Values of random `.atd` schemas, compared with OCaml code that atdgen generates from the schemas.
//!
//! A machine without OCaml skips this with a printed line, unless `CI` is set.

#[path = "atd_random/damage.rs"]
mod damage;
#[path = "atd_random/ocaml.rs"]
mod ocaml;
#[path = "atd_random/schemas.rs"]
mod schemas;
#[path = "atd_random/sets.rs"]
mod sets;
#[path = "atd_random/unknown.rs"]
mod unknown;
#[path = "atd_random/values.rs"]
mod values;

use std::fmt;

use fourfold::biniou::{ErrorKind, Tag};
use fourfold_schema::atd::{Schema, Type};
use serde_json::Value;

use self::damage::damage;
use self::ocaml::Read;
pub(crate) use self::ocaml::{Answer, Question, Reference};
pub(crate) use self::schemas::{Purpose, definitions};
use self::unknown::stops_ocaml;
use crate::random::Dice;
use crate::values::{make, to_json};

const SCHEMAS: usize = 300;
/// Of each type.
const VALUES: usize = 5;
/// Of each value.
const DAMAGED: usize = 8;

/// Schemas with their texts, and the names of their types.
fn schemas(dice: &mut Dice) -> Vec<(String, Schema, Vec<String>)> {
    let one = |_| {
        let count = 1 + dice.below(5);
        let text = definitions(dice, Purpose::Values, count);
        let schema = Schema::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        // OCaml has no readers and writers for other types.
        let names = schema.types().filter_map(Type::name).filter(|name| !name.starts_with('_'));
        let names = names.map(str::to_owned).collect();
        (text, schema, names)
    };
    (0..SCHEMAS).map(one).collect()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Whether a value is the default of a `~field` in these schemas.
fn is_default(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => {
            number.as_f64().is_some_and(|number| number == 0.0 || number == 7.0)
        }
        Value::String(text) => matches!(&**text, "" | "0" | "None"),
        Value::Array(list) => list.is_empty(),
        Value::Object(object) => object.is_empty(),
    }
}

/// Whether two values are equal, up to fields with their default, which may be left out.
fn agree(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let mut keys = one.keys().chain(other.keys());
            keys.all(|key| match (one.get(key), other.get(key)) {
                (Some(one), Some(other)) => agree(one, other),
                (value, None) | (None, value) => value.is_none_or(is_default),
            })
        }
        (Value::Array(one), Value::Array(other)) => {
            // A trailing cell that is left out has no JSON here.
            let rest = one.iter().skip(other.len()).chain(other.iter().skip(one.len()));
            rest.clone().count() <= 1
                && rest.into_iter().all(|cell| cell.as_i64() == Some(7))
                && one.iter().zip(other).all(|(one, other)| agree(one, other))
        }
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}

/// A value of a type of one of the schemas.
struct Case<'s> {
    kind: String,
    text: &'s str,
    schema: &'s Schema,
    name: &'s str,
    json: String,
    bytes: Vec<u8>,
}

impl fmt::Debug for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { text, name, json, bytes, .. } = self;
        write!(f, "{text}{name}: {json}\n{bytes:?}")
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn values_of_random_schemas_agree_with_ocaml() {
    if !crate::values::is_ocaml_installed() {
        return;
    }
    let mut dice = Dice::of("values of atd schemas");
    let schemas = schemas(&mut dice);
    let reference = Reference::new(schemas.iter().map(|(text, _, names)| (&**text, &**names)));
    let mut cases = Vec::new();
    for (number, (text, schema, names)) in schemas.iter().enumerate() {
        for name in names {
            for _ in 0..VALUES {
                let json = values::value(schema.get(name).unwrap(), 0, &mut dice).to_string();
                let bytes =
                    make(schema, &json, name).unwrap_or_else(|error| panic!("{error}: {json}"));
                let kind = format!("{number}.{name}");
                cases.push(Case { kind, text, schema, name, json, bytes });
            }
        }
    }
    check_values(&reference, &cases);
    check_damaged(&reference, &cases, &mut dice);
}

fn check_values(reference: &Reference, cases: &[Case<'_>]) {
    let questions = cases.iter().flat_map(|case| {
        [Question::Bytes(case.bytes.clone()), Question::Json(case.json.clone())]
            .map(|question| (&*case.kind, question))
    });
    let questions: Vec<_> = questions.collect();
    let answers = reference.answers(&questions);
    let mut same = 0;
    for (case, answers) in cases.iter().zip(answers.chunks(2)) {
        let Case { schema, name, json, bytes, .. } = case;
        let [Answer::Bytes(read), Answer::Json(written)] = answers else { panic!("{answers:?}") };
        let shown = to_json(schema, bytes, name).unwrap();
        assert!(agree(&parsed(&shown), &parsed(json)), "{shown}\n{case:?}");
        let (again, official) = read.clone().unwrap_or_else(|error| panic!("{error}\n{case:?}"));
        let official = official.unwrap_or_else(|| panic!("no JSON\n{case:?}"));
        let again = again.unwrap_or_else(|| panic!("no bytes\n{case:?}"));
        assert!(agree(&parsed(json), &parsed(&official)), "{official}\n{case:?}");
        let written = written.clone().unwrap_or_else(|error| panic!("{error}\n{case:?}"));
        for theirs in [&again, &written] {
            let shown = to_json(schema, theirs, name);
            let shown = shown.unwrap_or_else(|error| panic!("{error}: {theirs:?}\n{case:?}"));
            assert!(agree(&parsed(&official), &parsed(&shown)), "{official} but {shown}\n{case:?}");
            same += usize::from(theirs == bytes);
        }
    }
    let count = cases.len();
    println!("{SCHEMAS} schemas, {count} values, {same} of {} made with the same bytes", 2 * count);
    let long = cases.iter().filter(|case| case.bytes.len() > 8).count();
    assert!(count > 2_000 && long > count / 2 && same > count * 3 / 2, "{count}, {long}, {same}");
}

fn check_damaged(reference: &Reference, cases: &[Case<'_>], dice: &mut Dice) {
    let mut damaged = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        // The next cases are nearly always of the same type.
        let others: Vec<_> =
            cases[at..].iter().take(VALUES).map(|case| case.bytes.clone()).collect();
        for _ in 0..DAMAGED {
            damaged.push((case, damage(case.bytes.clone(), &others, dice)));
        }
    }
    let questions: Vec<_> =
        damaged.iter().map(|(case, bytes)| (&*case.kind, Question::Bytes(bytes.clone()))).collect();
    let answers = reference.answers(&questions);
    let mut tally = Tally::default();
    for ((case, bytes), answer) in damaged.iter().zip(answers) {
        let Answer::Bytes(theirs) = answer else { panic!("{answer:?}") };
        tally.count(case, bytes, theirs);
    }
    println!("{} damaged, {tally:?}", damaged.len());
    let Tally { good, bad, shown, not_ocaml, unchecked, by_luck } = tally;
    assert!(good > 2_500 && bad > 10_000 && shown > good / 2, "{tally:?}");
    assert!(not_ocaml + unchecked < damaged.len() / 100, "{tally:?}");
    assert!(by_luck < damaged.len() / 2_000, "{tally:?}");
}

/// Outcomes of damaged messages.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    good: usize,
    bad: usize,
    /// Accepted by both, with the same JSON.
    shown: usize,
    /// Accepted here, refused by the code of atdgen.
    not_ocaml: usize,
    /// Accepted by the code of atdgen, which does not check bools and units that it skips.
    unchecked: usize,
    /// Accepted by the code of atdgen, which reads cells of unknown columns as values with tags.
    by_luck: usize,
}

impl Tally {
    fn count(&mut self, case: &Case<'_>, bytes: &[u8], theirs: Read) {
        let Case { text, schema, name, .. } = case;
        match (schema.to_value(bytes, name), theirs) {
            (Ok(value), Ok((_, official))) => {
                self.good += 1;
                // Text that is not UTF-8, NaN and infinities have no JSON on one of the sides.
                if let (Ok(json), Some(official)) = (serde_json::to_string(&value), official) {
                    assert!(
                        agree(&parsed(&json), &parsed(&official)),
                        "{json} but {official}\n{case:?}\n{bytes:?}"
                    );
                    self.shown += 1;
                }
            }
            (Err(_), Err(_)) => self.bad += 1,
            (Ok(_), Err(error)) => {
                self.not_ocaml += 1;
                // A vint of ten bytes or more, or a value that OCaml cannot skip.
                let is_long = error.contains("vint exceeding");
                let stops = || match fourfold::biniou::from_slice(bytes) {
                    Ok(tree) => {
                        let names = fourfold_schema::atd::names(text).unwrap();
                        stops_ocaml(&tree, schema.get(name).unwrap(), &names)
                    }
                    // A dangling reference in a skipped value.
                    Err(error) => error.to_string().contains("leads to no shared value"),
                };
                assert!(is_long || stops(), "{error}\n{case:?}\n{bytes:?}");
            }
            (Err(error), Ok(_)) => match error.kind() {
                // In known fields, its readers refuse them.
                ErrorKind::InvalidBool { .. } | ErrorKind::InvalidUnit { .. } => {
                    self.unchecked += 1;
                }
                _ if bytes.contains(&Tag::Table.byte()) && text.contains("\"table\"") => {
                    self.by_luck += 1
                }
                _ => panic!("{error}\n{case:?}\n{bytes:?}"),
            },
        }
    }
}
