//! biniou: the zoo, trees, streams, chunks, `explain`, and texts with names.

use fourfold::biniou::{
    self, ChunkReader, Dictionary, ErrorKind, Options, Result, StreamDeserializer, Table, Tag,
    Value, at, from_slice, take_from_slice, to_vec,
};
use fourfold::{Path, Segment};
use fourfold_inspect::spans::biniou::{explain, explain_chunks};
use fourfold_inspect::spans::{Span, all};
use fourfold_inspect::view::view_with;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bound::Bound;
use crate::check::assert_covered;
use crate::draws::Draws;
use crate::parts::{self, Part, Parts, ReadResult};
use crate::support::fixture::hex;
use crate::support::random::Source as _;
use crate::zoo::{self, Format};

pub(crate) struct Biniou;

impl Format for Biniou {
    type Kind = ErrorKind;

    const NAME: &'static str = "biniou";
    /// Shared values are expanded, so that a byte may expand to 64 items, and a small message to
    /// 32,768 in addition. Four thousand rows without columns take no bytes.
    const BOUND: Bound = Bound { constant: (512 << 10) + (1 << 15) * 32, per_byte: 64 * 32 };

    fn to_vec<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        to_vec(value)
    }

    fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        from_slice(bytes)
    }

    fn from_reader<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        biniou::from_reader(bytes)
    }

    fn more<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        Options::new().allow_trailing(true).from_slice(bytes)
    }
}

impl Parts for Biniou {
    /// References out of a lazy value, shared lists and references in lists, and a missing value.
    fn is_of_parts(refused: &biniou::Error) -> bool {
        let kind = refused.kind().to_string();
        kind.contains("missing field") || kind.contains("shared")
    }

    fn at<'p, W: Part, T: Part>(
        bytes: &[u8],
        names: Option<&'p str>,
        numbers: &'p str,
    ) -> Vec<(&'p str, ReadResult<T, Self>)> {
        // Paths of numbers do not lead into fields.
        let path = names.or(numbers.starts_with('[').then_some(numbers));
        path.map(|text| (text, at(bytes, &Path::new(text).unwrap()))).into_iter().collect()
    }
}

pub(crate) fn written(input: &[u8]) -> Option<Vec<u8>> {
    zoo::write::<Biniou>(input)
}

/// Reads as a type of the zoo. A tree reads everything that a type accepts, except for some headers that OCaml's readers do
/// not check.
pub fn decode(input: &[u8]) {
    zoo::decode::<Biniou>(input);
}

/// Writes a type of the zoo, or a tree.
pub fn encode(input: &[u8]) {
    zoo::encode::<Biniou>(input);
    let mut bytes = Draws::new(input);
    let value = draw(&mut bytes, 0, &mut 0, Tag::Unit);
    if let Ok(written) = to_vec(&value) {
        let back: Value = from_slice(&written)
            .unwrap_or_else(|error| panic!("{value:?} as {}: {error}", hex(&written)));
        // NaN is not equal to itself, so the `Debug` texts are compared.
        assert_eq!(format!("{back:?}"), format!("{value:?}"), "through {}", hex(&written));
        assert_eq!(hex(&to_vec(&back).unwrap()), hex(&written), "{value:?}");
    }
}

/// A random tree, valid or not. Items of an array mostly have the same tag.
fn draw(bytes: &mut Draws<'_>, depth: u8, shared: &mut u32, like: Tag) -> Value {
    let deep = depth > 12 || bytes.is_empty();
    let mut inner = |bytes: &mut Draws<'_>, like| draw(bytes, depth + 1, shared, like);
    let kind = bytes.below(256);
    let wanted =
        if like == Tag::Unit || kind > 250 { Tag::from_byte(KINDS[kind % 19]) } else { Some(like) };
    match wanted.unwrap_or(Tag::Unit) {
        Tag::Bool => Value::Bool(bytes.below(2) == 1),
        Tag::Int8 => Value::Int8(bytes.draw()),
        Tag::Int16 => Value::Int16(bytes.draw()),
        Tag::Int32 => Value::Int32(bytes.draw()),
        Tag::Int64 => Value::Int64(bytes.draw()),
        Tag::Float32 => Value::Float32(f32::from_bits(bytes.draw())),
        Tag::Float64 => Value::Float64(f64::from_bits(bytes.draw())),
        Tag::Uvint => Value::Uvint(bytes.draw()),
        Tag::Svint => Value::Svint(bytes.draw()),
        Tag::String => Value::String(bytes.take(20)),
        _ if deep => Value::Unit,
        Tag::Array => {
            let tag = Tag::from_byte(KINDS[bytes.below(19)]).unwrap_or(Tag::Unit);
            Value::Array((0..bytes.below(5)).map(|_| inner(bytes, tag)).collect())
        }
        Tag::Tuple => Value::Tuple((0..bytes.below(5)).map(|_| inner(bytes, Tag::Unit)).collect()),
        Tag::Record => {
            let field = |_| (bytes.draw::<u32>() >> bytes.below(3), inner(bytes, Tag::Unit));
            let count = kind % 4;
            Value::Record((0..count).map(field).collect())
        }
        Tag::NumVariant => {
            let number = bytes.draw();
            Value::NumVariant(number, (kind % 2 == 0).then(|| Box::new(inner(bytes, Tag::Unit))))
        }
        Tag::Variant => {
            let hash = bytes.draw();
            Value::Variant(hash, (kind % 2 == 0).then(|| Box::new(inner(bytes, Tag::Unit))))
        }
        Tag::Table => {
            let tags: Vec<Tag> = (0..bytes.below(3))
                .filter_map(|_| Tag::from_byte(KINDS[bytes.below(19)]))
                .collect();
            let columns = tags.iter().map(|tag| (bytes.draw::<u32>() >> 1, *tag)).collect();
            let mut row = |_| tags.iter().map(|tag| inner(bytes, *tag)).collect();
            let rows = (0..kind % 4).map(&mut row).collect();
            Value::Table(Box::new(Table { columns, rows }))
        }
        Tag::Shared if kind % 2 == 0 && *shared > 0 => {
            Value::Reference(1 + bytes.draw::<u32>() % *shared)
        }
        Tag::Shared => {
            *shared += 1;
            let number = *shared;
            Value::Shared(number, Box::new(draw(bytes, depth + 1, shared, Tag::Unit)))
        }
        _ if kind % 3 == 0 => {
            let extra = [bytes.draw::<u8>() % 20, 0];
            Value::Overlong(extra, Box::new(draw(bytes, depth + 1, shared, Tag::Array)))
        }
        _ => Value::Unit,
    }
}

/// Every tag.
const KINDS: [u8; 19] = [0, 1, 2, 3, 4, 11, 12, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 26];

const TREE: Bound = Bound { constant: 512 << 10, per_byte: 256 };
/// Spans are larger than the bytes that they describe.
const SPANS: Bound = Bound { constant: 512 << 10, per_byte: 1024 };

/// Offset and text of the first error.
fn first_error(spans: &[Span]) -> Option<(usize, String)> {
    spans.iter().find_map(|span| Some((span.range.start, span.error.clone()?)))
}

fn located(error: &biniou::Error) -> (usize, String) {
    (error.offset().unwrap_or(usize::MAX), error.kind().to_string())
}

/// Trees, as single values and in streams and chunks, and their explanations by `explain`.
pub fn tree(input: &[u8]) {
    let read = TREE.hold("Value", input, || from_slice::<Value>(input));
    match &read {
        Err(error) => zoo::assert_reason(error, input),
        Ok(value) => {
            let written = to_vec(value).unwrap_or_else(|error| {
                panic!("{} is read, not written: {error}: {value:?}", hex(input))
            });
            assert_eq!(hex(&written), hex(input), "written otherwise: {value:?}");
            assert!(!view_with(value, &Dictionary::new()).is_empty(), "{}", hex(input));
        }
    }
    if let Ok((value, rest)) = take_from_slice::<Value>(input) {
        let taken = &input[..input.len() - rest.len()];
        assert_eq!(hex(&to_vec(&value).unwrap()), hex(taken), "taken otherwise");
    }

    let spans =
        SPANS.hold("explain", input, || all(|each| explain(input, &Options::new(), "", each)));
    assert_covered("explain", input.len(), &spans);
    let mut values = StreamDeserializer::<_, Value>::from_slice(input);
    let mut first = values.find_map(std::result::Result::err);
    if input.is_empty() {
        first = read.err();
    }
    assert_eq!(first_error(&spans), first.as_ref().map(located), "{}", hex(input));

    let streamed = StreamDeserializer::<_, Value>::from_reader(input).find_map(Result::err);
    if !input.is_empty() {
        assert_eq!(streamed.as_ref().map(located), first.as_ref().map(located), "{}", hex(input));
    }

    let spans = SPANS.hold("explain_chunks", input, || {
        all(|each| explain_chunks(input, &Options::new(), "", each))
    });
    assert_covered("explain_chunks", input.len(), &spans);
    let chunks: usize = ChunkReader::new(input).filter_map(Result::ok).map(|c| c.len()).sum();
    assert!(chunks <= input.len(), "{}", hex(input));
}

/// Lazy values, compared with the whole message.
pub fn parts(input: &[u8]) {
    parts::biniou::read(input);
    let Some((_, message)) = input.split_first() else {
        return;
    };
    if let Ok(whole) = from_slice::<Value>(message) {
        let mut left = 100;
        each_part(&whole, &mut Vec::new(), &mut |path, part| {
            if left > 0 {
                left -= 1;
                assert_part(message, path, part);
            }
        });
    }
}

/// Asserts that the nested value of a tree is at its path, possibly within variants and shared values.
fn assert_part(message: &[u8], path: &[Segment], part: &Value) {
    let path: Path = path.iter().cloned().collect();
    let found = at::<Value>(message, &path)
        .unwrap_or_else(|error| panic!("{path} of {}: {error}", hex(message)));
    assert_eq!(format!("{found:?}"), format!("{part:?}"), "{path} of {}", hex(message));
}

/// Calls `each` with the path and value of each nested value. References refer to the whole message, so values with
/// references are left out.
fn each_part(value: &Value, path: &mut Vec<Segment>, each: &mut dyn FnMut(&[Segment], &Value)) {
    if has_shared(value) {
        return;
    }
    each(path, value);
    each_inside(value, path, each);
}

fn each_inside(value: &Value, path: &mut Vec<Segment>, each: &mut dyn FnMut(&[Segment], &Value)) {
    let mut part = |segment: Segment, part: &Value| {
        path.push(segment);
        each_part(part, path, each);
        path.pop();
    };
    match value {
        Value::Array(items) | Value::Tuple(items) => {
            for (index, item) in items.iter().enumerate() {
                part(Segment::Index(index), item);
            }
        }
        Value::Record(fields) => {
            for (index, (hash, field)) in fields.iter().enumerate() {
                // If a field is repeated, the last one counts.
                if fields[index + 1..].iter().all(|(other, _)| other != hash) {
                    part(named(*hash), field);
                }
            }
        }
        // A variant adds no step to a path, its content does.
        Value::NumVariant(_, Some(inner)) | Value::Variant(_, Some(inner)) => {
            each_inside(inner, path, each);
        }
        _ => {}
    }
}

fn named(hash: u32) -> Segment {
    Segment::Field(format!("#{hash:08x}").into())
}

fn has_shared(value: &Value) -> bool {
    format!("{value:?}").contains("Shared")
}

/// Texts: lists of words, and ATD definitions.
pub fn names(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let bound = Bound { constant: 64 << 10, per_byte: 1024 };
    for read in [Dictionary::from_words, fourfold_schema::atd::names] {
        match bound.hold("names", input, || read(text)) {
            Ok(names) => assert_eq!(names.names().count(), names.len(), "{text}"),
            // An error in a text is one line.
            Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{text}: {error}"),
        }
    }
}
