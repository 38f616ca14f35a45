//! Batches and files that cannot be written.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{
    Array as _, ArrayRef, BinaryArray, Decimal128Array, DictionaryArray, Int64Array, ListArray,
    RecordBatch, StringArray, StructArray, UInt64Array,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, Fields};
use fourfold_schema::atd::ListMaker;
use fourfold_tables::{Form, Options, Schema, Table, WideNumbers};
use serde::de::IntoDeserializer as _;

use super::{again, make};

/// The error of a writer for a batch of these columns.
#[track_caller]
fn refused(schema: &Schema, name: &str, columns: Vec<(&str, ArrayRef)>) -> String {
    refused_by(&Table::new(schema, name).unwrap(), columns)
}

#[track_caller]
fn refused_by(table: &Table<'_>, columns: Vec<(&str, ArrayRef)>) -> String {
    let mut writer = table.write(Vec::new(), Form::Values);
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let error = writer.write(&batch).unwrap_err().to_string();
    // Nothing was written.
    assert!(writer.finish().unwrap().is_empty());
    error
}

fn ints(values: &[Option<i64>]) -> ArrayRef {
    Arc::new(Int64Array::from(values.to_vec()))
}

#[test]
fn batches_with_other_columns_are_refused() {
    let schema =
        Schema::biniou("type row = { a : int; b : inner list }  type inner = { x : int }").unwrap();
    let inner = |values: &[Option<i64>], name: &str| -> ArrayRef {
        let fields = Fields::from(vec![Field::new(name, DataType::Int64, true)]);
        let items = StructArray::new(fields.clone(), vec![ints(values)], None);
        let item = Arc::new(Field::new("item", DataType::Struct(fields), true));
        let offsets = OffsetBuffer::from_lengths([1, values.len() - 1]);
        Arc::new(ListArray::new(item, offsets, Arc::new(items), None))
    };
    let a = || ints(&[Some(1), Some(2)]);
    let b = || inner(&[Some(1), Some(2), None], "x");
    let text = || -> ArrayRef { Arc::new(StringArray::from(vec!["1", "2"])) };
    for (columns, wanted) in [
        (vec![("a", a())], "the batch does not match `row`: column `b` is missing"),
        (
            vec![("b", b()), ("a", a())],
            "the batch does not match `row`: column `b` where `a` is expected",
        ),
        (
            vec![("a", a()), ("b", b()), ("c", a())],
            "the batch does not match `row`: column `c` is not expected",
        ),
        (
            vec![("a", text()), ("b", b())],
            "the batch does not match `row`: Utf8 where Int64 is expected in a",
        ),
        (
            vec![("a", a()), ("b", inner(&[Some(1), Some(2)], "y"))],
            "the batch does not match `row`: column `y` where `x` is expected in b",
        ),
        // Nulls where the type has none.
        (
            vec![("a", ints(&[Some(1), None])), ("b", inner(&[Some(1), Some(2)], "x"))],
            "row 1: null where a value is required in a",
        ),
        (vec![("a", a()), ("b", b())], "row 1: null where a value is required in b[1].x"),
        // Integers out of the range of the type.
        (
            vec![("a", ints(&[Some(i64::MAX), Some(1)])), ("b", inner(&[Some(1), Some(2)], "x"))],
            "row 0: invalid value: integer `9223372036854775807`, expected an integer of 63 bits in a",
        ),
    ] {
        assert_eq!(refused(&schema, "row", columns), wanted);
    }
}

#[test]
fn invalid_rows_are_refused() {
    // Numbers of 128 bits.
    let schema = Schema::molecule("array Uint128 [byte; 16]; struct Row { a: Uint128, }").unwrap();
    for wrong in ["-1", "340282366920938463463374607431768211456", "", "1.0"] {
        let texts: ArrayRef = Arc::new(StringArray::from(vec!["1", wrong]));
        let text = format!("row 1: invalid unsigned integer of 128 bits: `{wrong}` in a");
        assert_eq!(refused(&schema, "Row", vec![("a", texts)]), text);
    }
    let options = Options::new().wide_numbers(WideNumbers::Decimal);
    let table = Table::with_options(&schema, "Row", options).unwrap();
    let decimals = |values: Vec<i128>, scale| -> ArrayRef {
        Arc::new(Decimal128Array::from(values).with_precision_and_scale(38, scale).unwrap())
    };
    assert_eq!(
        refused_by(&table, vec![("a", decimals(vec![1, -1], 0))]),
        "row 1: invalid unsigned integer of 128 bits: `-1` in a"
    );
    assert_eq!(
        refused_by(&table, vec![("a", decimals(vec![1], 2))]),
        "the batch does not match `Row`: Decimal128(38, 2) where Decimal128(38, 0) is expected in a"
    );

    // Variants.
    let schema = Schema::biniou("type row = [ A | B of int | C of int ]").unwrap();
    let names = |name: &str| -> ArrayRef {
        Arc::new(DictionaryArray::<arrow_array::types::Int32Type>::from_iter([Some(name)]))
    };
    for (name, b, c, text) in [
        ("X", None, None, "row 0: there is no variant `X`"),
        ("B", None, None, "row 0: null where a value is required in B"),
        ("B", Some(1), Some(2), "row 0: the variant is `B`, and `C` has a value"),
        ("A", None, Some(2), "row 0: the variant is `A`, and `C` has a value"),
    ] {
        let columns = vec![("variant", names(name)), ("B", ints(&[b])), ("C", ints(&[c]))];
        assert_eq!(refused(&schema, "row", columns), text);
    }

    // Bytes that are not a value of the recursive type.
    let schema = Schema::biniou("type row = { v : int; next : row list }").unwrap();
    let table = Table::with_options(&schema, "row", Options::new().recursion(1)).unwrap();
    let bytes = make(&schema, r#"{"v":1,"next":[{"v":2,"next":[]},{"v":3,"next":[]}]}"#, "row");
    let batch = table.read(&*bytes).next().unwrap().unwrap();
    let list = batch.column(1).as_list::<i32>();
    let DataType::List(field) = list.data_type() else { panic!("a list") };
    let written = |cut: [&[u8]; 2]| {
        let items = Arc::new(BinaryArray::from(cut.to_vec()));
        let list = ListArray::new(Arc::clone(field), list.offsets().clone(), items, None);
        let columns: [ArrayRef; 2] = [Arc::clone(batch.column(0)), Arc::new(list)];
        let batch = RecordBatch::try_new(table.schema(), columns.to_vec()).unwrap();
        let mut writer = table.write(Vec::new(), Form::Values);
        writer.write(&batch).map_err(|error| error.to_string())?;
        writer.finish().map_err(|error| error.to_string())
    };
    let [second, third] =
        [2, 3].map(|v| make(&schema, &format!(r#"{{"v":{v},"next":[]}}"#), "row"));
    assert_eq!(written([&second, &third]), Ok(bytes));
    let longer = [&*third, &[0]].concat();
    for (cut, text) in [
        (&[][..], "input ends early: 1 byte needed, 0 left at byte 0"),
        (&longer, "1 trailing byte at byte 14"),
        (&[18, 0], "found string, expected record at byte 0"),
    ] {
        let text = format!("row 0: bytes that are no value of the type: {text} in next[1]");
        assert_eq!(written([&second, cut]), Err(text));
    }

    // Cells of a tuple.
    let schema = Schema::biniou(
        r#"type row = (int * <ocaml default="1"> : int * <ocaml default="2"> : int)"#,
    )
    .unwrap();
    let columns = ["0", "1", "2"].into_iter().zip([Some(1), None, Some(2)]);
    let columns = columns.map(|(name, value)| (name, ints(&[value]))).collect();
    assert_eq!(refused(&schema, "row", columns), "row 0: cell 1 is missing, and cell 2 is not");

    // The default of a missing `~field` is only in OCaml, and a TABLE has no missing fields.
    let schema = Schema::biniou(r#"type row = { ~a <ocaml default="7"> : int }"#).unwrap();
    let table = Table::new(&schema, "row").unwrap();
    let batch = RecordBatch::try_new(table.schema(), vec![ints(&[None])]).unwrap();
    let error = table.write(Vec::new(), Form::Table).write(&batch).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 0: field `a` is missing, and its default is an OCaml expression"
    );
    let mut writer = table.write(Vec::new(), Form::List);
    writer.write(&batch).unwrap();
    assert_eq!(writer.finish().unwrap(), [19, 1, 21, 0]);
}

/// Rows before and after a refused batch are written.
#[test]
fn a_batch_is_written_as_a_whole_or_not_at_all() {
    let schema = Schema::biniou("type row = { a : int }").unwrap();
    let table = Table::new(&schema, "row").unwrap();
    let batch = |values: &[Option<i64>]| {
        RecordBatch::try_from_iter_with_nullable([("a", ints(values), true)]).unwrap()
    };
    let whole = make(
        &Schema::biniou("type rows = row list  type row = { a : int }").unwrap(),
        r#"[{"a":1},{"a":2},{"a":3}]"#,
        "rows",
    );
    for form in [Form::List, Form::Table, Form::Stream, Form::Values] {
        let mut writer = table.write(Vec::new(), form);
        writer.write(&batch(&[Some(1), Some(2)])).unwrap();
        let error = writer.write(&batch(&[Some(7), None])).unwrap_err();
        assert_eq!(error.to_string(), "row 3: null where a value is required in a");
        writer.write(&batch(&[])).unwrap();
        writer.write(&batch(&[Some(3)])).unwrap();
        let bytes = writer.finish().unwrap();
        assert_eq!(again(&schema, "row", Options::new(), &bytes, form).unwrap(), bytes);
        assert_eq!(again(&schema, "row", Options::new(), &bytes, Form::List).unwrap(), whole);
    }
}

#[test]
fn nothing_is_written_after_a_failure() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let schema = Schema::molecule("array Uint64 [byte; 8]; struct Row { a: Uint64, }").unwrap();
    let table = Table::new(&schema, "Row").unwrap();
    let column: ArrayRef = Arc::new(UInt64Array::from(vec![1]));
    let batch = RecordBatch::try_new(table.schema(), vec![column]).unwrap();
    let mut writer = table.write(Full, Form::Values);
    let error = writer.write(&batch).unwrap_err();
    assert_eq!(error.to_string(), "cannot write: the disk is full");
    for error in [writer.write(&batch).unwrap_err(), writer.finish().map(drop).unwrap_err()] {
        assert_eq!(error.to_string(), "cannot write: an earlier write failed");
    }
}

/// Slices of arrays, and names of variants in another order, as other libraries create them.
#[test]
fn batches_of_other_libraries_are_written() {
    let schema = Schema::biniou(
        "type row = { s : sum; c : color; l : int list; m : (string * int) list <json repr=\"object\"> }
         type sum = [ A | B of int ]  type color = [ Red | Green ]  type rows = row list",
    )
    .unwrap();
    let list = make(
        &schema,
        r#"[{"s":"A","c":"Red","l":[1,2],"m":{"a":1}},{"s":["B",7],"c":"Green","l":[3],"m":{}},
            {"s":["B",8],"c":"Red","l":[],"m":{"b":2,"c":3}}]"#,
        "rows",
    );
    let table = Table::new(&schema, "row").unwrap();
    let batch = table.read(&*list).next().unwrap().unwrap();
    for form in [Form::List, Form::Values] {
        let mut whole = table.write(Vec::new(), form);
        whole.write(&batch).unwrap();
        let mut parts = table.write(Vec::new(), form);
        for row in 0..batch.num_rows() {
            parts.write(&batch.slice(row, 1)).unwrap();
        }
        assert_eq!(parts.finish().unwrap(), whole.finish().unwrap());
    }
    // Through Parquet.
    let mut file = tempfile::tempfile().unwrap();
    let mut parquet =
        parquet::arrow::ArrowWriter::try_new(&mut file, table.schema(), None).unwrap();
    parquet.write(&batch.slice(1, 2)).unwrap();
    parquet.write(&batch).unwrap();
    parquet.close().unwrap();
    let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReader::try_new(file, 2).unwrap();
    let mut writer = table.write(Vec::new(), Form::List);
    for batch in reader {
        writer.write(&batch.unwrap()).unwrap();
    }
    let bytes = writer.finish().unwrap();
    let Schema::Biniou(atd) = &schema else { panic!("it is one of biniou") };
    let mut wanted = ListMaker::list(atd.get("row").unwrap());
    let shown: serde_json::Value =
        serde_json::to_value(atd.to_value(&list, "rows").unwrap()).unwrap();
    let items = shown.as_array().unwrap();
    let order = [1, 2, 0, 1, 2].map(|at: usize| items[at].clone());
    wanted.append(serde_json::Value::from(order.to_vec()).into_deserializer()).unwrap();
    assert_eq!(bytes, [wanted.head(), wanted.body().to_vec()].concat());
}
