//! Generates random schemas.

use std::rc::Rc;

use crate::schema::{
    Content, Inner, Parts, Scalar, Schema, Shape, Take, Type, Variant, WrongLength,
};
use crate::support::random::Dice;

/// Container names that are marks of a format, including misplaced ones.
pub(crate) struct Marks {
    pub(crate) newtypes: &'static [&'static str],
    pub(crate) structs: &'static [&'static str],
    pub(crate) enums: &'static [&'static str],
    /// Whether the format has names of fields. Then a struct may get its fields as a map or as a sequence. A struct
    /// that treats the two differently is wrong, so structs are those that serde derives.
    pub(crate) names_fields: bool,
}

/// The name of a container without a mark.
const PLAIN: &str = "S";

/// Generates types for one format.
pub(crate) struct Draw<'d> {
    pub(crate) dice: &'d mut Dice,
    pub(crate) marks: &'static Marks,
    /// Whether types may differ from those that serde derives.
    pub(crate) odd: bool,
}

impl Draw<'_> {
    /// A type of at most `levels` levels.
    pub(crate) fn schema(&mut self, levels: usize) -> Type {
        let picky = self.oddly(8);
        let shape = match levels.checked_sub(1) {
            Some(levels) if self.dice.below(3) > 0 => self.branch(levels),
            _ => self.leaf(),
        };
        Rc::new(Schema { shape, picky })
    }

    fn oddly(&mut self, bound: usize) -> bool {
        self.odd && self.dice.one_in(bound)
    }

    fn leaf(&mut self) -> Shape {
        match self.dice.below(12) {
            0 => Shape::Text,
            1 => Shape::Bytes,
            2 => Shape::Unit,
            3 => Shape::UnitStruct(self.name(self.marks.structs)),
            _ => self.scalar(),
        }
    }

    fn scalar(&mut self) -> Shape {
        use Scalar::{Bool, Char, F32, F64, I8, I16, I32, I64, I128, U8, U16, U32, U64, U128};

        // Bytes twice: readers and writers have their own code for long ones.
        const SCALARS: [Scalar; 15] =
            [U8, U8, U16, U32, U64, U128, I8, I16, I32, I64, I128, F32, F64, Bool, Char];
        Shape::Scalar(self.dice.one_of(&SCALARS))
    }

    /// A type with nested types, or one that no leaf of a message shows.
    fn branch(&mut self, levels: usize) -> Shape {
        match self.dice.below(if self.odd { 26 } else { 18 }) {
            0 | 1 => Shape::Option(self.schema(levels)),
            2 | 3 => self.newtype(levels),
            4 | 5 => Shape::Sequence(self.parts(levels, 1, 1)),
            6..=8 => {
                let least = self.least();
                Shape::Tuple(self.parts(levels, least, 4))
            }
            9 | 10 => {
                let name = self.name(self.marks.structs);
                Shape::TupleStruct(name, self.parts(levels, 1, 4))
            }
            11 => Shape::Map(self.parts(levels, 2, 2)),
            12..=15 => {
                let name = self.name(self.marks.structs);
                let least = self.least();
                Shape::Struct(name, self.fields(levels, least))
            }
            16 | 17 => self.choice(levels),
            18..=20 => Shape::Lenient(self.schema(levels)),
            21 => Shape::Refusing(self.schema(levels)),
            22 => Shape::Any,
            23 => Shape::Identifier,
            24 => Shape::Ignored,
            _ => Shape::Idle,
        }
    }

    /// The minimum number of elements. A few tuples and structs are empty.
    fn least(&mut self) -> usize {
        usize::from(!self.dice.one_in(8))
    }

    fn newtype(&mut self, levels: usize) -> Shape {
        let inner = match self.oddly(4) {
            true => self.dice.one_of(&[Inner::Lenient, Inner::Refused, Inner::Idle]),
            false => Inner::Read,
        };
        let name = self.name(self.marks.newtypes);
        Shape::Newtype(name, inner, self.schema(levels))
    }

    fn choice(&mut self, levels: usize) -> Shape {
        use Content::{Idle, Lenient, NoVariant, Read, Seed};

        let content = match self.oddly(4) {
            true => self.dice.one_of(&[Seed, Lenient, Idle, NoVariant]),
            false => Read,
        };
        let variants = (0..=self.dice.below(3)).map(|_| match self.dice.below(4) {
            0 => Variant::Unit,
            1 => Variant::Newtype(self.schema(levels)),
            2 => Variant::Tuple(self.parts(levels, 1, 3)),
            _ => Variant::Struct(self.fields(levels, 1)),
        });
        let variants = variants.collect();
        Shape::Enum(self.name(self.marks.enums), content, variants)
    }

    fn name(&mut self, marks: &[&'static str]) -> &'static str {
        match marks.is_empty() || self.dice.one_in(2) {
            true => PLAIN,
            false => self.dice.one_of(marks),
        }
    }

    /// The fields of a struct.
    fn fields(&mut self, levels: usize, least: usize) -> Parts {
        let parts = self.parts(levels, least, 4);
        match self.marks.names_fields {
            false => parts,
            true => Parts {
                most: Parts::ALL,
                swallows: false,
                refuses: false,
                take: Take::Seed,
                ..parts
            },
        }
    }

    fn parts(&mut self, levels: usize, least: usize, most: usize) -> Parts {
        use Take::{Copied8, Copied16, Copied80, Copied304, Dropping, Empty, EmptySeed, Seed};

        const TAKES: [Take; 8] =
            [Seed, EmptySeed, Copied8, Copied16, Copied80, Copied304, Dropping, Empty];
        let count = least + self.dice.below(most - least + 1);
        let types = match self.dice.one_in(3) {
            true => vec![self.schema(levels); count],
            false => (0..count).map(|_| self.schema(levels)).collect(),
        };
        Parts {
            types,
            most: if self.oddly(6) { self.dice.below(4) } else { Parts::ALL },
            swallows: self.oddly(4),
            refuses: self.oddly(6),
            take: self.dice.one_of(&TAKES),
            aliased: self.dice.one_in(8),
            wrong_length: None,
        }
    }
}

/// The same type with values that announce wrong lengths, in about half of the nested types, beginning with the
/// outermost.
pub(crate) fn with_wrong_lengths(schema: &Type, dice: &mut Dice) -> Type {
    let mut schema = Schema::clone(schema);
    let parts = match &mut schema.shape {
        Shape::Sequence(parts)
        | Shape::Tuple(parts)
        | Shape::TupleStruct(_, parts)
        | Shape::Map(parts)
        | Shape::Struct(_, parts) => parts,
        _ => return Rc::new(schema),
    };
    parts.wrong_length = dice.one_of(&[
        None,
        Some(WrongLength::Count),
        Some(WrongLength::Values),
        Some(WrongLength::Field),
    ]);
    for part in &mut parts.types {
        if dice.one_in(2) {
            *part = with_wrong_lengths(part, dice);
        }
    }
    Rc::new(schema)
}
