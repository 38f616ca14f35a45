//! SQL over files of biniou records and Molecule tables on many machines, with
//! [Ballista](https://datafusion.apache.org/ballista).
//!
//! [`LogicalCodec`] and [`PhysicalCodec`] let Ballista send plans with tables of [`fourfold_tables::datafusion`] between
//! machines. The text of the schema is part of the plan, so executors need only the files. The programs
//! `fourfold-scheduler` and `fourfold-executor` have the options of Ballista's own; [`connect`] opens a session.
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

/// Opens a session with the scheduler at an address such as `df://HOST:PORT`.
///
/// Paths in queries must exist on all machines of the cluster.
///
/// # Errors
///
/// Those of Ballista's `SessionContext::remote_with_state`.
pub async fn connect(scheduler: &str) -> Result<SessionContext> {
    let context = SessionContext::remote_with_state(scheduler, state(config())).await?;
    fourfold_tables::datafusion::register(&context)?;
    Ok(context)
}

/// The configuration of a session with this crate's codecs.
#[must_use]
pub fn config() -> SessionConfig {
    // The adaptive planner of Ballista 55 refuses some plans, and then the query hangs.
    SessionConfig::new_with_ballista()
        .set_bool(BALLISTA_ADAPTIVE_PLANNER_ENABLED, false)
        .with_ballista_logical_extension_codec(Arc::new(LogicalCodec::default()))
        .with_ballista_physical_extension_codec(Arc::new(PhysicalCodec::default()))
}

/// The initial state of a session.
#[must_use]
pub fn state(config: SessionConfig) -> SessionState {
    SessionStateBuilder::new().with_config(config).with_default_features().build()
}
