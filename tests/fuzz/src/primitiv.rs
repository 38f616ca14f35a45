//! primitiv: the zoo, and the files of models, optimizers and parameters.

use fourfold::primitiv::{
    self, ErrorKind, File, Key, Model, Optimizer, Options, Parameter, Result, Shape, Tensor,
    from_slice, to_vec,
};
use fourfold_inspect::spans::{self, all};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bound::Bound;
use crate::check::{assert_covered, assert_verdict};
use crate::draws::Draws;
use crate::parts::{self, Parts};
use crate::support::fixture::hex;
use crate::support::random::Source as _;
use crate::zoo::{self, Format};

pub(crate) struct Primitiv;

impl Format for Primitiv {
    type Kind = ErrorKind;

    const NAME: &'static str = "primitiv";
    /// A nil of one byte may be an option or enum of 100 bytes in memory.
    const BOUND: Bound = Bound { constant: 64 << 10, per_byte: 256 };

    fn to_vec<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        to_vec(value)
    }

    fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        from_slice(bytes)
    }

    fn from_reader<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        primitiv::from_reader(bytes)
    }

    fn more<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        Options::new().lenient(true).from_slice(bytes)
    }
}

impl Parts for Primitiv {
    const ONE_OBJECT: bool = true;

    /// There are no rules for lazy values alone.
    fn is_of_parts(_: &primitiv::Error) -> bool {
        false
    }
}

pub(crate) fn written(input: &[u8]) -> Option<Vec<u8>> {
    zoo::write::<Primitiv>(input)
}

/// Reads as a type of the zoo.
pub fn decode(input: &[u8]) {
    zoo::decode::<Primitiv>(input);
}

/// Writes a type of the zoo, or a file.
pub fn encode(input: &[u8]) {
    zoo::encode::<Primitiv>(input);
    let Some(file) = draw(&mut Draws::new(input)) else {
        return;
    };
    let written = file.to_vec().unwrap_or_else(|error| panic!("{file:?}: {error}"));
    assert_eq!(File::from_slice(&written).unwrap(), file, "through {}", hex(&written));
}

/// A random file, if the input has enough bytes.
fn draw(bytes: &mut Draws<'_>) -> Option<File<'static>> {
    Some(match bytes.below(5) {
        0 => shape(bytes)?.into(),
        1 => tensor(bytes)?.into(),
        2 => parameter(bytes)?.into(),
        3 => {
            let mut entries = Vec::new();
            for _ in 0..bytes.below(6) {
                let parts: Vec<String> = (0..bytes.below(4)).map(|_| bytes.text(4)).collect();
                entries.push((Key::new(parts), parameter(bytes)?));
            }
            Model::from_entries(entries).ok()?.into()
        }
        _ => {
            let mut optimizer = Optimizer::default();
            for _ in 0..bytes.below(4) {
                let name = bytes.text(5);
                optimizer.uint_configs.insert(name, bytes.draw());
                // Integers, since NaN is not equal to itself.
                let value = bytes.draw::<i32>();
                let name = bytes.text(5);
                optimizer.float_configs.insert(name, value as f32);
            }
            optimizer.into()
        }
    })
}

fn shape(bytes: &mut Draws<'_>) -> Option<Shape> {
    let dims: Vec<u32> = (0..bytes.below(9)).map(|_| bytes.draw::<u32>() % 4).collect();
    Shape::new(&dims).ok()?.with_batch(bytes.draw::<u32>() % 4).ok()
}

fn tensor(bytes: &mut Draws<'_>) -> Option<Tensor<'static>> {
    let shape = shape(bytes)?;
    let mut data = bytes.take(200);
    data.resize(usize::try_from(shape.bytes()).ok().filter(|len| *len < 4096)?, 0x3f);
    Tensor::new(shape, data).ok()
}

fn parameter(bytes: &mut Draws<'_>) -> Option<Parameter<'static>> {
    let mut parameter = Parameter::new(tensor(bytes)?).ok()?;
    for _ in 0..bytes.below(3) {
        let name = bytes.text(5);
        parameter.insert_stat(name, tensor(bytes)?);
    }
    Some(parameter)
}

/// Files borrow large content. An entry of at least 11 bytes has a key, a name and a parameter.
const FILE: Bound = Bound { constant: 64 << 10, per_byte: 128 };
const SPANS: Bound = Bound { constant: 64 << 10, per_byte: 1024 };

/// Files, and their explanations by `explain`.
pub fn file(input: &[u8]) {
    let read = FILE.hold("File", input, || File::from_slice(input));
    let more = FILE
        .hold("lenient File", input, || Options::new().lenient(true).from_slice::<File<'_>>(input));
    match (&read, &more) {
        (Ok(file), Ok(more)) => {
            assert_eq!(file, more, "{}", hex(input));
            assert_eq!(hex(&file.to_vec().unwrap()), hex(input), "written otherwise");
            assert_eq!(&file.clone().into_owned(), file, "{}", hex(input));
        }
        (Ok(_), Err(error)) => panic!("lenient reading refuses {}: {error}", hex(input)),
        (Err(error), Ok(more)) => {
            zoo::assert_reason(error, input);
            // Files of other writers are written in primitiv's encoding.
            let written = more.to_vec().unwrap();
            let back = File::from_slice(&written).unwrap();
            assert_eq!(hex(&back.to_vec().unwrap()), hex(&written), "{}", hex(input));
        }
        (Err(one), Err(other)) => {
            zoo::assert_reason(one, input);
            zoo::assert_reason(other, input);
        }
    }
    let spans =
        SPANS.hold("explain", input, || all(|each| spans::primitiv::explain(input, "", each)));
    assert_covered("explain", input.len(), &spans);
    assert_verdict("explain", &spans, read.err().as_ref());
}

/// Lazy values, compared with the whole message.
pub fn parts(input: &[u8]) {
    parts::primitiv::read(input);
}
