//! Shapes of inputs as options.

use fourfold_inspect::exchange::InputShape;
use fourfold_inspect::write::plain::plain;

/// The options that give these shapes, to paste into a shell; empty if a name cannot be printed as it is.
pub(crate) fn options(shapes: &[InputShape]) -> String {
    let is_plain =
        |text: &str| text.chars().all(|one| one.is_alphanumeric() || "_-./=".contains(one));
    let option = |shape: &InputShape| match shape.to_string() {
        text if is_plain(&text) => format!("--input {text}"),
        text => format!("--input '{}'", text.replace('\'', r"'\''")),
    };
    let options = shapes.iter().map(option).collect::<Vec<_>>().join(" ");
    if plain(&options) == options { options } else { String::new() }
}
