//! Measures the peak memory of writing and reading, by size of the message.
//!
//! `cargo run -p bench --release --bin memory -- [--most SIZE] [--date DATE --out FOLDER]` prints
//! Markdown for messages of 1 KB, 10 KB and so on up to SIZE (1G by default), and writes it to
//! FOLDER as `memory.md` with the chart `memory.svg`.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use alloc::measure_value;
use chart::{Chart, Line};
use record::{Record, records};

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../../../../tests/support/alloc.rs"]
mod alloc;
mod chart;
mod record;

#[global_allocator]
static ALLOCATOR: alloc::Counting = alloc::Counting;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The constant of both goals.
const CONSTANT: usize = 16 << 10;

/// A format's name, and the function that measures it.
type Format = (&'static str, fn(&[Record]) -> Outcome<Sample>);

macro_rules! formats {
    ($($name:ident)*) => {
        &[$((stringify!($name), |values| {
            sample(values, |v| fourfold::$name::to_vec(v), |b| fourfold::$name::from_slice(b))
        })),*]
    };
}

const FORMATS: &[Format] = formats!(molecule biniou tsm primitiv);

/// The memory for one message, in bytes.
struct Sample {
    output: usize,
    writing: usize,
    /// The value that was read, with the spare capacity of its vectors.
    value: usize,
    reading: usize,
}

impl Sample {
    fn reaches_write_goal(&self) -> bool {
        self.writing <= self.output + self.output / 2 + CONSTANT
    }

    fn reaches_read_goal(&self) -> bool {
        self.reading <= self.value + CONSTANT
    }
}

fn main() -> Outcome<()> {
    let arguments = Arguments::parse()?;
    let mut all = Vec::new();
    for &(name, measure) in FORMATS {
        let mut samples = Vec::new();
        // The average size of a record in this format.
        let few = measure(&records(100))?.output / 100;
        let mut size = 1_000;
        while size <= arguments.most {
            samples.push(measure(&records((size / few).max(1)))?);
            size *= 10;
        }
        // `most` is not a power of ten.
        if size / 10 != arguments.most {
            samples.push(measure(&records((arguments.most / few).max(1)))?);
        }
        all.push((name, samples));
    }
    let text = text(&all)?;
    print!("{text}");
    if let Some((folder, date)) = arguments.out {
        let command = "cargo run -p bench --release --bin memory";
        let note = format!(
            "![Peak allocation by size of the message](memory.svg)\n\n{date}, by `{command} -- --most {}`.\n",
            arguments.most_text
        );
        fs::write(folder.join("memory.md"), format!("# Memory by size\n\n{note}\n{text}"))?;
        fs::write(folder.join("memory.svg"), charts(&all)?)?;
    }
    Ok(())
}

fn sample<E: Error + 'static>(
    values: &[Record],
    write: fn(&[Record]) -> Result<Vec<u8>, E>,
    read: fn(&[u8]) -> Result<Vec<Record>, E>,
) -> Outcome<Sample> {
    let (bytes, written) = measure_value(|| write(values));
    let bytes = bytes?;
    let (value, taken) = measure_value(|| read(&bytes));
    if value? != values {
        return Err("the value read differs from the value written".into());
    }
    Ok(Sample {
        output: bytes.len(),
        writing: written.peak,
        value: usize::try_from(taken.current)?,
        reading: taken.peak,
    })
}

/// The report's table and goals.
fn text(all: &[(&str, Vec<Sample>)]) -> Outcome<String> {
    let mut lines = vec![
        format!(
            "Messages are vectors of records like those of an HTTP log. *Peak* is the peak allocation, without \
             the value that is written and the bytes that are read. *Value* is the size of the value that was \
             read, with the spare capacity of its vectors: serde's `Vec` reserves at most a mebibyte at first, \
             and then doubles. Goals: writing takes at most 1.5 times the output plus {} KiB, reading at \
             most the value plus {} KiB.\n",
            CONSTANT >> 10,
            CONSTANT >> 10
        ),
        "| format | output | peak writing | of output | value | peak reading | of value |".into(),
        "|---|--:|--:|--:|--:|--:|--:|".into(),
    ];
    let mut verdicts = Vec::new();
    for (name, samples) in all {
        for Sample { output, writing, value, reading } in samples {
            let (written, read) = (share(*writing, *output)?, share(*reading, *value)?);
            lines.push(format!(
                "| {name} | {output} | {writing} | {written:.2} | {value} | {reading} | {read:.2} |"
            ));
        }
        for (task, reached) in [
            ("writing", samples.iter().all(Sample::reaches_write_goal)),
            ("reading", samples.iter().all(Sample::reaches_read_goal)),
        ] {
            let verdict = if reached { "reached" } else { "NOT" };
            verdicts
                .push(format!("- memory, fourfold::{name}, {task} at all these sizes: {verdict}"));
        }
    }
    lines.push(String::new());
    lines.append(&mut verdicts);
    Ok(lines.join("\n") + "\n")
}

fn charts(all: &[(&str, Vec<Sample>)]) -> Outcome<String> {
    let lines = |point: fn(&Sample) -> (usize, usize)| -> Vec<Line<'_>> {
        all.iter()
            .map(|(name, samples)| Line { name, points: samples.iter().map(point).collect() })
            .collect()
    };
    chart::draw(&[
        Chart {
            title: "Writing",
            across: "bytes of output",
            bound: ("1.5 × output", 1.5),
            lines: lines(|sample| (sample.output, sample.writing)),
        },
        Chart {
            title: "Reading",
            across: "bytes of the value",
            bound: ("the value", 1.0),
            lines: lines(|sample| (sample.value, sample.reading)),
        },
    ])
}

fn share(part: usize, whole: usize) -> Outcome<f64> {
    Ok(f64::from(u32::try_from(part)?) / f64::from(u32::try_from(whole)?))
}

struct Arguments {
    most: usize,
    /// `most` as it was given.
    most_text: String,
    out: Option<(PathBuf, String)>,
}

impl Arguments {
    fn parse() -> Outcome<Self> {
        const USAGE: &str = "usage: memory [--most SIZE] [--date DATE --out FOLDER]";
        let (mut most_text, mut date, mut out) = ("1G".to_owned(), None, None);
        let mut words = std::env::args().skip(1);
        while let Some(option) = words.next() {
            let value = words.next().ok_or(USAGE)?;
            match option.as_str() {
                "--most" => most_text = value,
                "--date" => date = Some(value),
                "--out" => out = Some(PathBuf::from(value)),
                _ => return Err(USAGE.into()),
            }
        }
        let out = match (out, date) {
            (Some(folder), Some(date)) => Some((folder, date)),
            (None, _) => None,
            (Some(_), None) => return Err("--out needs --date".into()),
        };
        let digits = most_text.trim_end_matches(['K', 'M', 'G']);
        let unit = match most_text.strip_prefix(digits) {
            Some("") => 1,
            Some("K") => 1_000,
            Some("M") => 1_000_000,
            Some("G") => 1_000_000_000,
            _ => return Err(USAGE.into()),
        };
        Ok(Arguments { most: digits.parse::<usize>()? * unit, most_text, out })
    }
}
