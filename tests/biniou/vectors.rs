//! Bytes of the official implementation and their values: both ways are exact.

use std::fmt::Debug;

use fourfold::biniou::{
    ChunkReader, ChunkWriter, StreamDeserializer, from_reader, from_slice, take_from_slice, to_vec,
    to_writer,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, to_value};

use crate::schema::compare::{compare, parse};
use crate::schema::feat::{OptNullable, OptOpt, OptionalRecord};
use crate::schema::fixture::{self, FIXTURES};
use crate::schema::{Test, with_type};
use crate::support::fixture::{assert_none, hex, step};

/// Values with a `~field` that has its default. atdgen leaves it out. serde does not show that a value is a default, so
/// this crate writes it. Readers accept both. All other values have one encoding.
const WITH_DEFAULTS: [&str; 5] = [
    "data/save.players-ten",
    "typed/feat.default_record-defaults",
    "typed/feat.empty_defaults-nothing_set",
    "typed/feat.rose-small",
    "typed/feat.status_record-defaults",
];

/// Compares the JSON of the decoded value with the fixture.
fn check_value<T: Serialize>(name: &str, decoded: &T, wanted: &Value) -> Result<(), String> {
    let decoded = step("to_value", to_value(decoded))?;
    step(name, compare(&decoded, wanted))
}

/// Checks that the bytes are read as the value and the value is written as the bytes, with slices and streams.
struct RoundTrip<'a> {
    bytes: &'a [u8],
    value: &'a Value,
    with_defaults: bool,
}

impl Test for RoundTrip<'_> {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String> {
        let decoded: T = step("from_slice", from_slice(self.bytes))?;
        check_value("from_slice", &decoded, self.value)?;
        let from_reader: T = step("from_reader", from_reader(self.bytes))?;
        let with_more = [self.bytes, &[0xff, 0x00]].concat();
        let (taken, left) = step("take_from_slice", take_from_slice::<T>(&with_more))?;
        if from_reader != decoded || taken != decoded || left != [0xff, 0x00] {
            return Err(format!(
                "{decoded:?}, read {from_reader:?}, took {taken:?}, left {left:?}"
            ));
        }

        let vec = step("to_vec", to_vec(&decoded))?;
        let mut written = Vec::new();
        step("to_writer", to_writer(&mut written, &decoded))?;
        if written != vec {
            return Err(format!("to_vec: {}, to_writer: {}", hex(&vec), hex(&written)));
        }
        if (vec != self.bytes) != self.with_defaults {
            return Err(format!("written: {}, original: {}", hex(&vec), hex(self.bytes)));
        }
        let again: T = step("from_slice of to_vec", from_slice(&vec))?;
        if again != decoded {
            return Err(format!("{decoded:?}, again {again:?}"));
        }
        Ok(())
    }
}

/// Runs all cases of a folder, and returns their number.
fn check(folder: &str) -> usize {
    let names = FIXTURES.names(folder, "biniou");
    let mut failures = Vec::new();
    for name in &names {
        let file = format!("{folder}/{name}");
        let bytes = FIXTURES.bytes(&format!("{file}.biniou"));
        let value = parse(&FIXTURES.text(&format!("{file}.json")));
        let with_defaults = WITH_DEFAULTS.contains(&file.as_str());
        let case = RoundTrip { bytes: &bytes, value: &value, with_defaults };
        if let Err(e) = with_type(fixture::type_of(name), &case) {
            failures.push(format!("{file}: {e}"));
        }
    }
    assert_none(&failures);
    names.len()
}

#[test]
fn typed_values() {
    assert_eq!(check("typed"), 149);
}

#[test]
fn values_of_data_files() {
    assert_eq!(check("data"), 8);
}

/// Options that JSON does not distinguish.
#[test]
fn options_of_options() {
    let bytes = |name: &str| FIXTURES.bytes(&format!("{name}.biniou"));
    let opt: OptOpt = from_slice(&bytes("typed/feat.opt_opt-some_none")).unwrap();
    assert_eq!(opt, Some(None));
    let opt: OptOpt = from_slice(&bytes("typed/feat.opt_opt-none")).unwrap();
    assert_eq!(opt, None);
    let opt: OptNullable = from_slice(&bytes("typed/feat.opt_nullable-some_null")).unwrap();
    assert_eq!(opt, Some(None));
    let unit: Option<()> = from_slice(&bytes("typed/feat.unit_opt-some")).unwrap();
    assert_eq!(unit, Some(()));

    let null: OptionalRecord = from_slice(&bytes("reader/record-optional_nullable_field")).unwrap();
    assert_eq!((null.maybe, null.nick), (Some(None), None));
    let absent: OptionalRecord = from_slice(&bytes("typed/feat.optional_record-none")).unwrap();
    assert_eq!(absent.maybe, None);
}

/// Concatenated values.
struct Concatenated<'a> {
    bytes: &'a [u8],
    values: &'a [Value],
}

impl Concatenated<'_> {
    fn check_all<T: Serialize>(&self, step: &str, decoded: &[T]) -> Result<(), String> {
        if decoded.len() != self.values.len() {
            return Err(format!("{step}: {} values", decoded.len()));
        }
        let mut cases = decoded.iter().zip(self.values);
        cases.try_for_each(|(decoded, wanted)| check_value(step, decoded, wanted))
    }
}

impl Test for Concatenated<'_> {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String> {
        let items = StreamDeserializer::from_slice(self.bytes).collect::<Result<Vec<T>, _>>();
        let items = step("slice", items)?;
        self.check_all("slice", &items)?;
        let read = StreamDeserializer::from_reader(self.bytes).collect::<Result<Vec<T>, _>>();
        self.check_all("reader", &step("reader", read)?)?;

        let mut taken = Vec::new();
        let mut rest = self.bytes;
        while !rest.is_empty() {
            let (item, left) = step("take_from_slice", take_from_slice::<T>(rest))?;
            taken.push(item);
            rest = left;
        }
        self.check_all("take_from_slice", &taken)?;

        let mut written = Vec::new();
        for item in &items {
            step("to_writer", to_writer(&mut written, item))?;
        }
        if written != self.bytes {
            return Err(format!("written: {}", hex(&written)));
        }

        // A truncated stream returns the complete values, then an error, then nothing.
        for cut in (0..self.bytes.len()).rev() {
            self.check_cut::<T>(cut, StreamDeserializer::from_slice(&self.bytes[..cut]))?;
            self.check_cut::<T>(cut, StreamDeserializer::from_reader(&self.bytes[..cut]))?;
        }
        Ok(())
    }
}

impl Concatenated<'_> {
    fn check_cut<T: Serialize>(
        &self,
        cut: usize,
        stream: impl Iterator<Item = Result<T, fourfold::biniou::Error>>,
    ) -> Result<(), String> {
        let mut good = Vec::new();
        let mut errors = Vec::new();
        for item in stream.take(self.values.len() + 1) {
            match item {
                Ok(item) if errors.is_empty() => good.push(item),
                Ok(_) => return Err(format!("cut at {cut}: a value after an error")),
                Err(e) => errors.push(e),
            }
        }
        let mut cases = good.iter().zip(self.values);
        cases.try_for_each(|(item, wanted)| check_value("cut", item, wanted))?;
        let whole: usize = good.iter().map(|item| to_vec(item).unwrap().len()).sum();
        let as_it_should = match errors.as_slice() {
            [] => whole == cut,
            [e] => whole < cut && e.is_eof(),
            _ => false,
        };
        if as_it_should {
            return Ok(());
        }
        Err(format!("cut at {cut}: {} values, {whole} bytes, then {errors:?}", good.len()))
    }
}

#[test]
fn concatenated_values() {
    let names = FIXTURES.names("multi", "biniou");
    let mut failures = Vec::new();
    for name in &names {
        let bytes = FIXTURES.bytes(&format!("multi/{name}.biniou"));
        let text = FIXTURES.text(&format!("multi/{name}.json"));
        let values: Vec<Value> = text.lines().map(parse).collect();
        let case = Concatenated { bytes: &bytes, values: &values };
        if let Err(e) = with_type(fixture::type_of(name), &case) {
            failures.push(format!("multi/{name}: {e}"));
        }
    }
    assert_none(&failures);
    assert_eq!(names.len(), 3);
}

/// All chunks of a stream.
fn chunks(bytes: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    step("ChunkReader", ChunkReader::new(bytes).collect())
}

#[test]
fn chunk_streams() {
    let names = FIXTURES.names("stream", "stream");
    let mut failures = Vec::new();
    for name in &names {
        let bytes = FIXTURES.bytes(&format!("stream/{name}.stream"));
        let text = FIXTURES.text(&format!("stream/{name}.json"));
        let values: Vec<Value> = text.lines().map(parse).collect();
        let chunks = chunks(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(chunks.len(), values.len(), "{name}");

        let mut writer = ChunkWriter::new(Vec::new());
        for (bytes, value) in chunks.iter().zip(&values) {
            writer.write_chunk(bytes).unwrap();
            let case = RoundTrip { bytes, value, with_defaults: false };
            if let Err(e) = with_type(fixture::type_of(name), &case) {
                failures.push(format!("stream/{name}: {e}"));
            }
        }
        assert_eq!(writer.finish().unwrap(), bytes, "{name}");
    }
    assert_none(&failures);
    assert_eq!(names.len(), 5);
}

/// OCaml's writer loses bits of long lengths, so these files are no streams.
#[test]
fn chunk_streams_with_broken_lengths() {
    let names = FIXTURES.names("stream", "broken");
    for name in &names {
        let bytes = FIXTURES.bytes(&format!("stream/{name}.broken"));
        assert!(chunks(&bytes).is_err(), "{name}");
    }
    assert_eq!(names.len(), 2);
}

#[test]
fn chunk_streams_that_end_early() {
    let bytes = FIXTURES.bytes("stream/feat.int_list-ten_by_four.stream");
    let all = chunks(&bytes).unwrap();
    assert_eq!(all.len(), 3);
    for cut in 0..bytes.len() {
        let mut good = 0;
        let mut reader = ChunkReader::new(&bytes[..cut]);
        let error = loop {
            match reader.next() {
                Some(Ok(chunk)) => {
                    assert_eq!(chunk, all[good], "cut at {cut}");
                    good += 1;
                }
                Some(Err(e)) => break e,
                None => panic!("no error when cut at {cut}"),
            }
        };
        assert!(error.is_eof(), "cut at {cut}: {error}");
        assert!(reader.next().is_none(), "a chunk after {error}, cut at {cut}");
        let whole: usize = all[..good].iter().map(|chunk| 9 + chunk.len()).sum();
        assert!(whole <= cut, "cut at {cut}: {good} chunks");
    }
}
