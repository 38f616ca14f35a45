//! Tensors of characters as text.

use alloc::borrow::Cow;
use alloc::string::String;

use super::{Prototype, Tensor};
use crate::error::CommonKind;
use crate::tsm::{DType, Error, ErrorKind, Result};

impl Tensor<'static> {
    /// Text in the way of TenniS: char8 with one dim, UTF-8 without an end mark.
    ///
    /// # Errors
    ///
    /// `ElementCount` for text of 2 GiB and more.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::tsm::{DType, Tensor};
    ///
    /// let tensor = Tensor::text("NCHW")?;
    /// assert_eq!((tensor.dtype(), tensor.shape()), (DType::Char8, &[4][..]));
    /// # Ok::<(), fourfold::tsm::Error>(())
    /// ```
    pub fn text(text: &str) -> Result<Self> {
        let count = i32::try_from(text.len());
        let count = count.map_err(|_| Error::placeless(ErrorKind::ElementCount))?;
        Tensor::new(Prototype::new(DType::Char8, [count]), text.as_bytes().to_vec())
    }
}

impl Tensor<'_> {
    /// The elements as text: char8 as UTF-8, char16 as UTF-16, char32 as code points.
    ///
    /// The format itself defines no encoding: [`bytes`](Tensor::bytes) returns the bytes as they are.
    ///
    /// # Errors
    ///
    /// `Element` if they are no characters, `InvalidUtf8`, and `Char` for what is no text in the
    /// other two.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::tsm::{DType, Prototype, Tensor};
    ///
    /// let wide = Prototype::new(DType::Char16, [2]);
    /// assert_eq!(Tensor::new(wide, &b"h\0i\0"[..])?.to_text()?, "hi");
    /// # Ok::<(), fourfold::tsm::Error>(())
    /// ```
    pub fn to_text(&self) -> Result<Cow<'_, str>> {
        let invalid = |found: u32| Error::placeless(ErrorKind::Char { found });
        match self.dtype() {
            DType::Char8 => match core::str::from_utf8(&self.memory) {
                Ok(text) => Ok(Cow::Borrowed(text)),
                Err(_) => Err(Error::placeless(CommonKind::InvalidUtf8)),
            },
            DType::Char16 => char::decode_utf16(self.values::<u16>()?.iter().copied())
                .map(|unit| unit.map_err(|lone| invalid(lone.unpaired_surrogate().into())))
                .collect::<Result<String>>()
                .map(Cow::Owned),
            DType::Char32 => self
                .values::<u32>()?
                .iter()
                .map(|&code| char::from_u32(code).ok_or_else(|| invalid(code)))
                .collect::<Result<String>>()
                .map(Cow::Owned),
            found => Err(Error::placeless(ErrorKind::Element { found, expected: DType::Char8 })),
        }
    }
}
