//! Bytes that were changed or made up: an error with an offset, and little memory.

use fourfold::tsm::{Module, from_slice, to_vec};

use super::{good, odd};
use crate::support::alloc;

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
fn hostile_counts_reserve_no_memory() {
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
