//! The known differences, each as narrow as possible. Any other difference fails a test.

use fourfold::Category;

use crate::format::{Biniou, Molecule, Outcome, Primitiv, Tsm, Way};
use crate::schema::{Inner, Parts, Schema, Shape, Variant};

/// Whether the way with a small depth limit reached it.
pub(crate) fn is_too_deep<T>(way: Way, other: &Outcome<T>) -> bool {
    way == Way::Shallow && matches!(other, Err(refusal) if refusal.category == Category::Limit)
}

/// The known differences of one format. By default there are none.
#[expect(unused_variables, reason = "their names document them")]
pub(crate) trait Known {
    /// Whether reading in another way may differ from the first way.
    fn reading(schema: &Schema, way: Way, first: &Outcome<u64>, other: &Outcome<u64>) -> bool {
        false
    }

    /// Whether writing in another way may differ from the first way.
    fn writing(
        schema: &Schema,
        way: Way,
        first: &Outcome<Vec<u8>>,
        other: &Outcome<Vec<u8>>,
    ) -> bool {
        false
    }

    /// Whether reading two values one by one and with one deserializer may differ.
    fn chain(schemas: [&Schema; 2]) -> bool {
        false
    }
}

impl Known for Biniou {
    /// A `Deserializer` is not called by an outermost value that requests nothing, and leaves its
    /// bytes unread. `from_slice` and `from_reader` skip it.
    ///
    /// All skip an outermost value that failed and whose error its type ignores. If that is
    /// impossible, all return an error, but of two errors a `Deserializer` may return the other
    /// one: that of the bytes, that of the type itself, or that the value has no end.
    fn reading(schema: &Schema, way: Way, first: &Outcome<u64>, other: &Outcome<u64>) -> bool {
        let are_errors = first.is_err() && other.is_err();
        way == Way::Bare && (is_idle(schema) || (has_last_word(schema) && are_errors))
    }

    /// A value that continues after a nested value that was too deep is refused as abandoned,
    /// instead of the limit.
    fn writing(schema: &Schema, way: Way, _: &Outcome<Vec<u8>>, other: &Outcome<Vec<u8>>) -> bool {
        const ABANDONED: &str = "the type ignored an error of a nested value; return that error from its `Serialize` or `Deserialize` implementation";

        let is_reported = |text: &str| text.starts_with(ABANDONED);
        way == Way::Shallow
            && matches!(other, Err(refusal) if is_reported(&refusal.text))
            && schema.any(swallows)
    }

    /// The bytes of a value that requests nothing are left to the next one.
    fn chain(schemas: [&Schema; 2]) -> bool {
        schemas.into_iter().any(is_idle)
    }
}

impl Known for Molecule {
    /// As biniou for an outermost value that requests nothing.
    ///
    /// An unmarked tuple is packed or a table depending on its first item. If `from_slice` took one
    /// for the other, it begins again, and if both readings fail it has two errors to choose from.
    /// A `Deserializer` cannot begin again: it returns an error for that, or that of a type for its
    /// only reading. If the first item was not requested, the rest is read as if the tuple were
    /// packed; a quick attempt, which is not made with a limit, may be more exact.
    ///
    /// A field that takes zero bytes may count as missing although its type reads an option. A visitor
    /// that does without it gets no such field from `from_slice`, which would begin anew if it did not,
    /// and an option that is none from a `Deserializer`.
    fn reading(schema: &Schema, way: Way, first: &Outcome<u64>, other: &Outcome<u64>) -> bool {
        const AMBIGUOUS: &str = "a packed tuple has the bytes of a table";

        let is_guessed = || match (first, other) {
            (_, Err(refusal)) if refusal.text.starts_with(AMBIGUOUS) => true,
            (_, Err(refusal)) if refusal.category == Category::Data => {
                let has_choice = first.is_err() || schema.any(is_refusing);
                has_choice && schema.any(|part| tuple(part).is_some())
            }
            _ => false,
        };
        match way {
            Way::Memory | Way::Stream => false,
            Way::Shallow => has_idle_first(schema),
            Way::Bare => {
                has_idle_first(schema)
                    || is_idle(schema)
                    || is_guessed()
                    || schema.any(has_option_for_field)
            }
        }
    }

    /// A value that continues after an element that could not be written has more than one error to
    /// return, and a quick attempt counts other items than the exact writer until it falls back.
    fn writing(
        schema: &Schema,
        way: Way,
        first: &Outcome<Vec<u8>>,
        other: &Outcome<Vec<u8>>,
    ) -> bool {
        way == Way::Shallow && first.is_err() && other.is_err() && schema.any(swallows)
    }
}

impl Known for Primitiv {}

impl Known for Tsm {
    /// serde reads an adjacently tagged enum like a struct of an identifier and of a value that
    /// needs a self-describing format. `from_slice` finds by reading once more that its variant has
    /// no content; a `Deserializer` cannot, and returns that the format is not self-describing.
    fn reading(schema: &Schema, way: Way, _: &Outcome<u64>, other: &Outcome<u64>) -> bool {
        const SELF_DESCRIBING: &str = "the type calls `deserialize_any` ";

        let is_reported = |text: &str| text.starts_with(SELF_DESCRIBING);
        way == Way::Bare
            && matches!(other, Err(refusal) if is_reported(&refusal.text))
            && schema.any(is_tagged)
    }
}

/// Whether a type requests nothing, so that no method of the format is called.
fn is_idle(schema: &Schema) -> bool {
    match &schema.shape {
        Shape::Idle => true,
        Shape::Lenient(inner) | Shape::Refusing(inner) => is_idle(inner),
        _ => false,
    }
}

/// Whether the position of a type is not requested: a newtype struct has no position of its own.
fn is_not_requested(schema: &Schema) -> bool {
    match &schema.shape {
        Shape::Idle | Shape::Newtype(_, Inner::Idle, _) => true,
        Shape::Lenient(inner) | Shape::Refusing(inner) | Shape::Newtype(_, _, inner) => {
            is_not_requested(inner)
        }
        _ => false,
    }
}

/// Whether the outermost type may return an error of its own after the value in it has been read or has failed.
fn has_last_word(schema: &Schema) -> bool {
    match &schema.shape {
        Shape::Lenient(_) | Shape::Refusing(_) | Shape::Newtype(_, Inner::Lenient, _) => true,
        Shape::Newtype(_, _, inner) => has_last_word(inner),
        _ => false,
    }
}

/// The elements of an unmarked tuple.
fn tuple(schema: &Schema) -> Option<&Parts> {
    match &schema.shape {
        Shape::Tuple(parts) | Shape::TupleStruct("S", parts) => Some(parts),
        _ => None,
    }
}

/// Whether there is an unmarked tuple whose first item is not requested.
fn has_idle_first(schema: &Schema) -> bool {
    let is_one = |schema: &Schema| {
        let first = tuple(schema).and_then(|parts| parts.types.first());
        first.is_some_and(|first| is_not_requested(first))
    };
    schema.any(is_one)
}

/// Whether a type has a field that is an option.
fn has_option_for_field(schema: &Schema) -> bool {
    fn is_option(schema: &Schema) -> bool {
        match &schema.shape {
            Shape::Option(_) => true,
            Shape::Lenient(inner) | Shape::Refusing(inner) => is_option(inner),
            _ => false,
        }
    }
    let is_one = |parts: &Parts| parts.types.iter().any(|part| is_option(part));
    match &schema.shape {
        Shape::TupleStruct(_, parts) | Shape::Struct(_, parts) => is_one(parts),
        Shape::Enum(_, _, variants) => variants.iter().any(|variant| match variant {
            Variant::Tuple(parts) | Variant::Struct(parts) => is_one(parts),
            Variant::Unit | Variant::Newtype(_) => false,
        }),
        _ => false,
    }
}

/// Whether a type refuses some values and accepts others.
fn is_refusing(schema: &Schema) -> bool {
    matches!(schema.shape, Shape::Refusing(_))
}

/// Whether this is a struct that looks like an adjacently tagged enum.
fn is_tagged(schema: &Schema) -> bool {
    let Shape::Struct(_, parts) = &schema.shape else {
        return false;
    };
    match &parts.types[..] {
        [tag, content] => {
            matches!(tag.shape, Shape::Identifier) && matches!(content.shape, Shape::Any)
        }
        _ => false,
    }
}

/// Whether a type ignores errors of its elements.
fn swallows(schema: &Schema) -> bool {
    match &schema.shape {
        Shape::Sequence(parts)
        | Shape::Tuple(parts)
        | Shape::TupleStruct(_, parts)
        | Shape::Map(parts)
        | Shape::Struct(_, parts) => parts.swallows,
        Shape::Enum(_, _, variants) => variants.iter().any(|variant| match variant {
            Variant::Tuple(parts) | Variant::Struct(parts) => parts.swallows,
            Variant::Unit | Variant::Newtype(_) => false,
        }),
        _ => false,
    }
}
