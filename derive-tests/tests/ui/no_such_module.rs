//! There is no module with this name.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Path {
    #[serde(with = "fourfold::molecule::with::vector")]
    points: Vec<u32>,
}

fn main() {}
