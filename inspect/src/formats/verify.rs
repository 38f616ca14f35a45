//! Checks files of tensors.

use super::{Options, Reading, Verdict, verdict_of};
use crate::failure::Failure;
use crate::input::Input;
use crate::tensors::{Container, read_as};
use crate::write::count::counted;

/// Checks a file of that container: what it consists of, all tensors, and those in files beside it. Elements are not
/// read.
///
/// # Errors
///
/// If a file cannot be opened. A damaged file is a result.
pub fn verify(container: Container, input: &Input) -> Result<Reading, Failure> {
    // Of a file without its end, other errors are not the point.
    let bad = |text| match verdict_of(input, &Options::new()) {
        Verdict::Unknown(Some(other)) if other.known().is_none() => Reading::Bad(other.to_string()),
        _ => Reading::Bad(text),
    };
    let source = match read_as(container, input) {
        Ok(source) => source,
        Err(Failure::Data { text, .. }) => return Ok(bad(text)),
        Err(failure) => return Err(failure),
    };
    let weights = match source.weights() {
        Ok(weights) => weights,
        Err(text) => return Ok(bad(text)),
    };
    let mut errors = source.errors();
    let (damaged, others): (Vec<_>, Vec<_>) = weights.unread.iter().partition(|it| it.is_damaged);
    damaged.iter().for_each(|it| errors.add(|| it.to_string()));
    Ok(match errors.into_text() {
        None => Reading::Good {
            what: counted(weights.tensors.len() + others.len(), "tensor"),
            suspicions: others.iter().map(|it| format!("not read: {it}")).collect(),
        },
        Some(text) => Reading::Bad(text),
    })
}
