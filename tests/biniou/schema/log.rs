//! `log.atd`: an HTTP access log.

use fourfold::biniou::with::{self, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "int8.Byte")]
pub struct Byte(pub u8);

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Address {
    pub x0: Byte,
    pub x1: Byte,
    pub x2: Byte,
    pub x3: Byte,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Entry {
    pub address: Address,
    pub identity: String,
    pub userid: String,
    pub date: String,
    pub request: String,
    #[serde(with = "with::int16")]
    pub code: u16,
    pub size: u64,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Logs {
    pub logs: Vec<Entry>,
}

pub type LogList = Vec<Entry>;
pub type LogTable = Table<Vec<Entry>>;
