//! Bytes that were cut, changed or made up: an error with an offset, and little memory.

use fourfold::tsm::{Module, PackedTensor, from_slice, to_vec};

use super::{FIXTURES, good, odd};
use crate::support::alloc;

#[test]
fn every_prefix_is_an_error() {
    for name in ["minimal", "packed", "attrs", "py_writer", "names"] {
        let bytes = good(name);
        for len in 0..bytes.len() {
            let error = from_slice::<Module<'_>>(&bytes[..len]).unwrap_err();
            assert!(error.is_eof(), "{name} cut to {len}: {error}");
            assert!(error.offset().is_some_and(|offset| offset <= len), "{name} {len}: {error}");
        }
    }
    for name in FIXTURES.names("good", "t") {
        let bytes = FIXTURES.bytes(&format!("good/{name}.t"));
        for len in 0..bytes.len() {
            assert!(from_slice::<PackedTensor<'_>>(&bytes[..len]).unwrap_err().is_eof());
        }
    }
}

#[test]
fn every_changed_byte_is_an_error_or_reads_back() {
    for name in ["minimal", "packed", "py_writer"] {
        let bytes = good(name);
        for at in 0..bytes.len() {
            for change in [1, 2, 0x7f, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                match from_slice::<Module<'_>>(&changed) {
                    Ok(module) => {
                        assert_eq!(to_vec(&module).unwrap(), changed, "{name} {at}");
                        let _ = (module.check(), module.index());
                    }
                    Err(error) => {
                        assert!(error.offset().is_some(), "{name} {at}: {error}");
                    }
                }
            }
        }
    }
}

#[test]
fn claims_reserve_no_memory() {
    for name in [
        "huge_dims",
        "huge_field_count",
        "huge_input_count",
        "huge_name_length",
        "huge_node_count",
        "huge_param_count",
        "huge_tensor",
        "count_overflows_to_zero",
        "gzip_like",
    ] {
        let bytes = odd(name);
        let (result, stats) = alloc::measure_value(|| from_slice::<Module<'_>>(&bytes).map(drop));
        assert!(result.unwrap_err().offset().is_some(), "{name}");
        assert!(stats.peak < 64 * 1024, "{name}: {} bytes", stats.peak);
    }
}

#[test]
fn long_chains_and_wide_nodes_take_no_recursion() {
    use fourfold::tsm::{DiagnosticKind, ModuleBuilder};

    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let mut last = x;
    for _ in 0..100_000 {
        last = graph.op("relu", "y", [last]).node();
    }
    let mut module = graph.build([x], [last]).unwrap();
    let bytes = module.to_vec().unwrap();
    assert_eq!(from_slice::<Module<'_>>(&bytes).unwrap(), module);
    // One cycle of them all.
    module.graph.nodes[1].inputs = vec![100_000];
    let found = module.check();
    let [.., cycle, endless] = &found[..] else { panic!("{found:?}") };
    assert_eq!(endless.kind, DiagnosticKind::EndlessSave);
    let cycle = cycle.to_string();
    assert_eq!(cycle, "node 1: a cycle of nodes 1, 2, 3, 4, 5, 6, 7, 8 and 99992 more");
}
