//! Behaviour that all subcommands share: pipes, exit codes, colours, help.

use std::io::Read as _;
use std::process::Stdio;

use crate::command::{Folder, Run, bytes, command, fixture, fourfold, fourfold_with, in_root};

/// Errors name the missing feature, the valid file extensions, or a similar name.
#[test]
fn errors_list_what_is_available() {
    if !cfg!(feature = "sql") {
        let run = fourfold(&["sql", "select 1"]);
        let message = "fourfold: sql needs the feature `sql`, which this command was built without: \
                       `cargo install --locked fourfold-cli --features sql`\n";
        assert_eq!((run.code, run.text(), run.stderr.as_str()), (1, "", message));
    }
    let file = fixture("tsm/good/minimal.tsm");
    let endings = [".tsm", ".t", ".model", ".param", ".tensor", ".safetensors", ".npz", ".npy"];
    for name in ["x.pth", "x", "x.NPZ.bak"] {
        let run = fourfold(&["convert", &file, name]);
        assert_eq!((run.code, run.text(), run.stderr.lines().count()), (1, "", 1), "{name}");
        for named in endings.iter().chain(&[".parquet", "`--to`", name]) {
            assert!(run.stderr.contains(named), "{named}: {}", run.stderr);
        }
        assert!(!in_root(name).exists());
    }
    for (arguments, near) in [
        (&["verfy", "x"][..], "'verify'"),
        (&["schema", "compar", "a", "b"], "'compare'"),
        (&["verify", "--format", "molecul", "x"], "'molecule'"),
    ] {
        let run = fourfold(arguments);
        assert!(run.code == 1 && run.stderr.contains(near), "{arguments:?}: {}", run.stderr);
    }
}

/// The subcommands in the help text.
fn subcommands() -> Vec<String> {
    let help = fourfold(&["--help"]).succeeded();
    let commands = help.text().split("Commands:\n").nth(1).unwrap();
    let commands = commands.split("\n\n").next().unwrap();
    let subcommands: Vec<String> = commands
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|subcommand| !subcommand.is_empty() && *subcommand != "help")
        .map(str::to_owned)
        .collect();
    let all = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/subcommands")).unwrap();
    let files = all.filter(|entry| entry.as_ref().unwrap().path().is_file()).count();
    assert_eq!(subcommands.len(), files - usize::from(!cfg!(feature = "sql")), "{subcommands:?}");
    subcommands
}

#[test]
fn every_subcommand_has_help_with_an_example() {
    for subcommand in subcommands() {
        let run = fourfold(&[&subcommand, "--help"]).succeeded();
        assert!(run.text().contains(&format!("Usage: fourfold {subcommand}")), "{subcommand}");
        let example = format!("\nExamples:\n  fourfold {subcommand} ");
        assert!(run.text().contains(&example), "{subcommand} has no example");
    }
}

/// A closed pipe ends a subcommand, which does not go on to the end of the file.
#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = Folder::new();
    // To print all lines would take hours.
    let zeros = folder.path("zeros");
    std::fs::File::create(&zeros).unwrap().set_len(8 << 30).unwrap();
    let log = folder.write("log", crate::streaming::log(2000));
    let model = fixture("primitiv/saved/m_flat300.model");
    let module = fixture("tsm/good/cnn_small.tsm");
    for (subcommand, file, forms) in [
        ("explain", &model, &["--wide", "--json", "--html"][..]),
        ("explain", &zeros, &["--wide", "--json"]),
        ("dump", &module, &["--tree", "--json", "--yaml"]),
        ("dump", &log, &["--tree", "--json", "--yaml", "--jsonl"]),
    ] {
        for form in forms {
            let mut arguments = vec![subcommand, form, file];
            arguments.extend((file == &zeros).then_some("--format=biniou"));
            arguments.extend((file == &module).then_some("--full"));
            let mut child =
                command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let mut start = [0; 100];
            child.stdout.take().unwrap().read_exact(&mut start).unwrap();
            Run::new(&arguments, child.wait_with_output().unwrap()).succeeded();
        }
    }
}

/// A standard output whose reader has already exited.
fn closed_pipe() -> Stdio {
    let mut reader =
        command(&["--version"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let pipe = reader.stdin.take().unwrap();
    reader.wait().unwrap();
    pipe.into()
}

#[test]
fn a_closed_pipe_does_not_change_the_exit_code() {
    let good = fixture("tsm/good/minimal.tsm");
    let bad = fixture("tsm/odd/unknown_dtype_33.tsm");
    let notes = fixture("tsm/NOTES.md");
    let folder = Folder::new();
    let doubtful = &folder.write("zeros", [0; 4]);
    let overlong = fixture("biniou/tree-reader/uvint_overlong.biniou");
    for (expected, arguments) in [
        (0, &["verify", &good, &good][..]),
        (2, &["verify", &bad, &bad]),
        // All files are checked.
        (2, &["verify", &good, &bad]),
        (1, &["verify", &good, "no/such/file", &bad]),
        (3, &["verify", "--canonical", "--format", "biniou", &overlong]),
        (0, &["diff", &good, &good]),
        (3, &["diff", &good, &fixture("tsm/good/passthrough.tsm")]),
        (3, &["diff", "--json", &good, &fixture("tsm/good/passthrough.tsm")]),
        (0, &["detect", &good]),
        (2, &["detect", &good, &notes]),
        (3, &["detect", "--json", doubtful]),
        (1, &["detect", "no/such/file", &notes]),
        (0, &["explain", &good]),
        (2, &["explain", &bad]),
        (2, &["explain", "--json", &bad]),
        (2, &["explain", "--html", &bad]),
        // These have no result besides their output.
        (0, &["dump", &good]),
        (0, &["info", &good]),
        (0, &["graph", &good]),
        (0, &["man"]),
    ] {
        let run = fourfold(arguments);
        assert_eq!(run.code, expected, "{arguments:?}: {run:?}");
        let output = command(arguments).stdout(closed_pipe()).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), errors), (Some(expected), run.stderr), "{arguments:?}");
    }
}

#[test]
fn standard_input_is_a_file() {
    let file = fixture("tsm/good/minimal.tsm");
    let bytes = bytes(&file);
    for subcommand in ["detect", "verify", "explain", "info"] {
        let named = fourfold(&[subcommand, &file]);
        let piped = fourfold_with(&[subcommand, "-"], &bytes);
        assert_eq!((named.code, named.stderr.as_str()), (0, ""), "{subcommand}");
        assert_eq!(piped.code, 0, "{subcommand}");
        assert_eq!(named.text().replace(&file, "standard input"), piped.text(), "{subcommand}");
    }
}

/// A named pipe, which cannot be mapped into memory.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_with_a_name_is_a_file() {
    let bytes = bytes(&fixture("tsm/good/minimal.tsm"));
    let run = fourfold_with(&["verify", "/dev/stdin"], &bytes).succeeded();
    assert!(run.text().starts_with("/dev/stdin: good (tsm, "), "{}", run.text());
    let run = fourfold(&["verify", "src"]);
    let text = "fourfold: src: this is a directory; use -r to read the files in it\n";
    assert_eq!((run.code, &*run.stderr), (1, text));
}

#[test]
fn exit_codes() {
    let good = fixture("tsm/good/minimal.tsm");
    let bad = fixture("tsm/odd/unknown_dtype_33.tsm");
    for (expected, arguments) in [
        (0, &["detect", &good][..]),
        (0, &["detect", &bad]),
        (0, &["verify", &good]),
        (0, &["verify", "--canonical", &good]),
        (0, &["explain", &good]),
        (0, &["--version"]),
        (1, &["verify", "no/such/file"]),
        (1, &["explain", "no/such/file"]),
        (1, &["detect", "no/such/file"]),
        (1, &["explain", &good, "--format", "zip"]),
        (1, &["no-such-subcommand"]),
        (1, &[]),
        (2, &["verify", &bad]),
        (2, &["verify", &good, &bad]),
        (2, &["explain", &bad]),
        (2, &["explain", "--format", "biniou", &good]),
    ] {
        let run = fourfold(arguments);
        assert_eq!(run.code, expected, "{arguments:?}: {run:?}");
        if expected == 0 || expected == 2 {
            assert_eq!(run.errors(), "", "{arguments:?}");
        } else {
            assert_eq!(run.text(), "", "{arguments:?}");
            assert!(!run.stderr.is_empty(), "{arguments:?}");
        }
    }
    // The error is one line.
    let run = fourfold(&["explain", "no/such/file"]);
    assert!(run.stderr.starts_with("fourfold: no/such/file: "), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1);
}

#[test]
fn colours_are_printed_only_to_terminals() {
    let good = fixture("tsm/good/minimal.tsm");
    for subcommand in ["detect", "verify", "explain"] {
        let colours = |name: &str, value: &str| {
            let output = command(&[subcommand, &good]).env(name, value).output().unwrap();
            output.stdout.contains(&0x1b)
        };
        assert!(!fourfold(&[subcommand, &good]).stdout.contains(&0x1b), "{subcommand}");
        assert!(!colours("NO_COLOR", "1"), "{subcommand}");
        assert!(colours("CLICOLOR_FORCE", "1"), "{subcommand}");
    }
    let folder = Folder::new();
    let path = folder.path("explained.txt");
    let arguments = ["explain", &good, "-o", &path];
    assert!(command(&arguments).env("CLICOLOR_FORCE", "1").status().unwrap().success());
    let written = std::fs::read(path).unwrap();
    assert_eq!(written, fourfold(&["explain", &good]).stdout);
}

#[test]
fn completions_have_all_subcommands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = fourfold(&["completions", shell]).succeeded();
        for subcommand in subcommands() {
            assert!(run.text().contains(&subcommand), "{shell} does not complete {subcommand}");
        }
        assert!(run.text().contains("canonical"), "{shell}");
    }
    assert_eq!(fourfold(&["completions", "abacus"]).code, 1);
}

#[test]
fn the_manual_has_all_subcommands() {
    let manual = fourfold(&["man"]).succeeded();
    assert!(manual.text().contains(".TH fourfold 1"), "{}", manual.text());
    let folder = Folder::new();
    fourfold(&["man", "--dir", folder.root()]).succeeded();
    assert!(std::fs::exists(folder.path("fourfold.1")).unwrap());
    for subcommand in subcommands() {
        assert!(
            manual.text().contains(&format!(".SH \"{}\"", subcommand.to_uppercase())),
            "{subcommand}"
        );
        let page = std::fs::read_to_string(folder.path(format!("fourfold-{subcommand}.1")));
        assert!(page.unwrap().contains(&format!(".TH fourfold-{subcommand} 1")), "{subcommand}");
    }
    // Nested subcommands too.
    assert!(manual.text().contains(".SH \"SCHEMA COMPARE\""), "{}", manual.text());
    assert!(std::fs::exists(folder.path("fourfold-schema-compare.1")).unwrap());
}

#[test]
fn a_wrong_file_extension_is_ignored() {
    let folder = Folder::new();
    let path = &folder.path("values.tsm");
    std::fs::copy(in_root(fixture("biniou/multi/feat.point-two.biniou")), path).unwrap();
    for subcommand in ["verify", "dump", "explain", "info"] {
        assert_eq!(fourfold(&[subcommand, path]).code, 0, "{subcommand}");
    }
    assert_eq!(fourfold(&["diff", path, path]).code, 0);
    let out = folder.path("out.npz");
    let run = fourfold(&["convert", path, &out]);
    assert_eq!((run.code, std::fs::exists(&out).unwrap()), (2, false));
    assert!(run.stderr.ends_with(": is biniou, which contains no weights\n"), "{}", run.stderr);
    let run = fourfold(&["graph", path]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("this is biniou; only modules"), "{}", run.stderr);
    let run = fourfold(&["graph", &fixture("tsm/good/tensor_f32.t")]);
    assert!(run.stderr.contains("these are tensors of tsm; only modules"), "{}", run.stderr);
}

#[test]
fn a_path_selects_the_same_value_in_every_subcommand() {
    for (file, named, physical) in [
        ("tsm/good/mlp.tsm", "graph[4].bubble.value", "graph[4].bubble[VALUE]"),
        (
            "tsm/good/mlp.tsm",
            "graph[4].bubble.value.data",
            "graph[4].bubble[VALUE].value[0].memory",
        ),
        (
            "tsm/good/mlp.tsm",
            "graph[4].bubble.value.shape",
            "graph[4].bubble[VALUE].value[0].shape",
        ),
        ("primitiv/saved/o_adam.optimizer", "float_configs.Adam.beta2", "float_configs[0]"),
    ] {
        let file = fixture(file);
        let params = fourfold(&["explain", "--wide", "--path", "graph[4].bubble", &file]);
        let value = params.text().lines().find(|line| line.ends_with("\"value\""));
        let at = value.and_then(|line| line.split("bubble[").nth(1)?.split(']').next());
        let physical = physical.replace("VALUE", at.unwrap_or_default());
        let by_name = fourfold(&["explain", "--path", named, &file]);
        let by_place = fourfold(&["explain", "--path", &physical, &file]);
        assert_eq!((by_name.code, by_name.text()), (0, by_place.text()), "{named}");
        let by_name = fourfold(&["dump", "--path", named, &file]);
        let by_place = fourfold(&["dump", "--path", &physical, &file]);
        assert_eq!((by_name.code, by_name.text()), (0, by_place.text()), "{named}");
    }
}

/// Names that `explain` shortens or escapes in its output.
#[test]
fn a_path_may_have_any_name() {
    let json = fourfold(&["dump", "--json", "--full", &fixture("tsm/good/minimal.tsm")]).json();
    let folder = Folder::new();
    let file = &folder.path("names.tsm");
    for name in ["n".repeat(65), "a\t\"\\é\"".into()] {
        let mut json = json.clone();
        let bubble = json["graph"][0]["bubble"].as_object_mut().unwrap();
        bubble.insert(name.clone(), bubble["#op"].clone());
        fourfold_with(&["make", "-", "-o", file], json.to_string().as_bytes()).succeeded();
        let path = format!("graph[0].bubble.{name}");
        assert_eq!(fourfold(&["dump", "--path", &path, file]).code, 0, "{name}");
        let lines =
            fourfold(&["explain", "--json", "--path", &path, file]).succeeded().json_lines();
        let range = |end: &str| usize::try_from(lines[1][end].as_u64().unwrap()).unwrap();
        assert_eq!(bytes(file)[range("start")..range("end")], *name.as_bytes());
    }
}

#[test]
fn commands_of_the_readme_have_its_output() {
    let readme = include_str!("../../../README.md");
    let shown = readme.split("```sh\nfourfold explain ").nth(1).unwrap();
    let (arguments, rest) = shown.split_once('\n').unwrap();
    // No argument has a space; quotes are for shells.
    let words = arguments.split(' ').map(|word| word.trim_matches('\''));
    let arguments: Vec<&str> = ["explain"].into_iter().chain(words).collect();
    let printed = rest.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    // In a terminal as wide as the README's lines.
    let output = command(&arguments).env("COLUMNS", "100").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), printed);
}

/// Named by the same path, another path, a symbolic link or a hard link.
#[cfg(unix)]
#[test]
fn nothing_is_written_over_an_input() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (module, json, weights) = (path("a.tsm"), path("a.json"), path("a.npz"));
    std::fs::copy(in_root(fixture("tsm/good/mlp.tsm")), &module).unwrap();
    assert_eq!(fourfold(&["dump", &module, "--json", "--full", "-o", &json]).code, 0);
    assert_eq!(fourfold(&["convert", &module, &weights]).code, 0);
    for file in [&module, &json, &weights] {
        std::os::unix::fs::symlink(file, format!("{file}.soft")).unwrap();
        std::fs::hard_link(file, format!("{file}.hard")).unwrap();
    }
    for (subcommand, file, others) in [
        ("convert", &module, &["--to", "npz"][..]),
        ("convert", &module, &["--to", "tsm", "--like", &module]),
        ("dump", &module, &["-o"]),
        ("make", &json, &["-o"]),
        ("explain", &module, &["-o"]),
        ("graph", &module, &["--to", "svg", "-o"]),
    ] {
        let before = bytes(file);
        let roundabout = format!(
            "{}/../{}/a.{}",
            path("."),
            path(".").split('/').nth_back(1).unwrap(),
            file.rsplit('.').next().unwrap()
        );
        for output in [file.clone(), format!("{file}.soft"), format!("{file}.hard"), roundabout] {
            let arguments = [&[subcommand, file], others, &[output.as_str()]].concat();
            let arguments: Vec<&str> = match subcommand {
                "convert" => [&[subcommand, file, &output], others].concat(),
                _ => arguments,
            };
            let run = fourfold(&arguments);
            let text = format!(
                "fourfold: {output}: this is the file that is read ({file}); write another and \
                 rename it\n"
            );
            assert_eq!((run.code, run.stderr), (1, text), "{arguments:?}");
            assert_eq!(bytes(file), before);
        }
    }
    // The file to fill is an input, too.
    let run = fourfold(&[
        "convert",
        &weights,
        &format!("{module}.hard"),
        "--to",
        "tsm",
        "--like",
        &module,
    ]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(bytes(&module), bytes(&fixture("tsm/good/mlp.tsm")));
    // Standard input and output can be files.
    let open =
        |append: bool| std::fs::OpenOptions::new().read(true).append(append).open(&json).unwrap();
    let output = command(&["make", "-", "-o", "-"]).stdin(open(false)).stdout(open(true)).output();
    let errors = String::from_utf8(output.unwrap().stderr).unwrap();
    assert!(errors.contains("-: this is the file that is read (-)"), "{errors}");
}

/// A dictionary is an input, too.
#[test]
fn nothing_is_written_over_a_dictionary() {
    let folder = Folder::new();
    let words = &folder.path("words");
    std::fs::write(words, "who\n").unwrap();
    let file = fixture("biniou/data/log.log_list-three.biniou");
    for subcommand in ["dump", "explain"] {
        let run = fourfold(&[subcommand, "--dict", words, &file, "-o", words]);
        let text = format!(
            "fourfold: {words}: this is the file that is read ({words}); write another and rename \
             it\n"
        );
        assert_eq!((run.code, run.stderr), (1, text), "{subcommand}");
        assert_eq!(std::fs::read(words).unwrap(), b"who\n", "{subcommand}");
    }
}

/// As with `verify b >> b`.
#[cfg(unix)]
#[test]
fn nothing_is_printed_into_an_input() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (module, words, made) = (path("a.tsm"), path("words"), path("made.npz"));
    let other = fixture("tsm/good/mlp.tsm");
    std::fs::copy(in_root(&other), &module).unwrap();
    std::fs::write(&words, "who\n").unwrap();
    for (read, arguments) in [
        (&module, &["detect", &other, &module][..]),
        (&module, &["verify", &other, &module]),
        (&words, &["verify", "--dict", &words, &other]),
        (&module, &["info", &module]),
        (&words, &["info", "--dict", &words, &other]),
        (&module, &["diff", &other, &module]),
        (&module, &["diff", &module, &other]),
        (&words, &["diff", "--dict", &words, &other, &other]),
        (&module, &["convert", &module, &made]),
        (&module, &["dump", &module]),
        (&words, &["explain", "--dict", &words, &other]),
        (&module, &["graph", &module]),
    ] {
        let before = bytes(read);
        let end = std::fs::OpenOptions::new().append(true).open(read).unwrap();
        let output = command(arguments).stdout(end).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        let text = format!("fourfold: -: this is the file that is read ({read});");
        assert!(errors.starts_with(&text), "{arguments:?}: {errors}");
        assert_eq!((output.status.code(), bytes(read)), (Some(1), before), "{arguments:?}");
    }
}

#[test]
fn output_has_the_width_of_the_terminal() {
    let folder = Folder::new();
    let path = folder.path("wide.npz");
    let file = fixture("primitiv/saved/m_name_of_31_bytes.model");
    assert_eq!(fourfold(&["convert", &file, &path]).code, 0);
    let at = |columns: &str, arguments: &[&str]| {
        let output = command(arguments).env("COLUMNS", columns).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let table = |columns: &str| {
        at(columns, &["info", &path])
            .lines()
            .find(|line| line.starts_with("  n"))
            .unwrap()
            .to_owned()
    };
    assert!(table("40").contains('…') && table("40").chars().count() <= 40, "{}", table("40"));
    assert!(!table("100").contains('…'), "{}", table("100"));
    // Lines of errors and the first line, the file's name, are never shortened.
    let explained = |columns: &str, more: &[&str]| {
        let file = fixture("tsm/good/cnn_small.tsm");
        let text = at(columns, &[&["explain", &file], more].concat());
        text.lines().skip(1).map(|line| line.chars().count()).max().unwrap()
    };
    assert!((41..=60).contains(&explained("60", &[])), "{}", explained("60", &[]));
    assert!((101..=120).contains(&explained("120", &[])), "{}", explained("120", &[]));
    assert_eq!(explained("60", &["--wide"]), explained("120", &["--wide"]));
    let json = |columns: &str| at(columns, &["dump", "--json", &fixture("tsm/good/mlp.tsm")]);
    let widest = |text: String| text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest(json("60")) <= 60 && (61..=160).contains(&widest(json("160"))));
}

/// Concatenated values and chunks are not in memory all at once.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_values() {
    const KIBIBYTES: usize = 120 << 10;
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    // A chunk with a list of 2^22 int8, and one with as many bools.
    let mut list = vec![19, 0x80, 0x80, 0x80, 2, 1];
    list.resize(list.len() + (1 << 22), 7);
    let length = u64::try_from(list.len()).unwrap().to_be_bytes();
    std::fs::write(path("stream"), [&[1][..], &length, &list, &[0]].concat()).unwrap();
    std::fs::write(path("bools"), vec![0; 8 << 20]).unwrap();
    for arguments in [
        &["explain", "--path", "[0][3]", &path("stream")][..],
        &["diff", &path("bools"), &path("bools")],
    ] {
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("ulimit -d {KIBIBYTES}; exec \"$0\" \"$@\"")])
            .arg(env!("CARGO_BIN_EXE_fourfold"))
            .args(arguments)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    }
}
