//! Breaks a stream of text, spaces and boxes into lines as OCaml's Format does: a box that fits on the rest
//! of the line has no breaks.

use std::collections::VecDeque;

/// Columns of a line, and the rightmost at which a line or box may begin.
const MARGIN: isize = 78;
const MAX_INDENT: isize = 68;

/// How a box that does not fit on a line is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// At every space.
    One,
    /// At the spaces after which the next element does not fit.
    Full,
}

#[derive(Clone, Copy)]
enum Token<'a> {
    Text(&'a str),
    /// One space, or a line break with this indent on top of the box's own.
    Space(isize),
    Open(Fill, isize),
    Close,
}

/// A token that waits until it is known how much comes before the next place to break.
struct Waiting<'a> {
    token: Token<'a>,
    /// Columns it takes on the line.
    width: isize,
    /// The size that decides, once known: of a box, all that is in it; of a space, everything to
    /// the next space or end of the box.
    size: Option<isize>,
    /// Columns of everything before it.
    start: isize,
}

/// A box that is being printed.
struct Printed {
    /// `None` if it fits on the line.
    fill: Option<Fill>,
    /// Where broken lines in it begin.
    indent: isize,
}

/// The printer: tokens in, lines out. It looks ahead by at most one line.
pub(super) struct Printer<'a> {
    waiting: VecDeque<Waiting<'a>>,
    /// How many tokens have left `waiting`.
    gone: usize,
    /// Spaces and boxes whose size is unknown, by how many tokens came before each.
    unsized_tokens: Vec<usize>,
    /// Columns of all tokens so far, and of those gone.
    entered: isize,
    left: isize,
    boxes: Vec<Printed>,
    /// Columns left on the current line; less than none if a long word is on it.
    columns_left: isize,
    lines: String,
}

impl<'a> Printer<'a> {
    pub(super) fn new() -> Self {
        let mut printer = Printer {
            waiting: VecDeque::new(),
            gone: 0,
            unsized_tokens: Vec::new(),
            entered: 0,
            left: 0,
            boxes: Vec::new(),
            columns_left: MARGIN,
            lines: String::new(),
        };
        printer.open(Fill::Full, 0);
        printer
    }

    /// The text of everything that came.
    pub(super) fn finish(mut self) -> String {
        // Whatever has no size by now is the box around everything.
        while let Some(waiting) = self.waiting.pop_front() {
            self.print(waiting);
        }
        self.lines
    }

    pub(super) fn text(&mut self, text: &'a str) {
        // Texts are ASCII: whatever else there was has been escaped.
        let width = columns(text);
        self.enter(Token::Text(text), width, Some(width));
        self.advance();
    }

    /// A space, at which the line may be broken and the next begin further in.
    pub(super) fn space(&mut self, indent: isize) {
        self.enter(Token::Space(indent), 1, None);
        self.set_size(|token| matches!(token, Token::Space(_)));
        self.unsized_tokens.push(self.gone + self.waiting.len() - 1);
    }

    /// Begins a box; broken lines in it begin where it does, and `indent` further in.
    pub(super) fn open(&mut self, fill: Fill, indent: isize) {
        self.enter(Token::Open(fill, indent), 0, None);
        self.unsized_tokens.push(self.gone + self.waiting.len() - 1);
    }

    pub(super) fn close(&mut self) {
        self.enter(Token::Close, 0, Some(0));
        self.set_size(|token| matches!(token, Token::Space(_)));
        self.set_size(|token| matches!(token, Token::Open(..)));
    }

    fn enter(&mut self, token: Token<'a>, width: isize, size: Option<isize>) {
        self.waiting.push_back(Waiting { token, width, size, start: self.entered });
        self.entered += width;
    }

    /// Sets the size of the last token without one, if it is of that kind.
    fn set_size(&mut self, is_meant: impl Fn(&Token<'a>) -> bool) {
        let Some(last) = self.unsized_tokens.last() else {
            return;
        };
        let Some(index) = last.checked_sub(self.gone) else {
            // Printed long ago, and so is everything before it.
            self.unsized_tokens.clear();
            return;
        };
        if let Some(waiting) = self.waiting.get_mut(index) {
            if is_meant(&waiting.token) {
                waiting.size = Some(self.entered - waiting.start);
                self.unsized_tokens.pop();
            }
        }
    }

    /// Prints what is decided: what has a size, or needs more than the line has in any case.
    fn advance(&mut self) {
        while let Some(next) = self.waiting.front() {
            if next.size.is_none() && self.entered - self.left < self.columns_left {
                return;
            }
            if let Some(next) = self.waiting.pop_front() {
                self.print(next);
            }
        }
    }

    fn print(&mut self, next: Waiting<'a>) {
        self.gone += 1;
        self.left += next.width;
        if let Token::Open(..) = next.token {
            self.make_room_for_box();
        }
        let fits = next.size.is_some_and(|size| size <= self.columns_left);
        match next.token {
            Token::Text(text) => {
                self.columns_left -= next.width;
                self.lines.push_str(text);
            }
            Token::Open(fill, indent) => {
                let indent = MARGIN - self.columns_left + indent;
                self.boxes.push(Printed { fill: (!fits).then_some(fill), indent });
            }
            Token::Close => {
                self.boxes.pop();
            }
            Token::Space(indent) => match self.boxes.last() {
                Some(Printed { fill: Some(Fill::One), indent: inner }) => {
                    self.break_line(inner + indent);
                }
                Some(Printed { fill: Some(Fill::Full), indent: inner }) if !fits => {
                    self.break_line(inner + indent);
                }
                _ => {
                    self.columns_left -= 1;
                    self.lines.push(' ');
                }
            },
        }
    }

    /// A box that would begin too far to the right begins on a line of its own, if the box around
    /// it may be broken and begins further left.
    fn make_room_for_box(&mut self) {
        if MARGIN - self.columns_left <= MAX_INDENT {
            return;
        }
        if let Some(Printed { fill: Some(_), indent }) = self.boxes.last() {
            if MARGIN - indent > self.columns_left {
                self.break_line(*indent);
            }
        }
    }

    fn break_line(&mut self, indent: isize) {
        let indent = indent.min(MAX_INDENT);
        self.columns_left = MARGIN - indent;
        self.lines.push('\n');
        for _ in 0..indent {
            self.lines.push(' ');
        }
    }
}

fn columns(text: &str) -> isize {
    isize::try_from(text.len()).unwrap_or(isize::MAX)
}
