//! Types that ignore errors and continue to request values: each way of reading ends, and returns the error.

use std::cell::Cell;
use std::fmt::{self, Debug};
use std::num::NonZeroU8;

use crate::support::format::Tsm;
use crate::support::stubborn::{self, Length, Lenient, Map, Outcome, Seq, answers};
use crate::support::visits::visits;
use fourfold::CommonKind;
use fourfold::tsm::{Deserializer, ErrorKind, Options, from_slice, take_from_slice, to_vec};
use serde::de::{DeserializeOwned, EnumAccess, Visitor};
use serde::{Deserialize, Deserializer as _, Serialize};
use serde_bytes::ByteBuf;

/// Maximum number of items without bytes.
const MOST_EMPTY_ITEMS: usize = 4096;

/// The number of additional answers that a reading may take.
const SLACK: usize = 4 * MOST_EMPTY_ITEMS;

#[test]
fn stubborn_types_come_to_an_end() {
    stubborn::stubborn_types_come_to_an_end::<Tsm>(SLACK);
}

/// After an entry whose key cannot be read, the start of the next one is unknown.
#[test]
fn entries_that_cannot_be_read_are_errors() {
    // Three entries; the key of the second one is invalid.
    let bytes = [3, 0, 0, 0, 1, 7, 2, 8, 1, 9];
    for outcome in [from_slice::<Map<bool, u8>>(&bytes), {
        let mut deserializer = Deserializer::from_slice(&bytes);
        Map::deserialize(&mut deserializer).and_then(|map| deserializer.end().map(|()| map))
    }] {
        let error = outcome.unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ErrorKind::ExtraItems { .. } | ErrorKind::Common(CommonKind::Abandoned)
            ),
            "{error}"
        );
    }
    let (_, got) = answers(|| {
        let mut deserializer = Deserializer::from_slice(&bytes);
        Map::<bool, u8>::deserialize(&mut deserializer)
    });
    assert_eq!((got.parts, got.errors), (1, 1));
}

/// A type that uses an error's text gets the text of the error, also for values with a fast path.
#[test]
fn the_text_of_an_error_as_a_value() {
    let length = Length("invalid value: integer `0`, expected a nonzero u8".len());
    type Item = (Outcome<NonZeroU8, Length>, u64);
    for count in [1_u8, 40] {
        let mut bytes = vec![count, 0, 0, 0];
        (0..count).for_each(|index| bytes.extend([index % 2, index, 0, 0, 0, 0, 0, 0, 0]));
        let items: Vec<Item> = from_slice(&bytes).unwrap();
        for ((index, (outcome, number)), expected) in items.iter().enumerate().zip(0_u64..) {
            assert_eq!(*number, expected);
            match NonZeroU8::new(u8::try_from(index % 2).unwrap()) {
                Some(one) => assert_eq!(*outcome, Outcome::Good(one)),
                None => assert_eq!(*outcome, Outcome::Bad(length)),
            }
        }
    }
    assert_eq!(from_slice::<Outcome<NonZeroU8, Length>>(&[0]).unwrap(), Outcome::Bad(length));
}

/// Reads with trailing bytes allowed: otherwise continuing at a wrong offset would be an error anyway.
#[track_caller]
fn abandoned<T: DeserializeOwned + Debug>(max_depth: u16, bytes: &[u8], offset: usize) {
    let options = Options::new().max_depth(max_depth).allow_trailing(true);
    let error = options.from_slice::<T>(bytes).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Abandoned)), "{error}");
    assert_eq!(error.offset(), Some(offset), "{error}");
}

#[test]
fn values_that_are_too_deep_are_errors() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Between<T> {
        before: Lenient<T>,
        after: u8,
    }

    abandoned::<Between<Vec<u8>>>(1, &[5, 6], 0);
    abandoned::<Between<(u8, u8)>>(1, &[1, 2, 3], 0);
    abandoned::<Between<Map<u8, u8>>>(1, &[1, 2, 3], 0);
    abandoned::<Lenient<Option<u8>>>(0, &[1, 5], 1);
    abandoned::<Lenient<Box<Between<u8>>>>(0, &[1, 5], 0);
    let read = Options::new().max_depth(2).from_slice::<Between<(u8, u8)>>(&[1, 2, 3]).unwrap();
    assert_eq!(read, Between { before: Lenient(Some((1, 2))), after: 3 });
    let error = from_slice::<Between<Vec<u8>>>(&[5, 6]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Abandoned)), "{error}");

    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only read")]
    struct Chain {
        next: Lenient<Box<Chain>>,
        number: u8,
    }

    abandoned::<Chain>(128, &[7; 128], 0);
    let mut deserializer = Deserializer::from_slice(&[7; 128]);
    Chain::deserialize(&mut deserializer).unwrap();
    assert!(matches!(
        deserializer.end().unwrap_err().kind(),
        ErrorKind::Common(CommonKind::Abandoned)
    ));
}

#[test]
fn marks_that_do_not_fit_are_errors() {
    #[derive(Deserialize, Debug)]
    #[serde(rename = "raw.Unit")]
    struct Unit;
    #[derive(Deserialize, Debug)]
    #[serde(rename = "raw.Tuple")]
    #[allow(dead_code, reason = "only read")]
    struct Tuple(u8, u8);
    #[derive(Deserialize, Debug)]
    #[serde(rename = "raw.Fields")]
    #[allow(dead_code, reason = "only read")]
    struct Fields {
        field: u8,
    }
    #[derive(Deserialize, Debug)]
    #[serde(rename = "raw.Variants")]
    enum Variants {
        Variant,
    }
    #[derive(Deserialize, Debug)]
    #[serde(rename = "raw.Around")]
    #[allow(dead_code, reason = "only read")]
    struct Around<T>(Lenient<T>);

    let _ = Variants::Variant;
    abandoned::<(u8, Lenient<Unit>)>(9, &[1, 2, 3, 4], 1);
    abandoned::<(u8, Lenient<Tuple>)>(9, &[1, 2, 3, 4], 1);
    abandoned::<(u8, Lenient<Fields>)>(9, &[1, 2, 3, 4], 1);
    abandoned::<(u8, Lenient<Variants>)>(9, &[1, 0, 0, 0, 0], 1);
    abandoned::<(u8, Around<ByteBuf>)>(9, &[1, 1, 0, 0, 0, 7], 1);
    abandoned::<(u8, Around<u8>)>(9, &[1, 7], 1);
    abandoned::<(u8, Around<Option<[u8; 1]>>)>(9, &[1, 2, 7], 1);
    assert!(matches!(
        from_slice::<(u8, Around<Option<[u8; 1]>>)>(&[1, 1, 7]),
        Ok((1, Around(Lenient(Some(Some([7])))))),
    ));
}

#[test]
fn unknown_variants_are_errors() {
    /// Reads the index of two variants, or any other index.
    #[derive(Debug)]
    struct Open;

    impl<'de> Deserialize<'de> for Open {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_enum("Open", &["A", "B"], Open)
        }
    }

    impl<'de> Visitor<'de> for Open {
        type Value = Open;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a variant")
        }

        fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Open, A::Error> {
            match data.variant::<Known>() {
                Ok((Known::A | Known::B, _)) | Err(_) => Ok(Open),
            }
        }
    }

    #[derive(Deserialize, Debug)]
    #[serde(variant_identifier)]
    enum Known {
        A,
        B,
    }

    abandoned::<(Open, String)>(9, &[2, 0, 0, 0, 0, 0, 0, 0], 0);
    from_slice::<(Open, String)>(&[1, 0, 0, 0, 0, 0, 0, 0]).unwrap();

    // Tag and content, like an adjacently tagged enum.
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only read")]
    struct Tagged {
        tag: Lenient<Known>,
        content: u8,
    }

    abandoned::<Tagged>(9, &[2, 0, 0, 0, 5], 0);
    from_slice::<Tagged>(&[1, 0, 0, 0, 5]).unwrap();
}

#[test]
fn other_refused_values_are_errors() {
    abandoned::<(Lenient<String>, u8)>(9, &[2, 0, 0, 0, b'a', 0xff, 7], 5);
    // The 4,097th item without bytes.
    abandoned::<(Vec<()>, Seq<()>, u8)>(9, &[0, 16, 0, 0, 1, 0, 0, 0, 7], 8);
    from_slice::<(Vec<()>, Seq<()>, u8)>(&[0xff, 15, 0, 0, 1, 0, 0, 0, 7]).unwrap();
}

/// A type may refuse a number or text that was read: the next value is read at the right offset.
#[test]
fn values_that_only_the_type_refuses() {
    let (read, rest) = take_from_slice::<(Lenient<NonZeroU8>, u8)>(&[0, 5, 6]).unwrap();
    assert_eq!((read, rest), ((Lenient(None), 5), &[6][..]));
    let read = from_slice::<(String, Lenient<NonZeroU8>, u8)>(&[0, 0, 0, 0, 0, 5]).unwrap();
    assert_eq!(read, (String::new(), Lenient(None), 5));
    let mut deserializer = Deserializer::from_slice(&[0, 0, 0, 0, 5]);
    struct NoText;
    impl Visitor<'_> for NoText {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("nothing")
        }
    }
    (&mut deserializer).deserialize_str(NoText).unwrap_err();
    assert_eq!(u8::deserialize(&mut deserializer).unwrap(), 5);
    deserializer.end().unwrap();
}

/// Reads 70,000 elements, and ignores their errors.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lenient70000(usize);

thread_local! {
    static HINT: Cell<usize> = const { Cell::new(0) };
}

visits! { Lenient70000, "parts", deserialize_tuple(70_000):
    visit_seq |parts| {
        HINT.set(HINT.get().max(parts.size_hint().unwrap_or(0)));
        let mut count = 0;
        while parts.next_element::<Lenient<(u8,)>>()?.is_some() {
            count += 1;
        }
        Ok(Lenient70000(count))
    }
}

/// The number of ignored errors exceeds the range of the counter of levels. `size_hint` is at most the number of bytes.
#[test]
fn many_elements_that_fail() {
    for options in [Options::new(), Options::new().max_depth(7)] {
        HINT.set(0);
        let error = options.from_slice::<Lenient70000>(&[1]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Abandoned)), "{error}");
        assert_eq!(HINT.get(), 1);
    }
}

/// An identifier after a struct of two fields without bytes is not read as the tag of an adjacently tagged enum.
#[test]
fn an_identifier_after_two_fields_without_bytes() {
    #[derive(Debug, PartialEq, Deserialize, Serialize)]
    struct Empty {
        p: (),
        q: (),
    }

    #[derive(Debug, PartialEq)]
    struct Id(String);

    impl<'de> Deserialize<'de> for Id {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Naming;

            impl Visitor<'_> for Naming {
                type Value = Id;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a name")
                }

                fn visit_str<E>(self, name: &str) -> Result<Id, E> {
                    Ok(Id(name.to_owned()))
                }

                fn visit_u32<E>(self, number: u32) -> Result<Id, E> {
                    Ok(Id(format!("#{number}")))
                }
            }
            deserializer.deserialize_identifier(Naming)
        }
    }

    for name in ["hi", ""] {
        let bytes = to_vec(&(Empty { p: (), q: () }, name)).unwrap();
        let read = from_slice::<(Empty, Id)>(&bytes).unwrap();
        assert_eq!(read, (Empty { p: (), q: () }, Id(name.to_owned())));
    }
}

/// A visitor refuses the content of an option or newtype without reading it, and its type ignores the error.
#[test]
fn wrappers_that_are_refused_unread() {
    use serde::Deserializer;

    #[derive(Debug)]
    struct Ignored;

    struct Refuses;

    impl Visitor<'_> for Refuses {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("nothing")
        }
    }

    impl<'de> Deserialize<'de> for Ignored {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_option(Refuses).unwrap_or_default();
            Ok(Ignored)
        }
    }

    #[derive(Debug)]
    struct IgnoredNewtype;

    impl<'de> Deserialize<'de> for IgnoredNewtype {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_newtype_struct("Newtype", Refuses).unwrap_or_default();
            Ok(IgnoredNewtype)
        }
    }

    abandoned::<(Ignored, u8)>(128, &[1, 7, 8], 1);
    abandoned::<(IgnoredNewtype, u8)>(128, &[7, 8], 0);
}
