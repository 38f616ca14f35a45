//! Documents in documents: a type that reads the bytes it was given as a document of its own.
//!
//! A reading may go through its document more than once. What is inside of it must not be read twice as
//! often with each level.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

use std::cell::Cell;

use serde::{Deserialize, Serialize};

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn calls<R>(work: impl FnOnce() -> R) -> (R, usize) {
    CALLS.set(0);
    let result = work();
    (result, CALLS.get())
}

macro_rules! formats {
    ($($format:ident)*) => {$(
        mod $format {
            use super::super::*;
            use fourfold::$format::{from_slice, to_vec};
            use serde::Deserializer;
            use serde_bytes::ByteBuf;

            /// The bytes of a document, or of none.
            #[derive(Debug)]
            struct Document(usize);

            impl<'de> Deserialize<'de> for Document {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    CALLS.set(CALLS.get() + 1);
                    let bytes = ByteBuf::deserialize(deserializer)?;
                    match bytes.is_empty() {
                        true => Ok(Document(0)),
                        false => from_slice::<Document>(&bytes)
                            .map(|inner| Document(inner.0 + 1))
                            .map_err(serde::de::Error::custom),
                    }
                }
            }

            fn documents(mut bytes: Vec<u8>, levels: usize) -> Vec<u8> {
                for _ in 0..levels {
                    bytes = to_vec(&ByteBuf::from(bytes)).unwrap();
                }
                bytes
            }

            #[test]
            fn damaged_innermost() {
                for levels in [8, 20, 100] {
                    let bytes = documents(vec![0xff; 3], levels);
                    let (result, calls) = calls(|| from_slice::<Document>(&bytes));
                    assert!(result.is_err());
                    assert!(calls <= 6 * (levels + 1), "{calls} calls for {levels} levels");
                }
            }

            #[test]
            fn sound() {
                for levels in [8, 20] {
                    let empty = to_vec(&ByteBuf::new()).unwrap();
                    let bytes = documents(empty, levels);
                    let (result, calls) = calls(|| from_slice::<Document>(&bytes));
                    assert_eq!(result.unwrap().0, levels);
                    // Small types are attempted in another way first, which reads no document.
                    assert!(calls <= 2 * levels + 3, "{calls} calls for {levels} levels");
                }
            }
        }
    )*};
}

mod each {
    formats! { biniou molecule tsm }
}

/// The same of formats that learn something about types by reading once more.
macro_rules! learning {
    ($($format:ident)*) => {$(
        mod $format {
            use super::super::*;
            use fourfold::$format::{from_slice, to_vec};
            use serde::Deserializer;
            use serde_bytes::ByteBuf;

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
            struct Level {
                inside: Option<Inside>,
                unit: Unit,
                other: Unit,
                #[serde(with = "own")]
                none: Option<u8>,
                #[serde(with = "own")]
                another: Option<u8>,
            }

            #[derive(Debug, PartialEq)]
            struct Inside(Box<Level>);

            impl Serialize for Inside {
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    let bytes = to_vec(&*self.0).map_err(serde::ser::Error::custom)?;
                    ByteBuf::from(bytes).serialize(serializer)
                }
            }

            impl<'de> Deserialize<'de> for Inside {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    CALLS.set(CALLS.get() + 1);
                    let bytes = ByteBuf::deserialize(deserializer)?;
                    let level = from_slice(&bytes).map_err(serde::de::Error::custom)?;
                    Ok(Inside(Box::new(level)))
                }
            }

            /// What has to be learned about types is learned once, however deep.
            #[test]
            fn learning() {
                for levels in [8, 20] {
                    let level = |inside| Level {
                        inside,
                        unit: Unit::A,
                        other: Unit::B { b: 1 },
                        none: None,
                        another: None,
                    };
                    let mut value = level(None);
                    let mut bytes = to_vec(&value).unwrap();
                    for _ in 0..levels {
                        value = level(Some(Inside(Box::new(value))));
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
                        bytes = to_vec(&level).unwrap();
                    }
                    let (result, calls) = calls(|| from_slice::<Level>(&bytes));
                    assert!(result.unwrap() == value);
                    assert!(calls <= 10 * (levels + 1), "{calls} calls for {levels} levels");
                }
            }
        }
    )*};
}

mod types {
    learning! { molecule tsm }
}

/// Of equal fields in a record the last counts, which is found by reading once more.
#[test]
fn equal_fields() {
    use fourfold::biniou::{from_slice, hash, to_vec};
    use serde_bytes::ByteBuf;

    #[derive(Serialize)]
    struct Written {
        inside: ByteBuf,
        x: u8,
        y: u8,
    }

    #[derive(Deserialize, Debug)]
    struct Level {
        inside: Inside,
        x: u8,
    }

    #[derive(Debug)]
    struct Inside(Option<Box<Level>>);

    impl<'de> Deserialize<'de> for Inside {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            CALLS.set(CALLS.get() + 1);
            let bytes = ByteBuf::deserialize(deserializer)?;
            match bytes.is_empty() {
                true => Ok(Inside(None)),
                false => from_slice(&bytes)
                    .map(|level| Inside(Some(Box::new(level))))
                    .map_err(serde::de::Error::custom),
            }
        }
    }

    for levels in [8, 20] {
        let mut bytes = Vec::new();
        for _ in 0..levels {
            bytes = to_vec(&Written { inside: ByteBuf::from(bytes), x: 1, y: 2 }).unwrap();
            let [x, y] = ["x", "y"].map(|name| (hash(name) | 1 << 31).to_be_bytes());
            let at = bytes.windows(4).rposition(|part| part == y).unwrap();
            bytes[at..at + 4].copy_from_slice(&x);
        }
        let (result, calls) = calls(|| from_slice::<Level>(&bytes));
        let mut level = Some(result.unwrap());
        let mut found = 0;
        while let Some(Level { inside, x }) = level {
            assert_eq!(x, 2);
            found += 1;
            level = inside.0.map(|level| *level);
        }
        assert_eq!(found, levels);
        assert!(calls <= 6 * (levels + 1), "{calls} calls for {levels} levels");
    }
}
