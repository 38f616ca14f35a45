//! The option `damaged` of a table: stop at the first damaged row, or skip and count damaged rows.

use std::fs;
use std::sync::Arc;

use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::SessionContext;
use fourfold::biniou::ChunkWriter;
use fourfold::molecule::with::DynVec;
use fourfold::{biniou, molecule};
use fourfold_tables::datafusion::{Format, Scanned, name_by_path};
use fourfold_tables::{Damage, Damaged, Options, Schema};
use serde::Serialize;
use tempfile::TempDir;

use crate::{create, lines, rows, session, text};

const ATD: &str = "type entry = { host : string; bytes : int }";

const MOL: &str = "array Uint64 [byte; 8]; vector Bytes <byte>; \
    table Script { args: Bytes, } table Cell { capacity: Uint64, lock: Script, } \
    vector Cells <Cell>;";

#[derive(Serialize)]
struct Entry {
    host: String,
    bytes: i64,
}

fn entries(count: i64) -> Vec<Entry> {
    (0..count).map(|bytes| Entry { host: format!("host {bytes}."), bytes }).collect()
}

#[derive(Serialize)]
struct Script {
    #[serde(with = "molecule::with::fixvec")]
    args: Vec<u8>,
}

#[derive(Serialize)]
struct Cell {
    capacity: u64,
    lock: Script,
}

fn cells(count: u64) -> Vec<Cell> {
    (0..count).map(|capacity| Cell { capacity, lock: Script { args: vec![7; 3] } }).collect()
}

/// A folder with files of 100 rows, of which 3, 50 and 97 are damaged.
fn files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("log.atd", ATD.as_bytes());
    write("cells.mol", MOL.as_bytes());
    let log = entries(100);
    let mut chunks = ChunkWriter::new(Vec::new());
    for chunk in log.chunks(10) {
        chunks.write_chunk(&biniou::to_vec(chunk).unwrap()).unwrap();
    }
    let list = biniou::to_vec(&log).unwrap();
    let table = biniou::to_vec(&biniou::with::Table(&log)).unwrap();
    for (name, mut bytes) in
        [("list", list), ("stream", chunks.finish().unwrap()), ("table", table)]
    {
        for row in DAMAGED {
            let host = format!("host {row}.");
            let at = bytes.windows(host.len()).position(|it| it == host.as_bytes()).unwrap();
            bytes[at] = 0xff;
        }
        write(name, &bytes);
    }
    let cells = cells(100);
    let mut records = molecule::RecordWriter::new(Vec::new());
    for cell in &cells {
        records.write(cell).unwrap();
    }
    for (name, mut bytes) in
        [("dynvec", molecule::to_vec(&DynVec(&cells)).unwrap()), ("records", records.into_inner())]
    {
        for row in DAMAGED {
            // A table of two fields: the capacity, followed by the script with its only offset.
            let cell = molecule::to_vec(&cells[usize::try_from(row).unwrap()]).unwrap();
            let at = bytes.windows(cell.len()).position(|it| it == cell).unwrap();
            bytes[at + 24] = 9;
        }
        write(name, &bytes);
    }
    folder
}

const DAMAGED: [u64; 3] = [3, 50, 97];

/// A file: its name, format and type, the damaged column, and an undamaged one.
type File = (&'static str, &'static str, &'static str, &'static str, &'static str);

const FILES: [File; 5] = [
    ("list", "biniou", "entry", "host", "bytes"),
    ("stream", "biniou", "entry", "host", "bytes"),
    ("table", "biniou", "entry", "host", "bytes"),
    ("dynvec", "molecule", "Cells", "lock['args']", "capacity"),
    ("records", "molecule", "Cell", "lock['args']", "capacity"),
];

/// A session with a table `t` of a file, and the option `damaged`.
async fn declared(
    folder: &TempDir,
    (name, format, ty, ..): File,
    damaged: Option<&str>,
    cores: usize,
) -> SessionContext {
    let schema = if format == "biniou" { "log.atd" } else { "cells.mol" };
    let schema = folder.path().join(schema).display().to_string();
    let context = session(cores);
    let mut options = vec![("schema", &*schema), ("type", ty)];
    options.extend(damaged.map(|damaged| ("damaged", damaged)));
    create(&context, format, &options, &folder.path().join(name)).await.unwrap();
    context
}

/// The metric of all scans of an executed plan.
fn damaged_rows(plan: &Arc<dyn ExecutionPlan>) -> usize {
    let metrics = plan.metrics().and_then(|metrics| metrics.sum_by_name("damaged_rows"));
    let here = metrics.map_or(0, |metric| metric.as_usize());
    here + plan.children().into_iter().map(damaged_rows).sum::<usize>()
}

/// The rows that a query returns, and the number of skipped damaged rows.
async fn counted(context: &SessionContext, query: &str) -> (Vec<String>, usize) {
    let frame = context.sql(query).await.unwrap();
    let plan = frame.create_physical_plan().await.unwrap();
    let batches = collect(Arc::clone(&plan), context.task_ctx()).await.unwrap();
    (lines(&batches), damaged_rows(&plan))
}

#[tokio::test]
async fn damaged_rows_are_skipped_and_counted() {
    let folder = files();
    let sum = (0..100).sum::<u64>() - DAMAGED.iter().sum::<u64>();
    for file in FILES {
        let (name, _, _, damaged, number) = file;
        for cores in [1, 3] {
            let context = declared(&folder, file, Some("skip"), cores).await;
            let least = format!("min({damaged}) is not null");
            for (query, expected) in [
                (
                    format!("select count(*), sum({number}), {least} from t"),
                    format!("97|{sum}|true"),
                ),
                (
                    format!("select count(*), sum({number}), {least} from t where {number} < 50"),
                    format!("49|{}|true", 49 * 25 - 3),
                ),
                (
                    format!("select count(*), sum({number}), {least} from t where {number} = 50"),
                    "0|null|false".to_owned(),
                ),
            ] {
                let found = counted(&context, &query).await;
                assert_eq!(found, (vec![expected], 3), "{name} on {cores} cores: {query}");
            }
        }
    }
}

/// Damage in columns that are not read is not detected.
#[tokio::test]
async fn rows_are_damaged_in_columns_that_are_read() {
    let folder = files();
    for file in FILES {
        let (name, _, _, _, number) = file;
        let context = declared(&folder, file, Some("skip"), 3).await;
        let query = format!("select count(*), sum({number}) from t where {number} >= 50");
        let expected = format!("50|{}", (50..100).sum::<u64>());
        assert_eq!(counted(&context, &query).await, (vec![expected], 0), "{name}");
    }
}

#[tokio::test]
async fn explain_analyze_shows_the_number_of_damaged_rows() {
    let folder = files();
    for file in FILES {
        let (name, _, _, damaged, number) = file;
        let context = declared(&folder, file, Some("skip"), 1).await;
        for (query, expected) in [
            (format!("select max({number}), min({damaged}) from t"), "damaged_rows=3,"),
            (format!("select max({number}) from t"), "damaged_rows=0,"),
        ] {
            let plan = rows(&context, &format!("explain analyze {query}")).await.unwrap();
            let plan = plan.join("\n");
            let scan = plan.lines().find(|line| line.contains("DataSourceExec")).unwrap();
            assert!(scan.contains(expected), "{name}: {query}: {scan}");
        }
    }
}

#[tokio::test]
async fn the_first_damage_stops_a_query_unless_that_is_declared() {
    let folder = files();
    for file in FILES {
        let (name, _, _, damaged, number) = file;
        for declaration in [Some("stop"), None] {
            let context = declared(&folder, file, declaration, 1).await;
            let query = format!("select max({number}), min({damaged}) from t");
            let error = text(&rows(&context, &query).await.unwrap_err());
            let start = format!("{}: row 3: ", folder.path().join(name).display());
            assert!(error.starts_with(&start) && !error.contains('\n'), "{error}");
        }
    }
}

/// The rows of a query, and what its scans have skipped.
async fn skipped(context: &SessionContext, query: &str) -> (Vec<String>, Scanned) {
    let plan = context.sql(query).await.unwrap().create_physical_plan().await.unwrap();
    let answer = collect(Arc::clone(&plan), context.task_ctx()).await.unwrap();
    (lines(&answer), Scanned::by(&plan))
}

/// Each query lists the rows that it has skipped, and none of other queries.
#[tokio::test]
async fn each_query_lists_only_its_own_damaged_rows() {
    let folder = files();
    for (name, kind, ty, damaged, number) in FILES {
        let schema = if kind == "biniou" { Schema::biniou(ATD) } else { Schema::molecule(MOL) };
        let options = Options::new().damaged(Damaged::Skip);
        let format = Format::new(Arc::new(schema.unwrap()), ty, options).unwrap();
        let context = name_by_path(session(1), move |_| Ok(Some(format.clone())));
        let path = folder.path().join(name).display().to_string();
        for _ in 0..2 {
            let query = format!("select max({number}), min({damaged}) from '{path}'");
            let (_, scanned) = skipped(&context, &query).await;
            let of_rows: Vec<_> = scanned.damages.iter().map(Damage::row).collect();
            assert_eq!(of_rows, DAMAGED.map(Some), "{name}");
            assert_eq!(scanned.damaged_rows, 3, "{name}");
            assert_eq!(scanned.bytes, scanned.of_bytes, "{name}");
            let wrong = if kind == "biniou" { "invalid utf-8" } else { "offset 9" };
            for damage in &scanned.damages {
                assert_eq!(damage.file(), Some(&*path));
                assert!(damage.text().starts_with(wrong), "{damage}");
            }
            // Damage in columns that a query does not read is not counted.
            let (_, scanned) =
                skipped(&context, &format!("select max({number}) from '{path}'")).await;
            assert_eq!((scanned.damaged_rows, scanned.damages.len()), (0, 0), "{name}");
        }
        // Rows are counted before they are sent, even if the query stops early.
        let query = format!("select {damaged} from '{path}' limit 5");
        let (found, scanned) = skipped(&context, &query).await;
        assert_eq!((found.len(), scanned.damaged_rows), (5, 3), "{name}");
    }
}

/// The file is not split, so that row indices count from its start.
#[tokio::test]
async fn damages_have_places_on_any_number_of_cores() {
    let folder = files();
    let format = Format::new(
        Arc::new(Schema::biniou(ATD).unwrap()),
        "entry",
        Options::new().damaged(Damaged::Skip),
    )
    .unwrap();
    let context = name_by_path(session(3), move |_| Ok(Some(format.clone())));
    let path = folder.path().join("stream").display().to_string();
    let query = format!("select count(*), min(host) from '{path}'");
    let (found, scanned) = skipped(&context, &query).await;
    assert_eq!(found, ["97|host 0."]);
    let mut damages = scanned.damages;
    damages.sort_by_key(Damage::row);
    let of_rows: Vec<_> = damages.iter().map(Damage::row).collect();
    assert_eq!(of_rows, [Some(3), Some(50), Some(97)]);
    let texts: Vec<&str> = damages.iter().map(Damage::text).collect();
    for item in [3, 50, 97] {
        let place = format!(" of a string in [{}][{}].host at byte ", item / 10, item % 10);
        assert!(texts.iter().any(|text| text.contains(&place)), "{texts:?}");
    }
}

/// The fields of a null struct are null, as in Parquet.
#[tokio::test]
async fn fields_of_nothing_are_nothing() {
    const ATD: &str = "type row = { o : int option option }";
    #[derive(Serialize)]
    struct Row {
        o: Option<Option<i64>>,
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let bytes = biniou::to_vec(&[Row { o: None }, Row { o: Some(Some(7)) }][..]).unwrap();
    fs::write(path("row.atd"), ATD).unwrap();
    fs::write(path("rows"), &bytes).unwrap();
    let schema = Schema::biniou(ATD).unwrap();
    let table = fourfold_tables::Table::new(&schema, "row").unwrap();
    let file = fs::File::create(path("rows.parquet")).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, table.schema(), None).unwrap();
    for batch in table.read(&*bytes) {
        writer.write(&batch.unwrap()).unwrap();
    }
    writer.close().unwrap();
    let context = session(1);
    let schema = path("row.atd").display().to_string();
    create(&context, "biniou", &[("schema", &*schema), ("type", "row")], &path("rows"))
        .await
        .unwrap();
    let parquet = path("rows.parquet").display().to_string();
    context.register_parquet("p", &*parquet, Default::default()).await.unwrap();
    assert_eq!(rows(&context, "select o['value'] from p").await.unwrap(), ["null", "7"]);
    assert_eq!(rows(&context, "select o['value'] from t").await.unwrap(), ["null", "7"]);
}

/// The number of remaining rows does not depend on the number of cores.
#[tokio::test]
async fn as_many_rows_are_left_on_any_number_of_cores() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cells.mol"), MOL).unwrap();
    let good = molecule::to_vec(&DynVec(cells(2))).unwrap();
    let mut bytes = [&good[..], &good].concat();
    // An offset of the first vector.
    bytes[4] = 13;
    fs::write(folder.path().join("dynvec"), bytes).unwrap();
    for cores in [1, 2, 3, 8] {
        let context = declared(&folder, FILES[3], Some("skip"), cores).await;
        let found = counted(&context, "select count(*) from t").await;
        assert_eq!(found, (vec!["0".to_owned()], 1), "{cores} cores");
    }
}
