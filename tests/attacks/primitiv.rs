//! Attacks on readers of primitiv, and of MessagePack.

use fourfold::primitiv::{File as Document, Key, Model, Parameter, Tensor};

use crate::molecule::File;

/// A file of a data type: version 0.1, the number of the type, and the rest.
fn file(data_type: u32, rest: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in [0, 1, data_type] {
        bytes.push(0xce);
        bytes.extend(number.to_be_bytes());
    }
    [&bytes[..], rest].concat()
}

fn uint(number: u32) -> Vec<u8> {
    [&[0xce][..], &number.to_be_bytes()].concat()
}

fn model(keys: impl Iterator<Item = String>) -> Vec<u8> {
    let parameter = || Parameter::new(Tensor::scalar(1.0)).unwrap();
    let model = Model::from_entries(keys.map(|key| (Key::new([key]), parameter()))).unwrap();
    Document::from(model).to_vec().unwrap()
}

pub(crate) fn files() -> Vec<File> {
    let max = [0xff; 4];
    let headed = |marker: u8, rest: &[u8]| [&[marker][..], &max, rest].concat();
    let mut text = [&[0xda][..], &20_001_u16.to_be_bytes(), &[b'a'; 20_000]].concat();
    text.push(0xff);
    let dims = [&[0x98][..], &uint(u32::MAX).repeat(8), &uint(1)].concat();
    let wraps = [&[0x94][..], &uint(65_536).repeat(4), &uint(1), &[0xc4, 0]].concat();
    let whole = model(["weight".to_owned()].into_iter());
    vec![
        ("array-max", "2^32-1 numbers: 32 GiB", &["Vec<u64>", "List<()>"], headed(0xdd, &[])),
        (
            "array-of-nils",
            "2^32-1 items of one byte each, of which two are there",
            &["Vec<()>", "Vec<Option<u8>>", "List<()>"],
            headed(0xdd, &[0xc0, 0xc0]),
        ),
        ("map-max", "2^32-1 entries: 64 GiB", &["HashMap<u64, u64>"], headed(0xdf, &[0xcf])),
        ("text-max", "2^32-1 bytes of text: 4 GiB", &["String"], headed(0xdb, b"text")),
        ("deep", "10,000 levels: the stack", &["Nest", "LazyNest"], {
            [vec![0x91; 10_000], vec![0x90]].concat()
        }),
        (
            "claims-in-claims",
            "each of 1000 levels claims 65,535 items",
            &["Nest", "Vec<Vec<Vec<u8>>>", "LazyNest"],
            [0xdc, 0xff, 0xff].repeat(1000),
        ),
        ("late-invalid-text", "20,000 bytes of text of which the last is no UTF-8", &["String"], {
            text
        }),
        ("ext-max", "an ext of 4 GiB", &["Vec<u64>", "File"], headed(0xc9, &[0])),
        ("reserved-marker", "a marker that there is not", &["Vec<u64>", "File"], vec![0xc1]),
        (
            "model-max",
            "a model of 2^32-1 parameters: 800 GiB",
            &["File"],
            file(0x300, &uint(u32::MAX)),
        ),
        ("shape-overflow", "a tensor of (2^32-1)^8 elements", &["File"], file(0x100, &dims)),
        (
            "shape-overflow-to-zero",
            "a tensor of 2^64 elements, which is 0 of 64 bits",
            &["File"],
            file(0x100, &wraps),
        ),
        ("shape-zero", "a tensor without elements in a batch of none", &["File"], {
            file(0x100, &[&[0x91][..], &uint(0), &uint(0), &[0xc4, 0]].concat())
        }),
        (
            "data-too-long",
            "4 GiB of data for one float",
            &["File"],
            file(0x100, &[&[0x90][..], &uint(1), &headed(0xc6, &[0; 4])].concat()),
        ),
        ("dims-max", "a shape of 2^32-1 dims", &["File"], file(0, &headed(0xdd, &[]))),
        (
            "stats-max",
            "2^32-1 statistics of one parameter",
            &["File"],
            file(0x200, &[&[0x90][..], &uint(1), &[0xc4, 4, 0, 0, 0, 0], &uint(u32::MAX)].concat()),
        ),
        (
            "many-tiny-parameters",
            "1500 parameters of four bytes",
            &["File"],
            model((0..1500).map(|number| format!("p{number:04}"))),
        ),
        ("configs-max", "two maps of 2^32-1 entries", &["File"], file(0x400, &headed(0xdf, &[]))),
        ("unknown-data-type", "a file of an unknown data type", &["File"], file(0x500, &max)),
        ("version-max", "a version of 2^32-1", &["File"], [uint(u32::MAX), uint(1)].concat()),
        ("truncated", "a model cut in its data", &["File"], whole[..whole.len() - 3].to_vec()),
        ("empty", "nothing at all", &["File", "Pair"], Vec::new()),
    ]
}
