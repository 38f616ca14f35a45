//! `dump` of files with one long list, which is printed item by item without losing anything.

use std::fs;
use std::process::{Command, Stdio};

use fourfold::biniou::{ChunkWriter, Value, hash, to_vec};

use crate::command::{Folder, ROOT, fixture, fourfold, fourfold_with, in_root};

const ATD: &str = "tests/fixtures/biniou/schemas/log.atd";

/// A vint.
fn count(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = u8::try_from(number & 0x7f).unwrap();
        number >>= 7;
        bytes.push(if number > 0 { low | 0x80 } else { low });
        if number == 0 {
            return bytes;
        }
    }
}

/// The fixture's three records, repeated.
pub(crate) fn log(times: usize) -> Vec<u8> {
    let three = fs::read(in_root(fixture("biniou/data/log.log_list-three.biniou"))).unwrap();
    assert_eq!(three[..3], [19, 3, 21]);
    [&[19][..], &count(3 * times), &[21], &three[3..].repeat(times)].concat()
}

/// The fixture's table of fifty rows, repeated.
fn table(times: usize) -> Vec<u8> {
    let fifty = fs::read(in_root(fixture("biniou/data/log.log_table-fifty.biniou"))).unwrap();
    // A tag, a count of 50, a count of 7 columns, and these.
    assert_eq!(fifty[..3], [25, 50, 7]);
    let (header, rows) = fifty[2..].split_at(1 + 7 * 5);
    [&[25][..], &count(50 * times), header, &rows.repeat(times)].concat()
}

/// A long file of each shape.
fn files(times: usize) -> Vec<(&'static str, Vec<u8>)> {
    let list = log(times);
    let one = log(1);
    let mut stream = ChunkWriter::new(Vec::new());
    for _ in 0..times {
        stream.write_chunk(&one).unwrap();
    }
    let field = |bytes: &[u8]| {
        // RECORD of 2 fields, the list in the first.
        let key = |name: &str| (hash(name) | 1 << 31).to_be_bytes();
        [&[21, 2][..], &key("logs"), bytes, &key("size"), &[24, 0]].concat()
    };
    vec![
        ("list", list.clone()),
        ("table", table(times / 12)),
        ("field", field(&list)),
        ("numbers", to_vec(&(0..i64::try_from(100 * times).unwrap()).collect::<Vec<_>>()).unwrap()),
        ("values", one.repeat(times)),
        ("chunks", stream.finish().unwrap()),
        ("variant", [&[23][..], &(hash("Logs") | 1 << 31).to_be_bytes(), &list].concat()),
    ]
}

#[test]
fn lists_dumped_item_by_item_survive() {
    for (name, bytes) in files(40) {
        let run = fourfold_with(&["dump", "--json", "--dict", ATD, "-"], &bytes).succeeded();
        let made = fourfold_with(&["make", "-"], &run.stdout);
        assert!(made.stdout == bytes, "{name}: {}", made.stderr);
        for form in ["--tree", "--yaml"] {
            assert_eq!(fourfold_with(&["dump", form, "-"], &bytes).code, 0, "{name}");
        }
    }
    // With a schema, the JSON is different.
    let typed = ["--schema", ATD, "--type", "log_list"];
    let run = fourfold_with(&[&["dump", "--json", "-"], &typed[..]].concat(), &log(40));
    let made = fourfold_with(&[&["make", "-"], &typed[..]].concat(), &run.stdout);
    assert!(made.stdout == log(40), "{}", made.stderr);
}

#[test]
fn paths_select_items_of_long_lists() {
    let folder = Folder::new();
    for (name, bytes) in files(40) {
        let path = &folder.write(name, bytes);
        let part = match name {
            "numbers" => continue,
            "field" => "logs[100].request",
            "values" | "chunks" => "[30][1].request",
            "table" => "[51].request",
            _ => "[100].request",
        };
        let run = fourfold(&["dump", "--dict", ATD, "--path", part, path]);
        assert!(run.text().contains("HTTP/"), "{name}: {}{}", run.text(), run.stderr);
    }
}

/// Memory does not grow with the items of a list, nested or not.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_items() {
    // As values in memory, these files would take more for each item.
    const KIBIBYTES: usize = 24 << 10;
    let folder = Folder::new();
    let dump = |arguments: &[&str]| {
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -d {KIBIBYTES}; exec \"$0\" \"$@\"")])
            .arg(env!("CARGO_BIN_EXE_fourfold"))
            .arg("dump")
            .args(arguments)
            .current_dir(ROOT)
            .stdout(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    };
    for (name, bytes) in files(2000) {
        let path = &folder.write(name, bytes);
        dump(&["--json", path]);
        dump(&["--jsonl", path]);
        match name {
            "field" => dump(&["--json", "--dict", ATD, "--path", "logs", path]),
            "list" => {
                dump(&["--tree", path]);
                dump(&["--yaml", path]);
                dump(&["--json", "--schema", ATD, "--type", "log_list", path]);
            }
            _ => {}
        }
    }
}

/// The numbers of shared values count from the start of the file, also in printed items.
#[test]
fn shared_values_keep_their_numbers() {
    let text = |text: &str| Value::String(text.repeat(100).into_bytes());
    let items = (0..200).map(|it| match it % 2 {
        0 => Value::Shared(it / 2 + 1, Box::new(text("shared "))),
        _ => Value::Reference(it / 2 + 1),
    });
    let bytes = to_vec(&Value::Tuple(vec![Value::Array(items.collect()), text("x")])).unwrap();
    let run = fourfold_with(&["dump", "--json", "-"], &bytes);
    assert!(run.text().contains("{\"$reference\": 100}"), "{}", run.text());
    assert!(fourfold_with(&["make", "-"], &run.stdout).stdout == bytes);
}

/// Nested small lists are read a constant number of times per level.
#[cfg(target_os = "linux")]
#[test]
fn time_does_not_grow_with_the_square_of_the_depth() {
    const DEPTH: usize = 120;
    const COUNT: usize = 400;
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let chain = [[1, 19].repeat(DEPTH), vec![0]].concat();
    fs::write(
        path("deep.biniou"),
        [&[19][..], &count(COUNT), &[19], &chain.repeat(COUNT)].concat(),
    )
    .unwrap();

    let types: String = (1..=DEPTH).map(|at| format!("vector V{at} <V{}>;\n", at - 1)).collect();
    fs::write(path("deep.mol"), format!("vector V0 <byte>;\n{types}vector All <V{DEPTH}>;\n"))
        .unwrap();
    let number = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let chain = (0..DEPTH).fold(vec![1, 0, 0, 0, 7], |inner, _| {
        [&number(8 + inner.len())[..], &number(8), &inner].concat()
    });
    let (header, size) = (4 * (COUNT + 1), chain.len());
    let offsets: Vec<u8> = (0..COUNT).flat_map(|at| number(header + at * size)).collect();
    let all = [&number(header + COUNT * size)[..], &offsets, &chain.repeat(COUNT)].concat();
    fs::write(path("deep.bin"), all).unwrap();

    let fourfold = env!("CARGO_BIN_EXE_fourfold");
    let schema = format!("--schema {} --type All", path("deep.mol"));
    for (file, schema) in [("deep.biniou", ""), ("deep.bin", &*schema)] {
        for form in ["--json", "--jsonl", "--tree"] {
            let line =
                format!("ulimit -t 6; {fourfold} dump {form} {schema} {} | tail -c 2", path(file));
            let output = Command::new("bash").args(["-c", &line]).output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(output.stdout.ends_with(b"\n") && stderr.is_empty(), "{file} {form}: {stderr}");
        }
    }
}
