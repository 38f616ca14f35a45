//! 500 saved players of a game: nested, with many optional fields.

use std::error::Error;

use super::Data;
use crate::random::Random;

/// Declares the types. Arguments: lifetime, text type, extra derives, attribute of borrowed fields, and attribute of
/// sequences of variable-size items.
macro_rules! types {
    ([$($life:lifetime)?], $text:ty, $(#[$derives:meta])*, $(borrow: $borrow:meta)?, $(dynvec: $dynvec:meta)?) => {
        use serde::{Deserialize, Serialize};

        #[derive(Serialize, Deserialize, Clone, Copy, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        $(#[$derives])*
        pub(crate) enum Mode {
            Survival,
            Creative,
            Adventure,
            Spectator,
        }

        #[derive(Serialize, Deserialize, Clone, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        $(#[$derives])*
        pub(crate) struct Item<$($life)?> {
            pub(crate) count: i8,
            pub(crate) slot: u8,
            pub(crate) id: $text,
        }

        #[derive(Serialize, Deserialize, Clone, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        $(#[$derives])*
        #[serde(rename = "struct.Abilities")]
        pub(crate) struct Abilities {
            pub(crate) walk_speed: f32,
            pub(crate) fly_speed: f32,
            pub(crate) may_fly: bool,
            pub(crate) flying: bool,
            pub(crate) invulnerable: bool,
            pub(crate) may_build: bool,
            pub(crate) instabuild: bool,
        }

        #[derive(Serialize, Deserialize, Clone, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        $(#[$derives])*
        pub(crate) struct Entity<$($life)?> {
            pub(crate) id: $text,
            pub(crate) position: [f64; 3],
            pub(crate) motion: [f64; 3],
            pub(crate) rotation: [f32; 2],
            pub(crate) fall_distance: f32,
            pub(crate) fire: u16,
            pub(crate) air: u16,
            pub(crate) on_ground: bool,
            pub(crate) no_gravity: bool,
            pub(crate) invulnerable: bool,
            pub(crate) portal_cooldown: i32,
            pub(crate) uuid: [u32; 4],
            pub(crate) custom_name: Option<$text>,
            pub(crate) custom_name_visible: bool,
            pub(crate) silent: bool,
            pub(crate) glowing: bool,
        }

        #[derive(Serialize, Deserialize, Clone, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        $(#[$derives])*
        pub(crate) struct Vehicle<$($life)?> {
            pub(crate) uuid: [u32; 4],
            $(#[$borrow])?
            pub(crate) entity: Entity<$($life)?>,
        }

        #[derive(Serialize, Deserialize, Clone, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        $(#[$derives])*
        pub(crate) struct Recipes<$($life)?> {
            $(#[$borrow])? $(#[$dynvec])?
            pub(crate) known: Vec<$text>,
            $(#[$borrow])? $(#[$dynvec])?
            pub(crate) to_be_displayed: Vec<$text>,
            pub(crate) filtering_craftable: bool,
            pub(crate) gui_open: bool,
            pub(crate) furnace_filtering_craftable: bool,
            pub(crate) furnace_gui_open: bool,
        }

        #[derive(Serialize, Deserialize, Clone, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        $(#[$derives])*
        pub(crate) struct Player<$($life)?> {
            pub(crate) mode: Mode,
            pub(crate) previous_mode: Mode,
            pub(crate) score: i64,
            pub(crate) dimension: $text,
            pub(crate) selected_slot: u32,
            $(#[$borrow])?
            pub(crate) selected: Item<$($life)?>,
            pub(crate) spawn_dimension: Option<$text>,
            pub(crate) spawn: [i64; 3],
            pub(crate) spawn_forced: Option<bool>,
            pub(crate) sleep_timer: u16,
            pub(crate) food_exhaustion: f32,
            pub(crate) food_saturation: f32,
            pub(crate) food_timer: u32,
            pub(crate) level: u32,
            pub(crate) level_progress: f32,
            pub(crate) experience: i32,
            pub(crate) seed: i32,
            $(#[$borrow])? $(#[$dynvec])?
            pub(crate) inventory: Vec<Item<$($life)?>>,
            $(#[$borrow])? $(#[$dynvec])?
            pub(crate) chest: Vec<Item<$($life)?>>,
            pub(crate) abilities: Abilities,
            pub(crate) portal_position: Option<[f64; 3]>,
            $(#[$borrow])?
            pub(crate) vehicle: Option<Vehicle<$($life)?>>,
            $(#[$borrow])?
            pub(crate) left_shoulder: Option<Entity<$($life)?>>,
            $(#[$borrow])?
            pub(crate) right_shoulder: Option<Entity<$($life)?>>,
            pub(crate) seen_credits: bool,
            $(#[$borrow])?
            pub(crate) recipes: Recipes<$($life)?>,
        }

        #[derive(Serialize, Deserialize, Clone, PartialEq)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        $(#[$derives])*
        pub(crate) struct Saves<$($life)?> {
            $(#[$borrow])? $(#[$dynvec])?
            pub(crate) players: Vec<Player<$($life)?>>,
        }
    };
}

pub(crate) mod owned {
    types!([], String, #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)],,);
}

pub(crate) mod borrowed {
    types!(['a], &'a str,, borrow: serde(borrow),);
}

/// The same for serde_molecule, whose attributes slow down other crates: each requests the name of the type.
pub(crate) mod marked {
    types!([], String,,, dynvec: serde(with = "serde_molecule::dynvec_serde"));

    crate::data::owned_only!(Saves);

    pub(crate) fn saves(from: &super::Saves) -> Result<Saves, Box<dyn super::Error>> {
        // Both are the same for bincode.
        Ok(bincode1::deserialize(&bincode1::serialize(from)?)?)
    }
}

pub(crate) use owned::Saves;
use owned::{Abilities, Entity, Item, Mode, Player, Recipes, Vehicle};

impl Data for Saves {
    type Borrowed<'a> = borrowed::Saves<'a>;
    const BORROWS: bool = true;
}

const MODES: [Mode; 4] = [Mode::Survival, Mode::Creative, Mode::Adventure, Mode::Spectator];
const DIMENSIONS: [&str; 4] = ["overworld", "overworld", "nether", "end"];
const ITEMS: [&str; 12] = [
    "dirt",
    "stone",
    "pickaxe",
    "diamond",
    "torch",
    "fish",
    "bed",
    "fence",
    "copper_ingot",
    "flint_and_steel",
    "cobblestone_wall",
    "enchanted_apple",
];
const CREATURES: [&str; 8] =
    ["cow", "pig", "parrot", "bee", "minecart", "boat", "horse", "wandering_trader"];

pub(crate) fn saves() -> Saves {
    Saves { players: Random::new(3).many(500, player) }
}

fn player(r: &mut Random) -> Player {
    Player {
        mode: r.pick(&MODES),
        previous_mode: r.pick(&MODES),
        score: i64::from(r.word()),
        dimension: r.pick(&DIMENSIONS).to_owned(),
        selected_slot: r.below(9),
        selected: item(r),
        spawn_dimension: r.maybe(50, |r| r.pick(&DIMENSIONS).to_owned()),
        spawn: std::array::from_fn(|_| i64::from(signed(r))),
        spawn_forced: r.maybe(50, |r| r.chance(50)),
        sleep_timer: r.short(),
        food_exhaustion: r.float(),
        food_saturation: r.float(),
        food_timer: r.word(),
        level: r.word(),
        level_progress: r.float(),
        experience: signed(r),
        seed: signed(r),
        inventory: r.some(40, item),
        chest: r.some(28, item),
        abilities: Abilities {
            walk_speed: r.float(),
            fly_speed: r.float(),
            may_fly: r.chance(50),
            flying: r.chance(50),
            invulnerable: r.chance(50),
            may_build: r.chance(50),
            instabuild: r.chance(50),
        },
        portal_position: r.maybe(50, position),
        vehicle: r.maybe(50, |r| Vehicle { uuid: uuid(r), entity: entity(r) }),
        left_shoulder: r.maybe(50, entity),
        right_shoulder: r.maybe(50, entity),
        seen_credits: r.chance(50),
        recipes: Recipes {
            known: r.some(30, |r| r.pick(&ITEMS).to_owned()),
            to_be_displayed: r.some(10, |r| r.pick(&ITEMS).to_owned()),
            filtering_craftable: r.chance(50),
            gui_open: r.chance(50),
            furnace_filtering_craftable: r.chance(50),
            furnace_gui_open: r.chance(50),
        },
    }
}

fn item(r: &mut Random) -> Item {
    let count = i8::from_le_bytes(r.array());
    Item { count, slot: r.byte(), id: r.pick(&ITEMS).to_owned() }
}

fn entity(r: &mut Random) -> Entity {
    Entity {
        id: r.pick(&CREATURES).to_owned(),
        position: position(r),
        motion: position(r),
        rotation: [r.float(), r.float()],
        fall_distance: r.float(),
        fire: r.short(),
        air: r.short(),
        on_ground: r.chance(50),
        no_gravity: r.chance(50),
        invulnerable: r.chance(50),
        portal_cooldown: signed(r),
        uuid: uuid(r),
        custom_name: r.maybe(50, |r| r.pick(&CREATURES).to_owned()),
        custom_name_visible: r.chance(50),
        silent: r.chance(50),
        glowing: r.chance(50),
    }
}

fn position(r: &mut Random) -> [f64; 3] {
    // Few enough digits for an exact round trip with serde_json's default float parser.
    std::array::from_fn(|_| 1_024.0 * f64::from(r.float()))
}

fn uuid(r: &mut Random) -> [u32; 4] {
    std::array::from_fn(|_| r.word())
}

fn signed(r: &mut Random) -> i32 {
    i32::from_le_bytes(r.array())
}
