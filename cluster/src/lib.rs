//! SQL over files of biniou records and of Molecule tables on many machines, by
//! [Ballista](https://datafusion.apache.org/ballista).
//!
//! A scheduler and executors are those of Ballista, with the codecs of this crate: [`LogicalCodec`] and
//! [`PhysicalCodec`] send plans with tables of [`fourfold_tables::datafusion`] from machine to machine. A schema travels
//! as its text, so that executors need nothing but the files. The programs `fourfold-scheduler` and
//! `fourfold-executor` take the options that Ballista's own take; [`connect`] is a session that asks them.
//!
//! ```no_run
//! # #[tokio::main] async fn main() -> datafusion::error::Result<()> {
//! let context = fourfold_cluster::connect("df://localhost:50050").await?;
//! context
//!     .sql("create external table log stored as biniou
//!           options ('schema' 'log.atd', 'type' 'entry') location '/data/logs/'")
//!     .await?;
//! context.sql("select host, count(*) from log group by host").await?.show().await?;
//! # Ok(()) }
//! ```

mod codec;
#[doc(hidden)]
pub mod logging;
mod message;

use std::sync::Arc;

use ballista::prelude::{SessionConfigExt as _, SessionContextExt as _};
use ballista_core::config::BALLISTA_ADAPTIVE_PLANNER_ENABLED;
use datafusion::error::Result;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};

pub use self::codec::{LogicalCodec, PhysicalCodec};

/// A session whose queries a scheduler at that address answers: `df://HOST:PORT`.
///
/// Paths are those that all machines of the cluster have.
///
/// # Errors
///
/// Those of Ballista's `SessionContext::remote_with_state`.
pub async fn connect(scheduler: &str) -> Result<SessionContext> {
    let context = SessionContext::remote_with_state(scheduler, state(config())).await?;
    fourfold_tables::datafusion::register(&context)?;
    Ok(context)
}

/// The choices of a session whose plans can travel.
#[must_use]
pub fn config() -> SessionConfig {
    // Where it plans anew what a query does next, Ballista 55 refuses some plans, and then the query has no end.
    SessionConfig::new_with_ballista()
        .set_bool(BALLISTA_ADAPTIVE_PLANNER_ENABLED, false)
        .with_ballista_logical_extension_codec(Arc::new(LogicalCodec::default()))
        .with_ballista_physical_extension_codec(Arc::new(PhysicalCodec::default()))
}

/// What a session has at its start.
#[must_use]
pub fn state(config: SessionConfig) -> SessionState {
    SessionStateBuilder::new().with_config(config).with_default_features().build()
}
