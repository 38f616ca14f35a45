//! What a query has read so far.

use std::sync::Arc;

use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::MetricsSet;

use super::scan::{BYTES_SCANNED, DAMAGED_ROWS, Scan};
use crate::Damage;

/// What the scans of this crate in a plan have read so far.
///
/// ```
/// # use datafusion::prelude::SessionContext;
/// use datafusion::physical_plan::collect;
/// use fourfold_tables::datafusion::Scanned;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// # let context = SessionContext::new();
/// let plan = context.sql("select 1").await?.create_physical_plan().await?;
/// let answer = collect(plan.clone(), context.task_ctx()).await?;
/// assert_eq!(Scanned::by(&plan).damaged_rows, 0);
/// # Ok::<(), datafusion::error::DataFusionError>(()) })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Scanned {
    /// Bytes read from files.
    pub bytes: u64,
    /// Size of these files in bytes.
    pub of_bytes: u64,
    /// Number of damaged rows that were skipped.
    pub damaged_rows: u64,
    /// The first hundred of them, of each scan.
    pub damages: Vec<Damage>,
}

impl Scanned {
    /// Collects what a plan has read, which may still be running.
    #[must_use]
    pub fn by(plan: &Arc<dyn ExecutionPlan>) -> Self {
        let mut scanned = Scanned::default();
        scanned.add(plan);
        scanned
    }

    fn add(&mut self, plan: &Arc<dyn ExecutionPlan>) {
        for child in plan.children() {
            self.add(child);
        }
        let Some(source) = plan.downcast_ref::<DataSourceExec>() else { return };
        let Some((config, scan)) = source.downcast_to_file_source::<Scan>() else { return };
        let metrics = plan.metrics().unwrap_or_default();
        self.bytes = self.bytes.saturating_add(counted(&metrics, BYTES_SCANNED));
        self.damaged_rows = self.damaged_rows.saturating_add(counted(&metrics, DAMAGED_ROWS));
        self.damages.extend(scan.damages());
        for file in config.file_groups.iter().flat_map(|group| group.iter()) {
            let size = match &file.range {
                Some(range) => u64::try_from(range.end.saturating_sub(range.start)).unwrap_or(0),
                None => file.object_meta.size,
            };
            self.of_bytes = self.of_bytes.saturating_add(size);
        }
    }
}

/// The value of the metric `name`.
fn counted(metrics: &MetricsSet, name: &str) -> u64 {
    let sum = metrics.sum_by_name(name).map_or(0, |value| value.as_usize());
    u64::try_from(sum).unwrap_or(u64::MAX)
}
