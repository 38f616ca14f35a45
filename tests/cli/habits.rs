//! What all verbs have in common: pipes, exit codes, colours, help.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use crate::command::{bytes, command, fixture, fourfold, fourfold_with};

/// The verbs that help is given for.
fn verbs() -> Vec<String> {
    let help = fourfold(&["--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
    let commands = help.text().split("Commands:\n").nth(1).unwrap();
    let commands = commands.split("\n\n").next().unwrap();
    let verbs: Vec<String> = commands
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|verb| !verb.is_empty() && *verb != "help")
        .map(str::to_owned)
        .collect();
    assert_eq!(verbs.len(), 11, "{verbs:?}");
    verbs
}

#[test]
fn every_verb_has_help_with_an_example() {
    for verb in verbs() {
        let run = fourfold(&[&verb, "--help"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{verb}");
        assert!(run.text().contains(&format!("Usage: fourfold {verb}")), "{verb}");
        assert!(run.text().contains("Example"), "{verb} has no example");
        let example = run.text().contains(&format!("\n  fourfold {verb}"));
        assert!(example, "{verb} has no example");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let file = fixture("primitiv/saved/m_flat300.model");
    for verb in [&["explain"][..], &["explain", "--json"], &["explain", "--html"]] {
        let mut child = command(&[verb, &[&file]].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::with_capacity(16, child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        drop(stdout);
        assert!(!line.is_empty());
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(0), ""), "{verb:?}");
    }
}

#[test]
fn standard_input_is_a_file() {
    let file = fixture("tsm/good/minimal.tsm");
    let bytes = bytes(&file);
    for verb in ["detect", "verify", "explain"] {
        let named = fourfold(&[verb, &file]);
        let piped = fourfold_with(&[verb, "-"], &bytes);
        assert_eq!((named.code, named.stderr.as_str()), (0, ""), "{verb}");
        assert_eq!(piped.code, 0, "{verb}");
        assert_eq!(named.text().replace(&file, "standard input"), piped.text(), "{verb}");
    }
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
        (1, &["no-such-verb"]),
        (1, &[]),
        (2, &["verify", &bad]),
        (2, &["verify", &good, &bad]),
        (2, &["explain", &bad]),
        (2, &["explain", "--format", "biniou", &good]),
    ] {
        let run = fourfold(arguments);
        assert_eq!(run.code, expected, "{arguments:?}: {run:?}");
        if expected == 0 || expected == 2 {
            assert_eq!(run.stderr, "", "{arguments:?}");
        } else {
            assert_eq!(run.text(), "", "{arguments:?}");
            assert!(!run.stderr.is_empty(), "{arguments:?}");
        }
    }
    // One line says what is wrong.
    let run = fourfold(&["explain", "no/such/file"]);
    assert!(run.stderr.starts_with("fourfold: no/such/file: "), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1);
}

#[test]
fn colours_are_for_those_who_see_them() {
    let good = fixture("tsm/good/minimal.tsm");
    for verb in ["detect", "verify", "explain"] {
        let colours = |name: &str, value: &str| {
            let output = command(&[verb, &good]).env(name, value).output().unwrap();
            output.stdout.contains(&0x1b)
        };
        assert!(!fourfold(&[verb, &good]).stdout.contains(&0x1b), "{verb}");
        assert!(!colours("NO_COLOR", "1"), "{verb}");
        assert!(colours("CLICOLOR_FORCE", "1"), "{verb}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("explained.txt");
    let arguments = ["explain", &good, "-o", path.to_str().unwrap()];
    assert!(command(&arguments).env("CLICOLOR_FORCE", "1").status().unwrap().success());
    let written = std::fs::read(path).unwrap();
    assert_eq!(written, fourfold(&["explain", &good]).stdout);
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = fourfold(&["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{shell}");
        for verb in verbs() {
            assert!(run.text().contains(&verb), "{shell} does not know {verb}");
        }
        assert!(run.text().contains("canonical"), "{shell}");
    }
    assert_eq!(fourfold(&["completions", "abacus"]).code, 1);
}

#[test]
fn the_manual_is_whole() {
    let manual = fourfold(&["man"]);
    assert_eq!((manual.code, manual.stderr.as_str()), (0, ""));
    assert!(manual.text().contains(".TH fourfold 1"), "{}", manual.text());
    let folder = tempfile::tempdir().unwrap();
    let run = fourfold(&["man", "--dir", folder.path().to_str().unwrap()]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(folder.path().join("fourfold.1").exists());
    for verb in verbs() {
        assert!(manual.text().contains(&format!(".SH \"{}\"", verb.to_uppercase())), "{verb}");
        let page = std::fs::read_to_string(folder.path().join(format!("fourfold-{verb}.1")));
        assert!(page.unwrap().contains(&format!(".TH fourfold-{verb} 1")), "{verb}");
    }
}
