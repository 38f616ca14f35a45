//! A text of the language in one form, if nothing is lost by that.

use alloc::string::{String, ToString};

use super::lexer::{Lexer, Token};
use super::schema::{Error, Result, Schema};
use super::{ErrorKind, Location};
use crate::schema::{Cursor, Mark};

/// Writes an `.atd` text in one form, that of [`Schema`]'s `Display`: annotations stay, blanks and line breaks do not.
///
/// ```
/// use fourfold::biniou::atd::format;
///
/// assert_eq!(format("type t={x:int}")?, "type t = {\n  x : int;\n}\n");
///
/// let error = format("type t = int (* a number *)").unwrap_err();
/// assert_eq!(error.to_string(), "a comment, which the one form would lose at line 1, column 14");
/// # Ok::<(), fourfold::biniou::atd::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`Schema::parse`]; `Comment` at the first comment, since the one form has no place for it. What is to stay
/// can stand in an annotation: `<doc text="..">`.
pub fn format(text: &str) -> Result<String> {
    let schema = Schema::parse(text)?;
    match first_comment(text) {
        None => Ok(schema.to_string()),
        Some(mark) => {
            let line = Cursor::new(text).line(mark);
            Err(Error::new(ErrorKind::Comment, Location::new(None, mark), line))
        }
    }
}

/// Where the first comment begins, in a text that has been read before.
fn first_comment(text: &str) -> Option<Mark> {
    let mut lexer = Lexer::new(text);
    while !matches!(lexer.take(), Ok((Token::End, _)) | Err(_)) {}
    lexer.first_comment()
}
