//! Files as tables of [DataFusion](https://datafusion.apache.org), the SQL engine: its external tables, its listing
//! tables, and whatever reads its file formats.
//!
//! A [`Format`] is rows of a type; a [`FormatFactory`] makes it of the options of `CREATE EXTERNAL TABLE`, and of
//! `COPY`, which writes the rows of a query as such a file. Columns that a query does not ask for are stepped over, its
//! conditions are tested while files are read, and files in which it shows where rows begin are read in parts, one on
//! each core.
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

/// Makes `STORED AS biniou` and `STORED AS molecule` known.
///
/// Options are `schema`, a `.mol` or `.atd` file, from the working directory on; `type`, a type of it; and the choices
/// of [`Options::choose`](crate::Options::choose).
///
/// # Errors
///
/// None as long as a format is registered once or again by this function.
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

/// An error of this crate as one of DataFusion.
impl From<Error> for DataFusionError {
    fn from(error: Error) -> Self {
        DataFusionError::External(Box::new(error))
    }
}

impl Error {
    /// What is wrong with a query: the error of this crate that DataFusion has given with words of its own around it,
    /// if it is one.
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
