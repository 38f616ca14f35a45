//! `from_slice` and a `Deserializer` return the same values and errors, and `small` accepts the same messages.

use crate::damage::messages;
use crate::marks::marked::marked_types;
use crate::round_trip::Hex;
use crate::support::erased::{self, AnyType, Boxed, Special, TestType, check_each};
use crate::support::format::Molecule;
use fourfold::molecule::small;

/// Mutations per type.
const MUTATIONS: usize = if cfg!(debug_assertions) { 300 } else { 10_000 };

type Type = AnyType<Molecule, Small>;

/// Reads with `small::from_slice`.
struct Small(fn(&[u8]) -> Option<Boxed<Molecule>>);

impl Special for Small {
    fn of<T: TestType>() -> Self {
        Small(|bytes| Some(Box::new(small::from_slice::<T>(bytes).ok()?)))
    }
}

#[test]
fn types_of_the_zoo() {
    check_each(&erased::zoo(), compare);
}

#[test]
fn marked_types_of_all_kinds() {
    check_each(&marked_types(), compare);
}

fn compare(ty: &Type) {
    let Some(mut messages) = messages(ty) else {
        return;
    };
    for _ in 0..MUTATIONS {
        agree(ty, &messages.next());
    }
    for cut in 0..40 {
        let message = messages.next();
        agree(ty, message.get(..cut).unwrap_or(&message));
    }
}

/// Checks that all functions agree on a message.
fn agree(ty: &Type, message: &[u8]) {
    let (name, shown) = (ty.name, Hex(message));
    let (value, other) = (ty.from_slice(message), ty.deserialize(message));
    // NaNs are compared by their `Debug` text.
    let same = match (&value, &other) {
        (Ok(value), Ok(other)) if value == other => true,
        _ => format!("{value:?}") == format!("{other:?}"),
    };
    assert!(same, "{name} {shown}: {value:?} and {other:?}");
    if let Some(small) = (ty.special.0)(message) {
        let same = value
            .as_ref()
            .is_ok_and(|value| **value == *small || format!("{value:?}") == format!("{small:?}"));
        assert!(same, "{name} {shown}: {small:?} alone, and {value:?}");
    }
}
