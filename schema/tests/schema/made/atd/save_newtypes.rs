use serde::{Deserialize, Serialize};

pub type F32 = f32;

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "int32.I32")]
pub struct I32(pub i32);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "int64.I64")]
pub struct I64(pub i64);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "int8.U8")]
pub struct U8(pub u8);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "int16.U16")]
pub struct U16(pub u16);

pub type Vec3 = (f64, f64, f64);
pub type Uuid = (I32, I32, I32, I32);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameType {
    Survival,
    Creative,
    Adventure,
    Spectator,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Item {
    pub count: i64,
    pub slot: U8,
    pub id: String,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Abilities {
    pub walk_speed: F32,
    pub fly_speed: F32,
    pub may_fly: bool,
    pub flying: bool,
    pub invulnerable: bool,
    pub may_build: bool,
    pub instabuild: bool,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Entity {
    pub entity_id: String,
    pub pos: Vec3,
    pub motion: Vec3,
    pub rotation: (F32, F32),
    pub fall_distance: F32,
    pub fire: U16,
    pub air: U16,
    pub on_ground: bool,
    pub no_gravity: bool,
    pub entity_invulnerable: bool,
    pub portal_cooldown: I32,
    pub uuid: Uuid,
    #[serde(default)]
    pub custom_name: Optional<String>,
    pub custom_name_visible: bool,
    pub silent: bool,
    pub glowing: bool,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RecipeBook {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recipes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to_be_displayed: Vec<String>,
    pub is_filtering_craftable: bool,
    pub is_gui_open: bool,
    pub is_furnace_filtering_craftable: bool,
    pub is_furnace_gui_open: bool,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Player {
    pub game_type: GameType,
    pub previous_game_type: GameType,
    pub score: I64,
    pub dimension: String,
    pub selected_item_slot: u64,
    pub selected_item: Item,
    #[serde(default)]
    pub spawn_dimension: Optional<String>,
    pub spawn_x: i64,
    pub spawn_y: i64,
    pub spawn_z: i64,
    #[serde(default)]
    pub spawn_forced: Optional<bool>,
    pub sleep_timer: U16,
    pub food_exhaustion_level: F32,
    pub food_saturation_level: F32,
    pub food_tick_timer: u64,
    pub xp_level: u64,
    pub xp_p: F32,
    pub xp_total: I32,
    pub xp_seed: I32,
    pub inventory: Vec<Item>,
    pub ender_items: Vec<Item>,
    pub abilities: Abilities,
    #[serde(default)]
    pub entered_nether_position: Optional<Vec3>,
    #[serde(default)]
    pub root_vehicle: Optional<(Uuid, Entity)>,
    #[serde(default)]
    pub shoulder_entity_left: Optional<Entity>,
    #[serde(default)]
    pub shoulder_entity_right: Optional<Entity>,
    pub seen_credits: bool,
    pub recipe_book: RecipeBook,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Players {
    pub players: Vec<Player>,
}

/// A field that is left out for `None`.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
#[serde(rename = "optional.Optional")]
pub struct Optional<T>(pub Option<T>);

impl<T> Default for Optional<T> {
    fn default() -> Self {
        Optional(None)
    }
}
