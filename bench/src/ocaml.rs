//! OCaml's atdgen as a peer: a process of its own, which holds biniou's bytes of the same document
//! and takes its turn in each round when it is told to.

use std::cell::RefCell;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::Outcome;
use crate::peer::{Column, Kind, Run};

pub(crate) const NAME: &str = "atdgen (OCaml)";

/// A set that has a schema.
pub(crate) struct Schema {
    pub(crate) set: &'static str,
    pub(crate) records: f64,
    /// What atdgen took in the project's papers, of like data on another machine: nanoseconds for a
    /// record written, and read.
    pub(crate) papers: [f64; 2],
}

pub(crate) const SCHEMAS: [Schema; 2] = [
    Schema { set: "log", records: 10_000.0, papers: [354.0, 509.0] },
    Schema { set: "saves", records: 500.0, papers: [6_300.0, 8_700.0] },
];

const SOURCES: [(&str, &str); 3] = [
    ("log.atd", include_str!("../ocaml/log.atd")),
    ("saves.atd", include_str!("../ocaml/saves.atd")),
    ("peer.ml", include_str!("../ocaml/peer.ml")),
];

/// Order matters to OCaml: types before what reads and writes them, and the program last.
const COMPILED: [&str; 9] = [
    "log_t.mli",
    "log_t.ml",
    "log_b.mli",
    "log_b.ml",
    "saves_t.mli",
    "saves_t.ml",
    "saves_b.mli",
    "saves_b.ml",
    "peer.ml",
];

struct Atdgen {
    size: usize,
    process: RefCell<Process>,
}

struct Process {
    child: Child,
    /// `None` only at the end: what tells the process that there are no more turns.
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// Builds the program and has it read `bytes`, a document of `set`.
///
/// # Errors
///
/// If OCaml or atdgen is missing, or if the program does not write the bytes that it has read.
pub(crate) fn start(set: &str, bytes: &[u8]) -> Outcome<Box<dyn Run>> {
    let folder = tempfile::tempdir()?;
    for (name, text) in SOURCES {
        fs::write(folder.path().join(name), text)?;
    }
    for Schema { set, .. } in SCHEMAS {
        for part in ["-t", "-b"] {
            build(folder.path(), "atdgen", &[part, &format!("{set}.atd")])?;
        }
    }
    // Without bounds checks, and whatever else the compiler can do.
    let options = ["ocamlopt", "-O3", "-unsafe", "-inline", "200", "-package"];
    let linked = ["atdgen-runtime,unix", "-linkpkg", "-o", "peer"];
    build(folder.path(), "ocamlfind", &[&options[..], &linked, &COMPILED].concat())?;

    let document = folder.path().join("document.biniou");
    fs::write(&document, bytes)?;
    let mut child = Command::new(folder.path().join("peer"))
        .args([set.as_ref(), document.as_os_str()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let questions = child.stdin.take();
    let answers = BufReader::new(child.stdout.take().ok_or("no answers to read")?);
    let mut process = Process { child, questions, answers };
    match process.answer()?.trim() {
        "ready" => Ok(Box::new(Atdgen { size: bytes.len(), process: RefCell::new(process) })),
        _ => Err("it does not write the bytes that it has read".into()),
    }
}

fn build(folder: &Path, tool: &str, arguments: &[&str]) -> Outcome<()> {
    let run = Command::new(tool).args(arguments).current_dir(folder).output();
    let output = run.map_err(|error| format!("{tool} does not run: {error}"))?;
    if !output.status.success() {
        return Err(format!("{tool}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(())
}

impl Process {
    fn answer(&mut self) -> Outcome<String> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        Ok(line)
    }

    fn turn(&mut self, column: Column, least: Duration) -> Outcome<f64> {
        let word = if column == Column::Write { "write" } else { "read" };
        let questions = self.questions.as_mut().ok_or("it has ended")?;
        writeln!(questions, "{word} {}", least.as_secs_f64())?;
        questions.flush()?;
        Ok(self.answer()?.trim().parse()?)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.questions = None;
        // It ends at the end of its input. Nothing is lost if it has ended before.
        let _ = self.child.wait();
    }
}

impl Run for Atdgen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn kind(&self) -> Kind {
        Kind::Apart
    }

    fn has(&self, column: Column) -> bool {
        matches!(column, Column::Write | Column::Read)
    }

    fn turn(&self, column: Column, least: Duration) -> Outcome<f64> {
        self.process.borrow_mut().turn(column, least)
    }

    fn count(&self) -> usize {
        1
    }

    fn size(&self) -> usize {
        self.size
    }

    fn memory(&self) -> Outcome<Option<(f64, f64)>> {
        Ok(None)
    }
}
