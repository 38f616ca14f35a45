//! Slices of a tensor's axes in NumPy's notation: `0, :, ::2`.

use serde::Serialize;

use crate::write::count::counted;

/// The indices of an axis that a slice selects: `start`, `start + step`, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Axis {
    pub start: usize,
    pub step: isize,
    pub count: usize,
}

/// The selected indices of all axes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Slice(Vec<Axis>);

impl Axis {
    /// The index at that place of the slice.
    pub fn index(&self, place: usize) -> Option<usize> {
        let far = isize::try_from(place).ok()?.checked_mul(self.step)?;
        (place < self.count).then(|| self.start.checked_add_signed(far)).flatten()
    }
}

impl Slice {
    /// Parses `0, 1:5, ::2, ...`, also in brackets. Axes that are not mentioned are selected completely.
    ///
    /// # Errors
    ///
    /// The invalid part, or an index that the axis does not have; and a similar slice that is valid.
    pub fn parse(text: &str, shape: &[usize]) -> Result<Self, String> {
        let text = text.trim();
        let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let text = inside.unwrap_or(text).trim();
        // Python allows a comma at the end.
        let before = text.strip_suffix(',').filter(|before| !before.trim().is_empty());
        let text = before.unwrap_or(text);
        let parts: Vec<&str> = match text.is_empty() {
            true => Vec::new(),
            false => text.split(',').map(str::trim).collect(),
        };
        let mut pieces = parts.splitn(2, is_rest);
        let (front, back) = (pieces.next().unwrap_or_default(), pieces.next());
        let back = back.unwrap_or_default();
        let given = front.len() + back.len();
        let others = || parts.iter().copied().filter(|part| !is_rest(part));
        if back.iter().any(is_rest) {
            return Err(format!("`...` can be used once only; use `{}`", valid(others(), shape)));
        }
        let Some(left) = shape.len().checked_sub(given) else {
            let (given, valid) = (counted(given, "slice"), valid(others(), shape));
            let axes = match shape.len() {
                1 => "1 axis".into(),
                axes => format!("{axes} axes"),
            };
            return Err(format!("{given} for {axes}; use `{valid}`"));
        };
        let full = std::iter::repeat_n(":", left);
        let parts = front.iter().copied().chain(full).chain(back.iter().copied());
        let axes = parts.clone().zip(shape).enumerate().map(|(axis, (part, size))| {
            one(part, *size).map_err(|wrong| {
                let valid = valid(parts.clone(), shape);
                format!("axis {axis}: {}; use `{valid}`", wrong.text)
            })
        });
        axes.collect::<Result<_, _>>().map(Slice)
    }

    pub fn axes(&self) -> &[Axis] {
        &self.0
    }

    /// The index of the element at these places of the slices.
    pub fn index(&self, places: &[usize]) -> Option<Vec<usize>> {
        if places.len() != self.0.len() {
            return None;
        }
        self.0.iter().zip(places).map(|(axis, place)| axis.index(*place)).collect()
    }
}

/// Whether a part is `...`: all other axes.
fn is_rest(part: &&str) -> bool {
    matches!(*part, "..." | "…")
}

/// A slice with these parts, of which wrong ones are replaced. Those of more axes are left out.
fn valid<'p>(parts: impl Iterator<Item = &'p str>, shape: &[usize]) -> String {
    let parts = parts.zip(shape).map(|(part, size)| match one(part, *size) {
        Ok(_) => part.to_owned(),
        Err(wrong) => wrong.instead,
    });
    match parts.collect::<Vec<_>>().join(", ") {
        all if all.is_empty() => "...".into(),
        parts => parts,
    }
}

/// A wrong slice of an axis.
struct Wrong {
    text: String,
    /// A valid one.
    instead: String,
}

/// Parses the slice of an axis.
fn one(part: &str, size: usize) -> Result<Axis, Wrong> {
    let wrong = || Wrong {
        text: format!("`{}` is neither an index nor a slice", part.escape_debug()),
        instead: ":".into(),
    };
    let number = |text: &str| match text.trim() {
        "" => Ok(None),
        text => text.parse::<isize>().map(Some).map_err(|_| wrong()),
    };
    // Only an empty tensor has a longer axis.
    let len = isize::try_from(size).unwrap_or(isize::MAX);
    let Some((start, rest)) = part.split_once(':') else {
        let index = number(part)?.ok_or_else(wrong)?;
        let from_start = if index < 0 { index.checked_add(len) } else { Some(index) };
        let inside = from_start.and_then(|at| usize::try_from(at).ok()).filter(|at| *at < size);
        let start = inside.ok_or_else(|| Wrong {
            text: format!("index {index} is beyond {size} elements"),
            instead: match size.checked_sub(1) {
                None => ":".into(),
                Some(_) if index < 0 => "0".into(),
                Some(last) => last.to_string(),
            },
        })?;
        return Ok(Axis { start, step: 1, count: 1 });
    };
    let (stop, step) = rest.split_once(':').unwrap_or((rest, ""));
    let (from, to) = (number(start)?, number(stop)?);
    let step = number(step)?.unwrap_or(1);
    if step == 0 {
        return Err(Wrong { text: "a step of 0".into(), instead: format!("{start}:{stop}") });
    }
    // Positions beyond the ends are moved to the ends, as in Python.
    let (lowest, highest) = if step > 0 { (0, len) } else { (-1, len - 1) };
    let inside = |at: isize| {
        let at = if at < 0 { at.saturating_add(len) } else { at };
        at.clamp(lowest, highest)
    };
    let (first, last) = if step > 0 { (lowest, highest) } else { (highest, lowest) };
    let (start, stop) = (from.map_or(first, inside), to.map_or(last, inside));
    let distance = if step > 0 { stop - start } else { start - stop };
    let count = usize::try_from(distance).map_or(0, |far| far.div_ceil(step.unsigned_abs()));
    // An empty slice has no start.
    Ok(Axis { start: usize::try_from(start).unwrap_or(0), step, count })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices(text: &str, size: usize) -> Vec<usize> {
        let slice = Slice::parse(text, &[size]).unwrap();
        let axis = slice.axes()[0];
        (0..axis.count).map(|place| axis.index(place).unwrap()).collect()
    }

    #[test]
    fn slices_select_what_they_select_in_numpy() {
        for (text, expected) in [
            ("", &[0, 1, 2, 3, 4][..]),
            (":", &[0, 1, 2, 3, 4]),
            ("[1:3]", &[1, 2]),
            ("-2:", &[3, 4]),
            (":-3", &[0, 1]),
            ("::2", &[0, 2, 4]),
            ("1::3", &[1, 4]),
            ("::-1", &[4, 3, 2, 1, 0]),
            ("3:0:-2", &[3, 1]),
            ("9:", &[]),
            (":99", &[0, 1, 2, 3, 4]),
            ("-99:2", &[0, 1]),
            ("3:1", &[]),
            ("-1", &[4]),
            ("2,", &[2]),
        ] {
            assert_eq!(indices(text, 5), expected, "{text}");
        }
        assert!(indices("::-1", 0).is_empty());
        assert_eq!(indices(&format!("::{}", isize::MAX), 5), [0]);
        assert_eq!(indices(&format!("::{}", isize::MIN), 5), [4]);
    }

    #[test]
    fn axes_that_are_not_mentioned_are_whole() {
        let counts = |text: &str| {
            let slice = Slice::parse(text, &[2, 3, 4]).unwrap();
            slice.axes().iter().map(|axis| axis.count).collect::<Vec<_>>()
        };
        assert_eq!(counts("1"), [1, 3, 4]);
        assert_eq!(counts("..., 0"), [2, 3, 1]);
        assert_eq!(counts("0, …, 1:3"), [1, 3, 2]);
        assert_eq!(counts("..."), [2, 3, 4]);
        assert_eq!(Slice::parse("", &[]).unwrap().index(&[]), Some(vec![]));
        let slice = Slice::parse("1, ::-1, 1:", &[2, 3, 4]).unwrap();
        assert_eq!(slice.index(&[0, 0, 2]), Some(vec![1, 2, 3]));
        assert_eq!((slice.index(&[0, 3, 0]), slice.index(&[0, 0])), (None, None));
    }

    #[test]
    fn wrong_slices_are_refused_with_a_valid_one() {
        for (text, expected) in [
            ("3", "axis 0: index 3 is beyond 3 elements; use `2, :`"),
            ("0, -5", "axis 1: index -5 is beyond 4 elements; use `0, 0`"),
            ("3, 4", "axis 0: index 3 is beyond 3 elements; use `2, 3`"),
            ("0, 1, 2", "3 slices for 2 axes; use `0, 1`"),
            ("9, x, 2", "3 slices for 2 axes; use `2, :`"),
            ("..., ...", "`...` can be used once only; use `...`"),
            ("..., 1, ...", "`...` can be used once only; use `1`"),
            ("1:2:0", "axis 0: a step of 0; use `1:2, :`"),
            ("..., ::0", "axis 1: a step of 0; use `:, :`"),
            ("x:1:0", "axis 0: `x:1:0` is neither an index nor a slice; use `:, :`"),
            ("0:..", "axis 0: `0:..` is neither an index nor a slice; use `:, :`"),
            ("0, 1:2:3:4", "axis 1: `1:2:3:4` is neither an index nor a slice; use `0, :`"),
            (",", "axis 0: `` is neither an index nor a slice; use `:, :`"),
        ] {
            let error = Slice::parse(text, &[3, 4]).unwrap_err();
            assert_eq!(error, expected, "{text}");
            let (_, valid) = error.split_once("; use `").unwrap();
            Slice::parse(valid.trim_end_matches('`'), &[3, 4]).unwrap();
        }
        assert_eq!(Slice::parse("0", &[]).unwrap_err(), "1 slice for 0 axes; use `...`");
        assert_eq!(Slice::parse("0, 1", &[2]).unwrap_err(), "2 slices for 1 axis; use `0`");
        assert!(Slice::parse("...", &[]).is_ok());
        let error = Slice::parse("1, 0", &[5, 0]).unwrap_err();
        assert_eq!(error, "axis 1: index 0 is beyond 0 elements; use `1, :`");
    }
}
