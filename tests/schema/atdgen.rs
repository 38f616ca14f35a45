//! Schemas of biniou beside atdgen: both take the same ones.
//!
//! A machine without atdgen skips this with a printed line, unless `CI` is set.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use fourfold::biniou::atd::Schema;

use crate::random::{self, Dice};

/// Whether atdgen is there.
pub(crate) fn is_there() -> bool {
    let found = Command::new("atdgen").arg("-version").output().is_ok();
    if !found {
        assert!(env::var_os("CI").is_none(), "these tests need atdgen, and CI never skips them");
        println!("no atdgen here: its verdicts are skipped");
    }
    found
}

/// What atdgen says of the schema in that file: nothing, if it takes it.
fn refusal(path: &Path) -> Option<String> {
    let out = path.with_extension("out");
    let mut atdgen = Command::new("atdgen");
    atdgen.arg("-b").arg(path).arg("-o").arg(out).stdout(Stdio::null());
    let output = atdgen.output().unwrap();
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The OCaml code that atdgen makes of a schema: types, readers and writers.
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

/// Which schemas atdgen takes, and which not.
pub(crate) fn verdicts<'t>(texts: impl Iterator<Item = &'t str>) -> (Vec<&'t str>, Vec<&'t str>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schema.atd");
    texts.partition(|text| {
        // These never end.
        let is_endless = text.contains("'a list t option");
        fs::write(&path, text).unwrap();
        !is_endless && refusal(&path).is_none()
    })
}

/// The lines that atdgen names.
fn lines(refusal: &str) -> Vec<u32> {
    let named = refusal.split("line ").skip(1);
    named.filter_map(|rest| rest.split(',').next()?.parse().ok()).collect()
}

fn compare(texts: impl Fn(&mut Dice) -> String, name: &str, count: usize) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schema.atd");
    let (mut taken, mut refused, mut near, mut placed) = (0, 0, 0, 0);
    random::check(name, count, texts, |_, text| {
        fs::write(&path, &text).unwrap();
        match (refusal(&path), Schema::from_file(&path)) {
            (None, Ok(_)) => taken += 1,
            (Some(official), Err(error)) => {
                refused += 1;
                let line = error.location().expect("a place").line();
                let lines = lines(&official);
                // It names where a type begins, or of what is open the end.
                if !official.contains("Unterminated") && lines.len() == 1 {
                    near += usize::from(line.abs_diff(lines[0]) <= 1);
                    placed += 1;
                }
            }
            (None, Err(error)) => panic!("refused: {error}\n{text}"),
            (Some(official), Ok(_)) => panic!("taken, but: {official}\n{text}"),
        }
    });
    assert!(near * 4 >= placed * 3, "{near} of {placed} places are those of atdgen");
    (taken, refused)
}

/// Types that are defined so far, and how each may be used.
struct Names {
    /// Without parameters.
    plain: Vec<String>,
    /// With one.
    open: Vec<String>,
    records: Vec<String>,
    sums: Vec<String>,
    count: usize,
}

impl Names {
    fn new() -> Self {
        let plain = ["unit", "bool", "int", "float", "string"].map(str::to_owned).to_vec();
        Names { plain, open: Vec::new(), records: Vec::new(), sums: Vec::new(), count: 0 }
    }

    fn ty(&self, dice: &mut Dice, depth: usize, parameter: &str) -> String {
        let inner = |dice: &mut Dice| self.ty(dice, depth + 1, parameter);
        match dice.below(if depth > 3 { 4 } else { 14 }) {
            0 if !parameter.is_empty() => parameter.to_owned(),
            0..=2 => dice.one_of(&self.plain.iter().collect::<Vec<_>>()).clone(),
            3 => dice
                .one_of(&[
                    "int <biniou repr = \"uvint\" >",
                    "int <ocaml repr = \"int32\" > <biniou repr = \"int32\" >",
                    "int <ocaml repr = \"char\" > <biniou repr = \"int8\" >",
                    "float <biniou repr = \"float32\" >",
                    "string <json repr = \"bogus\" >",
                    "int",
                ])
                .to_owned(),
            4 => format!("{} list", inner(dice)),
            5 => format!("{} option", inner(dice)),
            6 => format!("{} nullable", inner(dice)),
            7 => format!("{} wrap", inner(dice)),
            8 => {
                format!("{} list <ocaml repr = \"array\" > <json repr = \"object\" >", inner(dice))
            }
            9 if !self.records.is_empty() => {
                let record = &self.records[dice.below(self.records.len())];
                format!("{record} list <ocaml repr = \"array\" > <biniou repr = \"table\" >")
            }
            10 if !self.open.is_empty() => {
                let open = &self.open[dice.below(self.open.len())];
                format!("{} {open}", inner(dice))
            }
            11 => {
                let cells: Vec<_> = (0..=dice.below(3)).map(|_| inner(dice)).collect();
                format!("( {} )", cells.join(" * "))
            }
            12 => format!("( {} * <ocaml default = \"7\" > : int )", inner(dice)),
            _ => format!("[ Some_ of {} | None_ ]", inner(dice)),
        }
    }

    fn definition(&mut self, dice: &mut Dice) -> String {
        let name = format!("{}{}", dice.one_of(&["t", "a_", "_b", "type'"]), self.count);
        self.count += 1;
        let has_parameter = dice.one_in(4);
        let parameter = if has_parameter { "'a" } else { "" };
        let mut text = format!("type {parameter} {name} ");
        if dice.one_in(5) {
            text.push_str("<doc text = \"a {{b}} c\" > ");
        }
        text.push_str("= ");
        match dice.below(4) {
            0 | 1 => {
                text.push_str("{ ");
                if !self.records.is_empty() && dice.one_in(3) {
                    write!(text, "inherit {} ; ", self.records[dice.below(self.records.len())])
                        .unwrap();
                }
                for field in 0..=dice.below(4) {
                    let ty = self.ty(dice, 1, parameter);
                    let at = if dice.one_in(30) { 0 } else { field };
                    match dice.below(5) {
                        0 => write!(text, "? f{at} : {ty} option ; ").unwrap(),
                        1 => write!(text, "~ f{at} : {ty} list ; ").unwrap(),
                        2 => write!(text, "~ f{at} <ocaml default = \"0\" > : {ty} ; ").unwrap(),
                        _ => write!(text, "f{at} <json name = \"x\" > : {ty} ; ").unwrap(),
                    }
                }
                text.push('}');
                if !has_parameter {
                    self.records.push(name.clone());
                }
            }
            2 => {
                text.push_str("[ ");
                if !self.sums.is_empty() && dice.one_in(3) {
                    write!(text, "inherit {} | ", self.sums[dice.below(self.sums.len())]).unwrap();
                }
                for variant in 0..=dice.below(3) {
                    match dice.one_in(2) {
                        true => write!(text, "V{variant} of {} | ", self.ty(dice, 1, parameter)),
                        false => write!(text, "V{variant} <ocaml name = \"W{variant}\" > | "),
                    }
                    .unwrap();
                }
                text.push_str("Last ]");
                text.push_str(dice.one_of(&["", " <ocaml repr = \"classic\" >"]));
                if !has_parameter {
                    self.sums.push(name.clone());
                }
            }
            _ => text.push_str(&self.ty(dice, 0, parameter)),
        }
        match has_parameter {
            true => self.open.push(name),
            false => self.plain.push(name),
        }
        text
    }
}

/// Words and signs of a schema.
fn tokens(dice: &mut Dice) -> Vec<String> {
    let mut names = Names::new();
    let mut text = String::new();
    for _ in 0..=dice.below(5.min(dice.size() / 8 + 2)) {
        text.push_str(&names.definition(dice));
        text.push(' ');
    }
    let mut tokens: Vec<String> = Vec::new();
    let mut in_text = false;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
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

/// One word or sign gone, doubled, moved, or replaced by another.
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

/// A schema, which may have a fault.
pub(crate) fn schema(dice: &mut Dice) -> String {
    let tokens = tokens(dice);
    text(&tokens, dice)
}

#[test]
fn random_schemas_are_taken() {
    if !is_there() {
        return;
    }
    let (taken, refused) = compare(schema, "atd schemas", 400);
    println!("{taken} taken, {refused} refused");
    assert!(taken > 150, "{taken} taken, {refused} refused");
}

#[test]
fn damaged_schemas_are_taken_or_refused_alike() {
    if !is_there() {
        return;
    }
    let damaged = |dice: &mut Dice| {
        let mut tokens = tokens(dice);
        damage(&mut tokens, dice);
        text(&tokens, dice)
    };
    let (taken, refused) = compare(damaged, "damaged atd schemas", 1_000);
    println!("{taken} taken, {refused} refused");
    assert!(taken > 50 && refused > 300, "{taken} taken, {refused} refused");
}
