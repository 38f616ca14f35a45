//! Files as tables of [DataFusion](https://datafusion.apache.org), the SQL engine: external tables, listing tables,
//! and everything else that uses its file formats.
//!
//! A [`Format`] reads and writes rows of one type. A [`FormatFactory`] makes it from the options of `CREATE EXTERNAL
//! TABLE`, and of `COPY`, which writes the rows of a query to such a file. Columns that a query does not use are
//! skipped, filters are evaluated while files are read, and files whose bytes show where rows begin are split, one
//! part per core.
//!
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # #[derive(serde::Serialize)] struct Entry { host: &'static str, bytes: i64 }
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! # let folder = tempfile::tempdir()?;
//! # std::env::set_current_dir(&folder)?;
//! # std::fs::create_dir("logs")?;
//! # std::fs::write("log.atd", "type entry = { host : string; bytes : int }")?;
//! # let log = [Entry { host: "a", bytes: 1 }, Entry { host: "b", bytes: 2 }, Entry { host: "a", bytes: 5 }];
//! # std::fs::write("logs/today.biniou", fourfold::biniou::to_vec(&log[..])?)?;
//! let context = SessionContext::new();
//! fourfold_tables::datafusion::register(&context)?;
//! context
//!     .sql("create external table log stored as biniou
//!           options ('schema' 'log.atd', 'type' 'entry') location 'logs/'")
//!     .await?;
//! let sums = context.sql("select host, sum(bytes) from log group by host order by host").await?;
//! datafusion::assert_batches_eq!(
//!     ["+------+----------------+",
//!      "| host | sum(log.bytes) |",
//!      "+------+----------------+",
//!      "| a    | 6              |",
//!      "| b    | 2              |",
//!      "+------+----------------+"],
//!     &sums.collect().await?
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(()) })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod damages;
mod files;
mod format;
mod place;
mod scan;
mod scanned;
mod write;

use std::sync::Arc;

use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::SessionContext;

pub use self::files::FileTable;
pub use self::format::{Format, FormatFactory};
use self::place::Tables;
pub use self::place::name_by_path;
pub use self::scan::Scan;
pub use self::scanned::Scanned;
use crate::Error;

/// Registers `STORED AS biniou` and `STORED AS molecule`.
///
/// The options are `schema`, the path of a `.mol` or `.atd` file, relative to the working directory; `type`, a type
/// of that schema; and those of [`Options::choose`](crate::Options::choose).
///
/// # Errors
///
/// None, unless another format has one of these names. Calling it again is fine.
pub fn register(context: &SessionContext) -> Result<()> {
    let state = context.state_ref();
    let mut state = state.write();
    for factory in [FormatFactory::biniou()?, FormatFactory::molecule()?] {
        let name = factory.name().to_uppercase();
        state.register_file_format(Arc::new(factory), true)?;
        state.table_factories_mut().insert(name, Arc::new(Tables::default()));
    }
    Ok(())
}

/// Wraps an error of this crate as an external error of DataFusion.
impl From<Error> for DataFusionError {
    fn from(error: Error) -> Self {
        DataFusionError::External(Box::new(error))
    }
}

impl Error {
    /// The error of this crate that caused a query to fail, if there is one: DataFusion wraps it in its own errors.
    #[must_use]
    pub fn in_query(error: &DataFusionError) -> Option<&Self> {
        let mut error: &(dyn std::error::Error + 'static) = error;
        loop {
            match error.downcast_ref::<Error>() {
                Some(found) => return Some(found),
                None => error = error.source()?,
            }
        }
    }
}
