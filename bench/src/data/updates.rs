//! 1,000 updates of a sea battle server: many small enums and integers.

use std::error::Error;

use crate::random::Random;

/// Declares the types, with an attribute on sequences of variable-size items.
macro_rules! types {
    ($($mark:meta)?) => {
        use serde::{Deserialize, Serialize};

        #[derive(Serialize, Deserialize, Clone, Copy, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
        pub(crate) enum Kind {
            Barrel, Battleship, Buoy, Carrier, Coin, Corvette, Cruiser, Crate, Cutter, Depot,
            Destroyer, Dredger, Ferry, Fighter, Flare, Freighter, Frigate, Glider, Gunboat,
            Helicopter, Hovercraft, Hydrofoil, Icebreaker, Kayak, Lighter, Mine, Minelayer,
            Minesweeper, Missile, Platform, Raft, Rocket, Sampan, Shell, Sonar, Submarine,
            Tanker, Torpedo, Trawler, Tug,
        }

        impl Kind {
            #[allow(dead_code, reason = "only one of the two modules makes data")]
            pub(crate) const ALL: [Kind; 40] = {
                use Kind::*;
                [
                    Barrel, Battleship, Buoy, Carrier, Coin, Corvette, Cruiser, Crate, Cutter,
                    Depot, Destroyer, Dredger, Ferry, Fighter, Flare, Freighter, Frigate, Glider,
                    Gunboat, Helicopter, Hovercraft, Hydrofoil, Icebreaker, Kayak, Lighter, Mine,
                    Minelayer, Minesweeper, Missile, Platform, Raft, Rocket, Sampan, Shell, Sonar,
                    Submarine, Tanker, Torpedo, Trawler, Tug,
                ]
            };
        }

        #[derive(Serialize, Deserialize, Clone, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
        #[serde(rename = "struct.Place")]
        pub(crate) struct Place {
            pub(crate) altitude: i8,
            pub(crate) angle: u16,
            pub(crate) position: [f32; 2],
            pub(crate) velocity: i16,
        }

        #[derive(Serialize, Deserialize, Clone, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
        #[serde(rename = "struct.Course")]
        pub(crate) struct Course {
            pub(crate) direction: u16,
            pub(crate) velocity: i16,
        }

        #[derive(Serialize, Deserialize, Clone, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
        pub(crate) struct Contact {
            pub(crate) place: Place,
            pub(crate) damage: u8,
            pub(crate) id: u32,
            pub(crate) kind: Option<Kind>,
            pub(crate) course: Course,
            pub(crate) player: Option<u16>,
            pub(crate) loaded: Vec<bool>,
            pub(crate) turrets: Vec<u16>,
        }

        #[derive(Serialize, Deserialize, Clone, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
        pub(crate) struct Terrain {
            pub(crate) chunk: [i8; 2],
            pub(crate) data: Vec<u8>,
        }

        #[derive(Serialize, Deserialize, Clone, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
        pub(crate) struct Update {
            $(#[$mark])?
            pub(crate) contacts: Vec<Contact>,
            pub(crate) score: u32,
            pub(crate) radius: f32,
            $(#[$mark])?
            pub(crate) terrain: Vec<Terrain>,
        }

        #[derive(Serialize, Deserialize, Clone, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
        pub(crate) struct Updates {
            $(#[$mark])?
            pub(crate) updates: Vec<Update>,
        }

        $crate::data::owned_only!(Updates);
    };
}

pub(crate) mod plain {
    types!();
}

/// The same for serde_molecule, whose attributes slow down other crates: each requests the name of the type.
pub(crate) mod marked {
    types!(serde(with = "serde_molecule::dynvec_serde"));

    pub(crate) fn updates(from: &super::plain::Updates) -> Result<Updates, Box<dyn super::Error>> {
        // Both are the same for bincode.
        Ok(bincode1::deserialize(&bincode1::serialize(from)?)?)
    }
}

use plain::{Contact, Course, Kind, Place, Terrain, Update, Updates};

pub(crate) fn updates() -> Updates {
    Updates { updates: Random::new(4).many(1_000, update) }
}

fn update(r: &mut Random) -> Update {
    Update {
        contacts: r.some(60, contact),
        score: r.below(100_000),
        radius: 500.0 + 1_000.0 * r.float(),
        terrain: r.some(4, |r| Terrain {
            chunk: [signed(r), signed(r)],
            data: r.some(200, Random::byte),
        }),
    }
}

fn contact(r: &mut Random) -> Contact {
    Contact {
        place: Place {
            altitude: signed(r),
            angle: r.short(),
            position: [1_000.0 * r.float(), 1_000.0 * r.float()],
            velocity: i16::from_le_bytes(r.array()),
        },
        damage: r.byte(),
        id: r.word(),
        kind: r.maybe(80, |r| r.pick(&Kind::ALL)),
        course: Course { direction: r.short(), velocity: i16::from_le_bytes(r.array()) },
        player: r.maybe(40, Random::short),
        loaded: r.some(8, |r| r.chance(50)),
        turrets: r.some(6, Random::short),
    }
}

fn signed(r: &mut Random) -> i8 {
    i8::from_le_bytes(r.array())
}
