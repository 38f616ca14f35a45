//! Input with false claims: no panic, no memory for what is only claimed, no stack overflow.

use fourfold::primitiv::{File, Model, Options, from_slice, take_from_slice, to_vec};
use fourfold::{Category, primitiv};
use serde::{Deserialize, Serialize};

use crate::support::alloc::measure_value;
use crate::vectors::FIXTURES;

#[test]
fn counts_are_never_trusted() {
    let claims: [&[u8]; 6] = [
        &[0xdd, 0xff, 0xff, 0xff, 0xff],
        &[0xdf, 0xff, 0xff, 0xff, 0xff],
        &[0xdb, 0xff, 0xff, 0xff, 0xff],
        &[0xc6, 0xff, 0xff, 0xff, 0xff],
        &[0xdc, 0xff, 0xff],
        &[0xce, 0xff, 0xff, 0xff, 0xff],
    ];
    for claim in claims {
        let input = [claim, &[0xc0; 100]].concat();
        let (_, stats) = measure_value(|| {
            let failed = from_slice::<Vec<u64>>(&input).is_err()
                && from_slice::<Vec<()>>(&input).is_err()
                && from_slice::<std::collections::BTreeMap<(), ()>>(&input).is_err()
                && from_slice::<String>(&input).is_err()
                && from_slice::<serde_bytes::ByteBuf>(&input).is_err()
                && from_slice::<Model<'_>>(&input).is_err()
                && from_slice::<primitiv::Parameter<'_>>(&input).is_err()
                && from_slice::<primitiv::Optimizer<'_>>(&input).is_err();
            assert!(failed, "{claim:x?}");
        });
        assert!(stats.peak < 64 << 10, "{claim:x?}: {stats:?}");
    }
    let error = from_slice::<Vec<u32>>(&[0xdd, 0xff, 0xff, 0xff, 0xff]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "count 4294967295 needs 4294967295 bytes or more, 0 left at byte 0"
    );
    assert!(error.is_eof());
}

/// Each byte of each small fixture, set to what does most harm.
#[test]
fn damaged_documents() {
    for folder in ["saved", "crafted"] {
        for name in FIXTURES.names(folder, "json") {
            let bytes = FIXTURES.bytes(&format!("{folder}/{name}"));
            if bytes.len() > 400 {
                continue;
            }
            for at in 0..bytes.len() {
                for byte in [0x00, 0x01, 0x90, 0xc0, 0xc6, 0xce, 0xdb, 0xdd, 0xff] {
                    let mut damaged = bytes.clone();
                    damaged[at] = byte;
                    let (read, stats) = measure_value(|| File::from_slice(&damaged));
                    assert!(
                        stats.peak < 40 * damaged.len() + 4096,
                        "{name} {at} {byte}: {stats:?}"
                    );
                    match read {
                        Ok(file) => assert_eq!(file.to_vec().unwrap(), damaged, "{name} {at}"),
                        Err(error) => assert!(error.offset().unwrap() <= damaged.len()),
                    }
                }
            }
        }
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct List {
    tail: Option<Box<List>>,
    head: u8,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Nest(Vec<Nest>);

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Expression {
    One,
    Not(Box<Expression>),
    Both { one: Box<Expression>, other: Box<Expression> },
}

fn list(depth: usize) -> List {
    (1..depth)
        .fold(List { tail: None, head: 0 }, |tail, _| List { tail: Some(Box::new(tail)), head: 1 })
}

fn nest(depth: usize) -> Nest {
    (1..depth).fold(Nest(vec![]), |inner, _| Nest(vec![inner]))
}

fn expression(depth: usize) -> Expression {
    (0..depth).fold(Expression::One, |inner, level| match level % 2 {
        0 => Expression::Not(Box::new(inner)),
        _ => Expression::Both { one: Box::new(inner), other: Box::new(Expression::One) },
    })
}

/// Writing refuses exactly what reading would.
#[test]
fn depth_is_the_same_on_both_sides() {
    fn check<T: Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug>(
        make: fn(usize) -> T,
    ) {
        let unlimited = Options::new().max_depth(1000);
        for limit in [1, 2, 5, 40, 128] {
            let options = Options::new().max_depth(limit);
            for depth in 1..usize::from(limit) + 4 {
                let value = make(depth);
                let bytes = unlimited.to_vec(&value).unwrap();
                let read = options.from_slice::<T>(&bytes);
                match options.to_vec(&value) {
                    Ok(same) => assert_eq!((same, read.unwrap()), (bytes, value)),
                    Err(written) => {
                        assert_eq!(written.category(), Category::Limit);
                        assert_eq!(read.unwrap_err().category(), Category::Limit, "{depth}");
                    }
                }
            }
        }
    }

    check(list);
    check(nest);
    check(expression);
    assert!(to_vec(&list(40)).is_ok() && to_vec(&expression(100)).is_ok());
}

#[test]
fn nesting_without_end() {
    for byte in [0x91, 0xce, 0xd4, 0x81] {
        let input = vec![byte; 100_000];
        assert!(from_slice::<Nest>(&input).is_err());
        assert!(from_slice::<List>(&input).is_err());
        assert!(Options::new().lenient(true).from_slice::<serde_json::Value>(&input).is_err());
    }
    let somes: Vec<u8> = [0xd4, 0, 1].into_iter().cycle().take(300_000).collect();
    #[derive(Deserialize, Debug)]
    struct Chain(#[allow(dead_code, reason = "only read")] Option<Box<Chain>>);
    let error = from_slice::<Chain>(&somes).unwrap_err();
    assert_eq!(error.category(), Category::Limit);
    assert_eq!(from_slice::<Chain>(&[7]).unwrap_err().category(), Category::Limit);
}

#[test]
fn one_value_after_another() {
    let mut bytes = to_vec(&7u32).unwrap();
    bytes.extend(to_vec("x").unwrap());
    let (number, rest): (u32, _) = take_from_slice(&bytes).unwrap();
    let (text, rest): (String, _) = take_from_slice(rest).unwrap();
    assert_eq!((number, text.as_str(), rest), (7, "x", &[][..]));
    assert_eq!(from_slice::<u32>(&bytes).unwrap_err().to_string(), "2 trailing bytes at byte 5");
}

/// What is read of many parameters is in proportion to the input.
#[test]
fn many_parameters() {
    let mut model = Model::new();
    for index in 0..70_000u32 {
        let parameter = primitiv::Parameter::new(primitiv::Tensor::scalar(1.0)).unwrap();
        model.insert([format!("p{index:05}")], parameter).unwrap();
    }
    let bytes = File::from(model).to_vec().unwrap();
    let (file, stats) = measure_value(|| File::from_slice(&bytes).unwrap());
    assert!(stats.peak < 12 * bytes.len(), "{stats:?} for {}", bytes.len());
    assert!(stats.count < 70_100, "{stats:?}");
    assert_eq!(file.to_vec().unwrap(), bytes);
}
