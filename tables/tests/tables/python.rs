//! Parquet files of batches, read by pyarrow and DuckDB, which count and sum the values of each column.
//!
//! Known differences:
//!
//! - DuckDB reads a dictionary of names as text; pyarrow reads a dictionary.
//! - Column names in DuckDB are case-insensitive: of two names that differ only in case, the second has the suffix
//!   `_1`.
//! - Parquet has no unions, so columns of `Sums::Union` cannot be written.
//!
//! Both read columns of only nulls, also in lists and structs.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_buffer::i256;
use arrow_schema::DataType;
use fourfold_tables::{Exploded, Options, Schema, Strings, Sums, Table, WideNumbers};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::ckb::types::Block;
use crate::rows::{made, rows_of};
use crate::values::fixture;

/// Number of generated rows.
const ROWS: u32 = 3_000;
/// Rows in a batch, and in a row group of a file.
const BATCH: usize = 700;

/// The columns of a file and their children, as the script prints them.
type Columns = BTreeMap<String, Found>;

/// The content of a column or child column.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
struct Found {
    #[serde(rename = "type")]
    ty: String,
    count: usize,
    nulls: usize,
    /// Of numbers; text for integers, since `f64` does not represent all of them.
    sum: Option<Value>,
    /// Of text, names and bytes, in bytes.
    length: Option<usize>,
}

/// The content of a file.
#[derive(Debug, Default, Deserialize, PartialEq)]
struct Summary {
    rows: usize,
    columns: Columns,
}

#[derive(Deserialize)]
struct Readers {
    pyarrow: Summary,
    duckdb: Summary,
}

/// The interpreter that has the modules of the script.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os("FOURFOLD_PYTHON").map(PathBuf::from);
    let python = named.unwrap_or_else(|| "python3".into());
    let found = Command::new(&python).args(["-c", "import duckdb, pyarrow.parquet"]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "Parquet files are read by Python with pyarrow and duckdb, and CI never skips that"
    );
    println!("no Python with pyarrow and duckdb here (see FOURFOLD_PYTHON): skipped");
    None
}

/// What both readers find in a file, or the error of Python.
fn found(python: &Path, file: &Path) -> Result<Readers, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables/python.py");
    let output = Command::new(python).arg(script).arg(file).output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let [readers]: [Readers; 1] = serde_json::from_slice(&output.stdout).unwrap();
    Ok(readers)
}

/// Writes batches to a file, each as a row group, and returns the expected content.
fn write(path: &Path, batches: impl RecordBatchReader) -> Summary {
    let schema = batches.schema();
    let file = File::create(path).unwrap();
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = ArrowWriter::try_new(file, schema.clone(), Some(properties)).unwrap();
    let mut rows = Vec::new();
    for batch in batches {
        let batch: RecordBatch = batch.unwrap();
        writer.write(&batch).unwrap();
        writer.flush().unwrap();
        rows.extend(rows_of(&batch));
    }
    writer.close().unwrap();
    let mut summary = Summary { rows: rows.len(), ..Summary::default() };
    for field in schema.fields() {
        let cells = rows.iter().map(|row| &row[field.name()]).collect();
        summarise(field.name(), field.data_type(), cells, &mut summary.columns);
    }
    summary
}

/// Collects the columns of cells of that type. The children of a null are not counted.
fn summarise(path: &str, ty: &DataType, cells: Vec<&Value>, columns: &mut Columns) {
    let there: Vec<&Value> = cells.iter().copied().filter(|cell| !cell.is_null()).collect();
    let mut found = Found {
        ty: kind(ty),
        count: cells.len(),
        nulls: cells.len() - there.len(),
        ..Found::default()
    };
    let items = || there.iter().flat_map(|cell| cell.as_array().unwrap());
    let text_length = |cell: &&Value| cell.as_str().unwrap().len();
    match ty {
        DataType::Null => {}
        DataType::Boolean => {
            let ones = there.iter().map(|cell| i256::from(i8::from(**cell == json!(true))));
            found.sum = Some(integer(ones));
        }
        DataType::Float32 | DataType::Float64 => {
            // The empty sum of floats is -0 in Rust, and 0 elsewhere.
            let sum = there.iter().fold(0.0, |sum, cell| sum + cell.as_f64().unwrap());
            found.sum = Some(json!(sum));
        }
        DataType::Utf8 | DataType::Dictionary(..) => {
            found.length = Some(there.iter().map(text_length).sum());
        }
        // Two digits for each byte, after `0x`.
        DataType::Binary | DataType::FixedSizeBinary(_) => {
            found.length = Some(there.iter().map(|cell| text_length(cell) / 2 - 1).sum());
        }
        DataType::List(item) | DataType::FixedSizeList(item, _) => {
            let items = items().collect();
            summarise(&format!("{path}[]"), item.data_type(), items, columns);
        }
        DataType::Map(entry, _) => {
            let DataType::Struct(fields) = entry.data_type() else { panic!("{entry}") };
            for field in fields {
                let cells = items().map(|entry| &entry[field.name()]).collect();
                let path = format!("{path}[].{}", field.name());
                summarise(&path, field.data_type(), cells, columns);
            }
        }
        DataType::Struct(fields) => {
            for field in fields {
                let cells = there.iter().map(|cell| &cell[field.name()]).collect();
                let path = format!("{path}.{}", field.name());
                summarise(&path, field.data_type(), cells, columns);
            }
        }
        _ => {
            let number = |cell: &&Value| match cell {
                Value::String(digits) => i256::from_string(digits).unwrap(),
                digits => i256::from_string(&digits.to_string()).unwrap(),
            };
            found.sum = Some(integer(there.iter().map(number)));
        }
    }
    columns.insert(path.to_owned(), found);
}

fn integer(numbers: impl Iterator<Item = i256>) -> Value {
    json!(numbers.fold(i256::ZERO, |sum, number| sum.checked_add(number).unwrap()).to_string())
}

/// The script's name of a type.
fn kind(ty: &DataType) -> String {
    match ty {
        DataType::Boolean => "bool".into(),
        DataType::Float32 => "float".into(),
        DataType::Float64 => "double".into(),
        DataType::Decimal128(..) => "decimal".into(),
        DataType::Utf8 => "text".into(),
        DataType::Dictionary(..) => "names".into(),
        DataType::Binary | DataType::FixedSizeBinary(_) => "bytes".into(),
        DataType::List(_) | DataType::FixedSizeList(..) => "list".into(),
        DataType::Map(..) => "map".into(),
        DataType::Struct(_) => "struct".into(),
        ty => ty.to_string().to_lowercase(),
    }
}

/// Fails with the list of all columns that differ. `like` accepts known differences.
#[track_caller]
fn same(reader: &str, found: &Summary, expected: &Summary, like: impl Fn(&Found, &Found) -> bool) {
    assert_eq!(found.rows, expected.rows, "{reader}");
    let paths = |summary: &Summary| summary.columns.keys().cloned().collect::<Vec<_>>();
    assert_eq!(paths(found), paths(expected), "{reader}");
    let pairs = found.columns.iter().zip(expected.columns.values());
    let wrong: Vec<String> = pairs
        .filter(|((_, found), expected)| found != expected && !like(found, expected))
        .map(|((path, found), expected)| format!("{path}: {found:?}, not {expected:?}"))
        .collect();
    assert!(wrong.is_empty(), "{reader}:\n{}", wrong.join("\n"));
}

/// Accepts DuckDB's column types that differ from Arrow's.
fn is_like_in_duckdb(found: &Found, expected: &Found) -> bool {
    match expected.ty.as_str() {
        "names" => *found == Found { ty: "text".into(), ..expected.clone() },
        _ => false,
    }
}

/// Checks that both readers find the values of the batches in a file. Returns the expected content.
#[track_caller]
fn check(python: &Path, batches: impl RecordBatchReader) -> Columns {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let expected = write(&path, batches);
    let readers = found(python, &path).unwrap_or_else(|error| panic!("{error}"));
    same("pyarrow", &readers.pyarrow, &expected, |_, _| false);
    same("DuckDB", &readers.duckdb, &expected, is_like_in_duckdb);
    expected.columns
}

/// The sum of an integer column.
fn sum(columns: &Columns, path: &str) -> u64 {
    columns[path].sum.as_ref().unwrap().as_str().unwrap().parse().unwrap()
}

#[derive(Deserialize)]
struct Logs {
    logs: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    address: Address,
    request: String,
    code: u16,
    size: u64,
}

#[derive(Deserialize)]
struct Address {
    x3: u8,
}

#[test]
fn python_reads_a_log_of_biniou() {
    let Some(python) = python() else { return };
    let schema = Schema::from_file(fixture("biniou/schemas/log.atd")).unwrap();
    let bytes = fs::read(fixture("biniou/data/log.logs-hundred.biniou")).unwrap();
    let Logs { logs } = fourfold::biniou::from_slice(&bytes).unwrap();

    let table = Table::new(&schema, "logs").unwrap();
    let columns = check(&python, Exploded::new(table.read_slice(&bytes), ["logs"]).unwrap());
    assert_eq!(columns["logs"].count, logs.len());
    assert_eq!(sum(&columns, "logs.size"), logs.iter().map(|entry| entry.size).sum::<u64>());
    let codes = logs.iter().map(|entry| u64::from(entry.code));
    assert_eq!(sum(&columns, "logs.code"), codes.sum::<u64>());
    let ends = logs.iter().map(|entry| u64::from(entry.address.x3));
    assert_eq!(sum(&columns, "logs.address.x3"), ends.sum::<u64>());
    let length = logs.iter().map(|entry| entry.request.len()).sum();
    assert_eq!(columns["logs.request"].length, Some(length));

    // The same as one row with a list, and a TABLE of the same entries.
    let whole = check(&python, table.read_slice(&bytes));
    assert_eq!(whole["logs"].count, 1);
    assert_eq!(whole["logs[].size"], columns["logs.size"]);
    let fifty = fixture("biniou/data/log.log_table-fifty.biniou");
    let table = Table::new(&schema, "log_table").unwrap();
    let columns = check(&python, table.read_files([fifty.to_str().unwrap()]).unwrap());
    assert_eq!(columns["request"].count, 50);
}

#[test]
fn python_reads_the_first_block_of_ckb() {
    let Some(python) = python() else { return };
    let schema = Schema::from_file(fixture("molecule/schemas/blockchain.mol")).unwrap();
    let bytes = fs::read(fixture("molecule/genesis/mainnet.bin")).unwrap();
    let block: Block = fourfold::molecule::from_slice(&bytes).unwrap();
    let outputs = || block.transactions.iter().flat_map(|it| &it.raw.outputs);
    let data = || block.transactions.iter().flat_map(|it| &it.raw.outputs_data);

    let table = Table::new(&schema, "Block").unwrap();
    let columns =
        check(&python, Exploded::new(table.read_slice(&bytes), ["transactions"]).unwrap());
    assert_eq!(columns["transactions"].count, block.transactions.len());
    let capacity = outputs().map(|output| output.capacity).sum::<u64>();
    assert_eq!(sum(&columns, "transactions.raw.outputs[].capacity"), capacity);
    assert_eq!(columns["transactions.raw.outputs[].capacity"].count, outputs().count());
    let without = outputs().filter(|output| output.type_.is_none()).count();
    assert_eq!(columns["transactions.raw.outputs[].type_"].nulls, without);
    let length = data().map(|data| data.0.len()).sum();
    assert_eq!(columns["transactions.raw.outputs_data[]"].length, Some(length));

    let whole = check(&python, table.read_slice(&bytes));
    assert_eq!(sum(&whole, "transactions[].raw.outputs[].capacity"), capacity);
}

const BINIOU: &str = r#"
type row = {
    bool : bool;
    int8 : int <biniou repr="int8">;
    int16 : int <biniou repr="int16">;
    int32 : int <ocaml repr="int32"> <biniou repr="int32">;
    int64 : int <ocaml repr="int64"> <biniou repr="int64">;
    int : int;
    uvint : int <biniou repr="uvint">;
    float32 : float <biniou repr="float32">;
    float : float;
    text : string;
    unit : unit;
    ?maybe : string option;
    ?never : int option;
    ~default : int;
    option : int option;
    twice : int option option;
    unit_option : unit option;
    pair : (int * string);
    point : point;
    point_option : point option;
    name : name;
    name_option : name option;
    sum : sum;
    sum_option : sum option;
    ints : int list;
    bools : bool list;
    lists : int list list;
    texts : string option list;
    units : unit list;
    names : name list;
    sums : sum list;
    table : point list <ocaml repr="array"> <biniou repr="table">;
    map : (string * int option) list <json repr="object">;
    list_option : int list option;
    map_option : (string * int) list <json repr="object"> option;
    pair_option : (int * string) option;
    tree : tree;
}
type point = { x : float; ?label : string option }
type name = [ Red | Green | Blue ]
type sum = [ Empty | Circle of float | Named of string | Box of (int * int) | Colour of name | Perhaps of int option ]
type tree = { value : int; children : tree list }
"#;

/// A row of every kind of column. The floats have exact sums in any order.
fn biniou_row(n: u32) -> Value {
    let small = i64::from(n) - 1_000;
    let text = || format!("row {n}, año 年");
    let some = |value: Value| json!(["Some", value]);
    let option = |every: u32, value: Value| match n % every {
        0 => json!("None"),
        _ => some(value),
    };
    let point = |x: u32| match x % 2 {
        0 => json!({ "x": f64::from(x) / 8.0 }),
        _ => json!({ "x": f64::from(x) / -8.0, "label": format!("p{x}") }),
    };
    let name = |n: u32| ["Red", "Green", "Blue"][n as usize % 3];
    let sum = |n: u32| match n % 7 {
        0 => json!("Empty"),
        1 => json!(["Circle", f64::from(n) / 4.0]),
        2 => json!(["Named", text()]),
        3 => json!(["Box", [n, small]]),
        4 => json!(["Colour", name(n / 7)]),
        5 => json!(["Perhaps", "None"]),
        _ => json!(["Perhaps", ["Some", n]]),
    };
    let times = |count: u32| 0..n % count;
    let mut row = json!({
        "bool": n % 3 == 0,
        "int8": n % 256,
        "int16": n * 21 % 65_536,
        "int32": small * 1_000_000,
        "int64": (small * 4_000_000_000_000_000).to_string(),
        "int": small << 40,
        "uvint": u64::from(n) << 30,
        "float32": f64::from(n) / 2.0 - 700.0,
        "float": f64::from(n) / 1024.0,
        "text": text(),
        "unit": null,
        "option": option(4, json!(small)),
        "twice": option(3, option(5, json!(n))),
        "unit_option": option(2, json!(null)),
        "pair": [n, text()],
        "point": point(n),
        "point_option": option(3, point(n / 3)),
        "name": name(n),
        "name_option": option(5, json!(name(n / 5))),
        "sum": sum(n),
        "sum_option": option(3, sum(n / 3)),
        "ints": times(5).collect::<Vec<_>>(),
        "bools": times(3).map(|at| at == 1).collect::<Vec<_>>(),
        "lists": times(4).map(|at| (0..at).collect()).collect::<Vec<Vec<_>>>(),
        "texts": times(4).map(|at| if at == 1 { json!("None") } else { some(json!(text())) }).collect::<Vec<_>>(),
        "units": times(3).map(|_| json!(null)).collect::<Vec<_>>(),
        "names": times(6).map(name).collect::<Vec<_>>(),
        "sums": times(9).map(sum).collect::<Vec<_>>(),
        "table": times(4).map(point).collect::<Vec<_>>(),
        "map": times(4).map(|at| (format!("k{at}"), option(4 + at, json!(n)))).collect::<Map<_, _>>(),
        "list_option": option(3, json!(times(5).collect::<Vec<_>>())),
        "map_option": option(3, Value::Object(times(4).map(|at| (format!("k{at}"), json!(n))).collect())),
        "pair_option": option(4, json!([n, text()])),
        "tree": { "value": n, "children": times(3).map(|at| json!({ "value": at, "children": [] })).collect::<Vec<_>>() },
    });
    let fields = row.as_object_mut().unwrap();
    if n % 4 != 0 {
        fields.insert("maybe".into(), json!(text()));
    }
    if n % 6 != 0 {
        fields.insert("default".into(), json!(n));
    }
    row
}

#[test]
fn python_reads_every_column_of_biniou() {
    let Some(python) = python() else { return };
    let schema = Schema::biniou(BINIOU).unwrap();
    let bytes: Vec<u8> = (0..ROWS).flat_map(|n| made(&schema, &biniou_row(n), "row")).collect();
    let options = Options::new().batch_rows(BATCH);
    let table = Table::with_options(&schema, "row", options.clone()).unwrap();
    let columns = check(&python, table.read_slice(&bytes));
    let total = u64::from(ROWS);
    assert_eq!(sum(&columns, "uvint"), (total * (total - 1) / 2) << 30);
    assert_eq!(columns["unit"].nulls, ROWS as usize);
    assert_eq!(columns["never"].nulls, ROWS as usize);
    // A file without rows has the same columns.
    let none = check(&python, table.read_slice(&[]));
    assert!(none.keys().eq(columns.keys()));

    let options = options.strings(Strings::Bytes);
    let table = Table::with_options(&schema, "row", options).unwrap();
    let as_bytes = check(&python, table.read_slice(&bytes));
    assert_eq!(as_bytes["text"].ty, "bytes");
    assert_eq!(as_bytes["text"].length, columns["text"].length);
}

const MOLECULE: &str = "
array Uint16 [byte; 2]; array Int16 [byte; 2];
array Uint32 [byte; 4]; array Int32 [byte; 4];
array Uint64 [byte; 8]; array Int64 [byte; 8];
array Uint128 [byte; 16]; array Byte32 [byte; 32];
array Three [Uint16; 3]; array Pairs [Pair; 2];
vector Bytes <byte>; vector BytesVec <Bytes>; vector Wide <Uint128>; vector PairVec <Pair>;
option BytesOpt (Bytes); option EmptyOpt (Empty); option PairOpt (Pair); option AnyOpt (Any);
option ThreeOpt (Three); option PairsOpt (Pairs); option BytesVecOpt (BytesVec);
vector BytesOptVec <BytesOpt>; vector EmptyVec <Empty>; vector AnyVec <Any>; vector RestVec <Rest>;
struct Pair { a: byte, b: Uint64, }
table Empty { }
table Rest { text: Bytes, hash: Byte32, }
union Any { byte, Bytes, Pair, Empty, BytesOpt, }
table row {
    byte: byte, u16: Uint16, i16: Int16, u32: Uint32, i32: Int32, u64: Uint64, i64: Int64,
    u128: Uint128, hash: Byte32, bytes: Bytes,
    three: Three, pairs: Pairs, pair: Pair, rest: Rest, empty: Empty,
    bytes_opt: BytesOpt, empty_opt: EmptyOpt, pair_opt: PairOpt, any: Any, any_opt: AnyOpt,
    bytes_vec: BytesVec, wide_vec: Wide, pair_vec: PairVec, opt_vec: BytesOptVec,
    empty_vec: EmptyVec, any_vec: AnyVec, rest_vec: RestVec,
    three_opt: ThreeOpt, pairs_opt: PairsOpt, vec_opt: BytesVecOpt,
}";

/// A row whose numbers of 128 bits are at least `least`.
fn molecule_row(n: u32, least: u128) -> Value {
    let hex = |bytes: &[u8]| json!(crate::rows::hex(bytes));
    // Numbers of more than 53 bits are text.
    let u64 = |n: u32| json!((u64::MAX - u64::from(n)).to_string());
    let u128 = |n: u32| json!((least + u128::from(n)).to_string());
    let byte = |n: u32| u8::try_from(n % 256).unwrap();
    let small = i16::try_from(n).unwrap() - 2_000;
    let hash = || hex(&[byte(n); 32]);
    let bytes = |n: u32| hex(&vec![7; n as usize % 50]);
    let option = |every: u32, value: Value| if n % every == 0 { json!(null) } else { value };
    let pair = |n: u32| json!({ "a": n % 256, "b": u64(n) });
    let rest = |n: u32| json!({ "text": bytes(n), "hash": hash() });
    let three = || (0..3).map(|at| u16::from_le_bytes([at, byte(n)])).collect::<Vec<_>>();
    let any = |n: u32| match n % 6 {
        0 => json!({ "type": "byte", "value": n % 256 }),
        1 => json!({ "type": "Bytes", "value": bytes(n) }),
        2 => json!({ "type": "Pair", "value": pair(n) }),
        3 => json!({ "type": "Empty", "value": {} }),
        4 => json!({ "type": "BytesOpt", "value": null }),
        _ => json!({ "type": "BytesOpt", "value": bytes(n) }),
    };
    let list =
        |count: u32, item: &dyn Fn(u32) -> Value| (0..n % count).map(item).collect::<Vec<Value>>();
    json!({
        "byte": n % 256,
        "u16": n,
        "i16": small,
        "u32": u32::MAX - n,
        "i32": i32::from(small) * 1_000_000,
        "u64": u64(n),
        "i64": (i64::from(small) << 50).to_string(),
        "u128": u128(n),
        "hash": hash(),
        "bytes": bytes(n),
        "three": three(),
        "pairs": [pair(n), pair(n + 1)],
        "pair": pair(n),
        "rest": rest(n),
        "empty": {},
        "bytes_opt": option(3, bytes(n)),
        "empty_opt": option(2, json!({})),
        "pair_opt": option(4, pair(n)),
        "any": any(n),
        "any_opt": option(3, any(n / 3)),
        "bytes_vec": list(4, &bytes),
        "wide_vec": list(3, &u128),
        "pair_vec": list(4, &pair),
        "opt_vec": list(5, &|at| if at % 2 == 0 { json!(null) } else { bytes(n) }),
        "empty_vec": list(3, &|_| json!({})),
        "any_vec": list(7, &any),
        "rest_vec": list(3, &rest),
        "three_opt": option(3, json!(three())),
        "pairs_opt": option(4, json!([pair(n), pair(n + 1)])),
        "vec_opt": option(3, json!(list(5, &bytes))),
    })
}

#[test]
fn python_reads_every_column_of_molecule() {
    let Some(python) = python() else { return };
    let schema = Schema::molecule(MOLECULE).unwrap();
    let rows = |least: u128| -> Vec<u8> {
        (0..ROWS).flat_map(|n| made(&schema, &molecule_row(n, least), "row")).collect()
    };
    let bytes = rows(u128::MAX - 2 * u128::from(ROWS));
    let options = Options::new().batch_rows(BATCH);
    let table = Table::with_options(&schema, "row", options.clone()).unwrap();
    let columns = check(&python, table.read_slice(&bytes));
    assert_eq!(columns["u128"].length, Some(39 * ROWS as usize));
    let none = check(&python, table.read_slice(&[]));
    assert!(none.keys().eq(columns.keys()));

    let least = 100_000_000_000_000_000_001;
    let decimals = options.clone().wide_numbers(WideNumbers::Decimal);
    let table = Table::with_options(&schema, "row", decimals).unwrap();
    let columns = check(&python, table.read_slice(&rows(least)));
    let rows = u128::from(ROWS);
    let sum = rows * least + rows * (rows - 1) / 2;
    assert_eq!(columns["u128"].sum, Some(json!(sum.to_string())));

    let options = options.wide_numbers(WideNumbers::Bytes);
    let table = Table::with_options(&schema, "row", options).unwrap();
    let columns = check(&python, table.read_slice(&bytes));
    assert_eq!(columns["u128"].length, Some(16 * ROWS as usize));
}

/// A biniou list of pairs may have duplicate keys. Both readers accept that.
#[test]
fn python_reads_maps_with_duplicate_keys() {
    let Some(python) = python() else { return };
    // JSON objects have unique keys, so the pairs are encoded from a list.
    let pairs = Schema::biniou("type row = { c : (string * int) list }").unwrap();
    let bytes = made(&pairs, &json!({ "c": [["a", 1], ["a", 2]] }), "row");
    let map = r#"type row = { c : (string * int) list <json repr="object"> }"#;
    let map = Schema::biniou(map).unwrap();
    let columns = check(&python, Table::new(&map, "row").unwrap().read_slice(&bytes));
    assert_eq!(sum(&columns, "c[].value"), 3);
}

#[test]
fn duckdb_numbers_names_that_differ_only_in_case() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let schema = Schema::biniou("type row = { na : int; nA : int; c : [ Variant of int | B ] }");
    let schema = schema.unwrap();
    let bytes = made(&schema, &json!({ "na": 1, "nA": 2, "c": ["Variant", 3] }), "row");
    let mut expected = write(&path, Table::new(&schema, "row").unwrap().read_slice(&bytes));
    let readers = found(&python, &path).unwrap();
    same("pyarrow", &readers.pyarrow, &expected, |_, _| false);
    for (name, numbered) in [("nA", "nA_1"), ("c.Variant", "c.Variant_1")] {
        let column = expected.columns.remove(name).unwrap();
        expected.columns.insert(numbered.into(), column);
    }
    same("DuckDB", &readers.duckdb, &expected, is_like_in_duckdb);
}

/// The writer of the `parquet` crate panics instead of returning an error.
#[test]
#[should_panic(expected = "not implemented")]
fn parquet_has_no_unions() {
    let schema = Schema::biniou("type row = { c : [ A of int | B of string ] }").unwrap();
    let table = Table::with_options(&schema, "row", Options::new().sums(Sums::Union)).unwrap();
    let _ = ArrowWriter::try_new(Vec::new(), table.schema(), None);
}
