//! A Ballista scheduler that plans queries over biniou and Molecule files, with the options of `ballista-scheduler`.

use std::net::{AddrParseError, SocketAddr};
use std::sync::Arc;

use ballista_core::error::{BallistaError, Result};
use ballista_core::object_store::{session_config_with_s3_support, session_state_with_s3_support};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::{Config, SchedulerConfig};
use ballista_scheduler::scheduler_process::start_server;
use clap::Parser as _;
use fourfold_cluster::logging::Log;
use fourfold_cluster::{LogicalCodec, PhysicalCodec};

/// The stack size of Ballista's own scheduler: planning is recursive.
const STACK: usize = 32 << 20;

fn main() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_stack_size(STACK)
        .build()
        .map_err(BallistaError::IoError)?;
    runtime.block_on(serve())
}

async fn serve() -> Result<()> {
    let options = Config::parse();
    let log = Log {
        level: &options.log_level_setting,
        threads: options.print_thread_info,
        folder: options.log_dir.as_deref(),
        prefix: format!(
            "scheduler_{}_{}_{}",
            options.namespace, options.external_host, options.bind_port
        ),
        rotation: options.log_rotation_policy,
    };
    log.start();
    let address = format!("{}:{}", options.bind_host, options.bind_port);
    let address: SocketAddr = address
        .parse()
        .map_err(|error: AddrParseError| BallistaError::Configuration(error.to_string()))?;
    let mut config: SchedulerConfig = options.try_into()?;
    config.override_logical_codec = Some(Arc::new(LogicalCodec::default()));
    config.override_physical_codec = Some(Arc::new(PhysicalCodec::default()));
    let config = config
        .with_override_config_producer(Arc::new(session_config_with_s3_support))
        .with_override_session_builder(Arc::new(session_state_with_s3_support));
    let cluster = BallistaCluster::new_from_config(&config).await?;
    start_server(cluster, address, Arc::new(config)).await
}
