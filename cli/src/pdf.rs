//! Writes a picture as PDF: lines and boxes as they are in SVG, and text that can be searched and selected, in the
//! monospaced font that all viewers have.

use std::collections::BTreeSet;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::LineCapStyle;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use resvg::tiny_skia::{Path, PathSegment, Transform};
use resvg::usvg::{self, Paint, TextAnchor};

use crate::failure::Failure;
use crate::png;
use fourfold_inspect::graph::colours::Theme;
use fourfold_inspect::graph::draw;
use fourfold_inspect::graph::escape::escape;
use fourfold_inspect::graph::picture::Picture;

/// Points per pixel.
const POINTS: f32 = 0.75;
/// The longest side of a page that all viewers show, in points.
const LONGEST: f32 = 14_400.0;
/// The width of a letter, as a multiple of the font size.
const LETTER: f32 = 0.6;
/// The fonts: for usual and for bold text.
const FONTS: [(Name<'static>, Name<'static>); 2] =
    [(Name(b"R"), Name(b"Courier")), (Name(b"B"), Name(b"Courier-Bold"))];

/// Draws the picture. Characters that the font does not have are replaced by escapes in it.
pub(crate) fn render(picture: &mut Picture, theme: Theme, name: &str) -> Result<Vec<u8>, Failure> {
    let svg = draw(picture, theme, name)?;
    let missing: BTreeSet<char> =
        svg.text.chars().filter(|letter| *letter != '\n' && byte(*letter).is_none()).collect();
    escape(picture, &missing);
    let svg = draw(picture, theme, name)?;
    let tree = png::tree(&svg.text)?;
    let scale = POINTS.min(LONGEST / svg.width).min(LONGEST / svg.height);
    let (width, height) = (svg.width * scale, svg.height * scale);
    let mut content = Content::new();
    content.transform([scale, 0.0, 0.0, -scale, 0.0, height]);
    group(tree.root(), &mut content);
    let mut compressed = ZlibEncoder::new(Vec::new(), Compression::default());
    let written = compressed.write_all(&content.finish()).and_then(|()| compressed.finish());
    let compressed = written.map_err(|error| Failure::Usage(format!("pdf: {error}")))?;

    let [catalog, pages, page, contents, info] = [1, 2, 3, 4, 5].map(Ref::new);
    let fonts = [6, 7].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut first = pdf.page(page);
    first.media_box(Rect::new(0.0, 0.0, width, height)).parent(pages).contents(contents);
    let mut resources = first.resources();
    let mut list = resources.fonts();
    for ((key, _), font) in FONTS.iter().zip(fonts) {
        list.pair(*key, font);
    }
    list.finish();
    resources.finish();
    first.finish();
    for ((_, base), font) in FONTS.iter().zip(fonts) {
        pdf.type1_font(font).base_font(*base).encoding_predefined(Name(b"WinAnsiEncoding"));
    }
    pdf.stream(contents, &compressed).filter(Filter::FlateDecode);
    pdf.document_info(info).title(TextStr(&picture.title));
    Ok(pdf.finish())
}

/// The byte of a character in the encoding of the font.
fn byte(letter: char) -> Option<u8> {
    match letter {
        ' '..='~' | '\u{a1}'..='\u{ff}' => u8::try_from(u32::from(letter)).ok(),
        '…' => Some(0x85),
        _ => None,
    }
}

fn group(group: &usvg::Group, content: &mut Content) {
    for node in group.children() {
        match node {
            usvg::Node::Group(inner) => self::group(inner, content),
            usvg::Node::Path(path) => shape(path, content),
            usvg::Node::Text(text) => self::text(text, content),
            usvg::Node::Image(_) => {}
        }
    }
}

/// Red, green and blue; only gradients and patterns have none.
fn colour(paint: &Paint) -> Option<[f32; 3]> {
    match paint {
        Paint::Color(colour) => {
            Some([colour.red, colour.green, colour.blue].map(|part| f32::from(part) / 255.0))
        }
        _ => None,
    }
}

fn shape(path: &usvg::Path, content: &mut Content) {
    let Some(data) = path.data().clone().transform(path.abs_transform()) else { return };
    if let Some([r, g, b]) = path.fill().and_then(|fill| colour(fill.paint())) {
        content.set_fill_rgb(r, g, b);
        segments(&data, content);
        content.fill_nonzero();
    }
    let Some(stroke) = path.stroke() else { return };
    if let Some([r, g, b]) = colour(stroke.paint()) {
        content.set_stroke_rgb(r, g, b).set_line_width(stroke.width().get());
        content.set_line_cap(match stroke.linecap() {
            usvg::LineCap::Butt => LineCapStyle::ButtCap,
            usvg::LineCap::Round => LineCapStyle::RoundCap,
            usvg::LineCap::Square => LineCapStyle::ProjectingSquareCap,
        });
        content.set_dash_pattern(stroke.dasharray().unwrap_or_default().iter().copied(), 0.0);
        segments(&data, content);
        content.stroke();
    }
}

fn segments(path: &Path, content: &mut Content) {
    let mut last = (0.0, 0.0);
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(to) => {
                content.move_to(to.x, to.y);
                last = (to.x, to.y);
            }
            PathSegment::LineTo(to) => {
                content.line_to(to.x, to.y);
                last = (to.x, to.y);
            }
            PathSegment::QuadTo(by, to) => {
                // The cubic curve with the same points.
                let near = |end: f32, by: f32| end + (by - end) * 2.0 / 3.0;
                let (x, y) = last;
                content.cubic_to(
                    near(x, by.x),
                    near(y, by.y),
                    near(to.x, by.x),
                    near(to.y, by.y),
                    to.x,
                    to.y,
                );
                last = (to.x, to.y);
            }
            PathSegment::CubicTo(one, two, to) => {
                content.cubic_to(one.x, one.y, two.x, two.y, to.x, to.y);
                last = (to.x, to.y);
            }
            PathSegment::Close => {
                content.close_path();
            }
        }
    }
}

fn text(text: &usvg::Text, content: &mut Content) {
    let Transform { tx, ty, .. } = text.abs_transform();
    for chunk in text.chunks() {
        let Some(span) = chunk.spans().first() else { continue };
        let bytes: Vec<u8> = chunk.text().chars().filter_map(byte).collect();
        let size = span.font_size().get();
        let count = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
        let width = f32::from(count) * LETTER * size;
        let before = match chunk.anchor() {
            TextAnchor::Start => 0.0,
            TextAnchor::Middle => width / 2.0,
            TextAnchor::End => width,
        };
        let (x, y) = (chunk.x().unwrap_or(0.0) + tx - before, chunk.y().unwrap_or(0.0) + ty);
        let [usual, bold] = FONTS.map(|(key, _)| key);
        let [r, g, b] = span.fill().and_then(|fill| colour(fill.paint())).unwrap_or_default();
        content.begin_text().set_fill_rgb(r, g, b);
        content.set_font(if span.font().weight() > 500 { bold } else { usual }, size);
        content.set_text_matrix([1.0, 0.0, 0.0, -1.0, x, y]).show(Str(&bytes)).end_text();
    }
}
