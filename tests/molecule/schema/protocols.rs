//! `protocols.mol`: messages between CKB nodes below the level of blocks.

use fourfold::molecule::with::{DynVec, dynvec};
use serde::{Deserialize, Serialize};

use crate::ckb::types::Bytes;

pub type NodeVec = DynVec<Vec<Node>>;
pub type Node2Vec = DynVec<Vec<Node2>>;
pub type Uint16 = u16;
pub type PortOpt = Option<u16>;
pub type AddressVec = DynVec<Vec<Address>>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub enum PingPayload {
    Ping(Ping),
    Pong(Pong),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct PingMessage {
    pub payload: PingPayload,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Ping {
    pub nonce: u32,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Pong {
    pub nonce: u32,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub enum DiscoveryPayload {
    GetNodes(GetNodes),
    Nodes(Nodes),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct DiscoveryMessage {
    pub payload: DiscoveryPayload,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct GetNodes {
    pub version: u32,
    pub count: u32,
    pub listen_port: Option<u16>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct GetNodes2 {
    pub version: u32,
    pub count: u32,
    pub listen_port: Option<u16>,
    pub required_flags: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Nodes {
    pub announce: bool,
    #[serde(with = "dynvec")]
    pub items: Vec<Node>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Nodes2 {
    pub announce: bool,
    #[serde(with = "dynvec")]
    pub items: Vec<Node2>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Node {
    #[serde(with = "dynvec")]
    pub addresses: Vec<Bytes>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Node2 {
    #[serde(with = "dynvec")]
    pub addresses: Vec<Bytes>,
    pub flags: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Address {
    pub bytes: Bytes,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct IdentifyMessage {
    #[serde(with = "dynvec")]
    pub listen_addrs: Vec<Address>,
    pub observed_addr: Address,
    pub identify: Bytes,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[allow(clippy::enum_variant_names)]
pub enum HolePunchingMessage {
    ConnectionRequest(ConnectionRequest),
    ConnectionRequestDelivered(ConnectionRequestDelivered),
    ConnectionSync(ConnectionSync),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct ConnectionRequest {
    pub from: Bytes,
    pub to: Bytes,
    pub max_hops: u8,
    #[serde(with = "dynvec")]
    pub route: Vec<Bytes>,
    #[serde(with = "dynvec")]
    pub listen_addrs: Vec<Address>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct ConnectionRequestDelivered {
    pub from: Bytes,
    pub to: Bytes,
    #[serde(with = "dynvec")]
    pub route: Vec<Bytes>,
    #[serde(with = "dynvec")]
    pub sync_route: Vec<Bytes>,
    #[serde(with = "dynvec")]
    pub listen_addrs: Vec<Address>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct ConnectionSync {
    pub from: Bytes,
    pub to: Bytes,
    #[serde(with = "dynvec")]
    pub route: Vec<Bytes>,
}
