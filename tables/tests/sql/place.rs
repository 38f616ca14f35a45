//! Where files are, and what is said of those that are not there or not good.

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
            "the schema has no type `entri`; it has `entry`",
        ),
        (
            "molecule",
            &[("schema", &*log), ("type", "entry")],
            "one.biniou",
            "`schema` is of biniou, and the table is stored as molecule",
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
            "`depth` is no option; there are `wide_numbers`, `strings`, `sums`, `recursion`, `batch_rows`, \
             `batch_bytes`, `max_row`, `damaged`, `compatible`",
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
