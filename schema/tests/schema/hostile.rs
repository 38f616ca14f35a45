//! Hostile schemas: each is parsed in time and memory proportional to its text, or refused with an error of one line.
//!
//! No test measures time: with optimizations the texts are so long that quadratic work would not end.
//! `cargo test --release -p fourfold-schema --test schema hostile -- --nocapture` prints the memory.

use std::fmt::{self, Write as _};

use fourfold_schema::{RustOptions, atd, mol};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use crate::alloc::measure_value;

/// The length of texts that are mostly one token.
const LONG: usize = if cfg!(debug_assertions) { 1 << 18 } else { 100_000_000 };
/// The number of items and types, each of which takes memory.
const MANY: usize = if cfg!(debug_assertions) { 4_000 } else { 100_000 };

/// A text of a schema.
struct Case {
    name: &'static str,
    size: usize,
    text: fn(usize) -> String,
    /// `Ok`, or text that the error contains.
    outcome: Result<(), &'static str>,
}

const fn good(name: &'static str, size: usize, text: fn(usize) -> String) -> Case {
    Case { name, size, text, outcome: Ok(()) }
}

const fn bad(
    name: &'static str,
    size: usize,
    text: fn(usize) -> String,
    part: &'static str,
) -> Case {
    Case { name, size, text, outcome: Err(part) }
}

/// The concatenated texts of all numbers.
fn each(count: usize, one: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    (0..count).for_each(|number| text.push_str(&one(number)));
    text
}

const MOLECULE: &[Case] = &[
    good("one comment", LONG, |n| format!("/*{}*/ array A [byte; 1];", "x ".repeat(n / 2))),
    good("comments in comments", LONG, |n| {
        format!("{}{} array A [byte; 1];", "/*".repeat(n / 4), "*/".repeat(n / 4))
    }),
    good("many comments", LONG / 8, |n| format!("{}array A [byte; 1];", "// a\n".repeat(n / 5))),
    good("many empty comments", LONG / 8, |n| format!("{}array A [byte; 1];", "#\n".repeat(n / 2))),
    good("block comments", LONG / 8, |n| format!("array A [byte; 1]; {}", "/* */".repeat(n / 5))),
    good("one name", LONG, |n| format!("array {} [byte; 1];", "a".repeat(n))),
    good("one name of signs", LONG, |n| format!("array a{} [byte; 1];", "_".repeat(n))),
    good("one field of signs", LONG / 8, |n| {
        format!("table T {{ a{}: byte, }}", "_a".repeat(n / 2))
    }),
    good("one field that ends in signs", LONG / 8, |n| {
        format!("table T {{ a{}: byte, }}", "_".repeat(n))
    }),
    good("empty lines", LONG, |n| format!("{}array A [byte; 1];", "\n".repeat(n))),
    good("many types", MANY, |n| each(n, |at| format!("array A{at} [byte; 4];\n"))),
    good("many fields", MANY, |n| {
        format!("table T {{ {} }}", each(n, |at| format!("f{at}: byte,")))
    }),
    good("many items", MANY, |n| {
        let items = each(n, |at| format!("A{at}, "));
        format!("{} union U {{ {items} }}", each(n, |at| format!("array A{at} [byte; 1];")))
    }),
    good("many names of one name in Rust", MANY, |n| {
        // Names that differ only in `_` and capitals have the same name in Rust.
        let name = |at: usize| {
            (0..20u32).fold(String::from("a"), |name, bit| {
                name + if (at & (1usize << bit)) == 0 { "_ba" } else { "Ba" }
            })
        };
        format!("table T {{ {} }}", each(n, |at| format!("{}: byte,", name(at))))
    }),
    good("each the part of the next", MANY, |n| {
        let types = each(n, |at| format!("option T{} (T{at});", at + 1));
        format!("vector T0 <byte>; {types}")
    }),
    good("each the part of the one before", MANY, |n| {
        let types = each(n, |at| format!("table T{at} {{ a: T{0}, b: T{0}, }}", at + 1));
        format!("{types} vector T{n} <byte>;")
    }),
    bad(
        "sizes that double",
        MANY,
        |n| {
            let types = each(n, |at| format!("struct T{} {{ a: T{at}, b: T{at}, }}", at + 1));
            format!("array T0 [byte; 1]; {types}")
        },
        "too large",
    ),
    bad(
        "an open comment",
        LONG,
        |n| format!("array A [byte; 1]; /*{}", "x".repeat(n)),
        "comment without an end",
    ),
    bad("one number", LONG, |n| format!("array A [byte; {}];", "9".repeat(n)), "too large"),
    bad("one id", LONG, |n| format!("union U {{ byte: {}, }}", "9".repeat(n)), "999"),
    bad("one word", LONG, |n| "a".repeat(n), "expected"),
    bad("one sign", LONG, |n| "[".repeat(n), "expected"),
    bad("one path", LONG, |n| format!("import {}a;", "../".repeat(n / 3)), ""),
    bad("many imports", LONG / 8, |n| each(n / 10, |_| "import a;\n".into()), ""),
    bad("itself", MANY, |_| "table T { t: T, }".into(), "T"),
    bad("a circle", MANY, |n| each(n, |at| format!("option T{at} (T{});", (at + 1) % n)), "T0"),
    bad(
        "no such type",
        MANY,
        |n| format!("{}option A (B);", each(n, |at| format!("array A{at} [byte; 1];"))),
        "`B`",
    ),
    bad(
        "one name twice",
        MANY,
        |n| format!("{0}{0}", each(n, |at| format!("array A{at} [byte; 1];"))),
        "twice",
    ),
];

const NO_END: &str = "come to no end";

const ATD: &[Case] = &[
    good("one comment", LONG, |n| format!("(*{}*) type a = int", "x ".repeat(n / 2))),
    good("comments in comments", LONG, |n| {
        format!("{}{} type a = int", "(*".repeat(n / 4), "*)".repeat(n / 4))
    }),
    good("strings in a comment", LONG, |n| format!("(*{}*) type a = int", "\"*)\" ".repeat(n / 5))),
    good("one name", LONG, |n| format!("type {} = int", "a".repeat(n))),
    good("one string", LONG, |n| format!("type a = int <doc text=\"{}\">", "x".repeat(n))),
    good("one string of escapes", LONG, |n| {
        format!("type a = int <doc text=\"{}\">", "\\x41".repeat(n / 4))
    }),
    good("many annotations", MANY, |n| format!("type a = int {}", "<x y=\"z\">".repeat(n))),
    good("many types", MANY, |n| each(n, |at| format!("type t{at} = int\n"))),
    good("many fields", MANY, |n| {
        format!("type t = {{ {} }}", each(n, |at| format!("f{at:x} : int;")))
    }),
    good("many variants", MANY, |n| {
        format!("type t = [ {} ]", each(n, |at| format!("| V{at:x} of int ")))
    }),
    good("many cells", MANY, |n| format!("type t = (int{})", " * int".repeat(n))),
    good("many parameters", MANY, |n| {
        let parameters = each(n, |at| format!(", 'p{at}"));
        format!("type ('p {parameters}) t = ('p{})", parameters.replace(',', " *"))
    }),
    good("each the part of the next", MANY, |n| {
        format!("type t0 = int {}", each(n, |at| format!("type t{} = t{at} list\n", at + 1)))
    }),
    good("each a name of the one before", MANY, |n| {
        format!("type t0 = int {}", each(n, |at| format!("type t{} = t{at}\n", at + 1)))
    }),
    good("each a wrap of the next", MANY, |n| {
        format!("{} type t{n} = int", each(n, |at| format!("type t{at} = t{} wrap\n", at + 1)))
    }),
    bad(
        "pairs of pairs without an end",
        0,
        |_| "type 'a t = { a : 'a; b : ('a * 'a) t list } type x = int t".into(),
        NO_END,
    ),
    bad(
        "pairs of pairs",
        64,
        |n| {
            let types = each(n, |at| format!("type 'a t{} = 'a t{at} t{at}\n", at + 1));
            format!("type 'a t0 = ('a * 'a) {types} type x = int t{n}")
        },
        NO_END,
    ),
    bad(
        "parameters that turn around",
        MANY / 10,
        |n| {
            let parameters = each(n, |at| format!(", 'p{at}"));
            let turned = parameters.trim_start_matches(", 'p0");
            let arguments = each(n, |_| ", int".into());
            format!(
                "type ('p {parameters}) t = {{ a : ('p0 {turned}, 'p list) t list }} type x = (int {arguments}) t"
            )
        },
        NO_END,
    ),
    bad(
        "many cells without an end",
        MANY,
        |n| format!("type 'a t = ('a list t option{}) type x = int t", " * int".repeat(n)),
        NO_END,
    ),
    bad(
        "annotations on annotations",
        MANY,
        |n| {
            let types = each(n, |at| format!("type 'a t{} = 'a t{at} <x y>\n", at + 1));
            format!("type 'a t0 = 'a list {types} type x = int t{n}")
        },
        NO_END,
    ),
    bad(
        "each inherits all before",
        MANY,
        |n| {
            let types = each(n, |at| format!("type t{} = [ inherit t{at} | V{at} ]\n", at + 1));
            format!("type t0 = [ A ] {types}")
        },
        NO_END,
    ),
    bad(
        "each inherits twice",
        64,
        |n| {
            let types =
                each(n, |at| format!("type t{0} = [ inherit t{at} | inherit t{at} ]\n", at + 1));
            format!("type t0 = [ A ] {types}")
        },
        NO_END,
    ),
    bad("parentheses", LONG, |n| format!("type t = {}", "(".repeat(n)), "deeper"),
    bad("brackets", LONG, |n| format!("type t = {}", "[A of ".repeat(n / 6)), "deeper"),
    bad("lists of lists", LONG, |n| format!("type t = int{}", " list".repeat(n / 5)), "deeper"),
    bad(
        "an open comment",
        LONG,
        |n| format!("type t = int {}", "(*".repeat(n / 2)),
        "comment without an end",
    ),
    bad(
        "an open string",
        LONG,
        |n| format!("type t = int <doc text=\"{}", "x".repeat(n)),
        "string without an end",
    ),
    bad(
        "an open annotation",
        LONG / 8,
        |n| format!("type t = int <doc {}", "a ".repeat(n / 2)),
        "annotation",
    ),
    bad("one word", LONG, |n| "a".repeat(n), "expected"),
    bad("itself", 0, |_| "type t = t".into(), "itself"),
    bad("inherits itself", 0, |_| "type t = [ inherit t ]".into(), "itself"),
    bad("a circle", MANY, |n| each(n, |at| format!("type t{at} = t{}\n", (at + 1) % n)), "itself"),
    bad(
        "no such type",
        MANY,
        |n| format!("{}type a = b", each(n, |at| format!("type a{at} = int\n"))),
        "`b`",
    ),
];

/// Maximum bytes of memory per byte of text, and for any text.
const PER_BYTE: usize = 200;
const LEAST: usize = 1 << 16;
/// Maximum memory for a short text that would expand without end.
const ENDLESS: usize = 1 << 26;

/// Calls `work` with each case, and checks outcome and memory.
fn run(language: &str, cases: &[Case], work: fn(&str) -> Result<(), String>) {
    for Case { name, size, text, outcome } in cases {
        let text = text(*size);
        let (found, memory) = measure_value(|| work(&text));
        match (&found, outcome) {
            (Ok(()), Ok(())) => {}
            (Err(error), Err(part)) if error.contains(part) => {
                assert!(
                    error.lines().count() == 1 && error.len() < 400,
                    "{language}, {name}: {error}"
                );
            }
            (found, _) => panic!("{language}, {name}: {found:?}"),
        }
        let least = if *outcome == Err(NO_END) { ENDLESS } else { LEAST };
        let most = PER_BYTE * text.len() + least;
        let each = memory.peak / text.len().max(1);
        println!(
            "{language}, {name}: {} bytes of text, {each} bytes of memory for each; {found:.80?}",
            text.len()
        );
        assert!(memory.peak <= most, "{language}, {name}: {} bytes, {most} at most", memory.peak);
    }
}

#[test]
fn mol_schemas_take_memory_in_proportion() {
    run("Molecule", MOLECULE, |text| {
        let schema = mol::Schema::parse(text).map_err(|error| error.to_string())?;
        assert!(!schema.to_rust(&RustOptions::new()).is_empty());
        let again = schema.to_string();
        assert_eq!(schema.compare(&schema).iter().count(), 0);
        mol::Schema::parse(&again).map(|_| ()).map_err(|error| error.to_string())
    });
}

#[test]
fn atd_schemas_take_memory_in_proportion() {
    run("biniou", ATD, |text| {
        let schema = atd::Schema::parse(text).map_err(|error| error.to_string())?;
        let again = schema.to_string();
        assert_eq!(schema.compare(&schema).iter().count(), 0);
        atd::Schema::parse(&again).map(|_| ()).map_err(|error| error.to_string())
    });
}

/// A value nested in many options, which take no bytes.
#[test]
fn values_of_deep_types_are_refused() {
    let molecule_text = || {
        let types = each(MANY, |at| format!("option T{} (T{at});", at + 1));
        format!("vector T0 <byte>; {types}")
    };
    let schema = mol::Schema::parse(&molecule_text()).unwrap();
    let name = format!("T{MANY}");
    let error = schema.to_value(&[1, 0, 0, 0, 7], &name).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nested deeper than 128 levels at byte 0; use `Options::max_depth` to allow more"
    );
    let make = |json: &str| schema.make(&mut serde_json::Deserializer::from_str(json), &name);
    let error = make("\"0x07\"").unwrap_err().to_string();
    assert!(error.contains("deeper than 128 levels"), "{error}");
    assert!(schema.to_value(&[], &name).unwrap().bytes().is_empty());

    for kind in ["wrap", "nullable", "option", "list"] {
        let types = each(MANY, |at| format!("type t{} = t{at} {kind}\n", at + 1));
        let schema = atd::Schema::parse(&format!("type t0 = int {types}")).unwrap();
        let name = format!("t{MANY}");
        // Lists of one item, or options with a value.
        let bytes = [21, 1].repeat(MANY);
        let error = schema.to_value(&bytes, &name).unwrap_err().to_string();
        assert!(error.lines().count() == 1, "{error}");
        for json in ["7", "[[[7]]]", "null"] {
            let made = schema.make(&mut serde_json::Deserializer::from_str(json), &name);
            if let Err(error) = made {
                assert!(error.to_string().lines().count() == 1, "{error}");
            }
        }
    }
}

#[derive(serde::Deserialize)]
#[allow(dead_code, reason = "only its type is used")]
struct Chain {
    next: Option<Box<Chain>>,
}

/// A type that contains itself is compared as deep as the schema is nested.
#[test]
fn checking_a_recursive_type_against_a_deep_mol_schema_ends() {
    let types =
        each(MANY, |at| format!("option O{at} (T{at}); table T{} {{ next: O{at}, }}", at + 1));
    let schema =
        mol::Schema::parse(&format!("table T0 {{ next: Bytes, }} vector Bytes <byte>; {types}"));
    let schema = schema.unwrap();
    let mismatches = schema.check::<Chain>("T3").unwrap_err();
    assert_eq!(
        mismatches.to_string(),
        "next.next.next.next: the schema has fixvec `Bytes`, the type is an option: \
         make it no `Option`, but bytes, as `Vec<u8>` is"
    );
    let error = schema.check::<Chain>(&format!("T{MANY}")).unwrap_err().to_string();
    assert!(error.lines().count() == 1 && error.len() < 4000, "{error}");
    assert!(error.contains("deeper than"), "{error}");
}

#[test]
fn checking_a_recursive_type_against_a_deep_atd_schema_ends() {
    #[derive(serde::Deserialize)]
    #[allow(dead_code, reason = "only its type is used")]
    struct Link {
        next: Option<Box<Link>>,
    }
    let types = each(MANY, |at| format!("type t{at} = {{ next : t{} option }}\n", at + 1));
    let schema = atd::Schema::parse(&format!("{types}type t{MANY} = {{ x : int }}")).unwrap();
    let error = schema.check::<Link>("t0").unwrap_err().to_string();
    assert!(error.lines().count() == 1 && error.contains("deeper than 256 levels"), "{error}");
    let links = each(MANY, |at| format!("type t{at} = t{} option\n", at + 1));
    let schema = atd::Schema::parse(&format!("{links}type t{MANY} = int")).unwrap();
    #[derive(serde::Deserialize)]
    #[allow(dead_code, reason = "only its type is used")]
    struct Endless(Option<Box<Endless>>);
    let error = schema.check::<Endless>("t0").unwrap_err().to_string();
    assert!(error.lines().count() == 1 && error.contains("deeper than 256 levels"), "{error}");
}

/// A struct with very many fields.
struct Wide;

fn wide_names() -> &'static [&'static str] {
    static NAMES: std::sync::OnceLock<Vec<&'static str>> = std::sync::OnceLock::new();
    NAMES.get_or_init(|| (0..MANY).map(|at| &*format!("f{at}").leak()).collect())
}

impl<'de> Deserialize<'de> for Wide {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Wide", wide_names(), WideVisitor)
    }
}

struct WideVisitor;

impl<'de> Visitor<'de> for WideVisitor {
    type Value = Wide;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("many fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Wide, A::Error> {
        while fields.next_key::<String>()?.is_some() {
            fields.next_value::<u8>()?;
        }
        Ok(Wide)
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut fields: A) -> Result<Wide, A::Error> {
        while fields.next_element::<u8>()?.is_some() {}
        Ok(Wide)
    }
}

#[test]
fn very_wide_types_are_checked() {
    let table = |fields: &mut dyn Iterator<Item = usize>| {
        let mut text = String::from("table Wide {");
        fields.for_each(|at| write!(text, "f{at}: byte,").unwrap());
        mol::Schema::parse(&(text + "}")).unwrap()
    };
    table(&mut (0..MANY)).check::<Wide>("Wide").unwrap();
    let turned = table(&mut (0..MANY).rev()).check::<Wide>("Wide").unwrap_err();
    assert_eq!(
        turned.iter().map(|it| it.message()).collect::<Vec<_>>(),
        ["the fields are in another order"]
    );
    let more = table(&mut (0..=MANY)).check::<Wide>("Wide").unwrap_err();
    assert_eq!(more.iter().filter_map(|it| it.fix()).collect::<Vec<_>>(), [format!("add f{MANY}")]);
    let fewer = table(&mut (1..MANY)).check::<Wide>("Wide").unwrap_err();
    assert_eq!(fewer.iter().filter_map(|it| it.fix()).collect::<Vec<_>>(), ["leave out f0"]);
    let other = table(&mut (MANY..MANY + 7)).check::<Wide>("Wide").unwrap_err();
    assert!(other.to_string().contains("make them f"), "{other}");
}
