//! Sums of products, by the letters of dims.

use fourfold_tennis::Operator as Op;

use super::graph::Value;
use super::site::{Site, dim};
use super::{Done, Lowered};

/// Operands get the dims of the result and then those that are summed, are multiplied, and are added up.
pub(super) fn einsum(site: &mut Site<'_, '_>) -> Done {
    let equation = site.attributes.text("equation", "")?.replace(' ', "");
    if equation.contains('.') {
        return Err("its equation has an ellipsis; write the dims as letters".into());
    }
    let (operands, result) =
        equation.split_once("->").ok_or("its equation has no result; add -> and its letters")?;
    let operands: Vec<&str> = operands.split(',').collect();
    if operands.len() != site.inputs.len() {
        let (letters, inputs) = (operands.len(), site.inputs.len());
        return Err(format!("its equation has {letters} operands for {inputs} inputs"));
    }
    let mut order = letters(result)?;
    for operand in &operands {
        let new = letters(operand)?.into_iter().filter(|letter| !order.contains(letter));
        order.extend(new.collect::<Vec<_>>());
    }
    if result.chars().any(|letter| !operands.iter().any(|operand| operand.contains(letter))) {
        return Err("a letter of the result is in no operand".into());
    }
    let mut product = None;
    for (index, operand) in operands.iter().enumerate() {
        let x = site.input(index)?;
        let x = spread(site, x, &letters(operand)?, &order)?;
        product = Some(match product {
            None => x,
            Some(before) => site.op(Op::Mul, &[&before, &x])?,
        });
    }
    let mut value = product.ok_or("it has no operands")?;
    for at in (result.len()..order.len()).rev() {
        let sum = Op::ReduceSum { dims: dim(at)?, keep_dims: false };
        if at == result.len() {
            return site.emit(sum, &[&value]);
        }
        value = site.op(sum, &[&value])?;
    }
    site.alias(value)
}

/// The letters of an operand.
fn letters(operand: &str) -> Lowered<Vec<char>> {
    let mut seen = Vec::new();
    for letter in operand.chars() {
        if !letter.is_ascii_alphabetic() || seen.contains(&letter) {
            return Err(format!("TenniS does not have the dims {operand:?} (a diagonal)"));
        }
        seen.push(letter);
    }
    Ok(seen)
}

/// x with dims in the order of all letters, of size 1 where it has none.
fn spread(site: &mut Site<'_, '_>, x: Value, own: &[char], order: &[char]) -> Lowered<Value> {
    if x.rank()? != own.len() {
        return Err(format!("an operand has {} letters, its input {} dims", own.len(), x.rank()?));
    }
    let places = order.iter().map(|letter| own.iter().position(|it| it == letter));
    let places: Vec<Option<usize>> = places.collect();
    let permute: Vec<i32> = places.iter().flatten().copied().map(dim).collect::<Lowered<_>>()?;
    let missing = places.iter().enumerate().filter(|(_, place)| place.is_none());
    let axes: Vec<i32> = missing.map(|(at, _)| dim(at)).collect::<Lowered<_>>()?;
    let x = match permute.is_sorted() {
        true => x,
        false => site.op(Op::Transpose { permute: Some(permute) }, &[&x])?,
    };
    match axes.is_empty() {
        true => Ok(x),
        false => site.op(Op::Unsqueeze { axes }, &[&x]),
    }
}
