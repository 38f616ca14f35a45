//! Measures OCaml's atdgen: a separate process, which reads and writes the same biniou bytes and has a turn in each
//! round.

use std::cell::RefCell;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::Outcome;
use crate::format::{Column, Kind, Run};

pub(crate) const NAME: &str = "atdgen (OCaml)";

/// A data set with a schema.
pub(crate) struct Schema {
    pub(crate) set: &'static str,
    pub(crate) records: f64,
    /// Nanoseconds of atdgen for writing and reading one record of similar data on another machine, from which the
    /// goals were set.
    pub(crate) reference: [f64; 2],
}

pub(crate) const SCHEMAS: [Schema; 2] = [
    Schema { set: "log", records: 10_000.0, reference: [354.0, 509.0] },
    Schema { set: "saves", records: 500.0, reference: [6_300.0, 8_700.0] },
];

const SOURCES: [(&str, &str); 3] = [
    ("log.atd", include_str!("../ocaml/log.atd")),
    ("saves.atd", include_str!("../ocaml/saves.atd")),
    ("turns.ml", include_str!("../ocaml/turns.ml")),
];

/// OCaml needs this order: types, then their readers and writers, then the program.
const COMPILED: [&str; 9] = [
    "log_t.mli",
    "log_t.ml",
    "log_b.mli",
    "log_b.ml",
    "saves_t.mli",
    "saves_t.ml",
    "saves_b.mli",
    "saves_b.ml",
    "turns.ml",
];

struct Atdgen {
    size: usize,
    process: RefCell<Process>,
}

struct Process {
    child: Child,
    /// `None` only in `drop`: closing it ends the process.
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// Builds the program and starts it with `bytes`, a message of `set`.
///
/// # Errors
///
/// If OCaml or atdgen is missing, or the program does not write the bytes that it read.
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
    // The fastest settings, without bounds checks.
    let options = ["ocamlopt", "-O3", "-unsafe", "-inline", "200", "-package"];
    let linked = ["atdgen-runtime,unix", "-linkpkg", "-o", "turns"];
    build(folder.path(), "ocamlfind", &[&options[..], &linked, &COMPILED].concat())?;

    let message = folder.path().join("message.biniou");
    fs::write(&message, bytes)?;
    let mut child = Command::new(folder.path().join("turns"))
        .args([set.as_ref(), message.as_os_str()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let requests = child.stdin.take();
    let answers = BufReader::new(child.stdout.take().ok_or("no output to read")?);
    let mut process = Process { child, requests, answers };
    match process.answer()?.trim() {
        "ready" => Ok(Box::new(Atdgen { size: bytes.len(), process: RefCell::new(process) })),
        _ => Err("atdgen does not write the bytes that it read".into()),
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
        let requests = self.requests.as_mut().ok_or("atdgen has ended")?;
        writeln!(requests, "{word} {}", least.as_secs_f64())?;
        requests.flush()?;
        Ok(self.answer()?.trim().parse()?)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.requests = None;
        // The process ends at the end of its input.
        let _ = self.child.wait();
    }
}

impl Run for Atdgen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn kind(&self) -> Kind {
        Kind::Other
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
