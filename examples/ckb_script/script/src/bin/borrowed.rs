//! The lock with borrowed types, which do not allocate.

#![no_std]
#![no_main]

use ckb_script::borrowed::{self, Claimed};
use ckb_script::{Closed, Loaded, Request, script};
use fourfold::molecule::small::from_slice;
use serde::Deserialize;

script!(read);

#[derive(Deserialize)]
struct WitnessArgs<'a> {
    #[serde(borrow)]
    lock: Option<&'a [u8]>,
    #[serde(borrow)]
    _input_type: Option<&'a [u8]>,
    #[serde(borrow)]
    _output_type: Option<&'a [u8]>,
}

#[derive(Deserialize)]
struct Claim<'a> {
    heir: u32,
    amount: u64,
    _memo: &'a [u8],
}

fn read(loaded: Loaded) -> Result<Request, Closed> {
    borrowed::read(loaded, |loaded| {
        let witness: WitnessArgs<'_> =
            from_slice(loaded.witness()?).map_err(|_| Closed::Witness)?;
        let lock = witness.lock.ok_or(Closed::Witness)?;
        let Claim { heir, amount, .. } = from_slice(lock).map_err(|_| Closed::Claim)?;
        Ok(Claimed { heir, amount })
    })
}
