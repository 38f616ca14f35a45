//! The fixtures' schemas as Rust types, and the way from a type's name in a fixture to the type.

// As in a library: what is `pub` here is for the test modules.
#![allow(unreachable_pub)]

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub mod compare;
pub mod feat;
pub mod fixture;
pub mod log;
pub mod mesh;
pub mod save;

/// A test of one case, whatever its type.
pub trait Test {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String>;
}

macro_rules! types {
    ($($schema:ident { $($name:ident $rust:ident),* $(,)? })*) => {
        /// Runs a test with the Rust type of `name` (`"feat.point"`).
        pub fn with_type(name: &str, test: &impl Test) -> Result<(), String> {
            match name {
                $($(
                    concat!(stringify!($schema), ".", stringify!($name)) => {
                        test.run::<$schema::$rust>()
                    }
                )*)*
                _ => Err(format!("no Rust type for {name}")),
            }
        }
    };
}

types! {
    feat {
        int_default IntDefault, int_svint IntSvint, int_uvint IntUvint, int_int8 IntInt8,
        int_int16 IntInt16, int_int32 IntInt32, int_int64 IntInt64, chr Chr, flt Flt,
        flt64 Flt64, flt32 Flt32, boolean Boolean, str Str, nothing Nothing, int_opt IntOpt,
        int_nullable IntNullable, opt_opt OptOpt, opt_nullable OptNullable, unit_opt UnitOpt,
        int_list IntList, uvint_list UvintList, int8_list Int8List, int16_list Int16List,
        int32_list Int32List, int64_list Int64List, int_array IntArray, flt32_list Flt32List,
        flt64_list Flt64List, bool_list BoolList, str_list StrList, unit_list UnitList,
        opt_list OptList, matrix Matrix, matrix3 Matrix3, pair Pair, triple Triple,
        nested_tuple NestedTuple, tuple_list TupleList, tup_default TupDefault, assoc Assoc,
        assoc_obj AssocObj, empty_defaults EmptyDefaults, point Point,
        optional_record OptionalRecord, default_record DefaultRecord, base_record BaseRecord,
        derived_record DerivedRecord, outer Outer, inner_record InnerRecord,
        deep_record DeepRecord, renamed Renamed, all_scalars AllScalars, point_page PointPage,
        point_table PointTable, row Row, row_table RowTable, nested_row NestedRow,
        nested_table NestedTable, table_holder TableHolder, table_list TableList,
        basic_color BasicColor, color Color, shape Shape, tree_node TreeNode,
        classic_status ClassicStatus, color_list ColorList, status_record StatusRecord,
        wrapped_int WrappedInt, wrapped_plain WrappedPlain, wrapped_record WrappedRecord,
        chain Chain, rose Rose, point_list PointList, defaults_table DefaultsTable,
        optional_table OptionalTable,
    }
    log {
        byte Byte, address Address, entry Entry, logs Logs, log_list LogList,
        log_table LogTable,
    }
    mesh {
        f32 F32, vector3 Vector3, triangle Triangle, mesh Mesh, mesh_array MeshArray,
        flat_triangle FlatTriangle, flat_mesh FlatMesh, soup Soup,
    }
    save {
        f32 F32, i32 I32, i64 I64, u8 U8, u16 U16, vec3 Vec3, uuid Uuid, game_type GameType,
        item Item, abilities Abilities, entity Entity, recipe_book RecipeBook, player Player,
        players Players,
    }
}

struct Pass;

impl Test for Pass {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String> {
        Ok(())
    }
}

#[test]
fn unknown_names_fail() {
    assert_eq!(with_type("feat.point", &Pass), Ok(()));
    assert_eq!(with_type("feat.points", &Pass), Err("no Rust type for feat.points".into()));
    assert!(with_type("point", &Pass).is_err());
}

/// Every `type name =` of the schemas. A type with parameters has no bytes of its own.
#[test]
fn every_type_is_there() {
    let mut types = 0;
    for schema in fixture::FIXTURES.names("schemas", "atd") {
        let text = fixture::FIXTURES.text(&format!("schemas/{schema}.atd"));
        for line in text.lines().filter_map(|line| line.strip_prefix("type ")) {
            let (name, _) = line.split_once(" = ").unwrap();
            if !name.starts_with('\'') {
                assert_eq!(with_type(&format!("{schema}.{name}"), &Pass), Ok(()));
                types += 1;
            }
        }
    }
    assert_eq!(types, 103);
}
