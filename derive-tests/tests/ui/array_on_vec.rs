//! The module `array` is for arrays; vectors are marked `fixvec` or `dynvec`.

use serde::Serialize;

#[derive(Serialize)]
struct Path {
    #[serde(with = "fourfold::molecule::with::array")]
    points: Vec<u32>,
}

fn main() {}
