//! Queries in SQL over files of both formats: what they answer, and what is said where they cannot be answered.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod place;

use std::path::Path;

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::DataFusionError;
use datafusion::prelude::{SessionConfig, SessionContext};
use fourfold_tables::Error;

/// A session that reads both formats on so many cores.
fn session(cores: usize) -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(cores);
    // Small files are read in parts, too.
    let config = config.with_repartition_file_min_size(0);
    let context = SessionContext::new_with_config(config);
    fourfold_tables::datafusion::register(&context).unwrap();
    context
}

/// What a query answers, as a table of text.
async fn answer(context: &SessionContext, query: &str) -> Result<String, DataFusionError> {
    let batches = context.sql(query).await?.collect().await?;
    Ok(pretty_format_batches(&batches)?.to_string())
}

/// Makes a table of files, and says what is wrong with that.
async fn create(
    context: &SessionContext,
    format: &str,
    options: &[(&str, &str)],
    location: &Path,
) -> Result<(), DataFusionError> {
    let options: Vec<String> =
        options.iter().map(|(key, value)| format!("'{key}' '{value}'")).collect();
    let options = match options.is_empty() {
        true => String::new(),
        false => format!("options ({})", options.join(", ")),
    };
    let location = location.display();
    let query =
        format!("create external table t stored as {format} {options} location '{location}'");
    context.sql(&query).await.map(|_| ())
}

/// What is wrong, in this crate's words.
fn text(error: &DataFusionError) -> String {
    match Error::in_query(error) {
        Some(error) => error.to_string(),
        None => format!("DataFusion: {error}"),
    }
}
