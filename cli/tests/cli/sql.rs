//! Questions in SQL.

use std::fs;
use std::path::Path;

use crate::command::{command, fixture, fourfold, fourfold_with, in_root};
use crate::records::{AMOUNT, PAYS, assert_pays, parquet_of, pays, python};

/// What is printed for a query, how it ended, and what is said of it.
fn ask(query: &str, asked: &[&str]) -> (i32, String, String) {
    let run = fourfold(&[&["sql", query], asked].concat());
    (run.code, String::from_utf8(run.stdout).unwrap(), run.stderr)
}

fn log() -> String {
    fixture("biniou/data/log.log_list-three.biniou")
}

fn log_schema() -> String {
    fixture("biniou/schemas/log.atd")
}

#[test]
fn answers_are_tables_for_people() {
    let query = format!("select userid, size, address['x0'] as x0 from '{}' order by size", log());
    let (code, printed, said) = ask(&query, &["--schema", &log_schema(), "--type", "entry"]);
    assert_eq!((code, &*said), (0, ""));
    let expected = "  userid   size   x0
  root     8299  203
  root    31698   44
  derek   48436   76
3 rows
";
    assert_eq!(printed, expected);
}

#[test]
fn answers_are_files_for_programs() {
    let schema = log_schema();
    let asked = ["--schema", &schema, "--type", "entry"];
    let query = format!("select userid, size, null as n from '{}' where size < 40000", log());
    let (_, csv, _) = ask(&query, &[&asked[..], &["--to", "csv"]].concat());
    assert_eq!(csv, "userid,size,n\nroot,31698,\nroot,8299,\n");
    let (_, lines, _) = ask(&query, &[&asked[..], &["--to", "jsonl"]].concat());
    let first = r#"{"userid":"root","size":31698,"n":null}"#;
    assert_eq!(lines, format!("{first}\n{}\n", first.replace("31698", "8299")));

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (name, expected) in [("a.csv", csv), ("a.jsonl", lines)] {
        let (code, printed, said) = ask(&query, &[&asked[..], &["-o", &path(name)]].concat());
        assert_eq!((code, &*printed, &*said), (0, "", ""));
        assert_eq!(fs::read_to_string(path(name)).unwrap(), expected);
    }
    // Parquet, which is a table itself.
    let query = format!("select * from '{}'", log());
    let (code, _, said) = ask(&query, &[&asked[..], &["-o", &path("a.parquet")]].concat());
    assert_eq!((code, &*said), (0, ""));
    let query = format!("select sum(size), count(*) from '{}'", path("a.parquet"));
    assert_eq!(ask(&query, &["--to", "csv"]).1.lines().nth(1), Some("88433,3"));
    // An answer without rows has a line of names.
    let query = format!("select userid from '{}' where size < 0", log());
    assert_eq!(ask(&query, &[&asked[..], &["--to", "csv"]].concat()).1, "userid\n");
}

#[test]
fn the_genesis_block_has_its_capacity() {
    let block = fixture("molecule/genesis/mainnet.bin");
    let query = format!(
        "with t as (select unnest(transactions) as tx from '{block}'),
              o as (select unnest(tx['raw']['outputs']) as cell from t)
         select encode(cell['lock']['code_hash'], 'hex') as lock, count(*), sum(cell['capacity'])
         from o group by lock order by 2 desc limit 1"
    );
    let schema = fixture("molecule/schemas/blockchain.mol");
    let (code, printed, said) =
        ask(&query, &["--schema", &schema, "--type", "Block", "--to", "csv"]);
    assert_eq!((code, &*said), (0, ""));
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
    let (code, _, said) = ask(&query, &["-o", "/dev/null", "--to", "csv"]);
    assert_eq!(code, 1);
    let text = "one file has one answer: of several queries, only the last may have one";
    assert_eq!(said, format!("fourfold: {text}\n"));
}

#[test]
fn a_project_says_which_schema_a_path_has() {
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
    let asked = ["--schema", &schema, "--type", "entry", "--to", "csv"];
    let query = format!("select count(*), max(date) from '{cut}'");
    let error = "row 1: length 26 needs 26 bytes or more, 11 left in [1].date at byte 188";
    let (code, printed, said) = ask(&query, &asked);
    assert_eq!((code, &*printed, said), (2, "", format!("fourfold: {cut}: {error}\n")));
    let (code, printed, said) = ask(&query, &[&asked[..], &["--skip-damaged"]].concat());
    assert_eq!((code, printed.lines().nth(1)), (0, Some("1,06/Oct/1984:08:51:00 +0000")));
    let left_out = "fourfold: 1 damaged record left out";
    assert_eq!(said, format!("fourfold: {cut}: {error}\n{left_out}\n"));
}

#[test]
fn what_cannot_be_asked_is_said_in_a_line() {
    let schema = log_schema();
    let refused = |query: &str, asked: &[&str]| {
        let (code, printed, said) = ask(query, asked);
        assert_eq!((code, &*printed, said.lines().count()), (1, "", 1), "{said}");
        said.trim_end().to_owned()
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
    let asked = ["--schema", &schema, "--type", "entry"];
    assert_eq!(refused("select * from 'no.log'", &asked), "fourfold: no file is named `no.log`");
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().display();
    let query = format!("select * from '{empty}'");
    assert_eq!(refused(&query, &asked), format!("fourfold: no file is named `{empty}`"));
    assert_eq!(
        refused("select * from log", &asked),
        "fourfold: Error during planning: table 'datafusion.public.log' not found"
    );
    for (query, expected) in
        [("selec", "an SQL statement, found: selec"), ("", "there is no query")]
    {
        let said = refused(query, &asked);
        assert!(said.contains(expected), "{said}");
    }
    let said = refused(&from_log.replace('*', "nothing"), &asked);
    assert!(said.contains("No field named nothing. Valid fields are"), "{said}");
    let said = refused(&from_log, &[&asked[..], &["-o", "answer.xls"]].concat());
    let text = "its name does not tell what to write: give --to, or one in .csv, .jsonl, .ndjson or .parquet";
    assert_eq!(said, format!("fourfold: answer.xls: {text}"));
    let said = refused(&from_log, &[&asked[..], &["--to", "csv"]].concat());
    assert!(
        said.ends_with("a column with parts is no CSV: write .jsonl, or name its parts"),
        "{said}"
    );
    assert!(!Path::new("answer.xls").exists());
}

#[test]
fn nothing_is_written_over_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::copy(in_root(log()), path("z.txt")).unwrap();
    fs::write(path("y.csv"), "a,b\n1,2\n").unwrap();
    let schema = log_schema();
    for (name, asked) in [("z.txt", &["--schema", &schema, "--type", "entry"][..]), ("y.csv", &[])]
    {
        let before = fs::read(path(name)).unwrap();
        let query = format!("select * from '{}'", path(name));
        let (code, _, said) = ask(&query, &[asked, &["-o", &path(name)]].concat());
        assert_eq!(code, 1, "{said}");
        assert!(said.contains("this is the file that is read"), "{said}");
        assert_eq!(fs::read(path(name)).unwrap(), before);
    }
}

/// Nor over the schema, whoever has named it.
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
    for (query, asked) in [
        (&select, [&given[..], &to_schema].concat()),
        (&external, to_schema.to_vec()),
        (&copy, given.to_vec()),
    ] {
        let (code, _, said) = ask(query, &asked);
        assert_eq!(code, 1, "{query}: {said}");
        assert!(said.contains("this is the file that is read"), "{query}: {said}");
        assert!(fs::read(&schema).unwrap() == before, "{query}");
    }
}

#[test]
fn answers_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let two = "fourfold: one file has one answer: of several queries, only the last may have one\n";
    assert_eq!(ask("select 1; select 2", &["--to", "parquet"]), (1, String::new(), two.into()));
    // The answer of a statement that was prepared is one.
    let (code, printed, _) = ask("prepare p as select 42 as x; execute p", &["--to", "csv"]);
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
    let (code, _, said) = ask(&query, &["-o", &path("u.parquet")]);
    let text = "`kind` has a union, and Parquet has none: leave `sums` at struct";
    assert_eq!((code, &*said), (1, &*format!("fourfold: {text}\n")));
    let no_file = "fourfold: `-` is a pipe or a device, not a file; save its output to a file, and use that\n";
    assert_eq!(ask("select * from '-'", &[]).2, no_file);
    // A comment in front is no option.
    assert_eq!(ask("-- one\nselect 1 as x", &["--to", "csv"]).1, "x\n1\n");
}

/// Text of files cannot act on a terminal.
#[test]
fn text_of_files_is_harmless() {
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
    let (_, printed, _) = ask(&query, &["--schema", &schema]);
    assert_eq!(printed, "  s\n  \\u{1b}[31mred\\u{202e}\\n\n1 row\n");
    let (_, printed, _) = ask(&query, &["--schema", &schema, "--to", "jsonl"]);
    assert_eq!(printed, "{\"s\":\"\\u001b[31mred\\u202e\\n\"}\n");
}

/// `COPY` writes files of records, and not over the one that it reads.
#[test]
fn copies_are_files_of_records() {
    let (schema, folder) = (log_schema(), tempfile::tempdir().unwrap());
    let copy = folder.path().join("copy.biniou");
    let to = |rows: &str| {
        let copy = copy.display();
        format!("copy ({rows}) to '{copy}' options ('schema' '{schema}', 'type' 'entry')")
    };
    let asked = ["--schema", &schema, "--type", "entry", "--to", "csv"];
    let (code, printed, said) = ask(&to(&format!("select * from '{}'", log())), &asked);
    assert_eq!((code, &*printed, &*said), (0, "count\n3\n", ""));
    assert_eq!(fs::read(&copy).unwrap(), fs::read(in_root(log())).unwrap());
    let (code, _, said) = ask(&to(&format!("select * from '{}' limit 1", copy.display())), &asked);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("this is the file that is read"), "{said}");
    let (code, _, said) = ask(&to(&format!("select userid from '{}'", log())), &asked);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("column `address` is missing"), "{said}");
    assert_eq!(fs::read(&copy).unwrap(), fs::read(in_root(log())).unwrap());
}

/// In SQL and in Parquet files, numbers of more than 64 bits have all digits.
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
            for (query, asked) in [(&select, &by[..]), (&table(""), &[])] {
                let (code, printed, said) = ask(query, &[asked, &to_out].concat());
                assert_eq!((code, &*printed), (2, ""));
                assert!(said.starts_with(&format!("fourfold: {bytes}: row 1: ")), "{said}");
                assert!(!said.contains("WideNumbers"), "{said}");
                let fix =
                    "; use --wide-numbers string, or the option 'wide_numbers' 'text' of a table\n";
                assert!(
                    said.contains(" has more than 38 digits in [1].") && said.ends_with(fix),
                    "{said}"
                );
            }
        } else {
            (text, option, ty) = (by.to_vec(), "", "Decimal128(38, 0)");
        }
        for (query, asked) in [
            (&select, [&text[..], &to_out].concat()),
            (&copy, text.clone()),
            (&table(option), to_out.to_vec()),
        ] {
            let _ = fs::remove_file(&out);
            let (code, _, said) = ask(query, &asked);
            assert_eq!((code, &*said), (0, ""), "{query}");
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
        assert_eq!(ask(&query, &["--to", "csv"]), (0, csv, String::new()));
    }
}

/// Many readers round decimals of more than 38 digits.
#[test]
fn larger_decimals_are_named() {
    let (_folder, path) = pays(PAYS[0]);
    let (schema, bytes, out) = (path("pay.mol"), path("pays.bin"), path("sum.parquet"));
    let asked = ["--schema", &schema, "--type", "Pays", "-o", &out];
    let query = format!("select sum(cast(total as decimal(39, 0))) as t from '{bytes}'");
    let (code, _, said) = ask(&query, &asked);
    let text = "fourfold: `t` has decimals of 49 digits, and many readers of Parquet round or refuse more than 38; \
                use cast(\"t\" as varchar)\n";
    assert_eq!((code, &*said), (0, text));
    let cast = said.trim_end().rsplit("use ").next().unwrap();
    let (code, _, said) = ask(&format!("select {cast} as t from ({query})"), &asked);
    assert_eq!((code, &*said), (0, ""));
    let (_, printed, _) = ask(&format!("select t from '{out}'"), &["--to", "csv"]);
    assert_eq!(printed, "t\n100000000000000000100000000000000000000\n");
}

/// Hex text has no rows, and the fix that is said makes some.
#[test]
fn hex_text_is_named() {
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
    for (query, asked) in
        [(&select, &["--schema", &schema, "--type", "Pays"][..]), (&external, &[])]
    {
        let (code, printed, said) = ask(query, asked);
        assert_eq!((code, &*printed, said.lines().count()), (2, "", 2), "{said}");
        let text = format!("fourfold: {hex}: this is hex text; query '");
        fixes.push(said.lines().next().unwrap().strip_prefix(&text).unwrap().to_owned());
    }
    assert_eq!(fixes[0], fixes[1]);
    let (rows, fix) = fixes[0].strip_suffix('`').unwrap().split_once("' after `fourfold ").unwrap();
    let run = command(&fix.split(' ').collect::<Vec<_>>()).current_dir(&folder).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let (code, printed, _) = ask(&format!("select sum(amount) from '{rows}'"), &["--to", "csv"]);
    assert_eq!((code, printed.lines().nth(1)), (0, Some("200000000000000000002")));
    // Other files are not hex text.
    let query = format!("select 1 from '{}' limit 0", path("pays.bin"));
    assert_eq!(ask(&query, &["--schema", &schema, "--type", "Pays"]).2, "");
}
