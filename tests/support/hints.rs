//! Tables of refusals: a row has a value or bytes, the exact text of the error, and the value with the hint applied. The
//! attribute or wrapper that is applied is written once, and has to be named in the hint.

pub(crate) mod common;
pub(crate) mod places;

use std::fmt::Debug;
use std::marker::PhantomData;

use fourfold::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::format::{Format, Outcome};

/// The rows of one table.
pub(crate) struct Refusals<F> {
    rows: usize,
    format: PhantomData<F>,
}

/// The hint of a refusal, to be applied.
pub(crate) struct Advice<F> {
    hint: Option<String>,
    format: PhantomData<F>,
}

impl<F: Format> Refusals<F> {
    pub(crate) fn new() -> Self {
        Refusals { rows: 0, format: PhantomData }
    }

    /// The number of refusals.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// A value that is refused by each function that writes.
    #[must_use]
    #[track_caller]
    pub(crate) fn written<T: ?Sized + Serialize>(&mut self, value: &T, text: &str) -> Advice<F> {
        let other = F::to_writer(Vec::new(), value).expect_err("it is written to a writer");
        assert_eq!(other.to_string(), text);
        let error = F::to_vec(value).expect_err("it is written");
        self.refused(error, text)
    }

    /// A value that is written, but refused by the reader.
    #[must_use]
    #[track_caller]
    pub(crate) fn back<T>(&mut self, value: &T, text: &str) -> Advice<F>
    where
        T: Serialize + DeserializeOwned + Debug,
    {
        let bytes = F::to_vec(value).expect("it is written");
        self.read::<T>(&bytes, text)
    }

    /// Bytes that each function refuses to read as a `T`.
    #[must_use]
    #[track_caller]
    pub(crate) fn read<T: DeserializeOwned + Debug>(
        &mut self,
        bytes: &[u8],
        text: &str,
    ) -> Advice<F> {
        let other = F::from_reader::<T>(bytes).expect_err("it is read from a reader");
        assert_eq!(other.to_string(), text);
        self.result(F::from_slice::<T>(bytes), text)
    }

    /// An error of another function.
    #[must_use]
    #[track_caller]
    pub(crate) fn result<T: Debug>(&mut self, result: Outcome<F, T>, text: &str) -> Advice<F> {
        self.refused(result.expect_err("nothing is refused"), text)
    }

    #[track_caller]
    fn refused(&mut self, error: Error<F::Kind>, text: &str) -> Advice<F> {
        assert_eq!(error.to_string(), text);
        let hint = error.hint().map(|hint| hint.to_string());
        if let Some(hint) = &hint {
            assert!(text.ends_with(&format!("; {hint}")), "{text}");
        }
        self.rows += 1;
        Advice { hint, format: PhantomData }
    }
}

impl<F: Format> Advice<F> {
    /// Asserts that there is no hint.
    #[track_caller]
    pub(crate) fn none(self) {
        assert_eq!(self.hint, None);
    }

    /// Asserts that the hint names `fix`, with which the value survives.
    #[track_caller]
    pub(crate) fn passes<T>(self, (fix, value): (&str, T)) -> Self
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug,
    {
        let bytes = F::to_vec(&value).expect("the hint makes it pass");
        self.reads(&bytes, (fix, value))
    }

    /// Asserts that the hint names `fix`, with which these bytes are read as this value.
    #[track_caller]
    pub(crate) fn reads<T>(self, bytes: &[u8], (fix, value): (&str, T)) -> Self
    where
        T: DeserializeOwned + PartialEq + Debug,
    {
        self.by(fix, F::from_slice::<T>(bytes).expect("the hint makes it pass"), value)
    }

    /// Asserts that the hint names `fix`, with which `made` was made.
    #[track_caller]
    pub(crate) fn by<T: PartialEq + Debug>(self, fix: &str, made: T, value: T) -> Self {
        let hint = self.hint.as_deref().expect("there is no hint");
        assert!(hint.contains(fix), "{fix}: {hint}");
        assert_eq!(made, value);
        self
    }
}

/// An attribute, as a hint names it, and a struct of one field that has it.
macro_rules! attribute {
    (#[$fix:meta] $type:ty = $value:expr) => {{
        #[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
        struct Fixed {
            #[$fix]
            value: $type,
        }
        (concat!("#[", stringify!($fix), "]"), Fixed { value: $value })
    }};
}
pub(crate) use attribute;

/// A wrapper, as a hint names it, around a value, and what is around that.
macro_rules! wrapper {
    ($wrapper:path, $value:expr) => {
        (concat!(stringify!($wrapper), "(value)"), $wrapper($value))
    };
    ($wrapper:path, $value:expr, |$wrapped:ident| $outer:expr) => {{
        let $wrapped = $wrapper($value);
        (concat!(stringify!($wrapper), "(value)"), $outer)
    }};
}
pub(crate) use wrapper;
