//! What the command line asks for.

use std::path::PathBuf;
use std::time::Duration;

use crate::{Outcome, sets};

const USAGE: &str = "\
usage: bench [OPTION]..

  --data NAME,..    these sets of data (all)
  --peer PART,..    peers whose names have one of these parts (all)
  --rounds N        interleaved rounds (15)
  --ms N            milliseconds of each turn, or one document if it takes longer (20)
  --once            nothing is timed: each turn once, for the program `instructions`
  --ocaml           atdgen takes part, built on the spot
  --models MIB      then model files of so many mebibytes: the program `models`
  --memory SIZE     then memory by size, up to documents of SIZE, as in 64M: the program `memory`
  --date DATE       the date for the report
  --out FILE        writes the whole report
  --speed FILE      replaces what stands between the marks in FILE by short tables";

pub(crate) struct Arguments {
    /// Names of sets. Empty means all.
    pub(crate) data: Vec<String>,
    /// Parts of peers' names. Empty means all.
    pub(crate) peers: Vec<String>,
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
    /// If there is an option or a set that nobody knows, or a file to write and no date.
    pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Outcome<Self> {
        let mut arguments = Arguments {
            data: Vec::new(),
            peers: Vec::new(),
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
                "--peer" => arguments.peers.extend(list()),
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
            return Err(format!("no data named {name}").into());
        }
        if arguments.date.is_none() && (arguments.out.is_some() || arguments.speed.is_some()) {
            return Err("--out and --speed want a --date".into());
        }
        if arguments.speed.is_some() && !arguments.peers.is_empty() {
            return Err("--speed wants all peers: the best of some is not the best".into());
        }
        Ok(arguments)
    }
}
