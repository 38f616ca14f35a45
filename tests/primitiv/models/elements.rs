//! Positions of the elements of tensors: by column, by row, by index, and in files.

use super::{CASES, build_shape, build_tensor, tensor};
use crate::support::random::{self, value};
use fourfold::primitiv::Tensor;

/// Element (i, j, k ..) of each member of the batch, in both orders.
#[test]
fn elements_have_their_index_in_both_orders() {
    random::check(
        "elements",
        CASES,
        |g| {
            let batch = 1 + value::<u32>(g) % 3;
            tensor(g, batch)
        },
        |_, tree| {
            let tensor = build_tensor(&tree);
            let (dims, batch) = (&tree.shape.dims, tree.shape.batch);
            let volume: u32 = dims.iter().product();
            assert_eq!((tensor.shape().volume(), tensor.shape().size()), (volume, volume * batch));
            let bits = |floats: &[f32]| floats.iter().map(|f| f.to_bits()).collect::<Vec<u32>>();
            let column = bits(&tensor.to_column_major());
            let row = bits(&tensor.to_row_major());
            let stored =
                tree.data.chunks(4).map(|float| u32::from_le_bytes(float.try_into().unwrap()));
            assert_eq!(column, stored.collect::<Vec<_>>());
            assert_eq!(bits(&tensor.column_major()), column);
            if volume * batch < 2000 {
                let mut by_row = Vec::new();
                for item in 0..batch {
                    for number in 0..volume {
                        // The last index is the fastest.
                        let mut left = number;
                        let mut index: Vec<u32> = dims
                            .iter()
                            .rev()
                            .map(|&dim| {
                                let at = left % dim;
                                left /= dim;
                                at
                            })
                            .collect();
                        index.reverse();
                        let strides = dims.iter().scan(1, |stride, dim| {
                            let now = *stride;
                            *stride *= dim;
                            Some(now)
                        });
                        let at: u32 =
                            index.iter().zip(strides).map(|(at, stride)| at * stride).sum();
                        let wanted = column[(at + item * volume) as usize];
                        by_row.push(wanted);
                        assert_eq!(tensor.at(&index, item).map(f32::to_bits), Some(wanted));
                    }
                }
                assert_eq!(row, by_row);
            }
            assert_eq!(tensor.at(dims, 0).is_some(), dims.is_empty());
            assert_eq!(tensor.at(&[], batch), None);
            let floats =
                |bits: &[u32]| bits.iter().map(|&b| f32::from_bits(b)).collect::<Vec<f32>>();
            let shape = build_shape(&tree.shape);
            assert!(Tensor::from_row_major(shape, &floats(&row)).unwrap() == tensor);
            assert!(Tensor::from_column_major(shape, &floats(&column)).unwrap() == tensor);
            assert!(Tensor::from_row_major(shape, &floats(&row)[1..]).is_err());
        },
    );
}

/// Array views have the same indices, with the batch as last axis.
#[cfg(feature = "ndarray")]
#[test]
fn elements_of_views() {
    random::check(
        "views",
        CASES,
        |g| {
            let batch = 1 + value::<u32>(g) % 3;
            tensor(g, batch)
        },
        |_, tree| {
            let tensor = build_tensor(&tree);
            let view = tensor.view();
            let (dims, batch) = (&tree.shape.dims, tree.shape.batch);
            let axes = dims.iter().chain(Some(&batch).filter(|&&batch| batch > 1));
            assert_eq!(view.shape(), axes.map(|&dim| dim as usize).collect::<Vec<_>>());
            for (place, wanted) in tensor.to_column_major().iter().enumerate() {
                let mut left = place;
                let index = view.shape().iter().map(|&dim| {
                    let at = left % dim;
                    left /= dim;
                    at
                });
                let index: Vec<usize> = index.collect();
                assert_eq!(view[&index[..]].to_bits(), wanted.to_bits(), "{index:?}");
            }
            if batch == 1 {
                assert!(Tensor::from_array(&view).unwrap() == tensor);
                let turned = view.t();
                let reversed: Vec<u32> = dims.iter().rev().copied().collect();
                let back = Tensor::from_array(&turned).unwrap();
                let row: Vec<u32> = tensor.to_row_major().iter().map(|f| f.to_bits()).collect();
                let column: Vec<u32> = back.to_column_major().iter().map(|f| f.to_bits()).collect();
                assert_eq!(column, row, "{dims:?} {reversed:?}");
            }
        },
    );
}

/// Files are memory-mapped and written again.
#[cfg(feature = "mmap")]
#[test]
fn files_on_disk() {
    use crate::strict;
    use fourfold::primitiv::File;

    let folder = std::env::temp_dir().join(format!("primitiv-models-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    random::check("disk", 60, super::any, |number, tree| {
        let path = folder.join(number.to_string());
        let bytes = strict::write(&tree);
        std::fs::write(&path, &bytes).unwrap();
        let file = File::open(&path).unwrap();
        assert_eq!(super::tree(&file.data), tree);
        // Replaces the file that it is mapped from.
        file.write_to(&path).unwrap();
        assert!(std::fs::read(&path).unwrap() == bytes);
        assert_eq!(super::tree(&file.data), tree);
        assert!(File::open(&path).unwrap().into_owned() == file);
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(File::open(&path).unwrap_err().is_eof());
        std::fs::write(&path, b"").unwrap();
        assert!(File::open(&path).unwrap_err().is_eof());
    });
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 60, "something is left");
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(File::open(&folder).is_err());
}
