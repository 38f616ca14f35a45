//! Draws line charts with logarithmic axes as SVG, for light and dark themes.

use std::fmt::Write;

use crate::Outcome;

pub(crate) struct Chart<'a> {
    pub(crate) title: &'a str,
    pub(crate) across: &'a str,
    /// Label and slope of a dashed line.
    pub(crate) bound: (&'a str, f64),
    pub(crate) lines: Vec<Line<'a>>,
}

pub(crate) struct Line<'a> {
    pub(crate) name: &'a str,
    pub(crate) points: Vec<(usize, usize)>,
}

const SIDE: f64 = 320.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;
const WIDTH: f64 = LEFT + SIDE + 20.0;
const HEIGHT: f64 = TOP + SIDE + 60.0;

/// Colours for light and dark backgrounds, distinct for colour-blind readers.
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/// Logarithm of the start of both axes: 1 KB.
const LOWEST: f64 = 3.0;

/// Draws the charts side by side.
///
/// # Errors
///
/// If a number is too large for a chart.
pub(crate) fn draw(charts: &[Chart<'_>]) -> Outcome<String> {
    let count = f64::from(u32::try_from(charts.len())?);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<style>\n\
         text {{ fill: #222; }} .axis {{ stroke: #888; fill: none; }} .grid {{ stroke: #ddd; }}\n\
         .bound {{ stroke: #222; stroke-dasharray: 5 4; }} .paper {{ fill: #fff; }}\n\
         @media (prefers-color-scheme: dark) {{ text {{ fill: #ddd; }} .grid {{ stroke: #333; }} \
         .bound {{ stroke: #eee; }} \
         .paper {{ fill: #111; }} }}\n</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
        count * WIDTH
    );
    let mut left = LEFT;
    for chart in charts {
        writeln!(out, "<g transform=\"translate({left} {TOP})\">")?;
        panel(&mut out, chart)?;
        out.push_str("</g>\n");
        left += WIDTH;
    }
    out.push_str("</svg>\n");
    Ok(out)
}

fn panel(out: &mut String, chart: &Chart<'_>) -> Outcome<()> {
    let all = chart.lines.iter().flat_map(|line| &line.points);
    let most = all.map(|&(x, y)| x.max(y)).max().unwrap_or(0);
    let highest = logarithm(most)?.ceil().max(LOWEST + 1.0);
    let scale = SIDE / (highest - LOWEST);
    let x = |log: f64| (log.max(LOWEST) - LOWEST) * scale;
    let y = |log: f64| SIDE - x(log);

    let (middle, end) = (SIDE / 2.0, SIDE + 18.0);
    writeln!(
        out,
        "<text x=\"{middle}\" y=\"-14\" text-anchor=\"middle\" font-size=\"15\">{}</text>",
        chart.title
    )?;
    for (power, unit) in
        (3..).zip(["1 KB", "10 KB", "100 KB", "1 MB", "10 MB", "100 MB", "1 GB", "10 GB"])
    {
        let log = f64::from(power);
        if log <= highest {
            let (x, y) = (x(log), y(log));
            writeln!(out, "<path class=\"grid\" d=\"M{x:.1} 0V{SIDE}M0 {y:.1}H{SIDE}\"/>")?;
            writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{end}\" text-anchor=\"middle\" font-size=\"10\">{unit}</text>"
            )?;
            writeln!(
                out,
                "<text x=\"-6\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"10\">{unit}</text>",
                y + 4.0
            )?;
        }
    }
    writeln!(out, "<path class=\"axis\" d=\"M0 0V{SIDE}H{SIDE}\"/>")?;
    writeln!(
        out,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        SIDE + 42.0,
        chart.across
    )?;
    writeln!(
        out,
        "<text transform=\"translate(-54 {middle}) rotate(-90)\" text-anchor=\"middle\">peak allocation</text>"
    )?;

    let mut row = 32.0;
    // Earlier lines are wider, so that they remain visible under later ones.
    let mut width: f64 = 9.0;
    for (line, colour) in chart.lines.iter().zip(COLOURS) {
        let mut points = String::new();
        for &(across, up) in &line.points {
            write!(points, "{:.1},{:.1} ", x(logarithm(across)?), y(logarithm(up)?))?;
        }
        writeln!(
            out,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-linejoin=\"round\" stroke-width=\"{width}\" points=\"{}\"/>",
            points.trim_end()
        )?;
        writeln!(
            out,
            "<path stroke=\"{colour}\" stroke-width=\"{width}\" d=\"M16 {:.1}h22\"/><text x=\"44\" y=\"{row:.1}\">{}</text>",
            row - 4.0,
            line.name
        )?;
        row += 18.0;
        width = (width - 2.5).max(1.5);
    }
    // Drawn over the lines.
    let (label, factor) = chart.bound;
    let (from, to) = (LOWEST + factor.log10(), highest - factor.log10());
    writeln!(out, "<path class=\"bound\" d=\"M0 {:.1}L{:.1} 0\"/>", y(from), x(to))?;
    writeln!(out, "<path class=\"bound\" d=\"M16 10h22\"/><text x=\"44\" y=\"14\">{label}</text>")?;
    Ok(())
}

fn logarithm(number: usize) -> Outcome<f64> {
    Ok(f64::from(u32::try_from(number.max(1))?).log10())
}
