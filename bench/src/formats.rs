//! The formats and crates that are measured, called in the simplest documented way.

use std::rc::Rc;

use crate::data::Data;
use crate::data::mesh::{Mesh, Triangle};
use crate::data::{ckb, official};
use crate::format::{Borrow, Format, Kind, show};
use crate::{Outcome, data};

/// wincode without its limit of 4 MiB for one sequence, which a mesh exceeds.
pub(crate) const WINCODE: wincode::config::Configuration<true, { 64 << 20 }> =
    wincode::config::Configuration::default().with_preallocation_size_limit::<{ 64 << 20 }>();

/// A list of formats: name, code that writes `$value`, code that reads `$bytes`, and whether it borrows.
macro_rules! list {
    ($values:expr; $($kind:ident $name:literal: |$value:ident| $write:expr, |$bytes:ident| $read:expr, $borrows:ident;)*) => {
        vec![$(Format {
            name: $name,
            kind: Kind::$kind,
            values: Rc::clone($values),
            write: |$value| Ok($write?),
            read: |$bytes| Ok($read?),
            borrow: list!($borrows $bytes $read),
        }),*]
    };
    (borrows $bytes:ident $read:expr) => {{
        let borrow: Borrow = |$bytes, seen| {
            let value: T::Borrowed<'_> = $read?;
            show(&value, seen)
        };
        T::BORROWS.then_some(borrow)
    }};
    (owns $bytes:ident $read:expr) => { None };
}

/// The formats with serde, which support all types.
#[rustfmt::skip]
pub(crate) fn serde<T: Data>(values: &Rc<Vec<T>>) -> Vec<Format<T>> {
    use bincode2::config::{legacy, standard};
    use bincode2::serde::{borrow_decode_from_slice, encode_to_vec};
    use fourfold::{biniou, molecule, primitiv, tsm};

    list! { values;
        Ours "fourfold::molecule": |v| molecule::to_vec(v), |b| molecule::from_slice(b), borrows;
        Ours "fourfold::biniou": |v| biniou::to_vec(v), |b| biniou::from_slice(b), borrows;
        Ours "fourfold::tsm": |v| tsm::to_vec(v), |b| tsm::from_slice(b), borrows;
        Ours "fourfold::primitiv": |v| primitiv::to_vec(v), |b| primitiv::from_slice(b), borrows;
        Serde "serde-zap": |v| serde_zap::to_vec(v), |b| serde_zap::from_bytes(b), borrows;
        Serde "postcard": |v| postcard::to_allocvec(v), |b| postcard::from_bytes(b), borrows;
        Serde "bincode 1": |v| bincode1::serialize(v), |b| bincode1::deserialize(b), borrows;
        Serde "bincode 2, varint": |v| encode_to_vec(v, standard()),
            |b| borrow_decode_from_slice(b, standard()).map(|(value, _)| value), borrows;
        Serde "bincode 2, fixint": |v| encode_to_vec(v, legacy()),
            |b| borrow_decode_from_slice(b, legacy()).map(|(value, _)| value), borrows;
        Serde "rmp-serde": |v| rmp_serde::to_vec(v), |b| rmp_serde::from_slice(b), borrows;
        Serde "rmp-serde, named": |v| rmp_serde::to_vec_named(v), |b| rmp_serde::from_slice(b), borrows;
        Serde "cbor4ii": |v| cbor4ii::serde::to_vec(Vec::new(), v), |b| cbor4ii::serde::from_slice(b), borrows;
        Serde "ciborium": |v| ciborium_to_vec(v), |b| ciborium::from_reader(b), owns;
        Serde "serde_json": |v| serde_json::to_vec(v), |b| serde_json::from_slice(b), borrows;
        Other "bitcode, serde": |v| bitcode::serialize(v), |b| bitcode::deserialize(b), borrows;
    }
}

fn ciborium_to_vec<T: Data>(value: &T) -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes)?;
    Ok(bytes)
}

/// serde_molecule, for types with its attributes. It writes top-level structs as tables, so a tick takes 48 bytes.
pub(crate) fn serde_molecule<T: Data>(values: &Rc<Vec<T>>) -> Format<T> {
    Format {
        name: "serde_molecule",
        kind: Kind::Serde,
        values: Rc::clone(values),
        write: |value| {
            serde_molecule::to_vec(value, false).map_err(|error| error.to_string().into())
        },
        read: |bytes| {
            serde_molecule::from_slice(bytes, false).map_err(|error| error.to_string().into())
        },
        borrow: None,
    }
}

/// The crates with their own derives.
macro_rules! derived {
    ($values:expr, $owned:ty $(, $borrowed:ty)?) => {{
        use std::rc::Rc;
        use $crate::format::{Borrow, Kind, Format};
        use $crate::formats::WINCODE;
        let wincode: Option<Borrow> = None;
        let bitcode: Option<Borrow> = None;
        let rkyv: Option<Borrow> = None;
        $(
            let wincode: Option<Borrow> = wincode.or(Some(|bytes, seen| {
                let value: $borrowed = wincode::config::deserialize(bytes, WINCODE)?;
                $crate::format::show(&value, seen)
            }));
            let bitcode: Option<Borrow> = bitcode.or(Some(|bytes, seen| {
                let value: $borrowed = bitcode::decode(bytes)?;
                $crate::format::show(&value, seen)
            }));
            // Checks the bytes, and reads nothing.
            let rkyv: Option<Borrow> = rkyv.or(Some(|bytes, _| {
                let value = rkyv::access::<rkyv::Archived<$owned>, rkyv::rancor::Error>(bytes)?;
                std::hint::black_box(value);
                Ok(())
            }));
        )?
        [
            Format {
                name: "wincode",
                kind: Kind::Other,
                values: Rc::clone($values),
                write: |value: &$owned| Ok(wincode::config::serialize(value, WINCODE)?),
                read: |bytes| Ok(wincode::config::deserialize(bytes, WINCODE)?),
                borrow: wincode,
            },
            Format {
                name: "bitcode",
                kind: Kind::Other,
                values: Rc::clone($values),
                write: |value| Ok(bitcode::encode(value)),
                read: |bytes| Ok(bitcode::decode(bytes)?),
                borrow: bitcode,
            },
            Format {
                name: "rkyv",
                kind: Kind::Other,
                values: Rc::clone($values),
                write: |value| {
                    Ok(rkyv::api::high::to_bytes_in::<_, rkyv::rancor::Error>(value, Vec::new())?)
                },
                read: |bytes| Ok(rkyv::from_bytes::<$owned, rkyv::rancor::Error>(bytes)?),
                borrow: rkyv,
            },
        ]
    }};
}
pub(crate) use derived;

/// The generated code of the schema, with conversions from and to our structs.
pub(crate) fn official(values: &Rc<Vec<ckb::Block>>) -> Format<ckb::Block> {
    Format {
        name: "molecule (official)",
        kind: Kind::Other,
        values: Rc::clone(values),
        write: |block| Ok(official::write(block)),
        read: official::read,
        borrow: None,
    }
}

/// Strict mode, for code of a consensus.
pub(crate) fn strict(values: &Rc<Vec<ckb::Block>>) -> Format<ckb::Block> {
    const STRICT: fourfold::molecule::Options = fourfold::molecule::Options::new().strict(true);

    Format {
        name: "fourfold::molecule, strict",
        kind: Kind::Ours,
        values: Rc::clone(values),
        write: |block| Ok(STRICT.to_vec(block)?),
        read: |bytes| Ok(STRICT.from_slice(bytes)?),
        borrow: None,
    }
}

/// A mesh as one tensor of floats.
pub(crate) fn safetensors(values: &Rc<Vec<Mesh>>) -> Format<Mesh> {
    use safetensors::tensor::{Dtype, SafeTensors, TensorView};
    Format {
        name: "safetensors",
        kind: Kind::Other,
        values: Rc::clone(values),
        write: |mesh| {
            let mut bytes = Vec::with_capacity(48 * mesh.triangles.len());
            for numbers in mesh.triangles.iter().map(Triangle::numbers) {
                bytes.extend_from_slice(numbers.map(f32::to_le_bytes).as_flattened());
            }
            let view = TensorView::new(Dtype::F32, vec![mesh.triangles.len(), 12], &bytes)?;
            Ok(safetensors::serialize([("triangles", view)], None)?)
        },
        read: |bytes| {
            let tensors = SafeTensors::deserialize(bytes)?;
            let (all, _) = tensors.tensor("triangles")?.data().as_chunks::<48>();
            let triangle = |bytes: &[u8; 48]| {
                let mut numbers = bytes.as_chunks().0.iter().copied().map(f32::from_le_bytes);
                data::mesh::Triangle::from_numbers(|| numbers.next().unwrap_or_default())
            };
            Ok(Mesh { triangles: all.iter().map(triangle).collect() })
        },
        borrow: None,
    }
}
