//! 125,000 triangles of twelve floats: only numbers.

use serde::{Deserialize, Serialize};

use crate::random::Random;

#[derive(
    Serialize,
    Deserialize,
    Clone,
    PartialEq,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
    rkyv::Archive,
    rkyv::Serialize,
    rkyv::Deserialize,
)]
#[serde(rename = "struct.Vector")]
#[repr(C)]
pub(crate) struct Vector {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) z: f32,
}

#[derive(
    Serialize,
    Deserialize,
    Clone,
    PartialEq,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
    rkyv::Archive,
    rkyv::Serialize,
    rkyv::Deserialize,
)]
#[serde(rename = "struct.Triangle")]
#[repr(C)]
pub(crate) struct Triangle {
    pub(crate) v0: Vector,
    pub(crate) v1: Vector,
    pub(crate) v2: Vector,
    pub(crate) normal: Vector,
}

#[derive(
    Serialize,
    Deserialize,
    Clone,
    PartialEq,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
    rkyv::Archive,
    rkyv::Serialize,
    rkyv::Deserialize,
)]
pub(crate) struct Mesh {
    pub(crate) triangles: Vec<Triangle>,
}

super::owned_only!(Mesh);

impl Triangle {
    pub(crate) fn numbers(&self) -> [f32; 12] {
        let Triangle { v0: a, v1: b, v2: c, normal: n } = self;
        [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, n.x, n.y, n.z]
    }

    pub(crate) fn from_numbers(mut next: impl FnMut() -> f32) -> Self {
        let mut vector = || Vector { x: next(), y: next(), z: next() };
        Triangle { v0: vector(), v1: vector(), v2: vector(), normal: vector() }
    }
}

pub(crate) fn mesh() -> Mesh {
    let triangle = |r: &mut Random| Triangle::from_numbers(|| r.float());
    Mesh { triangles: Random::new(2).many(125_000, triangle) }
}

/// The most that serde's `Vec` reserves at first, for any size hint (serde_core 1.0, `size_hint`).
const FIRST: usize = 1 << 20;

/// The triangles pushed into a `Vec` that grows as serde's does: no row-oriented serde format can read
/// faster.
pub(crate) fn pushed(mesh: &Mesh) -> Mesh {
    let first = mesh.triangles.len().min(FIRST / size_of::<Triangle>());
    let mut triangles = Vec::with_capacity(first);
    mesh.triangles.iter().for_each(|triangle| triangles.push(triangle.clone()));
    Mesh { triangles }
}
