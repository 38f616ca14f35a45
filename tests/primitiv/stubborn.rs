//! Types that ignore errors and continue to request values: each way of reading ends, and returns the error.

use std::fmt;

use crate::support::format::Primitiv;
use crate::support::stubborn::{self, Map, answers};
use fourfold::CommonKind;
use fourfold::primitiv::{
    self, Deserializer, ErrorKind, Options, from_slice, take_from_slice, to_vec,
};
use serde::de::{EnumAccess, SeqAccess, VariantAccess, Visitor};
use serde::{Deserialize, Serialize};

/// The number of additional answers that a reading may take.
const SLACK: usize = 16;

#[test]
fn stubborn_types_come_to_an_end() {
    stubborn::stubborn_types_come_to_an_end::<Primitiv>(SLACK);
}

/// After an entry whose key cannot be read, the start of the next one is unknown.
#[test]
fn entries_that_cannot_be_read_are_errors() {
    // Three entries; the key of the second one is invalid.
    let bytes = [0x83, 0xc3, 0xc2, 0xc0, 0xc2, 0xc3, 0xc2];
    for outcome in [from_slice::<Map<bool, bool>>(&bytes), {
        let mut deserializer = Deserializer::from_slice(&bytes);
        Map::deserialize(&mut deserializer).and_then(|map| deserializer.end().map(|()| map))
    }] {
        let error = outcome.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Abandoned)), "{error}");
        assert_eq!(error.offset(), Some(3), "{error}");
    }
    let (_, got) = answers(|| {
        let mut deserializer = Deserializer::from_slice(&bytes);
        Map::<bool, bool>::deserialize(&mut deserializer)
    });
    assert_eq!((got.parts, got.errors), (1, 1));
}

/// Requests a tuple of three elements, and reads two of them.
#[derive(Debug, PartialEq)]
struct Two(u32, u32);

struct TakesTwo;

impl<'de> Visitor<'de> for TakesTwo {
    type Value = Two;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("three numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Two, A::Error> {
        let mut next = || Ok(parts.next_element()?.unwrap_or_default());
        Ok(Two(next()?, next()?))
    }
}

/// The same with a tuple, a tuple struct, a tuple variant, and an enum that ignores its variant.
macro_rules! takers_of_two {
    ($($name:ident: $deserializer:ident => $read:expr;)*) => {$(
        #[derive(Debug, PartialEq)]
        struct $name(Two);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(
                $deserializer: D,
            ) -> Result<Self, D::Error> {
                $read.map($name)
            }
        }
    )*};
}

takers_of_two! {
    Tuple: deserializer => deserializer.deserialize_tuple(3, TakesTwo);
    Slots: deserializer => deserializer.deserialize_tuple_struct("Slots", 3, TakesTwo);
    Variant: deserializer => deserializer.deserialize_enum("Variant", &["A"], OfThree { lax: false });
    Lax: deserializer => deserializer.deserialize_enum("Lax", &["A"], OfThree { lax: true });
}

/// An enum whose first variant is a tuple of three.
struct OfThree {
    lax: bool,
}

impl<'de> Visitor<'de> for OfThree {
    type Value = Two;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a variant")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Two, A::Error> {
        let read =
            data.variant::<Known>().and_then(|(_, content)| content.tuple_variant(3, TakesTwo));
        if self.lax { Ok(read.unwrap_or(Two(0, 0))) } else { read }
    }
}

#[derive(Deserialize)]
#[serde(variant_identifier)]
enum Known {
    A,
}

#[derive(Serialize)]
enum Written {
    A(u32, u32, u32),
    B,
}

#[test]
fn items_that_a_tuple_leaves_are_refused() {
    #[track_caller]
    fn refused<T: serde::de::DeserializeOwned + fmt::Debug>(bytes: &[u8], offset: usize) {
        let trailing = Options::new().allow_trailing(true).from_slice::<T>(bytes);
        let mut deserializer = Deserializer::from_slice(bytes);
        for result in [
            from_slice::<T>(bytes),
            trailing,
            take_from_slice::<T>(bytes).map(|(value, _)| value),
            T::deserialize(&mut deserializer),
        ] {
            let error = result.unwrap_err();
            let ErrorKind::ItemsLeft { found: 3, taken: 2 } = error.kind() else {
                panic!("{error}");
            };
            assert_eq!(error.offset(), Some(offset), "{error}");
        }
        // A type cannot continue after it.
        deserializer.end().unwrap_err();
    }

    let three = (1_u32, 2_u32, 9_u32);
    refused::<(Tuple, u32)>(&to_vec(&(three, 5_u32)).unwrap(), 0);
    refused::<(Slots, u32)>(&to_vec(&(three, 5_u32)).unwrap(), 0);
    refused::<(u32, Tuple)>(&to_vec(&(5_u32, three)).unwrap(), 5);
    refused::<(Variant, u32)>(&to_vec(&(Written::A(1, 2, 9), 5_u32)).unwrap(), 5);
    refused::<Vec<Tuple>>(&to_vec(&[three].as_slice()).unwrap(), 1);
}

/// A struct has more names than fields if some have an alias.
#[test]
fn fields_with_aliases_are_fewer_than_their_names() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Point {
        #[serde(alias = "left", alias = "column")]
        x: u32,
        #[serde(alias = "top")]
        y: u32,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    enum Shape {
        Dot {
            #[serde(alias = "point")]
            at: Point,
        },
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Slots(u32, #[serde(skip)] u32, u32);

    let value = (Point { x: 1, y: 2 }, Shape::Dot { at: Point { x: 3, y: 4 } }, Slots(5, 0, 6));
    let read: (Point, Shape, Slots) = from_slice(&to_vec(&value).unwrap()).unwrap();
    assert_eq!(read, value);
}

/// The visitor of an enum may continue without the variant, or its content.
#[test]
fn variants_that_an_enum_ignores_are_errors() {
    fn abandoned<T: fmt::Debug>(result: primitiv::Result<T>, offset: usize) {
        let error = result.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Abandoned)), "{error}");
        assert_eq!(error.offset(), Some(offset), "{error}");
    }

    let known = to_vec(&(Written::A(1, 2, 9), 5_u32)).unwrap();
    abandoned(take_from_slice::<(Lax, u32)>(&known), 5);
    abandoned(Options::new().max_depth(1).from_slice::<(Lax, u32)>(&known), 5);
    let unknown = to_vec(&(Written::B, 5_u32)).unwrap();
    abandoned(from_slice::<(Lax, u32)>(&unknown), 0);
}

/// A visitor refuses the content of an option or newtype without reading it, and its type ignores the error.
#[test]
fn wrappers_that_are_refused_unread() {
    struct Refuses;

    impl Visitor<'_> for Refuses {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("nothing")
        }
    }

    #[derive(Debug)]
    struct IgnoresOption;

    impl<'de> Deserialize<'de> for IgnoresOption {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_option(Refuses).unwrap_or_default();
            Ok(IgnoresOption)
        }
    }

    #[derive(Debug)]
    struct IgnoresNewtype;

    impl<'de> Deserialize<'de> for IgnoresNewtype {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_newtype_struct("Newtype", Refuses).unwrap_or_default();
            Ok(IgnoresNewtype)
        }
    }

    let bytes = to_vec(&(7_u8, 8_u8)).unwrap();
    for error in [
        from_slice::<(IgnoresOption, u8)>(&bytes).unwrap_err(),
        from_slice::<(IgnoresNewtype, u8)>(&bytes).unwrap_err(),
    ] {
        assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Abandoned)), "{error}");
    }
}
