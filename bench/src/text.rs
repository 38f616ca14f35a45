//! Formats numbers and durations for tables.

pub(crate) fn duration(seconds: Option<f64>) -> String {
    match seconds {
        None => "–".to_owned(),
        Some(seconds) if seconds < 1e-6 => format!("{:.1} ns", seconds * 1e9),
        Some(seconds) if seconds < 1e-3 => format!("{:.1} µs", seconds * 1e6),
        Some(seconds) => format!("{:.2} ms", seconds * 1e3),
    }
}

pub(crate) fn number(number: Option<f64>) -> String {
    number.map_or("–".to_owned(), |number| format!("{number:.2}"))
}
