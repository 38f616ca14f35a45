//! What scans do with a query: which columns, rows and files they read, and how much.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use datafusion::prelude::SessionContext;
use fourfold::biniou;
use fourfold::molecule;
use fourfold::molecule::with::{DynVec, fixvec};
use fourfold_tables::datafusion::{Format, name_by_path};
use fourfold_tables::{Options, Schema};
use serde::Serialize;

use crate::{create, create_named, lines, rows, session, text};

const ATD: &str = "type point = { x : int; y : int }  type level = [ Low | High ] \
    type entry = { host : string; bytes : int; ?user : string option; at : point; level : level }";

const MOL: &str = "array Uint64 [byte; 8]; vector Bytes <byte>; \
    table Script { args: Bytes, } \
    table Cell { capacity: Uint64, lock: Script, data: Bytes, } vector Cells <Cell>;";

#[derive(Serialize)]
struct Point {
    x: i64,
    y: i64,
}

#[derive(Serialize)]
enum Level {
    Low,
    High,
}

#[derive(Serialize)]
struct Entry {
    host: String,
    bytes: i64,
    #[serde(with = "biniou::with::optional")]
    user: Option<String>,
    at: Point,
    level: Level,
}

fn entries(count: i64) -> Vec<Entry> {
    let entry = |bytes: i64| Entry {
        host: format!("h{}", bytes % 7),
        bytes,
        user: (bytes % 3 > 0).then(|| format!("user {bytes}")),
        at: Point { x: bytes * 2, y: -bytes },
        level: if bytes % 2 == 0 { Level::Low } else { Level::High },
    };
    (0..count).map(entry).collect()
}

#[derive(Serialize)]
struct Script {
    #[serde(with = "fixvec")]
    args: Vec<u8>,
}

#[derive(Serialize)]
struct Cell {
    capacity: u64,
    lock: Script,
    #[serde(with = "fixvec")]
    data: Vec<u8>,
}

fn cells(count: u8) -> Vec<Cell> {
    let cell = |at: u8| Cell {
        capacity: at.into(),
        lock: Script { args: vec![at; 5] },
        data: vec![at; at.into()],
    };
    (0..count).map(cell).collect()
}

/// A session with a table `t` of a file.
async fn of_file(
    folder: &Path,
    schema: (&str, &str),
    ty: &str,
    bytes: &[u8],
    cores: usize,
) -> SessionContext {
    let (name, text) = schema;
    let format = if name.ends_with(".atd") { "biniou" } else { "molecule" };
    fs::write(folder.join(name), text).unwrap();
    fs::write(folder.join("file.bin"), bytes).unwrap();
    let context = session(cores);
    let schema = folder.join(name).display().to_string();
    let options = [("schema", &*schema), ("type", ty)];
    create(&context, format, &options, &folder.join("file.bin")).await.unwrap();
    context
}

async fn of_log(folder: &Path, bytes: &[u8]) -> SessionContext {
    of_file(folder, ("log.atd", ATD), "entry", bytes, 1).await
}

/// The physical plan of a query.
async fn plan(context: &SessionContext, query: &str) -> String {
    let frame = context.sql(&format!("explain format indent {query}")).await.unwrap();
    let lines = lines(&frame.collect().await.unwrap());
    lines.into_iter().find(|line| line.starts_with("physical_plan|")).unwrap()
}

/// The line of a plan that describes the scan.
fn scan(plan: &str) -> &str {
    let mut scans = plan.lines().filter(|line| line.contains("DataSourceExec"));
    let scan = scans.next().unwrap();
    assert_eq!(scans.next(), None, "{plan}");
    scan.trim_start()
}

/// The part of that line after the files.
fn scanned(plan: &str) -> &str {
    let (_, scanned) = scan(plan).split_once("]]}, ").unwrap_or_else(|| panic!("{plan}"));
    scanned
}

#[tokio::test]
async fn only_columns_of_the_query_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let context = of_log(folder.path(), &biniou::to_vec(&entries(10)).unwrap()).await;
    let log = "file_type=biniou, type=entry";
    for (query, expected) in [
        ("select * from t", format!("projection=[host, bytes, user, at, level], {log}")),
        ("select host from t", format!("projection=[host], {log}")),
        ("select level, bytes from t", format!("projection=[level, bytes], {log}")),
        ("select bytes + 1 as b from t", format!("projection=[bytes@1 + 1 as b], {log}")),
        ("select at['x'] as x from t", format!("projection=[get_field(at@3, x) as x], {log}")),
        ("select count(*) from t", log.into()),
        (
            "select host, sum(bytes) from t group by host",
            format!("projection=[host, bytes], {log}"),
        ),
        (
            "select host from t where bytes > 3",
            format!("projection=[host], {log}, predicate=bytes@1 > 3"),
        ),
    ] {
        let plan = plan(&context, query).await;
        assert_eq!(scanned(&plan), expected, "{query}");
    }
}

/// `bytes` with the byte after the first occurrence of `found` changed.
fn changed(bytes: &[u8], found: &[u8], to: u8) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = bytes.windows(found.len()).position(|it| it == found).unwrap();
    bytes[at + found.len()] = to;
    bytes
}

#[tokio::test]
async fn damage_in_unused_columns_is_not_detected() {
    let folder = tempfile::tempdir().unwrap();
    let log = entries(10);
    let list = biniou::to_vec(&log).unwrap();
    for bytes in [list, biniou::to_vec(&biniou::with::Table(&log)).unwrap()] {
        let context = of_log(folder.path(), &changed(&bytes, b"user ", 0xff)).await;
        for (query, expected) in [
            ("select sum(bytes) from t", "45"),
            ("select count(*) from t", "10"),
            ("select at['x'] from t where level = 'High' and host = 'h2'", "18"),
        ] {
            assert_eq!(rows(&context, query).await.unwrap(), [expected]);
        }
        for query in ["select user from t", "select host from t where user = 'user 7'"] {
            let error = text(&rows(&context, query).await.unwrap_err());
            assert!(error.contains("row 1: invalid utf-8 at byte 5 of a string"), "{error}");
        }
    }

    let bytes = molecule::to_vec(&DynVec(cells(10))).unwrap();
    // The offset of the script's only field.
    let bytes = changed(&bytes, &[17, 0, 0, 0], 9);
    let context = of_file(folder.path(), ("cells.mol", MOL), "Cells", &bytes, 1).await;
    for (query, expected) in [
        ("select sum(capacity) from t", "45"),
        ("select count(*) from t", "10"),
        ("select encode(data, 'hex') from t where capacity = 3", "030303"),
    ] {
        assert_eq!(rows(&context, query).await.unwrap(), [expected]);
    }
    let error = text(&rows(&context, "select lock from t").await.unwrap_err());
    let expected = "row 0: offset 9 is not a multiple of 4 in [0].lock at byte 72";
    assert!(error.ends_with(expected), "{error}");
}

#[tokio::test]
async fn filters_are_evaluated_in_the_scan() {
    let folder = tempfile::tempdir().unwrap();
    let context = of_log(folder.path(), &biniou::to_vec(&entries(10)).unwrap()).await;
    for (condition, predicate, count) in [
        ("bytes = 3", "bytes@1 = 3", 1),
        ("bytes < 3 and host <> 'h0'", "bytes@1 < 3 AND host@0 != h0", 2),
        ("bytes between 3 and 5", "bytes@1 >= 3 AND bytes@1 <= 5", 3),
        ("host like 'h%' and not bytes > 4", "bytes@1 <= 4 AND host@0 LIKE h%", 5),
        ("user is null", "user@2 IS NULL", 4),
        ("user is not null or bytes = 0", "user@2 IS NOT NULL OR bytes@1 = 0", 7),
        ("user <> 'user 1'", "user@2 != user 1", 5),
        ("level = 'High'", "level@4 = High", 5),
        ("level in ('Low', 'High')", "level@4 = Low OR level@4 = High", 10),
        ("at['x'] > 4", "get_field(at@3, x) > 4", 7),
        ("abs(at['y']) = bytes", "abs(get_field(at@3, y)) = bytes@1", 10),
        ("case when bytes < 4 then true else level = 'Low' end", "", 7),
    ] {
        let query = format!("select host from t where {condition}");
        let plan = plan(&context, &query).await;
        assert!(!plan.contains("FilterExec"), "{plan}");
        let (_, found) = scanned(&plan).split_once(", predicate=").unwrap();
        assert!(found == predicate || predicate.is_empty(), "{found}");
        let query = format!("select count(*) from t where {condition}");
        assert_eq!(rows(&context, &query).await.unwrap(), [count.to_string()], "{condition}");
    }
    // Volatile conditions are evaluated once, after the scan.
    let plan = plan(&context, "select host from t where random() < 0.5").await;
    assert!(plan.contains("FilterExec: random() < 0.5"), "{plan}");
    assert!(!scanned(&plan).contains("predicate"), "{plan}");
}

/// A filter over a projection is rewritten to the file's columns.
#[tokio::test]
async fn filters_on_renamed_columns_use_the_columns_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let context = of_log(folder.path(), &biniou::to_vec(&entries(10)).unwrap()).await;
    let swapped = "(select host as level, bytes as user, user as host, bytes * 2 as twice from t)";
    for (query, expected) in [
        (format!("select user from {swapped} where level = 'h2'"), &["2", "9"][..]),
        (format!("select level from {swapped} where twice = 8 and host = 'user 4'"), &["h4"]),
        (format!("select user from {swapped} order by twice desc limit 2"), &["9", "8"]),
        (
            format!(
                "select a.level from {swapped} a join t on a.twice = t.bytes where t.bytes > 5"
            ),
            &["h3", "h4"],
        ),
        (
            format!(
                "select a.user from {swapped} a join t on a.user = t.bytes where t.host = 'h5'"
            ),
            &["5"],
        ),
    ] {
        let mut found = rows(&context, &query).await.unwrap();
        if !query.contains("order by") {
            found.sort();
        }
        assert_eq!(found, expected, "{query}");
    }
}

/// Dynamic filters, which narrow during execution: rows that can still be among the first, or have a join partner.
#[tokio::test]
async fn dynamic_filters_reach_the_scan() {
    let folder = tempfile::tempdir().unwrap();
    let context = of_log(folder.path(), &biniou::to_vec(&entries(10)).unwrap()).await;
    let query = "select host from t order by bytes desc limit 3";
    let first = plan(&context, query).await;
    assert!(scanned(&first).ends_with("predicate=DynamicFilter [ empty ]"), "{first}");
    assert_eq!(rows(&context, query).await.unwrap(), ["h2", "h1", "h0"]);
    let query = "select a.host from t a join t b on a.bytes = b.bytes where b.at['x'] = 8";
    let join = plan(&context, query).await;
    assert!(!join.contains("FilterExec"), "{join}");
    let found = "predicate=get_field(at@3, x) = 8 AND DynamicFilter [ empty ]";
    assert!(join.contains(found), "{join}");
    assert_eq!(rows(&context, query).await.unwrap(), ["h4"]);
}

/// Folders `day=1/kind=a` and so on, each with a file of ten rows.
fn write_days(folder: &Path) -> String {
    for (place, count) in [("day=1/kind=a", 10), ("day=1/kind=b", 11), ("day=2/kind=a", 12)] {
        let place = folder.join("logs").join(place);
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("x.biniou"), biniou::to_vec(&entries(count)).unwrap()).unwrap();
    }
    fs::write(folder.join("log.atd"), ATD).unwrap();
    format!("{}/", folder.join("logs").display())
}

/// Queries on folder columns, and their results; `t` is the table.
const DAYS: [(&str, &[&str]); 12] = [
    ("select count(*) from t", &["33"]),
    ("select day, kind, count(*) from t group by day, kind", &["1|a|10", "1|b|11", "2|a|12"]),
    ("select distinct day from t", &["1", "2"]),
    ("select max(bytes) from t where day = '1'", &["10"]),
    ("select kind, bytes, day from t where bytes > 9 and day = '1'", &["b|10|1"]),
    ("select day, host, kind from t where bytes = 11", &["2|h4|a"]),
    ("select kind, day from t where bytes = 3 and host = 'h3'", &["a|1", "a|2", "b|1"]),
    ("select count(*) from t where day = '2' or bytes = 3", &["14"]),
    (
        "select day, bytes from t where day = '1' and (kind = 'b' or bytes = 4) and host = 'h4'",
        &["1|4", "1|4"],
    ),
    ("select bytes from t where concat('h', day) = host and kind = 'a' and day < '2'", &["1", "8"]),
    ("select kind, bytes from t order by bytes desc, kind limit 2", &["a|11", "a|10"]),
    ("select count(*) from t where day = '3'", &["0"]),
];

async fn query_days(context: &SessionContext, table: &str) {
    for (query, expected) in DAYS {
        let query = query.replace("from t", &format!("from {table}"));
        let mut found = rows(context, &query).await.unwrap();
        if !query.contains("order by") {
            found.sort();
        }
        assert_eq!(found, expected, "{query}");
    }
}

#[tokio::test]
async fn folders_are_columns() {
    let folder = tempfile::tempdir().unwrap();
    let place = write_days(folder.path());
    let schema = folder.path().join("log.atd").display().to_string();
    for cores in [1, 3] {
        let context = session(cores);
        let options = format!("options ('schema' '{schema}', 'type' 'entry') location '{place}'");
        for (name, folders) in [("named", "partitioned by (day, kind)"), ("found", "")] {
            let query =
                format!("create external table {name} stored as biniou {folders} {options}");
            context.sql(&query).await.unwrap();
            query_days(&context, name).await;
        }
        let format =
            Format::new(Arc::new(Schema::biniou(ATD).unwrap()), "entry", Options::new()).unwrap();
        let context =
            name_by_path(context, move |path| Ok(path.ends_with("logs/").then(|| format.clone())));
        query_days(&context, &format!("'{place}' as t")).await;
    }
}

#[tokio::test]
async fn filters_on_folder_columns_select_files() {
    let folder = tempfile::tempdir().unwrap();
    let place = write_days(folder.path());
    // This file must not be read.
    fs::write(folder.path().join("logs/day=2/kind=a/x.biniou"), [5; 99]).unwrap();
    let context = session(1);
    let schema = folder.path().join("log.atd").display().to_string();
    let options = [("schema", &*schema), ("type", "entry")];
    create_named(&context, "t", "biniou", &options, &place).await.unwrap();
    let query = "select host, kind from t where day = '1' and kind <> 'a' and bytes > 9";
    let found = plan(&context, query).await;
    assert!(!found.contains("FilterExec"), "{found}");
    let scan = scan(&found);
    assert!(scan.contains("/day=1/kind=b/x.biniou]]}"), "{scan}");
    assert!(!scan.contains("kind=a") && !scan.contains("day=2"), "{scan}");
    assert!(scan.ends_with("type=entry, predicate=bytes@1 > 9"), "{scan}");
    assert_eq!(rows(&context, query).await.unwrap(), ["h3|b"]);
    assert_eq!(rows(&context, "select count(*) from t where day = '1'").await.unwrap(), ["21"]);

    // A condition on both kinds of columns is evaluated after the scan.
    let found = plan(&context, "select host from t where kind = 'b' or bytes = 1").await;
    assert!(found.contains("FilterExec: kind@2 = b OR bytes@1 = 1"), "{found}");
    let error = rows(&context, "select count(*) from t where host = 'h1'").await.unwrap_err();
    let error = text(&error);
    assert!(error.contains("day=2/kind=a/x.biniou: row 0: "), "{error}");
}

#[tokio::test]
async fn nothing_is_read_after_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    // More rows than the batches that may be in the channel.
    let mut bytes = biniou::to_vec(&entries(60_000)).unwrap();
    // The last row is cut off.
    bytes.truncate(bytes.len() - 1);
    let context = of_log(folder.path(), &bytes).await;
    for (query, expected) in [
        ("select bytes from t limit 2", &["0", "1"][..]),
        ("select bytes from t limit 2 offset 8191", &["8191", "8192"]),
        ("select bytes from t where bytes > 99 and host = 'h0' limit 2", &["105", "112"]),
        ("select level from t where bytes < 0 limit 0", &[]),
    ] {
        assert_eq!(rows(&context, query).await.unwrap(), expected, "{query}");
    }
    let plan = plan(&context, "select bytes from t where bytes > 99 limit 5").await;
    assert!(scanned(&plan).contains(", limit=5, "), "{plan}");
    for query in ["select bytes from t", "select count(*) from t", "select max(bytes) from t"] {
        let error = text(&rows(&context, query).await.unwrap_err());
        assert!(error.contains("row 59999: "), "{query}: {error}");
    }
}

#[tokio::test]
async fn files_that_show_where_rows_begin_are_read_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = molecule::to_vec(&DynVec(cells(90))).unwrap();
    let context = of_file(folder.path(), ("cells.mol", MOL), "Cells", &bytes, 3).await;
    let query = "select sum(capacity) from t";
    let found = plan(&context, query).await;
    let third = bytes.len().div_ceil(3);
    let parts = format!("file.bin:0..{third}], [");
    assert!(scan(&found).starts_with("DataSourceExec: file_groups={3 groups: [["), "{found}");
    assert!(scan(&found).contains(&parts), "{found}");
    assert_eq!(rows(&context, query).await.unwrap(), [(0..90).sum::<u32>().to_string()]);

    let bytes = biniou::to_vec(&entries(90)).unwrap();
    let context = of_file(folder.path(), ("log.atd", ATD), "entry", &bytes, 3).await;
    let query = "select sum(bytes) from t";
    let found = plan(&context, query).await;
    assert!(scan(&found).starts_with("DataSourceExec: file_groups={1 group: [["), "{found}");
    assert_eq!(rows(&context, query).await.unwrap(), [(0..90).sum::<u32>().to_string()]);
}

/// A volatile expression has one value per row, wherever it is used. Filters on the file name are not evaluated by
/// the scan.
#[tokio::test]
async fn volatile_and_file_name_filters_are_not_evaluated_by_the_scan() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.bin");
    let points: Vec<u8> = (0..3000_u16).flat_map(u16::to_le_bytes).collect();
    std::fs::write(&path, [&3000_u32.to_le_bytes()[..], &points].concat()).unwrap();
    let schema = "struct Point { x: byte, y: byte, } vector Points <Point>;";
    let schema = fourfold_tables::Schema::molecule(schema).unwrap();
    let options = fourfold_tables::Options::new();
    let format =
        fourfold_tables::datafusion::Format::new(std::sync::Arc::new(schema), "Points", options);
    let format = format.unwrap();
    let context = session(2);
    let context =
        fourfold_tables::datafusion::name_by_path(context, move |_| Ok(Some(format.clone())));
    let path = path.display();
    let most =
        format!("select max(r) < 0.1 from (select random() r, x from '{path}') where r < 0.1");
    assert_eq!(rows(&context, &most).await.unwrap(), ["true"]);
    let first = format!(
        "select max(r) < 0.5 from (select r from (select random() r from '{path}') order by r limit 9)"
    );
    assert_eq!(rows(&context, &first).await.unwrap(), ["true"]);
    let named = format!("select count(*) from '{path}' where input_file_name() like '%points%'");
    assert_eq!(rows(&context, &named).await.unwrap(), ["3000"]);
}

/// All files are read, even if more are open than the merge limit.
#[tokio::test]
async fn many_files_are_merged() {
    const FILES: u16 = 700;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: String| folder.path().join(name);
    std::fs::write(
        path("p.mol".into()),
        "struct Point { x: byte, y: byte, } vector Points <Point>;",
    )
    .unwrap();
    std::fs::create_dir(path("many".into())).unwrap();
    for file in 0..FILES {
        let points: Vec<u8> = (0..200_u8).flat_map(|x| [x, 1]).collect();
        let bytes = [&200_u32.to_le_bytes()[..], &points].concat();
        std::fs::write(path(format!("many/{file}.molecule")), bytes).unwrap();
    }
    let context = session(usize::from(FILES));
    context.sql("set datafusion.execution.batch_size = 10").await.unwrap();
    let (schema, many) = (path("p.mol".into()), path("many/".into()));
    let create = format!(
        "create external table t stored as molecule with order (x asc)
         options ('schema' '{}', 'type' 'Points') location '{}'",
        schema.display(),
        many.display()
    );
    context.sql(&create).await.unwrap();
    let query = "select count(*), sum(y) from (select x, y from t order by x limit 100000)";
    let answer = tokio::time::timeout(std::time::Duration::from_secs(100), rows(&context, query));
    assert_eq!(answer.await.expect("no end").unwrap(), ["100000|100000"]);
}
