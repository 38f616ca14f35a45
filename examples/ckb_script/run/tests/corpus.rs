//! The virtual machine accepts and refuses the same damaged inputs as the official readers.

use std::fs;
use std::path::Path;

use ckb_script_run::machine::{Transaction, run};
use ckb_script_run::program::{Level, Program, build};

const REFUSED: i8 = 6;
const ACCEPTED: i8 = 5;

fn bytes(digits: &str) -> Vec<u8> {
    let digits = if digits == "-" { "" } else { digits };
    let pairs = (0..digits.len()).step_by(2);
    pairs.map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn verdicts_equal_those_of_the_official_readers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/molecule/bad");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let program = Program::open(&build(Level::Three).unwrap(), "corpus").unwrap();
    let (mut accepted, mut refused) = (0, 0);
    for (index, file) in files.iter().enumerate() {
        let text = fs::read_to_string(file).unwrap();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<_> = line.split(' ').collect();
            let [verdict, _, _, digits] = words[..] else { panic!("{line}") };
            let mut witness = vec![u8::try_from(index).unwrap()];
            witness.extend(bytes(digits));
            let code =
                run(&program.elf, &Transaction { witness, ..Transaction::default() }).unwrap().code;
            let expected = if verdict == "ok" { ACCEPTED } else { REFUSED };
            assert_eq!(code, expected, "{}: {line}", file.display());
            match verdict {
                "ok" => accepted += 1,
                _ => refused += 1,
            }
        }
    }
    assert_eq!((files.len(), accepted + refused), (36, 10_204));
    assert!(accepted > 500 && refused > 8000, "{accepted} and {refused}");
}
