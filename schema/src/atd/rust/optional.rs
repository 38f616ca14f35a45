//! The newtype that a `?field` has where no field has an attribute for its layout.

use fourfold::biniou::mark::Mark;

use crate::common::RustOptions;
use crate::common::rust::{Body, Item, argument, unnamed};

pub(super) const OPTIONAL: &str = "Optional";

/// A derived one would need a default of `T`.
pub(super) const DEFAULT: &str = "
impl<T> Default for Optional<T> {
    fn default() -> Self {
        Optional(None)
    }
}
";

pub(super) fn item(options: &RustOptions) -> Item {
    let mut derives = options
        .derives(&["Clone", "Debug", "PartialEq", "Eq", "Hash"].map(|derive| (derive, true)));
    derives.retain(|derive| derive != "Default");
    let mark = format!("{}.{OPTIONAL}", Mark::Optional.keyword());
    Item {
        docs: "A field that is left out for `None`.".to_owned(),
        derives,
        serde: Vec::from([argument("rename", &mark)]),
        name: OPTIONAL.to_owned(),
        generics: "<T>",
        body: Body::Tuple(Vec::from([unnamed(Vec::new(), "Option<T>".to_owned())])),
    }
}
