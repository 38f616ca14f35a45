//! Streams that are endless, long, slow, interrupted or failing.

use crate::round_trip::assert_reason;
use crate::support::alloc::measure_value;
use crate::support::format::Biniou;
use crate::support::streams::{
    Again, Failing, Slow, assert_endless_stops, assert_exact_limit, assert_failing_streams,
    assert_slow_streams,
};
use crate::support::zoo::{Key, Record};
use fourfold::Category;
use fourfold::biniou::{ChunkReader, Options, StreamDeserializer, Value, to_vec, to_writer};
use std::io::{self, Read};

#[test]
fn endless_readers_are_refused() {
    assert_endless_stops::<Biniou, Vec<u8>>(&[0]);
    assert_endless_stops::<Biniou, Vec<u8>>(&[0xff]);
    assert_endless_stops::<Biniou, String>(&[18]);
    assert_endless_stops::<Biniou, Option<u8>>(&[22, 0x80]);
    assert_endless_stops::<Biniou, ()>(&[24, 0]);
    assert_endless_stops::<Biniou, Record>(&[21]);
    assert_endless_stops::<Biniou, Value>(&[19, 1]);
}

/// `max_input` applies to each value of a stream.
#[test]
fn an_endless_value_in_a_stream_is_refused() {
    const LIMIT: u64 = 1 << 20;
    // STRING of 2^42 bytes, TUPLE of 2^42 bools.
    for start in [&[18, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1][..], &[20, 0xff, 0xff, 0x7f, 0]] {
        let mut endless = start.chain(Again::endless(&[0, 1]));
        let options = Options::new().max_input(LIMIT);
        let (read, stats) = measure_value(|| {
            let stream = StreamDeserializer::<_, Value>::from_reader(&mut endless);
            stream.with_options(options).next()
        });
        let error = read.unwrap().unwrap_err();
        assert!(stats.peak <= 8 << 20, "{stats:?} {error}");
        let given = endless.into_inner().1.given;
        assert!(given <= 4 * LIMIT + 65536, "{given} bytes read: {error}");
    }
}

#[test]
fn the_limit_of_input_is_exact() {
    assert_exact_limit::<Biniou>();
    // In a stream, it is the limit of each value.
    let bytes = to_vec("x".repeat(100).as_str()).unwrap();
    let three = bytes.repeat(3);
    let options = Options::new().max_input(bytes.len() as u64);
    let stream = StreamDeserializer::<_, String>::from_reader(three.as_slice());
    assert_eq!(stream.with_options(options).filter(Result::is_ok).count(), 3);
}

/// Fifty megabytes of small values take the memory of one value.
#[test]
fn a_long_stream_takes_constant_memory() {
    const SIZE: u64 = if cfg!(debug_assertions) { 1 << 20 } else { 50 << 20 };
    let key = Key { id: 300, name: "a name of some length".into() };
    let bytes = to_vec(&key).unwrap();
    let limit = SIZE / bytes.len() as u64 * bytes.len() as u64;
    for step in [usize::MAX, 4096, 1000, 7] {
        let reader = Again::new(&bytes, limit, step);
        let (count, stats) = measure_value(|| {
            let stream = StreamDeserializer::<_, Key>::from_reader(reader);
            stream.inspect(|read| assert_eq!(read.as_ref().unwrap(), &key)).count()
        });
        assert_eq!(count as u64, limit / bytes.len() as u64, "{step} bytes at a time");
        assert!(stats.peak < 100 << 10, "{step} bytes at a time: {stats:?}");
    }
}

#[test]
fn slow_readers_have_the_same_values() {
    let values: Vec<(u32, String)> = (0..2000).map(|n| (n, "x".repeat(n as usize % 50))).collect();
    let bytes: Vec<u8> = values.iter().flat_map(|value| to_vec(value).unwrap()).collect();
    for step in [1, 2, 3, 7, 64, 4096, usize::MAX] {
        let (read, stats) = measure_value(|| {
            let stream = StreamDeserializer::from_reader(Slow::new(bytes.as_slice(), step));
            stream.collect::<Result<Vec<(u32, String)>, _>>().unwrap()
        });
        assert_eq!(read, values, "{step} bytes at a time");
        // Each time that bytes are missing, an error of some hundred bytes is allocated.
        assert!(stats.total < 16 << 20, "{step} bytes at a time: {stats:?}");
    }
    // A truncated stream is an error, and offsets count from the start of the stream.
    let cut = &bytes[..bytes.len() - 1];
    let mut stream = StreamDeserializer::<_, (u32, String)>::from_reader(Slow::new(cut, 5));
    assert_eq!(stream.by_ref().take(1999).filter(Result::is_ok).count(), 1999);
    let start = stream.offset();
    let error = stream.next().unwrap().unwrap_err();
    assert!(error.is_eof(), "{error}");
    assert!(error.offset().is_some_and(|at| at >= start && at <= cut.len()), "{error}");
    assert!(stream.next().is_none());
}

/// An error has its offset in the stream, and ends the stream.
#[test]
fn offsets_count_from_the_start_of_the_stream() {
    // Three units, a bool of 2, a unit.
    let bytes = [24, 0, 24, 0, 24, 0, 0, 2, 24, 0];
    let wanted = "bool is 2, neither 0 nor 1 at byte 7";
    let mut slice = StreamDeserializer::<_, Value>::from_slice(&bytes);
    let mut reader = StreamDeserializer::<_, Value>::from_reader(Slow::new(bytes.as_slice(), 1));
    for _ in 0..3 {
        assert_eq!(slice.next().unwrap().unwrap(), Value::Unit);
        assert_eq!(reader.next().unwrap().unwrap(), Value::Unit);
    }
    assert_eq!((slice.offset(), reader.offset()), (6, 6));
    assert_eq!(slice.next().unwrap().unwrap_err().to_string(), wanted);
    assert_eq!(reader.next().unwrap().unwrap_err().to_string(), wanted);
    assert!(slice.next().is_none() && reader.next().is_none());
    // A value that the type refuses.
    let bytes = [24, 0, 24, 0, 16, 1, 24, 0];
    let reader = StreamDeserializer::<_, ()>::from_reader(bytes.as_slice());
    let read: Vec<_> = reader.collect();
    assert_eq!(read.len(), 3);
    let error = read[2].as_ref().unwrap_err();
    assert_eq!(error.to_string(), "found uvint, expected unit at byte 4");
    assert!(StreamDeserializer::<_, ()>::from_slice(&[]).next().is_none());
    assert!(StreamDeserializer::<_, ()>::from_reader(io::empty()).next().is_none());
}

/// References to an earlier value are refused.
#[test]
fn values_of_a_stream_are_independent() {
    let bytes = [26, 0, 24, 0, 26, 5];
    let read: Vec<_> = StreamDeserializer::<_, Value>::from_slice(&bytes).collect();
    let other: Vec<_> = StreamDeserializer::<_, Value>::from_reader(bytes.as_slice()).collect();
    assert_eq!((read.len(), other.len()), (2, 2));
    let (error, other) = (read[1].as_ref().unwrap_err(), other[1].as_ref().unwrap_err());
    assert_eq!(error.to_string(), other.to_string());
    assert_eq!(error.category(), Category::Syntax, "{error}");
}

#[test]
fn slow_and_interrupted_streams() {
    let values: Vec<(u32, String)> = (0..500).map(|n| (n, n.to_string())).collect();
    assert_slow_streams::<Biniou, _>(&values);
}

#[test]
fn failing_streams() {
    assert_failing_streams::<Biniou>(&[0, 1, 4, 100]);
    // A stream of bools that fails after some bytes.
    for left in [0, 1, 4, 100] {
        let reader = Failing { left, full: false };
        let read: Vec<_> = StreamDeserializer::<_, bool>::from_reader(reader).collect();
        let error = read.last().unwrap().as_ref().unwrap_err();
        assert_eq!(error.category(), Category::Io, "{error}");
    }
    // Nothing is written of a value that is refused.
    let mut written = Vec::new();
    let unfit = (1_u8, fourfold::biniou::with::Int8(256));
    assert!(to_writer(&mut written, &unfit).is_err());
    assert!(written.is_empty(), "{written:?} of a refused value");
}

/// Chunks with hostile lengths, and without an end.
#[test]
fn hostile_chunks() {
    let claims = [u64::MAX, 1 << 62, 1 << 40, 1 << 32, 100];
    for claim in claims {
        let bytes = [&[1][..], &claim.to_be_bytes(), &[0; 5]].concat();
        let (read, stats) = measure_value(|| ChunkReader::new(bytes.as_slice()).next());
        let error = read.unwrap().unwrap_err();
        assert_reason(&error, &claim);
        assert!(stats.peak < 64 << 10, "{claim}: {stats:?}");
    }
    let many = Again::new(&[1, 0, 0, 0, 0, 0, 0, 0, 0], 9 << 16, 100);
    let read: Vec<_> = ChunkReader::new(many).collect();
    assert_eq!(read.len(), (1 << 16) + 1, "the end mark is missing");
    assert!(read.last().unwrap().is_err());
}
