//! Values that need the mark `any`, at each position of a message, with the two marks that hints name: an attribute on a
//! field, and a wrapper.

use std::collections::{BTreeMap, HashMap};

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(untagged)]
pub(crate) enum Untagged {
    Record { a: u8 },
    Text(String),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
pub(crate) enum Internal {
    Dot,
    Circle { radius: u8 },
}

/// A field without a mark.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Plain<T> {
    pub(crate) value: T,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Pair<T>(pub(crate) u8, pub(crate) T);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) enum Variants<T> {
    Newtype(T),
    Tuple(u8, T),
    Struct { value: T },
}

/// A type of another crate, to which no attribute can be added.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Foreign {
    pub(crate) id: u8,
    pub(crate) inner: Vec<Untagged>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Flat {
    pub(crate) id: u8,
    #[serde(flatten)]
    pub(crate) point: Point,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Alone<T> {
    #[serde(flatten)]
    pub(crate) rest: T,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) enum FlatVariant {
    Struct {
        id: u8,
        #[serde(flatten)]
        rest: HashMap<String, u8>,
    },
}

/// Entries whose number is not announced.
#[derive(Deserialize, Clone, Debug, PartialEq)]
#[serde(transparent)]
pub(crate) struct Entries(pub(crate) BTreeMap<u8, u8>);

impl Serialize for Entries {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.0.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
        map.end()
    }
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Skips {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) gone: Option<u8>,
}

/// The same without `skip_serializing_if`.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Keeps {
    pub(crate) gone: Option<u8>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) enum SkippingVariant {
    Struct {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        gone: Option<u8>,
    },
}

/// Types that need a self-describing format: 20 rows. `$text` makes the error's text from path and offset, which are in
/// `$places`.
macro_rules! self_describing_in_each_place {
    ($format:ty, $module:tt, $wrapper:path, $text:expr, $places:expr) => {{
        use std::collections::BTreeMap;

        use serde::{Deserialize, Serialize};
        use serde_json::{Value, json};
        use $crate::support::hints::places::{Foreign, Internal, Pair, Plain, Untagged, Variants};
        use $crate::support::hints::{Refusals, attribute, wrapper};

        const ATTRIBUTE: &str = concat!("#[serde(with = \"", $module, "\")]");
        #[derive(Serialize, Deserialize, Debug, PartialEq)]
        struct MarkedPair(u8, #[serde(with = $module)] Untagged);
        #[derive(Serialize, Deserialize, Debug, PartialEq)]
        enum MarkedVariants {
            Newtype(#[serde(with = $module)] Untagged),
            Tuple(u8, #[serde(with = $module)] Untagged),
            Struct {
                #[serde(with = $module)]
                value: Untagged,
            },
        }

        let mut rows = Refusals::<$format>::new();
        let places: [&str; 20] = $places;
        let mut places = places.into_iter().map($text);
        let mut text = || places.next().unwrap();
        let one = || Untagged::Record { a: 7 };
        let two = || vec![Untagged::Record { a: 7 }, Untagged::Text("t".to_owned())];
        let map = || BTreeMap::from([(1_u8, one())]);
        let foreign = || Foreign { id: 1, inner: two() };
        let circle = || Internal::Circle { radius: 9 };
        let tree = || json!({ "a": [1, null, "b"], "c": { "d": true } });

        rows.back(&one(), &text()).passes(wrapper!($wrapper, one()));
        rows.back(&Plain { value: one() }, &text())
            .passes(attribute!(#[serde(with = $module)] Untagged = one()))
            .passes(wrapper!($wrapper, one(), |value| Plain { value }));
        rows.back(&Some(one()), &text())
            .passes(wrapper!($wrapper, one(), |value| Some(value)))
            .passes(wrapper!($wrapper, Some(one())));
        rows.back(&Plain { value: Some(one()) }, &text())
            .passes(attribute!(#[serde(with = $module)] Option<Untagged> = Some(one())));
        rows.back(&two(), &text())
            .passes(wrapper!($wrapper, two()))
            .passes(wrapper!($wrapper, one(), |value| vec![value]));
        rows.back(&Plain { value: two() }, &text())
            .passes(attribute!(#[serde(with = $module)] Vec<Untagged> = two()));
        rows.back(&map(), &text())
            .passes(wrapper!($wrapper, map()))
            .passes(wrapper!($wrapper, one(), |value| BTreeMap::from([(1_u8, value)])));
        rows.back(&Plain { value: map() }, &text())
            .passes(attribute!(#[serde(with = $module)] BTreeMap<u8, Untagged> = map()));
        rows.back(&(1_u8, one()), &text())
            .passes(wrapper!($wrapper, one(), |value| (1_u8, value)));
        rows.back(&[one()], &text()).passes(wrapper!($wrapper, one(), |value| [value]));
        rows.back(&Pair(1, one()), &text())
            .passes((ATTRIBUTE, MarkedPair(1, one())))
            .passes(wrapper!($wrapper, one(), |value| Pair(1, value)));
        rows.back(&Variants::Newtype(one()), &text())
            .passes((ATTRIBUTE, MarkedVariants::Newtype(one())))
            .passes(wrapper!($wrapper, one(), |value| Variants::Newtype(value)));
        rows.back(&Variants::Tuple(1, one()), &text())
            .passes((ATTRIBUTE, MarkedVariants::Tuple(1, one())));
        rows.back(&Variants::Struct { value: one() }, &text())
            .passes((ATTRIBUTE, MarkedVariants::Struct { value: one() }));
        rows.back(&Plain { value: foreign() }, &text())
            .passes(attribute!(#[serde(with = $module)] Foreign = foreign()));
        rows.back(&circle(), &text()).passes(wrapper!($wrapper, circle()));
        rows.back(&Plain { value: circle() }, &text())
            .passes(attribute!(#[serde(with = $module)] Internal = Internal::Dot))
            .passes(attribute!(#[serde(with = $module)] Internal = circle()));
        rows.back(&Plain { value: vec![circle()] }, &text())
            .passes(attribute!(#[serde(with = $module)] Vec<Internal> = vec![circle()]));
        rows.back(&tree(), &text()).passes(wrapper!($wrapper, tree()));
        rows.back(&Plain { value: tree() }, &text())
            .passes(attribute!(#[serde(with = $module)] Value = tree()));
        assert_eq!(rows.rows(), 20);
    }};
}
pub(crate) use self_describing_in_each_place;

/// Maps of unknown length: 15 rows. `$text` makes the error's text from the path.
macro_rules! unknown_length_in_each_place {
    ($format:ty, $module:tt, $wrapper:path, $text:expr) => {{
        use std::collections::{BTreeMap, HashMap};

        use $crate::support::hints::places::{
            Alone, Entries, Flat, FlatVariant, Pair, Plain, Point, Variants,
        };
        use $crate::support::hints::{Refusals, attribute, wrapper};

        let mut rows = Refusals::<$format>::new();
        let text = $text;
        let flat = || Flat { id: 1, point: Point { x: 2 } };
        let variant = || FlatVariant::Struct { id: 1, rest: HashMap::from([("k".to_owned(), 2)]) };
        let alone = || Alone { rest: BTreeMap::from([("k".to_owned(), 2_u8)]) };
        let entries = || Entries(BTreeMap::from([(1, 2)]));

        rows.written(&flat(), &text("")).passes(wrapper!($wrapper, flat()));
        rows.written(&Plain { value: flat() }, &text(" in value"))
            .passes(attribute!(#[serde(with = $module)] Flat = flat()));
        rows.written(&Some(flat()), &text(""))
            .passes(wrapper!($wrapper, flat(), |value| Some(value)));
        rows.written(&Plain { value: Some(flat()) }, &text(" in value"))
            .passes(attribute!(#[serde(with = $module)] Option<Flat> = Some(flat())));
        rows.written(&vec![flat()], &text(" in [0]"))
            .passes(wrapper!($wrapper, flat(), |value| vec![value]));
        rows.written(&Plain { value: vec![flat()] }, &text(" in value[0]"))
            .passes(attribute!(#[serde(with = $module)] Vec<Flat> = vec![flat()]));
        rows.written(&BTreeMap::from([(1_u8, flat())]), &text(" in [0].value"))
            .passes(wrapper!($wrapper, flat(), |value| BTreeMap::from([(1_u8, value)])));
        rows.written(&(flat(), 1_u8), &text(" in [0]"))
            .passes(wrapper!($wrapper, flat(), |value| (value, 1_u8)));
        rows.written(&Pair(1, flat()), &text(" in 1"))
            .passes(wrapper!($wrapper, flat(), |value| Pair(1, value)));
        rows.written(&Variants::Newtype(flat()), &text(""))
            .passes(wrapper!($wrapper, flat(), |value| Variants::Newtype(value)));
        rows.written(&Variants::Struct { value: flat() }, &text(" in value"))
            .passes(wrapper!($wrapper, flat(), |value| Variants::Struct { value }));
        rows.written(&Plain { value: variant() }, &text(" in value"))
            .passes(attribute!(#[serde(with = $module)] FlatVariant = variant()));
        rows.written(&alone(), &text("")).passes(wrapper!($wrapper, alone()));
        rows.written(&Plain { value: alone() }, &text(" in value")).passes(
            attribute!(#[serde(with = $module)] Alone<BTreeMap<String, u8>> = alone()),
        );
        rows.written(&Plain { value: entries() }, &text(" in value"))
            .passes(attribute!(#[serde(with = $module)] Entries = entries()));
        assert_eq!(rows.rows(), 15);
    }};
}
pub(crate) use unknown_length_in_each_place;

/// Fields that are skipped: 4 rows. `$text` makes the error's text from the path.
macro_rules! skipped_in_each_place {
    ($format:ty, $module:tt, $wrapper:path, $text:expr) => {{
        use $crate::support::hints::places::{Keeps, Plain, SkippingVariant, Skips};
        use $crate::support::hints::{Refusals, attribute, wrapper};

        let mut rows = Refusals::<$format>::new();
        let text = $text;
        let none = || Skips { gone: None };
        let variant = || SkippingVariant::Struct { gone: None };

        rows.written(&none(), &text(" in gone"))
            .passes(("remove `skip_serializing_if`", Keeps { gone: None }))
            .passes(wrapper!($wrapper, none()));
        rows.written(&Plain { value: none() }, &text(" in value.gone")).passes(attribute!(
            #[serde(with = $module)]
            Skips = none()
        ));
        rows.written(&vec![none()], &text(" in [0].gone")).passes(wrapper!(
            $wrapper,
            none(),
            |value| vec![value]
        ));
        rows.written(&Plain { value: variant() }, &text(" in value.gone")).passes(attribute!(
            #[serde(with = $module)]
            SkippingVariant = variant()
        ));
        assert_eq!(rows.rows(), 4);
    }};
}
pub(crate) use skipped_in_each_place;
