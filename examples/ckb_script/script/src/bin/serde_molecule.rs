//! The lock with serde_molecule and owned types.

#![no_std]
#![no_main]

extern crate alloc;

use alloc::vec::Vec;

use ckb_script::{Allowed, Closed, Loaded, Request, script};
use serde::Deserialize;
use serde_molecule::{dynvec_serde, from_slice, struct_serde};

script!(read);

#[derive(Deserialize)]
struct Script {
    _code_hash: [u8; 32],
    _hash_type: u8,
    args: Vec<u8>,
}

#[derive(Deserialize)]
struct WitnessArgs {
    lock: Option<Vec<u8>>,
    _input_type: Option<Vec<u8>>,
    _output_type: Option<Vec<u8>>,
}

#[derive(Deserialize)]
struct Heir {
    lock_hash: [u8; 32],
    since: u64,
    _note: Vec<u8>,
}

#[derive(Deserialize)]
struct Limit {
    amount: u64,
    _note: Vec<u8>,
}

#[derive(Deserialize)]

struct Window {
    least: u64,
    most: u64,
}

#[derive(Deserialize)]
enum Rule {
    Limit(Limit),
    #[serde(with = "struct_serde")]
    Window(Window),
}

#[derive(Deserialize)]
struct VaultArgs {
    owner: [u8; 32],
    #[serde(with = "dynvec_serde")]
    heirs: Vec<Heir>,
    rule: Rule,
}

#[derive(Deserialize)]
struct Claim {
    heir: u32,
    amount: u64,
    _memo: Vec<u8>,
}

#[derive(Deserialize)]
struct VaultData {
    taken: u64,
    _memo: Vec<u8>,
}

fn read(mut loaded: Loaded) -> Result<Request, Closed> {
    let script: Script = from_slice(loaded.script, false).map_err(|_| Closed::Script)?;
    let args: VaultArgs = from_slice(&script.args, false).map_err(|_| Closed::Args)?;
    let witness: WitnessArgs = from_slice(loaded.witness()?, false).map_err(|_| Closed::Witness)?;
    let claim: Claim =
        from_slice(&witness.lock.ok_or(Closed::Witness)?, false).map_err(|_| Closed::Claim)?;
    let taken = |data| from_slice(data, false).map(|data: VaultData| data.taken);
    let (before, after) = loaded.data;
    let taken = (taken(before).map_err(|_| Closed::Data)?, taken(after).map_err(|_| Closed::Data)?);
    let (claimant, since) = match claim.heir.checked_sub(1) {
        None => (args.owner, 0),
        Some(index) => {
            let heir = args.heirs.get(index as usize).ok_or(Closed::NoHeir)?;
            (heir.lock_hash, heir.since)
        }
    };
    let allowed = match args.rule {
        Rule::Limit(limit) => Allowed::UpTo(limit.amount),
        Rule::Window(window) => Allowed::Between(window.least, window.most),
    };
    Ok(Request { claimant, since, allowed, amount: claim.amount, taken })
}
