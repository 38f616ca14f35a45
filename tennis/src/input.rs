//! Shapes that are given for inputs of a module.

use std::fmt;
use std::str::FromStr;

use fourfold::tsm::DType;

use crate::output::Size;

/// The shape of an input, and its type if that is not what the module states.
///
/// Read from text: `1x3x224x224`, or with a name `x=1x3x224x224`; `?` or `-1` is an unknown size, and `()` the
/// shape of a single number. [`Display`](fmt::Display) writes such text.
///
/// ```
/// use fourfold_tennis::Input;
///
/// let input: Input = "x=?x3".parse()?;
/// assert_eq!(input, Input::new(vec![None, Some(3)]).named("x"));
/// assert_eq!(input.to_string(), "x=?x3");
/// # Ok::<(), fourfold_tennis::InputError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// What the input is called. Inputs without a name are in the order of the module.
    pub name: Option<String>,
    /// The type of the elements, if it is not that of the module.
    pub dtype: Option<DType>,
    /// The size of each dim.
    pub shape: Vec<Size>,
    /// The elements, if they are few integers that shapes are computed from.
    pub values: Option<Vec<i64>>,
}

impl Input {
    /// The shape of an input without a name.
    #[must_use]
    pub fn new(shape: Vec<Size>) -> Self {
        Input { shape, ..Input::default() }
    }

    /// A whole shape for an input of which sizes are unknown. In place of these it has sizes of an image.
    #[must_use]
    pub fn example(known: Option<&[Size]>) -> Self {
        let of_image = |(dim, size): (usize, &Size)| match (size, dim) {
            (Some(size), _) => *size,
            (None, 0) => 1,
            (None, _) => 224,
        };
        let known = known.unwrap_or(&[None, Some(3), None, None]);
        Input::new(known.iter().enumerate().map(of_image).map(Some).collect())
    }

    /// The same shape for the input of that name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Input { name: Some(name.into()), ..self }
    }

    /// The same shape with another type than the module states.
    #[must_use]
    pub fn typed(self, dtype: DType) -> Self {
        Input { dtype: Some(dtype), ..self }
    }

    /// The same shape with values that shapes are computed from.
    #[must_use]
    pub fn with_values(self, values: Vec<i64>) -> Self {
        Input { values: Some(values), ..self }
    }
}

/// Text that is no shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{found:?} is no size of a dim; write a shape as 1x3x224x224, or x=1x3x224x224 for the input x; ? is a size that varies, \
     () the shape of a single number"
)]
pub struct InputError {
    /// What is no size.
    pub found: String,
}

impl FromStr for Input {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        // Names may have `=`, sizes have not.
        let (name, sizes) = match text.rsplit_once('=') {
            Some((name, sizes)) => (Some(name.to_owned()), sizes),
            None => (None, text),
        };
        let size = |text: &str| match text.trim() {
            "?" | "-1" => Ok(None),
            text => match text.parse::<i32>() {
                Ok(size) if size >= 0 => Ok(Some(size)),
                _ => Err(InputError { found: text.to_owned() }),
            },
        };
        let shape = match sizes.trim() {
            "()" => Vec::new(),
            sizes => sizes.split(['x', ',']).map(size).collect::<Result<_, _>>()?,
        };
        Ok(Input { name, shape, ..Input::default() })
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name}=")?;
        }
        let size = |size: &Size| size.map_or("?".to_owned(), |size| size.to_string());
        match &*self.shape {
            [] => f.write_str("()"),
            sizes => f.write_str(&sizes.iter().map(size).collect::<Vec<_>>().join("x")),
        }
    }
}
