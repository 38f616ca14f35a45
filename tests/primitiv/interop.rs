//! Exchanges files with primitiv in both directions: this crate reads primitiv's files and writes the same bytes, and
//! primitiv reads this crate's files as the same parameters, models and optimizers.
//!
//! `FOURFOLD_PRIMITIV` names the program of `tests/interop/primitiv/`, whose README describes how to build it.

use std::fmt::Write as _;

use fourfold::primitiv::{Error, File};

use crate::exchange::{Made, both_ways};
use crate::models::{any, build_file, tree};
use crate::strict::{Data, Optimizer, Parameter, Tensor};
use crate::support::fixture::hex;
use crate::support::random::Dice;

/// The content in the format of the program.
fn dump(data: Data) -> String {
    let mut text = String::new();
    match data.loaded() {
        Data::Parameter(parameter) => {
            text += "parameter\n";
            dump_parameter(&mut text, &parameter);
        }
        Data::Model(entries) => {
            text += "model\n";
            for (key, parameter) in entries {
                let parts: Vec<String> = key.iter().map(|part| hex(part)).collect();
                writeln!(text, "key {}", parts.join("/")).unwrap();
                dump_parameter(&mut text, &parameter);
            }
        }
        Data::Optimizer(Optimizer { uints, floats }) => {
            // By name, and all floats first.
            text += "optimizer\n";
            for (name, bits) in floats {
                writeln!(text, "float {} {bits:08x}", hex(&name)).unwrap();
            }
            for (name, value) in uints {
                writeln!(text, "uint {} {value}", hex(&name)).unwrap();
            }
        }
        Data::Shape(_) | Data::Tensor(_) => panic!("primitiv has no files of these"),
    }
    text
}

fn dump_parameter(text: &mut String, parameter: &Parameter) {
    writeln!(text, "value {}", dump_tensor(&parameter.value)).unwrap();
    for (name, value) in &parameter.stats {
        writeln!(text, "stat {} {}", hex(name), dump_tensor(value)).unwrap();
    }
}

fn dump_tensor(tensor: &Tensor) -> String {
    let dims: Vec<String> = tensor.shape.dims.iter().map(u32::to_string).collect();
    let bits = tensor.data.chunks(4).map(|float| {
        let bits = u32::from_le_bytes(float.try_into().unwrap());
        format!("{bits:08x}")
    });
    format!("{} {} {}", dims.join(","), tensor.shape.batch, bits.collect::<String>())
}

fn read(_: &str, bytes: &[u8]) -> Result<(String, Vec<u8>), Error> {
    let file = File::from_slice(bytes)?;
    Ok((dump(tree(&file.data)), file.to_vec()?))
}

/// Generates a file of a random kind.
fn make(dice: &mut Dice) -> Made {
    loop {
        let data = any(dice);
        if !matches!(data, Data::Shape(_) | Data::Tensor(_)) {
            let bytes = build_file(&data).to_vec().unwrap();
            return Made { extension: "file", bytes, meaning: dump(data) };
        }
    }
}

#[test]
#[ignore = "needs primitiv: see `tests/interop/primitiv/README.md`"]
fn files_are_exchanged_in_both_directions() {
    both_ways("primitiv", "FOURFOLD_PRIMITIV", read, make);
}
