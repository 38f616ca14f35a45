//! Spans that are read one by one: the same as all at once, also of one value, and in bounded memory.

use std::ops::ControlFlow;

use fourfold::biniou::{Dictionary, Options, hash};
use fourfold_inspect::spans::{Span, biniou, molecule, primitiv, tsm};

use crate::alloc::measure_value;
use crate::biniou::{chunks, values};
use crate::check::lines;
use crate::fixture::Fixtures;
use crate::{Explain, explained};

/// The first spans of a value, at most `most`.
fn some_spans(explain: Explain, bytes: &[u8], path: &str, most: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    explain(bytes, path, &mut |span| {
        spans.push(span);
        match spans.len() < most {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    spans
}

/// Whether a span belongs to the value at the path, or to a nested value.
fn is_inside(span: &Span, path: &str) -> bool {
    let place = span.place.to_string();
    let rest = place.strip_prefix(path);
    path.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Good and damaged files, with their spans.
fn files() -> Vec<(String, Vec<u8>, Explain, Vec<Span>)> {
    let mut files = Vec::new();
    let mut add = |folder: &'static str, explain: Explain, of: &[(&str, &str)]| {
        let fixtures = Fixtures(folder);
        for (inner, extension) in of {
            let names = fixtures.names(inner, extension);
            assert!(!names.is_empty(), "{folder}/{inner}");
            for name in names {
                let path = format!("{inner}/{name}.{extension}");
                let bytes = fixtures.bytes(&path);
                let all = explained(explain, &bytes);
                files.push((format!("{folder}/{path}"), bytes, explain, all));
            }
        }
    };
    let inner = ["data", "multi", "tree-reader", "typed"].map(|inner| (inner, "biniou"));
    add("biniou", values, &inner);
    let streams = ["stream", "broken"].map(|extension| ("stream", extension));
    add("biniou", chunks, &streams);
    add("molecule", molecule::explain, &[("blocks", "bin")]);
    let documents = [("saved", "model"), ("saved", "optimizer"), ("crafted", "param")];
    add("primitiv", primitiv::explain, &documents);
    let modules = [("good", "tsm"), ("good", "t"), ("odd", "tsm")];
    add("tsm", tsm::explain, &modules);
    files
}

#[test]
fn ends_of_places() {
    let most = 400;
    let mut bytes = [19, 1].repeat(most);
    bytes.extend([1, 7]);
    let options = Options::new().max_depth(500);
    biniou::explain(&bytes, &options, "", &mut |span| {
        let all = span.place.to_string();
        let depth = span.place.segments().len();
        for count in [0, 1, 3, 100, 128, 129, 150, most] {
            let ends = span.place.ends(count).to_string();
            match depth > 2 * count {
                true => {
                    let end = "[0]".repeat(count);
                    assert_eq!(ends, format!("{end}…{end}"));
                }
                false => assert_eq!(ends, all),
            }
        }
        ControlFlow::Continue(())
    });
}

#[test]
fn all_values() {
    for (name, bytes, explain, all) in files() {
        assert_eq!(lines(&some_spans(explain, &bytes, "", usize::MAX)), lines(&all), "{name}");
        // At most as many as requested.
        let some = some_spans(explain, &bytes, "", 3);
        assert_eq!(lines(&some), lines(&all)[..all.len().min(3)], "{name}");
    }
}

/// The number of values of a file that are explained alone.
const PATHS: usize = if cfg!(debug_assertions) { 10 } else { 40 };

/// The spans of a value are those of the whole list, with their errors.
#[test]
fn spans_of_one_value_are_those_of_the_whole() {
    for (name, bytes, explain, all) in files() {
        // Values of many depths from all parts of the file.
        let mut paths: Vec<String> =
            all.iter().step_by(all.len() / PATHS + 1).map(|span| span.place.to_string()).collect();
        let outer = |path: &String| {
            let (outer, _) = path.rsplit_once(['.', '['])?;
            Some(outer.to_owned())
        };
        paths.extend(paths.clone().iter().filter_map(outer));
        paths.push("no.such[3]".into());
        paths.sort();
        paths.dedup();
        for path in paths {
            let expected: Vec<Span> =
                all.iter().filter(|span| is_inside(span, &path)).cloned().collect();
            let part = some_spans(explain, &bytes, &path, usize::MAX);
            assert_eq!(lines(&part), lines(&expected), "{name} {path}");
        }
    }
}

/// An error about two adjacent values is reported at the first one, also if only that is selected.
#[test]
fn errors_of_two_values() {
    let number = |number: u32| [&[0xce][..], &number.to_be_bytes()].concat();
    let shape = [&[0x91][..], &number(1 << 16), &number(1 << 16)].concat();
    // An unknown version, so the reader does not read the rest.
    let bytes = [&number(1)[..], &number(1), &number(0), &shape].concat();
    let errors = |path: &str| {
        let part = some_spans(primitiv::explain, &bytes, path, usize::MAX);
        part.into_iter().filter_map(|span| span.error).collect::<Vec<_>>()
    };
    let overflow = "dims and batch multiply beyond 32 bits";
    assert_eq!(errors(""), ["file version 1.1 is not 0.1", overflow]);
    assert_eq!(errors("dims"), [overflow]);
}

/// Names in the file may be repeated, and may look like paths.
#[test]
fn names_in_the_file_may_look_like_paths() {
    let options = Options::new().names(Dictionary::from_words("x\nx.y").unwrap());
    let hash = |name| (hash(name) | 1 << 31).to_be_bytes();
    let mut bytes = vec![21, 3];
    for (name, value) in [("x", [1, 7]), ("x.y", [1, 8]), ("x", [1, 9])] {
        bytes.extend(hash(name));
        bytes.extend(value);
    }
    let found = |path: &str| {
        let mut values = Vec::new();
        biniou::explain(&bytes, &options, path, &mut |span| {
            values.extend((span.what == "int8").then_some(span.value));
            ControlFlow::Continue(())
        });
        values
    };
    assert_eq!(found("x"), ["7", "8", "9"]);
    assert_eq!(found("x.y"), ["8"]);
    assert_eq!(found("x.z"), [""; 0]);
    assert_eq!(found(".x.y"), ["8"]);
}

/// Reading spans one by one takes memory independent of the length of the input.
#[test]
fn memory_of_spans_one_by_one_is_bounded() {
    const MOST: usize = 64 << 10;
    /// The bound for stored targets of references and names of nodes.
    const MOST_WITH_NAMES: usize = 24 << 20;
    /// Maximum number of spans that are read.
    const SPANS: usize = if cfg!(debug_assertions) { 20_000 } else { usize::MAX };

    let count = 1u32 << 21;
    let pieces = |pieces: &[&[u8]]| pieces.concat();
    // 2^21 in vints of 7 bits.
    let vint = [0x80, 0x80, 0x80, 1];
    let zeros = vec![0; 8 << 20];
    let tuple = pieces(&[&[20], &vint, &[1, 7].repeat(1 << 21)]);
    let columns = pieces(&[&[25, 1], &vint, &[0x80, 0, 0, 1, 1].repeat(1 << 21), &zeros]);
    let shared = pieces(&[&[20], &vint, &[26, 0, 24, 0].repeat(1 << 21)]);
    let stream = [1, 0, 0, 0, 0, 0, 0, 0, 2, 1, 7].repeat(1 << 20);
    let full_size = 4 + 8 * count;
    let mut table = full_size.to_le_bytes().to_vec();
    table.extend((0..count).flat_map(|i| (4 + 4 * count + 4 * i).to_le_bytes()));
    table.resize(full_size as usize, 0);
    let code = [0, 0, 0, 0, 0x29, 0x09, 0x91, 0x19];
    let header = pieces(&[&code, &[0; 120]]);
    let indices = pieces(&[&header, &count.to_le_bytes(), &zeros, &[0; 8]]);
    let nodes = pieces(&[&header, &[0; 8], &(count / 2).to_le_bytes(), &zeros]);
    let uint32 = |number: u32| pieces(&[&[0xce], &number.to_be_bytes()]);
    let entry = [0x91, 0xa0, 0x90, 0xce, 0, 0, 0, 1, 0xc4, 4, 1, 2, 3, 4, 0xce, 0, 0, 0, 0];
    let entries = 1u32 << 18;
    let start = [uint32(0), uint32(1), uint32(0x300), uint32(entries)].concat();
    let model = pieces(&[&start, &entry.repeat(entries as usize)]);

    // Selects everything, and a value far from the start.
    for (name, explain, bytes, part, most) in [
        ("biniou zeros", values as Explain, &zeros, "[1000000]", MOST),
        ("biniou tuple", values, &tuple, "[1000000]", MOST),
        ("biniou columns", values, &columns, "[1000000]", MOST),
        ("biniou shared", values, &shared, "[1000000]", MOST_WITH_NAMES),
        ("biniou chunks", chunks, &stream, "[1000000]", MOST),
        ("molecule table", molecule::explain, &table, "1000000", MOST),
        ("tsm indices", tsm::explain, &indices, "inputs[1000000]", MOST),
        ("tsm nodes", tsm::explain, &nodes, "graph[1000000]", MOST_WITH_NAMES),
        ("primitiv model", primitiv::explain, &model, "parameters[100000]", MOST),
    ] {
        assert!(bytes.len() > 4 << 20, "{name}");
        for path in ["", part] {
            let mut count = 0;
            let (_, stats) = measure_value(|| {
                explain(bytes, path, &mut |span| {
                    assert!(path.is_empty() || span.place.to_string().starts_with(path));
                    count += 1;
                    match count < SPANS {
                        true => ControlFlow::Continue(()),
                        false => ControlFlow::Break(()),
                    }
                });
            });
            let text = format!("{name} {path}: {count} spans, {stats:?}");
            println!("{text}");
            let is_some = if path.is_empty() { count >= SPANS.min(1 << 20) } else { count > 0 };
            assert!(is_some && stats.peak <= most, "{text}");
        }
    }
}
