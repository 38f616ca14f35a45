//! A CKB lock script without its Molecule reader: each program in `bin/` adds another one.
//!
//! The owner can unlock the vault, and each heir from a certain block on: the claimant must unlock a cell with their own
//! lock in the same transaction. A rule limits the amount. The rest must be in the first output, under the same lock,
//! whose data count the amount taken so far.

#![no_std]

pub mod borrowed;
mod memory;

use core::panic::PanicInfo;

use ckb_std::ckb_constants::{CellField, InputField, Source};
use ckb_std::error::SysError;
use ckb_std::syscalls;

use self::memory::Memory;

/// The reason why the vault stays closed: the script's exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i8)]
pub enum Closed {
    /// The script, witness, cell or input cannot be loaded.
    Load = 1,
    /// The script is invalid.
    Script,
    /// The arguments are invalid.
    Args,
    /// The witness is invalid, or has no lock.
    Witness,
    /// The claim is invalid.
    Claim,
    /// The data of the cell or of the first output are invalid.
    Data,
    /// There is no such heir.
    NoHeir,
    /// The heir's block is not reached.
    TooEarly,
    /// The rule does not allow the amount.
    Amount,
    /// The data of the first output do not count the amount.
    Uncounted,
    /// No input has the claimant's lock.
    NotUnlocked,
    /// The first output lacks the rest, or has another lock or type.
    NotKept,
    /// More than one input has this lock; only one would be checked.
    NotAlone,
}

/// The amounts that the arguments allow.
pub enum Allowed {
    UpTo(u64),
    Between(u64, u64),
}

/// The values that a program has read.
pub struct Request {
    pub claimant: [u8; 32],
    /// The first block at which the claimant may claim.
    pub since: u64,
    pub allowed: Allowed,
    pub amount: u64,
    /// The amounts taken before and after this transaction.
    pub taken: (u64, u64),
}

/// The loaded bytes that a program reads.
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

/// Loads the bytes of the witness from `offset` into `buffer`. Returns the number of bytes after `offset`.
pub fn load_witness(offset: usize, buffer: &mut [u8]) -> Option<usize> {
    match syscalls::load_witness(buffer, offset, 0, Source::GroupInput) {
        Ok(rest) | Err(SysError::LengthNotEnough(rest)) => Some(rest),
        Err(_) => None,
    }
}

/// Loads the inputs of the script, calls `read`, and checks the request.
pub fn run(read: fn(Loaded) -> Result<Request, Closed>) -> Result<(), Closed> {
    let mut memory = Memory::take();
    let script = memory.load(|bytes| syscalls::load_script(bytes, 0))?;
    let data = (
        memory.load(|bytes| syscalls::load_cell_data(bytes, 0, 0, Source::GroupInput))?,
        memory.load(|bytes| syscalls::load_cell_data(bytes, 0, 0, Source::Output))?,
    );
    check(&read(Loaded { script, data, memory })?)
}

fn check(request: &Request) -> Result<(), Closed> {
    let Request { claimant, since, allowed, amount, taken: (before, after) } = request;
    check_rest(*amount)?;
    if !is_reached(since_of_input()?, *since) {
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

/// Refuses a transaction that takes more than the amount out of the vault, takes tokens, or has two vaults as inputs.
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

/// Whether `since` of an input requires at least this block. Flags in the highest byte would mean an epoch, a time, or a
/// relative number.
fn is_reached(since: u64, block: u64) -> bool {
    since >> 56 == 0 && since >= block
}

fn since_of_input() -> Result<u64, Closed> {
    let mut since = [0; 8];
    syscalls::load_input_by_field(&mut since, 0, 0, Source::GroupInput, InputField::Since)
        .map_err(|_| Closed::Load)?;
    Ok(u64::from_le_bytes(since))
}

/// Exits with the code of the result.
pub fn exit(result: Result<(), Closed>) -> ! {
    syscalls::exit(result.map_or_else(|closed| closed as i8, |()| 0))
}

#[cfg(target_arch = "riscv64")]
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    syscalls::exit(-1)
}

/// Defines the entry point, with `read` as the reader.
#[macro_export]
macro_rules! script {
    ($read:path) => {
        #[unsafe(no_mangle)]
        extern "C" fn _start() -> ! {
            $crate::exit($crate::run($read))
        }
    };
}
