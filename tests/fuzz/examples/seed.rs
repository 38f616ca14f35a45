//! Writes the initial corpora from the fixtures and the zoo; overwrites only its own files. `cargo fuzz cmin` merges the
//! inputs that fuzzing adds.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a tool of developers")]

use std::fs;
use std::path::Path;

/// Maximum length of a file: mutations rarely change the important bytes of long files.
const LONGEST: usize = 700;

/// Paths of each kind, and invalid texts.
const PATHS: [(&str, &str); 9] = [
    ("names", "outputs[2].lock.args"),
    ("numbers", "2[500].0.0"),
    ("dot", ".2"),
    ("quoted", r#""a.b"[1]."c[0]".""."7""#),
    ("escaped", r#""\\\"\n\t\u{1b}\u{2026}""#),
    ("odd", r"a\b.#1a2b3c4d.é ï"),
    ("left-out", "next.next…(112 more)….next"),
    ("long", "a.a[1].a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.2.a.a.a.a"),
    ("large", "[99999999999999999999]"),
];

fn main() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let sets: [(&str, &[&str], &[&str], usize); 5] = [
        (
            "biniou_tree",
            &["biniou/tree", "biniou/tree-reader", "biniou/data", "biniou/stream"],
            &["biniou", "stream"],
            40,
        ),
        ("biniou_names", &["biniou/schemas"], &["atd", "txt"], 5),
        ("tsm_module", &["tsm/good", "tsm/odd"], &["tsm", "t"], 40),
        ("tsm_notation", &["tsm/notation"], &["txt"], 8),
        (
            "primitiv_file",
            &["primitiv/saved", "primitiv/crafted"],
            &["param", "model", "optimizer", "tensor", "shape"],
            40,
        ),
    ];
    for (target, folders, extensions, most) in sets {
        let mut files = Vec::new();
        for folder in folders {
            let Ok(entries) = fs::read_dir(fixtures.join(folder)) else { continue };
            for entry in entries {
                let path = entry.unwrap().path();
                let extension = path.extension().and_then(|text| text.to_str()).unwrap_or_default();
                let len = path.metadata().unwrap().len();
                if extensions.contains(&extension)
                    && len > 0
                    && len <= if most < 10 { 8000 } else { LONGEST as u64 }
                {
                    files.push(path);
                }
            }
        }
        files.sort();
        let step = files.len().div_ceil(most).max(1);
        for path in files.iter().step_by(step) {
            put(target, &path.file_stem().unwrap().to_string_lossy(), &fs::read(path).unwrap());
        }
    }
    for (name, text) in PATHS {
        put("path_text", name, text.as_bytes());
    }
    for format in ["biniou", "molecule", "primitiv"] {
        for number in 0..u8::try_from(fourfold_fuzz::types_of_parts()).unwrap() {
            let input = drawn(number);
            for (form, message) in fourfold_fuzz::parts(format, number, &input) {
                if message.len() < LONGEST {
                    let typed = [&[number][..], &message].concat();
                    put(&format!("{format}_parts"), &format!("{number:02}-{form}"), &typed);
                }
            }
        }
    }
    for seed in [1, 2, 3] {
        for (number, stream) in fourfold_fuzz::records(&drawn(seed)) {
            let typed = [&[number][..], &stream].concat();
            put("molecule_records", &format!("{number:02}-{seed}"), &typed);
        }
    }
    // For the zoo: values generated from different bytes, and the written messages.
    for format in ["biniou", "molecule", "primitiv", "tsm"] {
        for number in (0..u8::try_from(fourfold_fuzz::types()).unwrap()).step_by(7) {
            let input = drawn(number);
            let name = format!("zoo-{number:03}");
            if number % 2 == 0 {
                put(&format!("{format}_encode"), &name, &input);
            }
            let Some(message) = fourfold_fuzz::written(format, &input) else { continue };
            if message.len() < LONGEST {
                let typed: Vec<u8> = [number].into_iter().chain(message.clone()).collect();
                put(&format!("{format}_decode"), &name, &typed);
                if format == "molecule" && message.len() > 8 {
                    put("molecule_explain", &name, &message);
                }
            }
        }
    }
}

/// A number, and bytes from which values are generated.
fn drawn(number: u8) -> Vec<u8> {
    let mut state = u64::from(number) + 77;
    let mut input = vec![number];
    for _ in 0..60 {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        input.push(state.to_be_bytes()[0]);
    }
    input
}

fn put(target: &str, name: &str, bytes: &[u8]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), bytes).unwrap();
}
