//! The virtual machine and its system calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ckb_vm::cost_model::estimate_cycles;
use ckb_vm::decoder::build_decoder;
use ckb_vm::registers::{A0, A1, A2, A3, A4, A5, A7};
use ckb_vm::{
    Bytes, CoreMachine, DefaultCoreMachine, DefaultMachine, DefaultMachineBuilder, Error, ISA_A,
    ISA_B, ISA_IMC, ISA_MOP, Memory, Register, SparseMemory, SupportMachine, Syscalls, WXorXMemory,
};

/// The data of a transaction that a script can load.
#[derive(Clone, Default)]
pub struct Transaction {
    pub script: Vec<u8>,
    pub witness: Vec<u8>,
    /// The data of the cell that the script locks, and of the first output.
    pub data: Vec<u8>,
    pub output: Vec<u8>,
    pub since: u64,
    /// The capacities of the cell and of the first output.
    pub capacities: (u64, u64),
    /// Number of further cells with this lock.
    pub twins: u64,
    /// The hash of the script, and that of the first output's lock.
    pub script_hash: [u8; 32],
    pub output_lock: [u8; 32],
    /// The hash of the first output's type; the cell has no type.
    pub output_type: Option<[u8; 32]>,
    /// The hashes of the locks of all inputs.
    pub locks: Vec<[u8; 32]>,
}

/// The result of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub code: i8,
    pub cycles: u64,
    /// Number of loaded bytes.
    pub loaded: u64,
}

const LOAD_SCRIPT: u64 = 2052;
const LOAD_SCRIPT_HASH: u64 = 2062;
const LOAD_WITNESS: u64 = 2074;
const LOAD_CELL_BY_FIELD: u64 = 2081;
const LOAD_INPUT_BY_FIELD: u64 = 2083;
const LOAD_CELL_DATA: u64 = 2092;

/// Sources of cells.
const INPUT: u64 = 1;
const OUTPUT: u64 = 2;
const GROUP_INPUT: u64 = 0x0100_0000_0000_0001;

/// Return codes of system calls.
const LOADED: u64 = 0;
const NO_SUCH_INDEX: u64 = 1;
const NO_SUCH_ITEM: u64 = 2;

const CAPACITY_OF_CELL: u64 = 0;
const LOCK_HASH_OF_CELL: u64 = 3;
const TYPE_HASH_OF_CELL: u64 = 5;
const SINCE_OF_INPUT: u64 = 1;

/// Loading this many bytes costs a cycle.
const BYTES_IN_CYCLE: u64 = 4;

/// A limit that no script reaches.
const MOST_CYCLES: u64 = 1 << 32;

struct Calls {
    transaction: Transaction,
    loaded: Arc<AtomicU64>,
}

impl Calls {
    /// The bytes that a call loads, or its error code.
    fn requested(&self, call: u64, index: u64, source: u64, field: u64) -> Result<Vec<u8>, u64> {
        let Transaction { script, witness, data, output, since, capacities, .. } =
            &self.transaction;
        let Transaction { twins, script_hash, output_lock, output_type, locks, .. } =
            &self.transaction;
        let first = |bytes: &[u8]| match index {
            0 => Ok(bytes.to_vec()),
            _ => Err(NO_SUCH_INDEX),
        };
        match (call, source, field) {
            (LOAD_SCRIPT, ..) => Ok(script.clone()),
            (LOAD_SCRIPT_HASH, ..) => Ok(script_hash.to_vec()),
            (LOAD_WITNESS, GROUP_INPUT, _) => first(witness),
            (LOAD_CELL_DATA, GROUP_INPUT, _) => first(data),
            (LOAD_CELL_DATA, OUTPUT, _) => first(output),
            (LOAD_INPUT_BY_FIELD, GROUP_INPUT, SINCE_OF_INPUT) => first(&since.to_le_bytes()),
            (LOAD_CELL_BY_FIELD, GROUP_INPUT, CAPACITY_OF_CELL) => match index <= *twins {
                true => Ok(capacities.0.to_le_bytes().to_vec()),
                false => Err(NO_SUCH_INDEX),
            },
            (LOAD_CELL_BY_FIELD, OUTPUT, CAPACITY_OF_CELL) => first(&capacities.1.to_le_bytes()),
            (LOAD_CELL_BY_FIELD, OUTPUT, LOCK_HASH_OF_CELL) => first(output_lock),
            (LOAD_CELL_BY_FIELD, OUTPUT, TYPE_HASH_OF_CELL) => match output_type {
                Some(hash) => first(hash),
                None => Err(NO_SUCH_ITEM),
            },
            (LOAD_CELL_BY_FIELD, INPUT, LOCK_HASH_OF_CELL) => {
                let lock = usize::try_from(index).ok().and_then(|index| locks.get(index));
                lock.map(|lock| lock.to_vec()).ok_or(NO_SUCH_INDEX)
            }
            _ => Err(NO_SUCH_ITEM),
        }
    }
}

impl<M: SupportMachine> Syscalls<M> for Calls {
    fn initialize(&mut self, _: &mut M) -> Result<(), Error> {
        Ok(())
    }

    fn ecall(&mut self, machine: &mut M) -> Result<bool, Error> {
        let register = |number: usize| machine.registers()[number].to_u64();
        let (call, address, length_at, offset) =
            (register(A7), register(A0), register(A1), register(A2));
        let calls = [
            LOAD_SCRIPT,
            LOAD_SCRIPT_HASH,
            LOAD_WITNESS,
            LOAD_CELL_BY_FIELD,
            LOAD_INPUT_BY_FIELD,
            LOAD_CELL_DATA,
        ];
        if !calls.contains(&call) {
            return Ok(false);
        }
        // `LOAD_SCRIPT` ignores the index.
        let requested = self.requested(call, register(A3), register(A4), register(A5));
        let result = match requested {
            Ok(bytes) => {
                let length_at = M::REG::from_u64(length_at);
                let capacity = machine.memory_mut().load64(&length_at)?.to_u64();
                let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..));
                let rest = rest.unwrap_or_default();
                let full = u64::try_from(rest.len()).unwrap_or(u64::MAX);
                let size = full.min(capacity);
                machine.memory_mut().store64(&length_at, &M::REG::from_u64(full))?;
                let stored = rest.get(..usize::try_from(size).unwrap_or(0)).unwrap_or_default();
                machine.memory_mut().store_bytes(address, stored)?;
                machine.add_cycles_no_checking(size.div_ceil(BYTES_IN_CYCLE))?;
                self.loaded.fetch_add(size, Ordering::Relaxed);
                LOADED
            }
            Err(code) => code,
        };
        machine.set_register(A0, M::REG::from_u64(result));
        Ok(true)
    }
}

type Core = DefaultCoreMachine<u64, WXorXMemory<SparseMemory<u64>>>;

/// The instruction sets and the number of a version of the machine.
type Version = (u8, u32);

const FIRST: Version = (ISA_IMC | ISA_B | ISA_MOP, ckb_vm::machine::VERSION1);
const SECOND: Version = (ISA_IMC | ISA_A | ISA_B | ISA_MOP, ckb_vm::machine::VERSION2);

fn machine(
    (isa, version): Version,
    program: &[u8],
    transaction: &Transaction,
    loaded: &Arc<AtomicU64>,
) -> Result<DefaultMachine<Core>, Error> {
    let calls = Calls { transaction: transaction.clone(), loaded: Arc::clone(loaded) };
    let core = Core::new(isa, version, MOST_CYCLES);
    let mut machine = DefaultMachineBuilder::new(core)
        .instruction_cycle_func(Box::new(estimate_cycles))
        .syscall(Box::new(calls))
        .build();
    machine.load_program(&Bytes::copy_from_slice(program), core::iter::empty())?;
    Ok(machine)
}

/// Runs a script on a transaction.
///
/// # Errors
///
/// Those of the machine, such as an invalid jump or memory access.
pub fn run(program: &[u8], transaction: &Transaction) -> Result<Outcome, Error> {
    run_on(SECOND, program, transaction)
}

/// Runs a script on version 1 of the machine, which has no atomic instructions.
///
/// # Errors
///
/// Those of [`run`], and instructions that this version does not have.
pub fn run_on_first(program: &[u8], transaction: &Transaction) -> Result<Outcome, Error> {
    run_on(FIRST, program, transaction)
}

fn run_on(version: Version, program: &[u8], transaction: &Transaction) -> Result<Outcome, Error> {
    let loaded = Arc::default();
    let mut machine = machine(version, program, transaction, &loaded)?;
    let code = machine.run()?;
    Ok(Outcome { code, cycles: machine.cycles(), loaded: loaded.load(Ordering::Relaxed) })
}

/// Runs a script step by step, and calls `step` with the address and the cycles of each instruction.
///
/// # Errors
///
/// Those of [`run`].
pub fn steps(
    program: &[u8],
    transaction: &Transaction,
    mut step: impl FnMut(u64, u64),
) -> Result<(), Error> {
    let mut machine = machine(SECOND, program, transaction, &Arc::default())?;
    let mut decoder = build_decoder::<u64>(machine.isa(), machine.version());
    machine.set_running(true);
    while machine.running() {
        let (pc, before) = (machine.pc().to_u64(), machine.cycles());
        machine.step(&mut decoder)?;
        step(pc, machine.cycles() - before);
    }
    Ok(())
}
