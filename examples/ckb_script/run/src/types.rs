//! The types of `vault.mol`, for making transactions.

use fourfold::molecule::with::dynvec;
use serde::Serialize;

#[derive(Serialize)]
pub struct Script {
    pub code_hash: [u8; 32],
    pub hash_type: u8,
    pub args: Vec<u8>,
}

#[derive(Serialize)]
pub struct WitnessArgs {
    pub lock: Option<Vec<u8>>,
    pub input_type: Option<Vec<u8>>,
    pub output_type: Option<Vec<u8>>,
}

#[derive(Serialize, Clone)]
pub struct Heir {
    pub lock_hash: [u8; 32],
    pub since: u64,
    pub note: Vec<u8>,
}

#[derive(Serialize)]
pub struct Limit {
    pub amount: u64,
    pub note: Vec<u8>,
}

#[derive(Serialize)]
#[serde(rename = "struct.Window")]
pub struct Window {
    pub least: u64,
    pub most: u64,
}

#[derive(Serialize)]
pub enum Rule {
    Limit(Limit),
    Window(Window),
}

#[derive(Serialize)]
pub struct VaultArgs {
    pub owner: [u8; 32],
    #[serde(with = "dynvec")]
    pub heirs: Vec<Heir>,
    pub rule: Rule,
}

#[derive(Serialize)]
pub struct Claim {
    pub heir: u32,
    pub amount: u64,
    pub memo: Vec<u8>,
}

#[derive(Serialize)]
pub struct VaultData {
    pub taken: u64,
    pub memo: Vec<u8>,
}
