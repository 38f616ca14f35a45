//! Generated types that borrow bytes: a block is read without copying its byte strings.

use std::borrow::Cow;
use std::fs;
use std::ops::Range;

use fourfold::molecule;
use fourfold_schema::mol::Schema;

use crate::made::{borrowed, cow};

const SCHEMA: &str = "../tests/fixtures/molecule/schemas/blockchain.mol";

fn genesis() -> Vec<u8> {
    fs::read("../tests/fixtures/molecule/genesis/mainnet.bin").unwrap()
}

/// Counts the non-empty byte strings that borrow from the message, and their bytes.
#[derive(Default)]
struct Borrowed {
    message: Range<usize>,
    strings: usize,
    bytes: usize,
}

impl Borrowed {
    fn from(message: &[u8]) -> Self {
        let begin = message.as_ptr().addr();
        Borrowed { message: begin..begin + message.len(), ..Borrowed::default() }
    }

    fn add(&mut self, string: &[u8]) {
        if !string.is_empty() {
            let begin = string.as_ptr().addr();
            assert!(self.message.contains(&begin), "a copy of {} bytes", string.len());
            self.strings += 1;
            self.bytes += string.len();
        }
    }

    /// More than half of a genesis block is in byte strings.
    fn check(&self) {
        let Borrowed { message, strings, bytes } = self;
        assert!(*strings > 5 && *bytes > message.len() / 2, "{strings} strings, {bytes} bytes");
    }
}

#[test]
fn a_block_is_read_without_copies_of_strings() {
    let bytes = genesis();
    let block: borrowed::Block<'_> = molecule::from_slice(&bytes).unwrap();
    let mut found = Borrowed::from(&bytes);
    for transaction in &block.transactions {
        transaction.witnesses.iter().for_each(|witness| found.add(witness.0));
        transaction.raw.outputs_data.iter().for_each(|data| found.add(data.0));
        for output in &transaction.raw.outputs {
            let type_args = output.type_.as_ref().map(|script| script.args.0);
            [Some(output.lock.args.0), type_args]
                .into_iter()
                .flatten()
                .for_each(|args| found.add(args));
        }
    }
    found.check();
    assert_eq!(molecule::to_vec(&block).unwrap(), bytes);
}

#[test]
fn a_block_of_cows_is_read_without_copies_and_can_own_them() {
    let bytes = genesis();
    let mut block: cow::Block<'_> = molecule::from_slice(&bytes).unwrap();
    let mut found = Borrowed::from(&bytes);
    for transaction in &mut block.transactions {
        for string in transaction.witnesses.iter_mut().chain(&mut transaction.raw.outputs_data) {
            let Cow::Borrowed(borrowed) = string.0 else { panic!("a copy: {string:?}") };
            found.add(borrowed);
            string.0.to_mut();
        }
    }
    found.check();
    assert_eq!(molecule::to_vec(&block).unwrap(), bytes);
}

#[test]
fn types_that_borrow_match_the_schema() {
    let schema = Schema::from_file(SCHEMA).unwrap();
    schema.check::<borrowed::BlockV1<'_>>("BlockV1").unwrap();
    schema.check::<borrowed::WitnessArgs<'_>>("WitnessArgs").unwrap();
    schema.check::<cow::BlockV1<'_>>("BlockV1").unwrap();
    schema.check::<cow::WitnessArgs<'_>>("WitnessArgs").unwrap();
}
