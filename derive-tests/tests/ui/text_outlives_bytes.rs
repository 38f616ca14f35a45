//! Text that is borrowed from the input cannot outlive it.

use fourfold::molecule::from_slice;

fn main() {
    let text: &str;
    {
        let bytes = vec![0, 0, 0, 0];
        text = from_slice(&bytes).unwrap();
    }
    assert!(text.is_empty());
}
