//! A lock script of CKB, but for how it reads its Molecule: each program in `bin/` does that in another way.
//!
//! The vault opens to its owner, and to an heir whose block has come: the one who claims has to unlock a cell of
//! another lock in the same transaction. How much may be taken is up to a rule. What is left goes to the first output,
//! under the same lock, whose data count what was taken so far.

#![no_std]

pub mod borrowed;
mod memory;

use core::panic::PanicInfo;

use ckb_std::ckb_constants::{CellField, InputField, Source};
use ckb_std::error::SysError;
use ckb_std::syscalls;

use self::memory::Memory;

/// Why the vault stays closed: the script's exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i8)]
pub enum Closed {
    /// The machine gave no script, witness, cell or input.
    Load = 1,
    /// The script is none.
    Script,
    /// Its arguments are none.
    Args,
    /// The witness is none, or has no lock.
    Witness,
    /// The claim is none.
    Claim,
    /// The data of the cell, or of the first output, are none.
    Data,
    /// There is no such heir.
    NoHeir,
    /// The heir's block has not come.
    TooEarly,
    /// The rule does not allow that amount.
    Amount,
    /// The data of the first output do not count it.
    Uncounted,
    /// Who claims unlocks nothing.
    NotUnlocked,
    /// The first output has not what is left, or another lock or type.
    NotKept,
    /// There is more than one such vault among the inputs, and only one is looked at.
    NotAlone,
}

/// What the arguments allow.
pub enum Allowed {
    UpTo(u64),
    Between(u64, u64),
}

/// What a program has read.
pub struct Request {
    pub claimant: [u8; 32],
    /// The block from which on the claimant may claim.
    pub since: u64,
    pub allowed: Allowed,
    pub amount: u64,
    /// What was taken before, and what was then.
    pub taken: (u64, u64),
}

/// What the machine has loaded, which a program reads.
pub struct Loaded {
    pub script: &'static [u8],
    /// The data of the cell, and of the first output.
    pub data: (&'static [u8], &'static [u8]),
    memory: Memory,
}

impl Loaded {
    /// Loads the witness.
    pub fn witness(&mut self) -> Result<&'static [u8], Closed> {
        self.memory.load(|bytes| syscalls::load_witness(bytes, 0, 0, Source::GroupInput))
    }
}

/// Loads some of the witness into `buffer`: its bytes from `offset` on. Returns how many there are from there.
pub fn load_witness(offset: usize, buffer: &mut [u8]) -> Option<usize> {
    match syscalls::load_witness(buffer, offset, 0, Source::GroupInput) {
        Ok(rest) | Err(SysError::LengthNotEnough(rest)) => Some(rest),
        Err(_) => None,
    }
}

/// Loads what the script needs, has `read` read it, and judges.
pub fn run(read: fn(Loaded) -> Result<Request, Closed>) -> Result<(), Closed> {
    let mut memory = Memory::take();
    let script = memory.load(|bytes| syscalls::load_script(bytes, 0))?;
    let data = (
        memory.load(|bytes| syscalls::load_cell_data(bytes, 0, 0, Source::GroupInput))?,
        memory.load(|bytes| syscalls::load_cell_data(bytes, 0, 0, Source::Output))?,
    );
    judge(&read(Loaded { script, data, memory })?)
}

fn judge(request: &Request) -> Result<(), Closed> {
    let Request { claimant, since, allowed, amount, taken: (before, after) } = request;
    check_rest(*amount)?;
    if !has_come(since_of_input()?, *since) {
        return Err(Closed::TooEarly);
    }
    let taken = before.checked_add(*amount).ok_or(Closed::Amount)?;
    let is_allowed = match allowed {
        Allowed::UpTo(most) => taken <= *most,
        Allowed::Between(least, most) => (least..=most).contains(&amount),
    };
    if !is_allowed {
        return Err(Closed::Amount);
    }
    if taken != *after {
        return Err(Closed::Uncounted);
    }
    let mut hash = [0; 32];
    let mut index = 0;
    while syscalls::load_cell_by_field(&mut hash, 0, index, Source::Input, CellField::LockHash)
        .is_ok()
    {
        if hash == *claimant {
            return Ok(());
        }
        index += 1;
    }
    Err(Closed::NotUnlocked)
}

/// Refuses a transaction that takes more than the amount out of the vault, or tokens with it, or out of two at once.
fn check_rest(amount: u64) -> Result<(), Closed> {
    let capacity = |index, source| {
        let mut capacity = [0; 8];
        syscalls::load_cell_by_field(&mut capacity, 0, index, source, CellField::Capacity)
            .map(|_| u64::from_le_bytes(capacity))
    };
    match capacity(1, Source::GroupInput) {
        Err(SysError::IndexOutOfBound) => {}
        Ok(_) | Err(_) => return Err(Closed::NotAlone),
    }
    let before = capacity(0, Source::GroupInput).map_err(|_| Closed::Load)?;
    let after = capacity(0, Source::Output).map_err(|_| Closed::NotKept)?;
    let (mut lock, mut own) = ([0; 32], [0; 32]);
    syscalls::load_script_hash(&mut own, 0).map_err(|_| Closed::Load)?;
    syscalls::load_cell_by_field(&mut lock, 0, 0, Source::Output, CellField::LockHash)
        .map_err(|_| Closed::NotKept)?;
    let kind = |source| {
        let mut hash = [0; 32];
        let loaded = syscalls::load_cell_by_field(&mut hash, 0, 0, source, CellField::TypeHash);
        loaded.map(|_| hash).ok()
    };
    let is_same = lock == own && kind(Source::GroupInput) == kind(Source::Output);
    match is_same && after >= before.saturating_sub(amount) {
        true => Ok(()),
        false => Err(Closed::NotKept),
    }
}

/// Whether an input that waits for `since` waits for this block at least. With flags in its highest byte it would wait for
/// an epoch or a time, or count from its own block.
fn has_come(since: u64, block: u64) -> bool {
    since >> 56 == 0 && since >= block
}

fn since_of_input() -> Result<u64, Closed> {
    let mut since = [0; 8];
    syscalls::load_input_by_field(&mut since, 0, 0, Source::GroupInput, InputField::Since)
        .map_err(|_| Closed::Load)?;
    Ok(u64::from_le_bytes(since))
}

/// Ends the script with the code of its verdict.
pub fn exit(verdict: Result<(), Closed>) -> ! {
    syscalls::exit(verdict.map_or_else(|closed| closed as i8, |()| 0))
}

#[cfg(target_arch = "riscv64")]
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    syscalls::exit(-1)
}

/// The program that has `read` read what the machine loads.
#[macro_export]
macro_rules! script {
    ($read:path) => {
        #[unsafe(no_mangle)]
        extern "C" fn _start() -> ! {
            $crate::exit($crate::run($read))
        }
    };
}
