//! Lazy values: `Raw`, `Lazy`, `List`.

use std::collections::BTreeMap;

use fourfold::primitiv::{self, Error, Lazy, List, Options, OwnedRaw, Raw, from_slice, to_vec};
use serde::{Deserialize, Serialize};

use crate::support::lazy::{assert_alike, facts};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Layer {
    name: String,
    weights: Vec<f32>,
    shape: Vec<u32>,
    labels: BTreeMap<String, Vec<String>>,
    note: Option<String>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Net {
    id: u32,
    layers: Vec<Layer>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct LazyLayer<'a> {
    #[serde(borrow)]
    name: Lazy<'a, &'a str>,
    weights: List<'a, f32>,
    shape: Raw<'a>,
    labels: BTreeMap<String, List<'a, String>>,
    note: Lazy<'a, Option<String>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct LazyNet<'a> {
    id: u32,
    #[serde(borrow)]
    layers: Vec<LazyLayer<'a>>,
}

fn net() -> Net {
    let layer = |number: u8| Layer {
        name: format!("layer {number}"),
        weights: (0..number).map(f32::from).collect(),
        shape: vec![number.into(), 2],
        labels: [("a".to_owned(), vec!["x".to_owned(), "y".to_owned()])].into(),
        note: (number == 2).then(|| "note".to_owned()),
    };
    Net { id: 7, layers: (1..4).map(layer).collect() }
}

fn all_values(bytes: &[u8]) -> Result<Net, Error> {
    let net: LazyNet<'_> = from_slice(bytes)?;
    let mut layers = Vec::new();
    for layer in net.layers {
        let mut labels = BTreeMap::new();
        for (name, list) in layer.labels {
            labels.insert(name, list.iter().collect::<Result<_, _>>()?);
        }
        layers.push(Layer {
            name: layer.name.get()?.to_owned(),
            weights: layer.weights.iter().collect::<Result<_, _>>()?,
            shape: layer.shape.get()?,
            labels,
            note: layer.note.get()?,
        });
    }
    Ok(Net { id: net.id, layers })
}

#[test]
fn a_message_is_read_on_demand() -> Result<(), Error> {
    let net = net();
    let bytes = to_vec(&net)?;
    assert_eq!(all_values(&bytes)?, net);
    let lazy: LazyNet<'_> = from_slice(&bytes)?;
    assert_eq!(to_vec(&lazy)?, bytes);
    let layer = &lazy.layers[2];
    assert_eq!(layer.weights.get(2).transpose()?, Some(2.0));
    assert_eq!(layer.weights.get(1..).unwrap().get(1).transpose()?, Some(2.0));
    assert!(layer.weights.get(3).is_none());
    Ok(())
}

/// For each changed byte, reading on demand returns the same error as reading at once.
#[test]
fn damage_has_the_same_error_as_when_read_at_once() -> Result<(), Error> {
    let bytes = to_vec(&net())?;
    let (mut found, mut alike) = (0, 0);
    for at in 0..bytes.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= change;
            match (from_slice::<Net>(&damaged), all_values(&damaged)) {
                (Ok(whole), Ok(parts)) => assert_eq!(whole, parts),
                (Err(whole), Err(parts)) => {
                    found += 1;
                    // A byte that is not a marker is refused before the type is used.
                    let is_object = damaged[at] != 0xc1;
                    let is_end = |error: &Error| error.is_eof();
                    if is_object
                        && whole.offset() == parts.offset()
                        && is_end(&whole) == is_end(&parts)
                    {
                        alike += 1;
                        assert_alike(&parts, &whole);
                    }
                }
                (whole, parts) => panic!("byte {at}: {whole:?}, by parts {parts:?}"),
            }
        }
    }
    assert!(found > 150 && alike * 3 > found, "{alike} of {found}");
    Ok(())
}

#[test]
fn errors_have_their_place_in_the_whole_message() -> Result<(), Error> {
    let mut bytes = to_vec(&net())?;
    let at = bytes.iter().rposition(|byte| *byte == b'y').unwrap();
    bytes[at] = 0xff;
    let whole = from_slice::<Net>(&bytes).unwrap_err();
    assert_eq!(whole.path(), "layers[2].labels[0].value[1]");
    let lazy: LazyNet<'_> = from_slice(&bytes)?;
    let list = &lazy.layers[2].labels["a"];
    assert_eq!(list.get(0).unwrap()?, "x");
    let error = list.get(1).unwrap().unwrap_err();
    assert_alike(&error, &whole);
    assert_eq!(error.path(), "[1]");
    Ok(())
}

#[test]
fn a_lazy_value_is_one_object() -> Result<(), Error> {
    const SEVERAL: &str = "a raw value or item of a list is one object of MessagePack";
    let raw: Raw<'_> = Raw::of(&(1u32, 2u32))?;
    assert_eq!(raw.get::<(u32, u32)>()?, (1, 2));
    let error = to_vec(&raw).unwrap_err();
    assert!(error.to_string().starts_with(SEVERAL), "{error}");
    let bytes = to_vec(&vec![(1u32, 2u32), (3, 4)])?;
    // Half of the objects are trailing.
    let error = from_slice::<List<'_, (u32, u32)>>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "10 trailing bytes at byte 11");
    let bytes = to_vec(&vec![1u32, 2, 3])?;
    let list: List<'_, (u32, u32)> = from_slice(&bytes)?;
    let error = list.get(1).unwrap().unwrap_err();
    assert!(error.to_string().starts_with(SEVERAL), "{error}");
    assert_eq!((error.path().to_string(), error.offset()), ("[1]".into(), Some(6)));
    Ok(())
}

#[test]
fn bytes_that_are_not_an_object_are_refused() {
    for (bytes, text) in [
        (&b""[..], "input ends early: 1 byte needed, 0 left at byte 0"),
        (&[0xa3, b'h'], "input ends early: 3 bytes needed, 1 left at byte 1"),
        (&[0x92, 0xc0], "input ends early: 1 byte needed, 0 left at byte 2"),
        (&[0x91, 0xc1], "marker 0xc1 is not an object at byte 1"),
        (&[0xdd, 0xff, 0xff, 0xff, 0xff], "input ends early: 1 byte needed, 0 left at byte 5"),
        (&[0xc0, 0xc0], "1 trailing byte at byte 1"),
    ] {
        assert_eq!(from_slice::<Raw<'_>>(bytes).unwrap_err().to_string(), text, "{bytes:?}");
    }
    let error = from_slice::<List<'_, u32>>(&[0xc0]).unwrap_err();
    assert_eq!(error.to_string(), "marker 0xc0 is not an array at byte 0");
}

#[test]
fn lazy_values_can_be_the_whole_message_or_in_options() -> Result<(), Error> {
    let bytes = to_vec("text")?;
    let owned: OwnedRaw = primitiv::from_reader(&*bytes)?;
    assert_eq!(owned.get::<&str>()?, "text");
    assert_eq!(to_vec(&owned)?, bytes);
    let nil = Raw::of(&None::<u32>)?;
    // The prefix of a `Some` of nil is in the lazy value, as is an ext object of another writer.
    let some_nil = Raw::of(&Some(()))?;
    let ext = from_slice::<Raw<'_>>(&[0xd4, 5, 7])?;
    for option in [None, Some(nil), Some(some_nil), Some(ext), Some(Raw::of(&7u32)?)] {
        let bytes = to_vec(&option)?;
        assert_eq!(from_slice::<Option<Raw<'_>>>(&bytes)?, option);
    }
    Ok(())
}

/// Integers of other writers are read in a lazy value, too.
#[test]
fn lazy_values_are_read_with_the_options_of_the_message() -> Result<(), Error> {
    let bytes = [0x92, 7, 8];
    let list: List<'_, u32> = Options::new().lenient(true).from_slice(&bytes)?;
    assert_eq!(list.iter().collect::<Result<Vec<_>, _>>()?, [7, 8]);
    let list: List<'_, u32> = from_slice(&bytes)?;
    assert_eq!(list.get(1).unwrap().unwrap_err().offset(), Some(2));
    Ok(())
}

/// The prefix of a `Some` of nil belongs to the object after it.
#[test]
fn some_of_nil_is_one_object() -> Result<(), Error> {
    type Twice = Option<Option<u32>>;

    let bytes = to_vec(&(Some(None::<u32>), Some(7u32)))?;
    let (first, second): (Lazy<'_, Twice>, Option<u32>) = from_slice(&bytes)?;
    assert_eq!((first.get()?, second), (Some(None), Some(7)));
    assert_eq!(*first.bytes(), bytes[..4]);
    assert!(from_slice::<(Raw<'_>, Raw<'_>, Raw<'_>)>(&bytes).is_err());

    let items = [Some(Some(())), None, Some(None)];
    let bytes = to_vec(&items.to_vec())?;
    let list: List<'_, Option<Option<()>>> = from_slice(&bytes)?;
    assert_eq!(list.iter().collect::<Result<Vec<_>, _>>()?, items);
    assert_eq!(list.get(2).transpose()?, Some(Some(None)));

    // Before another value it is invalid.
    let lone = [0xd4, 0, 1, 5];
    let whole = from_slice::<(Option<Option<u8>>, u8)>(&lone).unwrap_err();
    let part = from_slice::<(Lazy<'_, Option<Option<u8>>>, u8)>(&lone).unwrap_err();
    assert_eq!(facts(&part), facts(&whole));

    let raw = Raw::of(&items[0])?;
    assert_eq!(to_vec(&vec![raw.clone()])?, to_vec(&vec![items[0]])?);
    assert_eq!(raw.get::<Option<Option<()>>>()?, items[0]);
    Ok(())
}
