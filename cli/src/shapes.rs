//! Shapes of inputs as options.

use fourfold_inspect::exchange::InputShape;

/// The options that give these shapes, to paste into a shell.
pub(crate) fn options(shapes: &[InputShape]) -> String {
    let is_plain =
        |text: &str| text.chars().all(|one| one.is_alphanumeric() || "_-./=".contains(one));
    let option = |shape: &InputShape| match shape.to_string() {
        text if is_plain(&text) => format!("--input {text}"),
        text => format!("--input '{}'", text.replace('\'', r"'\''")),
    };
    shapes.iter().map(option).collect::<Vec<_>>().join(" ")
}
