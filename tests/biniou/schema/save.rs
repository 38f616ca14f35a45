//! `save.atd`: what a sandbox game remembers of a player.

use fourfold::biniou::with::{self, Int8, Int16, Int32, Int64};
use serde::{Deserialize, Serialize};

pub type F32 = f32;
pub type I32 = Int32<i32>;
pub type I64 = Int64<i64>;
pub type U8 = Int8<u8>;
pub type U16 = Int16<u16>;
pub type Vec3 = (f64, f64, f64);
pub type Uuid = (I32, I32, I32, I32);

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub enum GameType {
    Survival,
    Creative,
    Adventure,
    Spectator,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Item {
    pub count: i64,
    pub slot: U8,
    pub id: String,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Abilities {
    pub walk_speed: F32,
    pub fly_speed: F32,
    pub may_fly: bool,
    pub flying: bool,
    pub invulnerable: bool,
    pub may_build: bool,
    pub instabuild: bool,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
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
    #[serde(default, with = "with::optional")]
    pub custom_name: Option<String>,
    pub custom_name_visible: bool,
    pub silent: bool,
    pub glowing: bool,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct RecipeBook {
    #[serde(default)]
    pub recipes: Vec<String>,
    #[serde(default)]
    pub to_be_displayed: Vec<String>,
    pub is_filtering_craftable: bool,
    pub is_gui_open: bool,
    pub is_furnace_filtering_craftable: bool,
    pub is_furnace_gui_open: bool,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Player {
    pub game_type: GameType,
    pub previous_game_type: GameType,
    pub score: I64,
    pub dimension: String,
    #[serde(with = "with::uvint")]
    pub selected_item_slot: u64,
    pub selected_item: Item,
    #[serde(default, with = "with::optional")]
    pub spawn_dimension: Option<String>,
    pub spawn_x: i64,
    pub spawn_y: i64,
    pub spawn_z: i64,
    #[serde(default, with = "with::optional")]
    pub spawn_forced: Option<bool>,
    pub sleep_timer: U16,
    pub food_exhaustion_level: F32,
    pub food_saturation_level: F32,
    pub food_tick_timer: u64,
    pub xp_level: u64,
    pub xp_p: F32,
    #[serde(with = "with::int32")]
    pub xp_total: i32,
    #[serde(with = "with::int32")]
    pub xp_seed: i64,
    pub inventory: Vec<Item>,
    pub ender_items: Vec<Item>,
    pub abilities: Abilities,
    #[serde(default, with = "with::optional")]
    pub entered_nether_position: Option<Vec3>,
    #[serde(default, with = "with::optional")]
    pub root_vehicle: Option<(Uuid, Entity)>,
    #[serde(default, with = "with::optional")]
    pub shoulder_entity_left: Option<Entity>,
    #[serde(default, with = "with::optional")]
    pub shoulder_entity_right: Option<Entity>,
    pub seen_credits: bool,
    pub recipe_book: RecipeBook,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Players {
    pub players: Vec<Player>,
}
