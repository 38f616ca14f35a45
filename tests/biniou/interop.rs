//! Exchanges values with OCaml in both directions: atdgen's readers read what this crate writes, and this crate reads what
//! atdgen's writers write.
//!
//! Needs OCaml with biniou and atdgen (see `tests/interop/biniou/README.md`). Without them, prints that it is skipped,
//! unless `CI` is set.

use std::error::Error;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::support::random::Dice;
use fourfold::biniou::{Value, from_slice, from_value, to_value, to_vec};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::schema::compare::{compare, parse};
use crate::schema::fixture;
use crate::schema::{Test, with_type};
use crate::support::fixture::assert_none;
use crate::support::random;

/// Values of each type in each direction, unless `FOURFOLD_CASES` is set. The smallest schema has six types,
/// so that more than a thousand values of each schema go each way.
const COUNT: u64 = 200;

fn count() -> usize {
    random::variable("FOURFOLD_CASES").unwrap_or(COUNT).try_into().unwrap()
}

/// A seed of OCaml's random values.
fn seed(of: u64) -> String {
    (of.wrapping_add(random::base()) % (1 << 30)).to_string()
}

/// The names of all types that have values.
fn types() -> Vec<String> {
    let text = fixture::FIXTURES.names("schemas", "atd").into_iter().flat_map(|schema| {
        let text = fixture::FIXTURES.text(&format!("schemas/{schema}.atd"));
        let names: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("type ")?.split_once(" = "))
            .filter(|(name, _)| !name.starts_with('\''))
            .map(|(name, _)| format!("{schema}.{name}"))
            .collect();
        names
    });
    text.collect()
}

/// The OCaml program, built once per run.
fn checker() -> Option<PathBuf> {
    let found = |tool| Command::new(tool).arg("-version").output().is_ok();
    if !["atdgen", "ocamlfind", "ocamlopt"].into_iter().all(found) {
        assert!(
            env::var_os("CI").is_none(),
            "the interop tests need OCaml, and CI never skips them"
        );
        println!("no OCaml with atdgen here: the interop tests are skipped");
        return None;
    }
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interop-biniou");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interop/biniou/build.sh");
    let built = Command::new(script).arg(&out).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(out.join("checker"))
}

/// Runs the checker and returns the lines that it prints.
fn run(checker: &Path, arguments: &[&str], file: &Path) -> Vec<String> {
    let output = Command::new(checker).args(arguments).arg(file).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn frame(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&u32::try_from(bytes.len()).unwrap().to_be_bytes());
    out.extend_from_slice(bytes);
}

fn frames(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut frames = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let (frame, rest) = rest.split_at(u32::from_be_bytes(*length) as usize);
        frames.push(frame);
        bytes = rest;
    }
    frames
}

/// The same tree with numbers that OCaml and JSON can represent: integers of 63 bits, finite floats, and no negative zero,
/// which atdgen treats as the default 0.
fn ocaml(value: Value) -> Value {
    let each = |values: Vec<Value>| values.into_iter().map(ocaml).collect();
    let boxed = |value: Option<Box<Value>>| value.map(|value| Box::new(ocaml(*value)));
    match value {
        Value::Svint(number) if number.unsigned_abs() >= 1 << 62 => Value::Svint(number >> 2),
        Value::Uvint(number) if number >= 1 << 62 => Value::Uvint(number >> 2),
        Value::Float32(number) if !number.is_finite() || number == 0.0 => Value::Float32(1.5),
        Value::Float64(number) if !number.is_finite() || number == 0.0 => Value::Float64(1.5),
        Value::Array(items) => Value::Array(each(items)),
        Value::Tuple(items) => Value::Tuple(each(items)),
        Value::Record(fields) => {
            Value::Record(fields.into_iter().map(|(name, value)| (name, ocaml(value))).collect())
        }
        Value::NumVariant(number, argument) => Value::NumVariant(number, boxed(argument)),
        Value::Variant(hash, argument) => Value::Variant(hash, boxed(argument)),
        Value::Table(mut table) => {
            table.rows = table.rows.into_iter().map(each).collect();
            Value::Table(table)
        }
        plain => plain,
    }
}

/// Maximum number of attempts to generate a value that fits its marks: an `i64` marked `int8` seldom does.
const DRAWS: u64 = 20;

/// The number of sizes of random values.
const SIZES: usize = 50;

/// A random value that its marks can hold.
fn draw<T: Serialize + DeserializeOwned>(name: &str, case: usize) -> Option<T> {
    let seed = (random::seed(name) ^ random::base()).wrapping_add(case as u64 * DRAWS);
    (0..DRAWS).find_map(|draw| {
        let mut g = Dice::new(seed.wrapping_add(draw)).sized(1 + case % SIZES);
        let tree = to_value(&random::value::<T>(&mut g)).ok()?;
        Some(from_value(ocaml(tree)).unwrap())
    })
}

/// Both directions for one type.
struct BothWays<'a> {
    name: &'a str,
    checker: &'a Path,
    folder: &'a Path,
}

impl BothWays<'_> {
    fn ours_to_ocaml<T>(&self) -> Result<(), Box<dyn Error>>
    where
        T: Serialize + DeserializeOwned,
    {
        // Where no fitting value was generated, OCaml's own random values are used.
        let implicit = self.folder.join(format!("{}.implicit", self.name));
        run(self.checker, &["write", self.name, &count().to_string(), &seed(11)], &implicit);
        let implicit = fs::read(&implicit).unwrap();
        let mut written = Vec::new();
        let mut values: Vec<T> = Vec::new();
        for (case, implicit) in frames(&implicit).into_iter().enumerate() {
            let value: T = match draw(self.name, case) {
                Some(value) => value,
                None => from_slice(implicit)?,
            };
            frame(&mut written, &to_vec(&value)?);
            values.push(value);
        }
        let file = self.folder.join(format!("{}.ours", self.name));
        fs::write(&file, written).unwrap();
        let lines = run(self.checker, &["read", self.name], &file);
        if lines.len() != count() {
            return Err(format!("{} values written, {} read", count(), lines.len()).into());
        }
        for (value, line) in values.iter().zip(&lines) {
            if line.starts_with("ERROR") {
                return Err(line.clone().into());
            }
            compare(&serde_json::to_value(value).unwrap(), &parse(line))?;
        }
        Ok(())
    }

    fn ocaml_to_ours<T>(&self) -> Result<(), Box<dyn Error>>
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug,
    {
        let file = self.folder.join(format!("{}.ocaml", self.name));
        let lines = run(self.checker, &["write", self.name, &count().to_string(), &seed(7)], &file);
        let bytes = fs::read(&file).unwrap();
        let frames = frames(&bytes);
        if (lines.len(), frames.len()) != (count(), count()) {
            return Err(format!("{} lines, {} values", lines.len(), frames.len()).into());
        }
        for (frame, line) in frames.iter().zip(&lines) {
            let value: T = from_slice(frame).map_err(|e| format!("{e}: {line}"))?;
            compare(&serde_json::to_value(&value).unwrap(), &parse(line))?;
            let again: T = from_slice(&to_vec(&value)?)?;
            if again != value {
                return Err(format!("{value:?} comes back as {again:?}").into());
            }
            let tree: Value = from_slice(frame)?;
            if to_vec(&tree)? != *frame {
                return Err(format!("as a tree, written otherwise: {line}").into());
            }
        }
        Ok(())
    }
}

impl Test for BothWays<'_> {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String> {
        self.ours_to_ocaml::<T>().map_err(|e| format!("{} to OCaml: {e}", self.name))?;
        self.ocaml_to_ours::<T>().map_err(|e| format!("{} from OCaml: {e}", self.name))
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn values_are_exchanged_in_both_directions() {
    let Some(checker) = checker() else { return };
    let folder = checker.parent().unwrap();
    let names = types();
    let listed = Command::new(&checker).arg("types").output().unwrap().stdout;
    assert_eq!(String::from_utf8(listed).unwrap().lines().collect::<Vec<_>>(), names);

    let test = |name: &String| with_type(name, &BothWays { name, checker: &checker, folder }).err();
    let failures: Vec<String> = names.iter().filter_map(test).collect();
    assert_none(&failures);
}
