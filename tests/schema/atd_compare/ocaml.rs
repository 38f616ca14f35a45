//! What readers that atdgen makes of a schema do with values by another one.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use fourfold::biniou::atd::{Outcome, Type};

use super::samples::values_of;
use super::schema;

fn run(command: &mut Command, folder: &Path) -> String {
    let output = command.current_dir(folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn is_there() -> bool {
    let found = |tool| Command::new(tool).arg("-version").output().is_ok();
    let is_there = ["atdgen", "ocamlfind", "ocamlc"].into_iter().all(found);
    assert!(
        is_there || env::var_os("CI").is_none(),
        "this test needs OCaml, and CI never skips it"
    );
    is_there
}

/// Of each pair, what the older readers do with newer values, and newer readers with older ones.
pub(crate) fn verdicts(pairs: &[(String, String)]) -> Option<Vec<(Outcome, Outcome)>> {
    if !is_there() {
        println!("no OCaml with atdgen here: its readers are skipped");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut sources = Vec::new();
    // Whether all values are read.
    let mut main = String::from(
        "let is_read read = try read (); true with _ -> false\n\
         let told all = print_endline (string_of_bool (List.for_all is_read all))\n",
    );
    for (at, (older, newer)) in pairs.iter().enumerate() {
        for (side, text) in [("o", older), ("n", newer)] {
            let name = format!("c{at}{side}");
            fs::write(folder.join(format!("{name}.atd")), text).unwrap();
            for kind in ["-t", "-b"] {
                run(Command::new("atdgen").arg(kind).arg(format!("{name}.atd")), folder);
            }
            for part in ["t", "b"] {
                sources.extend(["mli", "ml"].map(|end| format!("{name}_{part}.{end}")));
            }
        }
        for (values, reader, side) in [(newer, older, "o"), (older, newer, "n")] {
            let (values, readers) = (schema(values), schema(reader));
            let names = values.types().filter_map(Type::name);
            let mut tries = String::new();
            for name in names.filter(|name| readers.get(name).is_some()) {
                for bytes in values_of(&values, name) {
                    let text: String = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
                    let reader = format!("C{at}{side}_b.{name}_of_string");
                    write!(tries, "(fun () -> ignore ({reader} \"{text}\")); ").unwrap();
                }
            }
            writeln!(main, "let () = told [{tries}]").unwrap();
        }
    }
    fs::write(folder.join("main.ml"), main).unwrap();
    let mut compiler = Command::new("ocamlfind");
    compiler.args(["ocamlc", "-w", "-a", "-package", "atdgen", "-linkpkg", "-o", "main"]);
    run(compiler.args(sources).arg("main.ml"), folder);
    let told = run(&mut Command::new(folder.join("main")), folder);
    let seen = |line: &str| match line {
        "true" => Outcome::Reads,
        _ => Outcome::Refuses,
    };
    let lines: Vec<Outcome> = told.lines().map(seen).collect();
    assert_eq!(lines.len(), 2 * pairs.len());
    Some(lines.chunks(2).map(|pair| (pair[0], pair[1])).collect())
}
