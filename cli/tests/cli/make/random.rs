//! Random files, with many values in one file so that few processes are started.

use fourfold::biniou::{self, Table, Value};
use fourfold::primitiv::{Configs, File, Key, Model, Name, Optimizer, Parameter, Shape, Width};
use fourfold::tsm::{DType, Header, Module, PackedTensor, Prototype, Tensor};
use quickcheck::{Arbitrary, Gen};

use super::there_and_back;

fn one_of<T: Clone>(g: &mut Gen, choices: &[T]) -> T {
    g.choose(choices).unwrap().clone()
}

fn hash(g: &mut Gen) -> u32 {
    u32::arbitrary(g) >> 1
}

fn float_bits(g: &mut Gen) -> u32 {
    let special = [0, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x7f80_0001, 1];
    match bool::arbitrary(g) {
        true => one_of(g, &special),
        false => u32::arbitrary(g),
    }
}

/// A scalar with this tag.
fn scalar(g: &mut Gen, which: u8) -> Value {
    match which {
        0 => Value::Bool(bool::arbitrary(g)),
        1 => Value::Int8(u8::arbitrary(g)),
        2 => Value::Int16(u16::arbitrary(g)),
        3 => Value::Int32(i32::arbitrary(g)),
        4 => Value::Int64(i64::arbitrary(g)),
        5 => Value::Float32(f32::from_bits(float_bits(g))),
        6 => Value::Float64(f64::arbitrary(g)),
        7 => Value::Float64(f64::from_bits(u64::from(float_bits(g)) << 32 | 1)),
        8 => Value::Uvint(u128::arbitrary(g) >> (u32::arbitrary(g) % 128)),
        9 => Value::Svint(i128::arbitrary(g) >> (u32::arbitrary(g) % 128)),
        10 => Value::String(String::arbitrary(g).into_bytes()),
        11 => Value::String(Vec::arbitrary(g)),
        12 => Value::NumVariant(u8::arbitrary(g) >> 1, None),
        13 => Value::Variant(hash(g), None),
        14 => Value::Overlong([1, 0], Box::new(Value::Uvint(u128::from(u32::arbitrary(g))))),
        _ => Value::Unit,
    }
}

fn value(g: &mut Gen, depth: u8) -> Value {
    let count = usize::arbitrary(g) % 4;
    let which = u8::arbitrary(g) % 16;
    if depth == 0 {
        return scalar(g, which);
    }
    match u8::arbitrary(g) % 8 {
        0 => Value::Array((0..count).map(|_| scalar(g, which)).collect()),
        1 => Value::Tuple((0..count).map(|_| value(g, depth - 1)).collect()),
        2 => Value::Record((0..count).map(|_| (hash(g) % 4, value(g, depth - 1))).collect()),
        3 => Value::NumVariant(u8::arbitrary(g) >> 1, Some(Box::new(value(g, depth - 1)))),
        4 => Value::Variant(hash(g), Some(Box::new(value(g, depth - 1)))),
        5 => {
            let rows: Vec<_> =
                (0..count).map(|_| vec![scalar(g, which), scalar(g, 1), scalar(g, 10)]).collect();
            let columns = match rows.first() {
                Some(row) => row.iter().map(|cell| (hash(g) % 4, cell.tag())).collect(),
                None => Vec::new(),
            };
            Value::from(Table { columns, rows })
        }
        6 => Value::Array((0..count).map(|_| Value::Tuple(vec![value(g, depth - 1)])).collect()),
        _ => scalar(g, which),
    }
}

#[test]
fn random_values_survive() {
    for depth in 0..6 {
        let mut g = Gen::new(20);
        let mut bytes = Vec::new();
        for _ in 0..300 {
            bytes.extend(biniou::to_vec(&value(&mut g, depth)).unwrap());
        }
        assert!(there_and_back(&bytes, "biniou") == bytes);
    }
}

#[test]
fn all_bits_of_elements_survive() {
    let mut g = Gen::new(20);
    for shape in [&[][..], &[0], &[3], &[2, 31], &[1, 2, 3, 4]] {
        let fields = DType::ALL.iter().copied().map(|dtype| {
            let prototype = Prototype::new(dtype, shape);
            let bytes = (0..prototype.bytes().unwrap()).map(|_| u8::arbitrary(&mut g));
            let bytes: Vec<u8> = bytes.collect();
            Tensor::new(prototype, bytes).unwrap()
        });
        let bytes = PackedTensor::from(fields.collect::<Vec<_>>()).to_vec().unwrap();
        assert!(there_and_back(&bytes, "tsm") == bytes, "{shape:?}");
    }
}

#[test]
fn every_float16_survives() {
    let halves: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    let tensor = Tensor::new(Prototype::new(DType::Float16, [256, 256]), halves).unwrap();
    let bytes = PackedTensor::from(tensor).to_vec().unwrap();
    assert!(there_and_back(&bytes, "tsm") == bytes);
}

#[test]
fn headers_survive() {
    let mut module = Module { header: Header::default(), ..Module::default() };
    for (fake, data) in [(0, 0), (7, 0), (0, 1), (u32::MAX, 120)] {
        module.header.fake = fake;
        module.header.data = [0; 120];
        module.header.data.iter_mut().take(data).for_each(|byte| *byte = 0xab);
        let bytes = module.to_vec().unwrap();
        assert!(there_and_back(&bytes, "tsm") == bytes, "{fake} {data}");
    }
}

fn width(g: &mut Gen) -> Width {
    one_of(g, &[Width::Shortest, Width::Eight, Width::Sixteen, Width::ThirtyTwo])
}

fn name(g: &mut Gen) -> Name<'static> {
    let bytes = match bool::arbitrary(g) {
        true => String::arbitrary(g).into_bytes(),
        false => Vec::arbitrary(g),
    };
    Name::from(bytes).with_width(width(g))
}

fn tensor(g: &mut Gen, batch: u32) -> fourfold::primitiv::Tensor<'static> {
    let dims: Vec<u32> =
        (0..u8::arbitrary(g) % 4).map(|_| u32::from(u8::arbitrary(g) % 3 + 1)).collect();
    let shape = Shape::new(&dims).unwrap().with_written_dims(dims.len()).with_width(width(g));
    let shape = shape.with_batch(batch).unwrap();
    let floats = (0..shape.size()).flat_map(|_| float_bits(g).to_le_bytes());
    let floats: Vec<u8> = floats.collect();
    fourfold::primitiv::Tensor::new(shape, floats).unwrap().with_width(width(g))
}

#[test]
fn random_models_survive_with_their_widths() {
    let mut g = Gen::new(20);
    for _ in 0..10 {
        let entries = (0..40u8).map(|number| {
            let mut parameter = Parameter::new(tensor(&mut g, 1)).unwrap();
            for _ in 0..u8::arbitrary(&mut g) % 3 {
                let (name, value) = (name(&mut g), tensor(&mut g, 2));
                parameter.stats_mut().push(fourfold::primitiv::Statistic { name, value });
            }
            // Keys can be equal, but none is a prefix of another.
            let parts = [Name::from(vec![number % 30]), name(&mut g), Name::from("end")];
            (Key::new(parts).with_width(width(&mut g)), parameter)
        });
        let model = Model::from_entries(entries.collect::<Vec<_>>()).unwrap();
        let bytes = File::from(model).to_vec().unwrap();
        assert!(there_and_back(&bytes, "primitiv") == bytes);
    }
}

#[test]
fn random_optimizers_survive() {
    let mut g = Gen::new(20);
    for plain in [true, false] {
        let names = |g: &mut Gen, at: u32| match plain {
            true => Name::from(format!("config {at}")),
            false => name(g),
        };
        let uints = (0..20).map(|at| (names(&mut g, at), at * 200_000_000)).collect();
        let uints = Configs::from_entries(uints).with_width(width(&mut g));
        let floats = (0..20).map(|at| {
            let name = names(&mut g, at);
            (name, f32::from_bits(float_bits(&mut g)))
        });
        let floats = Configs::from_entries(floats.collect()).with_width(width(&mut g));
        let optimizer = Optimizer { uint_configs: uints, float_configs: floats };
        let bytes = File::from(optimizer).to_vec().unwrap();
        assert!(there_and_back(&bytes, "primitiv") == bytes);
    }
}
