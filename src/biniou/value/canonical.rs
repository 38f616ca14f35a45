//! A value without what it remembers of its bytes.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::{Table, Value};

impl Value {
    /// The value as it is written without a file to repeat: each vint as short as possible.
    ///
    /// ```
    /// use fourfold::biniou::{Value, from_slice, to_vec};
    ///
    /// // uvint 7, in two bytes where one would do
    /// let value: Value = from_slice(&[17, 0x87, 0])?;
    /// assert_eq!(to_vec(&value)?, [17, 0x87, 0]);
    /// assert_eq!(to_vec(&value.into_canonical())?, [17, 7]);
    /// # Ok::<(), fourfold::biniou::Error>(())
    /// ```
    #[must_use]
    pub fn into_canonical(self) -> Self {
        match self {
            Value::Overlong(_, inner) => inner.into_canonical(),
            Value::Array(items) => Value::Array(all(items)),
            Value::Tuple(items) => Value::Tuple(all(items)),
            Value::Record(fields) => {
                let fields = fields.into_iter();
                Value::Record(fields.map(|(hash, field)| (hash, field.into_canonical())).collect())
            }
            Value::NumVariant(number, argument) => {
                Value::NumVariant(number, argument.map(|inner| Box::new(inner.into_canonical())))
            }
            Value::Variant(hash, argument) => {
                Value::Variant(hash, argument.map(|inner| Box::new(inner.into_canonical())))
            }
            Value::Table(table) => {
                let Table { columns, rows } = *table;
                Value::Table(Box::new(Table { columns, rows: rows.into_iter().map(all).collect() }))
            }
            Value::Shared(id, value) => Value::Shared(id, Box::new(value.into_canonical())),
            other => other,
        }
    }
}

fn all(values: Vec<Value>) -> Vec<Value> {
    values.into_iter().map(Value::into_canonical).collect()
}
