//! One body, one small type, every format: the public APIs stay equal.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

#[path = "swap/adjacent.rs"]
mod adjacent;
#[path = "swap/lazy.rs"]
mod lazy;
#[path = "swap/marks.rs"]
mod marks;
#[path = "swap/raw.rs"]
mod raw;
#[path = "swap/refused.rs"]
mod refused;
mod support;
#[path = "support/through_erased.rs"]
mod through_erased;
#[path = "swap/uncounted.rs"]
mod uncounted;

use serde::{Deserialize, Serialize};

support::format::formats! { biniou Biniou, molecule Molecule, primitiv Primitiv, tsm Tsm }

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Reading {
    sensor: String,
    celsius: f64,
    samples: Vec<u16>,
    note: Option<String>,
}

impl Reading {
    fn example() -> Self {
        Reading {
            sensor: "boiler".into(),
            celsius: 61.5,
            samples: vec![1, 2, 3],
            note: Some("steady".into()),
        }
    }
}

/// The same code for each format, but for the path: the paths are what is compared here.
macro_rules! swap {
    ($($format:ident)*) => {$(
        mod $format {
            use std::io;

            use fourfold::$format::{
                self, Deserializer, Error, ErrorKind, Options, Result, Serializer, from_reader,
                from_slice, to_vec, to_writer,
            };
            use serde::{Deserialize, Serialize};

            use super::Reading;

            const OPTIONS: Options =
                Options::new().max_depth(64).max_input(1 << 20).allow_trailing(false);

            #[test]
            fn four_functions() -> Result<()> {
                let reading = Reading::example();
                let bytes = to_vec(&reading)?;
                let mut written = Vec::new();
                to_writer(&mut written, &reading)?;
                assert_eq!(written, bytes);
                assert_eq!(from_slice::<Reading>(&bytes)?, reading);
                assert_eq!(from_reader::<_, Reading>(&*bytes)?, reading);
                assert_eq!(to_vec("text")?, to_vec(&"text".to_owned())?);
                Ok(())
            }

            #[test]
            fn the_same_four_of_options() -> Result<()> {
                let reading = Reading::example();
                let bytes = OPTIONS.to_vec(&reading)?;
                let mut written = Vec::new();
                OPTIONS.to_writer(&mut written, &reading)?;
                assert_eq!(written, bytes);
                assert_eq!(OPTIONS.from_slice::<Reading>(&bytes)?, reading);
                assert_eq!(OPTIONS.clone().from_reader::<_, Reading>(&*bytes)?, reading);
                assert_eq!(format!("{:?}", Options::default()), format!("{:?}", Options::new()));
                Ok(())
            }

            #[test]
            fn serializer_and_deserializer() -> Result<()> {
                let reading = Reading::example();
                let mut serializer = Serializer::new(Vec::new());
                reading.serialize(&mut serializer)?;
                let bytes = serializer.into_inner();
                assert_eq!(bytes, to_vec(&reading)?);
                let mut deserializer = Deserializer::from_slice(&bytes);
                assert_eq!(Reading::deserialize(&mut deserializer)?, reading);
                deserializer.end()
            }

            #[test]
            fn errors() {
                fn shape<E: std::error::Error + Send + Sync + 'static>(_: &E) {}

                let bytes = to_vec(&Reading::example()).unwrap();
                let error: Error = from_slice::<Reading>(&bytes[..bytes.len() - 1]).unwrap_err();
                shape(&error);
                let kind: &ErrorKind = error.kind();
                let offset = error.offset().expect("errors of reading have an offset");
                assert!(offset < bytes.len());
                assert!(error.is_eof());
                assert_eq!(error.category(), fourfold::Category::Eof);
                let place = if error.path().is_empty() {
                    String::new()
                } else {
                    format!(" in {}", error.path())
                };
                assert_eq!(error.to_string(), format!("{kind}{place} at byte {offset}"));
                assert_eq!(io::Error::from(error).kind(), io::ErrorKind::UnexpectedEof);
                assert_eq!(size_of::<$format::Result<()>>(), size_of::<usize>());
            }

            #[test]
            fn a_reader_that_never_ends() {
                let error = OPTIONS.from_reader::<_, Reading>(io::repeat(0)).unwrap_err();
                assert_eq!(error.category(), fourfold::Category::Limit);
            }

            #[test]
            fn a_stream_that_fails() {
                struct Broken;

                impl io::Read for Broken {
                    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                        Err(io::ErrorKind::BrokenPipe.into())
                    }
                }

                impl io::Write for Broken {
                    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                        Err(io::ErrorKind::BrokenPipe.into())
                    }

                    fn flush(&mut self) -> io::Result<()> {
                        Ok(())
                    }
                }

                let read = from_reader::<_, Reading>(Broken).unwrap_err();
                let written = to_writer(Broken, &Reading::example()).unwrap_err();
                for error in [read, written] {
                    assert_eq!(error.category(), fourfold::Category::Io);
                    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::BrokenPipe);
                }
            }
        }
    )*};
}

swap! { biniou molecule primitiv tsm }
