//! A window of a tensor's elements: slices of its axes, and elements as text. Only the elements in the window are read.

mod slice;
mod text;

use std::io;
use std::ops::Range;

pub use self::slice::{Axis, Slice};
pub use self::text::Form;
use crate::model::Kind;
use crate::tensors::Order;

/// Ranges of bytes with less than this between them are read at once.
const GAP: usize = 4 << 10;

/// The most bytes that are read at once.
const MOST: usize = 1 << 20;

/// Where the elements of a tensor are in its bytes.
#[derive(Clone, Debug)]
pub struct Layout {
    pub kind: Kind,
    pub shape: Vec<usize>,
    pub order: Order,
    /// The number of bytes.
    pub len: usize,
}

impl Layout {
    /// The position of the element with that index; `None` if there is none.
    pub fn position(&self, index: &[usize]) -> Option<usize> {
        if index.len() != self.shape.len() {
            return None;
        }
        let pairs = self.shape.iter().zip(index);
        let step = |position: Option<usize>, (size, at): (&usize, &usize)| {
            let inside = (at < size).then_some(*at)?;
            position?.checked_mul(*size)?.checked_add(inside)
        };
        match self.order {
            Order::RowMajor => pairs.fold(Some(0), step),
            Order::ColumnMajor => pairs.rev().fold(Some(0), step),
        }
    }

    /// The range of bytes that contains the element at that position, and its position in that range.
    fn place(&self, position: usize) -> Option<(Range<usize>, usize)> {
        let bits = self.kind.bits();
        // Eight elements take as many bytes as one has bits.
        let (start, len, inside) = match bits % 8 {
            0 => (position.checked_mul(bits / 8)?, bits / 8, 0),
            _ => ((position / 8).checked_mul(bits)?, bits, position % 8),
        };
        let end = start.checked_add(len)?.min(self.len);
        (start < end).then_some((start..end, inside))
    }

    /// The offset of the byte in which the element at that position begins.
    pub fn byte_of(&self, position: usize) -> Option<usize> {
        let (range, inside) = self.place(position)?;
        range.start.checked_add(inside * self.kind.bits() / 8)
    }

    /// The texts of the elements at these positions; empty where there is none. `read` fills a slice with the tensor's
    /// bytes from an offset on.
    ///
    /// # Errors
    ///
    /// Those of `read`.
    pub fn texts(
        &self,
        positions: &[Option<usize>],
        form: Form,
        read: &mut dyn FnMut(usize, &mut [u8]) -> io::Result<()>,
    ) -> io::Result<Vec<String>> {
        let mut texts = vec![String::new(); positions.len()];
        let places = positions.iter().zip(&mut texts);
        let mut wanted: Vec<_> = places
            .filter_map(|(position, text)| {
                let (range, inside) = self.place((*position)?)?;
                Some((range, inside, text))
            })
            .collect();
        wanted.sort_by_key(|(range, ..)| range.start);
        let mut rest = wanted.as_mut_slice();
        let mut bytes = Vec::new();
        while let Some((first, ..)) = rest.first() {
            let mut all = first.clone();
            let near = rest.iter().take_while(|(range, ..)| {
                let is_near = range.start <= all.end.saturating_add(GAP);
                let takes = is_near && range.end - all.start <= MOST.max(first.len());
                if takes {
                    all.end = all.end.max(range.end);
                }
                takes
            });
            let count = near.count();
            bytes.resize(all.len(), 0);
            read(all.start, &mut bytes)?;
            let (now, later) = rest.split_at_mut(count);
            for (range, inside, text) in now {
                let own = bytes.get(range.start - all.start..range.end - all.start);
                let mut small = [0];
                let element = own.and_then(|own| self.kind.at(own, *inside, &mut small));
                **text = element.map_or_else(String::new, |bytes| form.text(self.kind, bytes));
            }
            rest = later;
        }
        Ok(texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensors::Small;

    fn layout(kind: Kind, shape: &[usize], order: Order, len: usize) -> Layout {
        Layout { kind, shape: shape.to_vec(), order, len }
    }

    #[test]
    fn an_index_has_a_position_in_both_orders() {
        let row = layout(Kind::Unsigned(1), &[2, 3, 4], Order::RowMajor, 24);
        let column = Layout { order: Order::ColumnMajor, ..row.clone() };
        assert_eq!(row.position(&[1, 2, 3]), Some(23));
        assert_eq!((row.position(&[1, 0, 2]), column.position(&[1, 0, 2])), (Some(14), Some(13)));
        assert_eq!((row.position(&[0, 3, 0]), row.position(&[0, 0])), (None, None));
        assert_eq!(layout(Kind::Float32, &[], Order::RowMajor, 4).position(&[]), Some(0));
    }

    #[test]
    fn near_elements_are_read_at_once() {
        let all: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        let layout = layout(Kind::Unsigned(1), &[100_000], Order::RowMajor, all.len());
        let mut reads = Vec::new();
        let positions = [Some(50_001), Some(3), None, Some(200_000), Some(1000), Some(50_000)];
        let texts = layout.texts(&positions, Form::Auto, &mut |start, into| {
            reads.push((start, into.len()));
            into.copy_from_slice(&all[start..start + into.len()]);
            Ok(())
        });
        assert_eq!(texts.unwrap(), ["81", "3", "", "", "232", "80"]);
        assert_eq!(reads, [(3, 998), (50_000, 2)]);
    }

    #[test]
    fn elements_of_less_than_a_byte_are_read() {
        let bytes = [0x21, 0x43, 0x65, 0x07];
        let layout = layout(Kind::Small(Small::E2M1Fn), &[8], Order::RowMajor, bytes.len());
        let positions: Vec<_> = (0..9).map(Some).collect();
        let texts = layout.texts(&positions, Form::Auto, &mut |start, into| {
            into.copy_from_slice(&bytes[start..start + into.len()]);
            Ok(())
        });
        assert_eq!(texts.unwrap(), ["0.5", "1.0", "1.5", "2.0", "3.0", "4.0", "6.0", "0.0", ""]);
        assert_eq!([0, 1, 2, 7].map(|it| layout.byte_of(it)), [Some(0), Some(0), Some(1), Some(3)]);
        let six = Layout { kind: Kind::Small(Small::E3M2Fn), len: 6, ..layout };
        assert_eq!([1, 2, 4].map(|it| six.byte_of(it)), [Some(0), Some(1), Some(3)]);
    }
}
