//! A schema for a Rust type: names for types that do not have one in Rust.

use std::collections::{BTreeMap, BTreeSet};

use serde_core::de::Deserialize;

use super::of::{Form, Item, Part, PartId, Traced};
use super::print::{Body, declaration, members};
use super::{Schema, habit};
use crate::common::{Mismatch, Mismatches};
use crate::trace::Graph;

/// The schema of a Rust type, without a value of it. The type itself is the last of [`Schema::types`].
///
/// Structs, enums and newtypes have their serde names, without marks. Other types have names by the habit
/// of CKB: `Byte32`, `Uint64`, `BytesVec`, `ScriptOpt`. A variant that holds nothing is an option that is never
/// there. A sequence of dynamic items without a mark is a vector as if it were marked.
///
/// ```
/// use fourfold_schema::mol;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// #[serde(rename = "struct.OutPoint")]
/// struct OutPoint {
///     tx_hash: [u8; 32],
///     index: u32,
/// }
///
/// let schema = mol::schema_of::<Option<OutPoint>>()?;
/// assert_eq!(
///     schema.to_string(),
///     "array Byte32 [byte; 32];\n\n\
///      array Uint32 [byte; 4];\n\n\
///      struct OutPoint {\n    tx_hash: Byte32,\n    index: Uint32,\n}\n\n\
///      option OutPointOpt (OutPoint);\n",
/// );
/// assert_eq!(schema.types().last().unwrap().name(), "OutPointOpt");
/// # Ok::<(), mol::Mismatches>(())
/// ```
///
/// # Errors
///
/// The mismatches of [`check`](super::check()), and types that contain themselves, which no schema does.
pub fn schema_of<'de, T: Deserialize<'de>>() -> Result<Schema, Mismatches> {
    let traced = Traced::new(&Graph::of::<T>());
    Mismatches::none_of(traced.errors.clone())?;
    let mut naming = Naming {
        traced: &traced,
        names: BTreeMap::new(),
        open: BTreeSet::new(),
        taken: BTreeMap::new(),
        text: String::new(),
    };
    let made = naming.name(traced.root, "").and_then(|name| {
        if naming.text.is_empty() {
            naming.declare("Byte1", ("array", format!("[{name}; 1];")));
        }
        Schema::parse(&naming.text).map_err(|error| error.to_string())
    });
    made.map_err(|error| Mismatches::one(Mismatch::new("", error, None)))
}

struct Naming<'t> {
    traced: &'t Traced,
    names: BTreeMap<PartId, String>,
    /// Types whose parts are being named.
    open: BTreeSet<PartId>,
    /// Declarations by their names in small letters, since names may not differ in capitals only.
    taken: BTreeMap<String, String>,
    text: String,
}

/// A name that the language takes: letters, digits and `_`, a letter first.
fn sound(name: &str, first: char) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut sound: String = name.chars().map(letter).collect();
    if !sound.starts_with(|c: char| c.is_ascii_alphabetic()) {
        sound.insert(0, first);
    }
    sound
}

/// Names of parts in a name are no longer than this.
const LONGEST_PARTS: usize = 40;

impl Naming<'_> {
    /// The name of a part, which is declared if it is new. `hint` is for what has none.
    fn name(&mut self, id: PartId, hint: &str) -> Result<String, String> {
        if let Some(name) = self.names.get(&id) {
            return Ok(name.clone());
        }
        let traced = self.traced;
        let part = traced.get(id);
        if !self.open.insert(id) {
            let name = part.name.unwrap_or("a type");
            return Err(format!("`{name}` contains itself, which a schema cannot express"));
        }
        let name = self.declared(part, part.name.unwrap_or(hint), None)?;
        self.open.remove(&id);
        self.names.insert(id, name.clone());
        Ok(name)
    }

    /// Declares a part: by its own name, by one that follows from what it is, or `instead` of both.
    fn declared(
        &mut self,
        part: &Part,
        own: &str,
        instead: Option<&str>,
    ) -> Result<String, String> {
        let own = instead.unwrap_or(own);
        // What has a name in Rust keeps it. Structs and enums have `own`.
        let instead = instead.or(part.name);
        let or = |name: String| instead.map_or(name, |instead| sound(instead, 'T'));
        match &part.form {
            Form::Scalar("u8" | "i8" | "bool") | Form::Lost => Ok(match instead {
                None => "byte".into(),
                Some(name) => self.declare(&sound(name, 'T'), ("array", "[byte; 1];".into())),
            }),
            Form::Scalar(name) => {
                let size = part.size.unwrap_or(1);
                Ok(self.declare(&or(habit::number(name)), ("array", format!("[byte; {size}];"))))
            }
            Form::Array(item, count) => {
                let item = self.name(*item, "")?;
                let name = or(habit::array(&item, *count));
                Ok(self.declare(&name, ("array", format!("[{item}; {count}];"))))
            }
            Form::FixVec(item, _) | Form::DynVec(item, _) => {
                let item = self.name(*item, "")?;
                Ok(self.declare(&or(habit::vector(&item)), ("vector", format!("<{item}>;"))))
            }
            Form::Option(inner) => {
                let inner = self.name(*inner, "")?;
                Ok(self.declare(&or(habit::option(&inner)), ("option", format!("({inner});"))))
            }
            Form::Struct(fields, _) => self.record(own, fields, "struct"),
            Form::Table(fields) => self.record(own, fields, "table"),
            Form::Union(items) => self.union(own, items),
            Form::Raw => Err("a lazy value has no type that a schema could name".into()),
            Form::Tagged => {
                Err("the content of an enum depends on its tag, which a schema cannot express"
                    .into())
            }
        }
    }

    fn record(
        &mut self,
        own: &str,
        fields: &[(String, PartId)],
        keyword: &'static str,
    ) -> Result<String, String> {
        let mut own_names = BTreeSet::new();
        let (mut parts, mut text) = (String::new(), Vec::new());
        for (name, part) in fields {
            let mut name = sound(name, 'f');
            while !own_names.insert(name.clone()) {
                name.push('_');
            }
            let part = self.name(*part, "")?;
            text.push(format!("{name}: {part}"));
            parts.push_str(&part);
        }
        let name = match own {
            "" if text.is_empty() => "Unit".into(),
            "" if parts.len() > LONGEST_PARTS => "Tuple".into(),
            "" => format!("{parts}Tuple"),
            own => sound(own, 'T'),
        };
        Ok(self.declare(&name, (keyword, members(text.into_iter().map(|it| ("", it))))))
    }

    /// A union. Its items are distinguished by their types, so each has one of its own.
    fn union(&mut self, own: &str, items: &[Item]) -> Result<String, String> {
        let own = if own.is_empty() { "Union" } else { own };
        let (mut names, mut text) = (BTreeSet::new(), Vec::new());
        for item in items {
            let hint = format!("{own}_{}", item.variant);
            let mut name = match item.value {
                Some(value) => self.name(value, &hint)?,
                None => self.declare(&sound(&hint, 'T'), ("option", "(byte);".into())),
            };
            if let (true, Some(value)) = (names.contains(&name), item.value) {
                let traced = self.traced;
                name = self.declared(traced.get(value), "", Some(&hint))?;
            }
            text.push(format!("{name}: {}", item.id));
            names.insert(name);
        }
        let items = members(text.into_iter().map(|it| ("", it)));
        Ok(self.declare(&sound(own, 'T'), ("union", items)))
    }

    /// Declares a type by that name, or by one with a number where another type has it.
    fn declare(&mut self, name: &str, body: Body) -> String {
        let mut own = name.to_string();
        let mut number = 1;
        let unnamed = declaration("", &body);
        loop {
            let lower = own.to_ascii_lowercase();
            match self.taken.get(&lower) {
                Some(known) if *known == unnamed => return own,
                None if lower != "byte" => {
                    self.taken.insert(lower, unnamed);
                    break;
                }
                _ => {}
            }
            number += 1;
            own = format!("{name}{number}");
        }
        self.text.push_str(&declaration(&own, &body));
        own
    }
}
