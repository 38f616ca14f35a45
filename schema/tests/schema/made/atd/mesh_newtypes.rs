use serde::{Deserialize, Serialize};

pub type F32 = f32;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Vector3 {
    pub x: F32,
    pub y: F32,
    pub z: F32,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Triangle {
    pub v0: Vector3,
    pub v1: Vector3,
    pub v2: Vector3,
    pub normal: Vector3,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    pub triangles: Vec<Triangle>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct MeshArray {
    pub triangles: Vec<Triangle>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct FlatTriangle {
    pub ax: F32,
    pub ay: F32,
    pub az: F32,
    pub bx: F32,
    pub by: F32,
    pub bz: F32,
    pub cx: F32,
    pub cy: F32,
    pub cz: F32,
    pub nx: F32,
    pub ny: F32,
    pub nz: F32,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct FlatMesh {
    pub flat: FlatMeshFlat,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename = "table.FlatMeshFlat")]
pub struct FlatMeshFlat(pub Vec<FlatTriangle>);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Soup {
    pub coords: Vec<F32>,
}
