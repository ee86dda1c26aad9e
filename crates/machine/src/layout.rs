//! Where things stand in a drawing: layers from the start downwards, and curves between them.
//!
//! Real nodes take the even layers. Every link puts its label into an odd one, as a thing with a size of
//! its own, so no label can lie over a node or over another label. Knows sizes only, nothing of tables.

mod order;
mod place;

#[cfg(test)]
mod tests;

/// How far a thing reaches from its anchor.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    pub left: f64,
    pub right: f64,
    pub height: f64,
}

/// A link to draw, with room for its label to the right of the line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub from: usize,
    pub to: usize,
    pub label: Extent,
}

/// The curve of a link, from source to target, and the top of its label's line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Route {
    pub points: Vec<Point>,
    pub label: (f64, f64),
}

/// A point of a curve; `lean` is how far the curve moves aside there for each unit downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
    pub lean: f64,
}

/// Where everything stands: centres of nodes, routes of links, and the size of it all.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub nodes: Vec<(f64, f64)>,
    pub routes: Vec<Route>,
    pub width: f64,
    pub height: f64,
}

/// A node or one layer's worth of a link.
#[derive(Clone, Debug)]
struct Vertex {
    layer: usize,
    extent: Extent,
    x: f64,
    up: Vec<usize>,
    down: Vec<usize>,
}

/// Everything in its layer. The first vertices are the nodes, in their order.
#[derive(Clone, Debug)]
struct Net {
    vertices: Vec<Vertex>,
    /// Per link: the vertices it passes, from the upper end to the lower.
    chains: Vec<Vec<usize>>,
    layers: Vec<Vec<usize>>,
}

/// Lays out nodes and the links between them; a link from a node to itself is not for this function.
pub(crate) fn layout(nodes: &[Extent], links: &[Link], start: usize) -> Layout {
    let turned = turned(nodes.len(), links, start);
    let ranks = ranks(nodes.len(), links, &turned, start);
    let mut net = net(nodes, links, &turned, &ranks);
    order::order(&mut net);
    place::spread(&mut net);
    place::routes(&net, nodes.len(), &turned)
}

/// Which links lead to the start, or towards where a walk from it came from; turned round, no cycle is left
/// and nothing stands above the start.
fn turned(nodes: usize, links: &[Link], start: usize) -> Vec<bool> {
    let mut walk = Walk {
        links,
        start,
        open: vec![false; nodes],
        done: vec![false; nodes],
        turned: vec![false; links.len()],
    };
    walk.visit(start);
    (0..nodes).for_each(|node| walk.visit(node));
    walk.turned
}

struct Walk<'l> {
    links: &'l [Link],
    start: usize,
    open: Vec<bool>,
    done: Vec<bool>,
    turned: Vec<bool>,
}

impl Walk<'_> {
    fn visit(&mut self, node: usize) {
        if self.done[node] {
            return;
        }
        self.open[node] = true;
        for (index, link) in self.links.iter().enumerate().filter(|(_, link)| link.from == node) {
            if self.open[link.to] || link.to == self.start {
                self.turned[index] = true;
            } else {
                self.visit(link.to);
            }
        }
        self.open[node] = false;
        self.done[node] = true;
    }
}

/// Longest way from the top, in even numbers; what nothing leads to stands just above what it leads to.
fn ranks(nodes: usize, links: &[Link], turned: &[bool], start: usize) -> Vec<usize> {
    let down: Vec<(usize, usize)> =
        links.iter().zip(turned).map(|(link, turned)| downward(link, *turned)).collect();
    let mut ranks = vec![0_usize; nodes];
    for _ in 0..nodes {
        for (upper, lower) in &down {
            ranks[*lower] = ranks[*lower].max(ranks[*upper] + 2);
        }
    }
    for node in (0..nodes).filter(|node| *node != start && !down.iter().any(|(_, lower)| lower == node)) {
        let nearest = down.iter().filter(|(upper, _)| *upper == node).map(|(_, lower)| ranks[*lower]).min();
        ranks[node] = nearest.map_or(0, |nearest| nearest.saturating_sub(2));
    }
    ranks
}

fn downward(link: &Link, turned: bool) -> (usize, usize) {
    if turned { (link.to, link.from) } else { (link.from, link.to) }
}

fn net(nodes: &[Extent], links: &[Link], turned: &[bool], ranks: &[usize]) -> Net {
    let vertex =
        |layer: usize, extent: Extent| Vertex { layer, extent, x: 0.0, up: Vec::new(), down: Vec::new() };
    let mut vertices: Vec<Vertex> =
        nodes.iter().zip(ranks).map(|(extent, rank)| vertex(*rank, *extent)).collect();
    let mut chains = Vec::new();
    for (link, turned) in links.iter().zip(turned) {
        let (upper, lower) = downward(link, *turned);
        // The label stands beside the state in which the event comes.
        let labelled = if *turned { ranks[lower] - 1 } else { ranks[upper] + 1 };
        let mut chain = vec![upper];
        for layer in ranks[upper] + 1..ranks[lower] {
            let extent =
                if layer == labelled { link.label } else { Extent { left: 5.0, right: 5.0, height: 0.0 } };
            chain.push(vertices.len());
            vertices.push(vertex(layer, extent));
        }
        chain.push(lower);
        for pair in chain.windows(2) {
            vertices[pair[0]].down.push(pair[1]);
            vertices[pair[1]].up.push(pair[0]);
        }
        chains.push(chain);
    }
    let depth = ranks.iter().max().map_or(0, |rank| rank + 1);
    let members =
        |layer: usize| (0..vertices.len()).filter(|index| vertices[*index].layer == layer).collect();
    Net { layers: (0..depth).map(members).collect(), vertices, chains }
}
