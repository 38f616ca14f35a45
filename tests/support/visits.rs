//! Types with a visitor written by hand.

/// Implements `Deserialize` for a type: the text of `expecting`, the request, and the visitor's methods.
///
/// `visits! { First, "items", deserialize_seq(): visit_seq |items| { .. } }`
macro_rules! visits {
    ($type:ty, $expecting:literal, $request:ident($($arg:expr),*): $($visit:ident |$access:ident| $body:block)+) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
                struct Visitor;

                #[allow(unused_mut, reason = "not every visitor reads on")]
                impl<'de> serde::de::Visitor<'de> for Visitor {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str($expecting)
                    }

                    $($crate::support::visits::visits! { @ $type, $visit $access $body })+
                }

                deserializer.$request($($arg,)* Visitor)
            }
        }
    };
    (@ $type:ty, visit_seq $access:ident $body:block) => {
        fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut $access: A) -> std::result::Result<$type, A::Error> $body
    };
    (@ $type:ty, visit_map $access:ident $body:block) => {
        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut $access: A) -> std::result::Result<$type, A::Error> $body
    };
    (@ $type:ty, visit_enum $access:ident $body:block) => {
        fn visit_enum<A: serde::de::EnumAccess<'de>>(self, $access: A) -> std::result::Result<$type, A::Error> $body
    };
    (@ $type:ty, visit_some $access:ident $body:block) => {
        fn visit_some<A: serde::Deserializer<'de>>(self, $access: A) -> std::result::Result<$type, A::Error> $body
    };
    (@ $type:ty, visit_newtype_struct $access:ident $body:block) => {
        fn visit_newtype_struct<A: serde::Deserializer<'de>>(self, $access: A) -> std::result::Result<$type, A::Error> $body
    };
    (@ $type:ty, visit_u64 $access:ident $body:block) => {
        fn visit_u64<E: serde::de::Error>(self, $access: u64) -> std::result::Result<$type, E> $body
    };
    (@ $type:ty, visit_str $access:ident $body:block) => {
        fn visit_str<E: serde::de::Error>(self, $access: &str) -> std::result::Result<$type, E> $body
    };
    (@ $type:ty, visit_bytes $access:ident $body:block) => {
        fn visit_bytes<E: serde::de::Error>(self, $access: &[u8]) -> std::result::Result<$type, E> $body
    };
}
pub(crate) use visits;
