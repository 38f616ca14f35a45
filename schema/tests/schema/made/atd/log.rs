use fourfold::biniou::with;
use serde::{Deserialize, Serialize};

pub type Byte = with::Int8<u8>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Address {
    #[serde(with = "with::int8")]
    pub x0: u8,
    #[serde(with = "with::int8")]
    pub x1: u8,
    #[serde(with = "with::int8")]
    pub x2: u8,
    #[serde(with = "with::int8")]
    pub x3: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
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

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Logs {
    pub logs: Vec<Entry>,
}

pub type LogList = Vec<Entry>;
pub type LogTable = with::Table<Vec<Entry>>;
