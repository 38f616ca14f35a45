//! A Ballista executor that reads biniou and Molecule files, with the options of `ballista-executor`.

use std::net::SocketAddr;
use std::sync::Arc;

use ballista_core::error::BallistaError;
use ballista_core::object_store::{runtime_env_with_s3_support, session_config_with_s3_support};
use ballista_executor::config::Config;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::health::spawn_health_server;
use clap::Parser as _;
use fourfold_cluster::logging::Log;
use fourfold_cluster::{LogicalCodec, PhysicalCodec};

#[tokio::main]
async fn main() -> ballista_core::error::Result<()> {
    let options = Config::parse();
    let health = format!("{}:{}", options.bind_host, options.bind_health_port);
    let health: SocketAddr = health.parse().map_err(|error| {
        BallistaError::Configuration(format!("--bind-health-port: {health}: {error}"))
    })?;
    let mut config: ExecutorProcessConfig = options.try_into()?;
    config.override_config_producer = Some(Arc::new(session_config_with_s3_support));
    config.override_runtime_producer = Some(Arc::new(runtime_env_with_s3_support));
    config.override_logical_codec = Some(Arc::new(LogicalCodec::default()));
    config.override_physical_codec = Some(Arc::new(PhysicalCodec::default()));
    let log = Log {
        level: &config.special_mod_log_level,
        threads: config.print_thread_info,
        folder: config.log_dir.as_deref(),
        prefix: config.log_file_name_prefix(),
        rotation: config.log_rotation_policy,
    };
    log.start();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let healthy = spawn_health_server(health, config.health.clone(), stopped);
    let result = start_executor_process(Arc::new(config)).await;
    // Stops the health server.
    let _ = stop.send(());
    let _ = healthy.await;
    result
}
