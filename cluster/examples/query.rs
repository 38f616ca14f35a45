//! Runs SQL statements on a cluster: `query SCHEDULER STATEMENT...`. See the README.

use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let scheduler =
        arguments.next().ok_or("missing scheduler; usage: query df://HOST:PORT STATEMENT...")?;
    let context = fourfold_cluster::connect(&scheduler).await?;
    for statement in arguments {
        let result = context.sql(&statement).await?;
        if !result.schema().fields().is_empty() {
            result.show().await?;
        }
    }
    Ok(())
}
