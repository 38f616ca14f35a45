//! Numbers, points, colours and matrices.

use bitflags::bitflags;
use num_bigint::{BigInt, BigUint};
use serde::{Deserialize, Serialize};

use crate::run::Run;
use crate::support::Rows;

bitflags! {
    #[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
    #[serde(transparent)]
    struct Flags: u16 {
        const READ = 1;
        const WRITE = 2;
    }
}

#[derive(
    serde_repr::Serialize_repr, serde_repr::Deserialize_repr, Clone, Copy, Debug, PartialEq,
)]
#[repr(i16)]
enum Level {
    Low = -1,
    High = 300,
}

#[derive(Debug, enumset::EnumSetType)]
enum Colour {
    Red,
    Green,
    Blue,
}

#[derive(Debug, enumset::EnumSetType)]
#[enumset(serialize_repr = "list")]
enum Listed {
    One,
    Two,
}

impl Serialize for Listed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*self as u8)
    }
}

impl<'de> Deserialize<'de> for Listed {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u8::deserialize(deserializer)
            .map(|number| if number == 0 { Listed::One } else { Listed::Two })
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Decimals {
    #[serde(with = "rust_decimal::serde::str")]
    text: rust_decimal::Decimal,
    #[serde(with = "rust_decimal::serde::str_option")]
    option: Option<rust_decimal::Decimal>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct FloatDecimal {
    #[serde(with = "rust_decimal::serde::float")]
    number: rust_decimal::Decimal,
}

pub fn rows(run: &mut Run) {
    run.group("Numbers");
    run.row(
        "`num_bigint::BigInt`",
        vec![
            BigInt::from(0),
            BigInt::from(-1),
            BigInt::from(u64::MAX),
            BigInt::from(i128::MIN) * BigInt::from(i128::MAX),
        ],
    );
    run.row("`num_bigint::BigUint`", vec![BigUint::from(0u8), BigUint::from(u128::MAX) * 7u8]);
    run.row(
        "`num_rational::Ratio`",
        vec![num_rational::Ratio::new(1i64, 3), num_rational::Ratio::new(0, 1)],
    );
    run.row("`num_complex::Complex`", vec![num_complex::Complex::new(1.5f64, -0.0)]);
    let decimals = || {
        ["0", "-1.50", "79228162514264337593543950335"]
            .map(|t| t.parse::<rust_decimal::Decimal>().unwrap())
    };
    run.row("`rust_decimal::Decimal`", decimals().to_vec());
    run.row(
        "`rust_decimal::serde::str`",
        decimals()
            .map(|number| Decimals { text: number, option: Some(number).filter(|n| !n.is_zero()) })
            .into(),
    );
    run.row("`rust_decimal::serde::float`", vec![FloatDecimal { number: "-1.5".parse().unwrap() }]);
    run.row(
        "`bigdecimal::BigDecimal`",
        ["0", "-1.50", "1e-40"].map(|t| t.parse::<bigdecimal::BigDecimal>().unwrap()).to_vec(),
    );
    run.row(
        "`ordered_float::OrderedFloat`",
        [0.0, f64::NAN, f64::INFINITY].map(ordered_float::OrderedFloat).to_vec(),
    );
    run.row(
        "`ordered_float::NotNan`",
        [0.0f32, -1.5].map(|n| ordered_float::NotNan::new(n).unwrap()).to_vec(),
    );
    run.row("`half::f16`, `bf16`", vec![(half::f16::from_f32(1.5), half::bf16::from_f32(-2.0))]);
    run.row("`ethnum::U256`", vec![ethnum::U256::ZERO, ethnum::U256::MAX]);
    run.row("`ethnum::I256`", vec![ethnum::I256::MIN, ethnum::I256::MAX]);
    run.row(
        "`fixed::types::I16F16`",
        vec![fixed::types::I16F16::MIN, fixed::types::I16F16::from_num(1.5)],
    );
    run.row("`bitflags` of u16", vec![Flags::empty(), Flags::READ, Flags::all()]);
    run.row("`serde_repr`", vec![Level::Low, Level::High]);
    run.row(
        "`enumset::EnumSet`",
        vec![
            enumset::EnumSet::<Colour>::empty(),
            Colour::Red | Colour::Blue,
            enumset::EnumSet::all(),
        ],
    );
    run.row(
        "`enumset::EnumSet` as a list",
        vec![enumset::EnumSet::<Listed>::empty(), enumset::EnumSet::all()],
    );
    run.group("Points, colours, matrices");
    run.row("`glam::Vec3`, `Quat`", vec![(glam::Vec3::new(1.0, 2.0, 3.0), glam::Quat::IDENTITY)]);
    run.row(
        "`glam::Mat4`, `DMat2`, `Affine3A`",
        vec![(glam::Mat4::IDENTITY, glam::DMat2::ZERO, glam::Affine3A::IDENTITY)],
    );
    run.row(
        "`glam::IVec2`, `U16Vec4`, `BVec3`",
        vec![(glam::IVec2::new(-1, 2), glam::U16Vec4::MAX, glam::BVec3::new(true, false, true))],
    );
    run.row(
        "`euclid::Point2D`, `Rect`, `Transform3D`",
        vec![(
            euclid::default::Point2D::new(1.0f32, 2.0),
            euclid::default::Rect::new(euclid::point2(0u8, 1), euclid::size2(2, 3)),
            euclid::default::Transform3D::<f64>::identity(),
        )],
    );
    run.row(
        "`euclid::Length`, `Angle`, `Scale`",
        vec![(
            euclid::default::Length::new(1u32),
            euclid::Angle::radians(1.0f32),
            euclid::default::Scale::new(2.0f64),
        )],
    );
    run.row("`rgb::RGBA8`, `RGB16`", vec![(rgb::RGBA8::new(1, 2, 3, 4), rgb::RGB16::new(1, 2, 3))]);
    run.row(
        "`ndarray::Array2`",
        vec![ndarray::array![[1.0f64, 2.0], [3.0, 4.0]], ndarray::Array2::zeros((0, 3))],
    );
    run.row("`ndarray::ArrayD`", vec![ndarray::ArrayD::<u8>::zeros(ndarray::IxDyn(&[2, 1, 3]))]);
    let point = geo_types::Point::new(1.0, 2.0);
    let line = geo_types::LineString::from(vec![(0.0, 0.0), (1.0, 1.0)]);
    run.row(
        "`geo_types::Geometry`",
        vec![
            geo_types::Geometry::Point(point),
            geo_types::Geometry::LineString(line.clone()),
            geo_types::Geometry::GeometryCollection(vec![geo_types::Geometry::Point(point)].into()),
        ],
    );
    run.row("`geo_types::Polygon`", vec![geo_types::Polygon::new(line, vec![])]);
}
