//! A column that is being filled: Arrow buffers, and the values appended to them.

mod finish;
mod lane;
mod visit;

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::BooleanBufferBuilder;
use fourfold_schema::Interest;
use fourfold_schema::mol::NumberType;

use crate::part::{self, Kind, Part, Width};

/// A column or a child column, with the values that were appended so far.
#[derive(Debug)]
pub(crate) struct Column {
    interest: Interest,
    /// How many values there are.
    len: usize,
    /// For a column of rows: the number of complete rows.
    rows: usize,
    /// Whether values are encoded options: then the bytes after [`some`](fourfold_schema::Visit::some) are
    /// requested.
    is_maybe_encoded: bool,
    /// Whether some children are not selected.
    is_selected: bool,
    /// Which values are not null. `None` as long as no value is null.
    validity: Option<BooleanBufferBuilder>,
    data: Data,
    /// The child columns: of items, fields, or variants.
    children: Vec<Column>,
    /// Receives values that have no column.
    scratch: Option<Box<Column>>,
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
    /// The flag: whether a number had too many digits.
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

/// The values of a sum type.
#[derive(Debug)]
struct Sum {
    names: ArrayRef,
    /// The variant of each value.
    variants: Vec<i32>,
    /// The child index of each variant.
    places: Vec<Option<usize>>,
}

/// A sum type as an Arrow union: each variant has a child with only the values of that variant.
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
            scratch: None,
        }
    }

    /// For a record: selects the columns `wanted`; the others are skipped.
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

    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether a number had more digits than its column can store.
    pub(crate) fn is_too_wide(&self) -> bool {
        matches!(self.data, Data::Decimal(.., true))
            || self.children.iter().any(Column::is_too_wide)
    }

    /// The memory that the values take, in bytes.
    pub(crate) fn memory(&mut self) -> usize {
        let own = self.data.values().into_iter().flatten().map(|values| values.bytes()).sum();
        self.children.iter_mut().map(Column::memory).fold(own, usize::saturating_add)
    }

    /// Reserves memory for `times` as many values as there are, assuming similar values.
    pub(crate) fn reserve_times(&mut self, times: usize) {
        self.data.values().into_iter().flatten().for_each(|values| values.reserve_times(times));
        self.children.iter_mut().for_each(|child| child.reserve_times(times));
    }

    /// Appends a valid (non-null) slot.
    #[inline(always)]
    fn push_valid(&mut self) {
        self.len += 1;
        if let Some(validity) = &mut self.validity {
            validity.append(true);
        }
    }

    /// Appends null, with a placeholder value where Arrow needs one.
    fn push_null(&mut self) {
        let len = self.len;
        let validity = self.validity.get_or_insert_with(|| {
            let mut all = BooleanBufferBuilder::new(len + 1);
            all.append_n(len, true);
            all
        });
        validity.append(false);
        self.push_placeholder();
    }

    /// Appends the placeholder value of a null.
    fn push_placeholder(&mut self) {
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

    /// Appends a placeholder value to a child of a null.
    fn push_default(&mut self) {
        if let Some(validity) = &mut self.validity {
            validity.append(true);
        }
        self.push_placeholder();
    }

    /// Removes all values but the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.forget_option();
        // An incomplete value may have left fields in the children.
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

    /// The child column with that index.
    #[inline]
    fn child(&mut self, index: Option<usize>) -> &mut Column {
        match index.and_then(|index| self.children.get_mut(index)) {
            Some(child) => child,
            // Columns are made from the same schema that values are read with, so each field has a column.
            None => scratch(&mut self.scratch),
        }
    }
}

/// Values of a column in one buffer.
trait Values {
    /// The memory that they take, in bytes.
    fn bytes(&self) -> usize;

    /// Reserves memory for `times` as many values.
    fn reserve_times(&mut self, times: usize);
}

impl<T> Values for Vec<T> {
    fn bytes(&self) -> usize {
        self.len().saturating_mul(size_of::<T>())
    }

    fn reserve_times(&mut self, times: usize) {
        self.reserve(self.len().saturating_mul(times));
    }
}

impl Values for BooleanBufferBuilder {
    fn bytes(&self) -> usize {
        self.len() / 8
    }

    fn reserve_times(&mut self, times: usize) {
        self.reserve(self.len().saturating_mul(times));
    }
}

impl Data {
    /// The column's own buffers, without its children's.
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

/// The column for values that have none.
#[cold]
fn scratch(place: &mut Option<Box<Column>>) -> &mut Column {
    place.get_or_insert_with(|| Box::new(Column::new(&Kind::Null.required())))
}

/// Removes all offsets after those of the first `len` values, and returns the end of these values.
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

    /// The child index of that variant.
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

    /// Appends a value of that variant, which is the next in its child: `len` is the child's length.
    fn push(&mut self, variant: usize, len: usize) {
        self.offsets.push(part::length(len));
        self.variants.push(i8::try_from(variant).unwrap_or_default());
    }

    fn truncate(&mut self, len: usize, children: &mut [Column]) {
        let gone = self.variants.iter().zip(&self.offsets).skip(len);
        // The offset of each child's first removed value is the child's new length.
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
