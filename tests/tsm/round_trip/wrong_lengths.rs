//! Values that announce wrong lengths. serde does not check them, so the writer has to.

use super::{Hex, assert_reason};
use fourfold::tsm::{Serializer, from_slice, to_vec, to_writer};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeTuple};

use crate::support::visits::visits;

/// A sequence or map that announces another count than it has.
struct Count {
    announced: usize,
    given: usize,
    map: bool,
}

impl Serialize for Count {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.map {
            let mut map = to.serialize_map(Some(self.announced))?;
            for item in (0_u16..).take(self.given) {
                map.serialize_entry(&item, &7_u8)?;
            }
            return map.end();
        }
        let mut items = to.serialize_seq(Some(self.announced))?;
        for item in (0_u16..).take(self.given) {
            items.serialize_element(&item)?;
        }
        items.end()
    }
}

#[test]
fn a_wrong_count_is_refused() {
    for map in [false, true] {
        for announced in 0..5 {
            for given in 0..5 {
                let count = Count { announced, given, map };
                let (alone, inside) = (to_vec(&count), to_vec(&(1_u8, Some(&count), 2_u8)));
                if announced == given {
                    assert_eq!(alone.unwrap().len(), 4 + given * (2 + usize::from(map)));
                    assert!(inside.is_ok());
                    continue;
                }
                for error in [alone.unwrap_err(), inside.unwrap_err()] {
                    assert_reason(&error, &(announced, given));
                }
                assert!(to_writer(Vec::new(), &count).is_err(), "{announced} {given}");
                assert!(count.serialize(&mut Serializer::new(Vec::new())).is_err());
            }
        }
        // Larger than any count.
        let beyond_32_bits = usize::try_from(1_u64 << 32).unwrap_or(usize::MAX);
        for announced in [1 << 31, (1 << 31) + 1, beyond_32_bits, usize::MAX] {
            let error = to_vec(&Count { announced, given: 0, map }).unwrap_err();
            assert_reason(&error, &announced);
            assert!(error.to_string().contains(&announced.to_string()), "{error}");
        }
        let error = to_vec(&Count { announced: i32::MAX as usize, given: 1, map }).unwrap_err();
        assert_reason(&error, &"all but one missing");
    }
}

/// A map whose keys (`true`) and values do not alternate.
struct Turns {
    turns: &'static [bool],
    announced: usize,
}

impl Turns {
    /// Announces the number of keys.
    fn keys(turns: &'static [bool]) -> Self {
        Turns { turns, announced: turns.iter().filter(|key| **key).count() }
    }

    /// Announces the number of values.
    fn values(turns: &'static [bool]) -> Self {
        Turns { turns, announced: turns.iter().filter(|key| !**key).count() }
    }
}

impl Serialize for Turns {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.announced))?;
        for key in self.turns {
            match key {
                true => map.serialize_key(&1_u8)?,
                false => map.serialize_value(&1_u8)?,
            }
        }
        map.end()
    }
}

/// Returns an error, or writes bytes that are read as the intended value.
#[test]
fn keys_and_values_that_do_not_alternate() {
    assert_eq!(to_vec(&Turns::keys(&[true, false])).unwrap(), [1, 0, 0, 0, 1, 1]);
    assert_eq!(
        to_vec(&Turns::keys(&[true, false, true, false])).unwrap(),
        [2, 0, 0, 0, 1, 1, 1, 1]
    );
    let out_of_turn: [&[bool]; 8] = [
        &[true],
        &[true, false, true],
        &[true, false, false],
        &[false],
        &[true, true, false],
        &[false, true],
        &[true, true, false, false],
        &[true, false, false, true],
    ];
    for turns in out_of_turn {
        for error in [
            to_vec(&Turns::keys(turns)).unwrap_err(),
            to_vec(&Turns::values(turns)).unwrap_err(),
            to_vec(&vec![(0_u8, Turns::values(&[])), (1, Turns::values(turns))]).unwrap_err(),
        ] {
            assert_reason(&error, &turns);
        }
    }
}

/// A tuple with more or fewer items than announced.
struct Tuple {
    announced: usize,
    given: usize,
}

impl Serialize for Tuple {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut items = to.serialize_tuple(self.announced)?;
        for item in (0_u8..).take(self.given) {
            items.serialize_element(&item)?;
        }
        items.end()
    }
}

/// The number of a tuple's items is not written, so a wrong announcement is harmless or an error.
#[test]
fn a_tuple_of_another_length() {
    for announced in 0..4 {
        for given in 0..4 {
            let written = to_vec(&Tuple { announced, given });
            match written {
                Ok(bytes) => assert_eq!(bytes.len(), given, "{announced} {}", Hex(&bytes)),
                Err(error) => {
                    assert_ne!(announced, given, "{error}");
                    assert_reason(&error, &(announced, given));
                }
            }
        }
    }
}

/// The error of a value is returned with its path.
#[test]
fn a_value_that_fails() {
    struct Fails;
    impl Serialize for Fails {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("no, thanks"))
        }
    }
    #[derive(serde::Serialize)]
    struct Holder<'a> {
        items: &'a [Fails],
    }
    let error = to_vec(&Holder { items: &[Fails] }).unwrap_err();
    assert!(error.to_string().contains("no, thanks"), "{error}");
    assert!(error.to_string().contains("items[0]"), "{error}");
    assert_eq!(to_vec(&Holder { items: &[] }).unwrap(), [0; 4]);
}

/// The error of a nested value is returned although a type ignores it.
#[test]
fn ignored_errors_are_returned() {
    struct Swallows<T>(T);
    impl<T: Serialize> Serialize for Swallows<T> {
        fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let mut items = to.serialize_tuple(2)?;
            let _ = items.serialize_element(&self.0);
            items.serialize_element(&7_u8)?;
            items.end()
        }
    }
    assert_eq!(to_vec(&Swallows(1_u8)).unwrap(), [1, 7]);
    let long = Count { announced: 3, given: 1, map: false };
    assert_reason(&to_vec(&Swallows(&long)).unwrap_err(), &"two missing");
    assert_reason(&to_vec(&(1_u8, [Swallows(&long)])).unwrap_err(), &"two missing");
    assert_reason(&to_vec(&Swallows(vec![(); 4097])).unwrap_err(), &"too many units");
    let skips = crate::support::zoo::SkippedVariant::Two { maybe: None, always: 1, never: 0 };
    assert_reason(&to_vec(&Swallows(skips)).unwrap_err(), &"a skipped field");
    let deep = (0..200).fold(crate::support::zoo::Chain(None), |inner, _| {
        crate::support::zoo::Chain(Some(Box::new(inner)))
    });
    assert_reason(&to_vec(&Swallows(deep)).unwrap_err(), &"too deep");
}

/// A type that requests fewer items than there are is refused.
#[test]
fn a_visitor_that_stops_early() {
    #[derive(Debug)]
    struct Two;
    visits! { Two, "two items", deserialize_seq():
        visit_seq |items| {
            items.next_element::<u8>()?;
            items.next_element::<u8>()?;
            Ok(Two)
        }
    }
    assert!(from_slice::<Two>(&[2, 0, 0, 0, 1, 1]).is_ok());
    let error = from_slice::<Two>(&[3, 0, 0, 0, 1, 1, 1]).unwrap_err();
    assert_reason(&error, &"a third item");
    // Also if the unread items could be read as the next value.
    let error = from_slice::<(Two, u8)>(&[3, 0, 0, 0, 1, 1, 1]).unwrap_err();
    assert_reason(&error, &"a third item");
    assert!(from_slice::<(Two, u8)>(&[2, 0, 0, 0, 1, 1, 1]).is_ok());
}
