//! Compares the parser of `.atd` schemas with atdgen: both accept the same schemas.
//!
//! A machine without atdgen skips this with a printed line, unless `CI` is set.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use fourfold_schema::atd::Schema;

use crate::atd_random::{Purpose, definitions};
use crate::random::{self, Dice};

/// Whether atdgen is installed.
pub(crate) fn is_installed() -> bool {
    let found = Command::new("atdgen").arg("-version").output().is_ok();
    if !found {
        assert!(env::var_os("CI").is_none(), "these tests need atdgen, and CI never skips them");
        println!("no atdgen here: its verdicts are skipped");
    }
    found
}

/// The error of atdgen for the schema in a file, or `None` if atdgen accepts it.
fn refusal(path: &Path) -> Option<String> {
    let out = path.with_extension("out");
    let mut atdgen = Command::new("atdgen");
    atdgen.arg("-b").arg(path).arg("-o").arg(out).stdout(Stdio::null());
    let output = atdgen.output().unwrap();
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The OCaml code that atdgen generates from a schema: types, readers and writers.
pub(crate) fn ocaml(text: &str) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schema.atd");
    fs::write(&path, text).unwrap();
    for kind in ["-t", "-b"] {
        let mut atdgen = Command::new("atdgen");
        atdgen.arg(kind).arg("schema.atd").current_dir(&folder).stderr(Stdio::null());
        if !atdgen.status().unwrap().success() {
            return None;
        }
    }
    let files = ["schema_t.ml", "schema_t.mli", "schema_b.ml", "schema_b.mli"];
    Some(files.iter().map(|file| fs::read_to_string(folder.path().join(file)).unwrap()).collect())
}

/// Splits schemas into those that atdgen accepts and the others.
pub(crate) fn verdicts<'t>(texts: impl Iterator<Item = &'t str>) -> (Vec<&'t str>, Vec<&'t str>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schema.atd");
    texts.partition(|text| {
        // atdgen does not terminate for these.
        let is_endless = text.contains("'a list t option");
        fs::write(&path, text).unwrap();
        !is_endless && refusal(&path).is_none()
    })
}

/// The line numbers in an error of atdgen.
fn lines(refusal: &str) -> Vec<u32> {
    let named = refusal.split("line ").skip(1);
    named.filter_map(|rest| rest.split(',').next()?.parse().ok()).collect()
}

fn compare(texts: impl Fn(&mut Dice) -> String, name: &str, count: usize) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schema.atd");
    let (mut accepted, mut refused, mut near, mut placed) = (0, 0, 0, 0);
    random::check(name, count, texts, |_, text| {
        fs::write(&path, &text).unwrap();
        match (refusal(&path), Schema::from_file(&path)) {
            (None, Ok(_)) => accepted += 1,
            (Some(official), Err(error)) => {
                refused += 1;
                let line = error.location().expect("a place").line();
                let lines = lines(&official);
                // atdgen reports the beginning of a type; for unterminated text, the end of the file.
                if !official.contains("Unterminated") && lines.len() == 1 {
                    near += usize::from(line.abs_diff(lines[0]) <= 1);
                    placed += 1;
                }
            }
            (None, Err(error)) => panic!("accepted only by atdgen: {error}\n{text}"),
            (Some(official), Ok(_)) => panic!("refused only by atdgen: {official}\n{text}"),
        }
    });
    assert!(near * 4 >= placed * 3, "{near} of {placed} lines are those of atdgen");
    (accepted, refused)
}

/// The tokens of a schema.
fn tokens(dice: &mut Dice) -> Vec<String> {
    let count = 1 + dice.below(5.min(dice.size() / 8 + 2));
    let text = definitions(dice, Purpose::Text, count);
    let mut tokens: Vec<String> = Vec::new();
    let mut in_text = false;
    for word in text.split_whitespace() {
        match tokens.last_mut() {
            Some(last) if in_text => {
                last.push(' ');
                last.push_str(word);
            }
            _ => tokens.push(word.to_owned()),
        }
        in_text ^= word.matches('"').count() % 2 == 1;
    }
    tokens
}

/// Removes, repeats, moves or replaces one token.
fn damage(tokens: &mut Vec<String>, dice: &mut Dice) {
    let at = dice.below(tokens.len());
    let other = tokens[dice.below(tokens.len())].clone();
    match dice.below(5) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, other),
        2 => tokens[at] = other,
        3 => {
            let words = [
                "int",
                "t0",
                "_",
                "'a",
                "'b",
                "(*",
                "()",
                ",",
                "end",
                "Upper",
                "of",
                "inherit",
                "type",
                "list",
                "shared",
                "abstract",
                "\"",
                "\"\\q\"",
                "'x y'",
                "<",
                "?",
                "~",
                ":",
                "<ocaml>",
                "<biniou repr=\"int8\">",
                "\r",
                ".",
                "from",
                "<ocaml default=\"1\">",
                "<ocaml wrap=\"x\">",
                "<ocaml module=\"M\">",
                "<doc text=\"{{\">",
                "0",
            ];
            tokens[at] = dice.one_of(&words).to_owned();
        }
        _ => {
            let with = dice.below(tokens.len());
            tokens.swap(at, with);
        }
    }
}

fn text(tokens: &[String], dice: &mut Dice) -> String {
    let mut text = String::new();
    for token in tokens {
        let blanks = [" ", " ", "\n", "\t", "\r\n", "(* a (* \"*)\" *) it's *)"];
        text.push_str(dice.one_of(&blanks));
        text.push_str(token);
    }
    text
}

/// A schema, which may have an error.
pub(crate) fn schema(dice: &mut Dice) -> String {
    let tokens = tokens(dice);
    text(&tokens, dice)
}

#[test]
fn random_schemas_are_accepted() {
    if !is_installed() {
        return;
    }
    let (accepted, refused) = compare(schema, "atd schemas", 400);
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 300, "{accepted} accepted, {refused} refused");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn damaged_schemas_are_accepted_or_refused_alike() {
    if !is_installed() {
        return;
    }
    let damaged = |dice: &mut Dice| {
        let mut tokens = tokens(dice);
        damage(&mut tokens, dice);
        text(&tokens, dice)
    };
    let (accepted, refused) = compare(damaged, "damaged atd schemas", 1_000);
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 40 && refused > 300, "{accepted} accepted, {refused} refused");
}
