//! Locations of files, and errors for missing and invalid ones.

use std::fs;

use serde::Serialize;

use crate::{answer, create, session, text};

#[derive(Serialize)]
struct Entry {
    host: String,
    bytes: i64,
}

fn entries(from: i64, count: i64) -> Vec<Entry> {
    (from..from + count).map(|bytes| Entry { host: format!("h{}", bytes % 7), bytes }).collect()
}

const ATD: &str = "type entry = { host : string; bytes : int }";

#[tokio::test]
async fn bad_tables_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("log.atd"), ATD).unwrap();
    fs::write(path("points.mol"), "struct Point { x: byte, y: byte, } vector Points <Point>;")
        .unwrap();
    fs::write(path("one.biniou"), fourfold::biniou::to_vec(&entries(0, 3)).unwrap()).unwrap();
    fs::create_dir(path("empty")).unwrap();
    let log = path("log.atd").display().to_string();
    let points = path("points.mol").display().to_string();
    let context = session(2);
    for (format, options, place, expected) in [
        (
            "biniou",
            &[][..],
            "one.biniou",
            "`schema` is missing: options ('schema' 'FILE', 'type' 'NAME')",
        ),
        (
            "biniou",
            &[("schema", &*log)],
            "one.biniou",
            "`type` is missing: options ('schema' 'FILE', 'type' 'NAME')",
        ),
        (
            "biniou",
            &[("schema", &*log), ("type", "entri")],
            "one.biniou",
            "the schema has no type `entri` (did you mean `entry`?)",
        ),
        (
            "molecule",
            &[("schema", &*log), ("type", "entry")],
            "one.biniou",
            "`schema` is a biniou schema, but the table is stored as molecule",
        ),
        (
            "molecule",
            &[("schema", &*points), ("type", "byte")],
            "one.biniou",
            "`byte` is an integer, which has no columns; name a record, or a list of records: `Point`, `Points`",
        ),
        (
            "biniou",
            &[("schema", &*log), ("type", "entry"), ("depth", "3")],
            "one.biniou",
            "`depth` is not an option; the options are `wide_numbers`, `strings`, `sums`, `recursion`, `batch_rows`, \
             `batch_bytes`, `max_row`, `damaged`, `compatible`, `form`",
        ),
        (
            "biniou",
            &[("schema", &*log), ("type", "entry"), ("damaged", "yes")],
            "one.biniou",
            "`damaged` is `stop` or `skip`, not `yes`",
        ),
    ] {
        let error = create(&context, format, options, &path(place)).await.unwrap_err();
        assert_eq!(text(&error), expected);
    }
    for place in ["empty", "empty/", "nowhere.biniou", "nowhere/", "*.nothing"] {
        let options = [("schema", &*log), ("type", "entry")];
        let location = path(place);
        let error = create(&context, "biniou", &options, &location).await.unwrap_err();
        let expected = format!("no file is named `{}`", location.display());
        assert_eq!(text(&error), expected, "{place}");
    }
}

/// An existing name is found whatever characters it has. Paths to something else, or to nothing, are errors.
#[tokio::test]
async fn paths_lead_to_what_has_their_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let schema = std::sync::Arc::new(fourfold_tables::Schema::biniou(ATD).unwrap());
    let options = fourfold_tables::Options::new();
    let format = fourfold_tables::datafusion::Format::new(schema, "entry", options).unwrap();
    let context = fourfold_tables::datafusion::name_by_path(session(2), move |path| {
        Ok(path.contains("biniou").then(|| format.clone()))
    });
    for name in
        ["[1].biniou", "a?b.biniou", "a%20b.biniou", "a b#c.biniou", "log:x.biniou", "日志.biniou"]
    {
        fs::write(path(name), fourfold::biniou::to_vec(&entries(0, 3)).unwrap()).unwrap();
        let found = answer(&context, &format!("select host from '{}'", path(name))).await.unwrap();
        assert_eq!(found.lines().count(), 7, "{name}: {found}");
    }
    // A folder called like a column does not hide that column.
    fs::create_dir(path("host=1")).unwrap();
    fs::write(path("host=1/x.biniou"), fourfold::biniou::to_vec(&entries(5, 1)).unwrap()).unwrap();
    let found = answer(&context, &format!("select host from '{}'", path("host=1/x.biniou"))).await;
    assert!(found.unwrap().contains("| h5   |"));
    fs::write(path("rows.jsonl"), "{\"a\": 1}\n{\"a\": 2}\n").unwrap();
    let found =
        answer(&context, &format!("select sum(a) as s from '{}'", path("rows.jsonl"))).await;
    assert!(found.unwrap().contains("| 3 |"));
    for (name, expected) in [
        (
            "/dev/null",
            "`/dev/null` is a pipe or a device, not a file; save its output to a file, and use that",
        ),
        (
            "s3://bucket/x.biniou",
            "`s3://bucket/x.biniou` is in an object store that is not registered in this session",
        ),
        ("none.csv", "no file is named `none.csv`"),
        ("none/*.parquet", "no file is named `none/*.parquet`"),
        ("none.biniou", "no file is named `none.biniou`"),
    ] {
        let error = answer(&context, &format!("select * from '{name}'")).await.unwrap_err();
        assert_eq!(text(&error), expected);
    }
}

/// Deleted files are an error, not an empty table.
#[tokio::test]
async fn deleted_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("log.atd"), ATD).unwrap();
    let log = path("log.atd").display().to_string();
    let bytes = fourfold::biniou::to_vec(&entries(0, 3)).unwrap();
    fs::create_dir(path("logs")).unwrap();
    for place in ["logs/one.biniou", "logs/*.biniou", "logs"] {
        fs::write(path("logs/one.biniou"), &bytes).unwrap();
        let context = session(2);
        let options = [("schema", &*log), ("type", "entry")];
        create(&context, "biniou", &options, &path(place)).await.unwrap();
        let counted = answer(&context, "select count(*) as n from t").await.unwrap();
        assert!(counted.contains("| 3 |"), "{place}: {counted}");
        fs::remove_file(path("logs/one.biniou")).unwrap();
        let error = answer(&context, "select count(*) as n from t").await.unwrap_err();
        let found = text(&error);
        let file = path("logs/one.biniou").display().to_string();
        // The listing of a folder is cached.
        let expected = match place {
            "logs/one.biniou" => format!("no file is named `{file}`"),
            _ => format!("{file} not found"),
        };
        assert!(found.contains(&expected), "{place}: {found}");
    }
}

#[tokio::test]
async fn a_damaged_file_among_others_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("log.atd"), ATD).unwrap();
    let log = path("log.atd").display().to_string();
    for name in ["a", "b", "c"] {
        fs::write(
            path(&format!("{name}.biniou")),
            fourfold::biniou::to_vec(&entries(0, 100)).unwrap(),
        )
        .unwrap();
    }
    let mut damaged = fs::read(path("b.biniou")).unwrap();
    damaged.truncate(damaged.len() / 2);
    fs::write(path("b.biniou"), damaged).unwrap();
    let context = session(2);
    create(&context, "biniou", &[("schema", &log), ("type", "entry")], &path("*.biniou"))
        .await
        .unwrap();
    let error = answer(&context, "select count(host) from t").await.unwrap_err();
    let found = text(&error);
    let start = format!("{}: row 51: ", path("b.biniou").display());
    assert!(found.starts_with(&start) && found.contains(" at byte 768"), "{found}");
    assert!(!found.contains('\n'), "{found}");
}
