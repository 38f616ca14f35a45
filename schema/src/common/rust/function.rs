//! Functions as text, formatted as by rustfmt.

use core::fmt;

use super::item::LONGEST_LINE;

const MARGIN: usize = 4;

/// A function that is only called by what serde derives.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// `<T: Default>`, or nothing.
    pub(crate) generics: &'static str,
    /// `value: &T`, or nothing.
    pub(crate) takes: String,
    pub(crate) gives: String,
    /// An expression that fits a line, or a call with one argument.
    pub(crate) body: String,
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Function { name, generics, takes, gives, body } = self;
        let around = "fn () ->  {".len() + name.len() + generics.len();
        match (around + takes.len() + gives.len() <= LONGEST_LINE, takes.as_str()) {
            (true, _) => writeln!(f, "fn {name}{generics}({takes}) -> {gives} {{")?,
            (false, "") => writeln!(f, "fn {name}{generics}()\n-> {gives} {{")?,
            (false, _) => writeln!(f, "fn {name}{generics}(\n    {takes},\n) -> {gives} {{")?,
        }
        let call = body.split_once('(').filter(|_| MARGIN + body.len() > LONGEST_LINE);
        match call.and_then(|(called, rest)| Some((called, rest.strip_suffix(')')?))) {
            Some((called, argument)) => {
                writeln!(f, "    {called}(\n        {argument},\n    )\n}}")
            }
            None => writeln!(f, "    {body}\n}}"),
        }
    }
}
