//! Depth, prefixes, trailing bytes, and the memory of valid input.

mod claims;
mod streams;

use crate::models;
use crate::round_trip::{Hex, Type, assert_reason};
use crate::strict;
use crate::support::alloc::measure_value;
use crate::support::depth::{self, Deep};
use crate::support::erased::{self, Reader, check_each};
use crate::support::format::Primitiv;
use crate::support::large::{self, Bound};
use crate::support::random;
use crate::support::zoo::{Chain, Record, TORN};
use fourfold::Category;
use fourfold::primitiv::{self, Data, File, Options, from_slice};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::BTreeMap;

/// Maximum memory per byte of input, in addition to a constant. The worst case in these tests is a nil of one byte that is
/// an option or enum of 32 bytes in memory, in a vector that doubles as it grows.
const PEAK: usize = 64;
const CONSTANT: usize = 16 << 10;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Tower {
    Top,
    Tuple(u8, Box<Tower>),
    Pair(Box<(u8, Tower)>),
    Array(Box<[Tower; 1]>),
    List(Vec<Tower>),
    Map(BTreeMap<u8, Tower>),
    Field { maybe: Option<Box<Tower>> },
    Named(Box<Named>),
    Tagged(Box<Tagged>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Named(Option<Tower>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Tagged {
    Inner(Tower),
}

/// Nested `Some` of values that begin with nil.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct NilFirst {
    nothing: (),
    inner: Option<Box<NilFirst>>,
}

fn nil_first(levels: usize) -> NilFirst {
    let end = NilFirst { nothing: (), inner: None };
    (0..levels).fold(end, |inner, _| NilFirst { nothing: (), inner: Some(Box::new(inner)) })
}

fn tower(levels: usize) -> Tower {
    (0..levels).fold(Tower::Top, |inner, level| match level % 8 {
        0 => Tower::Tuple(0, Box::new(inner)),
        1 => Tower::Pair(Box::new((0, inner))),
        2 => Tower::Array(Box::new([inner])),
        3 => Tower::Map(BTreeMap::from([(0, inner)])),
        4 => Tower::List(vec![inner]),
        5 => Tower::Tagged(Box::new(Tagged::Inner(inner))),
        6 => Tower::Field { maybe: Some(Box::new(inner)) },
        _ => Tower::Named(Box::new(Named(Some(inner)))),
    })
}

fn types() -> Vec<Deep<Primitiv>> {
    let own = [Deep::new("nil first", nil_first), Deep::new("tower", tower)];
    depth::zoo().into_iter().chain(own).collect()
}

#[test]
fn writing_and_reading_agree_on_depth() {
    depth::writing_and_reading_agree(&types());
}

#[test]
fn writing_and_reading_agree_on_the_depth_of_every_type() {
    depth::every_type_agrees(&visible_types(), 40);
}

/// The types whose values serde shows completely: others may be written but not read.
fn visible_types() -> Vec<Type> {
    erased::zoo().into_iter().filter(|ty: &Type| ty.visible).collect()
}

#[test]
fn forty_levels_are_accepted_and_two_hundred_refused() {
    depth::default_accepts(&types(), 40);
}

/// A document adds no levels to those of the enclosing value.
#[test]
fn documents_at_any_depth() {
    random::check("depth", 100, models::any, |_, tree| {
        let file = models::build_file(&tree);
        let bytes = file.to_vec().unwrap();
        for depth in 0..6 {
            let options = Options::new().max_depth(depth);
            let written = options.to_vec(&vec![Some(&file)]);
            let bytes = [&[0x91], &bytes[..]].concat();
            let read: primitiv::Result<Vec<Option<File<'_>>>> = options.from_slice(&bytes);
            assert_eq!(written.is_ok(), read.is_ok(), "depth {depth}: {written:?} {read:?}");
            if let Ok(written) = written {
                assert_eq!(Hex(&written), Hex(&bytes));
            }
        }
    });
}

/// All prefixes of a message, or some of them if it is long.
fn prefixes(message: &[u8]) -> impl Iterator<Item = &[u8]> {
    const MOST: usize = if cfg!(debug_assertions) { 24 } else { 400 };
    let step = 1 + message.len() / MOST;
    (0..message.len()).step_by(step).map(|cut| &message[..cut])
}

#[test]
fn prefixes_of_messages_are_refused() {
    const CASES: usize = if cfg!(debug_assertions) { 20 } else { 100 };
    check_each(&erased::zoo(), |ty: &Type| {
        // The options of a chain have no bytes of their own; see below. Fields that are
        // written but not read may be missing.
        if ty.name == "Chain" || TORN.contains(&ty.name) {
            return;
        }
        for message in ty.messages(CASES) {
            for prefix in prefixes(&message) {
                match ty.visible {
                    true => assert_cut(ty, prefix, &message),
                    // These may report another error first.
                    false => assert!(ty.from_slice(prefix).is_err(), "{}", Hex(prefix)),
                }
            }
        }
    });
}

fn assert_cut(ty: &Type, prefix: &[u8], message: &[u8]) {
    let (name, whole, part) = (ty.name, Hex(message), Hex(prefix));
    for lenient in [false, true] {
        let options = Options::new().lenient(lenient).allow_trailing(lenient);
        let error = match ty.from_slice_with(&options, prefix) {
            Err(error) => error,
            Ok(read) => panic!("{name} is read as {read:?} from {part} of {whole}"),
        };
        assert_reason(&error, &part);
        let eof = error.is_eof() && error.category() == Category::Eof;
        assert!(eof, "{name} {part} of {whole}: {error}");
        let offset = error.offset().unwrap();
        assert!(offset <= prefix.len(), "{name} {part}: {error}");
    }
    let error = ty.from_reader(prefix).unwrap_err();
    assert!(error.is_eof(), "{name} {part} of {whole}: {error}");
    let error = ty.take_from_slice(prefix).unwrap_err();
    assert!(error.is_eof(), "{name} {part} of {whole}: {error}");
}

/// An option needs a byte.
#[test]
fn prefixes_of_a_chain_of_options_are_refused() {
    for bytes in [&[][..], &[0xd4], &[0xd4, 0], &[0xd4, 0, 1]] {
        let error = from_slice::<Chain>(bytes).unwrap_err();
        assert!(error.is_eof(), "{error} in {}", Hex(bytes));
    }
}

#[test]
fn prefixes_of_files_are_refused() {
    random::check("prefixes", 200, models::any, |_, tree| {
        let message = strict::write(&tree);
        for prefix in prefixes(&message) {
            let error = File::from_slice(prefix).unwrap_err();
            assert_reason(&error, &Hex(prefix));
            assert!(error.is_eof(), "{error} in {}", Hex(prefix));
            assert!(error.offset().is_some_and(|at| at <= prefix.len()), "{error}");
        }
    });
}

/// Trailing bytes are refused at their offset, unless they are allowed.
#[test]
fn trailing_bytes_are_refused_unless_allowed() {
    let lax = Options::new().allow_trailing(true);
    check_each(&visible_types(), |ty| {
        ty.check(20, |_, value| {
            let Ok(bytes) = value.to_vec() else {
                return;
            };
            let name = ty.name;
            for tail in [&[0xc0][..], &[0], &[0xc1], &[0xd4], &[0xd4, 0, 1], &[0xff; 20]] {
                let long = [&bytes, tail].concat();
                let error = ty.from_slice(&long).unwrap_err();
                assert_eq!(error.offset(), Some(bytes.len()), "{name} {error} in {}", Hex(&long));
                assert_eq!(error.category(), Category::Syntax, "{name} {error}");
                assert!(!error.is_eof());
                for reader in [
                    Reader::Options(&lax),
                    Reader::OptionsStream(&lax),
                    Reader::FirstOfDeserializer,
                ] {
                    assert_eq!(*ty.read(&reader, &long).unwrap(), *value, "{name}");
                }
                let (read, rest) = ty.take_from_slice(&long).unwrap();
                assert_eq!((&*read, rest), (value, tail), "{name}");
                let error = ty.deserialize(&long).unwrap_err();
                assert_eq!(error.offset(), Some(bytes.len()), "{name} {error}");
            }
        });
    });
}

#[test]
fn valid_input_takes_memory_in_proportion() {
    const BOUND: Bound = Bound { peak: PEAK, total: 2 * PEAK, constant: CONSTANT };
    large::items::<Primitiv>(&BOUND);
    large::nested::<Primitiv>(&BOUND);
    BOUND.hold_for::<Primitiv, _>("buffer", &ByteBuf::from(vec![7; 1 << 20]));
    BOUND.hold_for::<Primitiv, _>("text", &"€".repeat(1 << 18));
    BOUND.hold_for::<Primitiv, _>("units", &vec![(); 20_000]);
    BOUND.hold_for::<Primitiv, _>("nothing", &vec![None::<[u64; 4]>; 20_000]);
    random::check("record", 20, random::value::<Vec<Record>>, |_, record| {
        BOUND.hold_for::<Primitiv, _>("record", &record);
    });
}

/// A model borrows its tensors and names: memory is used only for its entries.
#[test]
fn a_model_borrows_its_parameters() {
    let entries = (0..20_000_u32).map(|n| {
        let shape = strict::Shape { dims: vec![], batch: 1 };
        let value = strict::Tensor { shape, data: n.to_le_bytes().to_vec() };
        let key = vec![format!("{:02}", n % 100).into_bytes(), n.to_be_bytes().to_vec()];
        (key, strict::Parameter { value, stats: vec![] })
    });
    let mut entries: Vec<_> = entries.collect();
    for sorted in [false, true] {
        if sorted {
            entries.sort_by(|one, other| one.0.cmp(&other.0));
        }
        let bytes = strict::write(&strict::Data::Model(entries.clone()));
        let (file, stats) = measure_value(|| File::from_slice(&bytes).unwrap());
        assert!(stats.peak <= 24 * bytes.len(), "{stats:?} of {}", bytes.len());
        assert!(stats.count < 20_000 * 3 + 100, "{stats:?}");
        let Data::Model(model) = &file.data else { panic!("another kind") };
        assert_eq!(model.len(), 20_000);
        // A lookup in an unsorted model is linear.
        for (key, parameter) in entries.iter().step_by(if sorted { 1 } else { 500 }) {
            let found = model.get(key).unwrap();
            assert_eq!(found.value().data(), parameter.value.data);
        }
        assert_eq!(model.root().submodels().count(), 100);
        assert!(file.to_vec().unwrap() == bytes);
    }
    // A large tensor is not copied.
    let shape = strict::Shape { dims: vec![1 << 18], batch: 1 };
    let value = strict::Tensor { shape, data: vec![7; 1 << 20] };
    let data = strict::Data::Parameter(strict::Parameter { value, stats: vec![] });
    let bytes = strict::write(&data);
    let (file, stats) = measure_value(|| File::from_slice(&bytes).unwrap());
    assert!(stats.peak < CONSTANT, "{stats:?}");
    let (written, stats) = measure_value(|| {
        let mut written = std::io::Cursor::new(vec![0; bytes.len()]);
        file.to_writer(&mut written).unwrap();
        written.into_inner()
    });
    assert!(written == bytes);
    assert!(stats.peak < bytes.len() + (256 << 10), "{stats:?}");
}
