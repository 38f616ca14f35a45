//! Command line arguments of `bench`.

use std::path::PathBuf;
use std::time::Duration;

use crate::{Outcome, sets};

const USAGE: &str = "\
usage: bench [OPTION]..

  --data NAME,..    these sets of data (all)
  --crate PART,..   crates whose names contain one of these parts (all)
  --rounds N        interleaved rounds (15)
  --ms N            milliseconds of each turn, or one message if it takes longer (20)
  --once            run each turn once without timing, for the program `instructions`
  --ocaml           also build and measure atdgen
  --models MIB      then run `models` with files of MIB mebibytes
  --memory SIZE     then run `memory` with messages of up to SIZE, such as 64M
  --date DATE       the date for the report
  --out FILE        write the full report to FILE
  --speed FILE      replace the text between the markers in FILE with short tables";

pub(crate) struct Arguments {
    /// Names of sets. Empty means all.
    pub(crate) data: Vec<String>,
    /// Parts of crates' names. Empty means all.
    pub(crate) crates: Vec<String>,
    pub(crate) rounds: usize,
    pub(crate) turn: Duration,
    pub(crate) once: bool,
    pub(crate) ocaml: bool,
    pub(crate) models: Option<String>,
    pub(crate) memory: Option<String>,
    pub(crate) date: Option<String>,
    pub(crate) out: Option<PathBuf>,
    pub(crate) speed: Option<PathBuf>,
}

impl Arguments {
    /// # Errors
    ///
    /// If an option or data set is unknown, or a file is to be written without a date.
    pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Outcome<Self> {
        let mut arguments = Arguments {
            data: Vec::new(),
            crates: Vec::new(),
            rounds: 15,
            turn: Duration::from_millis(20),
            once: false,
            ocaml: false,
            models: None,
            memory: None,
            date: None,
            out: None,
            speed: None,
        };
        let mut words = words.into_iter();
        while let Some(option) = words.next() {
            let flag = match option.as_str() {
                "--ocaml" => Some(&mut arguments.ocaml),
                "--once" => Some(&mut arguments.once),
                _ => None,
            };
            if let Some(flag) = flag {
                *flag = true;
                continue;
            }
            let value = words.next().ok_or(USAGE)?;
            let list = || value.split(',').map(str::to_owned);
            match option.as_str() {
                "--data" => arguments.data.extend(list()),
                "--crate" => arguments.crates.extend(list()),
                "--rounds" => arguments.rounds = value.parse()?,
                "--ms" => arguments.turn = Duration::from_millis(value.parse()?),
                "--models" => arguments.models = Some(value),
                "--memory" => arguments.memory = Some(value),
                "--date" => arguments.date = Some(value),
                "--out" => arguments.out = Some(value.into()),
                "--speed" => arguments.speed = Some(value.into()),
                _ => return Err(USAGE.into()),
            }
        }
        let unknown = |name: &&String| !sets::SETS.iter().any(|set| set.name == *name);
        if let Some(name) = arguments.data.iter().find(unknown) {
            return Err(format!("unknown data set {name}").into());
        }
        if arguments.date.is_none() && (arguments.out.is_some() || arguments.speed.is_some()) {
            return Err("--out and --speed need --date".into());
        }
        if arguments.speed.is_some() && !arguments.crates.is_empty() {
            return Err(
                "--speed cannot be combined with --crate: it compares with the best of all crates"
                    .into(),
            );
        }
        Ok(arguments)
    }
}
