//! SQL queries over files of both formats: their results and their errors.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod declared;
mod numbers;
mod parts;
mod place;
mod plans;
mod stores;
mod suite;
mod write;

use std::path::Path;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::DataFusionError;
use datafusion::prelude::{SessionConfig, SessionContext};
use fourfold_tables::Error;

/// A session with both formats registered, on that many cores.
fn session(cores: usize) -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(cores);
    // Splits small files, too.
    let config = config.with_repartition_file_min_size(0);
    let context = SessionContext::new_with_config(config);
    fourfold_tables::datafusion::register(&context).unwrap();
    context
}

/// The result of a query, as a text table.
async fn answer(context: &SessionContext, query: &str) -> Result<String, DataFusionError> {
    let batches = context.sql(query).await?.collect().await?;
    Ok(pretty_format_batches(&batches)?.to_string())
}

/// The rows of a query's result, formatted by `lines`.
async fn rows(context: &SessionContext, query: &str) -> Result<Vec<String>, DataFusionError> {
    Ok(lines(&context.sql(query).await?.collect().await?))
}

/// Each row as a line, with `|` between its columns.
fn lines(batches: &[RecordBatch]) -> Vec<String> {
    let options = FormatOptions::new().with_null("null");
    let mut lines = Vec::new();
    for batch in batches {
        let columns: Vec<ArrayFormatter<'_>> = batch
            .columns()
            .iter()
            .map(|column| ArrayFormatter::try_new(column, &options).unwrap())
            .collect();
        lines.extend((0..batch.num_rows()).map(|row| {
            let cells: Vec<String> =
                columns.iter().map(|column| column.value(row).to_string()).collect();
            cells.join("|")
        }));
    }
    lines
}

/// A deterministic pseudo-random number generator.
struct Dice(u64);

impl Dice {
    fn number(&mut self) -> u64 {
        // Splitmix.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number less than `bound`.
    fn below(&mut self, bound: u32) -> u32 {
        u32::try_from(self.number() % u64::from(bound)).unwrap()
    }

    /// An index less than `count`.
    fn place(&mut self, count: usize) -> usize {
        let count = u32::try_from(count).unwrap();
        usize::try_from(self.below(count)).unwrap()
    }

    /// One of the items.
    fn one_of<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.place(items.len())]
    }
}

/// Makes a table `t` of files, and returns the error if there is one.
async fn create(
    context: &SessionContext,
    format: &str,
    options: &[(&str, &str)],
    location: &Path,
) -> Result<(), DataFusionError> {
    create_named(context, "t", format, options, &location.display().to_string()).await
}

/// Makes a table of files with that name.
async fn create_named(
    context: &SessionContext,
    name: &str,
    format: &str,
    options: &[(&str, &str)],
    location: &str,
) -> Result<(), DataFusionError> {
    let options: Vec<String> =
        options.iter().map(|(key, value)| format!("'{key}' '{value}'")).collect();
    let options = match options.is_empty() {
        true => String::new(),
        false => format!("options ({})", options.join(", ")),
    };
    let query =
        format!("create external table {name} stored as {format} {options} location '{location}'");
    context.sql(&query).await.map(|_| ())
}

/// The text of the error of this crate in a DataFusion error.
fn text(error: &DataFusionError) -> String {
    match Error::in_query(error) {
        Some(error) => error.to_string(),
        None => format!("DataFusion: {error}"),
    }
}
