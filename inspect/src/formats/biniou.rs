//! biniou files: concatenated values, or a stream of chunks.

mod damage;
pub mod framing;
mod glance;
mod part;
mod report;
mod shape;
mod typed;

use std::io::Write;
use std::ops::ControlFlow;

use fourfold::Path;
use fourfold::biniou::{self, Dictionary, File, Framing, Options, Value};

use self::framing::{can_be_passed, counted_by, ended};
use self::report::BiniouReport;
use super::{Comparison, Confidence, Damage, ExplainOptions, FileKind, Loaded, Reading, Sample};
use crate::failure::{Failure, describe};
use crate::model::{self, Document, Fields, Node, Part, Root, Wrong};
use crate::spans::{self, Span};
use crate::write::hex;
use crate::write::report::{About, Report};

pub(super) struct Biniou;

impl FileKind for Biniou {
    fn name(&self) -> &'static str {
        "biniou"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["biniou", "stream"]
    }

    fn has_hashes(&self) -> bool {
        true
    }

    fn comparison(&self) -> Comparison {
        Comparison::Values
    }

    fn evidence(&self, sample: &Sample<'_>) -> (Confidence, Vec<String>) {
        (Confidence::Unfit, first_tag(sample.front))
    }

    fn glance(&self, sample: &Sample<'_>, options: &Options) -> Reading {
        glance::biniou(sample, options)
    }

    fn damage(&self, sample: &Sample<'_>, options: &Options) -> Option<Damage> {
        damage::of(sample.front, options)
    }

    fn is_read(&self, bytes: &[u8], options: &Options) -> bool {
        can_be_passed(bytes, options)
    }

    fn load<'a>(
        &'a self,
        bytes: &'a [u8],
        options: &'a Options,
    ) -> Result<Box<dyn Loaded + 'a>, String> {
        Ok(Box::new(Values { options, bytes, file: options.file(bytes) }))
    }

    fn part<'a>(
        &'a self,
        bytes: &'a [u8],
        path: &Path,
        names: &'a Dictionary,
        options: &Options,
    ) -> Option<Part<'a>> {
        part::of_file(bytes, path, options).map(|node| model::biniou::part(&node, names))
    }

    fn is_chunks(&self, bytes: &[u8], options: &Options) -> bool {
        options.file(bytes).framing() == Framing::Chunks
    }

    fn explain_each(
        &self,
        bytes: &[u8],
        how: ExplainOptions<'_>,
        path: &str,
        each: &mut dyn FnMut(Span) -> ControlFlow<()>,
    ) {
        match how.is_chunks {
            true => spans::biniou::explain_chunks(bytes, how.options, path, each),
            false => spans::biniou::explain(bytes, how.options, path, each),
        }
    }

    fn make(
        &self,
        fields: &Fields<'_>,
        whole: &Node<'_>,
        options: &Options,
    ) -> Result<Vec<u8>, Wrong> {
        model::biniou::untyped_bytes(fields, whole, options)
    }
}

/// The first byte as a tag.
fn first_tag(bytes: &[u8]) -> Vec<String> {
    let Some(&first) = bytes.first() else {
        return Vec::new();
    };
    let tag = match biniou::Tag::from_byte(first) {
        Some(tag) => format!("the tag {}", tag.name()),
        None => "no tag".into(),
    };
    vec![format!("byte 0 is {}, {tag}", hex::digits(&[first]))]
}

/// Where a path begins.
const fn root(framing: Framing) -> Root {
    match framing {
        Framing::Chunks => Root::Chunks,
        Framing::Values => Root::Hashed,
    }
}

/// The values of a file. Each use reads them again, one at a time.
struct Values<'a> {
    options: &'a Options,
    bytes: &'a [u8],
    file: File<'a>,
}

impl Loaded for Values<'_> {
    fn reading(&self) -> Reading {
        let framing = self.file.framing();
        // The fast path for valid files: checking needs no memory.
        if framing == Framing::Values {
            let outline = self.options.outline(self.bytes);
            let count = outline.map_or(0, |outline| outline.values().len());
            if count > 0 {
                return Reading::good(counted_by(framing, count));
            }
        }
        let mut count = 0;
        for value in self.file.values::<Value>() {
            match value {
                Ok(_) => count += 1,
                Err(error) if framing == Framing::Chunks => return Reading::Bad(describe(&error)),
                Err(error) => {
                    let damaged = damage::of_chunks(self.bytes, self.options);
                    let in_chunks = |damage: Damage| {
                        let at = damage.at?;
                        Some(format!("{} at byte {at}, in a stream of chunks", damage.text))
                    };
                    let text = damaged.and_then(in_chunks);
                    return Reading::Bad(text.unwrap_or_else(|| ended(&error, count)));
                }
            }
        }
        Reading::good(counted_by(framing, count))
    }

    fn write_canonical(&self, out: &mut dyn Write) -> Result<(), String> {
        self.file.write_canonical(out).map_err(|error| describe(&error))
    }

    fn report<'s>(&'s self, about: &About<'s>) -> Result<Box<dyn Report + 's>, String> {
        Ok(Box::new(BiniouReport::of(&self.file, None, about)?))
    }

    fn document<'s>(&'s self, about: &About<'s>) -> Result<Document<'s>, Failure> {
        let part = model::biniou::document(&self.file, about, self.options)
            .map_err(|error| Failure::data(about.name, error))?;
        let root = root(self.file.framing());
        Ok(Document { name: Biniou.name(), ty: None, is_one: true, root, part })
    }
}
