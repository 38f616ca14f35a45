//! What stands between serde and the readers here. Knows no format.

pub(crate) mod de;
pub(crate) mod erased;
pub(crate) mod plain;
pub(crate) mod value;
