//! Names that collide, and rows of too many fields.

use fourfold::biniou::with::Table;
use fourfold::biniou::{ErrorKind, Options, to_vec};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::support::alloc::measure_value;

/// The depth of these does not matter.
const WITHOUT_WINDOWS: Options = Options::new().max_depth(40);

#[track_caller]
fn alike<T: Serialize>(value: &T) -> Vec<u8> {
    let bytes = to_vec(value).unwrap();
    assert_eq!(bytes, WITHOUT_WINDOWS.to_vec(value).unwrap());
    bytes
}

#[derive(Serialize)]
struct Both {
    #[serde(skip_serializing_if = "Option::is_none")]
    azdwbie: Option<u8>,
    other: Vec<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    c7diagq: Option<u8>,
}

#[track_caller]
fn collides<T: Serialize>(value: &T) {
    for options in [Options::new(), WITHOUT_WINDOWS] {
        match options.to_vec(value).unwrap_err().kind() {
            ErrorKind::Collision { first, second, .. } => {
                assert_eq!([first.as_str(), second], ["azdwbie", "c7diagq"]);
            }
            kind => panic!("{kind}"),
        }
    }
}

/// Names that collide are refused also once each was written without the other.
#[test]
fn colliding_names_after_records_that_left_one_out() {
    let both = |first, second| Both { azdwbie: first, other: vec![1; 300], c7diagq: second };
    for (first, second) in [(None, Some(1)), (Some(1), None), (None, None)] {
        collides(&(both(first, second), both(Some(1), Some(2))));
        collides(&vec![both(first, second), both(None, Some(1)), both(Some(1), Some(2))]);
        collides(&vec![both(Some(1), Some(2))]);
    }
    alike(&vec![both(None, Some(1)), both(Some(1), None), both(None, None), both(None, Some(2))]);
}

/// The same of a type that does not say what it leaves out.
#[test]
fn colliding_names_of_fields_in_any_order() {
    struct Fields(&'static [&'static str]);
    impl Serialize for Fields {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut fields = serializer.serialize_struct("Fields", self.0.len())?;
            for name in self.0 {
                fields.serialize_field(name, &1u8)?;
            }
            fields.end()
        }
    }
    const FIRST: &str = "azdwbie";
    const SECOND: &str = "c7diagq";
    let orders: [&[&'static str]; 5] =
        [&[SECOND], &["a", SECOND], &[SECOND, "b", "a"], &["b", "a"], &["a", FIRST, "b"]];
    for first in orders {
        for second in orders {
            for last in [&[FIRST, SECOND][..], &[FIRST, "a", SECOND], &["b", "a", FIRST, SECOND]] {
                let fields = || [Fields(first), Fields(second)];
                alike(&fields());
                collides(&(fields(), Fields(last)));
            }
        }
    }
    // In rows, what others have further on is not there yet.
    let rows = [&["a", "b", "c"][..]; 3].map(Fields);
    alike(&(Fields(&["a", "c"]), Fields(&["c", "b", "a"]), Table(Vec::from(rows))));
    collides(&(Fields(&[SECOND]), Table(vec![Fields(&[FIRST, SECOND])])));
}

/// Columns are made room for only as far as types have fields.
#[test]
fn rows_that_announce_too_many_fields() {
    struct Many;
    impl Serialize for Many {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_struct("Many", usize::MAX)?.end()
        }
    }
    let (result, stats) = measure_value(|| to_vec(&Table(vec![Many])));
    let error = result.unwrap_err();
    assert_eq!(error.to_string(), "tables cannot have rows of more than 65,535 fields in [0]");
    assert!(stats.peak < 4096, "{stats:?}");
}
