//! Runs the scripts in complete transactions, verified like in a node.

use ckb_script_run::case::valid_of;
use ckb_script_run::machine::Transaction;
use ckb_script_run::program::{Level, Program, build};
use ckb_testtool::builtin::ALWAYS_SUCCESS;
use ckb_testtool::ckb_types::bytes::Bytes;
use ckb_testtool::ckb_types::core::TransactionBuilder;
use ckb_testtool::ckb_types::packed::{CellInput, CellOutput, Script};
use ckb_testtool::ckb_types::prelude::*;
use ckb_testtool::context::Context;
use fastrand::Rng;
use fourfold::molecule::from_slice;

const MOST_CYCLES: u64 = 10_000_000;

/// Verifies a transaction whose owner has an always-success lock, after `change`.
fn verdict(
    program: &Program,
    rng: &mut Rng,
    change: impl FnOnce(&mut Transaction, &mut Rng),
) -> Result<u64, String> {
    let mut context = Context::default();
    let vault = context.deploy_cell(Bytes::from(program.elf.clone()));
    let opener = context.deploy_cell(ALWAYS_SUCCESS.clone());
    let owner = context.build_script(&opener, Bytes::new()).ok_or("no script")?;
    let mut made = valid_of(owner.calc_script_hash().unpack(), rng).unwrap();
    change(&mut made, rng);
    let (_, _, args): ([u8; 32], u8, Vec<u8>) = from_slice(&made.script).unwrap();
    let lock = context.build_script(&vault, Bytes::from(args)).ok_or("no script")?;
    let (before, after) = made.capacities;
    let mut input = |lock: &Script, data: &[u8]| {
        let output = CellOutput::new_builder().capacity(before).lock(lock.clone()).build();
        let out_point = context.create_cell(output, Bytes::copy_from_slice(data));
        CellInput::new_builder().previous_output(out_point).build()
    };
    let inputs = [input(&lock, &made.data), input(&owner, &[])];
    let output = CellOutput::new_builder().capacity(after).lock(lock).build();
    let transaction = TransactionBuilder::default()
        .inputs(inputs)
        .output(output)
        .output_data(Bytes::from(made.output))
        .witness(Bytes::from(made.witness))
        .build();
    let transaction = context.complete_tx(transaction);
    context.verify_tx(&transaction, MOST_CYCLES).map_err(|error| error.to_string())
}

#[test]
fn the_node_accepts_valid_transactions_only() {
    let folder = build(Level::Three).unwrap();
    for name in ["borrowed", "partial", "owned", "official"] {
        let program = Program::open(&folder, name).unwrap();
        let mut rng = Rng::with_seed(4);
        for _ in 0..5 {
            let cycles = verdict(&program, &mut rng, |_, _| {}).unwrap();
            assert!(cycles > 5000, "{name}: {cycles}");
            // The output counts another amount than the claim.
            let error = verdict(&program, &mut rng, |made, _| made.output[12] ^= 1).unwrap_err();
            assert!(error.contains("error code 10 "), "{name}: {error}");
            // More is withdrawn than the claim allows.
            let error = verdict(&program, &mut rng, |made, _| made.capacities.1 /= 2).unwrap_err();
            assert!(error.contains("error code 12 "), "{name}: {error}");
            // A truncated witness.
            let error =
                verdict(&program, &mut rng, |made, _| made.witness.truncate(20)).unwrap_err();
            assert!(error.contains("error code 4 "), "{name}: {error}");
        }
    }
}
