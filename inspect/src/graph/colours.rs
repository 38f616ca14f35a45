//! The colours of pictures. By the formula of WCAG 2, text has a contrast of at least 4.5 to its background, and
//! borders of boxes and wires one of at least 3.

use std::fmt::Write as _;

use super::family::Family;
use super::picture::Shade;

/// The theme of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Light; an SVG is dark in a viewer whose user prefers dark.
    Auto,
    Dark,
}

/// The colours of one theme.
#[derive(Debug)]
pub struct Colours {
    pub paper: &'static str,
    /// The first line of inputs and outputs, and the title.
    pub head: &'static str,
    /// The first line of other boxes, which is on their border's colour.
    pub on_bar: &'static str,
    pub text: &'static str,
    /// Text outside of boxes.
    pub faint: &'static str,
    pub wire: &'static str,
    /// Wires that close a cycle.
    pub back: &'static str,
    families: &'static [(Family, Paint)],
    /// The steps of the heat.
    heat: [Paint; STEPS],
}

/// The number of steps of the heat.
pub(super) const STEPS: usize = 6;

/// The colours of a box.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    pub fill: &'static str,
    /// Of its border and of its first line.
    pub border: &'static str,
}

const fn paint(fill: &'static str, border: &'static str) -> Paint {
    Paint { fill, border }
}

pub const LIGHT: Colours = Colours {
    paper: "#ffffff",
    head: "#1a2230",
    on_bar: "#ffffff",
    text: "#3b4350",
    faint: "#5d6878",
    wire: "#7b8798",
    back: "#b4494f",
    families: &[
        (Family::Data, paint("#fbf0cf", "#8f6c00")),
        (Family::Convolution, paint("#d9e8fc", "#2b6cb8")),
        (Family::Pooling, paint("#d8f0df", "#2f8050")),
        (Family::Activation, paint("#fddfe0", "#bb3b45")),
        (Family::Normalisation, paint("#e9e0fa", "#7a4fc0")),
        (Family::Shape, paint("#d3eff0", "#147d85")),
        (Family::Arithmetic, paint("#fde3cc", "#b3560f")),
        (Family::Other, OTHER),
    ],
    heat: [
        OTHER,
        paint("#fdf1e6", "#8a6242"),
        paint("#fde3b8", "#a65c00"),
        paint("#fccf9c", "#b8430f"),
        paint("#fabb8a", "#b3261e"),
        paint("#f7a98c", "#7d0f2e"),
    ],
};

const OTHER: Paint = paint("#eceff3", "#66717f");

pub const DARK: Colours = Colours {
    paper: "#16191f",
    head: "#eef1f6",
    on_bar: "#16191f",
    text: "#c0c8d4",
    faint: "#97a3b4",
    wire: "#8d99ab",
    back: "#e08085",
    families: &[
        (Family::Data, paint("#3a3112", "#c7a233")),
        (Family::Convolution, paint("#16304f", "#5f9be0")),
        (Family::Pooling, paint("#173824", "#56ad78")),
        (Family::Activation, paint("#481f25", "#e2757d")),
        (Family::Normalisation, paint("#332650", "#a586e6")),
        (Family::Shape, paint("#10383b", "#3fafb8")),
        (Family::Arithmetic, paint("#45290f", "#dd8a45")),
        (Family::Other, paint("#2a313b", "#8592a4")),
    ],
    heat: [
        paint("#2a313b", "#8592a4"),
        paint("#30281f", "#c49a72"),
        paint("#3f2f10", "#d89a35"),
        paint("#4a2a10", "#ee8a45"),
        paint("#54231a", "#f5785f"),
        paint("#5a1a2c", "#ff8fa3"),
    ],
};

impl Colours {
    pub fn paint(&self, shade: Shade) -> Paint {
        let paint = match shade {
            Shade::Family(family) => {
                self.families.iter().find(|(one, _)| *one == family).map(|(_, paint)| paint)
            }
            Shade::Heat(step) => self.heat.get(step),
        };
        paint.copied().unwrap_or(OTHER)
    }

    /// CSS rules that give the elements of an SVG these colours, for boxes of these shades.
    pub(super) fn rules(&self, shades: &[Shade]) -> String {
        let Colours { paper, head, on_bar, text, faint, wire, back, .. } = self;
        let mut rules = format!(
            ".paper{{fill:{paper}}}\ntext{{fill:{text}}}\n.head{{fill:{head}}}\n.on{{fill:{on_bar}}}\n\
             .out{{fill:{faint}}}\n.frame{{stroke:{faint}}}\n\
             .wire{{stroke:{wire}}}\n.tip{{fill:{wire}}}\n.back .wire{{stroke:{back}}}\n\
             .back .tip{{fill:{back}}}\n"
        );
        for shade in shades {
            let (class, Paint { fill, border }) = (shade.class(), self.paint(*shade));
            // Writing to a string cannot fail.
            let _ = writeln!(
                rules,
                ".{class} .box{{fill:{fill};stroke:{border}}}\n.{class} .bar{{fill:{border}}}\n\
                 .{class} .rule{{stroke:{border}}}"
            );
        }
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour, as WCAG 2 defines it.
    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let value =
                f64::from(u8::from_str_radix(colour.get(at..at + 2).unwrap(), 16).unwrap()) / 255.0;
            match value <= 0.040_45 {
                true => value / 12.92,
                false => ((value + 0.055) / 1.055).powf(2.4),
            }
        };
        assert!(colour.starts_with('#') && colour.len() == 7, "{colour}");
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        assert!((contrast("#777777", "#ffffff") - 4.478).abs() < 1e-3);
    }

    #[test]
    fn everything_can_be_read_in_both_themes() {
        for (theme, colours) in [("light", &LIGHT), ("dark", &DARK)] {
            for text in [colours.head, colours.text, colours.faint] {
                let on_paper = contrast(text, colours.paper);
                assert!(on_paper >= 4.5, "{theme}: {text} on the paper has {on_paper:.2}");
            }
            for line in [colours.wire, colours.back] {
                let on_paper = contrast(line, colours.paper);
                assert!(on_paper >= 3.0, "{theme}: {line} on the paper has {on_paper:.2}");
            }
            let families = Family::ALL.into_iter().map(Shade::Family);
            for shade in families.chain((0..STEPS).map(Shade::Heat)) {
                let Paint { fill, border } = colours.paint(shade);
                let on_bar = contrast(colours.on_bar, border);
                assert!(on_bar >= 4.5, "{theme}, {shade:?}: the first line has {on_bar:.2}");
                for text in [colours.head, colours.text] {
                    let on_box = contrast(text, fill);
                    assert!(on_box >= 4.5, "{theme}, {shade:?}: text {text} has {on_box:.2}");
                }
                for around in [colours.paper, fill] {
                    let on = contrast(border, around);
                    assert!(on >= 3.0, "{theme}, {shade:?}: the border on {around} has {on:.2}");
                }
            }
        }
    }

    #[test]
    fn every_family_has_colours_of_its_own() {
        for colours in [&LIGHT, &DARK] {
            let paints = Family::ALL.map(|family| colours.paint(Shade::Family(family)));
            for (at, one) in paints.iter().enumerate() {
                for other in &paints[..at] {
                    assert!(one.fill != other.fill && one.border != other.border);
                }
            }
        }
    }
}
