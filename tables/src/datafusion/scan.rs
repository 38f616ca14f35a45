//! Scans: which columns, rows and parts of files are read. Knows plans, does not know how bytes become columns.

use std::fmt;
use std::io::{Read, Seek};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::Builder;

use arrow_array::RecordBatch;
use datafusion::arrow::compute::filter_record_batch;
use datafusion::common::cast::as_boolean_array;
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::config::ConfigOptions;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{
    FileOpenFuture, FileOpener, FileScanConfig, FileSource,
};
use datafusion::datasource::projection::{ProjectionOpener, SplitProjection};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::{DataFusionError, Result};
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_expr::utils::{collect_columns, reassign_expr_columns};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr, conjunction};
use datafusion::physical_expr_common::physical_expr::is_volatile;
use datafusion::physical_plan::filter_pushdown::{FilterPushdownPropagation, PushedDown};
use datafusion::physical_plan::metrics::{Count, ExecutionPlanMetricsSet, MetricBuilder};
use datafusion::physical_plan::{DisplayFormatType, apply_expression_roots};
use futures::stream::{self, Stream, StreamExt as _};
use object_store::ObjectStore;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::Format;
use super::bytes::Source;
use super::damages::Damages;
use crate::{Damage, Damaged, Error};

/// A scan of files: the `FileSource` of a [`Format`].
#[derive(Clone)]
pub struct Scan {
    format: Format,
    table: TableSchema,
    projection: SplitProjection,
    filter: Option<Arc<dyn PhysicalExpr>>,
    batch_rows: Option<usize>,
    /// Whether files are read in parts.
    splits: bool,
    /// Those of this scan.
    damages: Damages,
    metrics: ExecutionPlanMetricsSet,
}

impl Scan {
    /// A scan of all columns and rows.
    #[must_use]
    pub fn new(format: Format, table: TableSchema) -> Self {
        let projection = SplitProjection::unprojected(&table);
        let metrics = ExecutionPlanMetricsSet::new();
        // Behind a damaged header, parts would find rows that the whole does not reach.
        let splits = format.options().damaged == Damaged::Stop;
        let damages = Damages::default();
        Scan { format, table, projection, filter: None, batch_rows: None, splits, damages, metrics }
    }

    /// What is scanned.
    #[must_use]
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// Damaged rows that have been left out, the first hundred.
    #[must_use]
    pub fn damages(&self) -> Vec<Damage> {
        self.damages.all()
    }

    /// Reads files in parts, or not.
    pub(super) fn splitting(self, splits: bool) -> Self {
        Scan { splits, ..self }
    }
}

impl FileSource for Scan {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        _: &FileScanConfig,
        partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let wanted = self.projection.file_indices.clone();
        let mut read = wanted.clone();
        if let Some(filter) = &self.filter {
            read.extend(collect_columns(filter).iter().map(|column| column.index()));
            read.sort_unstable();
            read.dedup();
        }
        let columns = self.table.file_schema().project(&read)?;
        let filter = self.filter.clone();
        let filter = filter.map(|filter| reassign_expr_columns(filter, &columns)).transpose()?;
        let wanted = wanted.iter().filter_map(|wanted| read.binary_search(wanted).ok()).collect();
        let counter = |name| MetricBuilder::new(&self.metrics).counter(name, partition);
        let (damaged, bytes) = (counter(DAMAGED_ROWS), counter(BYTES_SCANNED));
        let options = self.format.options().clone();
        let options = match self.batch_rows {
            Some(rows) => options.at_most_rows(rows),
            None => options,
        };
        let format = self.format.clone().read_with(options);
        let damages = self.damages.clone();
        let rows = Rows { format, read, filter, wanted, damages, damaged, bytes };
        let opener = Opener { store, rows };
        ProjectionOpener::try_new(
            self.projection.clone(),
            Arc::new(opener),
            self.table.file_schema(),
        )
    }

    fn table_schema(&self) -> &TableSchema {
        &self.table
    }

    fn with_batch_size(&self, rows: usize) -> Arc<dyn FileSource> {
        Arc::new(Scan { batch_rows: Some(rows), ..self.clone() })
    }

    fn filter(&self) -> Option<Arc<dyn PhysicalExpr>> {
        self.filter.clone()
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection.source)
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &str {
        self.format.name()
    }

    fn fmt_extra(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ", type={}", self.format.type_name())?;
        match &self.filter {
            Some(filter) => write!(f, ", predicate={filter}"),
            None => Ok(()),
        }
    }

    fn supports_repartitioning(&self) -> bool {
        self.splits
    }

    fn try_pushdown_filters(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn FileSource>>> {
        let count = self.table.file_schema().fields().len();
        // What a folder's name says stands in no file.
        let is_of_files = |filter: &Arc<dyn PhysicalExpr>| {
            // What is random is so once: a column that is tested here is made again behind.
            !is_volatile(filter)
                && !needs_file_name(filter)
                && collect_columns(filter).iter().all(|column| column.index() < count)
        };
        let taken = filters.iter().map(|filter| match is_of_files(filter) {
            true => PushedDown::Yes,
            false => PushedDown::No,
        });
        let pushed = FilterPushdownPropagation::with_parent_pushdown_result(taken.collect());
        let taken: Vec<_> = filters.into_iter().filter(is_of_files).collect();
        if taken.is_empty() {
            return Ok(pushed);
        }
        let filter = Some(conjunction(self.filter.iter().cloned().chain(taken)));
        Ok(pushed.with_updated_node(Arc::new(Scan { filter, ..self.clone() })))
    }

    fn try_pushdown_projection(
        &self,
        projection: &ProjectionExprs,
    ) -> Result<Option<Arc<dyn FileSource>>> {
        let projection = self.projection.source.try_merge(projection)?;
        let projection = SplitProjection::new(self.table.file_schema(), &projection);
        Ok(Some(Arc::new(Scan { projection, ..self.clone() })))
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        let projected = self.projection.source.iter().map(|projected| &projected.expr);
        apply_expression_roots(self.filter.iter().chain(projected), f)
    }
}

/// Whether a condition asks in which file a row is, which only columns of the answer can.
fn needs_file_name(filter: &Arc<dyn PhysicalExpr>) -> bool {
    let mut found = false;
    // Looking at nodes does not fail.
    let _ = filter.apply(|node| {
        let function = node.downcast_ref::<ScalarFunctionExpr>();
        found |= function.is_some_and(|function| function.name() == "input_file_name");
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    });
    found
}

/// The metric of a scan that counts damaged rows which are left out.
pub(super) const DAMAGED_ROWS: &str = "damaged_rows";
/// The metric that counts bytes of files that have been read.
pub(super) const BYTES_SCANNED: &str = "bytes_scanned";

/// Opens files, or parts of them.
struct Opener {
    store: Arc<dyn ObjectStore>,
    rows: Rows,
}

/// What is read of each file.
#[derive(Clone)]
struct Rows {
    format: Format,
    /// The columns that are read.
    read: Vec<usize>,
    /// Of these, the condition.
    filter: Option<Arc<dyn PhysicalExpr>>,
    /// Which of them are given on.
    wanted: Vec<usize>,
    damages: Damages,
    damaged: Count,
    bytes: Count,
}

impl FileOpener for Opener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let (store, rows) = (Arc::clone(&self.store), self.rows.clone());
        Ok(Box::pin(async move {
            let part = match &file.range {
                Some(range) => {
                    let place = |place: i64| u64::try_from(place).unwrap_or_default();
                    place(range.start)..place(range.end)
                }
                None => 0..u64::MAX,
            };
            let source = Source::open(store, &file.object_meta).await?;
            let (output, input) = channel(WAITING);
            // It waits for bytes and for whoever takes batches, which no thread of a query may, and which the few that
            // a runtime has for waiting must not all do at once.
            let reading = Builder::new().name("fourfold-scan".into()).spawn(move || {
                let read = match source {
                    Source::Local(file, path) => rows.give(file, path, part, &output),
                    Source::Remote(file) => {
                        let path = file.path();
                        rows.give(file, path, part, &output)
                    }
                };
                // Whoever takes no more batches needs no end.
                let _ = output.blocking_send(read.map(|()| None));
            });
            reading.map_err(DataFusionError::IoError)?;
            Ok(batches(input).boxed())
        }))
    }
}

/// What a thread that reads gives: batches, and `None` behind the last one.
type Given = Result<Option<RecordBatch>>;

/// Batches as they come, up to their end or an error.
fn batches(input: Receiver<Given>) -> impl Stream<Item = Result<RecordBatch>> {
    stream::unfold(Some(input), |input| async {
        let mut input = input?;
        match input.recv().await {
            Some(Ok(Some(batch))) => Some((Ok(batch), Some(input))),
            Some(Ok(None)) => None,
            Some(Err(error)) => Some((Err(error), None)),
            // An end of which nobody has said that it is one.
            None => {
                let text = "the thread that reads a file has ended early";
                Some((Err(DataFusionError::Execution(text.into())), None))
            }
        }
    })
}

/// So many batches wait for whoever takes them.
const WAITING: usize = 2;

impl Rows {
    /// Reads a part of a file, as long as somebody takes its batches.
    fn give<R: Read + Seek + Send>(
        &self,
        file: R,
        path: PathBuf,
        part: Range<u64>,
        output: &Sender<Given>,
    ) -> Result<()> {
        let table = self.format.table()?.project(&self.read)?;
        let mut reader = table.read_part_of(file, Some(path), part)?;
        let count = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let (mut bytes, mut damaged, mut named) = (0, 0, 0);
        loop {
            let batch = reader.next();
            // What is given on has been counted.
            self.bytes.add(count(reader.bytes().saturating_sub(bytes)));
            self.damaged.add(count(reader.damaged().saturating_sub(damaged)));
            self.damages.note(reader.damages().get(named..).unwrap_or_default());
            (bytes, damaged) = (reader.bytes(), reader.damaged());
            named = reader.damages().len();
            let Some(batch) = batch else { return Ok(()) };
            let batch = self.filtered(batch.map_err(Error::from_arrow)?)?;
            if output.blocking_send(Ok(Some(batch))).is_err() {
                return Ok(());
            }
        }
    }

    /// The rows that fulfill the condition, and of them the columns that are given on.
    fn filtered(&self, batch: RecordBatch) -> Result<RecordBatch> {
        let Some(filter) = &self.filter else { return Ok(batch) };
        let fulfill = filter.evaluate(&batch)?.into_array(batch.num_rows())?;
        let batch = batch.project(&self.wanted)?;
        Ok(filter_record_batch(&batch, as_boolean_array(&fulfill)?)?)
    }
}
