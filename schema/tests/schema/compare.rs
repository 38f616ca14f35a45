//! Compares the verdicts of `compare` on two `.mol` schemas with what readers of one do with values of the other.

use fourfold::molecule::Options;
use fourfold_schema::mol::Outcome::{self, Misreads, Reads, ReadsCompatibly, Refuses};
use fourfold_schema::mol::{Schema, Shape, Type};
use serde_json::{Value, json};

/// Types that all cases may use.
const COMMON: &str = "array Half [byte; 2]; array Word [byte; 4]; array Long [byte; 8];
    vector Bytes <byte>; vector Words <Word>; vector Texts <Bytes>; option Maybe (Bytes);";

/// A change, and what it means for readers.
pub(crate) type Change = (&'static str, &'static str);

struct Case {
    older: &'static str,
    newer: &'static str,
    changes: &'static [Change],
    outcomes: (Outcome, Outcome),
}

const fn case(
    older: &'static str,
    newer: &'static str,
    changes: &'static [Change],
    outcomes: (Outcome, Outcome),
) -> Case {
    Case { older, newer, changes, outcomes }
}

/// The verdicts of changes.
pub(crate) const SAFE: &str = ": safe";
pub(crate) const REFUSES: &str =
    ": older readers refuse newer values, newer readers refuse older values";
pub(crate) const OLDER_REFUSES: &str =
    ": older readers refuse newer values, newer readers read all older values";
pub(crate) const NEWER_REFUSES: &str =
    ": older readers read all newer values, newer readers refuse older values";
pub(crate) const MISREADS: &str = ": older readers may take newer values for something else, newer readers \
                                   may take older values for something else";
const NEWER_COMPATIBLY: &str = ": older readers read newer values only if they are compatible ones, newer readers \
                                refuse older values";
const OLDER_COMPATIBLY: &str = ": older readers refuse newer values, newer readers read older values only if they \
                                are compatible ones";

const CASES: &[Case] = &[
    case(
        "table T { a: Word, b: Bytes, }",
        "/* text */ table T {\n    a: Word,\n    b: Bytes,\n}",
        &[],
        (Reads, Reads),
    ),
    case(
        "table T { a: Word, }",
        "table T { a: Word, b: Bytes, c: Word, }",
        &[("T: fields `b`, `c` are added at the end", NEWER_COMPATIBLY)],
        (ReadsCompatibly, Refuses),
    ),
    case(
        "table T { a: Word, b: Bytes, }",
        "table T { a: Word, }",
        &[("T: field `b` is gone from the end", OLDER_COMPATIBLY)],
        (Refuses, ReadsCompatibly),
    ),
    case(
        "struct T { a: Word, }",
        "struct T { a: Word, b: Half, }",
        &[("T: field `b` is added at the end", REFUSES)],
        (Refuses, Refuses),
    ),
    case(
        "table T { a: Word, b: Word, }",
        "table T { b: Word, a: Word, }",
        &[("T: field `b` was in place 1, is in 0", MISREADS)],
        (Misreads, Misreads),
    ),
    // The report: `flags` has another place because of `nonce`.
    case(
        "table T { a: byte, flags: byte, }",
        "table T { a: byte, nonce: Word, flags: byte, }",
        &[("T: field `nonce` is new in place 1", MISREADS)],
        (Misreads, Misreads),
    ),
    case(
        "struct T { a: Word, b: Half, c: Long, d: byte, }",
        "struct T { a: Word, c: Half, d: byte, e: Word, }",
        &[
            ("T: field `b` is gone from place 1", MISREADS),
            ("T.c: this was array `Long` of 8 bytes, is array `Half` of 2 bytes", REFUSES),
            ("T: field `e` is added at the end", REFUSES),
        ],
        (Misreads, Misreads),
    ),
    case(
        "table T { a: Word, b: Bytes, c: Long, d: Half, }",
        "table T { d: Half, n: byte, a: Word, text: Bytes, c: Long, }",
        &[
            ("T: field `d` was in place 3, is in 0", MISREADS),
            ("T: field `n` is new in place 1", MISREADS),
            ("T: field `text` was `b`", SAFE),
        ],
        (Misreads, Misreads),
    ),
    // A field between two that change places stays in its own, with another type.
    case(
        "table T { a: Word, b: Half, c: Long, }",
        "table T { c: Long, b: Bytes, a: Word, }",
        &[
            ("T: field `c` was in place 2, is in 0", MISREADS),
            ("T.b: this was array `Half` of 2 bytes, is fixvec `Bytes`", REFUSES),
            ("T: field `a` was in place 0, is in 2", MISREADS),
        ],
        (Misreads, Misreads),
    ),
    // Of a field in another place, the type is compared too.
    case(
        "table T { a: Word, b: Half, c: Long, }",
        "table T { c: Word, a: Word, b: Half, }",
        &[
            ("T: field `c` was in place 2, is in 0", MISREADS),
            ("T.c: this was array `Long` of 8 bytes, is array `Word` of 4 bytes", REFUSES),
        ],
        (Misreads, Misreads),
    ),
    // Other types in the same places, and one field more.
    case(
        "table T { a: Word, b: Bytes, }",
        "table T { a: Word, c: Long, d: Half, }",
        &[
            ("T: field `c` was `b`", SAFE),
            ("T.c: this was fixvec `Bytes`, is array `Long` of 8 bytes", REFUSES),
            ("T: field `d` is added at the end", NEWER_COMPATIBLY),
        ],
        (Refuses, Refuses),
    ),
    case(
        "table T { a: Word, b: Bytes, }",
        "table T { a: Word, text: Bytes, }",
        &[("T: field `text` was `b`", SAFE)],
        (Reads, Reads),
    ),
    case(
        "table T { a: Word, }",
        "table T { a: Long, }",
        &[("T.a: this was array `Word` of 4 bytes, is array `Long` of 8 bytes", REFUSES)],
        (Refuses, Refuses),
    ),
    case(
        "array Number [byte; 4]; table T { a: Word, }",
        "array Number [byte; 4]; table T { a: Number, }",
        &[("T.a: the type was `Word`, is `Number`", SAFE)],
        (Reads, Reads),
    ),
    case(
        "array S [byte; 4]; table T { a: S, }",
        "struct S { x: Half, y: Half, } table T { a: S, }",
        &[("S: this was array `S` of 4 bytes, is struct `S` of 4 bytes", MISREADS)],
        (Misreads, Misreads),
    ),
    case(
        "union T { Word: 0, Bytes: 3, }",
        "union T { Word: 0, Bytes: 3, Long: 7, }",
        &[("T: item `Long` has the new id 7", OLDER_REFUSES)],
        (Refuses, Reads),
    ),
    case(
        "union T { Word: 0, Bytes: 3, }",
        "union T { Word: 0, }",
        &[("T: the id 3 of item `Bytes` is gone", NEWER_REFUSES)],
        (Reads, Refuses),
    ),
    case(
        "union T { Word, Half, }",
        "union T { Half, Word, }",
        &[
            ("T: the id 0 was of item `Word`, is of `Half`", MISREADS),
            ("T: the id 1 was of item `Half`, is of `Word`", MISREADS),
        ],
        (Misreads, Misreads),
    ),
    case(
        "vector T <Word>;",
        "vector T <Bytes>;",
        &[("T: this was fixvec `T`, is dynvec `T`", REFUSES)],
        (Refuses, Refuses),
    ),
    case(
        "table T { a: Bytes, } table U { a: Word, }",
        "table T { a: Bytes, } table V { a: Word, }",
        &[("V: the type is new", SAFE), ("U: the type is gone", SAFE)],
        (Reads, Reads),
    ),
    // The same two types once more.
    case(
        "table T { a: Word, b: Word, }",
        "table T { a: Long, b: Long, }",
        &[
            ("T.a: this was array `Word` of 4 bytes, is array `Long` of 8 bytes", REFUSES),
            ("T.b: the type was `Word`, is `Long`", REFUSES),
        ],
        (Refuses, Refuses),
    ),
    case(
        "table Old { a: Word, } vector Olds <Old>; table T { all: Olds, }",
        "table New { a: Word, b: Word, } vector News <New>; table T { all: News, }",
        &[
            ("New: the type is new", SAFE),
            ("News: the type is new", SAFE),
            ("T.all[]: field `b` is added at the end", NEWER_COMPATIBLY),
            ("Old: the type is gone", SAFE),
            ("Olds: the type is gone", SAFE),
        ],
        (ReadsCompatibly, Refuses),
    ),
];

fn schema(text: &str) -> Schema {
    Schema::parse(&format!("{COMMON} {text}")).expect(text)
}

#[test]
fn changes_are_reported_with_their_place() {
    for Case { older, newer, changes: expected, outcomes } in CASES {
        let changes = schema(older).compare(&schema(newer));
        let lines: Vec<String> = changes.iter().map(ToString::to_string).collect();
        let expected: Vec<String> =
            expected.iter().map(|(change, verdict)| format!("{change}{verdict}")).collect();
        assert_eq!(lines, expected, "{older} -> {newer}");
        assert_eq!(
            (changes.older_readers(), changes.newer_readers()),
            *outcomes,
            "{older} -> {newer}"
        );
        assert_eq!(changes.is_empty(), expected.is_empty());
        assert_eq!(changes.to_string(), lines.join("\n"));
    }
}

#[test]
fn a_schema_is_equal_to_itself() {
    for Case { older, newer, .. } in CASES {
        for text in [older, newer] {
            assert!(schema(text).compare(&schema(text)).is_empty(), "{text}");
        }
    }
}

/// Values of a type as JSON: options with and without, lists with 0 to 2 items, all items of unions.
fn samples(ty: Type<'_>) -> Vec<Value> {
    let bytes = |count: usize| Value::from(format!("0x{}", "5a".repeat(count)));
    let is_byte = |ty: Type<'_>| matches!(ty.shape(), Shape::Byte);
    match ty.shape() {
        Shape::Byte => vec![json!(0), json!(255)],
        Shape::Array(item, count) if is_byte(item) => vec![bytes(count)],
        Shape::FixVec(item) if is_byte(item) => vec![bytes(0), bytes(1), bytes(5)],
        Shape::Array(item, count) => {
            samples(item).into_iter().map(|one| Value::from(vec![one; count])).collect()
        }
        Shape::FixVec(item) | Shape::DynVec(item) => {
            let some = samples(item).into_iter().flat_map(|one| {
                [Value::from(vec![one.clone()]), Value::from(vec![one.clone(), one])]
            });
            some.chain([json!([])]).collect()
        }
        Shape::Option(item) => samples(item).into_iter().chain([Value::Null]).collect(),
        Shape::Union(items) => items
            .iter()
            .flat_map(|item| {
                let (name, id) = (item.ty().name().to_owned(), item.id());
                let each = samples(item.ty()).into_iter();
                each.map(move |value| json!({ "type": name, "id": id, "value": value }))
            })
            .collect(),
        Shape::Struct(fields) | Shape::Table(fields) => {
            let all: Vec<Vec<Value>> = fields.iter().map(|field| samples(field.ty())).collect();
            let most = all.iter().map(Vec::len).max().unwrap_or(1);
            let nth = |at: usize| {
                let each = fields.iter().zip(&all);
                let each = each.map(|(field, values)| {
                    (field.name().to_owned(), values[at % values.len()].clone())
                });
                Value::Object(each.collect())
            };
            (0..most).map(nth).collect()
        }
        shape => panic!("no samples of {shape:?}"),
    }
}

/// What readers with one schema do with values of another, by reading them.
fn observed(values: &Schema, readers: &Schema) -> Outcome {
    let ty = values.get("T").unwrap();
    let compatible = Options::new().compatible(true);
    let outcome = |json: Value| {
        let bytes = values.make(&json, "T").unwrap();
        let strict = readers.to_value(&bytes, "T");
        match (strict, readers.to_value_with(&bytes, "T", &compatible)) {
            (Ok(_), Ok(_)) => Outcome::Reads,
            (Err(_), Ok(_)) => Outcome::ReadsCompatibly,
            (_, Err(_)) => Outcome::Refuses,
        }
    };
    samples(ty).into_iter().map(outcome).max().unwrap()
}

#[test]
fn readers_agree_with_the_verdicts() {
    let mut counts = [0; 4];
    for Case { older, newer, outcomes, .. } in CASES {
        let (old, new) = (schema(older), schema(newer));
        for (values, readers, verdict) in [(&new, &old, outcomes.0), (&old, &new, outcomes.1)] {
            let observed = observed(values, readers);
            match verdict {
                // A reader cannot detect that bytes have another meaning.
                Outcome::Misreads => {
                    assert!(observed != Outcome::ReadsCompatibly, "{older} -> {newer}")
                }
                verdict => assert_eq!(observed, verdict, "{older} -> {newer}"),
            }
            counts[verdict as usize] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count >= 2), "an outcome is missing: {counts:?}");
}

/// Each name is searched in the other schema.
#[test]
fn many_fields_and_items_are_compared_in_linear_time() {
    const MANY: usize = 30_000;
    let table = |name: &dyn Fn(usize) -> usize| {
        let fields: String = (0..MANY).map(|at| format!("f{}: Word,", name(at))).collect();
        schema(&format!("table T {{ {fields} }}"))
    };
    let (straight, reversed) = (table(&|at| at), table(&|at| MANY - 1 - at));
    let renamed = table(&|at| at + MANY);
    assert_eq!(straight.compare(&reversed).iter().len(), 20);
    assert_eq!(straight.compare(&renamed).iter().len(), MANY);
    let inserted = table(&|at| at.checked_sub(1).unwrap_or(MANY));
    let changes: Vec<String> =
        straight.compare(&inserted).iter().map(|change| change.to_string()).collect();
    assert!(changes[0].contains("`f30000` is new in place 0"), "{changes:?}");
    assert_eq!(changes.len(), 2, "{changes:?}");

    let union = |id: &dyn Fn(usize) -> usize| {
        let types: String = (0..MANY).map(|at| format!("array A{at} [byte; 1];")).collect();
        let items: String = (0..MANY).map(|at| format!("A{at}: {},", id(at))).collect();
        schema(&format!("{types} union T {{ {items} }}"))
    };
    let (straight, turned) = (union(&|at| at), union(&|at| (at + 1) % MANY));
    assert_eq!(straight.compare(&turned).iter().len(), MANY);
}

/// Renamed types are compared with each other up to a limited depth.
#[test]
fn comparing_long_chains_ends() {
    const MANY: usize = 20_000;
    let chain = |letter: char| {
        let end = format!("array {letter}{MANY} [byte; 1]; ");
        let types = (0..MANY).map(|at| format!("table {letter}{at} {{ x: {letter}{}, }} ", at + 1));
        schema(&format!("{end} {} table T {{ x: {letter}0, }}", types.collect::<String>()))
    };
    let changes = chain('A').compare(&chain('B'));
    assert_eq!(changes.older_readers(), Outcome::Misreads);
    let text = "too deep or too often to be compared";
    assert_eq!(changes.iter().filter(|change| change.text().contains(text)).count(), 1);
}
