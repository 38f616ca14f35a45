//! Files: concatenated values, or chunks of a stream.

use fourfold::biniou::{
    ChunkReader, ChunkStart, ChunkWriter, CommonKind, Error, ErrorKind, File, Framing, Options,
    Value, to_vec,
};

use crate::support::fixture::Fixtures;

const FIXTURES: Fixtures = Fixtures("biniou");

/// A stream of chunks.
fn stream(chunks: &[&[u8]]) -> Vec<u8> {
    let mut writer = ChunkWriter::new(Vec::new());
    for chunk in chunks {
        writer.write_chunk(chunk).unwrap();
    }
    writer.finish().unwrap()
}

#[track_caller]
fn check(bytes: &[u8], framing: Framing, count: usize) {
    let file = File::from_slice(bytes);
    assert_eq!((file.framing(), file.count()), (framing, count), "{bytes:02x?}");
    assert_eq!(file.values::<Value>().filter(Result::is_ok).count(), count, "{bytes:02x?}");
}

#[test]
fn values_are_distinguished_from_chunks() {
    check(&[], Framing::Values, 0);
    // An empty stream, and a value that ends early.
    check(&[0], Framing::Chunks, 0);
    check(&[1], Framing::Values, 0);
    check(&[0, 1, 0, 0], Framing::Values, 2);
    // One chunk of three bytes, a text: also an int8, three bools and an int32.
    check(&stream(&[&[18, 1, b'a']]), Framing::Chunks, 1);
    // The same chunk with an invalid value.
    check(&stream(&[&[18, 9, b'a']]), Framing::Values, 5);
    // A chunk without a value: the bytes are no values, either.
    check(&stream(&[&[9]]), Framing::Chunks, 0);
    // Without the end mark, or with bytes after it, this is no stream.
    let whole = stream(&[&[16, 7], &[16, 8]]);
    check(&whole, Framing::Chunks, 2);
    for none in [&whole[..whole.len() - 1], &[&whole[..], &[0]].concat()] {
        assert_eq!(File::from_slice(none).framing(), Framing::Values);
    }
}

#[test]
fn chunks_are_equal_to_those_of_the_reader() {
    let chunks: [&[u8]; 3] = [&[16, 7], &[], &[0, 2]];
    let bytes = stream(&chunks);
    let read: Vec<Vec<u8>> = ChunkReader::new(&bytes[..]).map(Result::unwrap).collect();
    let file = File::from_slice(&bytes);
    assert_eq!(file.chunks().collect::<Vec<_>>(), read);
    assert_eq!(read, chunks);
    assert_eq!(File::from_slice(&[16, 7]).chunks().count(), 0);
}

#[test]
fn offsets_count_from_the_start_of_the_file() {
    let bytes = stream(&[&[0, 1], &[0, 2], &[0, 0]]);
    let mut values = File::from_slice(&bytes).values::<Value>();
    assert!(values.next().unwrap().is_ok());
    let error = values.next().unwrap().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::InvalidBool { found: 2 }), "{error}");
    assert_eq!(error.offset(), Some(21));
    assert_eq!(*error.path(), "[1]");
    assert!(values.next().is_none());

    let error = File::from_slice(&[]).values::<Value>().next().unwrap().unwrap_err();
    let end =
        matches!(error.kind(), ErrorKind::Common(CommonKind::UnexpectedEnd { needed: 1, left: 0 }));
    assert!(end && error.offset() == Some(0), "{error}");
}

#[test]
fn options_apply_to_every_value() {
    let deep = to_vec(&vec![vec![vec![1u8]]]).unwrap();
    for bytes in [deep.clone(), stream(&[&deep])] {
        let shallow = Options::new().max_depth(2).file(&bytes);
        assert_eq!((shallow.count(), File::from_slice(&bytes).count()), (0, 1));
        // A value that is nested too deep counts as a value, so the framing is determined by the chunks.
        assert_eq!(shallow.framing(), File::from_slice(&bytes).framing());
    }
}

#[test]
fn hostile_lengths_are_refused() {
    let claims = [1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 16];
    assert_eq!(ChunkStart::of(&claims), ChunkStart::Cut { chunk: &[16], length: usize::MAX });
    assert_eq!(ChunkStart::of(&claims[..4]), ChunkStart::CutHeader { missing: 5 });
    assert_eq!(ChunkStart::of(&[]), ChunkStart::CutHeader { missing: 9 });
    assert_eq!(ChunkStart::of(&[16]), ChunkStart::Other);
    assert_eq!(File::from_slice(&claims).framing(), Framing::Values);
}

/// Files that OCaml wrote are canonical.
#[test]
fn fixtures_are_canonical() {
    let mut count = 0;
    for (folder, extension, framing) in [
        ("tree", "biniou", Framing::Values),
        ("typed", "biniou", Framing::Values),
        ("stream", "stream", Framing::Chunks),
    ] {
        for name in FIXTURES.names(folder, extension) {
            let bytes = FIXTURES.bytes(&format!("{folder}/{name}.{extension}"));
            // Files deeper than the default limit have their own test.
            if name.starts_with("deep_array_10000") {
                continue;
            }
            let file = File::from_slice(&bytes);
            assert_eq!(file.framing(), framing, "{name}");
            let mut written = Vec::new();
            file.write_canonical(&mut written).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(written, bytes, "{name}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn canonical_vints_are_short() {
    // An array of uvints: 1 in two bytes, 300; the same in a chunk.
    let (long, short) = ([19, 2, 17, 0x81, 0, 0xac, 2], [19, 2, 17, 1, 0xac, 2]);
    for (long, short) in [(long.to_vec(), short.to_vec()), (stream(&[&long]), stream(&[&short]))] {
        let mut written = Vec::new();
        File::from_slice(&long).write_canonical(&mut written).unwrap();
        assert_eq!(written, short);
        let mut again = Vec::new();
        File::from_slice(&short).write_canonical(&mut again).unwrap();
        assert_eq!(again, short);
    }
}

/// Errors of lazy values have their offset in the file.
#[test]
fn nested_values_have_their_offset_in_the_file() -> Result<(), Error> {
    use fourfold::biniou::{Lazy, StreamDeserializer};

    type Eager = (u8, u8);
    type Parts<'a> = (u8, Lazy<'a, u8>);

    let (good, bad) = (to_vec(&(0u8, 1u8))?, to_vec(&(1u8, "abc"))?);
    let values = [good.clone(), bad.clone()].concat();
    let mut stream = ChunkWriter::new(Vec::new());
    for value in [&good, &bad] {
        stream.write_chunk(value)?;
    }
    for bytes in [&values, &stream.finish()?] {
        let file = File::from_slice(bytes);
        let whole = file.values::<Eager>().find_map(Result::err).unwrap();
        let parts: Vec<_> = file.values::<Parts<'_>>().collect::<Result<_, _>>()?;
        assert_same_place(&parts[1].1.get().unwrap_err(), &whole);
    }
    let whole = StreamDeserializer::<_, Eager>::from_reader(&*values).find_map(Result::err);
    let parts: Vec<_> =
        StreamDeserializer::<_, Parts<'_>>::from_slice(&values).collect::<Result<_, _>>()?;
    assert_same_place(&parts[1].1.get().unwrap_err(), &whole.unwrap());
    Ok(())
}

/// Asserts the same offset. The path of a lazy value's error begins at the lazy value.
#[track_caller]
fn assert_same_place(lazy: &Error, whole: &Error) {
    assert_eq!(lazy.kind().to_string(), whole.kind().to_string());
    assert_eq!((lazy.offset(), lazy.path().to_string().as_str()), (whole.offset(), ""));
}

/// A value of a file may have as many references as a message of its own.
#[test]
fn single_values_of_files_have_the_limits_of_whole_messages() -> Result<(), Error> {
    use fourfold::biniou::{Lazy, Raw, from_slice};

    // A SHARED array of 400 units, and 200 references to it.
    let mut value = vec![20, 0xc9, 1, 26, 0, 19, 0x90, 3, 24];
    value.extend([0; 400]);
    for _ in 0..200 {
        let at = value.len();
        value.push(26);
        let mut back = at + 1 - 4;
        while back > 0x7f {
            value.push(u8::try_from(back & 0x7f).unwrap() | 0x80);
            back >>= 7;
        }
        value.push(u8::try_from(back).unwrap());
    }
    let whole = from_slice::<Vec<Vec<()>>>(&value)?;
    let chunks = stream(&[&value, &value]);
    for bytes in [&chunks, &value.repeat(2)] {
        for part in File::from_slice(bytes).values::<Lazy<'_, Vec<Vec<()>>>>() {
            assert_eq!(part?.get()?, whole);
        }
    }
    let inner = from_slice::<Lazy<'_, Lazy<'_, Raw<'_>>>>(&value)?.get()?.get()?;
    assert_eq!(inner.get::<Vec<Vec<()>>>()?, whole);
    Ok(())
}
