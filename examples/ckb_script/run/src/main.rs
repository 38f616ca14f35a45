//! Measures the size of the scripts and their cycles in the virtual machine.

use std::collections::BTreeMap;
use std::error::Error;
use std::{env, fs};

use ckb_script_run::case;
use ckb_script_run::machine::{Transaction, run, steps};
use ckb_script_run::program::{Level, PROGRAMS, Program, build};
use fastrand::Rng;

const USAGE: &str = "\
usage: ckb-script-run [--page FILE --date DATE] [--profile SCRIPT]

  --page FILE       write docs/on-chain.md to FILE
  --date DATE       the date for the page
  --profile SCRIPT  print the cycles of each function, with opt-level = 3";

/// Number of transactions that the scripts run on.
const TRANSACTIONS: u64 = 200;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let (mut page, mut date, mut profiled) = (None, None, None);
    let mut words = env::args().skip(1);
    while let Some(option) = words.next() {
        let value = words.next().ok_or(USAGE)?;
        match option.as_str() {
            "--page" => page = Some(value),
            "--date" => date = Some(value),
            "--profile" => profiled = Some(value),
            _ => return Err(USAGE.into()),
        }
    }
    let mut rng = Rng::with_seed(1);
    let transactions: Vec<Transaction> =
        (0..TRANSACTIONS).map(|_| case::valid(&mut rng)).collect::<Result<_, _>>()?;
    if let Some(name) = profiled {
        return profile(&name, &transactions);
    }
    let table = table(&transactions)?;
    print!("{table}");
    match (page, date) {
        (None, _) => Ok(()),
        (Some(page), Some(date)) => Ok(fs::write(page, text(&table, &date))?),
        (Some(_), None) => Err("--page needs --date".into()),
    }
}

fn table(transactions: &[Transaction]) -> Outcome<String> {
    let mut table = String::from(
        "| opt-level | script | bytes | of official | cycles | of official |\n\
         |---|---|--:|--:|--:|--:|\n",
    );
    for level in Level::ALL {
        let folder = build(level)?;
        let mut rows = Vec::new();
        for name in PROGRAMS {
            let program = Program::open(&folder, name)?;
            let mut cycles = 0;
            for transaction in transactions {
                let outcome = run(&program.elf, transaction)?;
                if outcome.code != 0 {
                    return Err(
                        format!("{name} refuses a valid transaction: {}", outcome.code).into()
                    );
                }
                cycles += outcome.cycles;
            }
            rows.push((name, program.size()?, cycles / TRANSACTIONS));
        }
        let official =
            rows.iter().find(|(name, ..)| *name == "official").ok_or("no official script")?;
        let share = |part: u64, whole: u64| {
            let hundredths = (part * 100 + whole / 2) / whole.max(1);
            format!("{}.{:02}", hundredths / 100, hundredths % 100)
        };
        for (name, size, cycles) in &rows {
            table += &format!(
                "| `{}` | {name} | {size} | {} | {cycles} | {} |\n",
                level.text(),
                share(*size, official.1),
                share(*cycles, official.2)
            );
        }
    }
    Ok(table)
}

fn text(table: &str, date: &str) -> String {
    include_str!("page.md").replace("DATE", date).replace("TABLE\n", table)
}

fn profile(name: &str, transactions: &[Transaction]) -> Outcome<()> {
    let program = Program::open(&build(Level::Three)?, name)?;
    let functions = program.functions()?;
    let mut spent = BTreeMap::<&str, u64>::new();
    for transaction in transactions {
        steps(&program.elf, transaction, |address, cycles| {
            let function = functions.range(..=address).next_back();
            *spent.entry(function.map_or("?", |(_, name)| name)).or_default() += cycles;
        })?;
    }
    let mut spent: Vec<_> = spent.into_iter().collect();
    spent.sort_by_key(|(_, cycles)| core::cmp::Reverse(*cycles));
    for (name, cycles) in spent {
        println!("{:>8} {name}", cycles / TRANSACTIONS);
    }
    Ok(())
}
