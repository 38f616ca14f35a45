//! Query results written as files of both formats: `COPY`, and `INSERT` into a table.

use std::fs;

use fourfold::molecule::with::DynVec;
use fourfold::{biniou, molecule};
use fourfold_tables::{Schema, Table};
use serde::Serialize;
use tempfile::TempDir;

use crate::{create, create_named, rows, session, text};

const ATD: &str = "type entry = { host : string; bytes : int; user : string option; tags : string list } \
                   type log = entry list";

const MOL: &str = "array Uint64 [byte; 8]; vector Bytes <byte>; \
                   table Cell { capacity: Uint64, data: Bytes, } vector Cells <Cell>; array Pair [byte; 2]; \
                   struct Point { x: byte, y: Pair, } vector Points <Point>;";

#[derive(Serialize)]
struct Entry {
    host: String,
    bytes: i64,
    user: Option<String>,
    tags: Vec<String>,
}

/// Cells with increasing numbers of bytes.
fn cells() -> Vec<Cell> {
    (0_u8..100)
        .map(|number| Cell { capacity: number.into(), data: vec![7; number.into()] })
        .collect()
}

fn entries(from: i64, count: i64) -> Vec<Entry> {
    let entry = |bytes: i64| Entry {
        host: format!("h{}", bytes % 7),
        bytes,
        user: (bytes % 3 == 0).then(|| format!("u{bytes}")),
        tags: (0..bytes % 4).map(|tag| format!("t{tag}")).collect(),
    };
    (from..from + count).map(entry).collect()
}

#[derive(Serialize)]
struct Cell {
    capacity: u64,
    #[serde(with = "molecule::with::fixvec")]
    data: Vec<u8>,
}

/// A folder with both schemas, a log and cells.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("log.atd", ATD.as_bytes());
    write("cells.mol", MOL.as_bytes());
    write("log.biniou", &biniou::to_vec(&entries(0, 3000)).unwrap());
    write("cells.bin", &molecule::to_vec(&DynVec(cells())).unwrap());
    folder
}

/// Runs a query, in which `@` is replaced by the folder, and returns its rows or its error.
async fn run(cores: usize, folder: &TempDir, query: &str) -> Result<Vec<String>, String> {
    let place = folder.path().display().to_string();
    let context = session(cores);
    for (name, format, schema, ty, file) in [
        ("log", "biniou", "log.atd", "entry", "log.biniou"),
        ("cells", "molecule", "cells.mol", "Cells", "cells.bin"),
    ] {
        let schema = format!("{place}/{schema}");
        let options = [("schema", &*schema), ("type", ty)];
        let location = format!("{place}/{file}");
        create_named(&context, name, format, &options, &location).await.unwrap();
    }
    rows(&context, &query.replace('@', &place)).await.map_err(|error| text(&error))
}

/// A copy has the same bytes as files of the library and the writer, in every form, on one core and more.
#[tokio::test]
async fn copies_have_the_bytes_of_their_form() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let schema = Schema::biniou(ATD).unwrap();
    let table = Table::new(&schema, "entry").unwrap();
    for cores in [1, 3] {
        for (name, form) in [
            ("list", fourfold_tables::Form::List),
            ("table", fourfold_tables::Form::Table),
            ("stream", fourfold_tables::Form::Stream),
            ("values", fourfold_tables::Form::Values),
        ] {
            let query = format!(
                "copy (select * from log order by bytes) to '@/{name}.biniou' stored as biniou \
                 options ('schema' '@/log.atd', 'type' 'entry', 'form' '{name}')"
            );
            assert_eq!(run(cores, &folder, &query).await.unwrap(), ["3000"]);
            let mut expected = table.write(Vec::new(), form);
            for batch in table.read_files([path("log.biniou").to_str().unwrap()]).unwrap() {
                expected.write(&batch.unwrap()).unwrap();
            }
            let written = fs::read(path(&format!("{name}.biniou"))).unwrap();
            assert!(written == expected.finish().unwrap(), "{name} on {cores} cores");
        }
        assert!(fs::read(path("list.biniou")).unwrap() == fs::read(path("log.biniou")).unwrap());
        let query = "copy (select data, capacity from cells order by capacity) to '@/copy.bin' \
                     stored as molecule options ('schema' '@/cells.mol', 'type' 'Cells')";
        assert_eq!(run(cores, &folder, query).await.unwrap(), ["100"]);
        assert!(fs::read(path("copy.bin")).unwrap() == fs::read(path("cells.bin")).unwrap());
        // Concatenated rows, written with the row's type instead of the vector's.
        let query = "copy (select capacity, data from cells order by capacity) to '@/rows.bin' \
                     stored as molecule options ('schema' '@/cells.mol', 'type' 'Cell', 'form' 'values')";
        assert_eq!(run(cores, &folder, query).await.unwrap(), ["100"]);
        let rows: Vec<u8> =
            cells().iter().flat_map(|cell| molecule::to_vec(cell).unwrap()).collect();
        assert!(fs::read(path("rows.bin")).unwrap() == rows);
    }
}

/// Columns of other types are converted if each value stays the same.
#[tokio::test]
async fn columns_of_other_types_that_lose_nothing_are_taken() {
    let folder = folder();
    let query = "copy (select cast(tags as varchar[]) as tags, arrow_cast(bytes, 'UInt32') as bytes, \
                 arrow_cast(host, 'Dictionary(Int8, Utf8)') as host from log where bytes < 9) \
                 to '@/a.parquet' stored as parquet";
    assert_eq!(run(2, &folder, query).await.unwrap(), ["9"]);
    let context = session(2);
    let place = folder.path().display().to_string();
    let create = format!("create external table a stored as parquet location '{place}/a.parquet'");
    context.sql(&create).await.unwrap();
    let query = format!(
        "copy (select * from a order by bytes) to '{place}/b.biniou' \
         options ('schema' '{place}/log.atd', 'type' 'entry')"
    );
    assert_eq!(rows(&context, &query).await.unwrap(), ["9"]);
    // A missing column of an optional field is null.
    let expected: Vec<Entry> =
        entries(0, 9).into_iter().map(|entry| Entry { user: None, ..entry }).collect();
    assert_eq!(
        fs::read(folder.path().join("b.biniou")).unwrap(),
        biniou::to_vec(&expected).unwrap()
    );
}

#[tokio::test]
async fn inserted_rows_are_in_a_file_of_their_own() {
    let folder = folder();
    let logs = folder.path().join("logs");
    fs::create_dir(&logs).unwrap();
    fs::copy(folder.path().join("log.biniou"), logs.join("first.biniou")).unwrap();
    let schema = folder.path().join("log.atd").display().to_string();
    let options = [("schema", &*schema), ("type", "entry"), ("form", "stream")];
    let context = session(2);
    create(&context, "biniou", &options, &logs.join("")).await.unwrap();
    let query = "insert into t (bytes, host, tags) values (-1, 'new', ['a']), (-2, 'old', [])";
    assert_eq!(rows(&context, query).await.unwrap(), ["2"]);
    let query = "select count(*), sum(bytes) from t";
    assert_eq!(rows(&context, query).await.unwrap(), ["3002|4498497"]);
    assert_eq!(fs::read_dir(&logs).unwrap().count(), 2);
    let query = "select host, \"user\", tags from t where bytes < 0 order by host";
    assert_eq!(rows(&context, query).await.unwrap(), ["new|null|[a]", "old|null|[]"]);
    let error = rows(&context, "insert overwrite t select * from t").await.unwrap_err();
    let expected = "tables stored as biniou support INSERT INTO only, no overwriting";
    assert!(text(&error).contains(expected), "{error}");
}

#[tokio::test]
async fn a_column_may_be_the_name_of_a_folder() {
    let folder = folder();
    let query = "copy (select *, bytes % 2 as part from log where bytes < 5) to '@/parts/' stored as biniou \
                 partitioned by (part) options ('schema' '@/log.atd', 'type' 'entry')";
    assert_eq!(run(2, &folder, query).await.unwrap(), ["5"]);
    let schema = Schema::biniou(ATD).unwrap();
    let table = Table::new(&schema, "entry").unwrap();
    for (part, count) in [("part=0", 3), ("part=1", 2)] {
        let files = format!("{}/parts/{part}/*.biniou", folder.path().display());
        let batches = table.read_files([files]).unwrap();
        let found: usize = batches.map(|batch| batch.unwrap().num_rows()).sum();
        assert_eq!(found, count, "{part}");
    }
}

/// If a row is not a valid value, nothing is written, and the error is one line.
#[tokio::test]
async fn answers_that_are_no_rows_of_the_type_are_refused() {
    let folder = folder();
    for (query, options, expected) in [
        (
            "select host, bytes, tags, 1 as more from log",
            "'type' 'entry'",
            "the batch does not match `entry`: it has no column `more`; there are `host`, `bytes`, `user`, `tags`",
        ),
        (
            "select host, tags from log",
            "'type' 'entry'",
            "the batch does not match `entry`: column `bytes` is missing",
        ),
        (
            "select host, 'one' as bytes, tags from log",
            "'type' 'entry'",
            "the batch does not match `entry`: column `bytes` is Utf8 where Int64 is expected",
        ),
        (
            "select host, cast(bytes as double) as bytes, tags from log",
            "'type' 'entry'",
            "the batch does not match `entry`: column `bytes` is Float64 where Int64 is expected",
        ),
        (
            "select host, nullif(bytes, 1) as bytes, tags from log order by bytes nulls last",
            "'type' 'entry'",
            "row 2999: null where a value is required in bytes",
        ),
        (
            "select host, bytes + 4611686018427387903 as bytes, tags from log where bytes < 2 order by bytes",
            "'type' 'entry'",
            "row 1: ",
        ),
        (
            "select host, arrow_cast(bytes, 'UInt64') + 9223372036854775807 as bytes, tags from log",
            "'type' 'entry'",
            "the batch does not match `entry`: column `bytes`: ",
        ),
        (
            "select * from log",
            "'type' 'entry', 'form' 'rows'",
            "`form` is `list` or `table` or `stream` or `values`, not `rows`",
        ),
    ] {
        let query = format!(
            "copy ({query}) to '@/no.biniou' stored as biniou options ('schema' '@/log.atd', {options})"
        );
        let message = run(2, &folder, &query).await.unwrap_err();
        assert!(message.starts_with(expected), "{query}\n{message}\n{expected}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(!folder.path().join("no.biniou").exists(), "{query}");
    }
    for (query, options, expected) in [
        (
            "select * from cells",
            "'type' 'Cell'",
            "`Cell` is not a vector: name a vector of it, or write concatenated values",
        ),
        (
            "select * from cells",
            "'type' 'Cells', 'form' 'stream'",
            "Molecule has no streams of chunks: write a list, or concatenated values",
        ),
        (
            "select 256 as x, arrow_cast(x'0102', 'FixedSizeBinary(2)') as y",
            "'type' 'Points'",
            "the batch does not match `Points`: column `x`: ",
        ),
        (
            "select 1 as x, x'010203' as y",
            "'type' 'Points'",
            "the batch does not match `Points`: column `y`: ",
        ),
    ] {
        let query = format!(
            "copy ({query}) to '@/no.bin' stored as molecule options ('schema' '@/cells.mol', {options})"
        );
        let message = run(2, &folder, &query).await.unwrap_err();
        assert!(message.starts_with(expected), "{query}\n{message}\n{expected}");
        assert!(!folder.path().join("no.bin").exists(), "{query}");
    }
}
