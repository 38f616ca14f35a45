//! Documents of tensors as values of serde: newtype structs of reserved names. Their bytes are passed as those of a lazy value,
//! so that other formats refuse them.

/// For a format's documents, which have `take` and `put`: which one a name selects, the traits of serde, and steps of
/// paths. In brackets is an option that `take` needs.
macro_rules! documents {
    ($format:literal, $option:tt, $($name:literal $type:ident ($any:ty) ($lived:ty),)*) => {
        /// The bytes of a document in pieces, since a large tensor is written without a copy.
        struct Body<'a, T>(&'a T);

        /// Which document a type requests.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum DocumentKind {
            $($type,)*
        }

        impl DocumentKind {
            /// The document of a reserved name.
            #[inline]
            pub(crate) fn of(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(DocumentKind::$type),)*
                    _ => None,
                }
            }

            /// Takes the bytes of a document.
            #[cold]
            pub(crate) fn take<'de>(
                self,
                reader: &mut $crate::read::Reader<'de>,
                settings: $crate::raw::Settings,
            ) -> Result<&'de [u8]> {
                let mut start = *reader;
                match self {
                    $(DocumentKind::$type => {
                        let _ = $crate::tensor::document::take_as!($type, reader, settings, $option)?;
                    })*
                }
                start.take(start.left() - reader.left())
            }
        }

        $(
            impl serde_core::Serialize for $any {
                fn serialize<S: serde_core::Serializer>(
                    &self,
                    serializer: S,
                ) -> Result<S::Ok, S::Error> {
                    $crate::raw::serialize_part($format, $name, &Body(self), serializer)
                }
            }

            impl serde_core::Serialize for Body<'_, $any> {
                fn serialize<S: serde_core::Serializer>(
                    &self,
                    serializer: S,
                ) -> Result<S::Ok, S::Error> {
                    $crate::tensor::pieces::serialize(serializer, |out| self.0.put(out))
                }
            }

            impl<'de: 'a, 'a> serde_core::Deserialize<'de> for $lived {
                fn deserialize<D: serde_core::Deserializer<'de>>(
                    deserializer: D,
                ) -> Result<Self, D::Error> {
                    let part = $crate::raw::part_of($format, $name, deserializer)?;
                    // The reader has checked it.
                    let (mut reader, settings) =
                        ($crate::read::Reader::new(part.bytes, 0), part.settings);
                    $crate::tensor::document::take_as!($type, &mut reader, settings, $option)
                        .map_err(serde_core::de::Error::custom)
                }
            }
        )*

        /// Adds the step into a field to an error.
        #[inline]
        pub(crate) fn within<T>(name: &'static str, result: Result<T>) -> Result<T> {
            result.map_err(|error| error.inside($crate::Segment::Field(name.into())))
        }

        /// Adds the step into an item to an error.
        #[inline]
        pub(crate) fn within_item<T>(index: usize, result: Result<T>) -> Result<T> {
            result.map_err(|error| error.inside($crate::Segment::Index(index)))
        }
    };
}

macro_rules! take_as {
    ($type:ident, $reader:expr, $settings:ident, []) => {{
        let _ = $settings;
        $type::take($reader)
    }};
    ($type:ident, $reader:expr, $settings:ident, [$option:ident]) => {
        $type::take($reader, Options::of_part($settings).$option)
    };
}

pub(crate) use {documents, take_as};
