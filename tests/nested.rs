//! Nested messages: types whose bytes are read as a message of their own.
//!
//! Molecule reads each message once. Other readers may read a message more than once, but the number of reads must not
//! double with each level of nesting.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

#[path = "support/mod.rs"]
mod support;

use std::cell::Cell;
use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize};
use serde_bytes::ByteBuf;
use support::format::{Format, for_formats};

support::format::formats! { biniou Biniou, molecule Molecule, tsm Tsm }

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn calls<R>(work: impl FnOnce() -> R) -> (R, usize) {
    CALLS.set(0);
    let result = work();
    (result, CALLS.get())
}

mod each {
    use super::*;
    use crate::support::format::Molecule;

    for_formats! { [biniou Biniou, molecule Molecule, tsm Tsm] { damaged_innermost sound } }

    /// A nested message, or no bytes.
    #[derive(Debug)]
    struct Document<F>(usize, PhantomData<F>);

    impl<'de, F: Format> Deserialize<'de> for Document<F> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            CALLS.set(CALLS.get() + 1);
            let bytes = ByteBuf::deserialize(deserializer)?;
            match bytes.is_empty() {
                true => Ok(Document(0, PhantomData)),
                false => F::from_slice::<Self>(&bytes)
                    .map(|inner| Document(inner.0 + 1, PhantomData))
                    .map_err(serde::de::Error::custom),
            }
        }
    }

    fn documents<F: Format>(mut bytes: Vec<u8>, levels: usize) -> Vec<u8> {
        for _ in 0..levels {
            bytes = F::to_vec(&ByteBuf::from(bytes)).unwrap();
        }
        bytes
    }

    fn damaged_innermost<F: Format>() {
        for levels in [8, 20, 100] {
            let bytes = documents::<F>(vec![0xff; 3], levels);
            let (result, calls) = calls(|| F::from_slice::<Document<F>>(&bytes));
            assert!(result.is_err());
            assert!(calls <= 6 * (levels + 1), "{calls} calls for {levels} levels");
        }
    }

    /// One call for each level, also if the innermost message is damaged.
    #[test]
    fn molecule_reads_once() {
        for levels in [8, 100] {
            for innermost in [vec![0xff; 3], Molecule::to_vec(&ByteBuf::new()).unwrap()] {
                let bytes = documents::<Molecule>(innermost, levels);
                let (_, calls) = calls(|| Molecule::from_slice::<Document<Molecule>>(&bytes));
                assert_eq!(calls, levels + 1);
            }
        }
    }

    fn sound<F: Format>() {
        for levels in [8, 20] {
            let empty = F::to_vec(&ByteBuf::new()).unwrap();
            let bytes = documents::<F>(empty, levels);
            let (result, calls) = calls(|| F::from_slice::<Document<F>>(&bytes));
            assert_eq!(result.unwrap().0, levels);
            // Small types are attempted in another way first, which reads no inner message.
            assert!(calls <= 2 * levels + 3, "{calls} calls for {levels} levels");
        }
    }
}

/// Formats that determine properties of types by reading a message twice.
mod types {
    use super::*;

    for_formats! { [tsm Tsm] { learning } }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Unit {
        A,
        B { b: u8 },
    }

    mod own {
        use super::*;

        pub(super) fn serialize<S: serde::Serializer>(
            value: &Option<u8>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            value.serialize(serializer)
        }

        pub(super) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<u8>, D::Error> {
            Deserialize::deserialize(deserializer)
        }
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(bound(serialize = "F: Format", deserialize = "F: Format"))]
    struct Level<F> {
        inside: Option<Inside<F>>,
        unit: Unit,
        other: Unit,
        #[serde(with = "own")]
        none: Option<u8>,
        #[serde(with = "own")]
        another: Option<u8>,
    }

    #[derive(Debug, PartialEq)]
    struct Inside<F>(Box<Level<F>>, PhantomData<F>);

    impl<F: Format> Serialize for Inside<F> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let bytes = F::to_vec(&*self.0).map_err(serde::ser::Error::custom)?;
            ByteBuf::from(bytes).serialize(serializer)
        }
    }

    impl<'de, F: Format> Deserialize<'de> for Inside<F> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            CALLS.set(CALLS.get() + 1);
            let bytes = ByteBuf::deserialize(deserializer)?;
            let level = F::from_slice(&bytes).map_err(serde::de::Error::custom)?;
            Ok(Inside(Box::new(level), PhantomData))
        }
    }

    /// Properties of types are determined once, at any depth.
    fn learning<F: Format>() {
        for levels in [8, 20] {
            let level = |inside| Level {
                inside,
                unit: Unit::A,
                other: Unit::B { b: 1 },
                none: None,
                another: None,
            };
            let mut value = level(None);
            let mut bytes = F::to_vec(&value).unwrap();
            for _ in 0..levels {
                value = level(Some(Inside(Box::new(value), PhantomData)));
            }
            // Not by way of `Inside`, which is written as often as a value may be.
            for _ in 0..levels {
                #[derive(Serialize)]
                struct Level {
                    inside: Option<ByteBuf>,
                    unit: Unit,
                    other: Unit,
                    none: Option<u8>,
                    another: Option<u8>,
                }
                let inside = Some(ByteBuf::from(bytes));
                let (unit, other) = (Unit::A, Unit::B { b: 1 });
                let level = Level { inside, unit, other, none: None, another: None };
                bytes = F::to_vec(&level).unwrap();
            }
            let (result, calls) = calls(|| F::from_slice::<Level<F>>(&bytes));
            assert!(result.unwrap() == value);
            assert!(calls <= 10 * (levels + 1), "{calls} calls for {levels} levels");
        }
    }
}

/// A type that is read from a message of its own.
trait Read: Sized {
    fn read(bytes: &[u8]) -> Result<Self, String>;
}

/// The bytes of the next level, or none.
#[derive(Debug)]
struct Inside<L>(Option<Box<L>>);

impl<'de, L: Read> Deserialize<'de> for Inside<L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        CALLS.set(CALLS.get() + 1);
        let bytes = ByteBuf::deserialize(deserializer)?;
        match bytes.is_empty() {
            true => Ok(Inside(None)),
            false => L::read(&bytes)
                .map(|level| Inside(Some(Box::new(level))))
                .map_err(serde::de::Error::custom),
        }
    }
}

/// Records in another order than their types are read twice, but not the messages nested in them.
#[test]
fn another_order() {
    use fourfold::biniou::{from_slice, to_vec};

    #[derive(Serialize)]
    struct Written {
        inside: ByteBuf,
        y: u8,
        x: u8,
    }

    #[derive(Deserialize, Debug)]
    struct Level {
        inside: Inside<Level>,
        x: u8,
        y: u8,
    }

    impl Read for Level {
        fn read(bytes: &[u8]) -> Result<Self, String> {
            from_slice(bytes).map_err(|error| error.to_string())
        }
    }

    for levels in [8, 20] {
        let mut bytes = Vec::new();
        for _ in 0..levels {
            bytes = to_vec(&Written { inside: ByteBuf::from(bytes), y: 2, x: 1 }).unwrap();
        }
        let (result, calls) = calls(|| from_slice::<Level>(&bytes));
        let mut level = Some(result.unwrap());
        let mut found = 0;
        while let Some(Level { inside, x, y }) = level {
            assert_eq!((x, y), (1, 2));
            found += 1;
            level = inside.0.map(|level| *level);
        }
        assert_eq!(found, levels);
        assert!(calls <= 2 * levels, "{calls} calls for {levels} levels");
    }
}

/// Lazy values, whose path may be determined by a second reading.
macro_rules! raw_parts {
    ($($format:ident)*) => {$(
        #[test]
        fn $format() {
            use fourfold::$format::{OwnedRaw, from_slice, to_vec};

            #[derive(Deserialize)]
            struct Level {
                inside: Inside<Level>,
                part: OwnedRaw,
            }

            impl Read for Level {
                fn read(bytes: &[u8]) -> Result<Self, String> {
                    from_slice(bytes).map_err(|error| error.to_string())
                }
            }

            for levels in [8, 20] {
                let mut bytes = Vec::new();
                for _ in 0..levels {
                    bytes = to_vec(&Written { inside: ByteBuf::from(bytes), part: 7 }).unwrap();
                }
                let (result, calls) = calls(|| from_slice::<Level>(&bytes));
                let mut level = Some(result.unwrap());
                let mut found = 0;
                while let Some(Level { inside, part }) = level {
                    assert_eq!(part.get::<u32>().unwrap(), 7);
                    found += 1;
                    level = inside.0.map(|level| *level);
                }
                assert_eq!(found, levels);
                assert!(calls <= 6 * (levels + 1), "{calls} calls for {levels} levels");
            }
        }
    )*};
}

mod raw {
    use super::*;

    #[derive(Serialize)]
    struct Written {
        inside: ByteBuf,
        part: u32,
    }

    raw_parts! { biniou molecule primitiv }
}
