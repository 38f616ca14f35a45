//! All scripts accept and refuse the same transactions.

use std::collections::BTreeMap;

use ckb_script_run::case;
use ckb_script_run::machine::{Transaction, run};
use ckb_script_run::program::{Level, Program, build};
use fastrand::Rng;

const TRANSACTIONS: usize = 1000;

fn codes(program: &Program, transactions: &[Transaction]) -> Vec<i8> {
    transactions.iter().map(|transaction| run(&program.elf, transaction).unwrap().code).collect()
}

#[test]
fn damaged_transactions_have_the_same_verdicts() {
    let mut rng = Rng::with_seed(7);
    let transactions: Vec<Transaction> = (0..TRANSACTIONS)
        .map(|_| {
            let mut transaction = case::valid(&mut rng).unwrap();
            if rng.u8(..4) > 0 {
                case::damage(&mut transaction, &mut rng);
            }
            transaction
        })
        .collect();
    let folder = build(Level::Three).unwrap();
    let of = |name| codes(&Program::open(&folder, name).unwrap(), &transactions);
    let official = of("official");
    assert_eq!(of("borrowed"), official);
    assert_eq!(of("owned"), official);

    // `partial` does not check fields of the witness that it does not read.
    let partial = of("partial");
    for (index, (partial, official)) in partial.iter().zip(&official).enumerate() {
        let unread = [4, 5].contains(official);
        assert!(partial == official || unread, "{index}: {partial} and {official}");
    }

    let mut seen = BTreeMap::<i8, usize>::new();
    official.iter().for_each(|code| *seen.entry(*code).or_default() += 1);
    assert!(seen[&0] > TRANSACTIONS / 4, "{seen:?}");
    // All codes but 1: loading never fails here.
    assert!((2..=13).all(|code| seen.contains_key(&code)), "{seen:?}");
}

/// serde_molecule treats some damaged values differently, so it is compared only on valid transactions.
#[test]
fn all_scripts_accept_valid_transactions() {
    let mut rng = Rng::with_seed(8);
    let transactions: Vec<Transaction> = (0..100).map(|_| case::valid(&mut rng).unwrap()).collect();
    let folder = build(Level::Three).unwrap();
    for name in ckb_script_run::program::PROGRAMS {
        let codes = codes(&Program::open(&folder, name).unwrap(), &transactions);
        assert!(codes.iter().all(|code| *code == 0), "{name}: {codes:?}");
    }
}
