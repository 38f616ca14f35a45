//! Comparisons and what is computed of truth values. TenniS has `equal`, and `maximum` of numbers.

use fourfold::tsm::DType;
use fourfold_tennis::Operator as Op;

use super::graph::Value;
use super::site::Site;
use super::{Done, Lowered, elementwise};

/// Whether an input is at least the other one: the larger one is then the first. Nothing is at least NaN.
fn at_least(site: &mut Site<'_, '_>, first: usize, second: usize) -> Lowered<[Value; 3]> {
    let (a, b) = (site.input(first)?, site.input(second)?);
    let [a, b] = elementwise::of_one_rank(site, a, b)?;
    let larger = site.op(Op::Maximum, &[&a, &b])?;
    Ok([a, b, larger])
}

pub(super) fn or_equal(site: &mut Site<'_, '_>, first: usize, second: usize) -> Done {
    let [a, _, larger] = at_least(site, first, second)?;
    site.emit(Op::Equal, &[&larger, &a])
}

/// Whether an input is larger: at least as large, and the other one is not.
pub(super) fn larger(site: &mut Site<'_, '_>, first: usize, second: usize) -> Done {
    let [a, b, larger] = at_least(site, first, second)?;
    let (is_at_least, is_at_most) =
        (site.op(Op::Equal, &[&larger, &a])?, site.op(Op::Equal, &[&larger, &b])?);
    let (is_at_least, is_at_most) = (byte(site, &is_at_least)?, byte(site, &is_at_most)?);
    // One or both are 1, or none is, beside NaN.
    let more = site.op(Op::Sub, &[&is_at_least, &is_at_most])?;
    let one = site.number(DType::UInt8, 1.0)?;
    let [more, one] = elementwise::of_one_rank(site, more, one)?;
    site.emit(Op::Equal, &[&more, &one])
}

/// A truth value as 0 or 1.
pub(super) fn byte(site: &mut Site<'_, '_>, x: &Value) -> Lowered<Value> {
    site.op(Op::Cast { dtype: DType::UInt8 }, &[x])
}

/// An operator of two truth values as one of bytes.
pub(super) fn logical(site: &mut Site<'_, '_>, operator: Op) -> Done {
    let (a, b) = (site.input(0)?, site.input(1)?);
    let (a, b) = (byte(site, &a)?, byte(site, &b)?);
    let both = site.op(operator, &[&a, &b])?;
    site.emit(Op::Cast { dtype: DType::Boolean }, &[&both])
}

pub(super) fn not(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let x = byte(site, &x)?;
    let zero = zero(site, &x)?;
    site.emit(Op::Equal, &[&x, &zero])
}

/// Whether x is not 0: TenniS casts the lowest byte to bool.
pub(super) fn truth(site: &mut Site<'_, '_>, x: &Value) -> Done {
    let nothing = zero(site, x)?;
    let is_zero = site.op(Op::Equal, &[x, &nothing])?;
    let is_zero = byte(site, &is_zero)?;
    let nothing = zero(site, &is_zero)?;
    site.emit(Op::Equal, &[&is_zero, &nothing])
}

/// A 0 with the dims of x.
fn zero(site: &mut Site<'_, '_>, x: &Value) -> Lowered<Value> {
    let zero = site.number(x.dtype()?, 0.0)?;
    site.along(&zero, &vec![1; x.rank()?])
}
