//! Reads an XOR network trained with primitiv, lists its weights, computes its outputs for the four inputs, and writes
//! the same bytes again.
//!
//! `cargo run --profile light --example primitiv_weights [FILE]`

use std::error::Error;

use fourfold::primitiv::{File, Model, Tensor};

/// `w x + b`. Weights are column-major, so the column of each input is contiguous.
fn affine(model: &Model<'_>, names: [&str; 2], input: &[f32]) -> Result<Vec<f32>, String> {
    let weights = |name: &str| -> Result<&Tensor<'_>, String> {
        Ok(model.get([name]).ok_or_else(|| format!("no parameter {name}"))?.value())
    };
    let [w, b] = names;
    let (columns, mut output) = (weights(w)?.column_major(), weights(b)?.to_column_major());
    if columns.len() != output.len() * input.len() {
        return Err(format!("{w} has {} elements for {} inputs", columns.len(), input.len()));
    }
    for (column, x) in columns.chunks(output.len()).zip(input) {
        for (y, w) in output.iter_mut().zip(column) {
            *y += w * x;
        }
    }
    Ok(output)
}

/// The network: `w2 tanh(w1 x + b1) + b2`.
fn xor(model: &Model<'_>, input: [f32; 2]) -> Result<f32, String> {
    let hidden: Vec<f32> =
        affine(model, ["w1", "b1"], &input)?.into_iter().map(f32::tanh).collect();
    affine(model, ["w2", "b2"], &hidden)?.pop().ok_or_else(|| "no output".into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let fixture =
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/primitiv/saved/z_xor_adam.model");
    let path = std::env::args().nth(1).unwrap_or_else(|| fixture.into());
    let bytes = std::fs::read(path)?;
    let model: Model<'_> = File::from_slice(&bytes)?.try_into()?;

    for entry in model.entries() {
        let parameter = entry.parameter();
        let stats: Vec<_> = parameter.stats().iter().map(|stat| stat.name.to_string()).collect();
        println!("{:<4} {:<8} {}", entry.key(), parameter.value().shape(), stats.join(", "));
    }

    // The network outputs 1 for equal inputs, and -1 for others.
    let mut wrong = 0;
    for [x, y] in [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]] {
        let output = xor(&model, [x, y])?;
        println!("{x:>2}, {y:>2} -> {output:+.6}");
        wrong += usize::from((output - x * y).abs() > 0.01);
    }

    let copy = File::from(model).to_vec()?;
    println!("{} bytes, written again: {}", bytes.len(), copy == bytes);
    if wrong > 0 || copy != bytes {
        return Err("the outputs or the bytes are wrong".into());
    }
    Ok(())
}
