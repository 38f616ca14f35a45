//! A drawing as pixels, with fonts of this machine.

use std::path::Path;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};

use super::svg::Svg;
use crate::failure::Failure;

/// How many pixels a picture has at most.
const MOST_PIXELS: f32 = 64e6;
/// How many it has at most if nobody asks for more.
const USUAL_PIXELS: f32 = 24e6;
/// Where letters need no more pixels than this.
const USUAL_SCALE: f32 = 2.0;
/// Where letters cannot be read any more.
const LEAST_SCALE: f32 = 0.5;

pub(super) fn render(
    svg: &Svg,
    font: Option<&Path>,
    scale: Option<f32>,
) -> Result<Vec<u8>, Failure> {
    let unusable = |error: &dyn std::fmt::Display| Failure::Usage(format!("png: {error}"));
    let (width, height) = (svg.width, svg.height);
    let most = (USUAL_PIXELS / (width * height)).sqrt().min(USUAL_SCALE);
    let scale = scale.unwrap_or(most);
    let pixels = width * height * scale * scale;
    if !(scale > 0.0 && scale.is_finite()) {
        return Err(unusable(&format_args!("a scale of {scale} shows nothing")));
    }
    if most < LEAST_SCALE || pixels > MOST_PIXELS {
        let text = format_args!(
            "a drawing of {width} by {height} is too large for pixels: \
             say --to svg, a smaller --scale, or --around NAME"
        );
        return Err(unusable(&text));
    }
    let mut options = usvg::Options::default();
    choose_font(options.fontdb_mut(), font)?;
    let tree = usvg::Tree::from_str(&svg.text, &options).map_err(|error| unusable(&error))?;
    let map = tree.size().to_int_size().scale_by(scale);
    let map = map.and_then(|size| Pixmap::new(size.width(), size.height()));
    let mut map = map.ok_or_else(|| unusable(&"there is nothing to see"))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut map.as_mut());
    map.encode_png().map_err(|error| unusable(&error))
}

/// Sets the font that `monospace` means: the one given, else one of the machine's.
fn choose_font(fonts: &mut fontdb::Database, given: Option<&Path>) -> Result<(), Failure> {
    match given {
        Some(path) => fonts.load_font_file(path).map_err(|error| Failure::io(path, error))?,
        None => fonts.load_system_fonts(),
    }
    let known = ["DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", "Menlo", "Consolas"];
    let family = |face: &fontdb::FaceInfo| face.families.first().map(|(name, _)| name.clone());
    let installed = |name: &&str| fonts.faces().any(|face| family(face).as_deref() == Some(*name));
    let any = |wanted: &dyn Fn(&fontdb::FaceInfo) -> bool| fonts.faces().find(|face| wanted(face));
    let chosen = match known.iter().find(|name| installed(name)) {
        Some(name) if given.is_none() => Some((*name).to_owned()),
        _ => any(&|face| face.monospaced).or_else(|| any(&|_| true)).and_then(family),
    };
    match (chosen, given) {
        (Some(name), _) => {
            fonts.set_monospace_family(name);
            Ok(())
        }
        (None, Some(path)) => Err(Failure::Usage(format!("{}: not a font", path.display()))),
        (None, None) => Err(Failure::Usage(
            "png: this machine has no fonts to write with: say --font FILE, or --to svg".into(),
        )),
    }
}
