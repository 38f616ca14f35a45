//! Modules and tensors: fixtures of TenniS, and bytes that violate its rules.

mod dump;

use std::collections::BTreeMap;

use fourfold::tsm::{self, ErrorKind, Module, PackedTensor, from_slice, to_vec};
use serde_json::Value;

use crate::support::fixture::{Fixtures, assert_none, hex};

pub(crate) const FIXTURES: Fixtures = Fixtures("tsm");

/// The bytes of a good module.
pub(crate) fn good(name: &str) -> Vec<u8> {
    FIXTURES.bytes(&format!("good/{name}.tsm"))
}

/// The bytes of an odd module.
pub(crate) fn odd(name: &str) -> Vec<u8> {
    FIXTURES.bytes(&format!("odd/{name}.tsm"))
}

#[test]
fn modules_decode_to_their_dumps_and_encode_to_their_bytes() {
    let mut failures = Vec::new();
    let names = FIXTURES.names("good", "tsm");
    assert_eq!(names.len(), 23);
    for name in &names {
        let bytes = good(name);
        let expected: Value = FIXTURES.json(&format!("good/{name}.json"));
        let module: Module<'_> = from_slice(&bytes).unwrap();
        let dump = dump::module(&module);
        if dump != expected {
            failures.push(format!("{name}: {dump}\nexpected {expected}"));
        }
        for again in [to_vec(&module).unwrap(), module.to_vec().unwrap()] {
            if again != bytes {
                failures.push(format!("{name}: {}", hex(&again)));
            }
        }
        let mut streamed = Vec::new();
        tsm::to_writer(&mut streamed, &module).unwrap();
        assert_eq!(streamed, bytes, "{name}");
        assert_eq!(Module::from_slice(&bytes).unwrap(), module, "{name}");
        assert_eq!(Module::from_reader(&bytes[..]).unwrap(), module, "{name}");
        assert_eq!(module.clone().into_owned(), module, "{name}");
    }
    assert_none(&failures);
}

#[test]
fn tensor_files_decode_to_their_dumps_and_encode_to_their_bytes() {
    let names = FIXTURES.names("good", "t");
    assert_eq!(names.len(), 11);
    for name in &names {
        let bytes = FIXTURES.bytes(&format!("good/{name}.t"));
        let expected: Value = FIXTURES.json(&format!("good/{name}.json"));
        let packed = PackedTensor::from_slice(&bytes).unwrap();
        // Dumps of results also show the numbers.
        let expected = match expected.get("tensor") {
            Some(tensor) => tensor.clone(),
            None => expected,
        };
        assert_eq!(dump::packed(&packed), expected, "{name}");
        assert_eq!(packed.to_vec().unwrap(), bytes, "{name}");
        assert_eq!(to_vec(&packed).unwrap(), bytes, "{name}");
    }
}

/// Files that are refused although TenniS accepts them, even with checks for short reads and trailing bytes.
const STRICTER: [(&str, &str); 6] = [
    // Elements beyond an int32: TenniS counts them modulo 2^32, and allocates too little memory.
    (
        "count_overflows_to_zero",
        "more than 2147483647 elements in graph[1].bubble[2].value[0].shape at byte 267",
    ),
    (
        "count_wraps_to_1",
        "more than 2147483647 elements in graph[1].bubble[2].value[0].shape at byte 267",
    ),
    // Negative dims whose product is a valid size.
    (
        "negative_dim_with_zero",
        "dim -1 is negative in graph[1].bubble[2].value[0].shape[0] at byte 271",
    ),
    ("two_negative_dims", "dim -1 is negative in graph[1].bubble[2].value[0].shape[0] at byte 271"),
    // TenniS treats elements of unknown dtypes as 0 bytes.
    ("unknown_dtype_255", "unknown dtype 255 in graph[1].bubble[2].value[0].dtype at byte 266"),
    ("unknown_dtype_33", "unknown dtype 33 in graph[1].bubble[2].value[0].dtype at byte 266"),
];

#[test]
fn unusual_modules_have_the_strict_verdict_or_a_stricter_one() {
    let outcomes: BTreeMap<String, Value> = FIXTURES.json("odd/outcomes.json");
    let stricter: BTreeMap<_, _> = STRICTER.into_iter().collect();
    assert_eq!(outcomes.len(), 64);
    let mut failures = Vec::new();
    for (file, outcome) in &outcomes {
        let name = file.strip_suffix(".tsm").unwrap();
        let strict = outcome["strict"].as_str().unwrap();
        let accepted = match strict {
            "as tennis" => outcome["tennis"] == "accepts",
            strict => strict == "well formed",
        };
        let bytes = odd(name);
        let read = from_slice::<Module<'_>>(&bytes);
        match (&read, stricter.get(name)) {
            (Err(error), Some(why)) if error.to_string() == *why => {
                assert!(accepted, "{name} is no exception");
            }
            (Ok(module), None) if accepted => {
                assert_eq!(to_vec(module).unwrap(), bytes, "{name}");
            }
            (Err(error), None) if !accepted => {
                if error.offset().is_none() {
                    failures.push(format!("{name}: {error} has no offset"));
                }
            }
            (verdict, _) => failures.push(format!(
                "{name}: {:?}, TenniS: {strict}",
                verdict.as_ref().map(|_| "accepted")
            )),
        }
    }
    assert_none(&failures);
}

#[test]
fn errors_of_refused_modules_have_kind_and_offset() {
    let cases = [
        ("code_zero", "code 0x0 is not that of a module in header.code at byte 4"),
        ("dims_8", "8 dims, 7 at most in graph[1].bubble[2].value[0].shape at byte 267"),
        ("input_index_out_of_range", "inputs[0] is node 7, of 2 in inputs[0] at byte 132"),
        ("output_index_out_of_range", "outputs[0] is node 2, of 2 in outputs[0] at byte 140"),
        ("missing_op", "node 1: no #op in graph[1] at byte 206"),
        (
            "name_scalar",
            "node 1: #name is char8 with 0 dims, not text in graph[1].bubble at byte 234",
        ),
        (
            "node_input_out_of_range",
            "node 1: inputs[0] is node 2, of 2 in graph[1].inputs[0] at byte 261",
        ),
        ("output_count_2", "node 1: #output_count is not 1 in graph[1].bubble at byte 257"),
        (
            "inputs_incomplete",
            "node 0: a <param> that an output needs is not among the inputs in graph[0] at byte 144",
        ),
        ("trailing_byte", "1 trailing byte at byte 295"),
    ];
    let failures: Vec<String> = cases
        .into_iter()
        .filter_map(|(name, expected)| {
            let error = from_slice::<Module<'_>>(&odd(name)).unwrap_err().to_string();
            (error != expected).then(|| format!("{name}: {error}"))
        })
        .collect();
    assert_none(&failures);
}

#[test]
fn the_index_points_at_the_bytes_of_every_tensor() {
    let mut tensors = 0;
    for name in FIXTURES.names("good", "tsm") {
        let bytes = good(&name);
        let module: Module<'_> = from_slice(&bytes).unwrap();
        let mut index = module.index().into_iter();
        for (at, node) in module.graph.nodes.iter().enumerate() {
            for param in &node.bubble.params {
                for (field, tensor) in param.value.fields.iter().enumerate() {
                    let entry = index.next().unwrap();
                    assert_eq!((entry.node, entry.field), (at, field), "{name}");
                    assert_eq!(entry.node_name, node.name_bytes().unwrap(), "{name}");
                    assert_eq!(entry.param_name, param.name(), "{name}");
                    assert_eq!((entry.dtype, entry.shape), (tensor.dtype(), tensor.shape()));
                    // The range has to be that of the borrowed bytes.
                    let place = &bytes[entry.range.clone()];
                    assert_eq!(
                        place.as_ptr_range(),
                        tensor.bytes().as_ptr_range(),
                        "{name} {entry}"
                    );
                    tensors += 1;
                }
            }
        }
        assert_eq!(index.next(), None, "{name}");
    }
    assert!(tensors > 1000, "{tensors}");
}

#[test]
fn errors_of_a_module_inside_another_type_count_from_the_start_of_the_input() {
    let mut bytes = to_vec(&7u16).unwrap();
    bytes.extend(odd("node_input_out_of_range"));
    let error = from_slice::<(u16, Module<'_>)>(&bytes).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Refused(_)));
    assert_eq!(
        (error.offset(), error.path().to_string()),
        (Some(263), "[1].graph[1].inputs[0]".into())
    );
}
