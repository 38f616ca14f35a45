//! A drawing as pixels, with fonts of this machine.

use std::path::Path;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};

use crate::failure::{self, Failure};
use fourfold_files::graph::svg::Svg;

/// How many pixels a picture has at most.
const MOST_PIXELS: f32 = 64e6;
/// How many it has at most if nobody asks for more.
const USUAL_PIXELS: f32 = 24e6;
/// How wide and high it is at most: more than this, many viewers do not show.
const MOST_SIDE: f32 = 32_767.0;
/// Where letters need no more pixels than this.
const USUAL_SCALE: f32 = 2.0;
/// Below this, letters are hard to read.
const READABLE: f32 = 0.75;

pub(crate) fn render(
    svg: &Svg,
    font: Option<&Path>,
    given: Option<f32>,
) -> Result<Vec<u8>, Failure> {
    let unusable = |error: &dyn std::fmt::Display| Failure::Usage(format!("png: {error}"));
    let (width, height) = (svg.width, svg.height);
    let most = largest_scale(width, height, MOST_PIXELS);
    let scale = match given {
        None => {
            let usual = largest_scale(width, height, USUAL_PIXELS).min(USUAL_SCALE);
            usual.max(most.min(READABLE))
        }
        Some(scale) if scale > 0.0 && scale <= most => scale,
        Some(scale) if scale > most && scale.is_finite() => {
            let text = format_args!(
                "a drawing of {width} by {height} has room for a scale of {} at most, not {scale}",
                rounded_down(most)
            );
            return Err(unusable(&text));
        }
        Some(scale) => return Err(unusable(&format_args!("a scale of {scale} shows nothing"))),
    };
    let mut options = usvg::Options::default();
    choose_font(options.fontdb_mut(), font)?;
    let tree = usvg::Tree::from_str(&svg.text, &options).map_err(|error| unusable(&error))?;
    let map = tree.size().to_int_size().scale_by(scale);
    let map = map.and_then(|size| Pixmap::new(size.width(), size.height()));
    let mut map = map.ok_or_else(|| unusable(&"there is nothing to see"))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut map.as_mut());
    let png = map.encode_png().map_err(|error| unusable(&error))?;
    if scale < READABLE && given.is_none() {
        failure::remark(&format!(
            "png: a drawing of {width} by {height} is scaled down to {scale:.2} to fit into {} by {} \
             pixels; --to svg keeps its letters readable, --around NAME draws a part",
            map.width(),
            map.height(),
        ));
    }
    Ok(png)
}

/// How many pixels a unit may have where there are so many pixels in all.
fn largest_scale(width: f32, height: f32, pixels: f32) -> f32 {
    (pixels / (width * height)).sqrt().min(MOST_SIDE / width.max(height))
}

/// A number of few digits that is no larger.
fn rounded_down(scale: f32) -> f32 {
    (scale * 100.0).floor() / 100.0
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
