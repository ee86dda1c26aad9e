//! The table as one self-contained SVG picture.
//!
//! It stands on a panel of its own, so it reads on light and dark pages alike; classes and `data-state`
//! let a page restyle it. Nothing a person must know is told by colour alone.

mod ink;

use crate::layout::{Extent, Link, layout};
use crate::picture::{Arrow, Spot, arrows, groups, undeclared};
use crate::{Journey, Kind, StateText, TableText};
use ink::Style;

/// The size of letters, and their width as a share of it: the same in every monospaced font in use.
const NAME_SIZE: f64 = 13.0;
const LABEL_SIZE: f64 = 11.0;
const LETTER: f64 = 0.605;
const LINE: f64 = 14.0;
const NODE_HEIGHT: f64 = 42.0;

/// Draws a table; `here` marks the state a run stands in.
pub fn svg(table: &TableText, here: Option<&str>) -> String {
    svg_of(table, &Journey::at(here))
}

/// Draws a table with the way a run went: its states with how often and how long, its rows with how often.
pub fn svg_of(table: &TableText, journey: &Journey) -> String {
    let mut arrows = arrows(table);
    for arrow in &mut arrows {
        if let Some(times) = journey.times(arrow.row) {
            arrow.label = format!("{} ×{times}", arrow.label);
        }
    }
    let nodes = nodes(table, &arrows, journey);
    let links = links(&nodes, &arrows, journey);
    let start = nodes.iter().position(|node| is_state(&node.spot, &table.start)).unwrap_or(0);
    let extents: Vec<Extent> = nodes.iter().map(Node::extent).collect();
    let sizes: Vec<Link> = links.iter().map(Line::size).collect();
    let layout = layout(&extents, &sizes, start);

    let mut body = String::new();
    for (line, route) in links.iter().zip(&layout.routes) {
        body.push_str(&ink::curve(&route.points, line.taken));
        body.push_str(&ink::label(&line.labels, route.label));
    }
    for (node, at) in nodes.iter().zip(&layout.nodes) {
        body.push_str(&ink::node(node, *at));
    }
    if let (Some(node), Some(at)) = (nodes.get(start), layout.nodes.get(start)) {
        body.push_str(&ink::start_mark(node, *at));
    }
    ink::page(&table.workflow, layout.width, layout.height, &body)
}

/// A box: a state, or a spot that stands for several.
struct Node {
    spot: Spot,
    name: String,
    /// What is said below the name: kind, outcome, group, and whether the run stands here.
    remark: String,
    style: Style,
    here: bool,
    /// Whether the run has been here.
    seen: bool,
    /// The labels of rows that lead from the spot to itself.
    loops: Vec<String>,
}

impl Node {
    fn half_width(&self) -> f64 {
        let name = text_width(&self.name, NAME_SIZE);
        let remark = text_width(&self.remark, LABEL_SIZE);
        (name.max(remark) / 2.0 + 14.0).max(48.0)
    }

    fn extent(&self) -> Extent {
        let half = self.half_width();
        let right = if self.loops.is_empty() { half } else { half + ink::LOOP + widest(&self.loops) };
        Extent { left: half, right, height: self.height() }
    }

    fn height(&self) -> f64 {
        NODE_HEIGHT.max(self.loops.len() as f64 * LINE)
    }
}

/// A curve between two boxes, with the labels of all the rows that lead the same way.
struct Line {
    from: usize,
    to: usize,
    labels: Vec<String>,
    /// Whether the run went this way.
    taken: bool,
}

impl Line {
    fn size(&self) -> Link {
        let label = Extent {
            left: 4.0,
            right: ink::BESIDE_LINE + widest(&self.labels),
            height: self.labels.len() as f64 * LINE,
        };
        Link { from: self.from, to: self.to, label }
    }
}

fn nodes(table: &TableText, arrows: &[Arrow], journey: &Journey) -> Vec<Node> {
    let loops = |spot: &Spot| {
        let own = arrows.iter().filter(|arrow| arrow.from == *spot && arrow.to == *spot);
        own.map(|arrow| arrow.label.clone()).collect()
    };
    let node = |spot: Spot, name: &str, remark: String, style: Style, here: bool| Node {
        loops: loops(&spot),
        spot,
        name: name.to_owned(),
        remark,
        style,
        here,
        seen: journey.stays.contains_key(name),
    };
    let mut nodes: Vec<Node> = Vec::new();
    for state in &table.states {
        let stands = journey.here.as_deref() == Some(state.name.as_str());
        let spot = Spot::State(state.name.clone());
        let told = remark(state, stands, journey);
        nodes.push(node(spot, &state.name, told, Style::of(state.kind), stands));
    }
    for name in undeclared(table) {
        nodes.push(node(Spot::State(name.to_owned()), name, "not declared".to_owned(), Style::SPOT, false));
    }
    let used = |spot: &Spot| arrows.iter().any(|arrow| arrow.from == *spot || arrow.to == *spot);
    let boxes = groups(table).into_iter().map(|(group, _)| {
        (Spot::Group(group.to_owned()), format!("in {group}"), "any of its states".to_owned())
    });
    let spots = [
        (Spot::Any, "any state".to_owned(), "that is not an end".to_owned()),
        (Spot::Back, "back".to_owned(), "where it came from".to_owned()),
    ];
    for (spot, name, remark) in boxes.chain(spots).filter(|(spot, ..)| used(spot)) {
        nodes.push(node(spot, &name, remark, Style::SPOT, false));
    }
    nodes
}

fn remark(state: &StateText, here: bool, journey: &Journey) -> String {
    let kind = match state.kind {
        Kind::Works => None,
        Kind::Waits => Some("waits".to_owned()),
        Kind::Ends(outcome) => Some(format!("ends: {}", ink::outcome(outcome))),
    };
    let here = here.then(|| "here".to_owned());
    let told = here.into_iter().chain(kind).chain(state.group.clone()).chain(journey.remark(&state.name));
    told.collect::<Vec<_>>().join(" · ")
}

/// One line per pair of boxes, in the order of the rows; loops are drawn with their box.
fn links(nodes: &[Node], arrows: &[Arrow], journey: &Journey) -> Vec<Line> {
    let place = |spot: &Spot| nodes.iter().position(|node| node.spot == *spot);
    let mut lines: Vec<Line> = Vec::new();
    for arrow in arrows.iter().filter(|arrow| arrow.from != arrow.to) {
        let (Some(from), Some(to)) = (place(&arrow.from), place(&arrow.to)) else { continue };
        match lines.iter_mut().find(|line| (line.from, line.to) == (from, to)) {
            Some(line) => {
                line.labels.push(arrow.label.clone());
                line.taken |= journey.times(arrow.row).is_some();
            }
            None => {
                let taken = journey.times(arrow.row).is_some();
                lines.push(Line { from, to, labels: vec![arrow.label.clone()], taken });
            }
        }
    }
    lines
}

fn is_state(spot: &Spot, name: &str) -> bool {
    matches!(spot, Spot::State(state) if state == name)
}

fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * LETTER
}

fn widest(labels: &[String]) -> f64 {
    labels.iter().map(|label| text_width(label, LABEL_SIZE)).fold(0.0, f64::max)
}
