//! Runs the command and compares its output with snapshots.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The root of the workspace: the working directory of the command, with the fixtures.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Runs the command without standard input.
pub(crate) fn fourfold(arguments: &[&str]) -> Run {
    fourfold_with(arguments, b"")
}

/// Runs the command with this standard input.
pub(crate) fn fourfold_with(arguments: &[&str], stdin: &[u8]) -> Run {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    // In its own thread, so that a full output pipe does not block the writer.
    let writer = std::thread::spawn(move || {
        // A command that fails early does not read its input.
        let _ = pipe.write_all(&stdin);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run::new(arguments, output)
}

/// The command in the workspace root, without variables for colours.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fourfold"));
    command.args(arguments).current_dir(ROOT);
    for name in ["CLICOLOR", "CLICOLOR_FORCE", "NO_COLOR", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// Exit code and output of a run.
#[derive(Debug)]
pub(crate) struct Run {
    arguments: Vec<String>,
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn new(arguments: &[&str], output: Output) -> Self {
        Run {
            arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
            code: output.status.code().unwrap_or(-1),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Standard output as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    /// Asserts that the command succeeded, without a message on standard error.
    #[track_caller]
    pub(crate) fn succeeded(self) -> Self {
        assert_eq!((self.code, &*self.stderr), (0, ""), "{:?}", self.arguments);
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap()
    }

    /// Each line of standard output as JSON.
    #[track_caller]
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Standard error without the summary of several files.
    pub(crate) fn errors(&self) -> &str {
        let start = self.stderr.trim_end().rfind('\n').map_or(0, |end| end + 1);
        let (before, last) = self.stderr.split_at(start);
        if last.contains(" files: ") { before } else { &self.stderr }
    }
}

/// A temporary folder.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Folder::new();
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    /// The path of the folder itself.
    pub(crate) fn root(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    /// The path of a file in it, which need not exist.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file, and returns its path.
    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

/// Compares with `cli/tests/cli/snapshots/{name}.txt`, or writes that if `UPDATE_SNAPSHOTS` is set.
pub(crate) fn snapshot(name: &str, text: &str) {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests/cli/snapshots"].iter().collect();
    let path = folder.join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&path, text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; set UPDATE_SNAPSHOTS", path.display()));
    let differ = expected.lines().zip(text.lines()).position(|(a, b)| a != b);
    assert!(expected == text, "{name} differs from line {differ:?} on; now it is:\n{text}");
}

/// The full path of a file of the workspace: tests run in the directory of their package.
pub(crate) fn in_root(name: impl AsRef<Path>) -> PathBuf {
    Path::new(ROOT).join(name)
}

/// The path of a fixture, relative to the workspace.
pub(crate) fn fixture(path: &str) -> String {
    format!("tests/fixtures/{path}")
}

/// All fixtures of a format with one of these extensions, sorted.
pub(crate) fn fixtures(format: &str, extensions: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![fixture(format)];
    while let Some(folder) = folders.pop() {
        let whole = in_root(&folder);
        for entry in std::fs::read_dir(whole).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{folder}/{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                folders.push(name);
            } else if extensions.iter().any(|wanted| name.ends_with(&format!(".{wanted}"))) {
                found.push(name);
            }
        }
    }
    assert!(!found.is_empty());
    found.sort();
    found
}

/// The fixtures that are files of a format, by format.
pub(crate) fn all_fixtures() -> Vec<(&'static str, Vec<String>)> {
    vec![
        ("molecule", fixtures("molecule", &["bin"])),
        ("biniou", fixtures("biniou", &["biniou", "stream"])),
        ("tsm", fixtures("tsm", &["tsm", "t"])),
        ("primitiv", fixtures("primitiv", &["model", "optimizer", "param", "shape", "tensor"])),
    ]
}

/// Every fourth of these, for tests that start a program for each file.
pub(crate) fn some_fixtures() -> Vec<(&'static str, Vec<String>)> {
    let every_fourth = |files: Vec<String>| files.into_iter().step_by(4).collect();
    all_fixtures().into_iter().map(|(format, files)| (format, every_fourth(files))).collect()
}

/// The bytes of a fixture.
pub(crate) fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(in_root(name)).unwrap()
}
