//! Locations of tables: paths as table names, and `LOCATION` of external tables.

use std::path::Path;
use std::sync::Arc;
use std::{fmt, fs};

use async_trait::async_trait;
use datafusion::catalog::{
    DynamicFileCatalog, Session, TableProvider, TableProviderFactory, UrlTableFactory,
};
use datafusion::datasource::dynamic_file::DynamicListTableFactory;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::datasource::listing_table_factory::ListingTableFactory;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::logical_expr::CreateExternalTable;
use datafusion::prelude::SessionContext;
use futures::TryStreamExt as _;
use url::Url;

use super::{FileTable, Format};
use crate::Error;

/// Lets queries use paths as table names: `select * from 'logs/*.biniou'`.
///
/// A path may be a pattern, or a folder, which means all files in it. `format` returns the format of a path's files;
/// if it returns `None`, DataFusion chooses the format by the file name's extension.
///
/// ```
/// use std::sync::Arc;
///
/// use datafusion::prelude::SessionContext;
/// use fourfold_tables::datafusion::{Format, name_by_path};
/// use fourfold_tables::{Options, Schema};
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// # let folder = tempfile::tempdir()?;
/// # std::env::set_current_dir(&folder)?;
/// # std::fs::write("points.bin", [2, 0, 0, 0, 1, 2, 3, 4])?;
/// let schema = Schema::molecule("struct Point { x: byte, y: byte, } vector Points <Point>;")?;
/// let format = Format::new(Arc::new(schema), "Points", Options::new())?;
/// let context = name_by_path(SessionContext::new(), move |path| {
///     Ok(path.ends_with(".bin").then(|| format.clone()))
/// });
/// let rows = context.sql("select x + y from 'points.bin' where x > 1").await?.collect().await?;
/// assert_eq!(rows[0].num_rows(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(()) })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn name_by_path(
    context: SessionContext,
    format: impl Fn(&str) -> crate::Result<Option<Format>> + Send + Sync + 'static,
) -> SessionContext {
    let catalogs = Arc::clone(context.state_ref().read().catalog_list());
    let others = DynamicListTableFactory::default();
    let paths = Arc::new(Paths { format: Box::new(format), others });
    let catalogs = DynamicFileCatalog::new(catalogs, Arc::clone(&paths) as _);
    let id = context.session_id();
    let state = context.into_state_builder().with_session_id(id);
    let context = SessionContext::from(state.with_catalog_list(Arc::new(catalogs)).build());
    paths.others.session_store().with_state(context.state_weak_ref());
    context
}

/// Returns the format of a path's files.
type FormatOf = dyn Fn(&str) -> crate::Result<Option<Format>> + Send + Sync;

/// Tables by their paths.
struct Paths {
    format: Box<FormatOf>,
    others: DynamicListTableFactory,
}

impl fmt::Debug for Paths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Paths").finish_non_exhaustive()
    }
}

#[async_trait]
impl UrlTableFactory for Paths {
    async fn try_new(&self, path: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let format = (self.format)(path)?;
        if format.is_none() && !path.contains(['/', '.', '*']) {
            return self.others.try_new(path).await;
        }
        let place = place_of(path)?;
        let session = self.others.session_store().get_session().upgrade();
        let state = session
            .and_then(|session| session.read().as_any().downcast_ref::<SessionState>().cloned());
        let state = state.ok_or_else(|| DataFusionError::Plan("the session has ended".into()))?;
        expect_files(&state, &place, path).await?;
        let Some(format) = format else {
            let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
            if !matches!(ending, Some("jsonl" | "ndjson")) {
                return self.others.try_new(path).await;
            }
            let options = ListingOptions::new(Arc::new(JsonFormat::default()));
            let options = options.with_file_extension("");
            let columns = options.infer_schema(&state, &place).await?;
            let config = ListingTableConfig::new(place).with_listing_options(options);
            return Ok(Some(Arc::new(ListingTable::try_new(config.with_schema(columns))?)));
        };
        let options = ListingOptions::new(Arc::new(format.clone())).with_file_extension("");
        let config = ListingTableConfig::new(place.clone()).with_listing_options(options.clone());
        let config = config.infer_partitions_from_path(&state).await?;
        let mut options = config.options.unwrap_or(options);
        // A column of the file hides the folder column (`name=value`) of the same name.
        let is_own = |name: &String| format.columns().field_with_name(name).is_ok();
        options.table_partition_cols.retain(|(name, _)| !is_own(name));
        Ok(Some(Arc::new(FileTable::new(format, options, vec![place])?)))
    }
}

/// The URL of a path: an existing file or folder of that name, else a pattern or a URL.
fn place_of(path: &str) -> Result<ListingTableUrl> {
    let Ok(about) = fs::metadata(path) else { return ListingTableUrl::parse(path) };
    let whole = std::path::absolute(path)?;
    let url = match about.is_dir() {
        true => Url::from_directory_path(whole),
        false => Url::from_file_path(whole),
    };
    match url {
        Ok(url) => ListingTableUrl::try_new(url, None),
        Err(()) => ListingTableUrl::parse(path),
    }
}

/// The path or pattern of a local URL, else the URL itself.
pub(super) fn name_of(place: &ListingTableUrl) -> String {
    let address = place.get_url();
    let path = match address.to_file_path() {
        Ok(path) => path.display().to_string(),
        Err(()) => address.to_string(),
    };
    match place.get_glob() {
        Some(glob) => format!("{}/{glob}", path.trim_end_matches('/')),
        None => path,
    }
}

/// Returns an error for a URL without files.
pub(super) async fn expect_files(
    state: &dyn Session,
    place: &ListingTableUrl,
    path: &str,
) -> Result<()> {
    if fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
        return Err(Error::NoFile { path: path.into() }.into());
    }
    let Ok(store) = state.runtime_env().object_store(place) else {
        return Err(Error::NoStore { path: path.into() }.into());
    };
    let none = || Error::NoFiles { pattern: path.into() }.into();
    let found = match place.list_all_files(state, &*store, "").await {
        Ok(mut files) => files.try_next().await,
        Err(error) => Err(error),
    };
    match found {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(none()),
        Err(error) if is_not_found(&error) => Err(none()),
        Err(error) => Err(error),
    }
}

fn is_not_found(error: &DataFusionError) -> bool {
    matches!(
        error.find_root(),
        DataFusionError::ObjectStore(error) if matches!(**error, object_store::Error::NotFound { .. })
    )
}

/// Makes external tables.
#[derive(Debug, Default)]
pub(super) struct Tables(ListingTableFactory);

#[async_trait]
impl TableProviderFactory for Tables {
    async fn create(
        &self,
        state: &dyn Session,
        command: &CreateExternalTable,
    ) -> Result<Arc<dyn TableProvider>> {
        for location in &command.locations {
            expect_files(state, &ListingTableUrl::parse(location)?, location).await?;
        }
        Ok(FileTable::of(self.0.create(state, command).await?))
    }
}
