//! Diagnostics of `Module::check`.

use fourfold::tsm::{self, Module, Options, Severity};

use super::{FIXTURES, good, odd};
use crate::support::fixture::assert_none;

fn diagnostics(bytes: &[u8]) -> Vec<String> {
    let module = Module::from_slice(bytes).unwrap();
    let diagnostics = module.check();
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.severity() == Severity::Suspicious));
    diagnostics.iter().map(ToString::to_string).collect()
}

#[test]
fn good_modules_have_only_the_intended_diagnostics() {
    for name in FIXTURES.names("good", "tsm") {
        let expected: &[&str] = match name.as_str() {
            "dtypes_empty" | "dtypes_matrix" | "dtypes_scalar" => {
                &["node 12: param \"value\" holds pointers"]
            }
            "dtypes_params" => &["node 1: param \"p12\" holds pointers"],
            "names" => &[
                "node 4: a param has a name of 32 bytes",
                "node 5: a param has a name of 33 bytes",
                "node 6: a param has a name of 300 bytes",
                "node 14: #op is empty",
            ],
            "py_writer" => &["node 1: param \"nopack\" holds no tensor"],
            "unreachable" => &["node 0: no output needs it", "node 4: no output needs it"],
            _ => &[],
        };
        assert_eq!(diagnostics(&good(&name)), expected, "{name}");
    }
}

#[test]
fn unusual_modules_that_tennis_loads_have_diagnostics() {
    let cases: [(&str, &[&str]); 17] = [
        (
            "cycle_of_two",
            &[
                "node 1: a cycle of nodes 1, 2",
                "node 1: an output leads to its cycle: TenniS loads the module and never ends saving it",
            ],
        ),
        (
            "cycle_to_itself",
            &[
                "node 1: a cycle of node 1",
                "node 1: an output leads to its cycle: TenniS loads the module and never ends saving it",
            ],
        ),
        (
            "cycle_unreachable",
            &[
                "node 2: no output needs it",
                "node 3: no output needs it",
                "node 2: a cycle of nodes 2, 3",
            ],
        ),
        ("duplicate_node_name", &["node 1: has the name of node 0"]),
        ("duplicate_op_param", &["node 1: param \"#op\" is there more than once"]),
        ("duplicate_param", &["node 1: param \"v\" is there more than once"]),
        ("const_without_value", &["node 0: a <const> without a value"]),
        ("const_with_inputs", &["node 1: has 1 input and is no operator"]),
        (
            "param_with_inputs",
            &["node 0: no output needs it", "node 1: has 1 input and is no operator"],
        ),
        ("op_empty", &["node 1: #op is empty"]),
        ("no_fields", &["node 1: param \"v\" holds no tensor"]),
        ("no_outputs", &["no outputs", "node 0: no output needs it", "node 1: no output needs it"]),
        ("input_is_not_param", &["inputs[1] is no <param>"]),
        ("op_without_inputs_unreachable", &["node 1: no output needs it"]),
        ("shape_float", &["node 1: #shape is float32 with 2 values"]),
        ("shape_too_long", &["node 1: #shape is int32 with 8 values"]),
        ("output_count_1", &[]),
    ];
    let wrong = cases.into_iter().filter_map(|(name, expected)| {
        let found = diagnostics(&odd(name));
        (found != expected).then(|| format!("{name}: {found:?}"))
    });
    assert_none(&wrong.collect::<Vec<_>>());
}

#[test]
fn all_errors_are_reported_at_once() {
    let bytes = good("minimal");
    let mut module = Module::from_slice(&bytes).unwrap();
    module.header.code = 1;
    module.inputs = vec![5, 1, 1];
    module.outputs.push(u32::MAX);
    module.graph.nodes[1].inputs = vec![9];
    module.graph.nodes[0].bubble.params.clear();
    let found = module.check();
    let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "code 0x1 is not that of a module",
            "inputs[0] is node 5, of 2",
            "outputs[1] is node 4294967295, of 2",
            "node 0: no #op",
            "node 0: no #name",
            "node 1: inputs[0] is node 9, of 2",
            "inputs[1] is no <param>",
            "inputs[2] is no <param>",
            "inputs[2] is there more than once",
            "node 0: no output needs it",
        ]
    );
    let refused = found.iter().filter(|diagnostic| diagnostic.severity() == Severity::Refused);
    assert_eq!(refused.count(), 6);
    let error = module.to_vec().unwrap_err();
    assert_eq!(error.to_string(), "code 0x1 is not that of a module");
    assert_eq!(fourfold::tsm::to_vec(&module).unwrap_err().to_string(), error.to_string());
}

/// `Module::from_slice` reads once. A module that is refused within another type is read twice.
#[test]
fn all_readers_refuse_a_module_with_the_same_error() {
    let good = good("minimal");
    let mut refused = 0;
    for (at, depth) in (0..good.len()).zip((0..12).cycle()) {
        let shallow = Options::new().max_depth(depth).allow_trailing(true);
        let mut bytes = good.clone();
        bytes[at] ^= 0x21;
        for bytes in [&bytes[..], &[&bytes[..], b"more"].concat(), &bytes[..at]] {
            let once = Module::from_slice(bytes);
            let anything: tsm::Result<Module<'_>> = tsm::from_slice(bytes);
            assert_eq!(once.as_ref().ok(), anything.as_ref().ok());
            let texts = [once.err(), anything.err()].map(|error| error.map(|e| e.to_string()));
            assert_eq!(texts[0], texts[1], "byte {at}");
            refused += usize::from(texts[0].is_some());

            let once = Module::from_reader_with(bytes, &shallow).map_err(|e| e.to_string());
            let anything: tsm::Result<Module<'_>> = shallow.from_slice(bytes);
            assert_eq!(once, anything.map_err(|e| e.to_string()), "byte {at}");
        }
    }
    assert!(refused > good.len());
}
