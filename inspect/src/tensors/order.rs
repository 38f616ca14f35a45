//! The memory order of a tensor's elements, and conversion to the other order.

use std::fmt;
use std::io;

/// The maximum size of a converted block in bytes, if a row is not larger.
const BLOCK: usize = 1 << 20;

/// The memory order of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The last index is the fastest, as in C.
    RowMajor,
    /// The first index is the fastest, as in Fortran.
    ColumnMajor,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Order::RowMajor => "row-major",
            Order::ColumnMajor => "column-major",
        })
    }
}

/// Whether both orders are the same for that shape.
pub(super) fn is_same(shape: &[usize], from: Order, to: Order) -> bool {
    from == to || shape.contains(&0) || shape.iter().filter(|size| **size > 1).count() < 2
}

/// Passes on the elements of a tensor converted from the other order to `to`.
pub(super) fn reordered(
    bytes: &[u8],
    shape: &[usize],
    to: Order,
    emit: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let count: usize = shape.iter().product();
    let size = bytes.len().checked_div(count).unwrap_or(0);
    // The axes from the slowest to the fastest of the result, without those of size 1.
    let mut axes: Vec<usize> = shape.iter().copied().filter(|size| *size > 1).collect();
    if to == Order::ColumnMajor {
        axes.reverse();
    }
    let Some((&slowest, rest)) = axes.split_first() else { return emit(bytes) };
    // The slowest axis of the result is the fastest of the source: consecutive rows have adjacent elements, so that a
    // few rows are converted at once.
    let row: usize = rest.iter().product::<usize>() * size;
    let most = (BLOCK / row.max(1)).clamp(1, slowest);
    let mut block = vec![0; most * row];
    for start in (0..slowest).step_by(most) {
        let rows = most.min(slowest - start);
        let mut index = vec![0; rest.len()];
        for at in (0..row).step_by(size.max(1)) {
            // The position of the first of the adjacent elements, with the slowest axis fastest.
            let position = rest.iter().zip(&index).rev().fold(0, |sum, (axis, i)| sum * axis + i);
            let from = (position * slowest + start) * size;
            let adjacent = bytes.get(from..from + rows * size).unwrap_or_default();
            for (element, target) in adjacent.chunks_exact(size).zip(block.chunks_exact_mut(row)) {
                if let Some(place) = target.get_mut(at..at + size) {
                    place.copy_from_slice(element);
                }
            }
            step(&mut index, rest);
        }
        emit(block.get(..rows * row).unwrap_or_default())?;
    }
    Ok(())
}

/// The next index, the last axis fastest.
fn step(index: &mut [usize], axes: &[usize]) {
    for (i, axis) in index.iter_mut().zip(axes).rev() {
        *i += 1;
        if *i < *axis {
            return;
        }
        *i = 0;
    }
}

/// The index of the element at that position, in row-major order.
pub fn index_of(mut place: usize, shape: &[usize]) -> Vec<usize> {
    let mut index: Vec<usize> = shape
        .iter()
        .rev()
        .map(|axis| {
            let i = place.checked_rem(*axis).unwrap_or(0);
            place = place.checked_div(*axis).unwrap_or(0);
            i
        })
        .collect();
    index.reverse();
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put_in(to: Order, bytes: &[u8], shape: &[usize]) -> Vec<u8> {
        let mut out = Vec::new();
        reordered(bytes, shape, to, &mut |piece| {
            out.extend_from_slice(piece);
            Ok(())
        })
        .unwrap();
        out
    }

    #[test]
    fn a_matrix_is_transposed() {
        // 0 1 2
        // 3 4 5
        assert_eq!(put_in(Order::ColumnMajor, &[0, 1, 2, 3, 4, 5], &[2, 3]), [0, 3, 1, 4, 2, 5]);
        assert_eq!(put_in(Order::RowMajor, &[0, 3, 1, 4, 2, 5], &[2, 3]), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn any_shape_and_element_size_comes_back() {
        for shape in [vec![2, 3, 4], vec![3, 1, 2, 5], vec![7, 2, 3], vec![1, 6, 1, 2]] {
            for size in [1, 2, 4, 8, 16] {
                let count: usize = shape.iter().product();
                let bytes: Vec<u8> = (0..251).cycle().take(count * size).collect();
                let column = put_in(Order::ColumnMajor, &bytes, &shape);
                for (place, element) in bytes.chunks(size).enumerate() {
                    let index = index_of(place, &shape);
                    let at =
                        shape.iter().zip(&index).rev().fold(0, |sum, (axis, i)| sum * axis + i);
                    assert_eq!(column[at * size..][..size], *element, "{shape:?} {index:?}");
                }
                assert_eq!(put_in(Order::RowMajor, &column, &shape), bytes);
            }
        }
    }

    #[test]
    fn many_blocks_make_one_whole() {
        let shape = [300, 5000];
        let bytes: Vec<u8> = (0..239).cycle().take(300 * 5000).collect();
        let column = put_in(Order::ColumnMajor, &bytes, &shape);
        assert_eq!(put_in(Order::RowMajor, &column, &shape), bytes);
        assert_ne!(column, bytes);
    }
}
