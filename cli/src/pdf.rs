//! Writes a picture as PDF: lines and boxes as they are in SVG, and text that can be searched and selected, in the
//! monospaced font that all viewers have. Text with other characters is drawn as outlines.

use std::io::Write as _;
use std::path::Path as FilePath;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::LineCapStyle;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use resvg::tiny_skia::{Path, PathSegment, Rect as Area, Transform};
use resvg::usvg::{self, Paint, TextAnchor};

use crate::failure::Failure;
use crate::paper::Paper;
use crate::png;
use fourfold_inspect::graph::colours::Theme;
use fourfold_inspect::graph::picture::Picture;
use fourfold_inspect::graph::svg::Svg;
use fourfold_inspect::graph::{draw, draw_in_columns};

/// Points per pixel.
const POINTS: f32 = 0.75;
/// The longest side of a page that all viewers show, in points.
const LONGEST: f32 = 14_400.0;
/// The width of a letter, as a multiple of the font size.
const LETTER: f32 = 0.6;
/// The fonts: for usual and for bold text.
const FONTS: [(Name<'static>, Name<'static>); 2] =
    [(Name(b"R"), Name(b"Courier")), (Name(b"B"), Name(b"Courier-Bold"))];
/// The least scale on paper: lines of 11 pixels are of 6 points.
const LEAST: f32 = 6.0 / 11.0;
/// The scale of pages beside each other.
const USUAL: f32 = 6.5 / 11.0;
/// The margin of paper, in points.
const MARGIN: f32 = 24.0;
/// The height of connections above and below columns, in pixels, that is kept free.
const CONNECTIONS: f32 = 60.0;

impl Paper {
    /// The width and height in points.
    fn size(self) -> [f32; 2] {
        match self {
            Paper::A3 => [1190.55, 841.89],
            Paper::A4 => [841.89, 595.28],
            Paper::Letter => [792.0, 612.0],
        }
    }

    /// Width and height without margins.
    fn inside(self) -> [f32; 2] {
        self.size().map(|side| side - 2.0 * MARGIN)
    }

    /// The scale at which the drawing is on one page.
    fn fitting(self, svg: &Svg) -> f32 {
        let [width, height] = self.inside();
        POINTS.min(width / svg.width).min(height / svg.height)
    }
}

/// The parts of a drawing that are pages, and their scale.
struct Pages {
    parts: Vec<Area>,
    scale: f32,
    /// The margin around each, and the size of a page; without paper, a page has the size of its part.
    margin: f32,
    paper: Option<Paper>,
}

impl Pages {
    fn of(svg: &Svg, paper: Option<Paper>) -> Option<Self> {
        let whole = Area::from_xywh(0.0, 0.0, svg.width, svg.height)?;
        let Some(paper) = paper else {
            let scale = POINTS.min(LONGEST / svg.width).min(LONGEST / svg.height);
            return Some(Pages { parts: vec![whole], scale, margin: 0.0, paper: None });
        };
        let on_one = paper.fitting(svg);
        let page = |parts, scale| Pages { parts, scale, margin: MARGIN, paper: Some(paper) };
        if on_one >= LEAST {
            return Some(page(vec![whole], on_one));
        }
        let [_, height] = paper.inside();
        let scale = (height / svg.height).clamp(LEAST, USUAL);
        let [width, height] = paper.inside().map(|side| side / scale);
        let mut parts = Vec::new();
        let mut left = 0.0;
        while left < svg.width {
            // The last column that begins on the page is on the next one, if it does not end on it.
            let end = left + width;
            let mut starts =
                svg.starts.iter().copied().filter(|start| (left..=end).contains(start));
            let next = starts.rfind(|start| *start > left).unwrap_or(end);
            let next = if end >= svg.width { svg.width } else { next };
            let mut top = 0.0;
            while top < svg.height {
                let bottom = (top + height).min(svg.height);
                parts.extend(Area::from_ltrb(left, top, next, bottom));
                top += height;
            }
            left = next;
        }
        Some(page(parts, scale))
    }

    /// Writes the elements of a page.
    fn content(&self, number: usize, part: &Area, tree: &usvg::Tree, height: f32) -> Content {
        let Pages { parts, scale, margin, paper } = self;
        let mut content = Content::new();
        if paper.is_some() && parts.len() > 1 {
            let text = format!("{} / {}", number + 1, parts.len());
            content.begin_text().set_font(FONTS[0].0, 8.0);
            content.set_text_matrix([1.0, 0.0, 0.0, 1.0, *margin, margin / 2.0]);
            content.show(Str(text.as_bytes())).end_text();
        }
        let (left, top) = (margin - part.left() * scale, height - margin + part.top() * scale);
        content.transform([*scale, 0.0, 0.0, -scale, left, top]);
        content.rect(part.left(), part.top(), part.width(), part.height()).clip_nonzero();
        content.end_path();
        group(tree.root(), part, &mut content);
        content
    }
}

/// Draws the picture, on pages of paper if it is given: in letters of at least 6 points, on as many pages as that takes.
pub(crate) fn render(
    picture: &mut Picture,
    theme: Theme,
    name: &str,
    font: Option<&FilePath>,
    paper: Option<Paper>,
) -> Result<Vec<u8>, Failure> {
    let svg = draw(picture, theme, name)?;
    let highest = paper.filter(|paper| paper.fitting(&svg) < LEAST).map(|paper| {
        let [_, height] = paper.inside();
        f64::from((height / USUAL - svg.top - CONNECTIONS).max(CONNECTIONS))
    });
    let (svg, tree) = png::read(picture, font, |picture| match highest {
        None => draw(picture, theme, name),
        Some(highest) => draw_in_columns(picture, theme, name, highest),
    })?;
    let pages = Pages::of(&svg, paper);
    let pages = pages.ok_or_else(|| Failure::Usage(format!("{name}: the picture is empty")))?;

    let mut next = 0;
    let mut reference = || {
        next += 1;
        Ref::new(next)
    };
    let [catalog, tree_of_pages, info] = [(); 3].map(|()| reference());
    let fonts = FONTS.map(|_| reference());
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(tree_of_pages);
    let mut kids = Vec::new();
    for (number, part) in pages.parts.iter().enumerate() {
        let [page, contents] = [(); 2].map(|()| reference());
        kids.push(page);
        let whole = [part.width() * pages.scale, part.height() * pages.scale];
        let [width, height] = paper.map_or(whole, Paper::size);
        let content = pages.content(number, part, &tree, height);
        let mut compressed = ZlibEncoder::new(Vec::new(), Compression::default());
        let written = compressed.write_all(&content.finish()).and_then(|()| compressed.finish());
        let compressed = written.map_err(|error| Failure::Usage(format!("pdf: {error}")))?;
        let mut one = pdf.page(page);
        let paper = Rect::new(0.0, 0.0, width, height);
        one.media_box(paper).parent(tree_of_pages).contents(contents);
        let mut resources = one.resources();
        let mut list = resources.fonts();
        for ((key, _), font) in FONTS.iter().zip(fonts) {
            list.pair(*key, font);
        }
        list.finish();
        resources.finish();
        one.finish();
        pdf.stream(contents, &compressed).filter(Filter::FlateDecode);
    }
    let count = i32::try_from(kids.len()).unwrap_or(i32::MAX);
    pdf.pages(tree_of_pages).kids(kids).count(count);
    for ((_, base), font) in FONTS.iter().zip(fonts) {
        pdf.type1_font(font).base_font(*base).encoding_predefined(Name(b"WinAnsiEncoding"));
    }
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

/// Writes the elements that are in that area.
fn group(group: &usvg::Group, area: &Area, content: &mut Content) {
    for node in group.children() {
        let bounds = node.abs_stroke_bounding_box();
        let is_inside = bounds.left() <= area.right()
            && bounds.right() >= area.left()
            && bounds.top() <= area.bottom()
            && bounds.bottom() >= area.top();
        if !is_inside {
            continue;
        }
        match node {
            usvg::Node::Group(inner) => self::group(inner, area, content),
            usvg::Node::Path(path) => shape(path, content),
            usvg::Node::Text(text) => self::text(text, area, content),
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

/// Writes text; its outlines, if the fonts of PDF do not have a character.
fn text(text: &usvg::Text, area: &Area, content: &mut Content) {
    let letters = || text.chunks().iter().flat_map(|chunk| chunk.text().chars());
    if letters().any(|letter| byte(letter).is_none()) {
        return group(text.flattened(), area, content);
    }
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
