//! Types that borrow from loaded bytes, without allocating.

use fourfold::molecule::small::{Array, DynVec, from_slice};
use serde::Deserialize;

use crate::{Allowed, Closed, Loaded, Request};

#[derive(Deserialize)]
struct Script<'a> {
    #[serde(borrow)]
    _code_hash: Array<'a, 32>,
    _hash_type: u8,
    args: &'a [u8],
}

#[derive(Deserialize)]
struct Heir<'a> {
    #[serde(borrow)]
    lock_hash: Array<'a, 32>,
    since: u64,
    _note: &'a [u8],
}

#[derive(Deserialize)]
struct Limit<'a> {
    amount: u64,
    _note: &'a [u8],
}

#[derive(Deserialize)]
#[serde(rename = "struct.Window")]
struct Window {
    least: u64,
    most: u64,
}

#[derive(Deserialize)]
enum Rule<'a> {
    #[serde(borrow)]
    Limit(Limit<'a>),
    Window(Window),
}

#[derive(Deserialize)]
struct VaultArgs<'a> {
    #[serde(borrow)]
    owner: Array<'a, 32>,
    #[serde(borrow)]
    heirs: DynVec<'a, Heir<'a>>,
    #[serde(borrow)]
    rule: Rule<'a>,
}

#[derive(Deserialize)]
struct VaultData<'a> {
    taken: u64,
    _memo: &'a [u8],
}

/// The fields of a claim that are read.
pub struct Claimed {
    pub heir: u32,
    pub amount: u64,
}

/// Reads everything except the claim, which `claim` reads.
pub fn read(
    mut loaded: Loaded,
    claim: impl FnOnce(&mut Loaded) -> Result<Claimed, Closed>,
) -> Result<Request, Closed> {
    let script: Script<'_> = from_slice(loaded.script).map_err(|_| Closed::Script)?;
    let args: VaultArgs<'_> = from_slice(script.args).map_err(|_| Closed::Args)?;
    // All heirs must be valid, as in the other programs.
    args.heirs.check().map_err(|_| Closed::Args)?;
    let Claimed { heir, amount } = claim(&mut loaded)?;
    let taken = |data| from_slice(data).map(|data: VaultData<'_>| data.taken);
    let (before, after) = loaded.data;
    let taken = (taken(before).map_err(|_| Closed::Data)?, taken(after).map_err(|_| Closed::Data)?);
    let (claimant, since) = match heir.checked_sub(1) {
        None => (*args.owner, 0),
        Some(index) => {
            let heir = args.heirs.get(index as usize).ok_or(Closed::NoHeir)?;
            heir.map(|heir| (*heir.lock_hash, heir.since)).map_err(|_| Closed::Args)?
        }
    };
    let allowed = match args.rule {
        Rule::Limit(limit) => Allowed::UpTo(limit.amount),
        Rule::Window(window) => Allowed::Between(window.least, window.most),
    };
    Ok(Request { claimant, since, allowed, amount, taken })
}
