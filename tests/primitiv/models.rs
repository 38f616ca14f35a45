//! Random documents: an independent reader accepts the written bytes, and documents survive.

mod elements;
mod oracle;

use crate::round_trip::{Hex, assert_reason};
use crate::strict::{self, Key, Name};
use crate::support::fixture::assert_none;
use crate::support::random::Dice;
use crate::support::random::{self, value};
use fourfold::primitiv::{
    Data, DataType, ErrorKind, File, Model, Optimizer, Options, Parameter, Shape, Statistic,
    Tensor, Version, from_slice, take_from_slice, to_vec, to_writer,
};
use std::collections::{BTreeMap, BTreeSet};

const CASES: usize = if cfg!(debug_assertions) { 300 } else { 3000 };

/// A name of 0 to 70,000 bytes, mostly a few, UTF-8 or not.
pub(crate) fn name(g: &mut Dice) -> Name {
    const CORNERS: [usize; 8] = [31, 32, 255, 256, 65_535, 65_536, 70_000, 300];
    const TEXTS: [&str; 8] = ["w", "a.b", "a", "Adam.m1", "", "名前", "nul\0", "line\nbreak"];
    match value::<u8>(g) {
        0 => {
            let len = CORNERS[below(g, CORNERS.len())];
            let first = value::<u32>(g).to_le_bytes();
            first.into_iter().chain(std::iter::repeat(first[0])).take(len).collect()
        }
        1..100 => TEXTS[below(g, TEXTS.len())].into(),
        100..180 => format!("p{}", value::<u8>(g)).into_bytes(),
        _ => (0..below(g, 12)).map(|_| value::<u8>(g)).collect(),
    }
}

fn below(g: &mut Dice, bound: usize) -> usize {
    value::<usize>(g) % bound
}

/// Up to `most` different names.
fn names(g: &mut Dice, most: usize) -> Vec<Name> {
    let count = below(g, most + 1);
    let mut names: Vec<Name> = (0..count).map(|_| name(g)).collect();
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

fn shape(g: &mut Dice, batch: u32) -> strict::Shape {
    let mut dims: Vec<u32> = match below(g, 12) {
        0 => vec![[62, 63, 64, 65, 16_383, 16_384][below(g, 6)]],
        1 => (0..8).map(|_| 1 + u32::from(value::<bool>(g))).collect(),
        _ => (0..below(g, 5)).map(|_| 1 + value::<u32>(g) % 4).collect(),
    };
    while dims.last() == Some(&1) {
        dims.pop();
    }
    strict::Shape { dims, batch }
}

pub(crate) fn tensor(g: &mut Dice, batch: u32) -> strict::Tensor {
    let shape = shape(g, batch);
    let count = shape.dims.iter().product::<u32>() * batch;
    let mut bits = value::<u32>(g);
    let data = (0..count).flat_map(|_| {
        // Any bits: numbers, infinities, NaNs of all kinds.
        bits = bits.wrapping_mul(0x915f_77f5).wrapping_add(0x7f80_0001);
        bits.to_le_bytes()
    });
    strict::Tensor { data: data.collect(), shape }
}

pub(crate) fn parameter(g: &mut Dice) -> strict::Parameter {
    let most = if below(g, 40) == 0 { 40 } else { 3 };
    let names = names(g, most).into_iter();
    let stats = names.map(|name| {
        let batch = 1 + value::<u32>(g) % 3;
        (name, tensor(g, batch))
    });
    strict::Parameter { stats: stats.collect(), value: tensor(g, 1) }
}

/// A random model with nested submodels, sorted by key.
pub(crate) fn model(g: &mut Dice) -> strict::Data {
    fn fill(
        g: &mut Dice,
        depth: usize,
        above: &[Name],
        entries: &mut Vec<(Key, strict::Parameter)>,
    ) {
        let most = if depth == 0 && below(g, 30) == 0 { 70 } else { 4 };
        for name in names(g, most) {
            let key = [above, &[name]].concat();
            match depth < 4 && below(g, 3) == 0 {
                true => fill(g, depth + 1, &key, entries),
                false => entries.push((key, parameter(g))),
            }
        }
    }
    let mut entries = Vec::new();
    match below(g, 30) {
        // Long keys.
        0 => {
            let key = (0..14 + below(g, 4)).map(|part| vec![part.to_le_bytes()[0]]);
            entries.push((key.collect(), parameter(g)));
        }
        _ => fill(g, 0, &[], &mut entries),
    }
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    strict::Data::Model(entries)
}

fn optimizer(g: &mut Dice) -> strict::Data {
    let mut map = || -> Vec<(Name, u32)> {
        let most = if below(g, 10) == 0 { 40 } else { 6 };
        let names = names(g, most).into_iter();
        names.map(|name| (name, value(g))).collect()
    };
    strict::Data::Optimizer(strict::Optimizer { uints: map(), floats: map() })
}

/// A random document of any data type.
pub(crate) fn any(g: &mut Dice) -> strict::Data {
    match below(g, 8) {
        0 => {
            let batch = 1 + value::<u32>(g) % 1000;
            strict::Data::Shape(shape(g, batch))
        }
        1 => {
            let batch = 1 + value::<u32>(g) % 5;
            strict::Data::Tensor(tensor(g, batch))
        }
        2 => strict::Data::Parameter(parameter(g)),
        3 => optimizer(g),
        _ => model(g),
    }
}

pub(crate) fn build_file(tree: &strict::Data) -> File<'static> {
    File { version: Version::default(), data: build(tree) }
}

/// Builds a document with the public API.
pub(crate) fn build(tree: &strict::Data) -> Data<'static> {
    match tree {
        strict::Data::Shape(shape) => Data::Shape(build_shape(shape)),
        strict::Data::Tensor(tensor) => Data::Tensor(build_tensor(tensor)),
        strict::Data::Parameter(parameter) => Data::Parameter(build_parameter(parameter)),
        strict::Data::Model(entries) => {
            let mut model = Model::new();
            for (key, parameter) in entries {
                let old = model.insert(key.clone(), build_parameter(parameter));
                assert!(old.unwrap().is_none());
            }
            Data::Model(model)
        }
        strict::Data::Optimizer(strict::Optimizer { uints, floats }) => {
            let floats = floats.iter().cloned();
            Data::Optimizer(Optimizer {
                uint_configs: uints.iter().cloned().collect(),
                float_configs: floats.map(|(name, bits)| (name, f32::from_bits(bits))).collect(),
            })
        }
    }
}

fn build_shape(shape: &strict::Shape) -> Shape {
    Shape::new(&shape.dims).unwrap().with_batch(shape.batch).unwrap()
}

fn build_tensor(tensor: &strict::Tensor) -> Tensor<'static> {
    Tensor::new(build_shape(&tensor.shape), tensor.data.clone()).unwrap()
}

pub(crate) fn build_parameter(parameter: &strict::Parameter) -> Parameter<'static> {
    let mut built = Parameter::new(build_tensor(&parameter.value)).unwrap();
    for (name, value) in &parameter.stats {
        let (name, value) = (name.clone().into(), build_tensor(value));
        built.stats_mut().push(Statistic { name, value });
    }
    built
}

/// Converts a document to the types of the independent reader.
pub(crate) fn tree(data: &Data<'_>) -> strict::Data {
    match data {
        Data::Shape(shape) => strict::Data::Shape(tree_of_shape(shape)),
        Data::Tensor(tensor) => strict::Data::Tensor(tree_of_tensor(tensor)),
        Data::Parameter(parameter) => strict::Data::Parameter(tree_of_parameter(parameter)),
        Data::Model(model) => {
            let entries = model.entries().iter().map(|entry| {
                let parts = entry.key().parts().iter();
                let key = parts.map(|part| part.as_bytes().to_vec()).collect();
                (key, tree_of_parameter(entry.parameter()))
            });
            strict::Data::Model(entries.collect())
        }
        Data::Optimizer(optimizer) => {
            let uints = optimizer.uint_configs.entries().iter();
            let floats = optimizer.float_configs.entries().iter();
            strict::Data::Optimizer(strict::Optimizer {
                uints: uints.map(|(name, value)| (name.as_bytes().to_vec(), *value)).collect(),
                floats: floats
                    .map(|(name, value)| (name.as_bytes().to_vec(), value.to_bits()))
                    .collect(),
            })
        }
    }
}

fn tree_of_shape(shape: &Shape) -> strict::Shape {
    strict::Shape { dims: shape.dims().to_vec(), batch: shape.batch() }
}

fn tree_of_tensor(tensor: &Tensor<'_>) -> strict::Tensor {
    strict::Tensor { shape: tree_of_shape(tensor.shape()), data: tensor.data().to_vec() }
}

pub(crate) fn tree_of_parameter(parameter: &Parameter<'_>) -> strict::Parameter {
    let stats = parameter.stats().iter();
    strict::Parameter {
        value: tree_of_tensor(parameter.value()),
        stats: stats
            .map(|stat| (stat.name.as_bytes().to_vec(), tree_of_tensor(&stat.value)))
            .collect(),
    }
}

/// The same model with its parameters in random order.
fn shuffled(g: &mut Dice, tree: &strict::Data) -> strict::Data {
    let mut tree = tree.clone();
    if let strict::Data::Model(entries) = &mut tree {
        for last in (1..entries.len()).rev() {
            entries.swap(last, below(g, last + 1));
        }
    }
    tree
}

/// The document as text, shortened.
fn shown(tree: &strict::Data) -> String {
    format!("{tree:?}").chars().take(2000).collect()
}

#[test]
fn built_documents_are_read_by_the_independent_reader() {
    let (mut largest, mut kinds) = (0, BTreeSet::new());
    random::check(
        "built",
        CASES,
        |g| {
            let sorted = any(g);
            let order = shuffled(g, &sorted);
            (sorted, order)
        },
        |_, (sorted, order)| {
            let shown = shown(&sorted);
            let file = build_file(&order);
            let bytes = file.to_vec().unwrap();
            // The bytes that primitiv would write.
            assert_eq!(Hex(&bytes), Hex(&strict::write(&sorted)), "{shown}");
            let (read, rest) = strict::read(&bytes, sorted.number())
                .unwrap_or_else(|error| panic!("{error} in {} of {shown}", Hex(&bytes)));
            assert_eq!(read, sorted);
            assert!(rest.is_empty());
            assert_same(&file, &sorted, &bytes);
            largest = largest.max(bytes.len());
            kinds.insert(sorted.number());
        },
    );
    assert!(largest > 70_000, "{largest}");
    assert_eq!(kinds.len(), 5);
}

#[test]
fn the_order_of_the_file_is_kept() {
    random::check(
        "order",
        CASES,
        |g| {
            let sorted = any(g);
            shuffled(g, &sorted)
        },
        |_, order| {
            let bytes = strict::write(&order);
            let file = File::from_slice(&bytes).unwrap();
            assert_same(&file, &order, &bytes);
            // Equal to a built model with another order.
            assert!(file == build_file(&order), "{}", shown(&order));
        },
    );
}

/// Asserts that a file survives with every function that reads and writes.
fn assert_same(file: &File<'_>, wanted: &strict::Data, bytes: &[u8]) {
    let shown = shown(wanted);
    let read = File::from_slice(bytes).unwrap_or_else(|error| panic!("{error} in {shown}"));
    assert_eq!(&tree(&read.data), wanted);
    assert!(&read == file, "{shown}");
    assert_eq!((read.version.major, read.version.minor), (0, 1));
    assert_eq!(read.data.data_type().number(), wanted.number());
    assert_eq!(DataType::from_number(wanted.number()), Some(read.data.data_type()));

    assert_eq!(Hex(&read.to_vec().unwrap()), Hex(bytes), "written again: {shown}");
    assert_eq!(Hex(&to_vec(&read).unwrap()), Hex(bytes), "as a serde type: {shown}");
    let mut written = Vec::new();
    read.to_writer(&mut written).unwrap();
    to_writer(&mut written, &read).unwrap();
    assert_eq!(Hex(&written), Hex(&bytes.repeat(2)), "{shown}");
    let owned = read.clone().into_owned();
    assert!(owned == read, "{shown}");
    assert_eq!(Hex(&owned.to_vec().unwrap()), Hex(bytes), "{shown}");

    assert!(from_slice::<File<'_>>(bytes).unwrap() == read, "{shown}");
    let lenient = Options::new().lenient(true);
    let read_so: File<'_> = lenient.from_slice(bytes).unwrap();
    assert!(read_so == read, "{shown}");
    assert_eq!(Hex(&read_so.to_vec().unwrap()), Hex(bytes), "lenient: {shown}");
    let twice = bytes.repeat(2);
    let (first, rest) = take_from_slice::<File<'_>>(&twice).unwrap();
    assert!(first == read, "{shown}");
    assert_eq!(rest.len(), bytes.len(), "{shown}");
    let error = File::from_slice(&twice).unwrap_err();
    assert_eq!(error.offset(), Some(bytes.len()), "{error}");
    let first: File<'_> = Options::new().allow_trailing(true).from_slice(&twice).unwrap();
    assert_eq!(Hex(&first.to_vec().unwrap()), Hex(bytes), "{shown}");

    // Tensors borrow from the input.
    if let Data::Tensor(tensor) = &read.data {
        assert!(bytes.as_ptr_range().contains(&tensor.data().as_ptr()));
        assert!(!bytes.as_ptr_range().contains(&owned_data(&owned).as_ptr()));
    }
}

fn owned_data<'a>(file: &'a File<'_>) -> &'a [u8] {
    match &file.data {
        Data::Tensor(tensor) => tensor.data(),
        _ => &[],
    }
}

/// Documents without a header, alone and among other values.
#[test]
fn documents_are_serde_types() {
    type Parts<'a> = (
        Option<Shape>,
        Vec<Tensor<'a>>,
        BTreeMap<String, Parameter<'a>>,
        Option<Option<Model<'a>>>,
        Result<Optimizer<'a>, u8>,
        u8,
    );
    macro_rules! alone {
        ($document:expr, $type:ty, $body:expr) => {{
            let (document, body): (&$type, &[u8]) = (&$document, $body);
            assert_eq!(Hex(&to_vec(document).unwrap()), Hex(body));
            assert!(&from_slice::<$type>(body).unwrap() == document);
            let many: Vec<$type> = vec![document.clone(), document.clone()];
            let bytes = to_vec(&many).unwrap();
            assert_eq!(Hex(&bytes), Hex(&[&[0x92], body, body].concat()));
            assert!(from_slice::<Vec<$type>>(&bytes).unwrap() == many);
            let pair: ($type, u8) = (document.clone(), 7);
            let bytes = to_vec(&Some(&pair)).unwrap();
            assert_eq!(Hex(&bytes), Hex(&[body, &[0xce, 0, 0, 0, 7]].concat()));
            assert!(from_slice::<Option<($type, u8)>>(&bytes).unwrap() == Some(pair));
            for cut in 0..body.len().min(300) {
                let error = from_slice::<$type>(&body[..cut]).map(|_| ()).unwrap_err();
                assert!(error.is_eof(), "{error} in {}", Hex(&body[..cut]));
            }
        }};
    }
    random::check("alone", CASES / 3, any, |_, tree| {
        let body = strict::body(&tree);
        match build(&tree) {
            Data::Shape(shape) => alone!(shape, Shape, &body),
            Data::Tensor(tensor) => alone!(tensor, Tensor<'_>, &body),
            Data::Parameter(parameter) => alone!(parameter, Parameter<'_>, &body),
            Data::Model(model) => alone!(model, Model<'_>, &body),
            Data::Optimizer(optimizer) => alone!(optimizer, Optimizer<'_>, &body),
        }
    });
    random::check(
        "parts",
        CASES / 3,
        |g| -> Parts<'static> {
            let strict::Data::Optimizer(configs) = optimizer(g) else { panic!("another kind") };
            let Data::Optimizer(optimizer) = build(&strict::Data::Optimizer(configs)) else {
                panic!("another kind")
            };
            let Data::Model(model) = build(&model(g)) else { panic!("another kind") };
            let count = below(g, 4);
            (
                value::<bool>(g).then(|| build_shape(&shape(g, 2))),
                (0..count).map(|_| build_tensor(&tensor(g, 2))).collect(),
                (0..count).map(|n| (n.to_string(), build_parameter(&parameter(g)))).collect(),
                [None, Some(Some(model))][below(g, 2)].clone(),
                if value::<bool>(g) { Ok(optimizer) } else { Err(7) },
                value(g),
            )
        },
        |_, parts| {
            let bytes = to_vec(&parts).unwrap();
            let back: Parts<'_> = from_slice(&bytes).unwrap();
            assert!(back == parts, "{}", Hex(&bytes));
            assert_eq!(Hex(&to_vec(&back).unwrap()), Hex(&bytes));
        },
    );
}

/// A file is refused as another kind.
#[test]
fn a_file_is_of_one_kind() {
    random::check("kinds", 100, any, |_, tree| {
        let file = build_file(&tree);
        let taken = [
            Shape::try_from(file.clone()).map(|_| 0),
            Tensor::try_from(file.clone()).map(|_| 0x100),
            Parameter::try_from(file.clone()).map(|_| 0x200),
            Model::try_from(file.clone()).map(|_| 0x300),
            Optimizer::try_from(file.clone()).map(|_| 0x400),
        ];
        for (place, taken) in taken.into_iter().enumerate() {
            match taken {
                Ok(number) => assert_eq!(number, tree.number()),
                Err(error) => {
                    assert_reason(&error, &place);
                    assert_ne!(place * 0x100, tree.number() as usize);
                    assert!(matches!(error.kind(), ErrorKind::OtherData { .. }), "{error}");
                }
            }
        }
        let bytes = file.to_vec().unwrap();
        for number in [0, 0x100, 0x200, 0x300, 0x400] {
            assert_eq!(strict::read(&bytes, number).is_ok(), number == tree.number());
        }
    });
}

/// Result, content and bytes of every fixture.
#[test]
fn fixtures_are_read_as_by_the_independent_reader() {
    let (mut failures, mut deviations) = (Vec::new(), Vec::new());
    for (name, number) in strict::fixtures() {
        let bytes = strict::FIXTURES.bytes(&name);
        let wanted = strict::read(&bytes, number);
        let read =
            File::from_slice(&bytes).ok().filter(|file| file.data.data_type().number() == number);
        match (wanted, read) {
            (Err(_), None) => {}
            (Ok((wanted, [])), Some(file)) => {
                if tree(&file.data) != wanted {
                    failures.push(format!("{name} is something else"));
                }
                if tree(&file.data).loaded() != wanted.loaded() {
                    failures.push(format!("{name} is loaded as something else"));
                }
                if file.to_vec().unwrap() != bytes {
                    failures.push(format!("{name} is written otherwise"));
                }
            }
            (Ok(_), None) => deviations.push(name),
            (Ok((_, rest)), Some(_)) => failures.push(format!("{name} is read with {rest:?}")),
            (Err(error), Some(_)) => failures.push(format!("{name} is read: {error}")),
        }
    }
    assert_none(&failures);
    assert_eq!(
        deviations,
        [
            "crafted/s_volume_wraps_to_2.param",
            "crafted/x_trailing_junk.param",
            "crafted/x_trailing_zero.param",
            "crafted/x_two_files_in_one.param",
            "crafted/x_count_too_small.model",
            "crafted/x_trailing.model",
            "crafted/x_trailing.optimizer",
        ],
        "where primitiv is unsafe and nowhere else"
    );
}
