//! Generates the source of random structs and enums with serde's derives, some of them nested.

use std::fmt::Write as _;

use crate::random::Random;

const SCALARS: [&str; 14] = [
    "bool",
    "u8",
    "u16",
    "u32",
    "u64",
    "i32",
    "i64",
    "f32",
    "f64",
    "char",
    "String",
    "String",
    "(u8, u32)",
    "[u8; 32]",
];

/// The source of a library with `count` types, `T0` and so on.
pub(crate) fn source(count: usize) -> String {
    let mut r = Random::new(7);
    let mut text = String::from("use serde::{Deserialize, Serialize};\n\n");
    for number in 0..count {
        text += "#[derive(Serialize, Deserialize)]\n";
        match r.below(4) {
            0 => enumeration(&mut text, number, &mut r),
            _ => {
                let fields = fields(number, 3 + r.below(8), "pub ", &mut r);
                _ = writeln!(text, "pub struct T{number} {fields}\n");
            }
        }
    }
    text
}

fn enumeration(text: &mut String, number: usize, r: &mut Random) {
    _ = writeln!(text, "pub enum T{number} {{");
    for variant in 0..2 + r.below(5) {
        let content = match r.below(4) {
            0 => String::new(),
            1 => format!("({})", field(number, r)),
            2 => format!("({}, {})", field(number, r), field(number, r)),
            _ => {
                let count = 1 + r.below(3);
                fields(number, count, "", r)
            }
        };
        _ = writeln!(text, "    V{variant}{content},");
    }
    *text += "}\n\n";
}

fn fields(number: usize, count: u32, prefix: &str, r: &mut Random) -> String {
    let list: Vec<String> =
        (0..count).map(|at| format!("{prefix}field_{at}: {}", field(number, r))).collect();
    format!("{{ {} }}", list.join(", "))
}

/// The type of a field of type `number`, which may use types with smaller numbers.
fn field(number: usize, r: &mut Random) -> String {
    let inner = match r.below(5) {
        0 if number > 0 => {
            let below = u32::try_from(number).unwrap_or(u32::MAX);
            format!("T{}", r.below(below))
        }
        _ => r.pick(&SCALARS).to_owned(),
    };
    match r.below(10) {
        0 | 1 => format!("Option<{inner}>"),
        2 | 3 => format!("Vec<{inner}>"),
        4 if inner == "String" => {
            format!("std::collections::BTreeMap<String, T{}>", number.saturating_sub(1))
                .replace(&format!("T{number}>"), "u64>")
        }
        _ => inner,
    }
}
