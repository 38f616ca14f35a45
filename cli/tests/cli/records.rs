//! Records of files as Parquet, by `convert`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arrow_array::Array as _;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Decimal128Type;
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::command::{Folder, fixture, fourfold, fourfold_with, in_root};

/// Converts a fixture, and returns the exit code, standard output and standard error.
fn convert(input: &str, output: &str, options: &[&str]) -> (i32, String, String) {
    let run = fourfold(&[&["convert", input, output], options].concat());
    (run.code, String::from_utf8(run.stdout).unwrap(), run.stderr)
}

/// The output of a conversion that succeeds.
#[track_caller]
fn converted(input: &str, output: &str, options: &[&str]) -> String {
    let run = fourfold(&[&["convert", input, output], options].concat()).succeeded();
    run.text().to_owned()
}

/// A folder, and the path of a file in it.
fn folder(name: &str) -> (Folder, String) {
    let folder = Folder::new();
    let path = folder.path(name);
    (folder, path)
}

fn log() -> String {
    fixture("biniou/data/log.log_list-three.biniou")
}

fn log_schema() -> String {
    fixture("biniou/schemas/log.atd")
}

/// Parquet begins and ends with these bytes.
#[track_caller]
fn assert_parquet(path: &str) {
    let bytes = fs::read(path).unwrap();
    assert_eq!((&bytes[..4], &bytes[bytes.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
}

#[test]
fn records_of_biniou_become_rows() {
    let (folder, out) = folder("log.parquet");
    for options in [
        &["--schema", &log_schema(), "--type", "log_list"][..],
        &["--schema", &log_schema(), "--type", "entry"],
        &["--schema", &log_schema(), "--type", "entry", "--column", "request"],
    ] {
        let (code, printed, stderr) = convert(&log(), &out, options);
        let columns = if options.len() == 4 { "7 columns" } else { "1 column" };
        assert_eq!((code, &*stderr), (0, ""));
        assert_eq!(printed, format!("{out}: 3 rows of {columns}\n"));
        assert_parquet(&out);
    }
    // All files of a pattern, concatenated.
    for name in ["1.biniou", "2.biniou"] {
        fs::copy(in_root(log()), folder.path(name)).unwrap();
    }
    let pattern = folder.path("*.biniou");
    let options = ["--schema", &log_schema(), "--type", "entry"];
    let printed = converted(&pattern, &out, &options);
    assert_eq!(printed, format!("{out}: 6 rows of 7 columns\n"));
}

#[test]
fn lists_in_records_of_molecule_become_rows() {
    let (_folder, out) = folder("block.parquet");
    let block = fixture("molecule/genesis/mainnet.bin");
    let schema = fixture("molecule/schemas/blockchain.mol");
    let options = ["--schema", &schema, "--type", "Block", "--explode", "transactions"];
    let printed = converted(&block, &out, &options);
    assert_eq!(printed, format!("{out}: 2 rows of 4 columns\n"));
    assert_parquet(&out);
}

/// Following the error's advice works.
#[test]
fn a_list_in_a_list_names_both() {
    let (_folder, out) = folder("block.parquet");
    let block = fixture("molecule/genesis/mainnet.bin");
    let schema = fixture("molecule/schemas/blockchain.mol");
    let explode = |more: &[&str]| {
        convert(&block, &out, &[&["--schema", &schema, "--type", "Block"][..], more].concat())
    };
    let (code, _, stderr) = explode(&["--explode", "transactions.raw.outputs"]);
    let message = "fourfold: `transactions.raw.outputs` is inside of the list `transactions`, which has \
                   to be exploded first: ";
    assert_eq!(code, 1);
    let hint = stderr.trim_end().strip_prefix(message).unwrap();
    assert_eq!(hint, "--explode transactions --explode transactions.raw.outputs");
    let (code, printed, stderr) = explode(&hint.split(' ').collect::<Vec<_>>());
    assert_eq!((code, &*stderr), (0, ""));
    assert!(printed.ends_with(" of 4 columns\n"), "{printed}");
    // Other paths that are not lists are refused in one line.
    for (path, text) in [
        (
            "header",
            "`header` is a struct of 2 fields, not a list (there are `uncles`, `transactions` and `proposals`)",
        ),
        (
            "header.nonce",
            "`header.nonce` is an integer, not a list (there are `uncles`, `transactions` and `proposals`)",
        ),
        ("transaction", "there is no column `transaction` (did you mean `transactions`?)"),
        (
            "transactions.raw.inputs.since",
            "`transactions.raw.inputs.since` is an integer, not a list (there are `uncles`, `transactions` and `proposals`)",
        ),
    ] {
        let (code, _, stderr) = explode(&["--explode", path]);
        assert_eq!((code, stderr), (1, format!("fourfold: {text}\n")), "{path}");
    }
}

#[test]
fn damaged_records_stop_or_are_left_out() {
    let (folder, out) = folder("log.parquet");
    let cut = &folder.write("cut.biniou", &fs::read(in_root(log())).unwrap()[..200]);
    let options = ["--schema", &log_schema(), "--type", "entry"];
    let error = "row 1: length 26 needs 26 bytes or more, 11 left in [1].date at byte 188";
    let (code, printed, stderr) = convert(cut, &out, &options);
    assert_eq!((code, &*printed), (2, ""));
    assert_eq!(stderr, format!("fourfold: {cut}: {error}\n"));
    assert!(!fs::exists(&out).unwrap(), "a file of which rows are missing");
    let (code, printed, stderr) = convert(cut, &out, &[&options[..], &["--skip-damaged"]].concat());
    assert_eq!((code, printed), (0, format!("{out}: 1 row of 7 columns\n")));
    let left_out = "fourfold: 1 damaged record left out";
    assert_eq!(stderr, format!("fourfold: {cut}: {error}\n{left_out}\n"));
}

/// Extensions are case-insensitive, and JSON lines have two of them.
#[test]
fn file_extensions_select_the_output_format() {
    let (folder, _) = folder("log");
    let schema = log_schema();
    let options = ["--schema", &schema, "--type", "entry", "--column", "userid"];
    for (name, first) in
        [("log.CSV", "userid"), ("log.NDJSON", "{\"userid\":"), ("log.ndjson", "{\"userid\":")]
    {
        let out = folder.path(name);
        converted(&log(), &out, &options);
        assert!(fs::read_to_string(&out).unwrap().starts_with(first), "{name}");
    }
    let out = folder.path("log.PARQUET");
    assert_eq!(convert(&log(), &out, &options).0, 0);
    assert_parquet(&out);
    let (code, _, stderr) = convert(&log(), &folder.path("log.xls"), &[]);
    assert_eq!(code, 1);
    assert!(stderr.contains(".parquet, .csv, .jsonl or .ndjson"), "{stderr}");
}

#[test]
fn an_exploded_column_has_to_be_selected() {
    let (_folder, out) = folder("txs.jsonl");
    let (block, schema) =
        (fixture("molecule/blocks/block-40.bin"), fixture("molecule/schemas/blockchain.mol"));
    let options =
        ["--schema", &schema, "--type", "Block", "--column", "header", "--explode", "proposals"];
    let (code, _, stderr) = convert(&block, &out, &options);
    let text = "--explode proposals needs the column `proposals`, which is not selected; add `--column \
                proposals`";
    assert_eq!((code, stderr), (1, format!("fourfold: {text}\n")));
    converted(&block, &out, &[&options[..], &["--column", "proposals"]].concat());
}

/// Files that cannot be opened are reported, and earlier output of the command is not read.
#[cfg(unix)]
#[test]
fn directories_are_read_again() {
    use std::os::unix::fs::symlink;

    let (folder, out) = folder("log.csv");
    let path = |name: &str| folder.path(name);
    fs::create_dir(path("logs")).unwrap();
    for name in ["a.biniou", "b.biniou"] {
        fs::copy(in_root(log()), path("logs").to_owned() + "/" + name).unwrap();
    }
    let schema = log_schema();
    let options = ["--schema", &schema, "--type", "entry", "--column", "size"];
    let directory = [&options[..], &["-r"]].concat();
    converted(&path("logs"), &out, &directory);
    let expected = fs::read(&out).unwrap();
    assert_eq!(expected.iter().filter(|byte| **byte == b'\n').count(), 7);

    // In the directory, OUT and the output of an earlier run are left out.
    for inside in [path("logs/log.parquet"), path("logs/log.CSV"), path("logs/log.csv")] {
        for _ in 0..2 {
            let printed = converted(&path("logs"), &inside, &directory);
            assert!(printed.ends_with(": 6 rows of 1 column\n"), "{printed}");
        }
    }
    assert_eq!(fs::read(path("logs/log.csv")).unwrap(), expected);
    // With a pattern, only OUT is left out.
    fs::remove_file(path("logs/log.parquet")).unwrap();
    fs::remove_file(path("logs/log.CSV")).unwrap();
    converted(&path("logs/*"), &path("logs/log.csv"), &options);
    // OUT as an explicit input is refused.
    let log = path("logs/log.csv");
    assert_eq!(convert(&log, &log, &options).0, 1);

    symlink("none", path("logs/0.biniou")).unwrap();
    symlink("none", path("logs/c.biniou")).unwrap();
    for (input, options) in [(path("logs"), &directory), (path("logs/*.biniou"), &options.to_vec())]
    {
        let (code, printed, stderr) = convert(&input, &out, options);
        assert_eq!((code, &*printed), (1, &*format!("{out}: 6 rows of 1 column\n")));
        let lines: Vec<&str> = stderr.lines().collect();
        assert_eq!(lines.len(), 2, "{stderr}");
        for (line, name) in lines.iter().zip(["0.biniou", "c.biniou"]) {
            assert!(line.starts_with(&format!("fourfold: {}/{name}: ", path("logs"))), "{stderr}");
        }
        assert_eq!(fs::read(&out).unwrap(), expected);
    }
    let (code, _, stderr) = convert(&path("logs/c.biniou"), &path("none.csv"), &options);
    assert_eq!((code, stderr.lines().count()), (1, 1), "{stderr}");
    assert!(!fs::exists(path("none.csv")).unwrap());
}

#[test]
fn standard_input_is_read() {
    let (_folder, out) = folder("log.parquet");
    let bytes = fs::read(in_root(log())).unwrap();
    let arguments = ["convert", "-", &out, "--schema", &log_schema(), "--type", "entry"];
    fourfold_with(&arguments, &bytes).succeeded();
    assert_parquet(&out);
}

#[test]
fn refusals_are_one_line() {
    let (folder, out) = folder("log.parquet");
    let schema = log_schema();
    let refused = |input: &str, output: &str, options: &[&str]| {
        let (code, printed, stderr) = convert(input, output, options);
        assert_eq!((code, &*printed, stderr.lines().count()), (1, "", 1), "{stderr}");
        stderr.trim_end().to_owned()
    };
    assert_eq!(
        refused(&log(), &out, &[]),
        "fourfold: records need a schema: give --schema, a .mol or .atd file, and --type"
    );
    assert_eq!(
        refused(&log(), &out, &["--schema", &schema]),
        "fourfold: the schema has records of several types: give --type, address, entry, logs, log_list, log_table"
    );
    assert_eq!(
        refused(&log(), &out, &["--schema", &schema, "--type", "entry", "--column", "nothing"])
            .split(" (")
            .next(),
        Some("fourfold: there is no column `nothing`")
    );
    assert_eq!(
        refused(&log(), &out, &["--schema", &schema, "--type", "entry", "--explode", "request"])
            .split(" is ")
            .next(),
        Some("fourfold: `request`")
    );
    let nowhere = &folder.path("*.biniou");
    assert_eq!(
        refused(nowhere, &out, &["--schema", &schema, "--type", "entry"]),
        format!("fourfold: no file is named `{nowhere}`")
    );
    assert_eq!(
        refused(&log(), "log.npz", &["--schema", &schema]),
        "fourfold: records are written as .parquet, .csv, .jsonl or .ndjson: use such a name, or --to"
    );
}

/// A folder with a schema of wide numbers, and a file of them.
fn wide_numbers(text: &str, json: &str) -> (Folder, impl Fn(&str) -> String + use<>) {
    let folder = Folder::new();
    let root = folder.path("");
    let path = move |name: &str| format!("{root}{name}");
    fs::write(path("pay.mol"), text).unwrap();
    fs::write(path("pays.json"), json).unwrap();
    let (schema, bytes) = (path("pay.mol"), path("pays.bin"));
    let by = ["--schema", &schema, "--type", "Pays"];
    fourfold(&[&["make", &path("pays.json"), "-o", &bytes], &by[..]].concat()).succeeded();
    (folder, path)
}

const PAY: &str = "array Uint128 [byte; 16]; array Uint256 [byte; 32]; array Int128 [byte; 16];
    struct Pay { amount: Uint128, total: Uint256, change: Int128, } vector Pays <Pay>;";

/// The types of columns, and the rows as text.
pub(crate) fn parquet_of(path: &str) -> (Vec<String>, Vec<String>) {
    let file = fs::File::open(path).unwrap();
    let rows = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let types = rows.schema().fields().iter().map(|it| it.data_type().to_string()).collect();
    let mut texts = Vec::new();
    for batch in rows.build().unwrap() {
        let batch = batch.unwrap();
        for column in batch.columns() {
            for row in 0..batch.num_rows() {
                texts.push(match column.data_type() {
                    DataType::Decimal128(..) => {
                        column.as_primitive::<Decimal128Type>().value(row).to_string()
                    }
                    DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
                    _ => format!("{:?}", column.as_fixed_size_binary().value(row)),
                });
            }
        }
    }
    (types, texts)
}

#[test]
fn wide_numbers_are_decimals_if_all_fit_or_else_text() {
    let largest = "9".repeat(38);
    let json = format!(
        r#"[{{"amount":"100000000000000000001","total":"{largest}","change":"-{largest}"}}]"#
    );
    let (_folder, path) = wide_numbers(PAY, &json);
    let (schema, bytes, out) = (path("pay.mol"), path("pays.bin"), path("pays.parquet"));
    let by = ["--schema", &schema, "--type", "Pays"];
    converted(&bytes, &out, &by);
    let (types, rows) = parquet_of(&out);
    assert_eq!(types, ["Decimal128(38, 0)"; 3]);
    assert_eq!(rows, ["100000000000000000001", &largest, &format!("-{largest}")]);

    // One number of 39 digits turns all of them into text.
    for (name, wide) in
        [("amount", format!("1{}", "0".repeat(38))), ("change", format!("-1{}", "0".repeat(38)))]
    {
        let json = json.replace(']', &format!(",{}", json.strip_prefix('[').unwrap()));
        let (before, after) = json.rsplit_once(&format!("\"{name}\":\"")).unwrap();
        let (_, after) = after.split_once('"').unwrap();
        let json = format!("{before}\"{name}\":\"{wide}\"{after}");
        let (_folder, path) = wide_numbers(PAY, &json);
        let (schema, bytes, out) = (path("pay.mol"), path("pays.bin"), path("pays.parquet"));
        let by = ["--schema", &schema, "--type", "Pays"];
        for more in [&[][..], &["--skip-damaged"]] {
            let printed = converted(&bytes, &out, &[&by[..], more].concat());
            assert_eq!(printed, format!("{out}: 2 rows of 3 columns\n"));
            let (types, rows) = parquet_of(&out);
            assert_eq!(types, ["Utf8"; 3]);
            assert!(rows.contains(&wide) && rows.contains(&"100000000000000000001".into()));
        }
        // An explicit option is not overridden, and a stream that has begun cannot change its type.
        let digits = wide.trim_start_matches('-').len();
        assert_eq!(digits, 39);
        let (code, _, stderr) =
            convert(&bytes, &out, &[&by[..], &["--wide-numbers", "decimal"]].concat());
        assert_eq!(code, 2);
        let text = format!("{wide} has more than 38 digits in [1].{name} at byte");
        assert!(
            stderr.contains(&text) && stderr.contains("; use --wide-numbers string"),
            "{stderr}"
        );
        let run = fourfold_with(
            &[&["convert", "-", "-", "--to", "parquet"], &by[..]].concat(),
            &fs::read(&bytes).unwrap(),
        );
        assert!(run.code == 2 && run.stderr.contains("--wide-numbers string"), "{}", run.stderr);
    }
}

#[test]
fn an_option_selects_the_type_of_wide_numbers() {
    let json = r#"[{"amount":"1","total":"2","change":"-3"}]"#;
    let (_folder, path) = wide_numbers(PAY, json);
    let (schema, bytes, out) = (path("pay.mol"), path("pays.bin"), path("pays.parquet"));
    for (form, ty) in [
        ("string", ["Utf8", "Utf8", "Utf8"]),
        ("decimal", ["Decimal128(38, 0)"; 3]),
        ("binary", ["FixedSizeBinary(16)", "FixedSizeBinary(32)", "FixedSizeBinary(16)"]),
    ] {
        let by = ["--schema", &schema, "--type", "Pays", "--wide-numbers", form];
        assert_eq!(convert(&bytes, &out, &by).0, 0);
        let (types, rows) = parquet_of(&out);
        assert_eq!(types, ty);
        assert!(form == "binary" || rows == ["1", "2", "-3"], "{rows:?}");
    }
    let by = ["--schema", &schema, "--type", "Pays"];
    let (lines, csv) = (path("pays.jsonl"), path("pays.csv"));
    assert_eq!(convert(&bytes, &lines, &by).0, 0);
    assert_eq!(
        fs::read_to_string(lines).unwrap(),
        "{\"amount\":\"1\",\"total\":\"2\",\"change\":\"-3\"}\n"
    );
    for form in [&[][..], &["--wide-numbers", "decimal"], &["--wide-numbers", "string"]] {
        assert_eq!(convert(&bytes, &csv, &[&by[..], form].concat()).0, 0);
        assert_eq!(fs::read_to_string(&csv).unwrap(), "amount,total,change\n1,2,-3\n");
    }
}

/// Rows of wide numbers: one that fits decimals, and two with a number that is too wide.
pub(crate) const PAYS: [[&str; 3]; 3] = [
    [AMOUNT, "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999"],
    ["340282366920938463463374607431768211455", "3", "-1"],
    ["3", "115792089237316195423570985008687907853269984665640564039457584007913129639935", "0"],
];
/// 10^20 + 1, which no double can represent.
pub(crate) const AMOUNT: &str = "100000000000000000001";

/// A folder with a file of two rows: one of `AMOUNT`, one of these numbers.
pub(crate) fn pays(
    [amount, total, change]: [&str; 3],
) -> (Folder, impl Fn(&str) -> String + use<>) {
    let row = |amount: &str, total: &str, change: &str| {
        format!(r#"{{"amount":"{amount}","total":"{total}","change":"{change}"}}"#)
    };
    let rows = [row(AMOUNT, AMOUNT, AMOUNT), row(amount, total, change)];
    wide_numbers(PAY, &format!("[{}]", rows.join(",")))
}

/// The Python interpreter with the Parquet readers.
pub(crate) fn python() -> Option<PathBuf> {
    let named = std::env::var_os("FOURFOLD_PYTHON").map(PathBuf::from);
    let python = named.unwrap_or_else(|| "python3".into());
    let found =
        Command::new(&python).args(["-c", "import duckdb, polars, pyarrow.parquet"]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    assert!(std::env::var_os("CI").is_none(), "CI never skips this");
    println!("no Python with pyarrow, duckdb and polars here (see FOURFOLD_PYTHON): skipped");
    None
}

/// Checks that three readers find all digits of [`pays`].
#[track_caller]
pub(crate) fn assert_pays(python: &Path, parquet: &str, pay: [&str; 3]) {
    let script = "import sys, duckdb, polars, pyarrow.parquet
path = sys.argv[1]
arrow, frame = pyarrow.parquet.read_table(path), polars.read_parquet(path)
for name in ['amount', 'total', 'change']:
    for reader in [
        arrow[name].to_pylist(),
        [it for it, in duckdb.sql(f\"select {name} from '{path}'\").fetchall()],
        frame[name].to_list(),
    ]:
        print(*(int(it) for it in reader))";
    let run = Command::new(python).args(["-c", script, parquet]).output().unwrap();
    let printed = String::from_utf8_lossy(&run.stdout).into_owned();
    let lines = pay.map(|number| format!("{AMOUNT} {number}\n").repeat(3));
    assert_eq!(printed, lines.concat(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn python_reads_all_digits_of_wide_numbers() {
    let Some(python) = python() else { return };
    for pay in PAYS {
        let (_folder, path) = pays(pay);
        let (schema, bytes, out) = (path("pay.mol"), path("pays.bin"), path("pays.parquet"));
        assert_eq!(convert(&bytes, &out, &["--schema", &schema, "--type", "Pays"]).0, 0);
        assert_pays(&python, &out, pay);
    }
}
