//! What `compare` says of two `.atd` schemas, beside what readers by each make of the other's values: those of this
//! crate, and those of atdgen.

#[path = "atd_compare/generate.rs"]
mod generate;
#[path = "atd_compare/ocaml.rs"]
mod ocaml;
#[path = "atd_compare/samples.rs"]
mod samples;
#[path = "atd_compare/table.rs"]
mod table;

use fourfold_schema::atd::{Change, Changes, Outcome, Schema};

use self::generate::Pair;
use self::samples::values_of;
use self::table::CASES;
use crate::random;

fn schema(text: &str) -> Schema {
    Schema::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn changes_are_said_where_they_are() {
    for case in CASES {
        let (older, newer) = (schema(case.older), schema(case.newer));
        let changes = older.compare(&newer);
        let lines: Vec<String> = changes.iter().map(ToString::to_string).collect();
        let name = format!("{} -> {}", case.older, case.newer);
        assert_eq!(lines, case.says, "{name}");
        let outcomes = (changes.older_readers(), changes.newer_readers());
        assert_eq!(outcomes, case.outcomes, "{name}");
        assert!(older.compare(&older).is_empty() && newer.compare(&newer).is_empty(), "{name}");
    }
}

/// What is said of readers that, other than atdgen's, step over tables.
fn of_lenient(changes: &Changes) -> (Outcome, Outcome) {
    let is_of_atdgen = |change: &Change| change.text().contains("atdgen");
    let older = changes.iter().map(|change| match is_of_atdgen(change) {
        true if !change.text().contains(" gone") => Outcome::Reads,
        _ => change.older_readers(),
    });
    let newer = changes.iter().map(|change| match is_of_atdgen(change) {
        true if change.text().contains(" gone") => Outcome::Reads,
        _ => change.newer_readers(),
    });
    (older.max().unwrap_or(Outcome::Reads), newer.max().unwrap_or(Outcome::Reads))
}

/// What readers of a schema do with the values that another one has of the types of both.
fn seen(values: &Schema, readers: &Schema) -> Outcome {
    let mut seen = Outcome::Reads;
    for ty in values.types() {
        let name = ty.name().unwrap();
        if readers.get(name).is_none() {
            continue;
        }
        for bytes in values_of(values, name) {
            if readers.to_value(&bytes, name).is_err() {
                seen = Outcome::Refuses;
            }
        }
    }
    seen
}

/// Checks what is said against what is seen. That a value means something else cannot be seen.
fn check(said: Outcome, seen: Outcome, name: &str) {
    match said {
        Outcome::Reads | Outcome::Refuses => assert_eq!(seen, said, "{name}"),
        Outcome::Misreads => {}
        _ => panic!("{name}: nothing is compatible here"),
    }
}

fn check_readers(older: &str, newer: &str) -> (Outcome, Outcome) {
    let (old, new) = (schema(older), schema(newer));
    let changes = old.compare(&new);
    let said = of_lenient(&changes);
    check(said.0, seen(&new, &old), &format!("older readers\n{older}\n{newer}\n{changes}"));
    check(said.1, seen(&old, &new), &format!("newer readers\n{older}\n{newer}\n{changes}"));
    said
}

#[test]
fn readers_do_what_is_said() {
    for case in CASES {
        check_readers(case.older, case.newer);
    }
    let mut counts = [0; 4];
    random::check(
        "changed atd schemas",
        600,
        |dice| Pair::new(dice, true),
        |_, pair| {
            let said = check_readers(&pair.older.to_string(), &pair.newer.to_string());
            counts[said.0 as usize] += 1;
            counts[said.1 as usize] += 1;
        },
    );
    println!("{counts:?}");
    let [reads, _, refuses, misreads] = counts;
    assert!(reads > 200 && refuses > 200 && misreads > 10, "each outcome is seen: {counts:?}");
}

/// The same by readers that atdgen makes, which decide where this crate's are more lenient.
#[test]
fn readers_of_atdgen_do_what_is_said() {
    let mut pairs: Vec<(String, String)> =
        CASES.iter().map(|case| (case.older.to_owned(), case.newer.to_owned())).collect();
    let mut dice = random::Dice::of("changed atd schemas for atdgen");
    pairs.extend((0..40).map(|_| {
        let pair = Pair::new(&mut dice, false);
        (pair.older.to_string(), pair.newer.to_string())
    }));
    let Some(verdicts) = ocaml::verdicts(&pairs) else { return };
    let mut counts = [0; 4];
    for ((older, newer), (by_older, by_newer)) in pairs.iter().zip(verdicts) {
        let changes = schema(older).compare(&schema(newer));
        for (said, seen) in
            [(changes.older_readers(), by_older), (changes.newer_readers(), by_newer)]
        {
            check(said, seen, &format!("{older}\n{newer}\n{changes}"));
            counts[said as usize] += 1;
        }
    }
    assert!(counts[0] > 20 && counts[2] > 20, "{counts:?}");
}

#[test]
fn many_fields_and_variants_are_compared_in_linear_time() {
    const MANY: usize = 100_000;
    let record = |name: &dyn Fn(usize) -> usize| {
        let fields: String = (0..MANY).map(|at| format!("f{} : int; ", name(at))).collect();
        schema(&format!("type t = {{ {fields} }}"))
    };
    let (straight, reversed) = (record(&|at| at), record(&|at| MANY - 1 - at));
    let renamed = record(&|at| at + MANY);
    assert!(straight.compare(&reversed).is_empty());
    let lines = straight.compare(&renamed);
    assert_eq!((lines.iter().len(), lines.older_readers()), (2, Outcome::Refuses));

    let sum = |argument: &str| {
        let variants: String = (0..MANY).map(|at| format!("| V{at}{argument} ")).collect();
        schema(&format!("type t = [ {variants} ]"))
    };
    assert_eq!(sum("").compare(&sum(" of int")).iter().len(), MANY);
    assert_eq!(sum(" of string").compare(&sum(" of int")).iter().len(), MANY);
}

/// Types that contain themselves, long ways to a type, and very many pairs of types.
#[test]
fn comparing_comes_to_an_end() {
    let tree = |name: &str, more: &str| {
        schema(&format!(
            "type {name} = {{ sons : {name} list; {more} }}  type root = {{ tree : {name} }}"
        ))
    };
    let changes = tree("a", "~x : int").compare(&tree("b", "~y : int"));
    assert_eq!(
        changes.to_string(),
        "b: the type is new: safe\n\
         root.tree: field `~y` is new: safe\n\
         root.tree: field `~x` is gone: safe\n\
         a: the type is gone: safe"
    );
    let chain = |letter: char| {
        const MANY: usize = 20_000;
        let types = (0..MANY)
            .map(|at| format!("type {letter}{at} = {{ x : {letter}{} }}  ", at + 1))
            .collect::<String>();
        schema(&format!("{types} type {letter}{MANY} = int  type t = {{ x : {letter}0 }}"))
    };
    let changes = chain('a').compare(&chain('b'));
    let text = "too deep or too often to be compared";
    assert_eq!(changes.iter().filter(|change| change.text().contains(text)).count(), 1);
    assert_eq!(changes.older_readers(), Outcome::Misreads);

    let cycles = |letter: char, count: usize| {
        let types = (0..count).map(|at| {
            let fields = (0..40).map(|field| {
                format!("f{field} : {letter}{} list; ", (at * 7 + field * field + 1) % count)
            });
            format!("type {letter}{at} = {{ {} }}  ", fields.collect::<String>())
        });
        schema(&format!("{} type t = {letter}0", types.collect::<String>()))
    };
    let changes = cycles('a', 500).compare(&cycles('b', 499));
    assert_eq!(changes.older_readers(), Outcome::Misreads);
    assert!(changes.iter().any(|change| change.text().contains(text)));
}
