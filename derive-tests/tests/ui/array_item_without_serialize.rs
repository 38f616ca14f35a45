//! A mark says how to write a value, but not how to take it apart.

use serde::Serialize;

struct Signature;

#[derive(Serialize)]
struct Witness {
    #[serde(with = "fourfold::molecule::with::array")]
    signatures: [Signature; 40],
}

fn main() {}
