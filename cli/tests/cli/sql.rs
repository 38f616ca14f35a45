//! `fourfold sql`: queries.

use std::fs;
use std::path::Path;

use crate::command::{command, fixture, fourfold, fourfold_with, in_root};
use crate::records::{AMOUNT, PAYS, assert_pays, parquet_of, pays, python};

/// Exit code, standard output and standard error of a query.
fn sql(query: &str, options: &[&str]) -> (i32, String, String) {
    let run = fourfold(&[&["sql", query], options].concat());
    (run.code, String::from_utf8(run.stdout).unwrap(), run.stderr)
}

fn log() -> String {
    fixture("biniou/data/log.log_list-three.biniou")
}

fn log_schema() -> String {
    fixture("biniou/schemas/log.atd")
}

#[test]
fn results_are_printed_as_tables() {
    let query = format!("select userid, size, address['x0'] as x0 from '{}' order by size", log());
    let (code, printed, stderr) = sql(&query, &["--schema", &log_schema(), "--type", "entry"]);
    assert_eq!((code, &*stderr), (0, ""));
    let expected = "  userid   size   x0
  root     8299  203
  root    31698   44
  derek   48436   76
3 rows
";
    assert_eq!(printed, expected);
}

#[test]
fn results_are_written_to_files() {
    let schema = log_schema();
    let options = ["--schema", &schema, "--type", "entry"];
    let query = format!("select userid, size, null as n from '{}' where size < 40000", log());
    let (_, csv, _) = sql(&query, &[&options[..], &["--to", "csv"]].concat());
    assert_eq!(csv, "userid,size,n\nroot,31698,\nroot,8299,\n");
    let (_, lines, _) = sql(&query, &[&options[..], &["--to", "jsonl"]].concat());
    let first = r#"{"userid":"root","size":31698,"n":null}"#;
    assert_eq!(lines, format!("{first}\n{}\n", first.replace("31698", "8299")));

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (name, expected) in [("a.csv", csv), ("a.jsonl", lines)] {
        let (code, printed, stderr) = sql(&query, &[&options[..], &["-o", &path(name)]].concat());
        assert_eq!((code, &*printed, &*stderr), (0, "", ""));
        assert_eq!(fs::read_to_string(path(name)).unwrap(), expected);
    }
    // A Parquet file can be queried without a schema.
    let query = format!("select * from '{}'", log());
    let (code, _, stderr) = sql(&query, &[&options[..], &["-o", &path("a.parquet")]].concat());
    assert_eq!((code, &*stderr), (0, ""));
    let query = format!("select sum(size), count(*) from '{}'", path("a.parquet"));
    assert_eq!(sql(&query, &["--to", "csv"]).1.lines().nth(1), Some("88433,3"));
    // A result without rows has a header line.
    let query = format!("select userid from '{}' where size < 0", log());
    assert_eq!(sql(&query, &[&options[..], &["--to", "csv"]].concat()).1, "userid\n");
}

#[test]
fn the_capacity_of_the_genesis_block_is_right() {
    let block = fixture("molecule/genesis/mainnet.bin");
    let query = format!(
        "with t as (select unnest(transactions) as tx from '{block}'),
              o as (select unnest(tx['raw']['outputs']) as cell from t)
         select encode(cell['lock']['code_hash'], 'hex') as lock, count(*), sum(cell['capacity'])
         from o group by lock order by 2 desc limit 1"
    );
    let schema = fixture("molecule/schemas/blockchain.mol");
    let (code, printed, stderr) =
        sql(&query, &["--schema", &schema, "--type", "Block", "--to", "csv"]);
    assert_eq!((code, &*stderr), (0, ""));
    let expected = "9bd7e06f3ecf4be0f2fcd2188b23f1b9fcc88e5d4b65a8637b17723bbda3cce8";
    assert_eq!(printed.lines().nth(1), Some(&*format!("{expected},572,1227584199700000000")));
}

#[test]
fn several_queries_follow_one_another() {
    let query = format!(
        "create external table log stored as biniou
           options ('schema' '{}', 'type' 'entry') location '{}';
         select count(*) from log; select max(size) from log",
        log_schema(),
        log()
    );
    // From standard input, too.
    let run = fourfold_with(&["sql", "-", "--to", "csv"], query.as_bytes());
    assert_eq!((run.code, &*run.stderr), (0, ""));
    assert_eq!(run.text(), "count(*)\n3\nmax(log.size)\n48436\n");
    let (code, _, stderr) = sql(&query, &["-o", "/dev/null", "--to", "csv"]);
    assert_eq!(code, 1);
    let text = "a file has one result: of several queries, only the last can have one";
    assert_eq!(stderr, format!("fourfold: {text}\n"));
}

#[test]
fn the_project_provides_the_schema_of_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::copy(in_root(log()), path("a.log")).unwrap();
    fs::copy(in_root(log_schema()), path("log.atd")).unwrap();
    fs::write(path("points.mol"), "struct Point { x: byte, y: byte, } vector Points <Point>;")
        .unwrap();
    fs::write(path("points.bin"), [2, 0, 0, 0, 203, 7, 76, 8]).unwrap();
    let project = "files = [
        { paths = '*.log', schema = 'log.atd', type = 'entry' },
        { paths = '*.bin', schema = 'points.mol', type = 'Points' },
    ]";
    fs::write(path("fourfold.toml"), project).unwrap();
    let query = "select l.userid, p.y from 'a.log' l join 'points.bin' p on l.address['x0'] = p.x order by p.y";
    let run = command(&["sql", query, "--to", "csv"]).current_dir(&folder).output().unwrap();
    assert_eq!(String::from_utf8(run.stderr).unwrap(), "");
    assert_eq!(String::from_utf8(run.stdout).unwrap(), "userid,y\nroot,7\nderek,8\n");
}

#[test]
fn damaged_records_stop_or_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.biniou");
    fs::write(&cut, &fs::read(in_root(log())).unwrap()[..200]).unwrap();
    let cut = cut.to_str().unwrap();
    let schema = log_schema();
    let options = ["--schema", &schema, "--type", "entry", "--to", "csv"];
    let query = format!("select count(*), max(date) from '{cut}'");
    let error = "row 1: length 26 needs 26 bytes or more, 11 left in [1].date at byte 188";
    let (code, printed, stderr) = sql(&query, &options);
    assert_eq!((code, &*printed, stderr), (2, "", format!("fourfold: {cut}: {error}\n")));
    let (code, printed, stderr) = sql(&query, &[&options[..], &["--skip-damaged"]].concat());
    assert_eq!((code, printed.lines().nth(1)), (0, Some("1,06/Oct/1984:08:51:00 +0000")));
    let left_out = "fourfold: 1 damaged record left out";
    assert_eq!(stderr, format!("fourfold: {cut}: {error}\n{left_out}\n"));
}

#[test]
fn refusals_are_one_line() {
    let schema = log_schema();
    let refused = |query: &str, options: &[&str]| {
        let (code, printed, stderr) = sql(query, options);
        assert_eq!((code, &*printed, stderr.lines().count()), (1, "", 1), "{stderr}");
        stderr.trim_end().to_owned()
    };
    let from_log = format!("select * from '{}'", log());
    assert_eq!(
        refused(&from_log, &[]),
        "fourfold: records need a schema: give --schema, a .mol or .atd file, and --type"
    );
    assert_eq!(
        refused(&from_log, &["--schema", &schema]),
        "fourfold: the schema has records of several types: give --type, address, entry, logs, log_list, log_table"
    );
    let options = ["--schema", &schema, "--type", "entry"];
    assert_eq!(refused("select * from 'no.log'", &options), "fourfold: no file is named `no.log`");
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().display();
    let query = format!("select * from '{empty}'");
    assert_eq!(refused(&query, &options), format!("fourfold: no file is named `{empty}`"));
    assert_eq!(
        refused("select * from log", &options),
        "fourfold: Error during planning: table 'datafusion.public.log' not found"
    );
    for (query, expected) in
        [("selec", "an SQL statement, found: selec"), ("", "there is no query")]
    {
        let stderr = refused(query, &options);
        assert!(stderr.contains(expected), "{stderr}");
    }
    let stderr = refused(&from_log.replace('*', "nothing"), &options);
    assert!(stderr.contains("No field named nothing. Valid fields are"), "{stderr}");
    let stderr = refused(&from_log, &[&options[..], &["-o", "answer.xls"]].concat());
    let text = "the name does not select an output format; use --to, or a name in .csv, .jsonl, .ndjson or .parquet";
    assert_eq!(stderr, format!("fourfold: answer.xls: {text}"));
    let stderr = refused(&from_log, &[&options[..], &["--to", "csv"]].concat());
    assert!(
        stderr.ends_with("CSV has no nested columns; write .jsonl, or select their fields"),
        "{stderr}"
    );
    assert!(!Path::new("answer.xls").exists());
}

#[test]
fn nothing_is_written_over_an_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::copy(in_root(log()), path("z.txt")).unwrap();
    fs::write(path("y.csv"), "a,b\n1,2\n").unwrap();
    let schema = log_schema();
    for (name, options) in
        [("z.txt", &["--schema", &schema, "--type", "entry"][..]), ("y.csv", &[])]
    {
        let before = fs::read(path(name)).unwrap();
        let query = format!("select * from '{}'", path(name));
        let (code, _, stderr) = sql(&query, &[options, &["-o", &path(name)]].concat());
        assert_eq!(code, 1, "{stderr}");
        assert!(stderr.contains("this is the file that is read"), "{stderr}");
        assert_eq!(fs::read(path(name)).unwrap(), before);
    }
}

/// Neither if the command line names the schema, nor if the query does.
#[test]
fn nothing_is_written_over_a_schema() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (log, schema) = (path("log.biniou"), path("schema.atd"));
    fs::copy(in_root(self::log()), &log).unwrap();
    fs::copy(in_root(log_schema()), &schema).unwrap();
    let before = fs::read(&schema).unwrap();
    let select = format!("select * from '{log}'");
    let options = format!("options ('schema' '{schema}', 'type' 'entry')");
    let external = format!(
        "create external table log stored as biniou {options} location '{log}'; select * from log"
    );
    let copy = format!("copy ({select}) to '{schema}' stored as biniou {options}");
    let given = ["--schema", &schema, "--type", "entry"];
    let to_schema = ["--to", "jsonl", "-o", &schema];
    for (query, options) in [
        (&select, [&given[..], &to_schema].concat()),
        (&external, to_schema.to_vec()),
        (&copy, given.to_vec()),
    ] {
        let (code, _, stderr) = sql(query, &options);
        assert_eq!(code, 1, "{query}: {stderr}");
        assert!(stderr.contains("this is the file that is read"), "{query}: {stderr}");
        assert!(fs::read(&schema).unwrap() == before, "{query}");
    }
}

#[test]
fn results_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let two = "fourfold: a file has one result: of several queries, only the last can have one\n";
    assert_eq!(sql("select 1; select 2", &["--to", "parquet"]), (1, String::new(), two.into()));
    // A prepared statement has a result.
    let (code, printed, _) = sql("prepare p as select 42 as x; execute p", &["--to", "csv"]);
    assert_eq!((code, &*printed), (0, "x\n42\n"));
    fs::write(path("s.atd"), "type kind = [ A of int | B ] type row = { kind : kind }").unwrap();
    let values = "[{\"kind\": \"B\"}]";
    fs::write(path("v.json"), values).unwrap();
    fs::write(path("list.atd"), "type kind = [ A of int | B ] type rows = { kind : kind } list")
        .unwrap();
    let arguments =
        ["make", "-", "--schema", &path("list.atd"), "--type", "rows", "-o", &path("k.biniou")];
    let made = fourfold_with(&arguments, values.as_bytes());
    assert_eq!((made.code, &*made.stderr), (0, ""));
    let query = format!(
        "create external table k stored as biniou options ('schema' '{}', 'type' 'row', 'sums' 'union')
         location '{}'; select kind from k",
        path("s.atd"),
        path("k.biniou")
    );
    let (code, _, stderr) = sql(&query, &["-o", &path("u.parquet")]);
    let text = "`kind` has a union, which Parquet does not support; use struct for `sums`";
    assert_eq!((code, &*stderr), (1, &*format!("fourfold: {text}\n")));
    let no_file = "fourfold: `-` is a pipe or a device, not a file; save its output to a file, and use that\n";
    assert_eq!(sql("select * from '-'", &[]).2, no_file);
    // A query that begins with a comment is not taken for an option.
    assert_eq!(sql("-- one\nselect 1 as x", &["--to", "csv"]).1, "x\n1\n");
}

/// Control characters of files are escaped in tables.
#[test]
fn control_characters_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("s.atd"), "type row = { s : string }").unwrap();
    #[derive(serde::Serialize)]
    struct Row {
        s: &'static str,
    }
    let rows = vec![Row { s: "\u{1b}[31mred\u{202e}\n" }];
    fs::write(path("a.biniou"), fourfold::biniou::to_vec(&rows).unwrap()).unwrap();
    let schema = path("s.atd");
    let query = format!("select s from '{}'", path("a.biniou"));
    let (_, printed, _) = sql(&query, &["--schema", &schema]);
    assert_eq!(printed, "  s\n  \\u{1b}[31mred\\u{202e}\\n\n1 row\n");
    let (_, printed, _) = sql(&query, &["--schema", &schema, "--to", "jsonl"]);
    assert_eq!(printed, "{\"s\":\"\\u001b[31mred\\u202e\\n\"}\n");
}

/// `COPY` writes files of records, but not over its input.
#[test]
fn copy_writes_files_of_records() {
    let (schema, folder) = (log_schema(), tempfile::tempdir().unwrap());
    let copy = folder.path().join("copy.biniou");
    let to = |rows: &str| {
        let copy = copy.display();
        format!("copy ({rows}) to '{copy}' options ('schema' '{schema}', 'type' 'entry')")
    };
    let options = ["--schema", &schema, "--type", "entry", "--to", "csv"];
    let (code, printed, stderr) = sql(&to(&format!("select * from '{}'", log())), &options);
    assert_eq!((code, &*printed, &*stderr), (0, "count\n3\n", ""));
    assert_eq!(fs::read(&copy).unwrap(), fs::read(in_root(log())).unwrap());
    let (code, _, stderr) =
        sql(&to(&format!("select * from '{}' limit 1", copy.display())), &options);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("this is the file that is read"), "{stderr}");
    let (code, _, stderr) = sql(&to(&format!("select userid from '{}'", log())), &options);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("column `address` is missing"), "{stderr}");
    assert_eq!(fs::read(&copy).unwrap(), fs::read(in_root(log())).unwrap());
}

/// Numbers of more than 64 bits keep all digits in SQL and in Parquet.
#[test]
fn wide_numbers_are_decimals_or_text() {
    let python = python();
    for (pay, needs_text) in PAYS.into_iter().zip([false, true, true]) {
        let (_folder, path) = pays(pay);
        let (schema, bytes, out) = (path("pay.mol"), path("pays.bin"), path("pays.parquet"));
        let by = ["--schema", &schema, "--type", "Pays"];
        let select = format!("select * from '{bytes}'");
        let copy = format!("copy ({select}) to '{out}' stored as parquet");
        let table = |options: &str| {
            format!(
                "create external table pays stored as molecule
                   options ('schema' '{schema}', 'type' 'Pays'{options}) location '{bytes}';
                 select * from pays"
            )
        };
        let to_out = ["-o", &*out];
        let mut text = [&by[..], &["--wide-numbers", "string"]].concat();
        let (mut option, mut ty) = (", 'wide_numbers' 'text'", "Utf8");
        if needs_text {
            for (query, options) in [(&select, &by[..]), (&table(""), &[])] {
                let (code, printed, stderr) = sql(query, &[options, &to_out].concat());
                assert_eq!((code, &*printed), (2, ""));
                assert!(stderr.starts_with(&format!("fourfold: {bytes}: row 1: ")), "{stderr}");
                assert!(!stderr.contains("WideNumbers"), "{stderr}");
                let fix =
                    "; use --wide-numbers string, or the option 'wide_numbers' 'text' of a table\n";
                assert!(
                    stderr.contains(" has more than 38 digits in [1].") && stderr.ends_with(fix),
                    "{stderr}"
                );
            }
        } else {
            (text, option, ty) = (by.to_vec(), "", "Decimal128(38, 0)");
        }
        for (query, options) in [
            (&select, [&text[..], &to_out].concat()),
            (&copy, text.clone()),
            (&table(option), to_out.to_vec()),
        ] {
            let _ = fs::remove_file(&out);
            let (code, _, stderr) = sql(query, &options);
            assert_eq!((code, &*stderr), (0, ""), "{query}");
            let (types, rows) = parquet_of(&out);
            assert_eq!(types, [ty; 3]);
            let expected = pay.map(|number| [AMOUNT, number]).concat();
            assert_eq!(rows, expected);
            if let Some(python) = &python {
                assert_pays(python, &out, pay);
            }
        }
        let query = "select amount, change from pays where total <> amount order by amount";
        let query = table(option).replace("select * from pays", query);
        let csv = format!("amount,change\n{},{}\n", pay[0], pay[2]);
        assert_eq!(sql(&query, &["--to", "csv"]), (0, csv, String::new()));
    }
}

/// Many readers round decimals of more than 38 digits.
#[test]
fn columns_of_larger_decimals_are_named() {
    let (_folder, path) = pays(PAYS[0]);
    let (schema, bytes, out) = (path("pay.mol"), path("pays.bin"), path("sum.parquet"));
    let options = ["--schema", &schema, "--type", "Pays", "-o", &out];
    let query = format!("select sum(cast(total as decimal(39, 0))) as t from '{bytes}'");
    let (code, _, stderr) = sql(&query, &options);
    let text = "fourfold: `t` has decimals of 49 digits, and many readers of Parquet round or refuse more than 38; \
                use cast(\"t\" as varchar)\n";
    assert_eq!((code, &*stderr), (0, text));
    let cast = stderr.trim_end().rsplit("use ").next().unwrap();
    let (code, _, stderr) = sql(&format!("select {cast} as t from ({query})"), &options);
    assert_eq!((code, &*stderr), (0, ""));
    let (_, printed, _) = sql(&format!("select t from '{out}'"), &["--to", "csv"]);
    assert_eq!(printed, "t\n100000000000000000100000000000000000000\n");
}

/// Hex text has no rows; the suggested fix works.
#[test]
fn hex_text_is_reported() {
    let (folder, path) = pays(PAYS[0]);
    let digits: String =
        fs::read(path("pays.bin")).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    let (hex, schema) = (path("pays.hex"), path("pay.mol"));
    fs::write(&hex, format!("0x{digits}\n")).unwrap();
    let external = format!(
        "create external table pays stored as molecule options ('schema' '{schema}', 'type' 'Pays')
           location '{hex}';
         select sum(amount) from pays"
    );
    let select = format!("select sum(amount) from '{hex}'");
    let mut fixes = Vec::new();
    for (query, options) in
        [(&select, &["--schema", &schema, "--type", "Pays"][..]), (&external, &[])]
    {
        let (code, printed, stderr) = sql(query, options);
        assert_eq!((code, &*printed, stderr.lines().count()), (2, "", 2), "{stderr}");
        let text = format!("fourfold: {hex}: this is hex text; query '");
        fixes.push(stderr.lines().next().unwrap().strip_prefix(&text).unwrap().to_owned());
    }
    assert_eq!(fixes[0], fixes[1]);
    let (rows, fix) = fixes[0].strip_suffix('`').unwrap().split_once("' after `fourfold ").unwrap();
    let run =
        command(&fix.split(' ').collect::<Vec<_>>()).current_dir(folder.root()).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let (code, printed, _) = sql(&format!("select sum(amount) from '{rows}'"), &["--to", "csv"]);
    assert_eq!((code, printed.lines().nth(1)), (0, Some("200000000000000000002")));
    // Other files are not hex text.
    let query = format!("select 1 from '{}' limit 0", path("pays.bin"));
    assert_eq!(sql(&query, &["--schema", &schema, "--type", "Pays"]).2, "");
}
