//! The items of an array need `Serialize`.

use serde::Serialize;

struct Signature;

#[derive(Serialize)]
struct Witness {
    #[serde(with = "fourfold::molecule::with::array")]
    signatures: [Signature; 40],
}

fn main() {}
