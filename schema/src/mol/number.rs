//! Numbers, which the language has no types for: arrays of bytes that are numbers by their names or comments.

use core::fmt;

use super::habit;

/// The widest number has so many bytes.
const MOST_BYTES: usize = 32;

/// JSON readers that have only doubles hold integers of so many bits.
const EXACT_BITS: u32 = 53;

/// How the bytes of an array are a number: lowest byte first, negative ones as their two's complement.
///
/// ```
/// use fourfold_schema::mol::Schema;
///
/// let schema = Schema::parse("
///     array Uint256 [byte; 32];
///     array Balance [byte; 16]; // fourfold: signed number
///     array Byte32 [byte; 32];
/// ")?;
/// let number = |name| schema.get(name).unwrap().number();
/// assert!(number("Uint256").is_some_and(|number| !number.is_signed()));
/// assert!(number("Balance").is_some_and(|number| number.is_signed()));
/// assert_eq!(number("Byte32"), None);
/// # Ok::<(), fourfold_schema::mol::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberType {
    size: usize,
    is_signed: bool,
}

impl NumberType {
    /// A number of so many bytes, if there may be one.
    pub(super) fn new(size: usize, is_signed: bool) -> Option<Self> {
        (1..=MOST_BYTES).contains(&size).then_some(NumberType { size, is_signed })
    }

    /// That of an array with such a name: `Uint32`, `Int64`.
    pub(super) fn of_name(name: &str, size: usize) -> Option<Self> {
        let is_signed = name.starts_with("Int");
        let number = NumberType::new(size, is_signed)?;
        (habit::number_of_bytes(size, is_signed) == name).then_some(number)
    }

    /// Whether it may be negative.
    #[must_use]
    pub fn is_signed(self) -> bool {
        self.is_signed
    }

    /// How many bytes it has.
    #[must_use]
    pub fn size(self) -> usize {
        self.size
    }

    /// The Rust integer that it is, if there is one of more than a byte: `"u32"`.
    #[must_use]
    pub fn integer(self) -> Option<&'static str> {
        Some(match (self.size, self.is_signed) {
            (2, false) => "u16",
            (2, true) => "i16",
            (4, false) => "u32",
            (4, true) => "i32",
            (8, false) => "u64",
            (8, true) => "i64",
            (16, false) => "u128",
            (16, true) => "i128",
            _ => return None,
        })
    }

    /// The bytes of the number that decimal digits spell, with a `-` before them if it is negative. `None` if the
    /// text is no such number, or one out of range.
    ///
    /// ```
    /// use fourfold_schema::mol::Schema;
    ///
    /// let schema = Schema::parse("array Uint32 [byte; 4];")?;
    /// let number = schema.get("Uint32").unwrap().number().unwrap();
    /// assert_eq!(number.parse("258").unwrap(), [2, 1, 0, 0]);
    /// assert_eq!(number.parse("4294967296"), None);
    /// # Ok::<(), fourfold_schema::mol::Error>(())
    /// ```
    #[must_use]
    pub fn parse(self, decimal: &str) -> Option<Vec<u8>> {
        let (is_negative, digits) = match decimal.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, decimal),
        };
        let is_spelled = digits.bytes().all(|digit| digit.is_ascii_digit())
            && !digits.is_empty()
            && (!digits.starts_with('0') || decimal == "0");
        if !is_spelled {
            return None;
        }
        let mut wide = Wide::default();
        for digit in digits.bytes() {
            wide.append(10, digit - b'0')?;
        }
        self.narrow(if is_negative { wide.negated() } else { wide }, is_negative)
    }

    /// The bytes of an integer that serde shows.
    pub(super) fn of_integer(self, number: i128) -> Option<Vec<u8>> {
        self.narrow(Wide::of(&number.to_le_bytes(), number < 0), number < 0)
    }

    /// The same of one that no `i128` holds.
    pub(super) fn of_unsigned(self, number: u128) -> Option<Vec<u8>> {
        self.narrow(Wide::of(&number.to_le_bytes(), false), false)
    }

    /// The bytes of a number, if they have no other value.
    fn narrow(self, wide: Wide, is_negative: bool) -> Option<Vec<u8>> {
        let bytes = wide.0.get(..self.size)?;
        let read = self.unchecked(bytes);
        (read.wide() == wide && read.is_negative() == is_negative).then(|| bytes.to_vec())
    }

    /// The number that bytes are, lowest first. `None` if there are more or fewer than it has.
    #[must_use]
    pub fn of(self, bytes: &[u8]) -> Option<Number<'_>> {
        (bytes.len() == self.size).then_some(Number { ty: self, bytes })
    }

    /// The same of bytes whose count was checked.
    pub(super) fn unchecked(self, bytes: &[u8]) -> Number<'_> {
        Number { ty: self, bytes }
    }

    /// The number that digits with the prefix `0x` spell, highest first, if it is in range and not negative.
    pub(super) fn hexadecimal(self, text: &str) -> Option<Vec<u8>> {
        let digits = text.strip_prefix("0x").filter(|digits| !digits.is_empty())?;
        let mut wide = Wide::default();
        for digit in digits.chars() {
            wide.append(16, u8::try_from(digit.to_digit(16)?).ok()?)?;
        }
        self.narrow(wide, false)
    }

    /// The least and the largest number.
    pub(super) fn range(self) -> (String, String) {
        let (low, high) = if self.is_signed { (0x80, 0x7f) } else { (0, 0xff) };
        let of = |rest: u8, last: u8| {
            let mut bytes = vec![rest; self.size.saturating_sub(1)];
            bytes.push(last);
            self.unchecked(&bytes).to_string()
        };
        (of(0, low), of(0xff, high))
    }
}

/// A number and how its bytes are one.
///
/// [`Display`](fmt::Display) writes its decimal digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number<'a> {
    ty: NumberType,
    bytes: &'a [u8],
}

impl<'a> Number<'a> {
    /// Its bytes, lowest first.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// What it is.
    #[must_use]
    pub fn ty(self) -> NumberType {
        self.ty
    }

    /// The number, if all readers of JSON hold it exactly: they may have only doubles, which have 53 bits.
    #[must_use]
    pub fn exact(self) -> Option<i64> {
        let wide = self.wide();
        let number = i64::from_le_bytes(*wide.0.first_chunk()?);
        let is_whole = Wide::of(&number.to_le_bytes(), self.is_negative()) == wide
            && (number < 0) == self.is_negative();
        (is_whole && number.unsigned_abs() >> EXACT_BITS == 0).then_some(number)
    }

    fn is_negative(self) -> bool {
        self.ty.is_signed && self.bytes.last().is_some_and(|last| *last >= 0x80)
    }

    fn wide(self) -> Wide {
        Wide::of(self.bytes, self.is_negative())
    }
}

impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wide, sign) = match self.is_negative() {
            true => (self.wide().negated(), "-"),
            false => (self.wide(), ""),
        };
        let (low, high) = wide.0.split_at(MOST_BYTES / 2);
        match low.try_into().map(u128::from_le_bytes) {
            Ok(low) if high.iter().all(|byte| *byte == 0) => write!(f, "{sign}{low}"),
            _ => write!(f, "{sign}{}", wide.digits()),
        }
    }
}

/// An integer of the widest kind, lowest byte first.
#[derive(Clone, Copy, Default, PartialEq)]
struct Wide([u8; MOST_BYTES]);

impl Wide {
    fn of(bytes: &[u8], is_negative: bool) -> Self {
        let mut wide = [if is_negative { 0xff } else { 0 }; MOST_BYTES];
        wide.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        Wide(wide)
    }

    /// Puts a digit after the others. `None` if that is too large.
    fn append(&mut self, base: u16, digit: u8) -> Option<()> {
        let mut carry = digit;
        for byte in &mut self.0 {
            [*byte, carry] = (u16::from(*byte) * base + u16::from(carry)).to_le_bytes();
        }
        (carry == 0).then_some(())
    }

    fn negated(self) -> Self {
        let mut carry = true;
        Wide(self.0.map(|byte| {
            let (byte, overflow) = (!byte).overflowing_add(carry.into());
            carry = overflow;
            byte
        }))
    }

    /// The decimal digits.
    fn digits(self) -> String {
        let mut digits = Vec::new();
        let mut rest = self.0;
        while rest.iter().any(|byte| *byte != 0) {
            let mut remainder = 0u16;
            for byte in rest.iter_mut().rev() {
                let number = remainder << 8 | u16::from(*byte);
                *byte = (number / 10).to_le_bytes()[0];
                remainder = number % 10;
            }
            digits.push(char::from(b'0' + remainder.to_le_bytes()[0]));
        }
        digits.iter().rev().collect()
    }
}
