//! The tested properties.

use std::fmt::Debug;

use crate::damage::{bytes, damage};
use crate::draw::{Draw, with_wrong_lengths};
use crate::format::{Chained, Differential, Outcome, Ways, read, read_two, write};
use crate::known::is_too_deep;
use crate::report::try_all;
use crate::schema::Type;
use crate::support::random::Dice;
use crate::target::{Copied, Dropping};
use crate::write::Value;

/// Messages per schema, of which the first is not damaged.
const ROUNDS: usize = 4;

/// Maximum number of levels of a schema: few messages reach a limit.
const LEVELS: usize = 4;

/// Longer messages test nothing more.
const LONGEST: usize = 4096;

fn draw<F: Differential>(dice: &mut Dice) -> Type {
    let odd = dice.below(3) > 0;
    let levels = 1 + dice.below(LEVELS);
    Draw { dice, marks: &const { F::MARKS }, odd }.schema(levels)
}

/// A message of this type, or a few bytes if the format does not support it.
fn document<F: Differential>(schema: &Type, dice: &mut Dice) -> Vec<u8> {
    let [(_, written), ..] = write::<F>(&Value::new(schema, dice.roll()));
    written.unwrap_or_else(|_| bytes(dice, 12))
}

/// The results, one line for each way.
fn lines<T: Debug>(ways: &Ways<T>) -> String {
    ways.iter().map(|(way, outcome)| format!("\n    {way:?}: {outcome:02x?}")).collect()
}

/// For good and damaged messages, `from_slice`, `from_reader`, `Deserializer` and a small depth limit return the same
/// value, or the same error with the same path and offset.
///
/// Covers every unusual type as the outermost type, as an element and as a content; outermost values that are `Copy` (16
/// and 80 bytes) and that need a drop. Does not cover: borrowed texts and bytes, types that use an error's text, maps of
/// which only keys are read, and a format's options. Compares digests of the values. Known differences are in
/// `known.rs`.
pub(crate) fn reading_agrees<F: Differential>() {
    try_all(|dice, report| {
        let schema = draw::<F>(dice);
        let document = document::<F>(&schema, dice);
        for round in 0..ROUNDS {
            let mut bytes = document.clone();
            if round > 0 {
                damage(dice, &mut bytes);
            }
            if bytes.len() > LONGEST {
                continue;
            }
            let ways = match round % 3 {
                0 => read::<F, Copied<2>>(&schema, &bytes),
                1 => read::<F, Dropping>(&schema, &bytes),
                _ => read::<F, Copied<10>>(&schema, &bytes),
            };
            let [(_, first), others @ ..] = &ways;
            report.count(first.is_ok());
            let agrees = |(way, other): &(_, _)| {
                first == other
                    || is_too_deep(*way, other)
                    || F::reading(&schema, *way, first, other)
            };
            if !others.iter().all(agrees) {
                let ways = lines(&ways);
                return Some(format!("{bytes:02x?} as {schema:?}:{ways}"));
            }
        }
        None
    });
}

/// For each value, `to_vec`, `to_writer`, `Serializer` and a small depth limit write the same bytes, or return the same
/// error.
///
/// Covers values that write another number of elements than announced, skip a field, write keys without values, or
/// continue after an element that could not be written. Does not cover: unknown lengths, writers that fail, and great
/// depth.
pub(crate) fn writing_agrees<F: Differential>() {
    try_all(|dice, report| {
        let schema = draw::<F>(dice);
        let schema = if dice.one_in(4) { with_wrong_lengths(&schema, dice) } else { schema };
        let ways = write::<F>(&Value::new(&schema, dice.roll()));
        let [(_, first), others @ ..] = &ways;
        report.count(first.is_ok());
        let agrees = |(way, other): &(_, _)| {
            first == other || is_too_deep(*way, other) || F::writing(&schema, *way, first, other)
        };
        if !others.iter().all(agrees) {
            return Some(format!("{schema:?}:{}", lines(&ways)));
        }
        None
    });
}

/// Two concatenated messages: `take_from_slice` with the rest read by `from_slice`, and one
/// `Deserializer` that reads both, return the same values.
///
/// If one has an error, the other has one, too. The errors are not compared, since `take_from_slice` counts bytes from its
/// own start.
pub(crate) fn reading_two_agrees<F: Differential + Chained>() {
    let same = |one: &Outcome<_>, other: &Outcome<_>| match (one, other) {
        (Ok(one), Ok(other)) => one == other,
        (one, other) => one.is_err() && other.is_err(),
    };
    try_all(|dice, report| {
        let schemas = [draw::<F>(dice), draw::<F>(dice)];
        let [first, second] = schemas.each_ref();
        let documents = schemas.each_ref().map(|schema| document::<F>(schema, dice));
        for round in 0..ROUNDS {
            let mut bytes = documents.concat();
            if round > 0 {
                damage(dice, &mut bytes);
            }
            let [taken, read] = match round % 2 {
                0 => read_two::<F, Copied<2>>([first, second], &bytes),
                _ => read_two::<F, Dropping>([first, second], &bytes),
            };
            report.count(taken.is_ok());
            if !same(&taken, &read) && !F::chain([first, second]) {
                return Some(format!(
                    "{bytes:02x?} as {schemas:?}: taken {taken:?}, read {read:?}"
                ));
            }
        }
        None
    });
}
