//! Whole types in MessagePack, marked by the names of their containers: in every place of all
//! formats, as a marked part is.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::marker::PhantomData;

use fourfold::biniou::with::Any;
use fourfold::{Fault, Kind};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::support::format::{Format, Options as _, both_ways, for_formats};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "any.Unit")]
struct Unit;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "any.Newtype")]
struct Newtype(Value);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "any.Slots")]
struct Slots(u8, Value, Option<String>);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "any.Event")]
struct Event {
    id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    data: Value,
    items: Vec<Slots>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "any.Choice")]
enum Choice {
    Unit,
    Newtype(Value),
    Slots(u8, Value),
    Fields { x: i32, inner: Box<Choice> },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "any.Adjacent", tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Newtype(Value),
    Slots(u8, Value),
    Fields { x: i32 },
}

/// A type in each position.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Positions<T> {
    before: u8,
    field: T,
    option: Option<T>,
    list: Vec<T>,
    nested: Vec<Vec<Option<T>>>,
    map: BTreeMap<String, T>,
    variant: Around<T>,
    newtype: Wrapper<T>,
    boxed: Box<T>,
    after: String,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Around<T> {
    Newtype(T),
    Tuple(u8, T),
    Struct { content: T },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Wrapper<T>(T);

fn positions<T: Clone>(value: &T, variant: Around<T>) -> Positions<T> {
    let value = || value.clone();
    Positions {
        before: 1,
        field: value(),
        option: Some(value()),
        list: vec![value(), value()],
        nested: vec![vec![], vec![None, Some(value())]],
        map: BTreeMap::from([("key".into(), value())]),
        variant,
        newtype: Wrapper(value()),
        boxed: Box::new(value()),
        after: "end".into(),
    }
}

trait Take {
    fn take<T: Serialize + DeserializeOwned + Clone + Debug + PartialEq>(&mut self, value: &T);
}

fn for_all(take: &mut impl Take) {
    let data: Value = serde_json::json!({ "a": [1, -2, 2.5, null, "text"], "b": {} });
    take.take(&Unit);
    take.take(&Newtype(data.clone()));
    let slots = Slots(1, data.clone(), None);
    take.take(&slots);
    for note in [None, Some("n".into())] {
        let items = vec![slots.clone(), Slots(2, Value::Null, Some("é".into()))];
        take.take(&Event { id: u64::MAX, note, data: data.clone(), items });
    }
    for choice in [Choice::Unit, Choice::Newtype(data.clone()), Choice::Slots(1, data.clone())] {
        take.take(&choice);
        take.take(&Choice::Fields { x: -1, inner: Box::new(choice) });
    }
    for adjacent in [
        Adjacent::Unit,
        Adjacent::Newtype(data.clone()),
        Adjacent::Slots(1, data),
        Adjacent::Fields { x: -70_000 },
    ] {
        take.take(&adjacent);
    }
}

/// Other formats see the plain value.
#[test]
fn plain_elsewhere() {
    let json = serde_json::to_string(&Choice::Fields { x: 1, inner: Box::new(Choice::Unit) });
    assert_eq!(json.unwrap(), r#"{"Fields":{"x":1,"inner":"Unit"}}"#);
    let json = serde_json::to_string(&Adjacent::Slots(1, Value::Null)).unwrap();
    assert_eq!(json, r#"{"t":"Slots","c":[1,null]}"#);
    assert_eq!(serde_json::from_str::<Newtype>("[1]").unwrap(), Newtype(serde_json::json!([1])));
}

/// Fixed items stand without a header: a marked type has no place there.
#[test]
fn molecule_strictly_and_packed() {
    use fourfold::molecule::{Options, to_vec, with};

    let strict = Options::new().strict(true);
    let bytes = strict.to_vec(&Choice::Newtype(1.into())).unwrap();
    assert_eq!(strict.from_slice::<Choice>(&bytes).unwrap(), Choice::Newtype(1.into()));
    let event = Event { id: 1, note: None, data: Value::Null, items: vec![] };
    let bytes = strict.to_vec(&event).unwrap();
    assert_eq!(strict.from_slice::<Event>(&bytes).unwrap(), event);
    let error = to_vec(&with::Struct((1u8, Choice::Unit))).unwrap_err();
    assert!(error.to_string().contains("in [1]"), "{error}");
    // The first item decides how a tuple is written.
    let pair = (Choice::Unit, 7u8);
    let bytes = to_vec(&pair).unwrap();
    assert_eq!(fourfold::molecule::from_slice::<(Choice, u8)>(&bytes).unwrap(), pair);
    let pair = (Unit, 7u8, Slots(1, Value::Null, None));
    let bytes = to_vec(&pair).unwrap();
    assert_eq!(fourfold::molecule::from_slice::<(Unit, u8, Slots)>(&bytes).unwrap(), pair);
    // Strictly, such a tuple needs its mark.
    let pair = (Slots(1, Value::Null, None), 7u8);
    let bytes = to_vec(&pair).unwrap();
    let error = strict.from_slice::<(Slots, u8)>(&bytes).unwrap_err();
    let unwritten = strict.to_vec(&pair).unwrap_err();
    assert_eq!(error.kind().to_string(), unwritten.kind().to_string());
    let marked = with::Table(pair);
    assert_eq!(strict.to_vec(&marked).unwrap(), bytes);
    assert_eq!(strict.from_slice::<with::Table<(Slots, u8)>>(&bytes).unwrap(), marked);
}

/// What stands under a mark of Molecule is not of another type as well.
#[test]
fn molecule_under_another_mark() {
    use fourfold::molecule::{to_vec, with};

    fn refused<T: Serialize>(value: T, name: &'static str) {
        let error = to_vec(&value).unwrap_err();
        let told = match error.kind().fault() {
            Some(Fault::AnyName { name }) => Some(*name),
            _ => None,
        };
        assert_eq!(told, Some(name), "{error}");
    }

    refused(with::Table(Unit), "any.Unit");
    refused(with::Table(Some(Unit)), "any.Unit");
    refused(with::Table(Wrapper(Unit)), "any.Unit");
    refused(vec![with::Table(Unit)], "any.Unit");
    refused(with::Table(Newtype(Value::Null)), "any.Newtype");
    refused(with::Table(Slots(1, Value::Null, None)), "any.Slots");
    refused(with::Table(Adjacent::Unit), "any.Adjacent");
    for error in [
        to_vec(&with::FixVec(Unit)).unwrap_err(),
        to_vec(&with::Struct(Unit)).unwrap_err(),
        to_vec(&with::Table(Choice::Unit)).unwrap_err(),
    ] {
        assert!(error.to_string().starts_with("the mark `"), "{error}");
    }
}

/// Where only fixed values fit, the error says what is there, and not that the name is wrong.
#[test]
fn molecule_among_fixed_values() {
    use fourfold::molecule::{Error, from_slice, with};

    fn dynamic<T: Debug>(read: Result<T, Error>) {
        let text = read.unwrap_err().to_string();
        assert!(text.contains("a value that is marked `any`"), "{text}");
    }

    dynamic(from_slice::<with::Struct<(u8, Newtype)>>(&[1, 2]));
    dynamic(from_slice::<with::Struct<(u8, Slots)>>(&[1, 2]));
    dynamic(from_slice::<with::Struct<(u8, Event)>>(&[1, 2]));
    dynamic(from_slice::<with::FixVec<Vec<Adjacent>>>(&[1, 0, 0, 0, 2]));
}

for_formats! {
    {
        every_position
        depth
        damaged_parts
        refused_parts
        internally_tagged
    }
}

struct Through<F>(PhantomData<F>);

impl<F: Format> Take for Through<F> {
    fn take<T>(&mut self, value: &T)
    where
        T: Serialize + DeserializeOwned + Clone + Debug + PartialEq,
    {
        // As a marked part, to the byte.
        assert_eq!(F::to_vec(value).unwrap(), F::to_vec(&Any(value)).unwrap());
        both_ways::<F, _>(value);
        both_ways::<F, _>(&positions(value, Around::Newtype(value.clone())));
        both_ways::<F, _>(&positions(value, Around::Tuple(2, value.clone())));
        let last = positions(value, Around::Struct { content: value.clone() });
        both_ways::<F, _>(&vec![last.clone(), last]);
        both_ways::<F, _>(&(1u8, value.clone(), String::from("end")));
        both_ways::<F, _>(&Some(value.clone()));
        in_tuples::<F, _>(value);
    }
}

/// In front of a tuple or array, behind fixed items, and further in.
fn in_tuples<F: Format, T>(value: &T)
where
    T: Serialize + DeserializeOwned + Clone + Debug + PartialEq,
{
    let new = || value.clone();
    both_ways::<F, _>(&(new(),));
    both_ways::<F, _>(&(new(), 1u8));
    both_ways::<F, _>(&(1u8, new()));
    both_ways::<F, _>(&(new(), new(), 7u32));
    both_ways::<F, _>(&([1u8, 2], new()));
    both_ways::<F, _>(&[new()]);
    both_ways::<F, _>(&[new(), new()]);
    both_ways::<F, _>(&([new()],));
    both_ways::<F, _>(&[[new(), new()], [new(), new()]]);
    both_ways::<F, _>(&(Box::new(new()), 1u8));
    both_ways::<F, _>(&(Wrapper(new()), 1u8));
    both_ways::<F, _>(&(Wrapper(Wrapper(new())), 1u8));
    both_ways::<F, _>(&[Wrapper(new()), Wrapper(new())]);
    both_ways::<F, _>(&(Some(new()), 1u8));
    both_ways::<F, _>(&(1u8, (new(),)));
    both_ways::<F, _>(&((new(), 1u8), 2u8));
    both_ways::<F, _>(&((1u8, new()), 2u8));
    both_ways::<F, _>(&Some((new(),)));
    both_ways::<F, _>(&Some([new(), new()]));
    both_ways::<F, _>(&vec![(new(), 1u8), (new(), 2)]);
    both_ways::<F, _>(&vec![[new()], [new()]]);
    both_ways::<F, _>(&BTreeMap::from([(1u8, (new(), 2u8)), (2, (new(), 3))]));
    both_ways::<F, _>(&BTreeMap::from([(1u8, [new(), new()])]));
    both_ways::<F, _>(&Around::Newtype((new(), 1u8)));
    both_ways::<F, _>(&Around::Tuple(1, (new(), 1u8)));
    both_ways::<F, _>(&Around::Struct { content: [new(), new()] });
    both_ways::<F, _>(&positions(&(new(), 1u8), Around::Newtype((new(), 1u8))));
    // Numbers in front that could be the size of a table.
    for first in [8u32, 12, 16, 20, 24, 32, 64] {
        both_ways::<F, _>(&(first, new()));
        both_ways::<F, _>(&(first, 12u32, new()));
    }
}

fn every_position<F: Format>() {
    for_all(&mut Through::<F>(PhantomData));
}

fn depth<F: Format>() {
    let mut value = Choice::Unit;
    for _ in 0..4 {
        value = Choice::Fields { x: 1, inner: Box::new(value) };
    }
    // Two levels each, and the list around.
    let value = vec![value];
    let (just, less) = (F::options().max_depth(9), F::options().max_depth(8));
    let bytes = just.to_vec(&value).unwrap();
    assert_eq!(just.from_slice::<Vec<Choice>>(&bytes).unwrap(), value);
    let error = less.to_vec(&value).unwrap_err();
    assert!(matches!(error.kind().fault(), Some(Fault::DepthLimit { limit: 8 })), "{error}");
    let error = less.from_slice::<Vec<Choice>>(&bytes).unwrap_err();
    assert!(matches!(error.kind().fault(), Some(Fault::DepthLimit { limit: 8 })), "{error}");
    assert!(error.path().to_string().starts_with("[0]"), "{error}");
}

fn damaged_parts<F: Format>() {
    for (part, text, offset) in [
        (&b"\x93\x01\xc0\xc1"[..], "messagepack marker 0xc1, a value expected in [0][2]", 3),
        (b"\x93\x01\xc0\xc0\xc0", "1 trailing byte in [0]", 4),
        (b"", "value in messagepack ends early: 1 byte needed, 0 left in [0]", 0),
        (b"\x93\xa1a", "invalid type: string \"a\", expected u8 in [0][0]", 1),
    ] {
        let bytes = F::to_vec(&vec![serde_bytes::Bytes::new(part)]).unwrap();
        let start = bytes.len() - part.len();
        let error = F::from_slice::<Vec<Slots>>(&bytes).unwrap_err();
        assert_eq!(error.to_string(), format!("{text} at byte {}", start + offset));
    }
    let part = F::to_vec(&Any(BTreeMap::from([("x", 1u8)]))).unwrap();
    let error = F::from_slice::<Event>(&part).unwrap_err();
    assert!(error.to_string().starts_with("missing field `id`"), "{error}");
}

/// What MessagePack has no word for is refused, with its place.
fn refused_parts<F: Format>() {
    #[derive(Serialize)]
    #[serde(rename = "any.Fields")]
    struct Fields {
        value: (u8, Option<Option<u8>>),
    }
    let error = F::to_vec(&vec![Fields { value: (1, Some(None)) }]).unwrap_err();
    assert!(error.to_string().contains("in [0].value[1]"), "{error}");
}

/// A reader of an internally tagged enum asks for any type, by no name.
fn internally_tagged<F: Format>() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "any.Tagged", tag = "kind")]
    enum Tagged {
        Fields { x: u8 },
    }
    let bytes = F::to_vec(&Tagged::Fields { x: 1 }).unwrap();
    let error = F::from_slice::<Tagged>(&bytes).unwrap_err();
    assert!(!error.to_string().is_empty());
    both_ways::<F, _>(&Any(Tagged::Fields { x: 1 }));
}
