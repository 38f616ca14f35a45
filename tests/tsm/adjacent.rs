//! Unit variants of adjacently tagged enums. `tests/swap/adjacent.rs` has those with content.

use fourfold::tsm::{ErrorKind, from_slice, to_vec};
use serde::{Deserialize, Serialize};

use crate::support::format::{Tsm, both_ways};
use crate::through_erased::Erased;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Event {
    Unit,
    Has { x: u8 },
}

/// Through `erased-serde`, a unit variant and the fields of a struct variant look the same.
#[test]
fn units_are_refused() {
    for bytes in [to_vec(&Erased(Event::Unit)).unwrap(), to_vec(&Event::Unit).unwrap()] {
        assert_eq!(from_slice::<Event>(&bytes).unwrap(), Event::Unit);
        let error = from_slice::<Erased<Event>>(&bytes).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::SelfDescribing), "{error}");
        assert_eq!((error.offset(), &*error.path().to_string()), (Some(4), "c"), "{error}");
        #[cfg(feature = "any")]
        both_ways::<Tsm, _>(&fourfold::tsm::with::Any(Erased(Event::Unit)));
    }
}

/// A type may read several indices as one variant.
#[test]
fn numbers_of_other_variants() {
    #[derive(Debug, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Open {
        #[serde(other)]
        Unknown,
    }

    let mut bytes = 10_000_u32.to_le_bytes().to_vec();
    (0..10_000_u32).for_each(|number| bytes.extend(number.to_le_bytes()));
    let read: Vec<Open> = from_slice(&bytes).unwrap();
    assert!(read.len() == 10_000 && matches!(read[0], Open::Unknown));
}
