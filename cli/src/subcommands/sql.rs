//! `fourfold sql`: SQL queries on files of records.

mod answer;

use std::collections::{BTreeSet, HashMap};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{fs, thread};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use clap::Args;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::DataFusionError;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::logical_expr::{DdlStatement, LogicalPlan, Statement as Action};
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use datafusion::prelude::{DataFrame, SessionConfig, SessionContext};
use datafusion::sql::parser::{DFParserBuilder, Statement};
use fourfold_inspect::formats::is_hex_text;
use fourfold_tables::Error;
use fourfold_tables::datafusion::{Format, Scanned, name_by_path, register};
use futures::StreamExt as _;
use tokio::runtime::Runtime;
use tokio::time::timeout;

use self::answer::{Form, save};
use crate::choice::Choice;
use crate::failure::{ExitStatus, Failure, warn};
use crate::input::look;
use crate::names::Names;
use crate::progress::Progress;
use crate::project::Project;
use crate::records::{self, WideNumbers, failed, report};
use crate::target;

/// Query files of records in SQL: biniou and Molecule with their schema, joined with Parquet, CSV and
/// JSON files.
///
/// A table is a path in single quotes: a file, a pattern, or a folder with all files in it and its subfolders.
/// The extensions .parquet, .csv, .json, .jsonl and .arrow (JSON: an object on each line) select these formats;
/// the type of other files is set by --schema and --type, or for each path by the project's fourfold.toml.
/// Columns with capital letters need double quotes. Without ORDER BY, the order of rows is undefined.
/// Queries are separated by `;`. CREATE EXTERNAL TABLE … STORED AS biniou or molecule declares a table with its
/// own schema, and COPY … TO writes such files.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The query, or `-` to read it from standard input.
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    query: String,
    #[command(flatten)]
    records: records::Reading,
    /// The file for the result, which is printed by default.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// The output format, if the extension of OUT does not select it: by default, a text table.
    #[arg(long, value_name = "FORM")]
    to: Option<Form>,
    /// The type for numbers of more than 64 bits, such as `Uint128`. Decimals, the default, are compared, sorted and added
    /// as numbers; strings are compared as text, and `cast(x as decimal(39, 0))` converts them.
    #[arg(long, value_name = "FORM")]
    wide_numbers: Option<WideNumbers>,
}

const EXAMPLES: &str = "\
Examples:
  fourfold sql \"select host, count(*) from 'logs/*.biniou' group by host\" --schema log.atd --type entry
  fourfold sql \"select sum(capacity) from 'cells.bin'\" --schema blockchain.mol --type CellOutputVec
  fourfold sql \"select * from 'log.biniou' where level = 'Error'\" --schema log.atd --type entry -o errors.csv
  fourfold sql \"select l.host, h.owner from 'logs/' l join 'hosts.csv' h on l.host = h.name\" --schema log.atd --type entry
  fourfold sql \"create external table log stored as biniou options ('schema' 'log.atd', 'type' 'entry')
      location 'logs/'; select count(*) from log\"
  fourfold sql \"copy (select * from 'log.parquet') to 'log.biniou' options ('schema' 'log.atd', 'type' 'entry')\"";

/// The stack size for visiting plans.
const STACK: usize = 64 << 20;

/// How often a bar is updated.
const TICK: Duration = Duration::from_millis(100);

impl Arguments {
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let form = Form::of(self.to, self.output.as_deref())?;
        thread::scope(|scope| {
            // Plans are trees, and DataFusion visits them by recursion.
            let thread = thread::Builder::new().stack_size(STACK);
            let answered = thread.spawn_scoped(scope, || self.answer(form));
            let answered =
                answered.map_err(|error| Failure::Usage(format!("no threads: {error}")))?;
            answered.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn answer(&self, form: Form) -> Result<ExitStatus, Failure> {
        let mut query = self.query.clone();
        if query == "-" {
            query.clear();
            let read = io::stdin().read_to_string(&mut query);
            read.map_err(|error| Failure::io(Path::new("-"), error))?;
        }
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.enable_time().thread_stack_size(STACK).build();
        let runtime = runtime.map_err(|error| Failure::Usage(format!("no threads: {error}")))?;
        let schemas = Schemas::default();
        schemas.add(self.records.types.file());
        let context = self.context(schemas.clone())?;
        let parser = DFParserBuilder::new(query.as_str()).build();
        let parsed = parser.and_then(|mut parser| parser.parse_statements());
        let mut statements = parsed.map_err(refused)?;
        if statements.is_empty() {
            return Err(Failure::Usage("there is no query".into()));
        }
        while let Some(statement) = statements.pop_front() {
            let Some(query) = runtime.block_on(prepare(&context, statement, &schemas))? else {
                continue;
            };
            let is_one_only = self.output.is_some() || form == Form::Parquet;
            let output = match (&self.output, statements.is_empty()) {
                (_, false) if is_one_only => {
                    let text =
                        "a file has one result: of several queries, only the last can have one";
                    return Err(Failure::Usage(text.into()));
                }
                (output, _) => output.as_deref(),
            };
            let mut batches = Batches::of(&runtime, &context, query.frame)?;
            let mut files = files_of(&batches.plan);
            files.extend(schemas.paths());
            let files = || files.iter().map(PathBuf::as_path);
            for output in output.into_iter().chain(query.copy.as_deref()) {
                target::refuse_to_overwrite(output, files())?;
            }
            target::refuse_to_print_over(files())?;
            save(&mut batches, form, output)?;
            let scanned = Scanned::by(&batches.plan);
            report(&scanned.damages, scanned.damaged_rows);
        }
        Ok(ExitStatus::Good)
    }

    /// A session in which paths are table names.
    fn context(&self, schemas: Schemas) -> Result<SessionContext, Failure> {
        let config = SessionConfig::from_env().map_err(refused)?.with_information_schema(true);
        let context = SessionContext::new_with_config(config);
        register(&context).map_err(refused)?;
        let (project, records) = (Project::here()?, self.records.clone());
        let wide_numbers = self.wide_numbers;
        Ok(name_by_path(context, move |path| {
            if !is_path(path) || is_of_others(path) {
                return Ok(None);
            }
            if path == "-" {
                return Err(Error::NoFile { path: path.into() });
            }
            // The callback returns errors of `fourfold_tables`.
            let wrong = |failure: Failure| Error::Schema(failure.to_string().into());
            let mut records = records.clone();
            if let Some(project) = &project {
                let (files, choice) = ([Path::new(path)], Choice { format: None });
                project.apply_first(files, choice, &mut Names::default(), &mut records.types);
            }
            schemas.add(records.types.file());
            let (schema, name) = records.schema().map_err(wrong)?;
            if let Some(file) = records.types.file() {
                warn_of_hex(path, file, &name);
            }
            let options = match wide_numbers {
                Some(numbers) => records.options().wide_numbers(numbers.columns()),
                None => records.options(),
            };
            Format::new(Arc::new(schema), &name, options).map(Some)
        }))
    }
}

/// The schema files that were read: from `--schema`, the project's rules, and the options of tables.
#[derive(Clone, Debug, Default)]
struct Schemas(Arc<Mutex<BTreeSet<PathBuf>>>);

impl Schemas {
    fn add<'p>(&self, files: impl IntoIterator<Item = &'p Path>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(files.into_iter().map(Path::to_owned));
    }

    /// Adds the schemas in the options of a table or of `COPY`.
    fn add_of(&self, options: &HashMap<String, String>) {
        // DataFusion adds a prefix to the options of a format.
        let is_schema = |key: &str| key == "schema" || key.ends_with(".schema");
        self.add(options.iter().filter(|(key, _)| is_schema(key)).map(|(_, file)| Path::new(file)));
    }

    fn paths(&self) -> Vec<PathBuf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// The local files that a plan reads.
fn files_of(plan: &Arc<dyn ExecutionPlan>) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = plan.children().into_iter().flat_map(files_of).collect();
    let source = plan.downcast_ref::<DataSourceExec>();
    let config = source.and_then(|source| source.data_source().downcast_ref::<FileScanConfig>());
    let local = |config: &&FileScanConfig| config.object_store_url.as_str().starts_with("file:");
    for group in config.filter(local).into_iter().flat_map(|config| &config.file_groups) {
        let paths =
            group.iter().map(|file| Path::new("/").join(file.object_meta.location.as_ref()));
        files.extend(paths);
    }
    files
}

/// Whether a table's name is a path.
fn is_path(name: &str) -> bool {
    name == "-" || name.contains(['/', '\\', '.', '*', '?', '[']) || Path::new(name).exists()
}

/// Whether DataFusion itself reads files of that name.
fn is_of_others(path: &str) -> bool {
    const OTHERS: [&str; 6] = ["parquet", "csv", "json", "jsonl", "ndjson", "arrow"];
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| OTHERS.iter().any(|other| other.eq_ignore_ascii_case(ending)))
}

/// A query, and the file that `COPY` writes.
struct Query {
    frame: DataFrame,
    copy: Option<PathBuf>,
}

/// Executes a statement, or returns it if it is a query.
async fn prepare(
    context: &SessionContext,
    statement: Statement,
    schemas: &Schemas,
) -> Result<Option<Query>, Failure> {
    let plan = context.state().statement_to_plan(statement).await.map_err(refused)?;
    match &plan {
        LogicalPlan::Ddl(DdlStatement::CreateExternalTable(table)) => {
            schemas.add_of(&table.options);
            let option = |key| table.options.get(&format!("format.{key}"));
            if let (Some(file), Some(name)) = (option("schema"), option("type")) {
                table.locations.iter().for_each(|path| warn_of_hex(path, Path::new(file), name));
            }
        }
        LogicalPlan::Copy(copy) => schemas.add_of(&copy.options),
        _ => {}
    }
    let is_query = match &plan {
        LogicalPlan::Ddl(_) => false,
        LogicalPlan::Statement(statement) => matches!(statement, Action::Execute(_)),
        _ => true,
    };
    let copy = match &plan {
        LogicalPlan::Copy(copy) => {
            let place = ListingTableUrl::parse(&copy.output_url).map_err(refused)?;
            place.get_url().to_file_path().ok()
        }
        _ => None,
    };
    let frame = context.execute_logical_plan(plan).await.map_err(refused)?;
    Ok(is_query.then_some(Query { frame, copy }))
}

/// The result of a query.
struct Batches<'r> {
    runtime: &'r Runtime,
    plan: Arc<dyn ExecutionPlan>,
    stream: SendableRecordBatchStream,
    progress: Option<Progress>,
}

impl<'r> Batches<'r> {
    fn of(
        runtime: &'r Runtime,
        context: &SessionContext,
        frame: DataFrame,
    ) -> Result<Self, Failure> {
        let plan = runtime.block_on(frame.create_physical_plan()).map_err(refused)?;
        // Plans can start tasks on this runtime.
        let _here = runtime.enter();
        let stream = execute_stream(Arc::clone(&plan), context.task_ctx()).map_err(refused)?;
        let progress = usize::try_from(Scanned::by(&plan).of_bytes).ok().map(Progress::of_bytes);
        Ok(Batches { runtime, plan, stream, progress })
    }

    fn columns(&self) -> SchemaRef {
        self.stream.schema()
    }
}

impl Iterator for Batches<'_> {
    type Item = Result<RecordBatch, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let next = async { timeout(TICK, self.stream.next()).await };
            let next = self.runtime.block_on(next);
            if let Some(progress) = &self.progress {
                progress.reach_by(|| Scanned::by(&self.plan).bytes);
            }
            if let Ok(next) = next {
                if next.is_none() {
                    self.progress = None;
                }
                return next.map(|batch| batch.map_err(refused));
            }
        }
    }
}

/// Warns of hex text, with the command that converts it to a file which `sql` reads.
fn warn_of_hex(path: &str, schema: &Path, name: &str) {
    let file = Path::new(path);
    // Reading would consume the bytes of a pipe.
    let is_file = fs::metadata(file).is_ok_and(|about| about.is_file());
    if is_file && look(file).is_ok_and(|(input, _)| is_hex_text(&input.bytes)) {
        let (rows, schema) = (file.with_extension("parquet"), schema.display());
        let rows = rows.display();
        warn(&format!(
            "{path}: this is hex text; query '{rows}' after `fourfold convert {path} {rows} --hex \
             --schema {schema} --type {name}`"
        ));
    }
}

/// The error of a query or its files.
fn refused(error: DataFusionError) -> Failure {
    match Error::in_query(&error) {
        Some(error) => match (error, failed(error)) {
            (Error::TooWide(_), Failure::Data { name, text }) => {
                let text = format!("{text}, or the option 'wide_numbers' 'text' of a table");
                Failure::Data { name, text }
            }
            (_, failure) => failure,
        },
        // Some errors have several lines.
        None => Failure::Usage(error.strip_backtrace().replace('\n', " ")),
    }
}
