//! TenniS's notation: texts, with the bytes and trees that they describe.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod damage;
mod files;
mod limits;
mod random;
mod regression;
mod reject;
#[path = "../../../tests/support"]
#[allow(dead_code, reason = "shared by the tests of all packages")]
mod support {
    pub(crate) mod alloc;
    pub(crate) mod digest;
    pub(crate) mod fixture;
    pub(crate) mod random;
}

use fourfold_schema::notation::{Builtin, Notation, NoteKind, Scalars, Tree};

use crate::support::fixture::Fixtures;

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;

const FIXTURES: Fixtures = Fixtures("tsm");

fn notation(text: &str) -> Notation {
    Notation::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Section 4 of TenniS's document verbatim, with another field definition at its end.
fn section_4(field: &str) -> Notation {
    let text = FIXTURES.text("notation/section4.txt");
    let types = text.strip_suffix("<header><module>\n").expect("the field definition");
    notation(&format!("{types}{field}"))
}

/// Decodes bytes, checks that they are encoded again as the same bytes, and returns the tree as JSON.
#[track_caller]
fn shown(text: &str, bytes: &[u8]) -> String {
    let notation = notation(text);
    let tree = notation.decode(bytes).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(notation.encode(&tree).unwrap(), bytes, "{text}");
    assert_eq!(notation.encode(&tree.clone().into_owned()).unwrap(), bytes, "{text}");
    serde_json::to_string(&tree).unwrap()
}

#[test]
fn builtin_types_have_their_bytes() {
    let all =
        "<int8:a><int16:b><int32:c><int:d><int64:e><byte:f><char8:g><char:h><char16:i><char32:j>";
    let bytes = [
        &[0x80][..],
        &[0, 0x80],
        &[0, 0, 0, 0x80],
        &[0xff; 4],
        &[0, 0, 0, 0, 0, 0, 0, 0x80],
        &[0xff],
        b"g",
        &[0xe9],
        &[0xff; 2],
        &[0xff; 4],
    ];
    let expected = concat!(
        r#"{"a":-128,"b":-32768,"c":-2147483648,"d":-1,"e":-9223372036854775808,"#,
        r#""f":255,"g":103,"h":233,"i":65535,"j":4294967295}"#
    );
    assert_eq!(shown(all, &bytes.concat()), expected);

    let floats = "<float32:a><float:b><float64:c>";
    let bytes = [&1.5f32.to_le_bytes()[..], &2.5f32.to_le_bytes(), &(-0.1f64).to_le_bytes()];
    assert_eq!(shown(floats, &bytes.concat()), r#"{"a":1.5,"b":2.5,"c":-0.1}"#);
}

#[test]
fn bits_of_floats_are_kept() {
    let notation = notation("<float32:a><float64:b><float32*2:c>");
    // Signalling NaNs with payload, a negative zero and a subnormal.
    let bytes = [1, 0, 0xa0, 0x7f, 5, 0, 0, 0, 0, 0, 0xf4, 0xff, 0, 0, 0, 0x80, 1, 0, 0, 0];
    let tree = notation.decode(&bytes).unwrap();
    assert_eq!(tree, notation.decode(&bytes).unwrap());
    assert_eq!(notation.encode(&tree).unwrap(), bytes);
    assert!(tree.float("a").unwrap().is_nan());
    assert_eq!(tree.float("c[0]"), Some(-0.0));
    assert_eq!(tree.float("c[2]"), None);
}

#[test]
fn arrays_of_every_kind_are_as_declared() {
    for (text, bytes, expected) in [
        // Arrays of an alias of a built-in type are as compact as those of the type.
        ("t := <int8>; u := [<t>]; <u*3>", &[1, 2, 255][..], "[1,2,-1]"),
        ("<<int8>*2:a>", &[1, 2], r#"{"a":[1,2]}"#),
        ("<<int8*2>*2>", &[1, 2, 3, 4], "[[1,2],[3,4]]"),
        ("t := <int8*2>; <t*2>", &[1, 2, 3, 4], "[[1,2],[3,4]]"),
        ("t := <int8:x>; <t*2>", &[1, 2], r#"[{"x":1},{"x":2}]"#),
        ("<char8*2:a><char8*2:b>", b"hi\xff\0", r#"{"a":"hi","b":[255,0]}"#),
        ("<byte*2:a>", b"hi", r#"{"a":[104,105]}"#),
        ("<char16*2:a>", b"h\0i\0", r#"{"a":[104,105]}"#),
        ("<int32*0:a><int8:b>", &[1], r#"{"a":[],"b":1}"#),
        ("<int32*0>", &[], "[]"),
    ] {
        assert_eq!(shown(text, bytes), expected, "{text}");
    }
}

#[test]
fn expressions_have_the_results_of_arithmetic() {
    for (expression, expected) in [
        ("7", 7),
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("9 - 3 - 2", 4),
        ("100 / 5 / 2", 10),
        ("7 / 2", 3),
        ("-7 / 2 + 10", 7),
        ("2 * -3 + 10", 4),
        ("- -4", 4),
        ("$a", 2),
        ("$a * $b - 1", 5),
        ("$s[0] + $s[$a - 1] + $s[($b)-1]", 60 + 2 * 20 - 60),
        ("sum($s)", 60 - 20 + 7 - 7),
        ("prod($p)", 24),
        ("prod($none)", 1),
        ("sum($none)", 0),
        ("type_bytes(11)", 8),
        ("type_bytes($a + 9)", 8),
        ("$q.x[1].y", 6),
        ("prod(\n  $p // of all\n)", 24),
    ] {
        let text = format!(
            "<int8:a><int8:b><int8*3:s><int8*3:p><int8*0:none><[<[<int8:y>]*2:x>]:q>\
             <byte*({expression}):data>"
        );
        let mut bytes = vec![2, 3, 0, 20, 20, 2, 3, 4, 5, 6];
        bytes.resize(bytes.len() + expected, 9);
        let tree_len = notation(&text)
            .decode(&bytes)
            .unwrap_or_else(|error| panic!("{expression}: {error}"))
            .get("data")
            .and_then(|data| data.as_bytes().map(<[u8]>::len));
        assert_eq!(tree_len, Some(expected), "{expression}");
    }
}

#[test]
fn type_bytes_is_the_size_of_each_dtype() {
    let sizes = [
        0, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 8, 1, 2, 4, 1, 2, 4, 8, 16, 1, 4, 8, 16, 1, 1, 1, 1, 1,
        1, 1, 1,
    ];
    let notation = notation("<byte:t><byte*(type_bytes($t)):data>");
    for (code, size) in (0u8..).zip(sizes) {
        let mut bytes = vec![code];
        bytes.resize(1 + size, 0);
        notation.decode(&bytes).unwrap_or_else(|error| panic!("{code}: {error}"));
    }
}

#[test]
fn names_mean_the_nearest_earlier_field() {
    for (text, bytes, expected) in [
        // The inner field, although there is an outer one.
        (
            "<int8:n><[<int8:n><byte*$n:d>]*$n:a>",
            &[2, 1, 7, 0][..],
            r#"{"n":2,"a":[{"n":1,"d":[7]},{"n":0,"d":[]}]}"#,
        ),
        // The outer one is before the inner one.
        ("<int8:n><[<byte*$n:d><int8:n>]*$n:a>", &[1, 7, 0], r#"{"n":1,"a":[{"d":[7],"n":0}]}"#),
        // From a declared type into what contains it, two levels out.
        (
            "row := <byte*$w:c>; rows := <row*2:r>; <int8:w><rows:a>",
            &[1, 7, 8],
            r#"{"w":1,"a":{"r":[{"c":[7]},{"c":[8]}]}}"#,
        ),
        // By the name of a type.
        ("size := <int8>; <size><byte*$size:d>", &[1, 7], r#"{"size":1,"d":[7]}"#),
        // A field name takes precedence over a type name.
        ("n := <int8>; <n><int8:n>", &[1, 2], r#"{"0":1,"n":2}"#),
    ] {
        assert_eq!(shown(text, bytes), expected, "{text}");
    }
}

#[test]
fn slips_of_the_document_are_accepted_with_a_note() {
    let text = FIXTURES.text("notation/section4.txt");
    let notation = notation(&text);
    let at = |found: &str| text.find(found).unwrap();
    let notes: Vec<_> =
        notation.notes().iter().map(|note| (note.kind.clone(), note.offset)).collect();
    assert_eq!(
        notes,
        [
            (NoteKind::MissingDollar { name: "dims".into() }, at("dims:shape")),
            (NoteKind::MissingSemicolon { name: "bubble".into() }, at("\ninputs :=")),
        ]
    );

    let text = "a := <byte>\nb := <a>; <int8*2:size><<b>*(prob(size)):data>";
    let notation = Notation::parse(text).unwrap();
    let notes: Vec<_> = notation.notes().iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "missing `;` after the declaration of `a` at byte 11",
            "`prob` taken for `prod` at byte 41",
            "`size` taken for `$size` at byte 46",
        ]
    );
    assert_eq!(notation.decode(&[1, 2, 7, 8]).unwrap().int("data[1]"), Some(8));
}

#[test]
fn paths_select_values() {
    let notation = notation("<int8:n><[<int16:x><char8*$n:t>]*2:a><float32*2:f>");
    let bytes: Vec<u8> = (2..19).collect();
    let tree = notation.decode(&bytes).unwrap();
    assert_eq!(tree.get(""), Some(&tree));
    let text = tree.get("a[1].t").and_then(Tree::as_bytes).unwrap();
    // Borrowed, not copied.
    assert_eq!(text.as_ptr(), bytes[7..].as_ptr());
    for none in ["m", "a[2]", "a.x", "n.x", "n[0]", "[0]", "a[0", "a[x]", "a[0]x", "a[0].", "f[0]"]
    {
        assert_eq!(tree.get(none), None, "{none}");
    }
    assert_eq!(tree.int("a[0].t[1]"), Some(6));
    assert_eq!(tree.int("f[0]"), None);
    assert!(tree.float("f[1]").is_some());
}

#[test]
fn trees_are_built_changed_and_written() {
    let notation = notation("<int8:n><[<char8*2:t><int64*1:x>]*$n:a><float64:f><byte*2:b>");
    let item = |text: &'static str, x: i64| {
        Tree::structure([("t", Tree::from(text)), ("x", Tree::from(&[x][..]))])
    };
    let mut tree = Tree::structure([
        ("n", 1.into()),
        ("a", Tree::Array(vec![item("hi", -2)])),
        ("f", 0.5.into()),
        ("b", Tree::from(&b"\x01\x02"[..])),
    ]);
    let bytes = notation.encode(&tree).unwrap();
    let expected = [&[1][..], b"hi", &(-2i64).to_le_bytes(), &0.5f64.to_le_bytes(), &[1, 2]];
    assert_eq!(bytes, expected.concat());
    assert_eq!(notation.decode(&bytes).unwrap(), tree);

    *tree.get_mut("n").unwrap() = 2.into();
    *tree.get_mut("a").unwrap() = Tree::Array(vec![item("ho", 3), item("he", 4)]);
    *tree.get_mut("a[1].t").unwrap() = Tree::from("ha");
    let bytes = notation.encode(&tree).unwrap();
    assert_eq!(notation.decode(&bytes).unwrap(), tree);
    assert_eq!(tree.get("a[1].t").and_then(Tree::as_str), Some("ha"));
    assert!(tree.get_mut("a[2]").is_none());
    assert!(tree.get_mut("b[0]").is_none());
}

#[test]
fn arrays_of_builtin_types_are_whole_items() {
    assert_eq!(Scalars::new(Builtin::Int32, &[0; 6][..]), None);
    let array = Scalars::new(Builtin::Char16, vec![b'h', 0, b'i', 0]).unwrap();
    assert_eq!((array.len(), array.is_empty(), array.as_str()), (2, false, None));
    assert_eq!(array.get(1), Some(Tree::Int(105)));
    assert_eq!(array.get(2), None);
    assert_eq!(array.get(usize::MAX), None);
    assert!(array.iter().eq([Tree::Int(104), Tree::Int(105)]));
}

#[test]
fn text_has_a_line_for_each_value() {
    let notation = notation(
        "<int8:n><[<char8*2:t>]*2:a><[<byte:c>]*1:one><[<int8:x>]:s><byte*20:b><int8*18:i><float32*2:f>\
         <char8*70:long>",
    );
    let mut bytes = b"\x05hi\xff\xfe\x07\xff".to_vec();
    bytes.extend(0..20);
    bytes.extend([1; 18]);
    bytes.extend([1.5f32, f32::NAN].iter().flat_map(|float| float.to_le_bytes()));
    bytes.extend([b'x'; 70]);
    let tree = notation.decode(&bytes).unwrap();
    let expected = format!(
        "n: 5
a: 2 items
  [0]:
    t: \"hi\"
  [1]:
    t: 2 bytes ff fe
one: 1 item
  [0]:
    c: 7
s:
  x: -1
b: 20 bytes 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f ..
i: [{}, ..] 18 items
f: [1.5, NaN]
long: \"{}\".. 70 bytes
",
        ["1"; 16].join(", "),
        "x".repeat(64)
    );
    assert_eq!(tree.to_string(), expected);
    assert_eq!(Tree::from(3).to_string(), "3");
}
