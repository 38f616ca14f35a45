//! Asks a cluster: `ask SCHEDULER STATEMENT...`. See the README.

use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let scheduler = arguments.next().ok_or("which scheduler? ask df://HOST:PORT STATEMENT...")?;
    let context = fourfold_cluster::connect(&scheduler).await?;
    for statement in arguments {
        let answer = context.sql(&statement).await?;
        if !answer.schema().fields().is_empty() {
            answer.show().await?;
        }
    }
    Ok(())
}
