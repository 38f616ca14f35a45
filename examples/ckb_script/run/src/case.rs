//! Generates valid and damaged transactions.

use fastrand::Rng;
use fourfold::molecule::{self, to_vec};

use crate::machine::Transaction;
use crate::types::{Claim, Heir, Limit, Rule, Script, VaultArgs, VaultData, Window, WitnessArgs};

fn bytes(rng: &mut Rng, most: usize) -> Vec<u8> {
    let count = rng.usize(..=most);
    core::iter::repeat_with(|| rng.u8(..)).take(count).collect()
}

fn hash(rng: &mut Rng) -> [u8; 32] {
    core::array::from_fn(|_| rng.u8(..))
}

/// A transaction with a valid claim of the owner or an heir.
///
/// # Errors
///
/// None: Molecule can write all values.
pub fn valid(rng: &mut Rng) -> molecule::Result<Transaction> {
    let (owner, count) = (hash(rng), rng.usize(..5));
    let heir = rng.usize(..=count);
    transaction(rng, owner, count, heir)
}

/// A transaction with a valid claim of the given owner.
///
/// # Errors
///
/// None: Molecule can write all values.
pub fn valid_of(owner: [u8; 32], rng: &mut Rng) -> molecule::Result<Transaction> {
    let count = rng.usize(..5);
    transaction(rng, owner, count, 0)
}

/// A vault with `count` heirs. The claim is that of `heir`; 0 is the owner.
fn transaction(
    rng: &mut Rng,
    owner: [u8; 32],
    count: usize,
    heir: usize,
) -> molecule::Result<Transaction> {
    let heirs: Vec<Heir> = core::iter::repeat_with(|| Heir {
        lock_hash: hash(rng),
        since: rng.u64(..1000),
        note: bytes(rng, 40),
    })
    .take(count)
    .collect();
    let (amount, before) = (rng.u64(..1 << 40), rng.u64(..1 << 40));
    let rule = match rng.bool() {
        true => Rule::Limit(Limit { amount: before + amount + rng.u64(..2), note: bytes(rng, 20) }),
        false => Rule::Window(Window { least: amount / 2, most: amount + rng.u64(..2) }),
    };
    let claimant = heir.checked_sub(1).and_then(|index| heirs.get(index));
    let (lock, since) = claimant.map_or((owner, 0), |heir| (heir.lock_hash, heir.since));
    let mut locks: Vec<[u8; 32]> = (0..rng.usize(..3)).map(|_| hash(rng)).collect();
    locks.push(lock);
    rng.shuffle(&mut locks);
    let (rest, script_hash) = (rng.u64(..1 << 40), hash(rng));
    let claim = Claim { heir: u32::try_from(heir).unwrap_or(0), amount, memo: bytes(rng, 60) };
    let script = Script {
        code_hash: hash(rng),
        hash_type: rng.u8(..3),
        args: to_vec(&VaultArgs { owner, heirs, rule })?,
    };
    let witness = WitnessArgs {
        lock: Some(to_vec(&claim)?),
        input_type: rng.bool().then(|| bytes(rng, 30)),
        output_type: rng.bool().then(|| bytes(rng, 30)),
    };
    Ok(Transaction {
        script: to_vec(&script)?,
        witness: to_vec(&witness)?,
        data: to_vec(&VaultData { taken: before, memo: bytes(rng, 30) })?,
        output: to_vec(&VaultData { taken: before + amount, memo: bytes(rng, 30) })?,
        since: since + rng.u64(..100),
        capacities: (rest + amount, rest + rng.u64(..3)),
        twins: 0,
        script_hash,
        output_lock: script_hash,
        output_type: None,
        locks,
    })
}

/// Changes values that a script reads.
pub fn damage(transaction: &mut Transaction, rng: &mut Rng) {
    for _ in 0..=rng.usize(..2) {
        let Transaction { script, witness, data, output, since, locks, .. } = transaction;
        let part = match rng.u8(..15) {
            0..=4 => script,
            5..=7 => witness,
            8 => data,
            9 => output,
            10 => {
                // A flag in the high bits means that it is not a block number.
                *since = rng.u64(..500) | (rng.u64(..2) << 63);
                continue;
            }
            11 => {
                locks.pop();
                continue;
            }
            12 => {
                transaction.capacities.1 /= 2;
                continue;
            }
            13 => {
                match rng.bool() {
                    true => transaction.output_lock = hash(rng),
                    false => transaction.output_type = Some(hash(rng)),
                }
                continue;
            }
            _ => {
                transaction.twins += 1;
                continue;
            }
        };
        damage_bytes(part, rng);
    }
}

fn damage_bytes(bytes: &mut Vec<u8>, rng: &mut Rng) {
    if bytes.is_empty() {
        return bytes.push(rng.u8(..));
    }
    let at = rng.usize(..bytes.len());
    match rng.u8(..8) {
        0 => bytes.truncate(at),
        1 => bytes.push(rng.u8(..)),
        2 => bytes.insert(at, rng.u8(..)),
        3 => drop(bytes.remove(at)),
        4 => bytes[at] = rng.u8(..),
        // A number that may be a size, offset, count or id.
        _ => {
            let at = at - at % 4;
            if let Some(number) = bytes.get_mut(at..at + 4) {
                let old = u32::from_le_bytes(number.try_into().unwrap_or_default());
                let new = match rng.u8(..4) {
                    0 => old.wrapping_add(1),
                    1 => old.wrapping_sub(1),
                    2 => old ^ (4 << rng.u32(..4)),
                    _ => u32::MAX - rng.u32(..16),
                };
                number.copy_from_slice(&new.to_le_bytes());
            }
        }
    }
}
