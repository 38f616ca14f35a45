//! Compares the hashes of the main network's genesis block and its transactions with the published ones.

use fourfold::molecule::{from_slice, to_vec};
use molecule::prelude::Entity;

use crate::ckb::types::Block;
use crate::generated::blockchain::Block as OfficialBlock;
use crate::to_official::ToOfficial;

const GENESIS: &[u8] = include_bytes!("../../../tests/fixtures/molecule/genesis/mainnet.bin");

const BLOCK_HASH: &str = "92b197aa1fba0f63633922c61c92375c9c074a93e85963554f5499fe1450d0e5";

/// The first one deploys the system scripts, the second one groups them.
const TRANSACTION_HASHES: [&str; 2] = [
    "e2fb199810d49a4d8beec56718ba2593b665db9d52299a0f9e6e75416d73ff5c",
    "71a7ba8fc96349fea0ed3a5c47992e3b4084b031a42264a018e0072e8172e46c",
];

fn ckb_hash(bytes: &[u8]) -> String {
    let mut params = blake2b_simd::Params::new();
    params.hash_length(32).personal(b"ckb-default-hash");
    params.hash(bytes).to_hex().to_string()
}

fn genesis() -> (Block, OfficialBlock) {
    (from_slice(GENESIS).unwrap(), OfficialBlock::from_slice(GENESIS).unwrap())
}

#[test]
fn the_block_hash_is_the_published_one() {
    let (ours, official) = genesis();
    assert_eq!(ckb_hash(&to_vec(&ours.header).unwrap()), BLOCK_HASH);
    assert_eq!(ckb_hash(official.header().as_slice()), BLOCK_HASH);
}

/// The hash is that of the raw transaction, without witnesses.
#[test]
fn transaction_hashes_are_the_published_ones() {
    let (ours, official) = genesis();
    let raw = ours.transactions.iter().map(|transaction| to_vec(&transaction.raw).unwrap());
    assert_eq!(raw.map(|raw| ckb_hash(&raw)).collect::<Vec<_>>(), TRANSACTION_HASHES);

    let raw = official.transactions().into_iter().map(|transaction| transaction.raw());
    assert_eq!(raw.map(|raw| ckb_hash(raw.as_slice())).collect::<Vec<_>>(), TRANSACTION_HASHES);
}

/// Uses `assert!`, because a failure of `assert_eq!` would print megabytes.
#[test]
fn the_whole_block_is_written_byte_for_byte() {
    let (ours, official) = genesis();
    assert!(to_vec(&ours).unwrap() == GENESIS);
    assert!(ours.to_official().as_slice() == official.as_slice());
}
