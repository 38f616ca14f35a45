//! Damaged bytes and texts: an error, or a value that is written with the same bytes; never a panic.

use crate::support::random::{Dice, Source as _};
use fourfold_schema::notation::Notation;

use super::{FIXTURES, section_4};

/// The number of damaged modules, and of damaged texts.
const MUTATIONS: usize = if cfg!(debug_assertions) { 40_000 } else { 1_000_000 };

/// Random bytes, often those of counts and dtypes.
fn byte(g: &mut Dice) -> u8 {
    let any = g.draw();
    g.one_of(&[0, 1, 2, 0x7f, 0x80, 0xff, any])
}

fn damaged(g: &mut Dice, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=g.below(3) {
        let at = g.below(bytes.len() + 1);
        match g.below(5) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, byte(g)),
            _ if at < bytes.len() => bytes[at] = byte(g),
            _ => {}
        }
    }
    bytes
}

#[test]
fn damaged_modules_are_refused_or_survive() {
    let notation = section_4("<header><module>");
    let seeds = ["minimal", "packed", "empty", "py_writer", "shapes"]
        .map(|name| FIXTURES.bytes(&format!("good/{name}.tsm")));
    let mut g = Dice::of("damaged modules");
    let mut read = 0;
    for round in 0..MUTATIONS {
        let bytes = damaged(&mut g, &seeds[round % seeds.len()]);
        match notation.decode(&bytes) {
            Ok(tree) => {
                read += 1;
                assert_eq!(notation.encode(&tree).unwrap(), bytes);
            }
            Err(error) => assert!(error.offset().is_some_and(|at| at <= bytes.len()), "{error}"),
        }
    }
    // The header alone can be anything.
    assert!(read > MUTATIONS / 50, "{read}");
}

/// Tokens of the notation, so that some damaged texts are still valid.
const WORDS: [&str; 34] = [
    "<",
    ">",
    "[",
    "]",
    "(",
    ")",
    "*",
    ":",
    ":=",
    ";",
    "$",
    ".",
    "+",
    "-",
    "/",
    "int8",
    "byte",
    "char8",
    "float64",
    "string",
    "size",
    "data",
    "tensor",
    "proto",
    "shape",
    "prod",
    "sum",
    "type_bytes",
    "0",
    "2",
    "9223372036854775807",
    " ",
    "//",
    "é",
];

#[test]
fn damaged_texts_are_refused_or_usable() {
    let text = FIXTURES.text("notation/section4.txt");
    let small = "string := <int8:size><char8*$size:data>; <<string>*(2 - 1):all><int8*prod($all)>";
    let bytes = [FIXTURES.bytes("good/minimal.tsm"), vec![1, 2, 3, 4, 1, 0]];
    let mut g = Dice::of("damaged texts");
    let mut parsed = 0;
    for round in 0..MUTATIONS {
        let mut text: Vec<char> = if round % 4 == 0 { &text } else { small }.chars().collect();
        for _ in 0..=g.below(3) {
            let at = g.below(text.len() + 1);
            let end = text.len().min(at + g.below(6));
            let word = if g.one_in(2) { g.one_of(&WORDS) } else { "" };
            text.splice(at..end, word.chars());
        }
        let text: String = text.into_iter().collect();
        match Notation::parse(&text) {
            Ok(notation) => {
                parsed += 1;
                for bytes in &bytes {
                    if let Ok(tree) = notation.decode(bytes) {
                        assert_eq!(notation.encode(&tree).unwrap(), *bytes, "{text}");
                    }
                }
            }
            Err(error) => {
                assert!(error.offset().is_some_and(|at| at <= text.len()), "{text}: {error}")
            }
        }
    }
    assert!(parsed > MUTATIONS / 100, "{parsed}");
}
