//! Colours operators by their cost.

use super::colours::STEPS;
use super::picture::{Card, Heat, Line, MOST_COLUMNS, Picture, Role};
use crate::exchange::{InputShape, example_shapes};
use crate::failure::Failure;
use crate::hints::with_shapes;
use crate::input::Input;
use crate::tensors::begins_onnx;
use crate::write::count::{counted, counted_in_groups, grouped};
use crate::write::width::ends;

/// A number of operators that colours can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    /// The elements of weights.
    Parameters,
    /// The products that convolutions, products of matrices and LSTMs add up.
    MultiplyAdds,
}

impl Cost {
    /// The noun, in the singular and in the plural.
    fn nouns(self) -> [&'static str; 2] {
        match self {
            Cost::Parameters => ["parameter", "parameters"],
            Cost::MultiplyAdds => ["multiply-add", "multiply-adds"],
        }
    }

    fn of(self, card: &Card) -> u64 {
        match self {
            Cost::Parameters => card.parameters,
            Cost::MultiplyAdds => card.multiply_adds.unwrap_or(0),
        }
    }
}

/// The ratio of two steps.
const RATIO: u64 = 4;

/// Gives each operator the color of its step, and a line with the number. The last step begins at a quarter of the
/// greatest number, each other step at a quarter of the next one.
///
/// # Errors
///
/// If the numbers of operators are unknown.
pub fn colour(picture: &mut Picture, cost: Cost) -> Result<(), String> {
    let is_operator = |card: &Card| matches!(card.role, Role::Operator | Role::Group);
    let is_unknown = |card: &&Card| {
        is_operator(card) && cost == Cost::MultiplyAdds && card.multiply_adds.is_none()
    };
    let unknown: Vec<&Card> = picture.cards.iter().filter(is_unknown).collect();
    let with_reason = unknown.iter().find(|card| card.unknown.is_some());
    if let Some(first) = with_reason.or(unknown.first()) {
        let (name, count) = (ends(&first.called, MOST_COLUMNS), counted(unknown.len(), "node"));
        let reason = first.unknown.iter().map(|reason| format!(" ({reason})"));
        let reason: String = reason.collect();
        return Err(format!("multiply-adds of {count} are unknown, first {name}{reason}"));
    }
    let operators = || picture.cards.iter().filter(|card| is_operator(card));
    let (most, all) = operators()
        .map(|card| cost.of(card))
        .fold((0, 0), |(most, all), one| (one.max(most), u64::saturating_add(all, one)));
    let [one, noun] = cost.nouns();
    let mut from = Vec::new();
    let mut least = most.div_ceil(RATIO);
    while least > 0 && from.len() + 2 < STEPS {
        from.push(least);
        least = if least > 1 { least.div_ceil(RATIO) } else { 0 };
    }
    if from.last().is_some_and(|least| *least > 1) {
        from.push(1);
    }
    from.reverse();
    for card in picture.cards.iter_mut().filter(|card| is_operator(card)) {
        let own = cost.of(card);
        card.step = Some(from.iter().filter(|least| own >= **least).count());
        if own > 0 {
            let line = format!("{}, {}", counted_in_groups(own, one), percent(own, all));
            card.attribute_lines.push(Line::own(line));
        }
    }
    picture.summary += &format!("; coloured by {noun}, {} in all", grouped(all));
    picture.heat = Some(Heat { noun, from });
    Ok(())
}

/// The part of all, as a whole number of percent.
fn percent(part: u64, all: u64) -> String {
    match u128::from(part) * 100 / u128::from(all.max(1)) {
        0 => "< 1 %".into(),
        percent => format!("{percent} %"),
    }
}

/// Colours the picture of a file, with [`colour`].
///
/// # Errors
///
/// If the numbers of operators are unknown, with shapes of inputs from which they follow.
pub fn colour_file(
    picture: &mut Picture,
    cost: Cost,
    input: &Input,
    inputs: &[InputShape],
) -> Result<(), Failure> {
    colour(picture, cost).map_err(|text| {
        let name = &input.name;
        let text = format!("{name}: {text}; --heat parameters needs no shapes");
        Failure::Usage(match begins_onnx(&input.bytes) {
            true => format!(
                "{text}; onnx.shape_inference.infer_shapes(model) of Python adds them, if those of inputs are numbers"
            ),
            false => with_shapes(text, &example_shapes(input, inputs)),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(parameters: &[u64]) -> (Vec<Option<usize>>, Vec<u64>) {
        let card = |parameters: &u64| Card { parameters: *parameters, ..Card::default() };
        let mut picture =
            Picture { cards: parameters.iter().map(card).collect(), ..Picture::default() };
        colour(&mut picture, Cost::Parameters).unwrap();
        let from = picture.heat.unwrap().from;
        (picture.cards.iter().map(|card| card.step).collect(), from)
    }

    #[test]
    fn steps_are_quarters_of_the_greatest_number() {
        let numbers = [0, 1, 3, 4, 15, 16, 63, 64, 255, 256, 1024];
        let (steps_of, from) = steps(&numbers);
        assert_eq!(from, [1, 4, 16, 64, 256]);
        let steps_of: Vec<usize> = steps_of.into_iter().flatten().collect();
        assert_eq!(steps_of, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(steps(&[0, 0]), (vec![Some(0); 2], vec![]));
        assert_eq!(steps(&[1]), (vec![Some(1)], vec![1]));
        assert_eq!(steps(&[u64::MAX, u64::MAX]).0, [Some(5); 2]);
        assert_eq!(steps(&[7, 2, 1]), (vec![Some(2), Some(2), Some(1)], vec![1, 2]));
    }

    #[test]
    fn parts_are_whole_percent() {
        assert_eq!([percent(1, 3), percent(1, 300), percent(5, 5)], ["33 %", "< 1 %", "100 %"]);
    }
}
