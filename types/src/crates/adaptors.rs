//! Types with serde_with's adaptors.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_with::base64::Base64;
use serde_with::formats::{
    CommaSeparator, Flexible, PreferMany, PreferOne, SpaceSeparator, Strict,
};
use serde_with::hex::Hex;
use serde_with::{
    As, BoolFromInt, Bytes, DefaultOnError, DefaultOnNull, DisplayFromStr, DurationMicroSeconds,
    DurationSeconds, DurationSecondsWithFrac, EnumMap, FromInto, KeyValueMap, Map,
    NoneAsEmptyString, OneOrMany, Same, Seq, SetLastValueWins, SetPreventDuplicates,
    StringWithSeparator, TimestampMilliSeconds, TimestampSeconds, TryFromInto, VecSkipError,
    json::JsonString, serde_as,
};

use crate::run::Run;
use crate::support::Rows;

/// Declares structs with one field, which has an adaptor.
macro_rules! adapted {
    ($($name:ident: $type:ty as $adaptor:literal $(with $(#[$meta:meta])*)?;)*) => {$(
        #[serde_as]
        #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
        struct $name {
            #[serde_as(as = $adaptor)]
            $($(#[$meta])*)?
            field: $type,
        }
    )*};
}

adapted! {
    Display: u32 as "DisplayFromStr";
    DisplayOption: Option<i64> as "Option<DisplayFromStr>";
    DisplayMap: BTreeMap<u8, bool> as "BTreeMap<DisplayFromStr, DisplayFromStr>";
    AsHex: Vec<u8> as "Hex";
    AsBase64: Vec<u8> as "Base64";
    AsBytes: Vec<u8> as "Bytes";
    ByteArray: [u8; 40] as "Bytes";
    LongArray: [u16; 40] as "[_; 40]";
    Seconds: Duration as "DurationSeconds<u64>";
    SecondsText: Duration as "DurationSeconds<String>";
    Fraction: Duration as "DurationSecondsWithFrac<f64>";
    Micros: Duration as "DurationMicroSeconds<u64>";
    FlexibleSeconds: Duration as "DurationSeconds<u64, Flexible>";
    Timestamp: SystemTime as "TimestampSeconds<i64, Strict>";
    TimestampMillis: SystemTime as "TimestampMilliSeconds<String>";
    Commas: Vec<u32> as "StringWithSeparator<CommaSeparator, u32>";
    Words: BTreeSet<String> as "StringWithSeparator<SpaceSeparator, String>";
    EmptyNone: Option<u16> as "NoneAsEmptyString";
    MapAsPairs: BTreeMap<u8, String> as "Seq<(_, _)>";
    PairsAsMap: Vec<(u8, String)> as "Map<_, _>";
    OneOrManyOne: Vec<u32> as "OneOrMany<_, PreferOne>";
    OneOrManyMany: Vec<u32> as "OneOrMany<_, PreferMany>";
    SkipErrors: Vec<u8> as "VecSkipError<_>";
    OnError: u8 as "DefaultOnError";
    OnNull: u8 as "DefaultOnNull";
    Json: BTreeMap<String, u8> as "JsonString";
    BoolInt: bool as "BoolFromInt";
    Into: u16 as "FromInto<Wide>";
    TryInto: u8 as "TryFromInto<u32>";
    LastWins: BTreeSet<u8> as "SetLastValueWins<_>";
    Unique: HashMap<u8, u8> as "serde_with::MapPreventDuplicates<_, _>";
    UniqueSet: BTreeSet<u8> as "SetPreventDuplicates<_>";
    Enums: Vec<Choice> as "EnumMap";
    KeyValues: Vec<Keyed> as "KeyValueMap<_>";
    Borrowed: Vec<Option<(u8, u32)>> as "Vec<Option<(_, DisplayFromStr)>>";
    Stacked: Option<Vec<Duration>> as "Option<Vec<DurationSeconds<String>>>";
    Unchanged: Vec<u8> as "Same";
    PickFirstNumber: u32 as "serde_with::PickFirst<(_, DisplayFromStr)>";
    IfHuman: u32 as "serde_with::IfIsHumanReadable<DisplayFromStr, _>";
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
struct Wide(u16);

impl From<u16> for Wide {
    fn from(number: u16) -> Self {
        Wide(number)
    }
}

impl From<Wide> for u16 {
    fn from(Wide(number): Wide) -> u16 {
        number
    }
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Choice {
    Number(u8),
    Text(String),
    Point { x: u8 },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Keyed {
    #[serde(rename = "$key$")]
    key: String,
    value: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Double {
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "serde_with::rust::double_option"
    )]
    field: Option<Option<u8>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Unwrapped {
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "serde_with::rust::unwrap_or_skip"
    )]
    field: Option<u8>,
}

#[serde_with::skip_serializing_none]
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct SkipNone {
    a: Option<u8>,
    b: Option<String>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct ByAs {
    #[serde(with = "As::<Vec<DisplayFromStr>>")]
    field: Vec<u8>,
}

#[derive(serde_with::SerializeDisplay, serde_with::DeserializeFromStr, Clone, Debug, PartialEq)]
struct Text(u8);

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::str::FromStr for Text {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Text)
    }
}

mod prefixed {
    serde_with::with_prefix!(pub prefix "p_");
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Prefixed {
    #[serde(flatten, with = "prefixed::prefix")]
    inner: Inner,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Inner {
    a: String,
    b: u8,
}

/// A row of a struct with one field.
macro_rules! row {
    ($run:ident, $label:literal, $name:ident, $($value:expr),+ $(,)?) => {
        $run.row(concat!("`", $label, "`"), vec![$($name { field: $value }),+])
    };
}

pub fn rows(run: &mut Run) {
    run.group("serde_with");
    row!(run, "DisplayFromStr", Display, 0, u32::MAX);
    row!(run, "Option<DisplayFromStr>", DisplayOption, None, Some(-1));
    row!(
        run,
        "BTreeMap<DisplayFromStr, _>",
        DisplayMap,
        BTreeMap::new(),
        BTreeMap::from([(1, true)])
    );
    row!(run, "Hex", AsHex, vec![], vec![0xff, 0]);
    row!(run, "Base64", AsBase64, vec![], vec![0xff, 0]);
    row!(run, "Bytes", AsBytes, vec![], b"ab".to_vec(), vec![0xff]);
    row!(run, "Bytes on [u8; N]", ByteArray, [7; 40]);
    row!(run, "[_; N]", LongArray, [300; 40]);
    row!(run, "DurationSeconds<u64>", Seconds, Duration::ZERO, Duration::from_secs(7));
    row!(run, "DurationSeconds<String>", SecondsText, Duration::from_secs(7));
    row!(run, "DurationSecondsWithFrac<f64>", Fraction, Duration::from_millis(1500));
    row!(run, "DurationMicroSeconds<u64>", Micros, Duration::from_micros(7));
    row!(run, "DurationSeconds<u64, Flexible>", FlexibleSeconds, Duration::from_secs(7));
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    row!(run, "TimestampSeconds<i64>", Timestamp, SystemTime::UNIX_EPOCH, time);
    row!(run, "TimestampMilliSeconds<String>", TimestampMillis, time);
    row!(run, "StringWithSeparator<CommaSeparator, u32>", Commas, vec![], vec![1, 2]);
    row!(
        run,
        "StringWithSeparator<SpaceSeparator, String>",
        Words,
        BTreeSet::from(["a".into(), "b".into()])
    );
    row!(run, "NoneAsEmptyString", EmptyNone, None, Some(7));
    row!(run, "Seq<(_, _)>", MapAsPairs, BTreeMap::new(), BTreeMap::from([(1, "a".into())]));
    row!(run, "Map<_, _>", PairsAsMap, vec![], vec![(1, "a".into()), (1, "b".into())]);
    row!(run, "OneOrMany<_, PreferOne>", OneOrManyOne, vec![], vec![1], vec![1, 2]);
    row!(run, "OneOrMany<_, PreferMany>", OneOrManyMany, vec![], vec![1], vec![1, 2]);
    row!(run, "VecSkipError", SkipErrors, vec![], vec![1, 2]);
    row!(run, "DefaultOnError", OnError, 0, 7);
    row!(run, "DefaultOnNull", OnNull, 0, 7);
    row!(run, "JsonString", Json, BTreeMap::new(), BTreeMap::from([("a".into(), 1)]));
    row!(run, "BoolFromInt", BoolInt, true, false);
    row!(run, "FromInto", Into, 7);
    row!(run, "TryFromInto", TryInto, 7);
    row!(run, "SetLastValueWins", LastWins, BTreeSet::from([1, 2]));
    row!(run, "MapPreventDuplicates", Unique, HashMap::new(), HashMap::from([(1, 2)]));
    row!(run, "SetPreventDuplicates", UniqueSet, BTreeSet::from([1, 2]));
    row!(
        run,
        "EnumMap",
        Enums,
        vec![],
        vec![Choice::Number(1), Choice::Text("a".into()), Choice::Point { x: 1 }]
    );
    row!(run, "KeyValueMap", KeyValues, vec![], vec![Keyed { key: "a".into(), value: 1 }]);
    row!(run, "Vec<Option<(_, DisplayFromStr)>>", Borrowed, vec![None, Some((1, 2))]);
    row!(run, "Option<Vec<DurationSeconds<String>>>", Stacked, None, Some(vec![Duration::ZERO]));
    row!(run, "Same", Unchanged, vec![1]);
    row!(run, "PickFirst", PickFirstNumber, 7);
    row!(run, "IfIsHumanReadable", IfHuman, 7);
    row!(run, "rust::double_option", Double, None, Some(None), Some(Some(7)));
    row!(run, "rust::unwrap_or_skip", Unwrapped, None, Some(7));
    run.row(
        "`skip_serializing_none`",
        vec![
            SkipNone { a: None, b: None },
            SkipNone { a: Some(1), b: None },
            SkipNone { a: None, b: Some("text".into()) },
        ],
    );
    row!(run, "As::<Vec<DisplayFromStr>>", ByAs, vec![], vec![1, 2]);
    run.row("`SerializeDisplay`, `DeserializeFromStr`", vec![Text(7)]);
    run.row("`with_prefix!`", vec![Prefixed { inner: Inner { a: "text".into(), b: 7 } }]);
}
