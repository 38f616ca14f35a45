//! What readers that atdgen makes of a schema do with values by another one.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use fourfold_schema::atd::{Outcome, Type};

use super::samples::values_of;
use super::schema;
use crate::values::{is_ocaml_there, run};

/// Of each pair, what the older readers do with newer values, and newer readers with older ones.
pub(crate) fn verdicts(pairs: &[(String, String)]) -> Option<Vec<(Outcome, Outcome)>> {
    if !is_ocaml_there() {
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
                let mut atdgen = Command::new("atdgen");
                run(atdgen.arg(kind).arg(format!("{name}.atd")).current_dir(folder));
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
    run(compiler.args(sources).arg("main.ml").current_dir(folder));
    let told = run(&mut Command::new(folder.join("main")));
    let seen = |line: &str| match line {
        "true" => Outcome::Reads,
        _ => Outcome::Refuses,
    };
    let lines: Vec<Outcome> = told.lines().map(seen).collect();
    assert_eq!(lines.len(), 2 * pairs.len());
    Some(lines.chunks(2).map(|pair| (pair[0], pair[1])).collect())
}
