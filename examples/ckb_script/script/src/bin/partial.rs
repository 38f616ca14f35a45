//! The lock with borrowed types, and with partial loading of the witness: for large witnesses.

#![no_std]
#![no_main]

use ckb_script::borrowed::{self, Claimed};
use ckb_script::{Closed, Loaded, Request, load_witness, script};
use fourfold::molecule::Segment;
use fourfold::molecule::small::Source;

script!(read);

fn read(loaded: Loaded) -> Result<Request, Closed> {
    borrowed::read(loaded, |_| {
        let mut witness = Source::new(load_witness);
        let mut claim = witness.inner(&[Segment::Slot(0)]).map_err(|_| Closed::Witness)?;
        let mut buffer = [0; 8];
        let heir = claim.at(&[Segment::Slot(0)], &mut buffer).map_err(|_| Closed::Claim)?;
        let amount = claim.at(&[Segment::Slot(1)], &mut buffer).map_err(|_| Closed::Claim)?;
        Ok(Claimed { heir, amount })
    })
}
