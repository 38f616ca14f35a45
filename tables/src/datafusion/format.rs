//! A row type as DataFusion's `FileFormat`: options and plans.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use arrow_schema::SchemaRef;
use async_trait::async_trait;
use bytes::Bytes;
use datafusion::catalog::Session;
use datafusion::common::{GetExt, Statistics};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::physical_plan::{
    FileScanConfig, FileScanConfigBuilder, FileSinkConfig, FileSource,
};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::{DataFusionError, Result};
use datafusion::physical_expr::LexRequirement;
use datafusion::physical_plan::ExecutionPlan;
use object_store::{GetOptions, GetResultPayload, ObjectMeta, ObjectStore};

use super::scan::Scan;
use super::write;
use crate::{Error, Options, Schema, Table};

/// The rows of one type as a file format of DataFusion, for reading and writing.
///
/// ```
/// use std::sync::Arc;
///
/// use datafusion::datasource::listing::{
///     ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
/// };
/// use fourfold_tables::datafusion::Format;
/// use fourfold_tables::{Options, Schema};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path().to_str().unwrap();
/// let schema = Schema::molecule("struct Point { x: byte, y: byte, } vector Points <Point>;")?;
/// let format = Format::new(Arc::new(schema), "Points", Options::new())?;
/// let columns = format.columns();
/// let options = ListingOptions::new(Arc::new(format)).with_file_extension(".bin");
/// let config = ListingTableConfig::new(ListingTableUrl::parse(folder)?)
///     .with_listing_options(options)
///     .with_schema(columns);
/// let table = ListingTable::try_new(config)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Format {
    schema: Arc<Schema>,
    name: String,
    options: Options,
    columns: SchemaRef,
}

impl Format {
    /// The rows of files of the type `name`. Numbers of more than 64 bits become decimals, which SQL compares, sorts
    /// and adds as numbers, unless [`wide_numbers`](Options::wide_numbers) is set.
    ///
    /// # Errors
    ///
    /// Those of [`Table::new`].
    pub fn new(schema: Arc<Schema>, name: &str, options: Options) -> crate::Result<Self> {
        let options = options.for_sql();
        let columns = Table::with_options(&schema, name, options.clone())?.schema();
        Ok(Format { schema, name: name.into(), options, columns })
    }

    /// The same format with other options, which do not change columns.
    pub(super) fn read_with(self, options: Options) -> Self {
        Format { options, ..self }
    }

    /// A format without a type: no columns, for no file.
    fn of_nothing(schema: Schema) -> Self {
        Format {
            schema: Arc::new(schema),
            name: String::new(),
            options: Options::new(),
            columns: SchemaRef::new(arrow_schema::Schema::empty()),
        }
    }

    /// The schema of the type.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The name of the type.
    #[must_use]
    pub fn type_name(&self) -> &str {
        &self.name
    }

    /// The options for reading and writing.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The columns of the rows.
    #[must_use]
    pub fn columns(&self) -> SchemaRef {
        Arc::clone(&self.columns)
    }

    /// The [`Table`] of the type.
    pub(super) fn table(&self) -> crate::Result<Table<'_>> {
        Table::with_options(&self.schema, &self.name, self.options.clone())
    }

    /// The name of the file format: `biniou` or `molecule`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.schema.format()
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Format").field("type_name", &self.name).finish_non_exhaustive()
    }
}

/// Number of files per core whose first bytes are checked before a scan.
const MOST_FILES: usize = 4;

#[async_trait]
impl FileFormat for Format {
    fn get_ext(&self) -> String {
        self.name().into()
    }

    fn get_ext_with_compression(&self, compression: &FileCompressionType) -> Result<String> {
        match compression.is_compressed() {
            true => Err(DataFusionError::Plan(format!(
                "compression of {} files is not supported",
                self.name()
            ))),
            false => Ok(self.get_ext()),
        }
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        None
    }

    async fn infer_schema(
        &self,
        _: &dyn Session,
        _: &Arc<dyn ObjectStore>,
        _: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        Ok(self.columns())
    }

    async fn infer_stats(
        &self,
        _: &dyn Session,
        _: &Arc<dyn ObjectStore>,
        table: SchemaRef,
        _: &ObjectMeta,
    ) -> Result<Statistics> {
        Ok(Statistics::new_unknown(&table))
    }

    async fn create_physical_plan(
        &self,
        state: &dyn Session,
        config: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if *config.file_schema() != self.columns {
            let (name, file) = (&self.name, self.name());
            return Err(DataFusionError::Plan(format!(
                "the columns of a {file} table are those of its type `{name}`; omit the column list"
            )));
        }
        let store = state.runtime_env().object_store(&config.object_store_url)?;
        let source = config.file_source().downcast_ref::<Scan>();
        let Some(source) = source.filter(|source| source.supports_repartitioning()) else {
            return Ok(DataSourceExec::from_data_source(config));
        };
        let files = || config.file_groups.iter().flat_map(|group| group.iter());
        // With more files, each core has enough to read without splitting.
        let most = state.config().target_partitions().saturating_mul(MOST_FILES);
        let mut splits = files().count() <= most;
        let table = self.table()?;
        for file in files() {
            if !splits {
                break;
            }
            let head = Head::of(&*store, &file.object_meta).await?;
            // Bytes that are skipped in a remote file are fetched all the same.
            splits = table.shows_rows(&head.bytes) && (head.is_local || table.has_index());
        }
        let source = source.clone().splitting(splits);
        let config = FileScanConfigBuilder::from(config).with_source(Arc::new(source)).build();
        Ok(DataSourceExec::from_data_source(config))
    }

    async fn create_writer_physical_plan(
        &self,
        input: Arc<dyn ExecutionPlan>,
        _: &dyn Session,
        config: FileSinkConfig,
        order: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        write::plan(self, input, config, order)
    }

    fn file_source(&self, table: TableSchema) -> Arc<dyn FileSource> {
        Arc::new(Scan::new(self.clone(), table))
    }
}

/// The first bytes of a file.
struct Head {
    bytes: Bytes,
    is_local: bool,
}

impl Head {
    async fn of(store: &dyn ObjectStore, file: &ObjectMeta) -> Result<Self> {
        const HEAD: u64 = 16;
        let range = 0..HEAD.min(file.size);
        if range.is_empty() {
            return Ok(Head { bytes: Bytes::new(), is_local: true });
        }
        let head = GetOptions::new().with_range(Some(range));
        let head = store.get_opts(&file.location, head).await?;
        let is_local = matches!(head.payload, GetResultPayload::File(..));
        Ok(Head { bytes: head.bytes().await?, is_local })
    }
}

/// Makes a [`Format`] from the options of `CREATE EXTERNAL TABLE`.
#[derive(Clone, Debug)]
pub struct FormatFactory {
    /// The format without options.
    nothing: Format,
}

impl FormatFactory {
    /// The factory for files of biniou.
    ///
    /// # Errors
    ///
    /// None.
    pub fn biniou() -> crate::Result<Self> {
        Ok(FormatFactory { nothing: Format::of_nothing(Schema::biniou("")?) })
    }

    /// The factory for files of Molecule.
    ///
    /// # Errors
    ///
    /// None.
    pub fn molecule() -> crate::Result<Self> {
        Ok(FormatFactory {
            nothing: Format::of_nothing(Schema::molecule("array Nothing [byte; 1];")?),
        })
    }

    /// The name after `STORED AS`: `biniou` or `molecule`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.nothing.name()
    }

    /// Makes a format from options: `schema`, `type`, and those of [`Options::choose`].
    ///
    /// # Errors
    ///
    /// `Option` if one is missing or unknown, and those of [`Format::new`].
    pub fn with_options(&self, settings: &HashMap<String, String>) -> crate::Result<Format> {
        let (mut path, mut name, mut options) = (None, None, Options::new());
        for (key, value) in settings {
            match key.strip_prefix("format.").unwrap_or(key) {
                "schema" => path = Some(value),
                "type" => name = Some(value),
                key => options = options.choose(key, value)?,
            }
        }
        let missing = |key: &str| {
            let text = "is missing: options ('schema' 'FILE', 'type' 'NAME')".into();
            Error::Option { name: key.into(), text }
        };
        let schema = Schema::from_file(path.ok_or_else(|| missing("schema"))?)?;
        if schema.format() != self.name() {
            let text = format!(
                "is a {} schema, but the table is stored as {}",
                schema.format(),
                self.name()
            );
            return Err(Error::Option { name: "schema".into(), text });
        }
        Format::new(Arc::new(schema), name.ok_or_else(|| missing("type"))?, options)
    }
}

impl FileFormatFactory for FormatFactory {
    fn create(
        &self,
        _: &dyn Session,
        options: &HashMap<String, String>,
    ) -> Result<Arc<dyn FileFormat>> {
        Ok(Arc::new(self.with_options(options)?))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(self.nothing.clone())
    }
}

impl GetExt for FormatFactory {
    fn get_ext(&self) -> String {
        self.name().into()
    }
}
