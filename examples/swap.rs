//! Writes one struct in four formats and JSON; only the path of the function changes. Prints the sizes, the bytes, and the
//! marks that each format uses.
//!
//! `cargo run --profile light --example swap`

use std::error::Error;

use fourfold::molecule::with::fixvec;
use fourfold::{biniou, molecule, primitiv, tsm};
use serde::{Deserialize, Serialize};

/// An hourly report of a weather station.
///
/// A mark is a layout attribute: a serde container name or a `with` module. Each format uses its own marks and ignores the
/// others; JSON ignores all.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Report {
    station: String,
    place: Place,
    humidity: Percent,
    #[serde(with = "fixvec")]
    gusts: Vec<u16>,
    sky: Sky,
    note: Option<String>,
}

/// For Molecule, a `struct`: two numbers without a header. Without the mark it is a table.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.Place")]
struct Place {
    latitude: f32,
    longitude: f32,
}

/// For biniou, one byte. Without the mark it is a vint.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "int8.Percent")]
struct Percent(u8);

/// For primitiv, the name of the variant. Without the mark it is the number.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "named.Sky")]
enum Sky {
    Clear,
    Rain { millimetres: f32 },
}

/// Prints the bytes of the report in a format, and checks that it was read back equal.
fn show(format: &str, marks: &str, bytes: &[u8], is_equal: bool) -> Result<(), String> {
    println!("\n{format}: {} bytes; uses {marks}", bytes.len());
    for line in bytes.chunks(16) {
        let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
        let visible = |byte: &u8| if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '.' };
        let text: String = line.iter().map(visible).collect();
        println!("  {:<47}  {text}", hex.join(" "));
    }
    match is_equal {
        true => Ok(()),
        false => Err(format!("{format}: the value read differs")),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let report = Report {
        station: "Säntis".into(),
        place: Place { latitude: 47.25, longitude: 9.34375 },
        humidity: Percent(93),
        gusts: vec![41, 57, 38],
        sky: Sky::Rain { millimetres: 1.5 },
        note: None,
    };

    let bytes = serde_json::to_vec(&report)?;
    let again: Report = serde_json::from_slice(&bytes)?;
    show("JSON", "no mark", &bytes, again == report)?;

    let bytes = molecule::to_vec(&report)?;
    let again: Report = molecule::from_slice(&bytes)?;
    show("Molecule", "`struct.Place` and `fixvec`", &bytes, again == report)?;

    let bytes = biniou::to_vec(&report)?;
    let again: Report = biniou::from_slice(&bytes)?;
    show("biniou", "`int8.Percent`", &bytes, again == report)?;

    let bytes = tsm::to_vec(&report)?;
    let again: Report = tsm::from_slice(&bytes)?;
    show("tsm", "no mark", &bytes, again == report)?;

    let bytes = primitiv::to_vec(&report)?;
    let again: Report = primitiv::from_slice(&bytes)?;
    show("primitiv", "`named.Sky`", &bytes, again == report)?;

    let clear = Report { sky: Sky::Clear, note: Some("dry".into()), ..report };
    println!(
        "\nwithout rain, but with a note: {} bytes of JSON, {} of Molecule, {} of biniou, {} of tsm, \
         {} of primitiv",
        serde_json::to_vec(&clear)?.len(),
        molecule::to_vec(&clear)?.len(),
        biniou::to_vec(&clear)?.len(),
        tsm::to_vec(&clear)?.len(),
        primitiv::to_vec(&clear)?.len(),
    );
    Ok(())
}
