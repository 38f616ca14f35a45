//! What speaks for Molecule, which has no types inside: the numbers of headers.

use fourfold::molecule::{Layout, layouts};

use crate::formats::{Sample, Standing};
use crate::write::count::counted;

/// How many bytes a number takes.
const NUMBER: usize = 4;

/// The layouts that the bytes allow. That any bytes can be an array or a struct is no evidence, and
/// that any can be the one item of a fixvec is none either. A single number that fits is little.
pub(super) fn evidence(sample: &Sample<'_>) -> (Standing, Vec<String>) {
    if !sample.is_whole() {
        return of_beginning(sample);
    }
    let layouts = layouts(sample.front);
    let standing = layouts.iter().map(|layout| match layout {
        Layout::Table { items: 1.., .. } | Layout::Union { items: 1.., .. } => Standing::Fits,
        Layout::Empty | Layout::Raw { .. } | Layout::Fixvec { items: 1, .. } => Standing::Unfit,
        _ => Standing::Possible,
    });
    let standing = standing.max().unwrap_or(Standing::Unfit);
    let words = layouts.iter().map(|layout| format!("can be: {layout}")).collect();
    (standing, words)
}

/// The same of a file that is only begun to be looked at: as far as the first header shows it.
fn of_beginning(sample: &Sample<'_>) -> (Standing, Vec<String>) {
    let front = sample.front;
    let len = sample.all.map(<[u8]>::len);
    if let Some(items) = table(front, len) {
        return (
            Standing::Fits,
            vec![format!("can be: table or dynvec of {}", counted(items, "item"))],
        );
    }
    let payload = front.get(NUMBER..).unwrap_or_default();
    if let Some(items) = table(payload, len.map(|len| len - NUMBER)) {
        let words = format!("can be: union with a table or dynvec of {}", counted(items, "item"));
        return (Standing::Fits, vec![words]);
    }
    let items = number(front, 0).filter(|count| *count > 1);
    let size = items.zip(len).and_then(|(items, len)| {
        let body = len - NUMBER;
        (body % items == 0).then_some(body / items).filter(|size| *size > 0)
    });
    match items.zip(size) {
        Some((items, size)) => {
            let words = format!("can be: fixvec of {items} items of {}", counted(size, "byte"));
            (Standing::Possible, vec![words])
        }
        None => (Standing::Unfit, vec!["can be: array or struct".into()]),
    }
}

/// How many items a table has whose header begins so: it gives its own length, and offsets that
/// never go back.
fn table(front: &[u8], len: Option<usize>) -> Option<usize> {
    let total = number(front, 0)?;
    if len.is_some_and(|len| len != total) || total <= front.len() {
        return None;
    }
    let first = number(front, NUMBER)?;
    let mut before = first;
    for at in (NUMBER..first.min(front.len())).step_by(NUMBER) {
        let Some(offset) = number(front, at) else { break };
        if offset < before || offset > total {
            return None;
        }
        before = offset;
    }
    (first % NUMBER == 0 && first > NUMBER).then_some(first / NUMBER - 1)
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let number = bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)?;
    usize::try_from(number).ok()
}
