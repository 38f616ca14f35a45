//! Turns the items of a list into rows.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, RecordBatch, RecordBatchReader, StructArray, UInt32Array,
};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use arrow_select::take::take;

use crate::{Error, Result};

/// Batches in which each item of a list is a row, together with the other columns of the original row.
///
/// Rows with an empty list are dropped.
///
/// ```
/// use fourfold_tables::{Exploded, Schema, Table};
///
/// let schema = Schema::biniou("type order = { id : int; items : string list }")?;
/// let table = Table::new(&schema, "order")?;
///
/// #[derive(serde::Serialize)]
/// struct Order { id: i32, items: Vec<&'static str> }
/// let orders = vec![Order { id: 1, items: vec!["a", "b"] }, Order { id: 2, items: vec!["c"] }];
/// let bytes = fourfold::biniou::to_vec(&orders)?;
///
/// let mut batches = Exploded::new(table.read(&*bytes), ["items"])?;
/// let batch = batches.next().unwrap()?;
/// assert_eq!(batch.num_rows(), 3);
/// assert_eq!(batch.schema().field(1).to_string(), r#"Field { "items": Utf8 }"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Exploded<R> {
    batches: R,
    /// The path of each list, in order, and the schema after exploding it.
    steps: Vec<(Vec<String>, SchemaRef)>,
    schema: SchemaRef,
}

impl<R: RecordBatchReader> Exploded<R> {
    /// Explodes the list at each path, in order. A path is the name of a column, or names separated by dots that lead
    /// through struct columns.
    ///
    /// # Errors
    ///
    /// `NoColumn`; `NoList` if the column is not a list; `InList` if the path leads through a list that is not
    /// exploded before; `InOptional` if it leads through a struct that may be null.
    pub fn new<P: AsRef<str>>(batches: R, paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let mut schema = batches.schema();
        let mut steps = Vec::new();
        for path in paths {
            let path: Vec<String> = path.as_ref().split('.').map(str::to_owned).collect();
            let fields =
                exploded_fields(schema.fields(), &path, "").map_err(|error| match error {
                    Error::NoList { path, ty, mut lists } => {
                        add_lists(schema.fields(), "", &mut lists);
                        Error::NoList { path, ty, lists }
                    }
                    error => error,
                })?;
            schema = Arc::new(Schema::new(fields));
            steps.push((path, Arc::clone(&schema)));
        }
        Ok(Exploded { batches, steps, schema })
    }

    /// The batches before exploding.
    pub fn inner(&self) -> &R {
        &self.batches
    }

    fn explode(&self, mut batch: RecordBatch) -> Result<RecordBatch, ArrowError> {
        for (path, schema) in &self.steps {
            let (_, rows) = explode(&StructArray::from(batch), path, schema.fields())?;
            batch = RecordBatch::try_new(Arc::clone(schema), rows.columns().to_vec())?;
        }
        Ok(batch)
    }
}

impl<R: RecordBatchReader> Iterator for Exploded<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.batches.next()?.and_then(|batch| self.explode(batch)))
    }
}

impl<R: RecordBatchReader> RecordBatchReader for Exploded<R> {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// The columns after exploding the list at `path`.
/// `before` is the path of `fields`, with a trailing dot if it is not empty.
fn exploded_fields(fields: &Fields, path: &[String], before: &str) -> Result<Fields> {
    let Some((name, rest)) = path.split_first() else { return Ok(fields.clone()) };
    let Some((at, field)) = fields.find(name) else {
        let known = fields.iter().map(|field| field.name().clone()).collect();
        return Err(Error::NoColumn { name: name.clone(), known });
    };
    let exploded = match (field.data_type(), rest) {
        (DataType::List(item) | DataType::FixedSizeList(item, _), []) => renamed(item, name),
        (DataType::Struct(inside), [_, ..]) if !field.is_nullable() => {
            let inside = exploded_fields(inside, rest, &format!("{before}{name}."))?;
            Arc::new(Field::new(name, DataType::Struct(inside), false))
        }
        _ => return Err(refused(field, &format!("{before}{name}"), rest)),
    };
    let mut columns: Vec<FieldRef> = fields.iter().map(Arc::clone).collect();
    columns.splice(at..=at, [exploded]);
    Ok(columns.into())
}

/// Why the column at `path` followed by `rest` cannot be exploded. `field` is the column at `path`.
fn refused(field: &Field, path: &str, rest: &[String]) -> Error {
    let mut lists = Vec::new();
    let whole = rest.iter().fold(path.to_owned(), |path, step| format!("{path}.{step}"));
    let mut path = path.to_owned();
    let mut field = field.clone();
    for step in rest {
        while let DataType::List(item) | DataType::FixedSizeList(item, _) = field.data_type() {
            lists.push(path.clone());
            field = item.as_ref().clone();
        }
        let DataType::Struct(fields) = field.data_type() else {
            return Error::NoColumn { name: whole, known: Vec::new() };
        };
        if field.is_nullable() {
            return Error::InOptional { path: whole, optional: path };
        }
        let Some((_, found)) = fields.find(step) else {
            let known = fields.iter().map(|field| field.name().clone()).collect();
            return Error::NoColumn { name: step.clone(), known };
        };
        path = format!("{path}.{step}");
        field = found.as_ref().clone();
    }
    let is_list = matches!(field.data_type(), DataType::List(_) | DataType::FixedSizeList(..));
    if lists.is_empty() || !is_list {
        let ty = in_words(field.data_type());
        return Error::NoList { path, ty, lists: Vec::new() };
    }
    lists.push(path.clone());
    Error::InList { path, lists }
}

/// Collects the paths of all lists that can be exploded.
fn add_lists(fields: &Fields, before: &str, lists: &mut Vec<String>) {
    for field in fields {
        let path = format!("{before}{}", field.name());
        match field.data_type() {
            DataType::List(_) | DataType::FixedSizeList(..) => lists.push(path),
            DataType::Struct(inside) if !field.is_nullable() => {
                add_lists(inside, &format!("{path}."), lists);
            }
            _ => {}
        }
    }
}

/// The short name of a type for an error message, without its children.
pub(crate) fn in_short(ty: &DataType) -> String {
    match ty {
        DataType::List(_) | DataType::FixedSizeList(..) => "a list".into(),
        DataType::Struct(fields) => match fields.len() {
            1 => "a struct of 1 field".into(),
            count => format!("a struct of {count} fields"),
        },
        DataType::Map(..) => "a map".into(),
        DataType::Union(..) => "a union".into(),
        other => other.to_string(),
    }
}

/// The name of a type for readers who do not know Arrow.
fn in_words(ty: &DataType) -> String {
    match ty {
        DataType::Null => "always null".into(),
        DataType::Boolean => "a bool".into(),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "text".into(),
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => "bytes".into(),
        ty if ty.is_floating() => "a float".into(),
        ty if ty.is_integer()
            || matches!(ty, DataType::Decimal128(..) | DataType::Decimal256(..)) =>
        {
            "an integer".into()
        }
        ty => in_short(ty),
    }
}

fn renamed(item: &Field, name: &str) -> FieldRef {
    Arc::new(item.clone().with_name(name))
}

/// The rows after exploding, and for each the index of the original row.
fn explode(
    rows: &StructArray,
    path: &[String],
    fields: &Fields,
) -> Result<(UInt32Array, StructArray), ArrowError> {
    let mismatch = || {
        ArrowError::SchemaError("the columns of the batch differ from its reader's schema".into())
    };
    let (name, rest) = path.split_first().ok_or_else(mismatch)?;
    let (at, field) = fields.find(name).ok_or_else(mismatch)?;
    let column = rows.columns().get(at).ok_or_else(mismatch)?;
    let (origins, items) = match (rest, field.data_type()) {
        ([], _) => items_of(column)?,
        (_, DataType::Struct(inside)) => {
            let (origins, inner) = explode(column.as_struct(), rest, inside)?;
            (origins, Arc::new(inner) as ArrayRef)
        }
        _ => return Err(mismatch()),
    };
    let columns = rows.columns().iter().enumerate().map(|(index, column)| match index == at {
        true => Ok(Arc::clone(&items)),
        false => take(column, &origins, None),
    });
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let rows = StructArray::try_new(fields.clone(), columns, None)?;
    Ok((origins, rows))
}

/// The items of all lists, and for each the row of its list.
fn items_of(lists: &ArrayRef) -> Result<(UInt32Array, ArrayRef), ArrowError> {
    let mut origins = Vec::new();
    let mut places = Vec::new();
    let row = |row: usize| u32::try_from(row).unwrap_or(u32::MAX);
    let items = match lists.as_list_opt::<i32>() {
        Some(lists) => {
            for (at, ends) in lists.offsets().windows(2).enumerate() {
                let [start, end] = *ends else { continue };
                if lists.is_valid(at) {
                    origins.extend((start..end).map(|_| row(at)));
                    places.extend((start..end).filter_map(|place| u32::try_from(place).ok()));
                }
            }
            lists.values()
        }
        None => {
            let lists: &FixedSizeListArray = lists.as_fixed_size_list();
            let size = usize::try_from(lists.value_length()).unwrap_or_default();
            for at in (0..lists.len()).filter(|at| lists.is_valid(*at)) {
                origins.extend((0..size).map(|_| row(at)));
                places.extend((0..size).map(|item| row(at * size + item)));
            }
            lists.values()
        }
    };
    Ok((origins.into(), take(items, &UInt32Array::from(places), None)?))
}
