//! Ranges of elements of tensors: with zeros in these ranges, a file is read with the same result.

use std::io;
use std::ops::Range;

use fourfold::primitiv::{self, Model, Parameter};
use fourfold::tsm::{self, DType, Module, ModuleBuilder, PackedTensor, Prototype, Tensor};
use fourfold_inspect::formats::Format;
use fourfold_inspect::spans;

use crate::{Explain, explained};

/// A function that finds the ranges.
type Walk = fn(&[u8]) -> Vec<Range<usize>>;

/// The number of bytes that are read of a file, and the ranges.
fn found(bytes: &[u8], format: Format) -> (usize, Vec<Range<usize>>) {
    let mut read = 0;
    let ranges = format.kind().contents(bytes.len() as u64, &mut |offset, piece| {
        let start = usize::try_from(offset).unwrap();
        piece.copy_from_slice(&bytes[start..start + piece.len()]);
        read += piece.len();
        Ok(())
    });
    let whole = |range: Range<u64>| {
        usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()
    };
    (read, ranges.unwrap().into_iter().map(whole).collect())
}

fn of_tsm(bytes: &[u8]) -> Vec<Range<usize>> {
    found(bytes, Format::Tsm).1
}

fn of_primitiv(bytes: &[u8]) -> Vec<Range<usize>> {
    found(bytes, Format::Primitiv).1
}

fn without(bytes: &[u8], ranges: &[Range<usize>]) -> Vec<u8> {
    let mut zeroed = bytes.to_vec();
    for range in ranges {
        zeroed[range.clone()].fill(0);
    }
    zeroed
}

/// Asserts that a file has the same spans with zeros in the ranges.
fn agrees(bytes: &[u8], walk: Walk, explain: Explain) -> usize {
    let ranges = walk(bytes);
    let shown = |bytes: &[u8]| -> Vec<String> {
        let spans = explained(explain, bytes);
        spans.iter().map(|span| format!("{:?} {span:?}", span.range)).collect()
    };
    for (one, other) in shown(bytes).into_iter().zip(shown(&without(bytes, &ranges))) {
        assert_eq!(one, other);
    }
    assert_eq!(shown(bytes).len(), shown(&without(bytes, &ranges)).len());
    ranges.iter().map(Range::len).sum()
}

fn ones(dtype: DType, shape: &[i32]) -> Tensor<'static> {
    let prototype = Prototype::new(dtype, shape);
    let bytes = prototype.bytes().unwrap();
    Tensor::new(prototype, vec![1; bytes]).unwrap()
}

/// A module with a long tensor, a short one, and a long text.
fn module() -> Vec<u8> {
    let mut builder = ModuleBuilder::new();
    let image = builder.param("image");
    let weights = builder.constant("weights", ones(DType::Float32, &[3, 30_000]));
    let small = builder.constant("small", ones(DType::Float32, &[3]));
    let text = builder.constant("text", ones(DType::Char8, &[300_000]));
    let sum = builder.op("add", "sum", [image, weights, small, text]).node();
    let module: Module<'_> = builder.build([image], [sum]).unwrap();
    module.to_vec().unwrap()
}

fn model() -> Vec<u8> {
    let shape = primitiv::Shape::new(&[300, 250]).unwrap();
    let tensor = primitiv::Tensor::from_column_major(shape, &vec![1.5; 75_000]).unwrap();
    let mut model = Model::new();
    for name in ["one", "two"] {
        model.insert([name], Parameter::new(tensor.clone()).unwrap()).unwrap();
    }
    primitiv::File::from(model).to_vec().unwrap()
}

#[test]
fn only_long_tensors_are_contents() {
    let bytes = module();
    let (read, ranges) = found(&bytes, Format::Tsm);
    let lens: Vec<usize> = ranges.iter().map(Range::len).collect();
    assert_eq!(lens, [360_000]);
    assert!(bytes[ranges[0].clone()].iter().all(|byte| *byte == 1));
    assert!(read < 250_000, "{read} bytes were read");
    assert_eq!(agrees(&bytes, of_tsm, spans::tsm::explain), 360_000);

    let bytes = model();
    assert_eq!(agrees(&bytes, of_primitiv, spans::primitiv::explain), 2 * 300_000);
}

#[test]
fn readers_return_the_same_without_contents() {
    let bytes = module();
    let zeroed = without(&bytes, &of_tsm(&bytes));
    assert_eq!(
        tsm::File::from_slice(&bytes).map(drop).map_err(|error| error.to_string()),
        tsm::File::from_slice(&zeroed).map(drop).map_err(|error| error.to_string()),
    );
    let bytes = model();
    let zeroed = without(&bytes, &of_primitiv(&bytes));
    assert!(primitiv::File::from_slice(&zeroed).is_ok());
}

/// Truncated files and files with a changed byte have the same errors.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn damaged_files_have_the_same_errors() {
    for (bytes, walk, explain) in [
        (module(), of_tsm as Walk, spans::tsm::explain as Explain),
        (model(), of_primitiv, spans::primitiv::explain),
    ] {
        let ranges = walk(&bytes);
        let first = ranges[0].clone();
        for end in [0, 3, 131, first.start, first.start + 200_000, first.end, first.end + 5] {
            agrees(&bytes[..end], walk, explain);
        }
        for at in (0..first.start).chain(first.end..first.end + 60).step_by(2) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x81;
            agrees(&damaged, walk, explain);
        }
    }
}

/// Without a code, a file is one of packed tensors only if it is valid to its end.
#[test]
fn ambiguous_files_have_no_ranges() {
    let bytes = PackedTensor::from(ones(DType::Int8, &[1 << 19])).to_vec().unwrap();
    let found = of_tsm(&bytes);
    assert_eq!((found.len(), found.first()), (1, Some(&(13..bytes.len()))));
    assert_eq!(of_tsm(&[&bytes[..], &[0]].concat()), []);
    assert_eq!(of_tsm(&bytes[..bytes.len() - 1]), []);
    assert_eq!(of_primitiv(&bytes), []);
}

#[test]
fn errors_of_the_file_are_returned() {
    let mut broken = |_: u64, _: &mut [u8]| Err(io::Error::other("gone"));
    for format in [Format::Tsm, Format::Primitiv] {
        let error = format.kind().contents(100, &mut broken).unwrap_err();
        assert_eq!(error.to_string(), "gone");
    }
}
