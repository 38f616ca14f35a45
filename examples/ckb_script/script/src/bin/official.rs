//! The lock with the types of the official compiler and their verification.

#![no_std]
#![no_main]

extern crate alloc;

use ckb_script::{Allowed, Closed, Loaded, Request, script};
use molecule::prelude::Reader;

use self::generated::{
    ClaimReader, RuleUnionReader, ScriptReader, VaultArgsReader, VaultDataReader, WitnessArgsReader,
};

#[allow(warnings, clippy::all, reason = "generated code")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/vault.rs"));
}

script!(read);

fn number(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(0, u64::from_le_bytes)
}

fn hash(bytes: &[u8]) -> [u8; 32] {
    bytes.try_into().unwrap_or_default()
}

fn read(mut loaded: Loaded) -> Result<Request, Closed> {
    let script = ScriptReader::from_slice(loaded.script).map_err(|_| Closed::Script)?;
    let args = VaultArgsReader::from_slice(script.args().raw_data()).map_err(|_| Closed::Args)?;
    let witness = WitnessArgsReader::from_slice(loaded.witness()?).map_err(|_| Closed::Witness)?;
    let lock = witness.lock().to_opt().ok_or(Closed::Witness)?;
    let claim = ClaimReader::from_slice(lock.raw_data()).map_err(|_| Closed::Claim)?;
    let taken =
        |data| VaultDataReader::from_slice(data).map(|data| number(data.taken().raw_data()));
    let (before, after) = loaded.data;
    let taken = (taken(before).map_err(|_| Closed::Data)?, taken(after).map_err(|_| Closed::Data)?);
    let heir = claim.heir().raw_data().try_into().map_or(0, u32::from_le_bytes);
    let (claimant, since) = match heir.checked_sub(1) {
        None => (hash(args.owner().raw_data()), 0),
        Some(index) => {
            let heir = args.heirs().get(index as usize).ok_or(Closed::NoHeir)?;
            (hash(heir.lock_hash().raw_data()), number(heir.since().raw_data()))
        }
    };
    let allowed = match args.rule().to_enum() {
        RuleUnionReader::Limit(limit) => Allowed::UpTo(number(limit.amount().raw_data())),
        RuleUnionReader::Window(window) => {
            Allowed::Between(number(window.least().raw_data()), number(window.most().raw_data()))
        }
    };
    let amount = number(claim.amount().raw_data());
    Ok(Request { claimant, since, allowed, amount, taken })
}
