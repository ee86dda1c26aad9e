//! Shapes, letters and colours as SVG text.

use super::{LABEL_SIZE, LINE, NAME_SIZE, NODE_HEIGHT, Node};
use crate::layout::Point;
use crate::picture::Spot;
use crate::{Kind, Outcome};

/// How far a loop reaches out of its box, its label included in none of it.
pub(super) const LOOP: f64 = 30.0;
/// From a line to the label beside it.
pub(super) const BESIDE_LINE: f64 = 7.0;
/// Room above the first layer for the mark of the start.
const ABOVE: f64 = 8.0;
const INK: &str = "#22303c";
const PALE: &str = "#5f6b76";
const FONT: &str = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/// How a box looks.
pub(super) struct Style {
    fill: &'static str,
    stroke: &'static str,
    dashes: &'static str,
    class: &'static str,
}

impl Style {
    /// A spot that stands for several states.
    pub(super) const SPOT: Self = Self { fill: "none", stroke: "#8b96a0", dashes: "2 3", class: "spot" };

    pub(super) fn of(kind: Kind) -> Self {
        let (fill, stroke, dashes, class) = match kind {
            Kind::Works => ("#e9f0fa", "#5578a8", "", "works"),
            Kind::Waits => ("#fdf5df", "#a8812a", "6 3", "waits"),
            Kind::Ends(Outcome::Completed) => ("#e4f3e7", "#3f8450", "", "ends"),
            Kind::Ends(Outcome::Partial) => ("#f3f1da", "#84803a", "", "ends"),
            Kind::Ends(Outcome::Failed) => ("#fae7e4", "#ad5143", "", "ends"),
            Kind::Ends(Outcome::Aborted | Outcome::NoEvidence) => ("#ededed", "#767676", "", "ends"),
        };
        Self { fill, stroke, dashes, class }
    }
}

/// An outcome in words.
pub(super) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Completed => "completed",
        Outcome::Partial => "partial",
        Outcome::Failed => "failed",
        Outcome::Aborted => "aborted",
        Outcome::NoEvidence => "no evidence",
    }
}

/// The whole picture around its body.
pub(super) fn page(title: &str, width: f64, height: f64, body: &str) -> String {
    let (width, height) = (width.ceil(), height.ceil() + ABOVE);
    let title = escaped(title);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 -{ABOVE} {width} {height}" role="img" font-family="{FONT}">
<title>{title}</title>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 1 L8 4 L0 7 z" fill="{PALE}"/></marker></defs>
<rect class="panel" y="-{ABOVE}" width="{width}" height="{height}" rx="8" fill="#fcfcfa"/>
{body}</svg>
"##
    )
}

/// A line through the points: straight beside labels and boxes, bent between layers.
pub(super) fn curve(points: &[Point], taken: bool) -> String {
    let mut path = points.first().map_or_else(String::new, |first| format!("M{:.1} {:.1}", first.x, first.y));
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let half = (to.y - from.y) / 2.0;
        let (leaving, arriving) = (from.x + from.lean * half, to.x - to.lean * half);
        let middle = from.y + half;
        path.push_str(&if (leaving - arriving).abs() < 0.05 && from.lean == to.lean {
            format!(" L{:.1} {:.1}", to.x, to.y)
        } else {
            format!(" C{leaving:.1} {middle:.1} {arriving:.1} {middle:.1} {:.1} {:.1}", to.x, to.y)
        });
    }
    if taken { stroke_taken(&path) } else { stroke(&path) }
}

/// A line the run went along: thicker and darker, and its label says how often.
fn stroke_taken(path: &str) -> String {
    format!(
        "<path class=\"taken\" d=\"{path}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"2.6\" marker-end=\"url(#tip)\"/>\n"
    )
}

fn stroke(path: &str) -> String {
    format!(
        "<path d=\"{path}\" fill=\"none\" stroke=\"{PALE}\" stroke-width=\"1.2\" marker-end=\"url(#tip)\"/>\n"
    )
}

/// Labels to the right of a line, one below the other.
pub(super) fn label(lines: &[String], (x, top): (f64, f64)) -> String {
    let x = x + BESIDE_LINE;
    let mut out = String::new();
    for (place, line) in lines.iter().enumerate() {
        let y = top + (place as f64 + 0.75) * LINE;
        out.push_str(&text(line, (x, y), LABEL_SIZE, "start", PALE, "label"));
    }
    out
}

/// A box with its name, what is said of it, and the loop beside it.
pub(super) fn node(node: &Node, (x, y): (f64, f64)) -> String {
    let half = node.half_width();
    let mut out = match &node.spot {
        Spot::State(name) => format!("<g class=\"state\" data-state=\"{}\">\n", escaped(name)),
        _ => "<g class=\"spot\">\n".to_owned(),
    };
    out.push_str(&frame(node, x, y));
    let lift = if node.remark.is_empty() { 4.5 } else { -2.5 };
    out.push_str(&text(&node.name, (x, y + lift), NAME_SIZE, "middle", INK, "name"));
    if !node.remark.is_empty() {
        out.push_str(&text(&node.remark, (x, y + 12.5), LABEL_SIZE, "middle", PALE, "remark"));
    }
    if !node.loops.is_empty() {
        let side = x + half;
        out.push_str(&stroke(&format!(
            "M{side:.1} {:.1} C{far:.1} {:.1} {far:.1} {:.1} {side:.1} {:.1}",
            y - 9.0,
            y - 20.0,
            y + 20.0,
            y + 9.0,
            far = side + LOOP - BESIDE_LINE
        )));
        let top = y - node.loops.len() as f64 * LINE / 2.0;
        out.push_str(&label(&node.loops, (side + LOOP - 2.0 * BESIDE_LINE, top)));
    }
    out.push_str("</g>\n");
    out
}

fn frame(node: &Node, x: f64, y: f64) -> String {
    let (half, height) = (node.half_width(), node.height());
    let Style { fill, stroke, dashes, class } = node.style;
    let (fill, stroke, thick) = match (node.here, node.seen) {
        (true, _) => ("#ffd75e", "#7a5600", 3.0),
        (false, true) => (fill, stroke, 2.6),
        (false, false) => (fill, stroke, 1.4),
    };
    let round = if class == "works" { 5.0 } else { NODE_HEIGHT / 2.0 };
    let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
    let here = match (node.here, node.seen) {
        (true, _) => " here",
        (false, true) => " seen",
        (false, false) => "",
    };
    let rect = |inset: f64| {
        format!(
            "<rect class=\"{class}{here}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{:.1}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{thick}\"{dashes}/>\n",
            x - half + inset,
            y - height / 2.0 + inset,
            2.0 * (half - inset),
            height - 2.0 * inset,
            round - inset
        )
    };
    // A second line round a box says that the run is over there.
    if class == "ends" { rect(0.0) + &rect(3.0) } else { rect(0.0) }
}

/// The dot and the arrow that lead to the start.
pub(super) fn start_mark(node: &Node, (x, y): (f64, f64)) -> String {
    let top = y - node.height() / 2.0;
    let dot = format!("<circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"4.5\" fill=\"{INK}\"/>\n", top - 22.0);
    dot + &stroke(&format!("M{x:.1} {:.1} L{x:.1} {top:.1}", top - 18.0))
}

fn text(text: &str, (x, y): (f64, f64), size: f64, anchor: &str, colour: &str, class: &str) -> String {
    let text = escaped(text);
    format!(
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>\n"
    )
}

/// Text in which XML finds nothing of its own; what XML cannot hold at all becomes a space.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}
