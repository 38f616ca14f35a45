//! Compares the JSON of `--ckb` with the crates of CKB's node, in both directions.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

#[path = "../../tests/ckb/mod.rs"]
mod nodes;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../tests/support/random.rs"]
mod random;

use std::fmt::Debug;

use ckb_jsonrpc_types as rpc;
use ckb_types::packed;
use ckb_types::prelude::*;
use fourfold::biniou::{Dictionary, Options};
use fourfold::molecule::to_vec;
use fourfold_inspect::ckb::Ckb;
use fourfold_inspect::formats::{self, FileKind as _, Typed};
use fourfold_inspect::model::Node;
use fourfold_inspect::show::json;
use fourfold_inspect::write::report::About;
use fourfold_schema::mol::Schema;
use nodes::types;
use random::Dice;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/molecule");

fn typed(ty: &str) -> Typed {
    let schema = Schema::from_file(format!("{FIXTURES}/schemas/blockchain.mol")).unwrap();
    Typed::new(Ckb(schema), Some(ty.to_owned())).unwrap()
}

/// The output of `dump --ckb`.
fn dumped(bytes: &[u8], ty: &str) -> String {
    let (typed, options, names) = (typed(ty), Options::new(), Dictionary::new());
    let of_type = typed.of_type(ty).unwrap();
    let file = of_type.load(bytes, &options).unwrap();
    let about = About { name: "file", bytes, names: &names, depth: usize::MAX, inputs: &[] };
    let dumped = file.document(&about).unwrap();
    let mut text = Vec::new();
    json::write(dumped.inside(), usize::MAX, None, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// The output of `make --ckb`.
fn made(json: &str, ty: &str) -> Result<Vec<u8>, String> {
    let node = Node::parse(json, usize::MAX).map_err(|error| error.to_string())?;
    formats::make(&node, None, Some(&typed(ty)), &Options::new()).map_err(|it| it.in_text(json))
}

/// Compares dumping and making `bytes` of the official type `P`, whose JSON type is `J`.
#[track_caller]
fn compare<P, J>(bytes: &[u8], ty: &str)
where
    P: Entity + Into<J>,
    J: Serialize + DeserializeOwned + Into<P> + Debug,
{
    let official: J = P::from_compatible_slice(bytes).unwrap().into();
    let theirs = serde_json::to_string(&official).unwrap();
    let ours = dumped(bytes, ty);
    let parsed = |json: &str| serde_json::from_str::<Value>(json).unwrap();
    // Compares the order of keys too.
    assert_eq!(parsed(&ours).to_string(), parsed(&theirs).to_string());
    let read: J = serde_json::from_str(&ours).unwrap();
    let packed: P = read.into();
    assert!(packed.as_slice() == bytes, "{ty}: {ours}");
    assert!(made(&theirs, ty).unwrap() == bytes, "{ty}: {theirs}");
}

#[test]
fn blocks_and_their_hashes_are_equal() {
    for (file, ty) in [
        ("genesis/mainnet", "Block"),
        ("blocks/block-empty", "Block"),
        ("blocks/block-40", "Block"),
        ("blocks/blockv1-12", "BlockV1"),
    ] {
        let mut bytes = std::fs::read(format!("{FIXTURES}/{file}.bin")).unwrap();
        if file != "genesis/mainnet" {
            // These have bytes without a name in JSON.
            bytes = with_names(&bytes, ty);
        }
        compare::<packed::Block, rpc::Block>(&bytes, ty);
        // The result of `get_block`, which has hashes.
        let block = packed::Block::from_compatible_slice(&bytes).unwrap();
        let view: rpc::BlockView = block.clone().into_view_without_reset_header().into();
        let json = serde_json::to_string(&view).unwrap();
        let made = made(&json, ty).unwrap();
        assert!(made == bytes, "{file}");
        let again =
            packed::Block::from_compatible_slice(&made).unwrap().into_view_without_reset_header();
        assert_eq!(again.hash(), block.clone().into_view_without_reset_header().hash());
        let hashes = |block: &packed::Block| -> Vec<_> {
            block.transactions().into_iter().map(|it| it.calc_tx_hash()).collect()
        };
        assert_eq!(hashes(&again.data()), hashes(&block));
        let wrong =
            json.replacen(&format!("{:#x}", view.header.hash), &format!("0x{}", "0".repeat(64)), 1);
        assert!(self::made(&wrong, ty).unwrap_err().contains("the hash of this Header is 0x"));
    }
    let genesis = std::fs::read(format!("{FIXTURES}/genesis/mainnet.bin")).unwrap();
    let made = made(&dumped(&genesis, "Block"), "Block").unwrap();
    let hash = packed::Block::from_slice(&made).unwrap().calc_header_hash();
    assert_eq!(
        format!("{hash:#x}"),
        "0x92b197aa1fba0f63633922c61c92375c9c074a93e85963554f5499fe1450d0e5"
    );
}

/// Replaces bytes that have no name in CKB's JSON.
fn with_names(bytes: &[u8], ty: &str) -> Vec<u8> {
    fn named(value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(named),
            Value::Object(fields) => {
                for (key, value) in fields {
                    let number = value.as_u64().unwrap_or(0);
                    match &**key {
                        "hash_type" => {
                            *value = [0, 1, 2, 4, 254][usize::try_from(number % 5).unwrap()].into()
                        }
                        "dep_type" => *value = (number % 2).into(),
                        _ => named(value),
                    }
                }
            }
            _ => {}
        }
    }
    let schema = Schema::from_file(format!("{FIXTURES}/schemas/blockchain.mol")).unwrap();
    let mut value = serde_json::to_value(schema.to_value(bytes, ty).unwrap()).unwrap();
    named(&mut value);
    schema.make(value, ty).unwrap()
}

#[test]
fn random_values_are_equal() {
    let mut dice = Dice::of("ckb");
    for _ in 0..1_000 {
        let transaction: types::Transaction = random::value(&mut dice);
        let bytes = with_names(&to_vec(&transaction).unwrap(), "Transaction");
        compare::<packed::Transaction, rpc::Transaction>(&bytes, "Transaction");
        let official = packed::Transaction::from_slice(&bytes).unwrap();
        let view: rpc::TransactionView = official.clone().into_view().into();
        let made = made(&serde_json::to_string(&view).unwrap(), "Transaction").unwrap();
        assert_eq!(
            packed::Transaction::from_slice(&made).unwrap().calc_tx_hash(),
            official.calc_tx_hash()
        );
    }
    macro_rules! others {
        ($($ty:ident)*) => {$(
            for _ in 0..100 {
                let value: types::$ty = random::value(&mut dice);
                let bytes = with_names(&to_vec(&value).unwrap(), stringify!($ty));
                compare::<packed::$ty, rpc::$ty>(&bytes, stringify!($ty));
            }
        )*};
    }
    others!(Script OutPoint CellInput CellOutput CellDep Header UncleBlock Block);
}

/// Replaces, inserts or removes a character of a JSON text.
fn changed(json: &str, dice: &mut Dice) -> String {
    let mut bytes = json.as_bytes().to_vec();
    let at = dice.below(bytes.len());
    let letter = dice.one_of(b"0123456789abcdefABCDEFgxX\"-. ,:{}[]null");
    match dice.below(4) {
        0 => bytes[at] = letter,
        1 => bytes.insert(at, letter),
        2 => drop(bytes.remove(at)),
        _ => {
            // Adds a leading zero to a number.
            let places: Vec<usize> = json.match_indices("\"0x").map(|(at, _)| at + 3).collect();
            bytes.insert(places[dice.below(places.len())], b'0');
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn changed_texts_are_read_or_refused_alike() {
    let mut dice = Dice::of("ckb changed");
    let (mut good, mut bad) = (0, 0);
    for _ in 0..200 {
        let transaction: types::Transaction = random::value(&mut dice);
        let bytes = with_names(&to_vec(&transaction).unwrap(), "Transaction");
        let json = dumped(&bytes, "Transaction");
        for _ in 0..50 {
            let json = changed(&json, &mut dice);
            let theirs = serde_json::from_str::<rpc::Transaction>(&json);
            let theirs = theirs.map(|it| packed::Transaction::from(it).as_slice().to_vec());
            match (made(&json, "Transaction"), theirs) {
                (Ok(ours), Ok(theirs)) => {
                    assert_eq!(ours, theirs, "{json}");
                    good += 1;
                }
                (Err(_), Err(_)) => bad += 1,
                (ours, theirs) => panic!("{ours:?} {theirs:?}: {json}"),
            }
        }
    }
    assert!(good > 500 && bad > 5_000, "{good} good, {bad} bad");
}
