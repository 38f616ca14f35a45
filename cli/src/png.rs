//! Renders a picture as PNG, with the fonts of this machine.

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};
use std::path::Path;
use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, FontResolver, fontdb};

use crate::failure::{self, Failure};
use fourfold_inspect::graph::colours::Theme;
use fourfold_inspect::graph::escape::escape;
use fourfold_inspect::graph::picture::Picture;
use fourfold_inspect::graph::{draw, svg::Svg};

/// The most pixels of a picture.
const MOST_PIXELS: f32 = 64e6;
/// The most pixels of a picture without `--scale`.
const USUAL_PIXELS: f32 = 24e6;
/// The most pixels of a side. Many viewers do not show larger pictures.
const MOST_SIDE: f32 = 32_767.0;
/// Letters are sharp at this scale.
const USUAL_SCALE: f32 = 2.0;
/// The error on a machine without fonts.
const NO_FONTS: &str = "no fonts are installed; on Debian and Ubuntu: apt install fonts-dejavu-core; \
                        or pass one with --font FILE, or use --to svg";
/// Below this scale, letters are hard to read.
const READABLE: f32 = 0.75;

/// Draws the picture, and reads the drawing. Characters that no font has are replaced by escapes in it, with a warning.
pub(crate) fn read(
    picture: &mut Picture,
    font: Option<&Path>,
    draw: impl Fn(&Picture) -> Result<Svg, Failure>,
) -> Result<(Svg, usvg::Tree), Failure> {
    let mut options = usvg::Options::default();
    choose_font(options.fontdb_mut(), font)?;
    options.font_resolver =
        FontResolver { select_font: Box::new(select_font), select_fallback: select_fallback() };
    let mut escaped = BTreeSet::new();
    let read = loop {
        let svg = draw(picture)?;
        let tree = parse(&svg.text, &options)?;
        let undrawn = missing(&tree, &options)?;
        for font in &undrawn.bitmaps {
            options.fontdb_mut().remove_face(*font);
        }
        if undrawn.bitmaps.is_empty() {
            if undrawn.characters.is_subset(&escaped) {
                break (svg, tree);
            }
            escaped.extend(undrawn.characters);
            escape(picture, &escaped);
        }
    };
    warn_escaped(&escaped);
    Ok(read)
}

/// Draws the picture.
pub(crate) fn render(
    picture: &mut Picture,
    theme: Theme,
    name: &str,
    font: Option<&Path>,
    given: Option<f32>,
) -> Result<Vec<u8>, Failure> {
    let (svg, tree) = read(picture, font, |picture| {
        let svg = draw(picture, theme, name)?;
        // A scale is refused before the fonts are loaded.
        scale(&svg, given).map(|_| svg)
    })?;
    let scale = scale(&svg, given)?;
    let map = tree.size().to_int_size().scale_by(scale);
    let map = map.and_then(|size| Pixmap::new(size.width(), size.height()));
    let mut map = map.ok_or_else(|| unusable("the picture is empty"))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut map.as_mut());
    let png = map.encode_png().map_err(unusable)?;
    if scale < READABLE && given.is_none() {
        failure::warn(&format!(
            "png: a drawing of {} by {} is scaled down to {scale:.2} to fit into {} by {} pixels; \
             --to svg keeps its letters readable, --around NAME draws a part",
            svg.width,
            svg.height,
            map.width(),
            map.height(),
        ));
    }
    Ok(png)
}

fn unusable(error: impl Display) -> Failure {
    Failure::Usage(format!("picture: {error}"))
}

fn parse(svg: &str, options: &usvg::Options<'_>) -> Result<usvg::Tree, Failure> {
    usvg::Tree::from_str(svg, options).map_err(unusable)
}

/// The scale to draw at.
fn scale(svg: &Svg, given: Option<f32>) -> Result<f32, Failure> {
    let (width, height) = (svg.width, svg.height);
    let most = largest_scale(width, height, MOST_PIXELS);
    match given {
        None => {
            let usual = largest_scale(width, height, USUAL_PIXELS).min(USUAL_SCALE);
            Ok(usual.max(most.min(READABLE)))
        }
        Some(scale) if scale > 0.0 && scale <= most => Ok(scale),
        Some(scale) if scale > most && scale.is_finite() => Err(unusable(format_args!(
            "a drawing of {width} by {height} can have a scale of at most {}, not {scale}",
            rounded_down(most)
        ))),
        Some(scale) => Err(unusable(format_args!("a scale of {scale} makes an empty picture"))),
    }
}

/// The largest scale at which the drawing has at most `pixels` pixels.
fn largest_scale(width: f32, height: f32, pixels: f32) -> f32 {
    (pixels / (width * height)).sqrt().min(MOST_SIDE / width.max(height))
}

/// The number with two decimals, not rounded up.
fn rounded_down(scale: f32) -> f32 {
    (scale * 100.0).floor() / 100.0
}

/// Loads the fonts and sets the font for `monospace`: the given one, else an installed one.
/// Installed fonts are always loaded, for characters that the given font does not have.
fn choose_font(fonts: &mut fontdb::Database, given: Option<&Path>) -> Result<(), Failure> {
    if let Some(path) = given {
        fonts.load_font_file(path).map_err(|error| Failure::io(path, error))?;
        let name = any_family(fonts);
        let name = name.ok_or_else(|| Failure::Usage(format!("{}: not a font", path.display())))?;
        fonts.load_system_fonts();
        fonts.set_monospace_family(name);
        return Ok(());
    }
    fonts.load_system_fonts();
    let name = monospaced(fonts).ok_or_else(|| Failure::Usage(NO_FONTS.into()))?;
    fonts.set_monospace_family(name);
    Ok(())
}

/// The family of a font for boxes. `None` if there are no fonts.
fn monospaced(fonts: &fontdb::Database) -> Option<String> {
    let known = ["DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", "Menlo", "Consolas"];
    let installed = |name: &&str| fonts.faces().any(|face| family(face) == Some(*name));
    let name = known.into_iter().find(installed).map(str::to_owned);
    name.or_else(|| any_family(fonts))
}

fn family(face: &fontdb::FaceInfo) -> Option<&str> {
    face.families.first().map(|(name, _)| name.as_str())
}

/// The family of a monospaced font, or of any font if there is none.
fn any_family(fonts: &fontdb::Database) -> Option<String> {
    let monospaced = fonts.faces().find(|face| face.monospaced);
    monospaced.or_else(|| fonts.faces().next()).and_then(family).map(str::to_owned)
}

/// The chosen font, whatever families the style names.
fn select_font(font: &usvg::Font, fonts: &mut Arc<fontdb::Database>) -> Option<fontdb::ID> {
    fonts.query(&fontdb::Query {
        families: &[fontdb::Family::Monospace],
        weight: fontdb::Weight(font.weight()),
        ..fontdb::Query::default()
    })
}

/// Finds another font for a character: one of the same weight that is monospaced, else one of the same
/// weight, else any.
fn select_fallback() -> usvg::FallbackSelectionFn<'static> {
    let any = FontResolver::default_fallback_selector();
    Box::new(move |letter, used, fonts| {
        let weight = fonts.face(*used.first()?)?.weight;
        let is_alike = |face: &&fontdb::FaceInfo| face.weight == weight;
        let is_best = |face: &&fontdb::FaceInfo| is_alike(face) && face.monospaced;
        let without = |wanted: &dyn Fn(&&fontdb::FaceInfo) -> bool| {
            let others = fonts.faces().filter(|face| !wanted(face)).map(|face| face.id);
            used.iter().copied().chain(others).collect::<Vec<_>>()
        };
        let tries = [without(&is_best), without(&is_alike), used.to_vec()];
        tries.iter().find_map(|unwanted| any(letter, unwanted, fonts))
    })
}

/// The parts of a tree that cannot be drawn.
#[derive(Default)]
struct Undrawn {
    /// Characters that would be empty boxes.
    characters: BTreeSet<char>,
    /// Fonts whose glyphs are bitmaps, which are not rendered.
    bitmaps: BTreeSet<fontdb::ID>,
}

/// The characters in the tree that no font can draw.
fn missing(tree: &usvg::Tree, options: &usvg::Options<'_>) -> Result<Undrawn, Failure> {
    let mut found = Undrawn::default();
    found.search(tree.root());
    if found.characters.is_empty() {
        return Ok(found);
    }
    // A text with one missing character can have others. So each character is tried alone.
    let mut alone =
        String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\">");
    for letter in &found.characters {
        // Writing to a string cannot fail.
        let _ = write!(alone, "<text font-size=\"11\">&#{};</text>", u32::from(*letter));
    }
    alone.push_str("</svg>");
    let mut undrawn = Undrawn::default();
    undrawn.search(parse(&alone, options)?.root());
    if let Some(letter) = undrawn.characters.iter().find(|letter| letter.is_ascii_graphic()) {
        return Err(unusable(format_args!(
            "no installed font has the character `{letter}`; use --font FILE, or --to svg"
        )));
    }
    if undrawn.characters.is_empty() {
        // Each character is in some font, but no font has all of them.
        found.characters.retain(|letter| !letter.is_ascii());
        undrawn.characters = found.characters;
    }
    Ok(undrawn)
}

impl Undrawn {
    fn search(&mut self, group: &usvg::Group) {
        for node in group.children() {
            match node {
                usvg::Node::Group(group) => self.search(group),
                usvg::Node::Text(text) => {
                    let glyphs = || text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
                    let boxes = glyphs().filter(|glyph| glyph.id.0 == 0);
                    self.characters.extend(boxes.flat_map(|glyph| glyph.text.chars()));
                    if has_image(text.flattened()) {
                        let all = text.chunks().iter().flat_map(|chunk| chunk.text().chars());
                        self.characters.extend(all.filter(|letter| !letter.is_ascii()));
                        self.bitmaps.extend(glyphs().map(|glyph| glyph.font));
                    }
                }
                usvg::Node::Path(_) | usvg::Node::Image(_) => {}
            }
        }
    }
}

fn has_image(group: &usvg::Group) -> bool {
    group.children().iter().any(|node| match node {
        usvg::Node::Image(_) => true,
        usvg::Node::Group(group) => has_image(group),
        usvg::Node::Path(_) | usvg::Node::Text(_) => false,
    })
}

/// Warns of characters that were replaced, with the fix.
fn warn_escaped(escaped: &BTreeSet<char>) {
    let Some(first) = escaped.first() else { return };
    let packages: BTreeSet<&str> = escaped.iter().map(|letter| package(*letter)).collect();
    let packages: Vec<&str> = packages.into_iter().collect();
    let what = match escaped.len() {
        1 => "1 character is in no installed font and is drawn as an escape".to_owned(),
        count => format!("{count} characters are in no installed font and are drawn as escapes"),
    };
    failure::warn(&format!(
        "{what}, for example {first} as {}; install a font that has them (on Debian and Ubuntu: \
         apt install {}), pass one with --font FILE, or use --to svg",
        first.escape_unicode(),
        packages.join(" "),
    ));
}

/// The Debian package whose fonts have the character.
fn package(letter: char) -> &'static str {
    match u32::from(letter) {
        0x1100..=0x11ff | 0x2e80..=0x9fff | 0xa960..=0xa97f | 0xac00..=0xd7ff => "fonts-noto-cjk",
        0xf900..=0xfaff | 0xfe30..=0xfe4f | 0xff00..=0xffef => "fonts-noto-cjk",
        0x2_0000..=0x3_ffff => "fonts-noto-cjk",
        0x2600..=0x27bf | 0x1_f000..=0x1_faff => "fonts-symbola",
        _ => "fonts-noto-core",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_fonts_has_no_monospaced_one() {
        assert_eq!(monospaced(&fontdb::Database::new()), None);
        assert!(NO_FONTS.contains("apt install fonts-dejavu-core; or pass one with --font FILE"));
    }
}
