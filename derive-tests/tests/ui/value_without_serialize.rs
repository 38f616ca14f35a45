//! Values to write need `Serialize`.

use fourfold::molecule::to_vec;

struct OutPoint {
    index: u32,
}

fn main() {
    let _ = to_vec(&OutPoint { index: 0 });
}
