//! Explanations as JSON lines.

use std::io::{self, Write};
use std::ops::ControlFlow;

use fourfold_inspect::write::plain::write_json;
use serde_json::json;

use fourfold_inspect::explain::{LONGEST_VALUE, Subject, Tally};

/// One object per line.
pub(super) fn write(
    writer: &mut dyn Write,
    subject: &Subject<'_>,
    has_name: bool,
    tally: &mut Tally,
) -> io::Result<()> {
    subject.each(|span| {
        tally.add(&span);
        let mut object = json!({
            "start": span.range.start,
            "end": span.range.end,
            "path": span.place.to_string(),
            "what": span.what,
            "value": span.value_up_to(LONGEST_VALUE, subject.bytes),
            "error": span.error,
        });
        if let (true, Some(object)) = (has_name, object.as_object_mut()) {
            object.insert("file".into(), subject.name.into());
        }
        write_json(writer, &object)?;
        writeln!(writer)?;
        Ok(ControlFlow::Continue(()))
    })
}
