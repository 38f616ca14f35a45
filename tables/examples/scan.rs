//! Measures a scan on one core and on two: `cargo run --profile light --package fourfold-tables --features sql
//! --example scan [ROWS]`. Writes a stream of biniou and a dynvec of Molecule into a temporary folder.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array};
use datafusion::prelude::{SessionConfig, SessionContext};
use fourfold_tables::datafusion::{Format, name_by_path};
use fourfold_tables::{Form, Options, Schema, Table};
use tokio::runtime::Builder;

const ATD: &str =
    "type entry = { id : int; host : string; path : string; bytes : int; took : float }";
const MOL: &str = "
    array Uint64 [byte; 8];
    vector Bytes <byte>;
    table Entry { id: Uint64, host: Bytes, path: Bytes, bytes: Uint64, took: Uint64, }
    vector Entries <Entry>;";

/// Number of rows in a written batch.
const BATCH: i64 = 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let rows: i64 = std::env::args().nth(1).map_or(Ok(6_000_000), |rows| rows.parse())?;
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (biniou, molecule) = (Schema::biniou(ATD)?, Schema::molecule(MOL)?);
    save(&Table::new(&biniou, "entry")?, Form::Stream, &path("log.biniou"), rows)?;
    save(&Table::new(&molecule, "Entries")?, Form::List, &path("log.molecule"), rows)?;
    let biniou = Format::new(Arc::new(biniou), "entry", Options::new())?;
    let molecule = Format::new(Arc::new(molecule), "Entries", Options::new())?;
    for name in ["log.biniou", "log.molecule"] {
        let file = path(name);
        let text = format!("select count(host), count(path), sum(bytes), min(took) from '{file}'");
        let run = |cores: usize| -> Result<Duration, Box<dyn Error>> {
            let (biniou, molecule) = (biniou.clone(), molecule.clone());
            let runtime = match cores {
                1 => Builder::new_current_thread().max_blocking_threads(1).build()?,
                _ => Builder::new_multi_thread().worker_threads(cores).build()?,
            };
            runtime.block_on(async {
                let config = SessionConfig::new().with_target_partitions(cores);
                let context = name_by_path(SessionContext::new_with_config(config), move |path| {
                    let is_biniou = path.ends_with("biniou");
                    Ok(Some(if is_biniou { biniou.clone() } else { molecule.clone() }))
                });
                let begun = Instant::now();
                context.sql(&text).await?.collect().await?;
                Ok(begun.elapsed())
            })
        };
        let size = std::fs::metadata(&file)?.len();
        let (mut one, mut two) = (Duration::MAX, Duration::MAX);
        for _ in 0..5 {
            (one, two) = (one.min(run(1)?), two.min(run(2)?));
        }
        let ratio = one.as_secs_f64() / two.as_secs_f64();
        println!(
            "{name}: {size} bytes, one core {one:.2?}, two {two:.2?}, {ratio:.2} times as fast"
        );
    }
    Ok(())
}

fn save(table: &Table<'_>, form: Form, path: &str, rows: i64) -> Result<(), Box<dyn Error>> {
    let mut writer = table.write(BufWriter::new(File::create(path)?), form);
    for start in (0..rows).step_by(1024) {
        let ids = start..rows.min(start + BATCH);
        let numbers = |of: &dyn Fn(i64) -> i64| ids.clone().map(of).collect::<Vec<i64>>();
        let hosts = ids.clone().map(|id| format!("host{}.example", id % 300));
        let paths = ids.clone().map(|id| format!("/pages/{}/index.html", id * 7919 % 100_003));
        let (hosts, paths) = (hosts.collect::<Vec<_>>(), paths.collect::<Vec<_>>());
        let (id, bytes) = (numbers(&|id| id), numbers(&|id| id * 31 % 65_521));
        let is_biniou = table.schema().field(0).data_type() == &arrow_schema::DataType::Int64;
        let columns: Vec<ArrayRef> = if is_biniou {
            let took =
                ids.clone().map(|id| f64::from(i32::try_from(id % 1000).unwrap_or_default()));
            vec![
                Arc::new(Int64Array::from(id)),
                Arc::new(StringArray::from(hosts)),
                Arc::new(StringArray::from(paths)),
                Arc::new(Int64Array::from(bytes.clone())),
                Arc::new(took.collect::<Float64Array>()),
            ]
        } else {
            let texts = |texts: Vec<String>| {
                Arc::new(arrow_array::BinaryArray::from_iter_values(texts)) as ArrayRef
            };
            vec![
                Arc::new(unsigned(&id)),
                texts(hosts),
                texts(paths),
                Arc::new(unsigned(&bytes)),
                Arc::new(unsigned(&bytes)),
            ]
        };
        writer.write(&RecordBatch::try_new(table.schema(), columns)?)?;
    }
    writer.finish()?;
    Ok(())
}

fn unsigned(numbers: &[i64]) -> UInt64Array {
    numbers.iter().map(|number| number.unsigned_abs()).collect()
}
