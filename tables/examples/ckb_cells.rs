//! Queries the genesis block of CKB, a Molecule file, in SQL: the number of cells of each lock script, and the total
//! capacity.
//!
//! ```sh
//! cargo run --package fourfold-tables --features sql --example ckb_cells
//! ```

use std::error::Error;
use std::sync::Arc;

use datafusion::prelude::SessionContext;
use fourfold_tables::datafusion::{Format, name_by_path};
use fourfold_tables::{Options, Schema};

/// The folder of the Molecule test files.
const MOLECULE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/molecule");

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let schema = Schema::from_file(format!("{MOLECULE}/schemas/blockchain.mol"))?;
    let block = Format::new(Arc::new(schema), "Block", Options::new())?;
    // Every path in a query is a file with a block.
    let context = name_by_path(SessionContext::new(), move |_| Ok(Some(block.clone())));

    let query = format!(
        "create view cells as
         with transactions as (select unnest(transactions) as tx from '{MOLECULE}/genesis/mainnet.bin')
         select unnest(tx['raw']['outputs']) as cell from transactions"
    );
    context.sql(&query).await?;
    let by_lock = "
        select encode(cell['lock']['code_hash'], 'hex') as lock,
               count(*) as cells,
               sum(cell['capacity']) as shannons
        from cells group by lock order by shannons desc";
    context.sql(by_lock).await?.show().await?;
    let all = "select count(*) as cells, sum(cell['capacity']) as shannons from cells";
    context.sql(all).await?.show().await?;
    Ok(())
}
