//! Appends visited values to columns.

use fourfold_schema::mol::NumberType;
use fourfold_schema::{Interest, Lane, LaneKind, Refusal, Visit};

use super::{Column, Data, scratch};
use crate::part::{self, DECIMAL_DIGITS};

/// Unreachable as long as the column is made from the same schema that values are read with.
pub(super) fn type_mismatch() -> Refusal {
    Refusal::new("the column has another type")
}

#[cold]
pub(super) fn too_wide(number: i64, bits: u32) -> Refusal {
    Refusal::new(format!("{number} does not fit in the schema's {bits} bits"))
        .fix("use a wider `repr` in the schema, or none")
}

#[cold]
pub(super) fn no_text(at: usize) -> Refusal {
    Refusal::new(format!("invalid utf-8 at byte {at} of a string"))
        .fix("read strings as bytes (option `strings`)")
}

#[cold]
pub(super) fn too_long(what: &str) -> Refusal {
    Refusal::new(format!("a batch has more than 2 GiB or 2^31 items in a column of {what}"))
        .fix("use fewer rows per batch (option `batch_rows`)")
}

/// Appends bytes and their end.
#[inline]
pub(super) fn append(
    offsets: &mut Vec<i32>,
    all: &mut Vec<u8>,
    bytes: &[u8],
) -> Result<(), Refusal> {
    let Ok(end) = i32::try_from(all.len() + bytes.len()) else { return Err(too_long("bytes")) };
    all.extend_from_slice(bytes);
    offsets.push(end);
    Ok(())
}

#[cold]
fn too_many_digits(ty: NumberType, bytes: &[u8]) -> Refusal {
    match ty.of(bytes) {
        Some(number) => Refusal::new(format!("{number} has more than {DECIMAL_DIGITS} digits")),
        None => type_mismatch(),
    }
}

/// Appends the digits of a little-endian number.
pub(super) fn digits(
    ty: NumberType,
    bytes: &[u8],
    offsets: &mut Vec<i32>,
    all: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let number = ty.of(bytes).ok_or_else(type_mismatch)?;
    append(offsets, all, number.to_string().as_bytes())
}

/// The value of a little-endian number, if it fits in a decimal of 38 digits.
pub(super) fn decimal(ty: NumberType, bytes: &[u8]) -> Result<i128, Refusal> {
    try_decimal(ty, bytes).ok_or_else(|| too_many_digits(ty, bytes))
}

fn try_decimal(ty: NumberType, bytes: &[u8]) -> Option<i128> {
    const END: u128 = 10u128.pow(DECIMAL_DIGITS as u32);
    let is_negative = ty.is_signed() && bytes.last().is_some_and(|last| *last > 127);
    let fill = if is_negative { 0xff } else { 0 };
    let (low, high) = bytes.split_at_checked(16).unwrap_or((bytes, &[]));
    let mut number = [fill; 16];
    number.get_mut(..low.len())?.copy_from_slice(low);
    let number = i128::from_le_bytes(number);
    let fits = high.iter().all(|byte| *byte == fill)
        && (number < 0) == is_negative
        && number.unsigned_abs() < END;
    fits.then_some(number)
}

/// The bytes as an array of `N`.
fn array<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Refusal> {
    bytes.try_into().map_err(|_| type_mismatch())
}

impl Column {
    /// A visited value that is not a record.
    #[inline(never)]
    fn other_part(&mut self, index: usize) -> &mut Self {
        match &self.data {
            Data::Sum(sum) => {
                let place = sum.place(index);
                self.child(place)
            }
            Data::Union(_) => self.child(Some(index)),
            _ => self.child(Some(0)),
        }
    }

    /// An integer of another width than 64 bits.
    #[inline(never)]
    fn short_int(&mut self, value: i64) -> Result<(), Refusal> {
        match &mut self.data {
            Data::I32(values) => {
                values.push(i32::try_from(value).map_err(|_| too_wide(value, i32::BITS))?);
            }
            Data::U16(values) => {
                values.push(u16::try_from(value).map_err(|_| too_wide(value, u16::BITS))?);
            }
            Data::U8(values) => {
                values.push(u8::try_from(value).map_err(|_| too_wide(value, u8::BITS))?);
            }
            _ => return self.mismatch(),
        }
        self.push_valid();
        Ok(())
    }

    #[cold]
    pub(super) fn mismatch<T>(&self) -> Result<T, Refusal> {
        Err(type_mismatch())
    }
}

impl Visit for Column {
    const TAKES_LANES: bool = true;

    #[inline(always)]
    fn interest(&self) -> Interest {
        self.interest
    }

    #[inline(always)]
    fn wants_all(&self) -> bool {
        !self.is_selected
    }

    #[inline(always)]
    fn wants(&self, index: usize) -> bool {
        self.children.get(index).is_none_or(|child| child.interest != Interest::Nothing)
    }

    fn unit(&mut self) {
        self.push_valid();
    }

    fn bool(&mut self, value: bool) {
        if let Data::Bool(values) = &mut self.data {
            values.append(value);
            self.push_valid();
        }
    }

    fn byte(&mut self, value: u8) {
        if let Data::U8(values) = &mut self.data {
            values.push(value);
            self.push_valid();
        }
    }

    #[inline(always)]
    fn int(&mut self, value: i64) -> Result<(), Refusal> {
        let Data::I64(values) = &mut self.data else { return self.short_int(value) };
        values.push(value);
        self.push_valid();
        Ok(())
    }

    fn float32(&mut self, value: f32) {
        if let Data::F32(values) = &mut self.data {
            values.push(value);
            self.push_valid();
        }
    }

    fn float64(&mut self, value: f64) {
        if let Data::F64(values) = &mut self.data {
            values.push(value);
            self.push_valid();
        }
    }

    #[inline]
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        match &mut self.data {
            Data::Text(offsets, all) => {
                if let Err(error) = std::str::from_utf8(bytes) {
                    return Err(no_text(error.valid_up_to()));
                }
                append(offsets, all, bytes)?;
            }
            Data::Bytes(offsets, all) => append(offsets, all, bytes)?,
            Data::FixedBytes(all, size) if *size == bytes.len() => all.extend_from_slice(bytes),
            Data::U64(values) => values.push(u64::from_le_bytes(array(bytes)?)),
            Data::U32(values) => values.push(u32::from_le_bytes(array(bytes)?)),
            Data::U16(values) => values.push(u16::from_le_bytes(array(bytes)?)),
            Data::I64(values) => values.push(i64::from_le_bytes(array(bytes)?)),
            Data::I32(values) => values.push(i32::from_le_bytes(array(bytes)?)),
            Data::I16(values) => values.push(i16::from_le_bytes(array(bytes)?)),
            Data::Decimal(values, ty, is_too_wide) => {
                let number = decimal(*ty, bytes);
                *is_too_wide = number.is_err();
                values.push(number?);
            }
            Data::Digits(offsets, all, ty) => digits(*ty, bytes, offsets, all)?,
            _ => return self.mismatch(),
        }
        self.push_valid();
        Ok(())
    }

    #[inline]
    fn text(&mut self, text: &str) -> Result<(), Refusal> {
        let Data::Text(offsets, all) = &mut self.data else { return self.bytes(text.as_bytes()) };
        append(offsets, all, text.as_bytes())?;
        self.push_valid();
        Ok(())
    }

    fn encoded(&mut self, prefix: &[u8], bytes: &[u8]) -> Result<(), Refusal> {
        match &mut self.data {
            Data::Encoded(offsets, all) => {
                let start = all.len();
                all.extend_from_slice(prefix);
                if let Err(refusal) = append(offsets, all, bytes) {
                    all.truncate(start);
                    return Err(refusal);
                }
                self.forget_option();
            }
            _ => return self.mismatch(),
        }
        self.push_valid();
        Ok(())
    }

    #[inline(always)]
    fn part(&mut self, index: usize) -> &mut Self {
        if !matches!(self.data, Data::Struct) {
            return self.other_part(index);
        }
        let len = self.len;
        match self.children.get_mut(index) {
            Some(child) => {
                // The field occurs twice; the last one wins.
                if child.len > len {
                    child.truncate(len);
                }
                child
            }
            None => scratch(&mut self.scratch),
        }
    }

    fn list(&mut self, _: usize) -> Result<(), Refusal> {
        match &mut self.data {
            Data::List(offsets) | Data::Map(offsets) => {
                let end = self.children.first().map_or(0, Column::len);
                offsets.push(i32::try_from(end).map_err(|_| too_long("lists"))?);
            }
            Data::FixedList(_) => {}
            _ => return self.mismatch(),
        }
        self.push_valid();
        Ok(())
    }

    #[inline]
    fn record(&mut self) {
        let len = self.len;
        for child in &mut self.children {
            if child.len == len && child.interest != Interest::Nothing {
                child.push_null();
            }
        }
        self.push_valid();
    }

    #[inline]
    fn whole_record(&mut self) {
        self.push_valid();
    }

    fn none(&mut self) {
        self.push_null();
    }

    #[inline]
    fn some(&mut self) -> &mut Self {
        if !matches!(self.data, Data::Option) {
            if self.is_maybe_encoded && self.interest == Interest::Parts {
                self.interest = Interest::Bytes;
            }
            return self;
        }
        self.push_valid();
        self.child(Some(0))
    }

    fn variant(&mut self, index: usize) {
        match &mut self.data {
            Data::Sum(sum) => {
                sum.variants.push(part::length(index));
                let place = sum.place(index);
                for (other, child) in self.children.iter_mut().enumerate() {
                    if Some(other) != place {
                        child.push_null();
                    }
                }
            }
            Data::Union(union) => {
                if let Some(child) = self.children.get_mut(index) {
                    union.push(index, child.len);
                    if union.has_value.get(index) == Some(&false) {
                        child.push_valid();
                    }
                }
            }
            _ => {}
        }
        self.push_valid();
    }

    fn takes_lane(&self, kind: LaneKind) -> bool {
        self.fits_lane(kind)
    }

    fn lane(&mut self, lane: &Lane<'_>) -> Result<(), Refusal> {
        self.take_lane(lane)
    }

    fn records(&mut self, count: usize) {
        self.push_records(count);
    }

    #[inline]
    fn row(&mut self) {
        self.rows = self.len;
    }

    #[cold]
    fn again(&mut self) {
        self.truncate(self.rows);
    }
}
