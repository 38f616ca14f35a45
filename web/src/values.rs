//! The elements of a tensor: a window, of which only the elements in it are read, and statistics.

use std::borrow::Cow;
use std::io;
use std::rc::Rc;

use fourfold_inspect::input::Input;
use fourfold_inspect::model::kind;
use fourfold_inspect::tensors::statistics::{Counting, Histogram, Statistics, Summing};
use fourfold_inspect::tensors::{DType, Tensor};
use fourfold_inspect::window::{Axis, Form, Layout, Slice};
use serde::{Deserialize, Serialize};

use crate::file::File;
use crate::source::{PIECE, number, read_at};
use crate::tensors::{place, with_tensor};

/// Maximum number of elements of an answer.
const MOST_ELEMENTS: usize = 1 << 16;

/// A tensor whose elements are viewed. The next requests need not read the file's tensors again.
pub(crate) struct Chosen {
    index: usize,
    dtype: DType,
    layout: Layout,
    elements: Elements,
}

/// The bytes of the elements.
enum Elements {
    /// From that offset of the file on.
    InFile(usize),
    /// Unpacked from the file.
    Own(Vec<u8>),
}

/// A window of the elements that a slice selects. Axes other than rows and columns have one place.
#[derive(Debug, Deserialize)]
pub(crate) struct Wanted {
    slice: String,
    /// The place in each axis of the slice; the first row and column.
    places: Vec<usize>,
    /// The axes of rows and columns.
    rows: Option<usize>,
    columns: Option<usize>,
    /// The number of rows and columns.
    height: usize,
    width: usize,
    form: String,
    digits: usize,
}

/// The elements of a window.
#[derive(Debug, Serialize)]
pub(crate) struct Window {
    /// Row by row; empty after the last row or column.
    texts: Vec<String>,
    /// The offset of the first element in the file.
    offset: Option<usize>,
}

impl Chosen {
    /// Reads where the elements of a tensor are.
    ///
    /// # Errors
    ///
    /// If there is no such tensor, or the file cannot be read.
    pub(crate) fn new(file: &File, input: &Input, index: usize) -> Result<Self, String> {
        with_tensor(file, input, index, |tensor| {
            let Tensor { dtype, shape, order, bytes, .. } = tensor;
            let layout = Layout {
                kind: kind(*dtype),
                shape: shape.clone(),
                order: *order,
                len: bytes.len(),
            };
            let elements = match (place(file, tensor), bytes) {
                (Some(offset), _) => Elements::InFile(offset),
                (None, Cow::Owned(bytes)) => Elements::Own(bytes.clone()),
                (None, Cow::Borrowed(bytes)) => Elements::Own(bytes.to_vec()),
            };
            Ok(Chosen { index, dtype: *dtype, layout, elements })
        })
    }

    pub(crate) fn is(&self, index: usize) -> bool {
        self.index == index
    }

    /// What a slice selects of each axis.
    ///
    /// # Errors
    ///
    /// Those of the slice.
    pub(crate) fn axes(&self, slice: &str) -> Result<Vec<Axis>, String> {
        Slice::parse(slice, &self.layout.shape).map(|slice| slice.axes().to_vec())
    }

    /// The elements of a window.
    ///
    /// # Errors
    ///
    /// Those of the slice, or if the file cannot be read.
    pub(crate) fn window(&self, file: &File, wanted: &Wanted) -> Result<Window, String> {
        let slice = Slice::parse(&wanted.slice, &self.layout.shape)?;
        let form = Form::named(&wanted.form, wanted.digits).ok_or("unknown form of numbers")?;
        if wanted.height.saturating_mul(wanted.width) > MOST_ELEMENTS {
            return Err(format!("more than {MOST_ELEMENTS} elements at once"));
        }
        let position = |row: usize, column: usize| {
            let mut places = wanted.places.clone();
            for (axis, step) in [(wanted.rows, row), (wanted.columns, column)] {
                match axis {
                    Some(axis) => {
                        let place = places.get_mut(axis)?;
                        *place = place.checked_add(step)?;
                    }
                    None if step > 0 => return None,
                    None => {}
                }
            }
            self.layout.position(&slice.index(&places)?)
        };
        let rows = 0..wanted.height;
        let positions: Vec<Option<usize>> = rows
            .flat_map(|row| (0..wanted.width).map(move |column| (row, column)))
            .map(|(row, column)| position(row, column))
            .collect();
        let offset = match &self.elements {
            Elements::InFile(start) => {
                let byte = position(0, 0).and_then(|position| self.layout.byte_of(position));
                byte.map(|byte| start + byte)
            }
            Elements::Own(_) => None,
        };
        let mut read = |start: usize, into: &mut [u8]| self.read(file, start, into);
        let texts = self.layout.texts(&positions, form, &mut read);
        Ok(Window { texts: texts.map_err(|error| error.to_string())?, offset })
    }

    fn read(&self, file: &File, start: usize, into: &mut [u8]) -> io::Result<()> {
        match &self.elements {
            Elements::InFile(offset) => {
                let at = u64::try_from(offset + start).unwrap_or(u64::MAX);
                read_at(&file.reader, at, into)
            }
            Elements::Own(bytes) => {
                let own = bytes.get(start..).and_then(|rest| rest.get(..into.len()));
                into.copy_from_slice(own.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
        }
    }
}

/// The statistics of a tensor in progress: the elements are read piece by piece, so that other requests can be answered
/// in between.
pub(crate) struct Counted {
    chosen: Rc<Chosen>,
    /// Number of bytes that are read in this pass.
    done: usize,
    pass: Pass,
    piece: Vec<u8>,
}

/// The elements are read twice, since the range of the histogram is that of the numbers.
enum Pass {
    Summing(Summing),
    Counting(Statistics, Counting),
}

/// A tensor's statistics, and the histogram of its finite numbers.
#[derive(Debug, Serialize)]
pub(crate) struct Numbers {
    statistics: Statistics,
    histogram: Option<Histogram>,
}

impl Counted {
    /// Begins with a tensor.
    ///
    /// # Errors
    ///
    /// If its elements are not numbers.
    pub(crate) fn new(chosen: Rc<Chosen>) -> Result<Self, String> {
        let summing = Summing::new(chosen.dtype).ok_or("no numbers")?;
        Ok(Counted { chosen, done: 0, pass: Pass::Summing(summing), piece: Vec::new() })
    }

    /// Adds the next piece. Returns the statistics after the last one.
    ///
    /// # Errors
    ///
    /// If the elements cannot be read.
    pub(crate) fn step(&mut self, file: &File) -> Result<Option<Numbers>, String> {
        let all = self.chosen.layout.len;
        self.piece.resize(PIECE.min(all - self.done), 0);
        let read = self.chosen.read(file, self.done, &mut self.piece);
        read.map_err(|error| error.to_string())?;
        self.done += self.piece.len();
        let before = match &mut self.pass {
            Pass::Summing(summing) => {
                summing.add(&self.piece);
                0
            }
            Pass::Counting(_, counting) => {
                counting.add(&self.piece);
                all
            }
        };
        file.reader.reached(number(before) + number(self.done), number(all) * 2.0);
        if self.done < all {
            return Ok(None);
        }
        self.done = 0;
        match &self.pass {
            Pass::Summing(summing) => {
                let statistics = summing.clone().finish();
                match Counting::new(self.chosen.dtype, &statistics) {
                    Some(counting) => self.pass = Pass::Counting(statistics, counting),
                    None => return Ok(Some(Numbers { statistics, histogram: None })),
                }
                Ok(None)
            }
            Pass::Counting(statistics, counting) => Ok(Some(Numbers {
                statistics: statistics.clone(),
                histogram: Some(counting.clone().finish()),
            })),
        }
    }
}
