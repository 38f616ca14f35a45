//! The table of a format's files.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_schema::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::{ScanArgs, ScanResult, Session, TableProvider};
use datafusion::common::Constraints;
use datafusion::datasource::TableType;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::error::Result;
use datafusion::logical_expr::dml::InsertOp;
use datafusion::logical_expr::{Expr, LogicalPlan, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;

use super::Format;
use super::place::{expect_files, name_of};

/// The files of a [`Format`] as a table: DataFusion's listing table in a type of its own, so that plans sent to other
/// machines can recognize it.
///
/// ```
/// use std::sync::Arc;
///
/// use datafusion::datasource::listing::{ListingOptions, ListingTableUrl};
/// use datafusion::prelude::SessionContext;
/// use fourfold_tables::datafusion::{FileTable, Format};
/// use fourfold_tables::{Options, Schema};
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// # let folder = tempfile::tempdir()?;
/// # let file = folder.path().join("points.bin");
/// # std::fs::write(&file, [2, 0, 0, 0, 1, 2, 3, 4])?;
/// # let path = file.to_str().unwrap();
/// let schema = Schema::molecule("struct Point { x: byte, y: byte, } vector Points <Point>;")?;
/// let format = Format::new(Arc::new(schema), "Points", Options::new())?;
/// let options = ListingOptions::new(Arc::new(format.clone())).with_file_extension("");
/// let table = FileTable::new(format, options, vec![ListingTableUrl::parse(path)?])?;
/// let context = SessionContext::new();
/// let rows = context.read_table(Arc::new(table))?.count().await?;
/// assert_eq!(rows, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(()) })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileTable {
    format: Format,
    files: ListingTable,
}

impl FileTable {
    /// The table of the files at those URLs, or in those folders.
    ///
    /// # Errors
    ///
    /// Those of `ListingTable::try_new`.
    pub fn new(
        format: Format,
        options: ListingOptions,
        places: Vec<ListingTableUrl>,
    ) -> Result<Self> {
        let config = ListingTableConfig::new_with_multi_paths(places)
            .with_listing_options(options)
            .with_schema(format.columns());
        Ok(FileTable { format, files: ListingTable::try_new(config)? })
    }

    /// Wraps a table made by DataFusion, if its files are of a format of this crate.
    pub(super) fn of(table: Arc<dyn TableProvider>) -> Arc<dyn TableProvider> {
        let files = table.downcast_ref::<ListingTable>();
        let made = files.and_then(|files| {
            let format = files.options().format.downcast_ref::<Format>()?.clone();
            Some(Arc::new(FileTable { format, files: files.clone() }) as Arc<dyn TableProvider>)
        });
        made.unwrap_or(table)
    }

    /// The format of the files.
    #[must_use]
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// The listing of the files.
    #[must_use]
    pub fn listing(&self) -> &ListingTable {
        &self.files
    }
}

#[async_trait]
impl TableProvider for FileTable {
    fn schema(&self) -> SchemaRef {
        self.files.schema()
    }

    fn constraints(&self) -> Option<&Constraints> {
        self.files.constraints()
    }

    fn table_type(&self) -> TableType {
        self.files.table_type()
    }

    fn get_table_definition(&self) -> Option<&str> {
        self.files.get_table_definition()
    }

    fn get_logical_plan(&self) -> Option<Cow<'_, LogicalPlan>> {
        self.files.get_logical_plan()
    }

    fn get_column_default(&self, column: &str) -> Option<&Expr> {
        self.files.get_column_default(column)
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let args = ScanArgs::default()
            .with_projection(projection.map(Vec::as_slice))
            .with_filters(Some(filters))
            .with_limit(limit);
        Ok(self.scan_with_args(state, args).await?.into_inner())
    }

    async fn scan_with_args<'a>(
        &self,
        state: &dyn Session,
        args: ScanArgs<'a>,
    ) -> Result<ScanResult> {
        let scan = self.files.scan_with_args(state, args).await?;
        // The plan has no files: either a filter excluded all, or there are none any more.
        if scan.plan().is::<EmptyExec>() {
            for place in self.files.table_paths() {
                expect_files(state, place, &name_of(place)).await?;
            }
        }
        Ok(scan)
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        self.files.supports_filters_pushdown(filters)
    }

    async fn insert_into(
        &self,
        state: &dyn Session,
        input: Arc<dyn ExecutionPlan>,
        operation: InsertOp,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.files.insert_into(state, input, operation).await
    }
}
