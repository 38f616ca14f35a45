use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "int8.Byte")]
pub struct Byte(pub u8);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Address {
    pub x0: Byte,
    pub x1: Byte,
    pub x2: Byte,
    pub x3: Byte,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Entry {
    pub address: Address,
    pub identity: String,
    pub userid: String,
    pub date: String,
    pub request: String,
    pub code: EntryCode,
    pub size: u64,
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "int16.EntryCode")]
pub struct EntryCode(pub u16);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Logs {
    pub logs: Vec<Entry>,
}

pub type LogList = Vec<Entry>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "table.LogTable")]
pub struct LogTable(pub Vec<Entry>);
