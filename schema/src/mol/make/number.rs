//! Numbers from integers, or from their decimal digits as text.

use core::fmt;
use std::borrow::Cow;

use serde_core::de::{Error, Expected, MapAccess, Unexpected, Visitor};

use crate::common::shortened;
use crate::mol::NumberType;

/// How `serde_json` shows a number that is beyond 64 bits or has a point, by its feature `arbitrary_precision`: as a
/// map of its digits.
const DIGITS: &str = "$serde_json::private::Number";

/// A number that is appended to `out`.
pub(super) struct NumberMaker<'o> {
    pub(super) number: NumberType,
    pub(super) out: &'o mut Vec<u8>,
}

impl NumberMaker<'_> {
    fn put<E: Error>(self, bytes: Option<Vec<u8>>, found: Unexpected<'_>) -> Result<(), E> {
        match bytes {
            Some(bytes) => {
                self.out.extend(bytes);
                Ok(())
            }
            None => Err(E::invalid_value(found, &self)),
        }
    }
}

impl<'de> Visitor<'de> for NumberMaker<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = self.number.range();
        write!(f, "a decimal integer from {least} to {most}")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        let bytes = self.number.of_integer(number.into());
        self.put(bytes, Unexpected::Signed(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        let bytes = self.number.of_integer(number.into());
        self.put(bytes, Unexpected::Unsigned(number))
    }

    fn visit_i128<E: Error>(self, number: i128) -> Result<(), E> {
        let bytes = self.number.of_integer(number);
        self.put(bytes, Unexpected::Other("an integer that does not fit"))
    }

    fn visit_u128<E: Error>(self, number: u128) -> Result<(), E> {
        let bytes = self.number.of_unsigned(number);
        self.put(bytes, Unexpected::Other("an integer that does not fit"))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if let Some(bytes) = self.number.hexadecimal(text) {
            let number = self.number.unchecked(&bytes);
            let shown = shortened(text);
            let found = Unexpected::Str(&shown);
            let text = format!(
                "invalid value: {found}, expected {}; write {number}",
                &self as &dyn Expected
            );
            return Err(E::custom(text));
        }
        let bytes = self.number.parse(text);
        self.put(bytes, Unexpected::Str(&shortened(text)))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        let is_size = bytes.len() == self.number.size();
        self.put(is_size.then(|| bytes.to_vec()), Unexpected::Bytes(bytes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        match map.next_key::<Cow<'de, str>>()? {
            Some(key) if key == DIGITS => {
                let digits = map.next_value::<Cow<'de, str>>()?;
                let bytes = self.number.parse(&digits);
                self.put(bytes, Unexpected::Other(&shortened(&digits)))
            }
            _ => Err(A::Error::invalid_type(Unexpected::Map, &self)),
        }
    }
}
