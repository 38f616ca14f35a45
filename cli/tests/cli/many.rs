//! Several files: patterns, directories, headings, the summary and the worst exit code.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::command::{Folder, Run, command, fixture, fourfold, in_root};

/// The subcommands that take several files.
const ALL: [&str; 5] = ["verify", "info", "dump", "detect", "explain"];

/// A directory with good, damaged and hidden files, one of an unknown format, and links.
struct Sandbox(tempfile::TempDir);

impl Sandbox {
    fn new() -> Self {
        let sandbox = Sandbox(tempfile::tempdir().unwrap());
        for folder in ["models/inner", "models/.hidden", "models/empty"] {
            fs::create_dir_all(sandbox.path(folder)).unwrap();
        }
        for (name, from) in [
            ("models/b.tsm", "tsm/good/minimal.tsm"),
            ("models/inner/a.biniou", "biniou/data/log.log_list-three.biniou"),
            ("models/.hidden/c.tsm", "tsm/odd/unknown_dtype_33.tsm"),
            ("models/.d.tsm", "tsm/odd/unknown_dtype_33.tsm"),
            ("models/README.md", "tsm/NOTES.md"),
        ] {
            fs::copy(in_root(fixture(from)), sandbox.path(name)).unwrap();
        }
        sandbox
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn add_damaged(&self) {
        let from = in_root(fixture("tsm/odd/unknown_dtype_33.tsm"));
        fs::copy(from, self.path("models/z.tsm")).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Run {
        Run::new(arguments, command(arguments).current_dir(self.0.path()).output().unwrap())
    }
}

#[test]
fn directories_are_read_in_order() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["verify", "-r", "models"]);
    let lines = "models/b.tsm: good (tsm, module of 2 nodes, 265 bytes)\n\
                 models/inner/a.biniou: good (biniou, 1 value, 394 bytes)\n";
    assert_eq!((run.code, run.text()), (0, lines));
    assert_eq!(run.stderr, "fourfold: 3 files: 2 good, 1 unknown\n");
    sandbox.add_damaged();
    let run = sandbox.run(&["verify", "-r", "models"]);
    assert_eq!((run.code, run.text().lines().count()), (2, 3));
    assert_eq!(run.stderr, "fourfold: 4 files: 1 bad, 2 good, 1 unknown\n");
    // A file that is given by name must be of a known format.
    let run = sandbox.run(&["verify", "models/README.md", "models/b.tsm"]);
    assert_eq!(run.code, 2);
    assert!(run.text().starts_with("models/README.md: "), "{run:?}");
    // So must a file with the extension of a format.
    fs::write(sandbox.path("models/y.tsm"), "").unwrap();
    let run = sandbox.run(&["verify", "-r", "models"]);
    assert!(run.text().contains("models/y.tsm: empty file"), "{run:?}");

    let run = sandbox.run(&["detect", "-r", "models/inner", "models"]);
    let names = run.text().lines().filter(|line| !line.starts_with(' '));
    let names: Vec<&str> = names.map(|line| line.split(':').next().unwrap()).collect();
    let all = ["README.md", "b.tsm", "inner/a.biniou", "y.tsm", "z.tsm"];
    let all: Vec<String> = all.iter().map(|name| format!("models/{name}")).collect();
    assert_eq!(
        (names[0], &names[1..]),
        ("models/inner/a.biniou", &all.iter().map(String::as_str).collect::<Vec<_>>()[..])
    );
    assert_eq!(run.code, 2);
}

#[test]
fn directories_require_the_option() {
    let sandbox = Sandbox::new();
    for subcommand in ALL {
        let run = sandbox.run(&[subcommand, "models", "models/b.tsm"]);
        let message = "fourfold: models: this is a directory; use -r to read the files in it\n";
        assert_eq!((run.code, run.errors()), (1, message), "{subcommand}");
        assert!(!run.stdout.is_empty(), "{subcommand} stops at the directory");
        let run = sandbox.run(&[subcommand, "-r", "models/empty"]);
        let message = "fourfold: models/empty: no files in this directory\n";
        assert_eq!((run.code, &*run.stderr), (1, message), "{subcommand}");
        let run = sandbox.run(&[subcommand, "-", "-"]);
        let message = "fourfold: standard input can be read only once: give `-` once\n";
        assert_eq!((run.code, &*run.stderr), (1, message), "{subcommand}");
    }
}

/// Patterns that no shell has expanded match as they do in a shell; `**` matches all depths.
#[test]
fn patterns_are_expanded() {
    let sandbox = Sandbox::new();
    let names = |pattern: &str| {
        let run = sandbox.run(&["detect", "--json", pattern]);
        let lines = run.json_lines().into_iter();
        lines.map(|object| object["file"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("models/*"), ["models/README.md", "models/b.tsm"]);
    assert_eq!(names("models/.*"), ["models/.d.tsm"]);
    assert_eq!(names("*/*/?.biniou"), ["models/inner/a.biniou"]);
    assert_eq!(names("**/*.{tsm,biniou}"), ["models/b.tsm", "models/inner/a.biniou"]);
    assert_eq!(names("**/[!b].*"), ["models/inner/a.biniou"]);
    let odd = "models/[odd].tsm";
    fs::copy(in_root(fixture("tsm/good/minimal.tsm")), sandbox.path(odd)).unwrap();
    assert_eq!(names(odd), [odd], "a file has that name");
    for (pattern, message) in [
        ("models/*.npz", "no file is named `models/*.npz`"),
        ("models/i*", "models/i*: no files, only directories; use -r to read the files in them"),
        ("models/[", "models/[: error parsing glob '[': unclosed character class; missing ']'"),
    ] {
        let run = sandbox.run(&["verify", pattern]);
        assert_eq!((run.code, run.stderr), (1, format!("fourfold: {message}\n")));
    }
    let run = sandbox.run(&["verify", "-r", "models/i*"]);
    assert!(run.text().starts_with("models/inner/a.biniou: good"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn links_and_pipes_do_not_hang() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let sandbox = Sandbox::new();
    for (target, link) in
        [("..", "up"), (".", "here"), ("here", "there"), ("b.tsm", "c.tsm"), ("none", "d")]
    {
        symlink(target, sandbox.path("models").join(link)).unwrap();
    }
    let pipe = sandbox.path("models/pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let unread = sandbox.path("models/secret");
    fs::create_dir(&unread).unwrap();
    fs::set_permissions(&unread, fs::Permissions::from_mode(0o000)).unwrap();
    // A privileged user can read it.
    let is_refused = fs::read_dir(&unread).is_err();
    for files in [&["-r", "models"][..], &["models/**/*"], &["models/*"]] {
        let run = sandbox.run(&[&["verify"], files].concat());
        let names = run.text().lines().map(|line| line.split(':').next().unwrap());
        let names: Vec<&str> = names.filter(|name| !name.ends_with("README.md")).collect();
        let all = ["models/b.tsm", "models/c.tsm", "models/inner/a.biniou"];
        let is_deep = files != ["models/*"];
        assert_eq!(names, all[..if is_deep { 3 } else { 2 }], "{run:?}");
        assert_eq!(run.code, 1);
        assert!(run.stderr.contains("fourfold: models/d: "), "{run:?}");
        assert_eq!(
            run.stderr.contains("fourfold: models/secret: "),
            is_deep && is_refused,
            "{run:?}"
        );
    }
    fs::set_permissions(&unread, fs::Permissions::from_mode(0o700)).unwrap();
}

/// Each file's output has the name as its heading, unless its lines begin with the name.
#[test]
fn several_files_have_headings() {
    let sandbox = Sandbox::new();
    let (one, two) = ("models/b.tsm", "models/inner/a.biniou");
    let single = |subcommand: &str, option: &[&str], file: &str| {
        sandbox.run(&[&[subcommand], option, &[file]].concat()).text().to_owned()
    };
    for (subcommand, option, heading) in [
        ("dump", &["--tree"][..], "==> NAME <==\n"),
        ("dump", &["--yaml"], "--- # NAME\n"),
        ("info", &[], ""),
        ("info", &["--json"], ""),
        ("explain", &["--wide"], ""),
    ] {
        let run = sandbox.run(&[&[subcommand], option, &[one, two]].concat());
        let text = |file: &str| heading.replace("NAME", file) + &single(subcommand, option, file);
        let between = if option == ["--yaml"] || option == ["--json"] { "" } else { "\n" };
        assert_eq!(
            run.text(),
            format!("{}{between}{}", text(one), text(two)),
            "{subcommand} {option:?}"
        );
        let word = if subcommand == "explain" { "good" } else { "shown" };
        assert_eq!((run.code, run.stderr), (0, format!("fourfold: 2 files: 2 {word}\n")));
    }
    let run = sandbox.run(&["dump", "--json", one, two]);
    let objects = serde_json::Deserializer::from_slice(&run.stdout).into_iter::<Value>();
    for (object, file) in objects.map(Result::unwrap).zip([one, two]) {
        assert_eq!(object["file"], file);
        let alone: Value = serde_json::from_str(&single("dump", &["--json"], file)).unwrap();
        assert_eq!(object["document"], alone);
    }
    let run = sandbox.run(&["explain", "--json", one, two]);
    let lines = run.json_lines().into_iter();
    let mut files: Vec<Value> = lines.map(|line| line["file"].clone()).collect();
    files.dedup();
    assert_eq!(files, [one, two]);
    let alone: Value =
        serde_json::from_str(single("explain", &["--json"], one).lines().next().unwrap()).unwrap();
    assert_eq!(alone.get("file"), None);
}

#[test]
fn one_output_is_for_one_file() {
    let sandbox = Sandbox::new();
    let (one, two) = ("models/b.tsm", "models/inner/a.biniou");
    for (arguments, option) in [
        (&["dump", "-o", "out"][..], "-o"),
        (&["explain", "-o", "out"], "-o"),
        (&["explain", "--html"], "--html"),
        (&["explain", "-o", "out.html"], "--html"),
    ] {
        let run = sandbox.run(&[arguments, &[one, two]].concat());
        let message = format!(
            "fourfold: {option} is for one file, and there are 2; without it, they are printed one after another\n"
        );
        assert_eq!((run.code, run.stderr), (1, message), "{arguments:?}");
        assert!(!sandbox.path("out").exists() && !sandbox.path("out.html").exists());
        let out =
            if option == "-o" { &["-r", "models/inner"][..] } else { &["models/inn*/*.biniou"] };
        assert_eq!(sandbox.run(&[arguments, out].concat()).code, 0, "{arguments:?}");
        let _ = (fs::remove_file(sandbox.path("out")), fs::remove_file(sandbox.path("out.html")));
    }
}

#[test]
fn the_worst_exit_code_counts() {
    let good = fixture("tsm/good/minimal.tsm");
    let bad = fixture("tsm/odd/unknown_dtype_33.tsm");
    let other = fixture("biniou/tree-reader/uvint_overlong.biniou");
    let missing = "no/such/file".to_owned();
    for subcommand in ALL {
        let code = |files: &[&String]| {
            let files: Vec<&str> = files.iter().map(|file| file.as_str()).collect();
            fourfold(&[&[subcommand], &files[..]].concat()).code
        };
        assert_eq!(code(&[&good, &good]), 0, "{subcommand}");
        for files in [[&missing, &bad], [&bad, &missing], [&good, &missing]] {
            assert_eq!(code(&files), 1, "{subcommand} {files:?}");
        }
        if subcommand != "detect" {
            assert_eq!((code(&[&good, &bad]), code(&[&bad, &good])), (2, 2), "{subcommand}");
        }
    }
    let canonical = |files: &[&str]| fourfold(&[&["verify", "--canonical"], files].concat()).code;
    assert_eq!(canonical(&[&other, &good]), 3);
    assert_eq!(canonical(&[&bad, &other, &good]), 2);
    assert_eq!(canonical(&[&bad, &other, &missing]), 1);
    // A path that exists in one of the files only.
    let run = fourfold(&["dump", "--path", "graph", &other, &good]);
    assert_eq!(run.code, 1);
    assert!(run.text().contains("bubble"), "{run:?}");
}

/// The output file can be in the directory that is read.
#[test]
fn the_output_file_is_not_read() {
    let sandbox = Sandbox::new();
    let out = sandbox.path("models/out.txt");
    let run = |files: &[&str]| {
        let mut verify = command(&[&["verify"], files].concat());
        let verify = verify.current_dir(sandbox.0.path()).stdout(fs::File::create(&out).unwrap());
        verify.output().unwrap()
    };
    let output = run(&["-r", "models"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 2);
    assert_eq!(run(&["models/out.txt"]).status.code(), Some(1));
}

/// The schema of each file is found in the project.
#[test]
fn rules_of_the_project_apply_to_each_file() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path(".git")).unwrap();
    let schema = in_root(fixture("biniou/schemas/log.atd"));
    fs::copy(schema, sandbox.path("log.atd")).unwrap();
    let rule = "[[files]]\npaths = \"**/*.biniou\"\nschema = \"log.atd\"\ntype = \"log_list\"\n";
    fs::write(sandbox.path("fourfold.toml"), rule).unwrap();
    let run = sandbox.run(&["verify", "-r", "models"]);
    assert!(run.text().contains("models/b.tsm: good (tsm, "), "{run:?}");
    assert!(run.text().contains("a.biniou: good (biniou, log_list, "), "{run:?}");
    for subcommand in ["dump", "info", "explain"] {
        let wide: &[&str] = if subcommand == "explain" { &["--wide"] } else { &[] };
        let run = sandbox.run(&[&[subcommand, "-r", "models"], wide].concat());
        assert_eq!(run.code, 0, "{subcommand}: {run:?}");
        assert!(
            run.text().contains("request") && run.text().contains("relu"),
            "{subcommand}: {run:?}"
        );
    }
    // A wrong rule is reported once.
    fs::write(sandbox.path("log.atd"), "type").unwrap();
    let run = sandbox.run(&["dump", "-r", "models", "models/inner/a.biniou"]);
    assert_eq!(run.stderr.matches("log.atd").count(), 1, "{run:?}");
}

/// Memory is bounded by the largest file, not by all of them.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn memory_is_bounded_by_the_largest_file() {
    let folder = Folder::new();
    let bytes = fourfold::biniou::to_vec(&vec![1_i64; 200_000]).unwrap();
    for name in 0..40 {
        folder.write(format!("{name}.biniou"), &bytes);
    }
    let files = folder.root();
    let fourfold = env!("CARGO_BIN_EXE_fourfold");
    let output = std::process::Command::new("bash")
        .args(["-c", &format!("ulimit -v 400000; {fourfold} dump --json -r {files} >/dev/null")])
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "fourfold: 40 files: 40 shown\n");
}

/// Several `**` match each directory in many ways, but it is read once.
#[test]
fn patterns_with_many_wildcards_end() {
    let sandbox = Sandbox::new();
    let deep: PathBuf = std::iter::repeat_n("deep", 40).collect();
    fs::create_dir_all(sandbox.path("").join(&deep)).unwrap();
    fs::copy(sandbox.path("models/b.tsm"), sandbox.path("").join(&deep).join("b.tsm")).unwrap();
    let pattern = format!("deep/{}*.tsm", "**/*/".repeat(12));
    let run = sandbox.run(&["detect", &pattern]);
    assert!(run.text().contains("b.tsm: tsm"), "{run:?}");
}

/// If a pattern matches a file named `-`, that file is read.
#[test]
fn a_pattern_is_never_standard_input() {
    let sandbox = Sandbox::new();
    fs::copy(sandbox.path("models/b.tsm"), sandbox.path("-")).unwrap();
    let run = sandbox.run(&["verify", "[-]"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.text().starts_with("./-: good (tsm"), "{run:?}");
}
