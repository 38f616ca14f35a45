//! `struct` is a keyword, so the module is named `structure`.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Path {
    #[serde(with = "fourfold::molecule::with::struct")]
    points: [u32; 2],
}

fn main() {}
