//! Errors with offset and path: of texts, of bytes, and of trees.

use fourfold::Category;
use fourfold_schema::notation::{ErrorKind, Notation, Tree};

use super::notation;
use crate::support::fixture::{assert_none, unhex};

/// Texts that are refused, where, and why.
const TEXTS: [(&str, usize, &str); 65] = [
    ("", 0, "`<` of the field definition expected, end of the text found"),
    ("a := <int8>;", 12, "`<` of the field definition expected, end of the text found"),
    ("// <int8>", 9, "`<` of the field definition expected, end of the text found"),
    (";", 0, "`<` of the field definition expected, `;` found"),
    ("<>", 1, "type expected, `>` found"),
    ("<int8", 5, "`*`, `:` or `>` expected, end of the text found"),
    ("<int8:", 6, "name of the field expected, end of the text found"),
    ("<int8:>", 6, "name of the field expected, `>` found"),
    ("<int8:a", 7, "`>` expected, end of the text found"),
    ("<int8:2>", 6, "name of the field expected, `2` found"),
    ("<int8:a:b>", 7, "`>` expected, `:` found"),
    ("<int8*>", 6, "count expected, `>` found"),
    ("<int8*2", 7, "`:` or `>` expected, end of the text found"),
    ("<int8*:a>", 6, "count expected, `:` found"),
    ("<int8*-1:a>", 6, "count expected, `-` found"),
    ("<int8*2*3:a>", 7, "`:` or `>` expected, `*` found"),
    ("<int8*1+1:a>", 7, "`:` or `>` expected, `+` found"),
    ("<int8*2.5:a>", 7, "`:` or `>` expected, `.` found"),
    ("<int8 a>", 6, "`*`, `:` or `>` expected, `a` found"),
    ("<int8:a>>", 8, "end of the text expected, `>` found"),
    ("<int8:a>;;", 9, "end of the text expected, `;` found"),
    ("<int8:a> b := <int8>;", 9, "end of the text expected, `b` found"),
    ("[<int8>", 7, "`]` expected, end of the text found"),
    ("[]", 1, "`<` or `[` expected, `]` found"),
    ("<[<int8>:a>", 8, "`]` expected, `:` found"),
    ("<[<int8>]a>", 9, "`*`, `:` or `>` expected, `a` found"),
    ("a = <int8>; <a>", 2, "'=' is no character of the notation"),
    ("a <int8>; <a>", 2, "`:=` expected, `<` found"),
    ("a := ; <a>", 5, "`<`, `[` or a type expected, `;` found"),
    ("a := <int8> <a>", 15, "`;` expected, end of the text found"),
    ("a := <b>; <a>", 6, "unknown type `b`"),
    ("a := <int8>; a := <int8>; <a>", 13, "type `a` is declared already"),
    ("int8 := <byte>; <int8>", 0, "type `int8` is declared already"),
    ("<int7>", 1, "unknown type `int7`"),
    ("<uint8>", 1, "unknown type `uint8`"),
    ("<float16>", 1, "unknown type `float16`"),
    ("<tensor>", 1, "unknown type `tensor`"),
    ("<int8:a><int8:a>", 14, "field `a` is there already"),
    ("a := <a:x>; <a>", 0, "type `a` never ends"),
    ("a := <a>; <int8>", 0, "type `a` never ends"),
    ("a := <int8><b>; b := <c*2>; c := <a*1:x>; <int8>", 0, "type `a` never ends"),
    ("<$a>", 1, "type expected, `$` found"),
    ("<int8*$:a>", 7, "name of a field expected, `:` found"),
    ("<int8*$b:a>", 7, "no field is named `b`"),
    ("<int8:n><int8*$n.x:a>", 17, "no field is named `x`"),
    ("<int8:n><int8*$n[0:a>", 18, "operator or `]` expected, `:` found"),
    ("<int8:n><int8*$n[]:a>", 17, "number, `$`, function or `(` expected, `]` found"),
    ("<int8*(:a>", 7, "number, `$`, function or `(` expected, `:` found"),
    ("<int8*():a>", 7, "number, `$`, function or `(` expected, `)` found"),
    ("<int8*(1:a>", 8, "operator or `)` expected, `:` found"),
    ("<int8*(1 +):a>", 10, "number, `$`, function or `(` expected, `)` found"),
    ("<int8*(1 2):a>", 9, "operator or `)` expected, `2` found"),
    ("<int8*(2 - 3):a>", 6, "count -1 is negative"),
    ("<int8*(1 / 0):a>", 6, "division by zero"),
    ("<int8*(9223372036854775807 + 1):a>", 6, "result is beyond 64 bits"),
    ("<int8*(type_bytes(33)):a>", 6, "unknown dtype 33"),
    ("<int8*9223372036854775808:a>", 6, "number is beyond 63 bits"),
    ("<int8:n><int8*(max($n)):a>", 15, "unknown function `max`"),
    ("<int8*(prod(2)):a>", 12, "`$` expected, `2` found"),
    ("<int8:n><int8*(prod($n + 1)):a>", 23, "`.`, `[` or `)` expected, `+` found"),
    ("<int8:n><int8*(sum $n):a>", 19, "operator or `)` expected, `$` found"),
    ("<int8:a> # no", 9, "'#' is no character of the notation"),
    ("<int8:a>é", 8, "end of the text expected, `é` found"),
    ("<int8:é€><int8*$€:a>", 8, "'€' is no character of the notation"),
    ("<int8:n><int8*((($n):a>", 20, "operator or `)` expected, `:` found"),
];

#[test]
fn texts_are_refused_with_their_offset() {
    let mut failures = Vec::new();
    for (text, offset, expected) in TEXTS {
        match Notation::parse(text) {
            Ok(_) => failures.push(format!("{text}: accepted")),
            Err(error) => {
                let (found, at) = (error.kind().to_string(), error.offset());
                if found != expected || at != Some(offset) || !error.path().is_empty() {
                    failures.push(format!("({text:?}, {}, {found:?}),", at.unwrap_or(usize::MAX)));
                }
            }
        }
    }
    assert_none(&failures);
}

/// Texts, bytes that they do not describe, and why.
const BYTES: [(&str, &str, &str); 35] = [
    ("<int32>", "000000", "input ends early: 4 bytes needed, 3 left at byte 0"),
    ("<int8:a><int32:b>", "00", "input ends early: 4 bytes needed, 0 left in b at byte 1"),
    ("<int8:a>", "0001", "1 trailing byte at byte 1"),
    ("<int8*0:a>", "07", "1 trailing byte at byte 0"),
    ("<int8:n><int16*$n:a>", "020000", "input ends early: 4 bytes needed, 2 left in a at byte 1"),
    ("<int8:n><int16*$n:a>", "ff", "count -1 is negative in a at byte 1"),
    (
        "<int8:n><[<int16:x><int8:y>]*$n:a>",
        "020000000000",
        "input ends early: 6 bytes needed, 5 left in a at byte 1",
    ),
    (
        "<int8:n><[<int8:m><int8*$m>]*$n:a>",
        "02010703",
        "input ends early: 3 bytes needed, 0 left in a[1].1 at byte 4",
    ),
    (
        "<int8:n><[<int8:m><int8*$m:x>]*$n:a>",
        "02010703",
        "input ends early: 3 bytes needed, 0 left in a[1].x at byte 4",
    ),
    ("<[<byte*3>]*2:a>", "0102030405", "input ends early: 6 bytes needed, 5 left in a at byte 0"),
    ("<byte*$n:a><int8:n>", "01", "no field `n` before this one in a at byte 0"),
    ("<byte*$a:a>", "01", "no field `a` before this one in a at byte 0"),
    ("<[<int8:n>]:s><byte*$n:a>", "01", "no field `n` before this one in a at byte 1"),
    ("<[<int8:n>]:s><int8:m><byte*$s.m:a>", "0102", "structure has no field `m` in a at byte 2"),
    ("<int8:n><byte*$n.n:a>", "01", "integer has no field `n` in a at byte 1"),
    ("<int8*2:n><byte*$n[0].n:a>", "0101", "integer has no field `n` in a at byte 2"),
    ("<[<int8:n>]*1:s><byte*$s.n:a>", "01", "array has no field `n` in a at byte 1"),
    ("<int8:n><byte*$n[0]:a>", "01", "integer of 0 items has no item 0 in a at byte 1"),
    ("<int8*2:n><byte*$n[2]:a>", "0101", "array of int8 of 2 items has no item 2 in a at byte 2"),
    (
        "<int8*2:n><byte*$n[0-1]:a>",
        "0101",
        "array of int8 of 2 items has no item -1 in a at byte 2",
    ),
    ("<[<int8:n>]*1:s><byte*$s[1].n:a>", "01", "array of 1 items has no item 1 in a at byte 1"),
    ("<float:n><byte*$n:a>", "0000803f", "float32 is no integer in a at byte 4"),
    ("<int8*1:n><byte*$n:a>", "01", "array of int8 is no integer in a at byte 1"),
    ("<[<int8:n>]*1:s><byte*$s:a>", "01", "array is no integer in a at byte 1"),
    ("<int8:n><byte*(prod($n)):a>", "01", "integer is no array of integers in a at byte 1"),
    (
        "<float*1:n><byte*(sum($n)):a>",
        "0000803f",
        "array of float32 is no array of integers in a at byte 4",
    ),
    ("<[<int8:n>]*1:s><byte*(sum($s)):a>", "01", "array is no array of integers in a at byte 1"),
    ("<int64:n><byte*($n + 1):a>", "ffffffffffffff7f", "result is beyond 64 bits in a at byte 8"),
    ("<int64:n><byte*(-$n):a>", "0000000000000080", "result is beyond 64 bits in a at byte 8"),
    ("<int64:n><byte*($n / -1):a>", "0000000000000080", "result is beyond 64 bits in a at byte 8"),
    (
        "<int32*3:n><byte*(prod($n)):a>",
        "ffffff7fffffff7fffffff7f",
        "result is beyond 64 bits in a at byte 12",
    ),
    (
        "<int64*2:n><byte*(sum($n)):a>",
        "ffffffffffffff7f0100000000000000",
        "result is beyond 64 bits in a at byte 16",
    ),
    ("<int8:n><byte*(1 / $n):a>", "00", "division by zero in a at byte 1"),
    // Only counts without names are evaluated with the text.
    ("<int8:n><byte*(1 / 0 + $n):a>", "00", "division by zero in a at byte 1"),
    ("<byte:t><byte*(type_bytes($t)):a>", "21", "unknown dtype 33 in a at byte 1"),
];

#[test]
fn bytes_are_refused_with_offset_and_path() {
    let mut failures = Vec::new();
    for (text, bytes, expected) in BYTES {
        match notation(text).decode(&unhex(bytes).unwrap()) {
            Ok(tree) => failures.push(format!("{text}: {tree:?}")),
            Err(error) if error.to_string() == expected => {}
            Err(error) => failures.push(format!("{text}: {error}")),
        }
    }
    assert_none(&failures);
}

#[test]
fn trees_are_refused_with_their_path() {
    let pair = || Tree::structure([("x", Tree::from(1)), ("y", 2.into())]);
    let one = |value: Tree<'static>| Tree::structure([("a", value)]);
    let counted =
        |size: i32, value: Tree<'static>| Tree::structure([("n", Tree::from(size)), ("a", value)]);
    let cases = [
        ("<int8:a>", Tree::from(1), "structure expected, integer found"),
        ("<int8>", one(1.into()), "int8 expected, structure found"),
        ("<int8:a>", one(128.into()), "128 does not fit int8 in a"),
        ("<byte:a>", one((-1).into()), "-1 does not fit byte in a"),
        ("<char16:a>", one(65536.into()), "65536 does not fit char16 in a"),
        ("<int8:a>", one(1.0.into()), "int8 expected, float64 found in a"),
        ("<float32:a>", one(1.0.into()), "float32 expected, float64 found in a"),
        ("<float32:a>", one(1.into()), "float32 expected, integer found in a"),
        (
            "<int8*2:a>",
            one(Tree::from(&[1i16, 2][..])),
            "array of int8 expected, array of int16 found in a",
        ),
        ("<byte*2:a>", one("hi".into()), "array of byte expected, array of char8 found in a"),
        (
            "<int8*2:a>",
            one(Tree::Array(vec![1.into(), 2.into()])),
            "array of int8 expected, array found in a",
        ),
        ("<int8*2:a>", one(Tree::from(&[1i8][..])), "count is 2, but the array has 1 items in a"),
        (
            "<[<int8:x><int8:y>]*2:a>",
            one(Tree::from(&[1i8][..])),
            "array expected, array of int8 found in a",
        ),
        (
            "<[<int8:x><int8:y>]*2:a>",
            one(Tree::Array(vec![pair()])),
            "count is 2, but the array has 1 items in a",
        ),
        (
            "<[<int8:x><int8:z>]*1:a>",
            one(Tree::Array(vec![pair()])),
            "field `z` expected, `y` found in a[0]",
        ),
        ("<[<int8:x>]:a>", one(pair()), "1 fields expected, 2 found in a"),
        ("<[<int8><int8>]:a>", one(pair()), "field `0` expected, `x` found in a"),
        ("<int8:n><byte*$n:a>", counted(-1, Vec::new().into()), "count -1 is negative in a"),
        (
            "<int8:n><byte*$n:a>",
            counted(1, Vec::new().into()),
            "count is 1, but the array has 0 items in a",
        ),
        ("<int8:n><byte*(1 / $n):a>", counted(0, Vec::new().into()), "division by zero in a"),
        (
            "<int8:n><[<byte*$m>]*1:a><int8:m>",
            Tree::structure([
                ("n", Tree::from(0)),
                ("a", Tree::Array(vec![Vec::new().into()])),
                ("m", 0.into()),
            ]),
            "no field `m` before this one in a[0]",
        ),
    ];
    let mut failures = Vec::new();
    for (text, tree, expected) in cases {
        match notation(text).encode(&tree) {
            Ok(bytes) => failures.push(format!("{text}: {bytes:?}")),
            Err(error) if error.to_string() == expected && error.offset().is_none() => {}
            Err(error) => failures.push(format!("{text}: {error}")),
        }
    }
    assert_none(&failures);
}

#[test]
fn errors_have_their_category() {
    let category = |text: &str, bytes: &[u8]| notation(text).decode(bytes).unwrap_err().category();
    assert_eq!(category("<int32>", &[]), Category::Eof);
    assert_eq!(category("<int32>", &[0; 5]), Category::Syntax);
    assert_eq!(category("<int8:n><byte*$n:a>", &[255]), Category::Syntax);
    let error = Notation::parse("<int7>").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnknownType { name } if **name == *"int7"));
    assert_eq!(error.category(), Category::Syntax);
    let error = notation("<int8>").encode(&128.into()).unwrap_err();
    assert_eq!(error.category(), Category::Data);
    let io = std::io::Error::from(notation("<int32>").decode(&[]).unwrap_err());
    assert_eq!(io.kind(), std::io::ErrorKind::UnexpectedEof);
}
