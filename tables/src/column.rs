//! A column that is being filled. Knows Arrow's buffers, does not know where values come from.

mod finish;
mod lane;
mod visit;

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::BooleanBufferBuilder;
use fourfold::molecule::schema::NumberType;
use fourfold::schema::Interest;

use crate::part::{self, Kind, Part, Width};

/// A column, or a child of one, with what has come so far.
#[derive(Debug)]
pub(crate) struct Column {
    interest: Interest,
    /// How many values there are.
    len: usize,
    /// Of a column of rows: how many are whole.
    rows: usize,
    /// Whether values are options of bytes as they lie: then the bytes behind [`some`](fourfold::schema::Visit::some) are wanted.
    is_maybe_encoded: bool,
    /// Whether there are children that nobody wants.
    is_selected: bool,
    /// Which are not null. Nothing, as long as none is.
    validity: Option<BooleanBufferBuilder>,
    data: Data,
    /// The columns in it: of items, fields, or variants.
    children: Vec<Column>,
    /// For what no column is there.
    spare: Option<Box<Column>>,
}

#[derive(Debug)]
enum Data {
    Null,
    Bool(BooleanBufferBuilder),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    /// Also whether one had too many digits.
    Decimal(Vec<i128>, NumberType, bool),
    Digits(Vec<i32>, Vec<u8>, NumberType),
    FixedBytes(Vec<u8>, usize),
    Bytes(Vec<i32>, Vec<u8>),
    Text(Vec<i32>, Vec<u8>),
    List(Vec<i32>),
    FixedList(usize),
    Map(Vec<i32>),
    Struct,
    Sum(Sum),
    Union(Union),
    /// An option whose value may be null.
    Option,
    Encoded(Vec<i32>, Vec<u8>),
}

/// The variants of a sum type.
#[derive(Debug)]
struct Sum {
    names: ArrayRef,
    /// Of each value.
    variants: Vec<i32>,
    /// Which child each variant has.
    places: Vec<Option<usize>>,
}

/// The same, as a union: each variant has a child, which has only the values of that.
#[derive(Debug)]
struct Union {
    fields: arrow_schema::UnionFields,
    variants: Vec<i8>,
    offsets: Vec<i32>,
    has_value: Vec<bool>,
}

impl Column {
    pub(crate) fn new(part: &Part) -> Self {
        let child = |part: &Part| vec![Column::new(part)];
        let offsets = || vec![0];
        let (data, children) = match &part.kind {
            Kind::Null => (Data::Null, Vec::new()),
            Kind::Bool => (Data::Bool(BooleanBufferBuilder::new(0)), Vec::new()),
            Kind::Int(Width::U8) => (Data::U8(Vec::new()), Vec::new()),
            Kind::Int(Width::U16) => (Data::U16(Vec::new()), Vec::new()),
            Kind::Int(Width::U32) => (Data::U32(Vec::new()), Vec::new()),
            Kind::Int(Width::U64) => (Data::U64(Vec::new()), Vec::new()),
            Kind::Int(Width::I16) => (Data::I16(Vec::new()), Vec::new()),
            Kind::Int(Width::I32) => (Data::I32(Vec::new()), Vec::new()),
            Kind::Int(Width::I64) => (Data::I64(Vec::new()), Vec::new()),
            Kind::Float32 => (Data::F32(Vec::new()), Vec::new()),
            Kind::Float64 => (Data::F64(Vec::new()), Vec::new()),
            Kind::Decimal(number) => (Data::Decimal(Vec::new(), *number, false), Vec::new()),
            Kind::Digits(number) => (Data::Digits(offsets(), Vec::new(), *number), Vec::new()),
            Kind::FixedBytes(size) => (Data::FixedBytes(Vec::new(), *size), Vec::new()),
            Kind::Bytes => (Data::Bytes(offsets(), Vec::new()), Vec::new()),
            Kind::Text => (Data::Text(offsets(), Vec::new()), Vec::new()),
            Kind::List(item) => (Data::List(offsets()), child(item)),
            Kind::FixedList(item, count) => (Data::FixedList(*count), child(item)),
            Kind::Map(entry) => (Data::Map(offsets()), child(entry)),
            Kind::Struct(fields) => {
                (Data::Struct, fields.iter().map(|(_, part)| Column::new(part)).collect())
            }
            Kind::Sum(variants) => {
                let values = variants.iter().filter_map(|(_, part)| part.as_ref());
                (Data::Sum(Sum::new(variants)), values.map(Column::new).collect())
            }
            Kind::Union(variants) => {
                let null = Kind::Null.required();
                let values = variants.iter().map(|(_, part)| part.as_ref().unwrap_or(&null));
                (Data::Union(Union::new(variants)), values.map(Column::new).collect())
            }
            Kind::Option(value) => (Data::Option, child(value)),
            Kind::Encoded => (Data::Encoded(offsets(), Vec::new()), Vec::new()),
        };
        let is_maybe_encoded = part.kind == Kind::Encoded && part.is_nullable;
        let interest = match &part.kind {
            Kind::Encoded if !is_maybe_encoded => Interest::Bytes,
            _ => Interest::Parts,
        };
        Column {
            interest,
            len: 0,
            rows: 0,
            is_maybe_encoded,
            is_selected: false,
            validity: None,
            data,
            children,
            spare: None,
        }
    }

    /// Of a record those columns that are `wanted`; the others are stepped over.
    pub(crate) fn select(&mut self, wanted: &[usize]) {
        if !matches!(self.data, Data::Struct) {
            return;
        }
        for (index, child) in self.children.iter_mut().enumerate() {
            if !wanted.contains(&index) {
                child.interest = Interest::Nothing;
                self.is_selected = true;
            }
        }
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether a number had more digits than its column takes.
    pub(crate) fn is_too_wide(&self) -> bool {
        matches!(self.data, Data::Decimal(.., true))
            || self.children.iter().any(Column::is_too_wide)
    }

    /// How many bytes of memory the values take.
    pub(crate) fn memory(&mut self) -> usize {
        let own = self.data.values().into_iter().flatten().map(|values| values.bytes()).sum();
        self.children.iter_mut().map(Column::memory).fold(own, usize::saturating_add)
    }

    /// Takes memory for so many times as many values as there are, if they are like them.
    pub(crate) fn foresee(&mut self, times: usize) {
        self.data.values().into_iter().flatten().for_each(|values| values.foresee(times));
        self.children.iter_mut().for_each(|child| child.foresee(times));
    }

    /// Appends a value that is there.
    #[inline(always)]
    fn push_valid(&mut self) {
        self.len += 1;
        if let Some(validity) = &mut self.validity {
            validity.append(true);
        }
    }

    /// Appends null, with something behind it where there has to be.
    fn push_null(&mut self) {
        let len = self.len;
        let validity = self.validity.get_or_insert_with(|| {
            let mut all = BooleanBufferBuilder::new(len + 1);
            all.append_n(len, true);
            all
        });
        validity.append(false);
        self.push_behind();
    }

    /// Appends what stands where nobody looks: behind a null.
    fn push_behind(&mut self) {
        match &mut self.data {
            Data::Null => {}
            Data::Bool(values) => values.append(false),
            Data::U8(values) => values.push(0),
            Data::U16(values) => values.push(0),
            Data::U32(values) => values.push(0),
            Data::U64(values) => values.push(0),
            Data::I16(values) => values.push(0),
            Data::I32(values) => values.push(0),
            Data::I64(values) => values.push(0),
            Data::F32(values) => values.push(0.0),
            Data::F64(values) => values.push(0.0),
            Data::Decimal(values, ..) => values.push(0),
            Data::FixedBytes(values, size) => values.resize(values.len() + *size, 0),
            Data::Bytes(offsets, _)
            | Data::Text(offsets, _)
            | Data::Digits(offsets, ..)
            | Data::Encoded(offsets, _)
            | Data::List(offsets)
            | Data::Map(offsets) => offsets.push(offsets.last().copied().unwrap_or_default()),
            Data::FixedList(count) => {
                for _ in 0..*count {
                    self.children.iter_mut().for_each(Column::push_default);
                }
            }
            Data::Struct | Data::Option => self.children.iter_mut().for_each(Column::push_default),
            Data::Sum(sum) => {
                sum.variants.push(0);
                self.children.iter_mut().for_each(Column::push_null);
            }
            Data::Union(union) => {
                if let Some(child) = self.children.first_mut() {
                    union.push(0, child.len);
                    child.push_default();
                }
            }
        }
        self.len += 1;
    }

    /// Appends a value to what lies in a null.
    fn push_default(&mut self) {
        if let Some(validity) = &mut self.validity {
            validity.append(true);
        }
        self.push_behind();
    }

    /// Forgets all values but the first ones.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.forget_option();
        // A value that is not whole may have left parts.
        if self.len <= len && self.children.is_empty() {
            return;
        }
        let len = len.min(self.len);
        self.len = len;
        if let Some(validity) = &mut self.validity {
            validity.truncate(len);
        }
        let cut_bytes = |offsets: &mut Vec<i32>, bytes: &mut Vec<u8>| {
            bytes.truncate(end_of(offsets, len));
        };
        match &mut self.data {
            Data::Null => {}
            Data::Bool(values) => values.truncate(len),
            Data::U8(values) => values.truncate(len),
            Data::U16(values) => values.truncate(len),
            Data::U32(values) => values.truncate(len),
            Data::U64(values) => values.truncate(len),
            Data::I16(values) => values.truncate(len),
            Data::I32(values) => values.truncate(len),
            Data::I64(values) => values.truncate(len),
            Data::F32(values) => values.truncate(len),
            Data::F64(values) => values.truncate(len),
            Data::Decimal(values, ..) => values.truncate(len),
            Data::FixedBytes(values, size) => values.truncate(len * *size),
            Data::Bytes(offsets, bytes)
            | Data::Text(offsets, bytes)
            | Data::Digits(offsets, bytes, _)
            | Data::Encoded(offsets, bytes) => {
                cut_bytes(offsets, bytes);
            }
            Data::List(offsets) | Data::Map(offsets) => {
                let end = end_of(offsets, len);
                self.children.iter_mut().for_each(|item| item.truncate(end));
            }
            Data::FixedList(count) => {
                let end = len * *count;
                self.children.iter_mut().for_each(|item| item.truncate(end));
            }
            Data::Struct | Data::Option => {
                self.children.iter_mut().for_each(|child| child.truncate(len));
            }
            Data::Sum(sum) => {
                sum.variants.truncate(len);
                self.children.iter_mut().for_each(|child| child.truncate(len));
            }
            Data::Union(union) => union.truncate(len, &mut self.children),
        }
    }

    /// The next value is an option again.
    fn forget_option(&mut self) {
        if self.is_maybe_encoded && self.interest == Interest::Bytes {
            self.interest = Interest::Parts;
        }
    }

    /// The column inside of that number.
    #[inline]
    fn child(&mut self, index: Option<usize>) -> &mut Column {
        match index.and_then(|index| self.children.get_mut(index)) {
            Some(child) => child,
            // Columns are made by the schema that values are read by, so that there is one for each part.
            None => spare(&mut self.spare),
        }
    }
}

/// Values of a column that lie one behind another.
trait Values {
    /// How many bytes of memory they take.
    fn bytes(&self) -> usize;

    /// Takes memory for so many times as many.
    fn foresee(&mut self, times: usize);
}

impl<T> Values for Vec<T> {
    fn bytes(&self) -> usize {
        self.len().saturating_mul(size_of::<T>())
    }

    fn foresee(&mut self, times: usize) {
        self.reserve(self.len().saturating_mul(times));
    }
}

impl Values for BooleanBufferBuilder {
    fn bytes(&self) -> usize {
        self.len() / 8
    }

    fn foresee(&mut self, times: usize) {
        self.reserve(self.len().saturating_mul(times));
    }
}

impl Data {
    /// What a column has of its own, its children aside.
    fn values(&mut self) -> [Option<&mut dyn Values>; 2] {
        match self {
            Data::Null | Data::Struct | Data::FixedList(_) | Data::Option => [None, None],
            Data::Bool(values) => [Some(values), None],
            Data::U8(values) | Data::FixedBytes(values, _) => [Some(values), None],
            Data::U16(values) => [Some(values), None],
            Data::I16(values) => [Some(values), None],
            Data::U32(values) => [Some(values), None],
            Data::I32(values) | Data::List(values) | Data::Map(values) => [Some(values), None],
            Data::F32(values) => [Some(values), None],
            Data::U64(values) => [Some(values), None],
            Data::I64(values) => [Some(values), None],
            Data::F64(values) => [Some(values), None],
            Data::Decimal(values, ..) => [Some(values), None],
            Data::Bytes(offsets, bytes)
            | Data::Text(offsets, bytes)
            | Data::Digits(offsets, bytes, _)
            | Data::Encoded(offsets, bytes) => [Some(offsets), Some(bytes)],
            Data::Sum(sum) => [Some(&mut sum.variants), None],
            Data::Union(union) => [Some(&mut union.variants), Some(&mut union.offsets)],
        }
    }
}

/// A column for what none is there for.
#[cold]
fn spare(place: &mut Option<Box<Column>>) -> &mut Column {
    place.get_or_insert_with(|| Box::new(Column::new(&Kind::Null.required())))
}

/// Forgets all offsets but those of the first values, and says where these end.
fn end_of(offsets: &mut Vec<i32>, len: usize) -> usize {
    offsets.truncate(len + 1);
    offsets.last().copied().and_then(|end| usize::try_from(end).ok()).unwrap_or_default()
}

impl Sum {
    fn new(variants: &[(String, Option<Part>)]) -> Self {
        let names = variants.iter().map(|(name, _)| name);
        let mut count = 0;
        let places = variants.iter().map(|(_, part)| {
            part.as_ref()?;
            count += 1;
            Some(count - 1)
        });
        let places = places.collect();
        let names = Arc::new(StringArray::from_iter_values(names));
        Sum { names, variants: Vec::new(), places }
    }

    /// Which child that variant has.
    fn place(&self, variant: usize) -> Option<usize> {
        self.places.get(variant).copied().flatten()
    }
}

impl Union {
    fn new(variants: &[(String, Option<Part>)]) -> Self {
        Union {
            fields: part::union_fields(variants),
            variants: Vec::new(),
            offsets: Vec::new(),
            has_value: variants.iter().map(|(_, part)| part.is_some()).collect(),
        }
    }

    /// Appends a value of that variant, which comes next in its child: that has so many now.
    fn push(&mut self, variant: usize, len: usize) {
        self.offsets.push(part::length(len));
        self.variants.push(i8::try_from(variant).unwrap_or_default());
    }

    fn truncate(&mut self, len: usize, children: &mut [Column]) {
        let gone = self.variants.iter().zip(&self.offsets).skip(len);
        // The first of each child's that is gone says how many are left of it.
        let mut left: Vec<Option<usize>> = vec![None; children.len()];
        for (variant, offset) in gone {
            let place = usize::try_from(*variant).ok().and_then(|at| left.get_mut(at));
            if let (Some(place @ None), Ok(offset)) = (place, usize::try_from(*offset)) {
                *place = Some(offset);
            }
        }
        for (child, left) in children.iter_mut().zip(left) {
            if let Some(left) = left {
                child.truncate(left);
            }
        }
        self.variants.truncate(len);
        self.offsets.truncate(len);
    }
}
