//! Random modules survive byte for byte, or are refused for the reasons in the documents of TenniS.

mod damage;
mod hostile;
pub(crate) mod plain;

use self::plain::{Plain, PlainTensor, packed_bytes};
use super::{Hex, assert_reason};
use crate::support::alloc::measure_value;
use crate::support::fixture::Fixtures;
use crate::support::random::Dice;
use fourfold::Category;
use fourfold::tsm::{
    self, Bubble, DType, Graph, Header, Module, Node, Options, PackedTensor, Param, Prototype,
    Severity, Tensor, from_slice, take_from_slice, to_vec, to_writer,
};
use serde::{Deserialize, Serialize};

/// Modules per test.
const CASES: usize = if cfg!(debug_assertions) { 400 } else { 20_000 };

/// Builds the module with the public API.
pub(crate) fn build(plain: &Plain) -> tsm::Result<Module<'_>> {
    let nodes = plain.nodes.iter().map(|node| {
        let params = node.params.iter().map(|(name, fields)| {
            Param::new(name, fields.iter().map(tensor).collect::<tsm::Result<Vec<_>>>()?)
        });
        let params = params.collect::<tsm::Result<_>>()?;
        Ok(Node { bubble: Bubble { params }, inputs: node.inputs.clone() })
    });
    let nodes = nodes.collect::<tsm::Result<_>>()?;
    let (fake, code, data) = (plain.fake, plain.code, plain.data);
    let (inputs, outputs) = (plain.inputs.clone(), plain.outputs.clone());
    Ok(Module { header: Header { fake, code, data }, inputs, outputs, graph: Graph { nodes } })
}

pub(crate) fn tensor(plain: &PlainTensor) -> tsm::Result<Tensor<'_>> {
    let dtype = DType::try_from(plain.dtype)?;
    Tensor::new(Prototype::new(dtype, plain.shape.clone()), &plain.bytes[..])
}

/// Asserts that a module has these fields.
#[track_caller]
fn assert_same(module: &Module<'_>, plain: &Plain) {
    let header = &module.header;
    assert_eq!((header.fake, header.code, header.data), (plain.fake, plain.code, plain.data));
    assert_eq!((&module.inputs, &module.outputs), (&plain.inputs, &plain.outputs));
    assert_eq!(module.graph.nodes.len(), plain.nodes.len());
    for (node, plain) in module.graph.nodes.iter().zip(&plain.nodes) {
        assert_eq!(node.inputs, plain.inputs);
        assert_eq!(node.op_bytes(), Some(plain.op()));
        assert_eq!(node.bubble.params.len(), plain.params.len());
        for (param, (name, fields)) in node.bubble.params.iter().zip(&plain.params) {
            assert_eq!(param.name(), name);
            assert_eq!(param.value.fields.len(), fields.len());
            for (tensor, plain) in param.value.fields.iter().zip(fields) {
                assert_eq!(tensor.dtype().code(), plain.dtype);
                assert_eq!(tensor.shape(), plain.shape);
                assert_eq!(tensor.bytes(), plain.bytes);
            }
        }
    }
}

/// Asserts that a module survives with each function that reads and writes.
#[track_caller]
fn assert_round_trip(bytes: &[u8], module: &Module<'_>) {
    assert!(to_vec(module).unwrap() == bytes, "to_vec");
    assert!(module.to_vec().unwrap() == bytes, "to_bytes");
    let mut written = Vec::new();
    to_writer(&mut written, module).unwrap();
    assert!(written == bytes, "to_writer");
    let mut serializer = tsm::Serializer::new(Vec::new());
    module.serialize(&mut serializer).unwrap();
    assert!(serializer.into_inner() == bytes, "Serializer");

    assert!(&Module::from_slice(bytes).unwrap() == module, "Module::from_slice");
    assert!(&Module::from_reader(bytes).unwrap() == module, "Module::from_reader");
    let (taken, rest) = take_from_slice::<Module<'_>>(bytes).unwrap();
    assert!(&taken == module && rest.is_empty(), "take_from_slice");
    let mut deserializer = tsm::Deserializer::from_slice(bytes);
    assert!(&Module::deserialize(&mut deserializer).unwrap() == module, "Deserializer");
    deserializer.end().unwrap();
    let owned = module.clone().into_owned();
    assert!(&owned == module && to_vec(&owned).unwrap() == bytes, "into_owned");
}

#[test]
fn random_modules() {
    let mut dice = Dice::of("modules");
    let (mut sound, mut refused) = (0, 0);
    for _ in 0..CASES {
        let plain = Plain::random(&mut dice);
        let (bytes, places) = plain.file();
        let read = from_slice::<Module<'_>>(&bytes);
        let built = build(&plain);
        if let Some(error) = plain.problem() {
            refused += 1;
            let Err(error) = read else { panic!("{error} is accepted: {}", Hex(&bytes)) };
            assert_reason(&error, &plain);
            assert!(error.offset().is_some(), "{error}");
            assert!(!error.is_eof(), "{error}");
            let other = Module::from_slice(&bytes).unwrap_err();
            assert_eq!(other.to_string(), error.to_string());
            assert!(Module::from_reader(bytes.as_slice()).is_err());
            assert!(take_from_slice::<Module<'_>>(&bytes).is_err());
            // The writer refuses it, too.
            if let Ok(built) = built {
                assert_reason(&built.to_vec().unwrap_err(), &plain);
                assert_reason(&to_vec(&built).unwrap_err(), &plain);
                assert!(to_writer(Vec::new(), &built).is_err());
                let first = &built.check()[0];
                assert_eq!(first.severity(), Severity::Refused, "{first}");
            }
            continue;
        }
        sound += 1;
        let module = read.unwrap_or_else(|error| panic!("{error}: {plain:?}"));
        assert_same(&module, &plain);
        assert_round_trip(&bytes, &module);
        let diagnostics = module.check();
        let worst =
            diagnostics.iter().find(|diagnostic| diagnostic.severity() == Severity::Refused);
        assert_eq!(worst, None, "{plain:?}");
        assert!(diagnostics.iter().all(|diagnostic| !diagnostic.to_string().is_empty()));
        match built {
            Ok(built) => assert!(built == module && to_vec(&built).unwrap() == bytes),
            // Long names are read, but cannot be built.
            Err(error) => {
                let long = plain.nodes.iter().flat_map(|node| &node.params).any(|p| p.0.len() > 31);
                assert!(long, "{error}: {plain:?}");
            }
        }

        let index = module.index();
        assert_eq!(index.len(), places.len());
        for (entry, place) in index.iter().zip(&places) {
            assert_eq!(&entry.range, place, "{entry}");
            let param = module.graph.nodes[entry.node].bubble.params.iter();
            let mut named = param.filter(|param| param.name() == entry.param_name);
            let found = named.any(|param| {
                let field = param.value.fields.get(entry.field);
                field.is_some_and(|field| {
                    field.bytes() == &bytes[place.clone()] && field.shape() == entry.shape
                })
            });
            assert!(found, "{entry}");
        }
    }
    assert!(sound > CASES / 3 && refused > CASES / 10, "{sound} sound, {refused} refused");
}

#[test]
fn prefixes_of_a_module_are_refused() {
    let mut dice = Dice::of("prefixes");
    for case in 0..CASES / 20 {
        let plain = if case == 0 { Plain::small() } else { Plain::random(&mut dice) };
        let bytes = plain.bytes();
        if !plain.is_sound() {
            continue;
        }
        assert_cuts(&bytes, 1 + bytes.len() / 500);
        for more in [&[0][..], &[0xff; 5], &bytes] {
            let long = [&bytes, more].concat();
            let error = from_slice::<Module<'_>>(&long).unwrap_err();
            assert_eq!(error.offset(), Some(bytes.len()), "{error}");
            let (module, rest) = take_from_slice::<Module<'_>>(&long).unwrap();
            assert_eq!(rest, more);
            assert_same(&module, &plain);
            let options = Options::new().allow_trailing(true);
            assert!(options.from_slice::<Module<'_>>(&long).unwrap() == module);
        }
    }
}

#[track_caller]
fn assert_cuts(bytes: &[u8], step: usize) {
    for cut in (0..bytes.len()).filter(|cut| cut % step == 0 || bytes.len() - cut < 20) {
        let error = from_slice::<Module<'_>>(&bytes[..cut]).expect_err("a part of a module");
        assert!(error.is_eof(), "{cut} of {}: {error}", bytes.len());
        assert!(error.offset().is_some_and(|at| at <= cut), "{cut}: {error}");
        // The other functions, at some of the places.
        if cut % 16 == 0 {
            let other = Module::from_reader(&bytes[..cut]).unwrap_err();
            assert!(other.is_eof(), "{other}");
            assert!(take_from_slice::<Module<'_>>(&bytes[..cut]).unwrap_err().is_eof());
        }
    }
}

/// Files of TenniS.
#[test]
fn prefixes_of_fixtures_are_refused() {
    let fixtures = Fixtures("tsm");
    let names = fixtures.names("good", "tsm");
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        let bytes = fixtures.bytes(&format!("good/{name}.tsm"));
        let module = from_slice::<Module<'_>>(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_round_trip(&bytes, &module);
        assert_cuts(&bytes, 1 + bytes.len() / 300);
    }
}

#[test]
fn random_packed_tensors() {
    let mut dice = Dice::of("packed");
    for _ in 0..CASES {
        let fields: Vec<PlainTensor> =
            (0..dice.below(5)).map(|_| PlainTensor::random(&mut dice)).collect();
        let bytes = packed_bytes(&fields);
        let shown = Hex(&bytes);
        let built: tsm::Result<Vec<Tensor<'_>>> = fields.iter().map(tensor).collect();
        let packed = PackedTensor::from(built.unwrap());
        assert_eq!(Hex(&to_vec(&packed).unwrap()), shown);
        assert_eq!(Hex(&packed.to_vec().unwrap()), shown);
        assert_eq!(PackedTensor::from_slice(&bytes).unwrap(), packed, "{shown}");
        let back: PackedTensor<'_> = from_slice(&bytes).unwrap();
        assert_eq!(back, packed, "{shown}");
        assert_eq!(back.into_owned(), packed, "{shown}");
        for cut in 0..bytes.len() {
            let error = PackedTensor::from_slice(&bytes[..cut]).unwrap_err();
            assert!(error.is_eof(), "{cut} of {shown}: {error}");
        }
        let error = PackedTensor::from_slice(&[&bytes[..], &[0]].concat()).unwrap_err();
        assert_eq!(error.offset(), Some(bytes.len()), "{error}");
        // A single tensor is a packed tensor without the count.
        for plain in &fields {
            let bytes = &packed_bytes(std::slice::from_ref(plain))[4..];
            let one: Tensor<'_> = from_slice(bytes).unwrap();
            assert_eq!(one, tensor(plain).unwrap());
            assert_eq!(Hex(&to_vec(&one).unwrap()), Hex(bytes));
            assert_eq!(take_from_slice::<Tensor<'_>>(bytes).unwrap(), (one, &[][..]));
        }
    }
}

/// Each function that makes a tensor checks the number of bytes.
#[test]
fn tensors_of_every_size() {
    for &dtype in DType::ALL {
        assert_eq!(dtype.size(), plain::SIZES[usize::from(dtype.code())], "{dtype}");
        for count in [0_i32, 1, 2, 3] {
            for bytes in 0..64 {
                let made = Tensor::new(Prototype::new(dtype, [count]), vec![0; bytes]);
                let fits = bytes == dtype.size() * usize::try_from(count).unwrap();
                assert_eq!(made.is_ok(), fits, "{dtype} [{count}] of {bytes} bytes");
            }
        }
    }
}

/// Modules in structs, sequences and maps, and several in one file.
#[test]
fn modules_within_values() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Holder<'a> {
        before: u8,
        #[serde(borrow)]
        module: Module<'a>,
        #[serde(borrow)]
        more: Vec<Option<Module<'a>>>,
        #[serde(borrow)]
        tensors: std::collections::BTreeMap<u8, Tensor<'a>>,
        after: String,
    }
    let mut dice = Dice::of("holders");
    for _ in 0..CASES / 10 {
        let (plain, other) = (Plain::random(&mut dice), Plain::random(&mut dice));
        let fields = [PlainTensor::random(&mut dice)];
        if !plain.is_sound() || !other.is_sound() {
            continue;
        }
        let (first, second) = (plain.bytes(), other.bytes());
        let bytes = [
            &[7][..],
            &first,
            &[2, 0, 0, 0, 1],
            &second,
            &[0],
            &[1, 0, 0, 0, 5],
            &packed_bytes(&fields)[4..],
            &[1, 0, 0, 0, b'a'],
        ]
        .concat();
        let holder: Holder<'_> = from_slice(&bytes).unwrap();
        assert_same(&holder.module, &plain);
        assert_same(holder.more[0].as_ref().unwrap(), &other);
        assert_eq!(holder.tensors[&5], tensor(&fields[0]).unwrap());
        assert!(to_vec(&holder).unwrap() == bytes);
    }
    // An invalid module is refused within other values, too.
    let mut plain = Plain::small();
    plain.outputs.push(2);
    let bytes = [&[1][..], &plain.bytes()].concat();
    let error = from_slice::<(u8, Module<'_>)>(&bytes).unwrap_err();
    assert_reason(&error, &plain);
    plain.outputs.pop();
    let mut module = build(&plain).unwrap();
    module.graph.nodes[1].inputs.push(2);
    assert_reason(&to_vec(&(1_u8, Some(&module))).unwrap_err(), &"an index");
}

#[test]
fn modules_have_the_same_depth_in_reading_and_writing() {
    let plain = Plain::small();
    let (bytes, module) = (plain.bytes(), build(&plain).unwrap());
    let mut least = None;
    for depth in 0..=128 {
        let options = Options::new().max_depth(depth);
        match (options.to_vec(&module), options.from_slice::<Module<'_>>(&bytes)) {
            (Ok(written), Ok(read)) => {
                assert!(written == bytes && read == module);
                least.get_or_insert(depth);
            }
            (Err(write), Err(read)) => {
                assert_eq!(write.category(), Category::Limit, "{write}");
                assert_eq!(read.category(), Category::Limit, "{read}");
                assert_eq!(least, None);
            }
            (write, read) => panic!("depth {depth}: {write:?} but {read:?}"),
        }
    }
    assert!(least.is_some_and(|least| least < 20), "{least:?}");
}

/// Tensors borrow from the input.
#[test]
fn tensors_are_borrowed() {
    const SIZE: usize = 8 << 20;
    let mut plain = Plain::small();
    let size = i32::try_from(SIZE).unwrap();
    let large = PlainTensor::new(2, &[size], &vec![5; SIZE]);
    plain.nodes[1].params.push((b"large".into(), vec![large]));
    let bytes = plain.bytes();
    let (module, stats) = measure_value(|| from_slice::<Module<'_>>(&bytes).unwrap());
    assert!(stats.peak < 16 << 10, "{stats:?}");
    let tensor = module.graph.nodes[1].bubble.tensor("large").unwrap();
    assert!(bytes.as_ptr_range().contains(&tensor.bytes().as_ptr()));
    assert_eq!(tensor.bytes().len(), SIZE);
    let (index, stats) = measure_value(|| module.index().len());
    assert_eq!(index, 5);
    assert!(stats.peak < 16 << 10, "{stats:?}");
    let ((), stats) = measure_value(|| to_writer(std::io::sink(), &module).unwrap());
    assert!(stats.peak < 64 << 10, "{stats:?}");
    let (owned, stats) = measure_value(|| module.clone().into_owned());
    assert!(owned == module);
    assert!(stats.total < SIZE + (64 << 10), "{stats:?}");
    let (owned, stats) = measure_value(|| Module::from_reader(bytes.as_slice()).unwrap());
    assert!(owned == module);
    assert!(stats.peak < 3 * SIZE + (64 << 10), "{stats:?}");
}
