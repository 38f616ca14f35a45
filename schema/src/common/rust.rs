//! Options of generated Rust types.

mod item;
mod name;

use std::collections::BTreeMap;

pub(crate) use self::item::{Body, Cell, Item, Member, argument, cells, renamed};
pub(crate) use self::name::{Names, field_name, quoted, snake_case, type_name, unescaped};

/// How Rust types are written for those of a schema.
///
/// ```
/// use fourfold_schema::mol::Schema;
/// use fourfold_schema::{RustBytes, RustOptions};
///
/// let schema = Schema::parse("
///     array Bool [byte; 1];
///     vector Bytes <byte>;
///     table Note { text: Bytes, seen: Bool, }
/// ")?;
/// let options = RustOptions::new()
///     .with_type("Bool", "bool")
///     .with_bytes(RustBytes::Borrowed)
///     .with_derives(["Debug"]);
/// assert_eq!(schema.to_rust(&options), "\
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, Debug)]
/// #[serde(rename = \"fixvec.Bytes\")]
/// pub struct Bytes<'a>(#[serde(borrow)] pub &'a [u8]);
///
/// #[derive(Serialize, Deserialize, Debug)]
/// pub struct Note<'a> {
///     #[serde(borrow)]
///     pub text: Bytes<'a>,
///     pub seen: bool,
/// }
/// ");
/// # Ok::<(), fourfold_schema::mol::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RustOptions {
    types: BTreeMap<String, String>,
    derives: Option<Vec<String>>,
    pub(crate) bytes: RustBytes,
    pub(crate) bytes_module: Option<String>,
    lacks_std: bool,
    pub(crate) newtypes: bool,
}

/// What the prelude of `std` has.
const FROM_ALLOC: &str = "\
extern crate alloc;

#[allow(unused_imports)]
use alloc::{borrow::Cow, boxed::Box, string::String, vec, vec::Vec};
";

/// What strings of bytes are in Rust.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RustBytes {
    /// `Vec<u8>`; `String` where a language has strings of text.
    #[default]
    Owned,
    /// `&'a [u8]` or `&'a str`, which are read from slices only.
    Borrowed,
    /// `Cow<'a, [u8]>` or `Cow<'a, str>`.
    Cow,
}

impl RustOptions {
    /// Owned types, with the derives that fit each.
    #[must_use]
    pub fn new() -> Self {
        RustOptions::default()
    }

    /// Writes `rust` wherever the schema names the type `name`, which is then not declared.
    ///
    /// `rust` is any Rust type whose bytes are the same; `check` of the schema finds whether they are.
    #[must_use]
    pub fn with_type(mut self, name: &str, rust: &str) -> Self {
        self.types.insert(name.to_owned(), rust.to_owned());
        self
    }

    /// Derives exactly these for each type, in addition to `Serialize` and `Deserialize`. Otherwise each type has `Clone`,
    /// `Debug`, `PartialEq` and, where they fit, `Copy`, `Default`, `Eq` and `Hash`.
    #[must_use]
    pub fn with_derives<'d>(mut self, derives: impl IntoIterator<Item = &'d str>) -> Self {
        self.derives = Some(derives.into_iter().map(ToOwned::to_owned).collect());
        self
    }

    /// What strings of bytes are in Rust.
    #[must_use]
    pub fn with_bytes(mut self, bytes: RustBytes) -> Self {
        self.bytes = bytes;
        self
    }

    /// Marks all arrays and strings of bytes `#[serde(with = "module")]`: for example by a module that shows them
    /// as `0x…` in JSON.
    #[must_use]
    pub fn with_bytes_module(mut self, module: &str) -> Self {
        self.bytes_module = Some(module.to_owned());
        self
    }

    /// Takes `Vec`, `String`, `Box` and `Cow` from `alloc`, for crates with `#![no_std]`. Such text compiles in others,
    /// too.
    #[must_use]
    pub fn without_std(mut self) -> Self {
        self.lacks_std = true;
        self
    }

    /// Declares a newtype for each layout, whose serde name is the mark, where a field would have
    /// `#[serde(with = "..")]`. For derives of other crates, which ignore such modules.
    ///
    /// ```
    /// use fourfold_schema::mol::Schema;
    /// use fourfold_schema::RustOptions;
    ///
    /// let schema = Schema::parse("
    ///     vector Bytes <byte>;
    ///     vector BytesVec <Bytes>;
    ///     table Note { lines: BytesVec, }
    /// ")?;
    /// let text = schema.to_rust(&RustOptions::new().with_newtypes().with_derives([]));
    /// assert!(text.ends_with("
    /// #[derive(Serialize, Deserialize)]
    /// #[serde(rename = \"dynvec.BytesVec\")]
    /// pub struct BytesVec(pub Vec<Bytes>);
    ///
    /// #[derive(Serialize, Deserialize)]
    /// pub struct Note {
    ///     pub lines: BytesVec,
    /// }
    /// "));
    /// # Ok::<(), fourfold_schema::mol::Error>(())
    /// ```
    ///
    /// Two modules remain: that of [`with_bytes_module`](RustOptions::with_bytes_module), and `with::array`, without which
    /// serde does not read arrays of more than 32 items.
    #[must_use]
    pub fn with_newtypes(mut self) -> Self {
        self.newtypes = true;
        self
    }

    /// The text of items and of functions below them, with the imports that they need.
    pub(crate) fn text(&self, marks: &str, items: &[Item], functions: &str) -> String {
        let mut text = String::new();
        let mut was_line = true;
        for item in items {
            let is_line = matches!(item.body, Body::Alias(_)) && item.docs.is_empty();
            let gap = if text.is_empty() || was_line && is_line { "" } else { "\n" };
            text.push_str(&format!("{gap}{item}"));
            was_line = is_line;
        }
        text.push_str(functions);
        let code = || text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let imports = [
            (code().any(|it| it.replace("::with::", "").contains("with::")), marks),
            (code().any(|it| it.contains("(Serialize,")), "serde::{Deserialize, Serialize}"),
            (!self.lacks_std && code().any(|it| it.contains("Cow<'a")), "std::borrow::Cow"),
        ];
        let used = imports.into_iter().filter(|(is_used, _)| *is_used);
        let mut imports: String = used.map(|(_, path)| format!("use {path};\n")).collect();
        if self.lacks_std {
            imports.insert_str(0, FROM_ALLOC);
        }
        let gap = if imports.is_empty() || text.is_empty() { "" } else { "\n" };
        [&imports, gap, &text].concat()
    }

    /// The Rust type that the user wants for a type.
    pub(crate) fn chosen(&self, name: &str) -> Option<&str> {
        self.types.get(name).map(String::as_str)
    }

    /// What is derived for a type that could derive `fitting`.
    pub(crate) fn derives(&self, fitting: &[(&str, bool)]) -> Vec<String> {
        let serde = ["Serialize", "Deserialize"].map(String::from);
        let others = match &self.derives {
            Some(derives) => derives.clone(),
            None => {
                let fitting = fitting.iter().filter(|(_, fits)| *fits);
                fitting.map(|(derive, _)| String::from(*derive)).collect()
            }
        };
        serde.into_iter().chain(others).collect()
    }
}
