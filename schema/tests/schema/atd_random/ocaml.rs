//! The OCaml program that reads and writes values of random schemas by the code of atdgen.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use crate::values::run;

/// A program for some schemas.
#[derive(Debug)]
pub(crate) struct Judge {
    folder: tempfile::TempDir,
}

/// What OCaml is asked about a type of a schema.
#[derive(Clone, Debug)]
pub(crate) enum Question {
    Bytes(Vec<u8>),
    Json(String),
}

/// Of bytes: why they are refused, or the same value in bytes and JSON, if it can be written.
pub(crate) type Read = Result<(Option<Vec<u8>>, Option<String>), String>;

/// What it says.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Bytes(Read),
    /// Of JSON: why it is refused, or bytes.
    Json(Result<Vec<u8>, String>),
}

impl Judge {
    /// Compiles the code of all schemas at once. Each has the names of its types after it.
    pub(crate) fn new<'a>(schemas: impl Iterator<Item = (&'a str, &'a [String])>) -> Self {
        let judge = Judge { folder: tempfile::tempdir().unwrap() };
        let mut modules = include_str!("judge.ml").to_owned();
        let mut kinds = String::from("let () = run [\n");
        for (number, (text, names)) in schemas.enumerate() {
            let path = judge.path(&format!("s{number}.atd"));
            fs::write(&path, text).unwrap();
            for options in [&["-t"][..], &["-b"], &["-j", "-j-std"]] {
                let mut atdgen = Command::new("atdgen");
                run(atdgen.args(options).arg(&path).current_dir(judge.folder.path()));
            }
            for part in ["t", "b", "j"] {
                let file = |end: &str| {
                    fs::read_to_string(judge.path(&format!("s{number}_{part}.{end}"))).unwrap()
                };
                let (interface, code) = (file("mli"), file("ml"));
                write!(
                    modules,
                    "module S{number}_{part} : sig\n{interface}\nend = struct\n{code}\nend\n"
                )
                .unwrap();
            }
            for name in names {
                let (b, j) = (format!("S{number}_b"), format!("S{number}_j"));
                writeln!(
                    kinds,
                    "\"{number}.{name}\", kind {b}.read_{name} {b}.write_{name} {j}.write_{name} \
                     {j}.{name}_of_string;"
                )
                .unwrap();
            }
        }
        fs::write(judge.path("judge.ml"), modules + &kinds + "]\n").unwrap();
        let mut compiler = Command::new("ocamlfind");
        compiler.args(["ocamlc", "-w", "-a", "-package", "atdgen-runtime,biniou,yojson"]);
        compiler.args(["-linkpkg", "-o", "judge", "judge.ml"]);
        run(compiler.current_dir(judge.folder.path()));
        judge
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// An answer to each question about a type, which has the number of its schema and a dot in front.
    pub(crate) fn answers(&self, questions: &[(&str, Question)]) -> Vec<Answer> {
        let mut asked = Vec::new();
        let mut put = |text: &[u8]| {
            asked.extend(u32::try_from(text.len()).unwrap().to_be_bytes());
            asked.extend(text);
        };
        for (name, question) in questions {
            put(name.as_bytes());
            match question {
                Question::Bytes(bytes) => {
                    put(b"b");
                    put(bytes);
                }
                Question::Json(text) => {
                    put(b"j");
                    put(text.as_bytes());
                }
            }
        }
        fs::write(self.path("asked"), asked).unwrap();
        // A length that damaged bytes claim is memory that OCaml takes.
        let mut judge = Command::new("sh");
        judge.args(["-c", "ulimit -v 1000000; exec ./judge"]).current_dir(self.folder.path());
        judge.stdin(File::open(self.path("asked")).unwrap());
        let output = judge.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut told = Told(&output.stdout);
        let answers = questions.iter().map(|(_, question)| told.answer(question)).collect();
        assert_eq!(told.0, b"");
        answers
    }
}

/// What is left of the answers.
struct Told<'a>(&'a [u8]);

impl Told<'_> {
    fn text(&mut self) -> Result<Vec<u8>, String> {
        let (length, rest) = self.0.split_first_chunk().unwrap();
        let (text, rest) = rest.split_at(u32::from_be_bytes(*length) as usize);
        self.0 = rest;
        match text.split_first().unwrap() {
            (b'+', text) => Ok(text.to_vec()),
            (_, text) => Err(String::from_utf8_lossy(text).into_owned()),
        }
    }

    fn answer(&mut self, question: &Question) -> Answer {
        match question {
            Question::Bytes(_) => Answer::Bytes(self.text().map(|_| {
                let (bytes, json) = (self.text().ok(), self.text().ok());
                // Text in it need not be UTF-8.
                (bytes, json.and_then(|json| String::from_utf8(json).ok()))
            })),
            Question::Json(_) => Answer::Json(self.text()),
        }
    }
}
