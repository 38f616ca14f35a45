//! Batches written to Parquet and read back.

use fourfold_tables::{Options, Schema, Table};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::rows::{outcome, rows_of};
use crate::values::fixture;

/// Checks that all rows of a file are unchanged after Parquet.
fn check(schema: &str, name: &str, file: &str) {
    let schema = Schema::from_file(fixture(schema)).unwrap();
    let options = Options::new().batch_rows(7);
    let table = Table::with_options(&schema, name, options).unwrap();
    let path = fixture(file);
    let path = path.to_str().unwrap();

    let written = tempfile::tempfile().unwrap();
    let mut writer =
        ArrowWriter::try_new(written.try_clone().unwrap(), table.schema(), None).unwrap();
    for batch in table.read_files([path]).unwrap() {
        writer.write(&batch.unwrap()).unwrap();
    }
    writer.close().unwrap();

    let reader = ParquetRecordBatchReaderBuilder::try_new(written).unwrap();
    assert_eq!(reader.schema().fields(), table.schema().fields());
    let rows: Vec<_> = reader.build().unwrap().flat_map(|batch| rows_of(&batch.unwrap())).collect();
    assert_eq!(rows, outcome(&mut table.read_files([path]).unwrap()).rows);
}

#[test]
fn rows_come_back_from_parquet() {
    check("biniou/schemas/log.atd", "logs", "biniou/data/log.logs-hundred.biniou");
    check("biniou/schemas/save.atd", "players", "biniou/data/save.players-ten.biniou");
    check("biniou/schemas/feat.atd", "shape", "biniou/multi/feat.shape-three.biniou");
    check("molecule/schemas/blockchain.mol", "Block", "molecule/blocks/block-40.bin");
}
