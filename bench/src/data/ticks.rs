//! 1,000 separate messages of 20 bytes.

use serde::{Deserialize, Serialize};

use crate::random::Random;

#[derive(
    Serialize,
    Deserialize,
    Clone,
    PartialEq,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
    rkyv::Archive,
    rkyv::Serialize,
    rkyv::Deserialize,
)]
#[serde(rename = "struct.Tick")]
pub(crate) struct Tick {
    time: u64,
    instrument: u32,
    price: f32,
    volume: u16,
    venue: u8,
    sell: bool,
}

super::owned_only!(Tick);

pub(crate) fn ticks() -> Vec<Tick> {
    Random::new(5).many(1_000, |r| Tick {
        time: r.bits(),
        instrument: r.word(),
        price: r.float(),
        volume: r.short(),
        venue: r.byte(),
        sell: r.chance(50),
    })
}
