//! tsm: the zoo, modules and packed tensors, and the notation.

use fourfold::Error;
use fourfold::tsm::{
    self, DType, ErrorKind, Memory, Module, ModuleBuilder, NodeId, PackedTensor, Prototype, Result,
    Severity, Tensor, from_slice, take_from_slice, to_vec,
};
use fourfold_inspect::spans::{self, all};
use fourfold_schema::notation::Notation;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bound::Bound;
use crate::check::{assert_covered, assert_verdict};
use crate::draws::Draws;
use crate::support::fixture::hex;
use crate::support::random::Source as _;
use crate::zoo::{self, Format};

struct Tsm;

impl Format for Tsm {
    type Kind = ErrorKind;

    const NAME: &'static str = "tsm";
    /// Items without bytes take memory.
    const BOUND: Bound = Bound { constant: 256 << 10, per_byte: 64 };

    fn to_vec<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        to_vec(value)
    }

    fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        from_slice(bytes)
    }

    fn from_reader<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        tsm::from_reader(bytes)
    }

    fn more<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        tsm::Options::new().allow_trailing(true).from_slice(bytes)
    }
}

/// Types whose values have one encoding. Sets and maps accept duplicates, so there are none.
const CANONICAL: &[fn(&[u8])] = &[
    |bytes| zoo::canonical::<Tsm, crate::support::zoo::Record>("Record", bytes),
    |bytes| zoo::canonical::<Tsm, crate::support::zoo::Expression>("Expression", bytes),
    |bytes| zoo::canonical::<Tsm, crate::support::zoo::Nothings>("Nothings", bytes),
    |bytes| zoo::canonical::<Tsm, crate::support::zoo::Bytes>("Bytes", bytes),
    |bytes| zoo::canonical::<Tsm, Vec<Vec<()>>>("Vec<Vec<()>>", bytes),
    |bytes| zoo::canonical::<Tsm, Vec<(char, bool, Option<u128>)>>("Vec<(..)>", bytes),
];

pub(crate) fn written(input: &[u8]) -> Option<Vec<u8>> {
    zoo::write::<Tsm>(input)
}

/// Reads as a type of the zoo.
pub fn decode(input: &[u8]) {
    zoo::decode::<Tsm>(input);
    if let Some((&number, message)) = input.split_first() {
        CANONICAL[usize::from(number) % CANONICAL.len()](message);
    }
}

/// Writes a type of the zoo, or a module.
pub fn encode(input: &[u8]) {
    zoo::encode::<Tsm>(input);
    let Some(module) = draw(&mut Draws::new(input)) else {
        return;
    };
    assert!(module.check().iter().all(|diagnostic| diagnostic.severity() != Severity::Refused));
    let written = module.to_vec().unwrap_or_else(|error| panic!("{module:?}: {error}"));
    assert_eq!(Module::from_slice(&written).unwrap(), module, "through {}", hex(&written));
}

/// A random module, if the input has enough bytes.
fn draw(bytes: &mut Draws<'_>) -> Option<Module<'static>> {
    let mut graph = ModuleBuilder::new();
    let mut nodes: Vec<NodeId> = Vec::new();
    for _ in 0..bytes.below(8) {
        let name = bytes.text(6);
        let node = match bytes.below(3) {
            0 => graph.param(&name),
            1 => graph.constant(&name, tensor(bytes)?),
            _ => {
                let inputs: Vec<NodeId> = (0..bytes.below(4))
                    .filter_map(|_| nodes.get(bytes.below(nodes.len())).copied())
                    .collect();
                graph.op(&bytes.text(6), &name, inputs).node()
            }
        };
        for _ in 0..bytes.below(3) {
            graph.at(node).set(&bytes.text(5), tensor(bytes)?);
        }
        nodes.push(node);
    }
    let mut some = || -> Vec<NodeId> {
        (0..bytes.below(3)).filter_map(|_| nodes.get(bytes.below(nodes.len())).copied()).collect()
    };
    let (inputs, outputs) = (some(), some());
    graph.build(inputs, outputs).ok()
}

fn tensor(bytes: &mut Draws<'_>) -> Option<Tensor<'static>> {
    let dtype = DType::ALL[bytes.below(DType::ALL.len())];
    let shape: Vec<i32> = (0..bytes.below(4)).map(|_| i32::from(bytes.draw::<u8>() % 5)).collect();
    let prototype = Prototype::new(dtype, shape);
    let data = bytes.take(200);
    let len = prototype.bytes().ok()?;
    let mut data = data;
    data.resize(len.min(4096), 0x5a);
    Tensor::new(prototype, Memory::from(data)).ok()
}

/// Nested nodes, params, tensors and dims each reserve memory.
const MODULE: Bound = Bound { constant: 64 << 10, per_byte: 256 };
const SPANS: Bound = Bound { constant: 64 << 10, per_byte: 2048 };

/// Modules and packed tensors, and their explanations by `explain`.
pub fn module(input: &[u8]) {
    let read = MODULE.hold("Module", input, || from_slice::<Module<'_>>(input));
    match &read {
        Err(error) => zoo::assert_reason(error, input),
        Ok(module) => accepted(input, module),
    }
    if let Ok((module, rest)) = take_from_slice::<Module<'_>>(input) {
        let taken = &input[..input.len() - rest.len()];
        assert_eq!(hex(&to_vec(&module).unwrap()), hex(taken), "taken otherwise");
    }
    let packed = MODULE.hold("PackedTensor", input, || PackedTensor::from_slice(input));
    match &packed {
        Err(error) => zoo::assert_reason(error, input),
        Ok(packed) => {
            assert_eq!(hex(&packed.to_vec().unwrap()), hex(input), "written otherwise");
        }
    }
    let spans = SPANS.hold("explain", input, || all(|each| spans::tsm::explain(input, "", each)));
    assert_covered("explain", input.len(), &spans);
    let is_module = spans.first().is_some_and(|span| span.place.to_string().starts_with("header"));
    let error: Option<Error<ErrorKind>> = if is_module { read.err() } else { packed.err() };
    assert_verdict("explain", &spans, error.as_ref());
}

fn accepted(input: &[u8], module: &Module<'_>) {
    let written = to_vec(module)
        .unwrap_or_else(|error| panic!("{} is read, not written: {error}", hex(input)));
    assert_eq!(hex(&written), hex(input), "written otherwise");
    for diagnostic in module.check() {
        assert_eq!(diagnostic.severity(), Severity::Suspicious, "{diagnostic}: {}", hex(input));
    }
    for entry in module.index() {
        assert!(entry.range.end <= input.len(), "{entry}: {}", hex(input));
    }
    for node in &module.graph.nodes {
        let _ = (node.op(), node.name(), node.shape(), node.dtype(), node.value());
        for tensor in node.bubble.params.iter().flat_map(|param| &param.value.fields) {
            let _ = (tensor.to_text(), tensor.integers(), tensor.to_vec::<f32>());
            let _ = (tensor.to_vec::<bool>(), tensor.as_slice::<u8>(), tensor.count());
        }
    }
    assert!(module.clone().into_owned() == *module, "{}", hex(input));
}

/// The notation: a text up to the first zero byte, and the bytes that it describes.
pub fn notation(input: &[u8]) {
    let end = input.iter().position(|byte| *byte == 0).unwrap_or(input.len());
    let Ok(text) = std::str::from_utf8(&input[..end]) else {
        return;
    };
    let bytes = input.get(end + 1..).unwrap_or_default();
    let bound = Bound { constant: 256 << 10, per_byte: 2048 };
    let parsed = bound.hold("notation", input, || Notation::parse(text));
    let notation = match parsed {
        Ok(notation) => notation,
        Err(error) => {
            assert!(error.offset().is_some_and(|at| at <= text.len()), "{text}: {error}");
            return;
        }
    };
    // The notation accepts 4,096 values without bytes, and 16 for each byte.
    let bound = Bound { constant: 2 << 20, per_byte: 8192 };
    match bound.hold("decode", input, || notation.decode(bytes)) {
        Ok(tree) => assert_eq!(notation.encode(&tree).unwrap(), bytes, "{text}"),
        Err(error) => {
            assert!(error.offset().is_some_and(|at| at <= input.len()), "{text}: {error}");
        }
    }
}
