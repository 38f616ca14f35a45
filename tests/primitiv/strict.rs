//! An independent reader and writer of primitiv files, without code of the crate.
//!
//! The reader accepts the same files as primitiv's own reader, according to the fixtures' `NOTES.md` and verdicts: only
//! `ce` integers, only `ca` floats, any width of str, bin, array and map, and sizes that overflow in 32 bits. It returns
//! trailing bytes. The writer writes like primitiv's own, in the order of the tree.

use crate::support::digest::sha256;
use crate::support::fixture::{Fixtures, assert_none, hex, unhex};
use serde_json::Value;
use std::collections::BTreeMap;

pub(crate) const FIXTURES: Fixtures = Fixtures("primitiv");

pub(crate) type Name = Vec<u8>;
pub(crate) type Key = Vec<Name>;

/// Dims without 1s at the end, and the batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) dims: Vec<u32>,
    pub(crate) batch: u32,
}

impl Shape {
    /// The size modulo 2^32, as primitiv computes it.
    fn size(&self) -> u32 {
        self.dims.iter().fold(self.batch, |size, &dim| size.wrapping_mul(dim))
    }
}

/// The bytes of the floats, as in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tensor {
    pub(crate) shape: Shape,
    pub(crate) data: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub(crate) value: Tensor,
    pub(crate) stats: Vec<(Name, Tensor)>,
}

/// Bits of the floats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Optimizer {
    pub(crate) uints: Vec<(Name, u32)>,
    pub(crate) floats: Vec<(Name, u32)>,
}

/// The content of a file, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    Shape(Shape),
    Tensor(Tensor),
    Parameter(Parameter),
    Model(Vec<(Key, Parameter)>),
    Optimizer(Optimizer),
}

impl Data {
    pub(crate) fn number(&self) -> u32 {
        match self {
            Data::Shape(_) => 0,
            Data::Tensor(_) => 0x100,
            Data::Parameter(_) => 0x200,
            Data::Model(_) => 0x300,
            Data::Optimizer(_) => 0x400,
        }
    }

    /// The data after primitiv has loaded it: sorted; of parameters with the same key the last one, of statistics and
    /// configs with the same name the first one.
    pub(crate) fn loaded(self) -> Data {
        match self {
            Data::Parameter(parameter) => Data::Parameter(parameter.loaded()),
            Data::Model(entries) => {
                let last: BTreeMap<Key, Parameter> = entries.into_iter().collect();
                let loaded = last.into_iter().map(|(key, value)| (key, value.loaded()));
                Data::Model(loaded.collect())
            }
            Data::Optimizer(Optimizer { uints, floats }) => {
                Data::Optimizer(Optimizer { uints: first(uints), floats: first(floats) })
            }
            other => other,
        }
    }
}

impl Parameter {
    fn loaded(self) -> Parameter {
        Parameter { stats: first(self.stats), ..self }
    }
}

/// Sorted by name, the first of each.
fn first<T>(items: Vec<(Name, T)>) -> Vec<(Name, T)> {
    let mut sorted = BTreeMap::new();
    for (name, item) in items {
        sorted.entry(name).or_insert(item);
    }
    sorted.into_iter().collect()
}

/// Reads a file whose data type is `number`; returns the document and the trailing bytes.
pub(crate) fn read(bytes: &[u8], number: u32) -> Result<(Data, &[u8]), String> {
    let mut reader = Reader(bytes);
    let version = (reader.uint()?, reader.uint()?);
    if version != (0, 1) {
        return Err(format!("version {version:?}"));
    }
    let found = reader.uint()?;
    if found != number {
        return Err(format!("data type {found:#x}"));
    }
    let data = match number {
        0 => Data::Shape(reader.shape()?),
        0x100 => Data::Tensor(reader.tensor()?),
        0x200 => Data::Parameter(reader.parameter()?),
        0x300 => Data::Model(reader.model()?),
        0x400 => Data::Optimizer(Optimizer {
            uints: reader.map(Reader::uint)?,
            floats: reader.map(Reader::float)?,
        }),
        _ => return Err(format!("data type {number:#x}")),
    };
    Ok((data, reader.0))
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or("end of file")?;
        self.0 = rest;
        Ok(taken)
    }

    /// A big-endian number of `width` bytes.
    fn number(&mut self, width: usize) -> Result<u32, String> {
        let bytes = self.take(width)?;
        Ok(bytes.iter().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    fn marker(&mut self, wanted: u8) -> Result<(), String> {
        match self.take(1)?[0] {
            found if found == wanted => Ok(()),
            found => Err(format!("{found:02x} is not {wanted:02x}")),
        }
    }

    fn uint(&mut self) -> Result<u32, String> {
        self.marker(0xce)?;
        self.number(4)
    }

    fn float(&mut self) -> Result<u32, String> {
        self.marker(0xca)?;
        self.number(4)
    }

    /// A length or count: in the marker itself, or after one of `markers` in 1, 2, 4 bytes.
    fn length(
        &mut self,
        fixed: std::ops::RangeInclusive<u8>,
        markers: [u8; 3],
    ) -> Result<usize, String> {
        let found = self.take(1)?[0];
        let length = match markers.iter().position(|&marker| marker == found) {
            _ if fixed.contains(&found) => u32::from(found - fixed.start()),
            // `c1` is not a marker.
            Some(place) if found != 0xc1 => self.number(1 << place)?,
            _ => return Err(format!("{found:02x} is none of {markers:02x?}")),
        };
        usize::try_from(length).map_err(|error| error.to_string())
    }

    fn str(&mut self) -> Result<Name, String> {
        let length = self.length(0xa0..=0xbf, [0xd9, 0xda, 0xdb])?;
        self.take(length).map(<[u8]>::to_vec)
    }

    fn bin(&mut self) -> Result<Vec<u8>, String> {
        #[allow(clippy::reversed_empty_ranges, reason = "bin has no lengths in its marker")]
        let length = self.length(1..=0, [0xc4, 0xc5, 0xc6])?;
        self.take(length).map(<[u8]>::to_vec)
    }

    fn array<T>(&mut self, item: fn(&mut Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        let count = self.length(0x90..=0x9f, [0xc1, 0xdc, 0xdd])?;
        (0..count).map(|_| item(self)).collect()
    }

    fn map<T>(
        &mut self,
        value: fn(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<(Name, T)>, String> {
        let count = self.length(0x80..=0x8f, [0xc1, 0xde, 0xdf])?;
        (0..count).map(|_| Ok((self.str()?, value(self)?))).collect()
    }

    fn shape(&mut self) -> Result<Shape, String> {
        let mut dims = self.array(Self::uint)?;
        let batch = self.uint()?;
        if dims.len() > 8 {
            return Err(format!("{} dims", dims.len()));
        }
        while dims.last() == Some(&1) {
            dims.pop();
        }
        let shape = Shape { dims, batch };
        match shape.size() {
            0 => Err(format!("size 0 of {shape:?}")),
            _ => Ok(shape),
        }
    }

    fn tensor(&mut self) -> Result<Tensor, String> {
        let shape = self.shape()?;
        let data = self.bin()?;
        if data.len() as u64 != 4 * u64::from(shape.size()) {
            return Err(format!("{} bytes of {shape:?}", data.len()));
        }
        Ok(Tensor { shape, data })
    }

    fn parameter(&mut self) -> Result<Parameter, String> {
        let value = self.tensor()?;
        if value.shape.batch != 1 {
            return Err(format!("value of {:?}", value.shape));
        }
        let count = self.uint()?;
        let stats = (0..count).map(|_| Ok((self.str()?, self.tensor()?)));
        Ok(Parameter { value, stats: stats.collect::<Result<_, String>>()? })
    }

    fn model(&mut self) -> Result<Vec<(Key, Parameter)>, String> {
        let count = self.uint()?;
        let entries = (0..count).map(|_| Ok((self.array(Self::str)?, self.parameter()?)));
        let entries: Vec<(Key, Parameter)> = entries.collect::<Result<_, String>>()?;
        // primitiv refuses keys that no model in memory can have.
        let keys: BTreeMap<&Key, ()> = entries.iter().map(|(key, _)| (key, ())).collect();
        for key in keys.keys() {
            let above = (1..key.len()).find(|&parts| keys.contains_key(&key[..parts].to_vec()));
            if key.is_empty() || above.is_some() {
                return Err(format!("key {key:?}"));
            }
        }
        Ok(entries)
    }
}

/// A file as primitiv's own writer writes it.
pub(crate) fn write(data: &Data) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in [0, 1, data.number()] {
        put_uint(&mut bytes, number);
    }
    bytes.extend(body(data));
    bytes
}

/// The same without the numbers before it.
pub(crate) fn body(data: &Data) -> Vec<u8> {
    let mut bytes = Vec::new();
    match data {
        Data::Shape(shape) => put_shape(&mut bytes, shape),
        Data::Tensor(tensor) => put_tensor(&mut bytes, tensor),
        Data::Parameter(parameter) => put_parameter(&mut bytes, parameter),
        Data::Model(entries) => {
            put_uint(&mut bytes, entries.len());
            for (key, parameter) in entries {
                put_length(&mut bytes, 0x90, 16, [0, 0xdc, 0xdd], key.len());
                key.iter().for_each(|part| put_str(&mut bytes, part));
                put_parameter(&mut bytes, parameter);
            }
        }
        Data::Optimizer(optimizer) => {
            put_map(&mut bytes, 0xce, &optimizer.uints);
            put_map(&mut bytes, 0xca, &optimizer.floats);
        }
    }
    bytes
}

fn put_uint<T: TryInto<u32>>(bytes: &mut Vec<u8>, number: T) {
    bytes.push(0xce);
    bytes.extend(number.try_into().ok().expect("32 bits").to_be_bytes());
}

/// The shortest encoding of a length: in the marker below `fixed`, or after one of `markers`, where 0 is no marker.
fn put_length(bytes: &mut Vec<u8>, first: u8, fixed: usize, markers: [u8; 3], length: usize) {
    let number = u32::try_from(length).unwrap().to_be_bytes();
    match length {
        _ if length < fixed => bytes.push(first + number[3]),
        0..=0xff if markers[0] != 0 => bytes.extend([markers[0], number[3]]),
        0..=0xffff => bytes.extend([markers[1], number[2], number[3]]),
        _ => {
            bytes.push(markers[2]);
            bytes.extend(number);
        }
    }
}

pub(crate) fn put_str(bytes: &mut Vec<u8>, name: &[u8]) {
    put_length(bytes, 0xa0, 32, [0xd9, 0xda, 0xdb], name.len());
    bytes.extend(name);
}

fn put_shape(bytes: &mut Vec<u8>, shape: &Shape) {
    put_length(bytes, 0x90, 16, [0, 0xdc, 0xdd], shape.dims.len());
    shape.dims.iter().for_each(|&dim| put_uint(bytes, dim));
    put_uint(bytes, shape.batch);
}

fn put_tensor(bytes: &mut Vec<u8>, tensor: &Tensor) {
    put_shape(bytes, &tensor.shape);
    put_length(bytes, 0, 0, [0xc4, 0xc5, 0xc6], tensor.data.len());
    bytes.extend(&tensor.data);
}

fn put_parameter(bytes: &mut Vec<u8>, parameter: &Parameter) {
    put_tensor(bytes, &parameter.value);
    put_uint(bytes, parameter.stats.len());
    for (name, tensor) in &parameter.stats {
        put_str(bytes, name);
        put_tensor(bytes, tensor);
    }
}

fn put_map(bytes: &mut Vec<u8>, marker: u8, configs: &[(Name, u32)]) {
    put_length(bytes, 0x80, 16, [0, 0xde, 0xdf], configs.len());
    for (name, bits) in configs {
        put_str(bytes, name);
        bytes.push(marker);
        bytes.extend(bits.to_be_bytes());
    }
}

/// The files of the fixtures, both kinds, with the number of the class that loaded them.
pub(crate) fn fixtures() -> Vec<(String, u32)> {
    const CLASSES: [(&str, u32); 5] =
        [("shape", 0), ("tensor", 0x100), ("param", 0x200), ("model", 0x300), ("optimizer", 0x400)];
    let mut files = Vec::new();
    for folder in ["saved", "crafted"] {
        for (extension, number) in CLASSES {
            let names = FIXTURES.names(folder, extension).into_iter();
            files.extend(names.map(|name| (format!("{folder}/{name}.{extension}"), number)));
        }
    }
    files
}

/// The verdicts and the contents of the fixtures, from primitiv's own loader.
#[test]
fn the_reader_is_as_strict_as_primitiv() {
    let files = fixtures();
    assert_eq!(files.len(), 73 + 94);
    let mut failures = Vec::new();
    for (file, number) in files {
        let bytes = FIXTURES.bytes(&file);
        let json: Value = FIXTURES.json(&format!("{file}.json"));
        match (read(&bytes, number), json.get("error")) {
            (Ok((data, _)), None) => {
                let loaded = data.clone().loaded();
                if let Err(difference) = compare(&loaded, &json) {
                    failures.push(format!("{file}: {difference}"));
                }
                // The reader also keeps the order.
                if file.starts_with("saved/") && write(&data) != bytes {
                    failures.push(format!("{file} is written otherwise"));
                }
            }
            (Err(_), Some(_)) => {}
            (Ok(_), Some(error)) => failures.push(format!("{file} is read: {error}")),
            (Err(error), None) => failures.push(format!("{file} is not read: {error}")),
        }
    }
    assert_none(&failures);
}

/// Whether loaded data is equal to the JSON of a fixture.
pub(crate) fn compare(data: &Data, json: &Value) -> Result<(), String> {
    same(&json["data_type"], u64::from(data.number()))?;
    match data {
        Data::Shape(shape) => same_shape(shape, &json["shape"]),
        Data::Tensor(tensor) => same_tensor(tensor, &json["tensor"]),
        Data::Parameter(parameter) => same_parameter(parameter, json),
        Data::Model(entries) => {
            let wanted = items(&json["parameters"])?;
            same_len(entries.len(), wanted)?;
            for ((key, parameter), json) in entries.iter().zip(wanted) {
                let parts = items(&json["key"])?;
                same_len(key.len(), parts)?;
                for (part, json) in key.iter().zip(parts) {
                    same_name(part, json)?;
                }
                same_parameter(parameter, json)?;
            }
            Ok(())
        }
        Data::Optimizer(optimizer) => {
            same_configs(&optimizer.uints, &json["uint_configs"], |found, json| {
                same(&json["value"], *found)
            })?;
            same_configs(&optimizer.floats, &json["float_configs"], |found, json| {
                same(&json["bits"], format!("{found:08x}"))
            })
        }
    }
}

/// Compares configs. For a long map, the JSON has only the length.
fn same_configs(
    found: &[(Name, u32)],
    json: &Value,
    same_value: fn(&u32, &Value) -> Result<(), String>,
) -> Result<(), String> {
    if json["sha256"].is_string() {
        return same(&json["count"], found.len());
    }
    let wanted = items(json)?;
    same_len(found.len(), wanted)?;
    for ((name, value), json) in found.iter().zip(wanted) {
        same_name(name, &json["name"])?;
        same_value(value, json)?;
    }
    Ok(())
}

fn items(json: &Value) -> Result<&Vec<Value>, String> {
    json.as_array().ok_or_else(|| format!("{json} is no list"))
}

fn same<T: Into<Value>>(json: &Value, found: T) -> Result<(), String> {
    let found = found.into();
    if found == *json { Ok(()) } else { Err(format!("{found} is not {json}")) }
}

fn same_len(found: usize, wanted: &[Value]) -> Result<(), String> {
    if found == wanted.len() {
        return Ok(());
    }
    Err(format!("{found} items are not {}", wanted.len()))
}

/// Compares a name: a string, or hex digits if it is not UTF-8. For long names, the JSON has length and digest.
fn same_name(name: &[u8], json: &Value) -> Result<(), String> {
    if json["sha256"].is_string() {
        same(&json["sha256"], sha256(name))?;
        return same(&json["len"], name.len());
    }
    let wanted = match json.get("hex").and_then(Value::as_str) {
        Some(digits) => unhex(digits),
        None => json.as_str().map(|text| text.as_bytes().to_vec()),
    };
    if wanted.as_deref() == Some(name) {
        return Ok(());
    }
    Err(format!("name {} is not {json}", hex(name)))
}

fn same_shape(shape: &Shape, json: &Value) -> Result<(), String> {
    same(&json["dims"], shape.dims.clone())?;
    same(&json["batch"], shape.batch)
}

/// Large tensors have no bits in the JSON.
fn same_tensor(tensor: &Tensor, json: &Value) -> Result<(), String> {
    same_shape(&tensor.shape, &json["shape"])?;
    same(&json["len"], tensor.data.len() / 4)?;
    let Some(wanted) = json.get("bits") else {
        return same(&json["sha256"], sha256(&tensor.data));
    };
    let bits = tensor.data.chunks(4).map(|float| hex(&[float[3], float[2], float[1], float[0]]));
    same(wanted, bits.collect::<Vec<_>>())
}

fn same_parameter(parameter: &Parameter, json: &Value) -> Result<(), String> {
    same_tensor(&parameter.value, &json["value"])?;
    let stats = items(&json["stats"])?;
    same_len(parameter.stats.len(), stats)?;
    for ((name, tensor), json) in parameter.stats.iter().zip(stats) {
        same_name(name, &json["name"])?;
        same_tensor(tensor, &json["value"])?;
    }
    Ok(())
}
