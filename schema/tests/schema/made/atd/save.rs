use fourfold::biniou::with;
use serde::{Deserialize, Serialize};

pub type F32 = f32;
pub type I32 = with::Int32<i32>;
pub type I64 = with::Int64<i64>;
pub type U8 = with::Int8<u8>;
pub type U16 = with::Int16<u16>;
pub type Vec3 = (f64, f64, f64);
pub type Uuid = with::Int32<(i32, i32, i32, i32)>;

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
    #[serde(with = "with::int8")]
    pub slot: u8,
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
    #[serde(with = "with::int16")]
    pub fire: u16,
    #[serde(with = "with::int16")]
    pub air: u16,
    pub on_ground: bool,
    pub no_gravity: bool,
    pub entity_invulnerable: bool,
    #[serde(with = "with::int32")]
    pub portal_cooldown: i32,
    #[serde(with = "with::int32")]
    pub uuid: (i32, i32, i32, i32),
    #[serde(with = "with::optional", default)]
    pub custom_name: Option<String>,
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
    #[serde(with = "with::int64")]
    pub score: i64,
    pub dimension: String,
    pub selected_item_slot: u64,
    pub selected_item: Item,
    #[serde(with = "with::optional", default)]
    pub spawn_dimension: Option<String>,
    pub spawn_x: i64,
    pub spawn_y: i64,
    pub spawn_z: i64,
    #[serde(with = "with::optional", default)]
    pub spawn_forced: Option<bool>,
    #[serde(with = "with::int16")]
    pub sleep_timer: u16,
    pub food_exhaustion_level: F32,
    pub food_saturation_level: F32,
    pub food_tick_timer: u64,
    pub xp_level: u64,
    pub xp_p: F32,
    #[serde(with = "with::int32")]
    pub xp_total: i32,
    #[serde(with = "with::int32")]
    pub xp_seed: i32,
    pub inventory: Vec<Item>,
    pub ender_items: Vec<Item>,
    pub abilities: Abilities,
    #[serde(with = "with::optional", default)]
    pub entered_nether_position: Option<Vec3>,
    #[serde(with = "with::optional", default)]
    pub root_vehicle: Option<(Uuid, Entity)>,
    #[serde(with = "with::optional", default)]
    pub shoulder_entity_left: Option<Entity>,
    #[serde(with = "with::optional", default)]
    pub shoulder_entity_right: Option<Entity>,
    pub seen_credits: bool,
    pub recipe_book: RecipeBook,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Players {
    pub players: Vec<Player>,
}
