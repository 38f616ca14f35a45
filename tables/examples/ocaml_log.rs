//! Queries a log that an OCaml program has written, a biniou file, in SQL: the failed requests, and the number of bytes
//! of each user.
//!
//! ```sh
//! cargo run --package fourfold-tables --features sql --example ocaml_log
//! ```

use std::error::Error;

use datafusion::prelude::SessionContext;

/// The folder of the biniou test files.
const BINIOU: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/biniou");

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let context = SessionContext::new();
    fourfold_tables::datafusion::register(&context)?;
    let table = format!(
        "create external table log stored as biniou
         options ('schema' '{BINIOU}/schemas/log.atd', 'type' 'entry')
         location '{BINIOU}/data/log.log_list-three.biniou'"
    );
    context.sql(&table).await?;
    let failed = "select date, request, code from log where code >= 400 order by date";
    context.sql(failed).await?.show().await?;
    let by_user = "
        select userid, count(*) as requests, sum(size) as bytes
        from log group by userid order by bytes desc";
    context.sql(by_user).await?.show().await?;
    Ok(())
}
