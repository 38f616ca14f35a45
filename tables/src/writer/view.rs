//! Arrays as typed views: checks that each array matches the column type.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Decimal128Type, Float32Type, Float64Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrowPrimitiveType, BinaryArray, BooleanArray, FixedSizeBinaryArray, StringArray,
    StructArray, UnionArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Fields};
use fourfold_schema::mol::NumberType;

use super::error::ValueError;
use crate::explode::in_short;
use crate::part::{self, Kind, Part, Width};

/// An array that matches a column type.
#[derive(Debug)]
pub(super) struct View<'a> {
    /// Whether its values are options.
    pub(super) is_option: bool,
    nulls: Option<&'a NullBuffer>,
    pub(super) data: Data<'a>,
}

#[derive(Debug)]
pub(super) enum Data<'a> {
    Null,
    Bool(&'a BooleanArray),
    Int(Ints<'a>),
    F32(&'a [f32]),
    F64(&'a [f64]),
    Decimal(&'a [i128], NumberType),
    Digits(&'a StringArray, NumberType),
    FixedBytes(&'a FixedSizeBinaryArray),
    /// Also encoded values.
    Bytes(&'a BinaryArray),
    Text(&'a StringArray),
    /// Also maps. Offsets and items.
    List(&'a [i32], Box<View<'a>>),
    FixedList(usize, Box<View<'a>>),
    Struct(Vec<(&'a str, View<'a>)>),
    Sum(Sum<'a>),
    Union(&'a UnionArray, Vec<(&'a str, View<'a>)>),
    Option(Box<View<'a>>),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Ints<'a> {
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
}

/// The values of a sum type.
#[derive(Debug)]
pub(super) struct Sum<'a> {
    keys: &'a [i32],
    names_nulls: Option<&'a NullBuffer>,
    names: &'a StringArray,
    /// The variant of each name.
    places: Vec<Option<usize>>,
    /// The name and values of each variant.
    variants: Vec<(&'a str, Option<View<'a>>)>,
}

impl<'a> View<'a> {
    pub(super) fn new(part: &'a Part, array: &'a dyn Array) -> Result<Self, ValueError> {
        let mismatch = || mismatch(part, array);
        let data = match &part.kind {
            Kind::Null if array.data_type() == &DataType::Null => Data::Null,
            Kind::Null => return Err(mismatch()),
            Kind::Bool => Data::Bool(array.as_boolean_opt().ok_or_else(mismatch)?),
            Kind::Int(width) => Data::Int(ints(*width, array).ok_or_else(mismatch)?),
            Kind::Float32 => Data::F32(values::<Float32Type>(array).ok_or_else(mismatch)?),
            Kind::Float64 => Data::F64(values::<Float64Type>(array).ok_or_else(mismatch)?),
            Kind::Decimal(number) => {
                let values = values::<Decimal128Type>(array);
                let is_whole = matches!(array.data_type(), DataType::Decimal128(_, 0));
                Data::Decimal(values.filter(|_| is_whole).ok_or_else(mismatch)?, *number)
            }
            Kind::Digits(number) => {
                Data::Digits(array.as_string_opt().ok_or_else(mismatch)?, *number)
            }
            Kind::FixedBytes(size) => {
                let bytes = array.as_fixed_size_binary_opt();
                let fits =
                    |bytes: &&FixedSizeBinaryArray| bytes.value_length() == part::length(*size);
                Data::FixedBytes(bytes.filter(fits).ok_or_else(mismatch)?)
            }
            Kind::Bytes | Kind::Encoded => Data::Bytes(array.as_binary_opt().ok_or_else(mismatch)?),
            Kind::Text => Data::Text(array.as_string_opt().ok_or_else(mismatch)?),
            Kind::List(item) => {
                let list = array.as_list_opt::<i32>().ok_or_else(mismatch)?;
                Data::List(list.value_offsets(), Box::new(View::new(item, list.values())?))
            }
            Kind::FixedList(item, count) => {
                let list = array.as_fixed_size_list_opt().ok_or_else(mismatch)?;
                if list.value_length() != part::length(*count) {
                    return Err(mismatch());
                }
                Data::FixedList(*count, Box::new(View::new(item, list.values())?))
            }
            Kind::Map(entry) => {
                let map = array.as_map_opt().ok_or_else(mismatch)?;
                // Other writers use other names for the key and value.
                let Kind::Struct(cells) = &entry.kind else { return Err(mismatch()) };
                let data = Data::Struct(children(cells, map.entries().columns())?);
                let entries = View { is_option: false, nulls: map.entries().nulls(), data };
                Data::List(map.value_offsets(), Box::new(entries))
            }
            Kind::Struct(fields) => {
                let record = array.as_struct_opt().ok_or_else(mismatch)?;
                check_names(fields.iter().map(|(name, _)| &**name), record.fields())?;
                Data::Struct(children(fields, record.columns())?)
            }
            Kind::Sum(variants) => Data::Sum(Sum::new(variants, array).ok_or_else(mismatch)??),
            Kind::Union(variants) => {
                let DataType::Union(fields, _) = array.data_type() else { return Err(mismatch()) };
                let union = array.as_union_opt().ok_or_else(mismatch)?;
                let found: Vec<_> =
                    fields.iter().map(|(id, field)| (id, &**field.name())).collect();
                let names = variants.iter().map(|(name, _)| &**name);
                if !(0i8..).zip(names).eq(found) {
                    return Err(mismatch());
                }
                let variants = variants.iter().zip(0i8..).map(|((name, part), id)| {
                    let child: &dyn Array = union.child(id);
                    let value = match part {
                        Some(part) => View::new(part, child).map_err(|it| it.in_field(name))?,
                        None => View { is_option: false, nulls: None, data: Data::Null },
                    };
                    Ok((&**name, value))
                });
                Data::Union(union, variants.collect::<Result<_, ValueError>>()?)
            }
            Kind::Option(value) => {
                let Some([column]) = array.as_struct_opt().map(StructArray::columns) else {
                    return Err(mismatch());
                };
                Data::Option(Box::new(View::new(value, column)?))
            }
        };
        Ok(View { is_option: part.is_nullable, nulls: array.nulls(), data })
    }

    #[inline]
    pub(super) fn is_null(&self, row: usize) -> bool {
        self.nulls.is_some_and(|nulls| nulls.is_null(row))
    }

    /// Whether there is a value, for arrays that have a null otherwise.
    fn has_value(&self, row: usize) -> bool {
        !matches!(self.data, Data::Null | Data::Union(..)) && !self.is_null(row)
    }
}

/// The columns of a record.
fn children<'a>(
    fields: &'a [(String, Part)],
    columns: &'a [arrow_array::ArrayRef],
) -> Result<Vec<(&'a str, View<'a>)>, ValueError> {
    let children = fields.iter().zip(columns).map(|((name, part), column)| {
        let view = View::new(part, column).map_err(|error| error.in_field(name))?;
        Ok((&**name, view))
    });
    children.collect()
}

#[cold]
fn mismatch(part: &Part, array: &dyn Array) -> ValueError {
    let wanted = part.field("");
    let (found, wanted) = (in_short(array.data_type()), in_short(wanted.data_type()));
    ValueError::new(format!("{found} where {wanted} is expected"))
}

/// Returns an error for columns with other names, or in another order.
fn check_names<'a>(
    wanted: impl ExactSizeIterator<Item = &'a str> + Clone,
    found: &Fields,
) -> Result<(), ValueError> {
    for (index, name) in wanted.clone().enumerate() {
        match found.get(index) {
            Some(field) if field.name() == name => {}
            Some(field) => {
                let field = field.name();
                return Err(ValueError::new(format!(
                    "column `{field}` where `{name}` is expected"
                )));
            }
            None => return Err(ValueError::new(format!("column `{name}` is missing"))),
        }
    }
    match found.get(wanted.len()) {
        Some(field) => Err(ValueError::new(format!("column `{}` is not expected", field.name()))),
        None => Ok(()),
    }
}

fn values<T: ArrowPrimitiveType>(array: &dyn Array) -> Option<&[T::Native]> {
    Some(array.as_primitive_opt::<T>()?.values())
}

fn ints(width: Width, array: &dyn Array) -> Option<Ints<'_>> {
    Some(match width {
        Width::U8 => Ints::U8(values::<UInt8Type>(array)?),
        Width::U16 => Ints::U16(values::<UInt16Type>(array)?),
        Width::U32 => Ints::U32(values::<UInt32Type>(array)?),
        Width::U64 => Ints::U64(values::<UInt64Type>(array)?),
        Width::I16 => Ints::I16(values::<Int16Type>(array)?),
        Width::I32 => Ints::I32(values::<Int32Type>(array)?),
        Width::I64 => Ints::I64(values::<Int64Type>(array)?),
    })
}

impl<'a> Sum<'a> {
    /// `None` if the array has another type.
    fn new(
        variants: &'a [(String, Option<Part>)],
        array: &'a dyn Array,
    ) -> Option<Result<Self, ValueError>> {
        let (names, values) = match array.as_struct_opt() {
            _ if part::is_enum(variants) => (array, None),
            Some(record) => {
                let (names, values) = record.columns().split_first()?;
                (&**names, Some((values, record.fields())))
            }
            None => return None,
        };
        let dictionary = names.as_dictionary_opt::<Int32Type>()?;
        let names = dictionary.values().as_string_opt::<i32>()?;
        let named = variants.iter().map(|(name, part)| (&**name, part.as_ref()));
        let with_values = named.clone().filter_map(|(name, part)| Some((name, part?)));
        if let Some((values, fields)) = values {
            let first = fields.first()?.name();
            let wanted: Vec<&str> =
                std::iter::once(&**first).chain(with_values.map(|(name, _)| name)).collect();
            if let Err(error) = check_names(wanted.into_iter(), fields) {
                return Some(Err(error));
            }
            let mut values = values.iter();
            let variants = named.clone().map(|(name, part)| {
                let view = part.zip(part.and_then(|_| values.next()));
                let view = view.map(|(part, array)| View::new(part, array)).transpose();
                Ok((name, view.map_err(|error| error.in_field(name))?))
            });
            let variants = variants.collect::<Result<Vec<_>, ValueError>>();
            return Some(variants.map(|variants| Sum::of(dictionary.keys(), names, variants)));
        }
        Some(Ok(Sum::of(dictionary.keys(), names, named.map(|(name, _)| (name, None)).collect())))
    }

    fn of(
        keys: &'a arrow_array::PrimitiveArray<Int32Type>,
        names: &'a StringArray,
        variants: Vec<(&'a str, Option<View<'a>>)>,
    ) -> Self {
        let places = (0..names.len()).map(|at| {
            let name = names.is_valid(at).then(|| names.value(at))?;
            // The names are usually those of the variants in order. Items of a union may have equal names.
            match variants.get(at) {
                Some((other, _)) if *other == name => Some(at),
                _ => variants.iter().position(|(other, _)| *other == name),
            }
        });
        let places = places.collect();
        Sum { keys: keys.values(), names_nulls: keys.nulls(), names, places, variants }
    }

    /// The variant of a value, and its data.
    pub(super) fn variant(
        &self,
        row: usize,
    ) -> Result<(usize, &str, Option<&View<'a>>), ValueError> {
        let key = self.keys.get(row).and_then(|key| usize::try_from(*key).ok());
        let is_null = self.names_nulls.is_some_and(|nulls| nulls.is_null(row));
        let key =
            key.filter(|key| !is_null && *key < self.names.len() && self.names.is_valid(*key));
        let Some(key) = key else { return Err(ValueError::null()) };
        let mut found = self.places.get(key).copied().flatten();
        for (index, (name, view)) in self.variants.iter().enumerate() {
            if Some(index) == found || !view.as_ref().is_some_and(|view| view.has_value(row)) {
                continue;
            }
            match found.and_then(|found| self.variants.get(found)) {
                None => {}
                Some((other, view))
                    if other == name && !view.as_ref().is_some_and(|view| view.has_value(row)) =>
                {
                    found = Some(index);
                }
                Some((other, _)) => {
                    let text = format!("the variant is `{other}`, and `{name}` has a value");
                    return Err(ValueError::new(text));
                }
            }
        }
        match found.and_then(|found| Some((found, self.variants.get(found)?))) {
            Some((found, (name, view))) => Ok((found, name, view.as_ref())),
            None => {
                let name = self.names.value(key);
                Err(ValueError::new(format!("there is no variant `{name}`")))
            }
        }
    }
}
