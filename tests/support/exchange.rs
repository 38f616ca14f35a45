//! Files exchanged with a C++ program of `tests/interop/`: each has its content as text in a second file.

use std::env;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::random::{self, Dice};

/// Files in each direction, unless `FOURFOLD_CASES` is set.
const COUNT: u64 = 500;

/// A file: its extension, its bytes, and its content as text.
pub(crate) struct Made {
    pub(crate) extension: &'static str,
    pub(crate) bytes: Vec<u8>,
    pub(crate) meaning: String,
}

/// The result of reading a file: its content, and its bytes written again.
pub(crate) type Read<E> = Result<(String, Vec<u8>), E>;

/// Tests both directions. Prints that the test is skipped if `variable` does not name the program.
pub(crate) fn both_ways<E: Display>(
    format: &str,
    variable: &str,
    read: impl Fn(&str, &[u8]) -> Read<E>,
    make: impl Fn(&mut Dice) -> Made,
) {
    let Some(program) = env::var_os(variable) else {
        println!("{variable} is not set (see tests/interop/{format}/README.md): skipped");
        return;
    };
    let exchange = Exchange { program: program.into(), format };
    exchange.theirs(&read);
    exchange.ours(&read, make);
}

struct Exchange<'a> {
    program: PathBuf,
    format: &'a str,
}

impl Exchange<'_> {
    /// Reads what the program writes.
    fn theirs<E: Display>(&self, read: &impl Fn(&str, &[u8]) -> Read<E>) {
        let folder = self.folder("theirs");
        let (seed, count) = (random::base().to_string(), count().to_string());
        self.run(&["write", &seed, &count], &folder);
        check(&folder, read, |extension| extension != "txt");
    }

    /// Writes files with `make`, which the program reads and writes again.
    fn ours<E: Display>(
        &self,
        read: &impl Fn(&str, &[u8]) -> Read<E>,
        make: impl Fn(&mut Dice) -> Made,
    ) {
        let folder = self.folder("ours");
        let made = random::cases(self.format, usize::try_from(count()).unwrap(), make);
        for (case, Made { extension, bytes, meaning }) in made.enumerate() {
            fs::write(folder.join(format!("{case}.{extension}")), bytes).unwrap();
            fs::write(folder.join(format!("{case}.txt")), meaning).unwrap();
        }
        self.run(&["check"], &folder);
        check(&folder, read, |extension| extension == "again");
    }

    /// An empty folder.
    fn folder(&self, name: &str) -> PathBuf {
        let folder = format!("exchange-{}-{name}", self.format);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn run(&self, arguments: &[&str], folder: &Path) {
        let output = Command::new(&self.program).args(arguments).arg(folder).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?} {folder:?}: {text}{errors}");
        print!("{}: {text}", self.format);
    }
}

fn count() -> u64 {
    random::variable("FOURFOLD_CASES").unwrap_or(COUNT)
}

/// Reads the files with an extension, and fails with the smallest one that differs from its text.
fn check<E: Display>(
    folder: &Path,
    read: &impl Fn(&str, &[u8]) -> Read<E>,
    is_one: impl Fn(&str) -> bool,
) {
    let mut failures = Vec::new();
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if is_one(extension(&path)) {
            files += 1;
            let bytes = fs::read(&path).unwrap();
            let difference = difference(&path, &bytes, read).err();
            failures.extend(difference.map(|text| (bytes.len(), path, text)));
        }
    }
    assert_eq!(files, count());
    if let Some((size, path, text)) = failures.iter().min() {
        panic!("{} of {files} differ; {path:?} of {size} bytes: {text}", failures.len());
    }
}

fn difference<E: Display>(
    path: &Path,
    bytes: &[u8],
    read: &impl Fn(&str, &[u8]) -> Read<E>,
) -> Result<(), String> {
    // A file that the program saved again has the content of the file that it loaded.
    let file = if extension(path) == "again" { &path.with_extension("") } else { path };
    let meaning = fs::read_to_string(file.with_extension("txt")).unwrap();
    let (found, written) = read(extension(file), bytes).map_err(|error| error.to_string())?;
    match (found == meaning, written == bytes) {
        (true, true) => Ok(()),
        (false, _) => Err(format!("read as\n{found}and not as\n{meaning}")),
        (_, false) => Err("written with other bytes".to_owned()),
    }
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|text| text.to_str()).unwrap()
}
