//! Tests the size, memory and cycles of the scripts.

use ckb_script_run::case;
use ckb_script_run::machine::{Transaction, run};
use ckb_script_run::program::{Level, Program, build};
use ckb_script_run::types::{Claim, WitnessArgs};
use fastrand::Rng;
use fourfold::molecule::{from_slice, to_vec};

fn open(name: &str) -> Program {
    Program::open(&build(Level::Three).unwrap(), name).unwrap()
}

/// No code for formatting, panics, 128-bit division or floats.
#[test]
fn scripts_contain_no_unused_code() {
    let parts = [
        "core::panicking",
        "core::fmt",
        "core::num::flt2dec",
        "__udivti3",
        "__umodti3",
        "alloc::string",
    ];
    let found = |name: &str| -> Vec<String> {
        let functions = open(name).functions().unwrap();
        assert!(functions.len() > 3, "{name} has no symbols");
        functions
            .into_values()
            .filter(|function| parts.iter().any(|part| function.contains(part)))
            .collect()
    };
    for name in ["borrowed", "partial"] {
        assert_eq!(found(name), [""; 0], "{name}");
    }
    // The out-of-memory path of `Vec`.
    assert_eq!(found("owned"), ["core::panicking::panic_nounwind_fmt"]);
    // The search finds such code in another script.
    assert!(found("serde_molecule").len() > 5);
}

/// The limits are relative to the smallest and to the fastest build of the official script.
#[test]
fn scripts_are_as_small_and_fast_as_the_official_one() {
    let mut rng = Rng::with_seed(9);
    let transactions: Vec<Transaction> = (0..50).map(|_| case::valid(&mut rng).unwrap()).collect();
    let measured = |level, name| {
        let program = Program::open(&build(level).unwrap(), name).unwrap();
        let cycles =
            transactions.iter().map(|transaction| run(&program.elf, transaction).unwrap().cycles);
        (program.size().unwrap(), cycles.sum::<u64>())
    };
    let official: Vec<(u64, u64)> =
        Level::ALL.iter().map(|level| measured(*level, "official")).collect();
    let size = official.iter().map(|(size, _)| *size).min().unwrap();
    let cycles = official.iter().map(|(_, cycles)| *cycles).min().unwrap();
    for (name, most_size, most_cycles) in [("borrowed", 40, 100), ("owned", 130, 120)] {
        let ours = measured(Level::Three, name);
        assert!(ours.0 * 100 <= size * most_size, "{name}: {} bytes, official {size}", ours.0);
        assert!(
            ours.1 * 100 <= cycles * most_cycles,
            "{name}: {} cycles, official {cycles}",
            ours.1
        );
    }
}

/// A claim of an heir needs a block number; other kinds of `since` are refused.
#[test]
fn heirs_wait_for_their_block() {
    let mut rng = Rng::with_seed(11);
    // A claim of an heir.
    let transaction = core::iter::repeat_with(|| case::valid(&mut rng).unwrap())
        .find(|transaction| {
            transaction.witness.get(36..40).is_some_and(|heir| heir != [0; 4])
                && transaction.since > 200
        })
        .unwrap();
    for name in ["borrowed", "partial", "owned", "official"] {
        let program = open(name);
        let code =
            |since| run(&program.elf, &Transaction { since, ..transaction.clone() }).unwrap().code;
        assert_eq!(code(transaction.since), 0, "{name}");
        assert_eq!(code(0), 8, "{name}");
        for flags in [1 << 63, 1 << 61, 1 << 62, 3 << 61, 0xff << 56] {
            assert_eq!(code(transaction.since | flags), 8, "{name} {flags:x}");
        }
    }
}

/// A transaction whose witness has a memo of the given length.
fn with_memo(length: usize) -> Transaction {
    let mut transaction = case::valid(&mut Rng::with_seed(3)).unwrap();
    type Witness = (Option<Vec<u8>>, Option<Vec<u8>>, Option<Vec<u8>>);
    let args: Witness = from_slice(&transaction.witness).unwrap();
    let (heir, amount, _): (u32, u64, Vec<u8>) = from_slice(&args.0.unwrap()).unwrap();
    let claim = Claim { heir, amount, memo: vec![7; length] };
    let lock = Some(to_vec(&claim).unwrap());
    transaction.witness =
        to_vec(&WitnessArgs { lock, input_type: args.1, output_type: args.2 }).unwrap();
    transaction
}

/// With a witness of half a megabyte, `borrowed` loads all of it without allocating, `partial` only the fields it reads.
#[test]
fn large_witnesses_need_no_allocation() {
    let transaction = with_memo(500_000);
    let small = with_memo(0);
    for (name, loads_all) in [("borrowed", true), ("partial", false)] {
        let program = open(name);
        let (large, small) =
            (run(&program.elf, &transaction).unwrap(), run(&program.elf, &small).unwrap());
        assert_eq!((large.code, small.code), (0, 0), "{name}");
        // Only the load buffer and a flag: no memory for owned values.
        assert!(program.memory().unwrap() < (1 << 20) + 64, "{name}");
        match loads_all {
            true => assert_eq!(large.loaded, small.loaded + 500_000),
            false => {
                assert_eq!(large.loaded, small.loaded, "{name}");
                assert_eq!(large.cycles, small.cycles, "{name}");
            }
        }
    }
}
