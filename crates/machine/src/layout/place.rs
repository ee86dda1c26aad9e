//! How far apart things stand, and the points their links pass.

use super::{Layout, Net, Point, Route};

const MARGIN: f64 = 24.0;
pub(super) const BESIDE: f64 = 18.0;
const SWEEPS: usize = 120;

/// Gives every vertex its x: near its neighbours, in its order, clear of the next.
pub(super) fn spread(net: &mut Net) {
    for sweep in 0..SWEEPS {
        let mut rows: Vec<usize> = (0..net.layers.len()).collect();
        if sweep % 2 == 1 {
            rows.reverse();
        }
        for row in rows {
            place_layer(net, row);
        }
    }
    let leftmost =
        net.vertices.iter().map(|vertex| vertex.x - vertex.extent.left).fold(f64::INFINITY, f64::min);
    for vertex in &mut net.vertices {
        vertex.x += MARGIN - leftmost;
    }
}

fn place_layer(net: &mut Net, row: usize) {
    let layer = net.layers[row].clone();
    let wishes: Vec<(f64, f64)> = layer.iter().map(|vertex| wish(net, *vertex)).collect();
    let mut offsets = vec![0.0];
    for pair in layer.windows(2) {
        let room = net.vertices[pair[0]].extent.right + BESIDE + net.vertices[pair[1]].extent.left;
        offsets.push(offsets.last().copied().unwrap_or(0.0) + room);
    }
    let free: Vec<(f64, f64)> =
        wishes.iter().zip(&offsets).map(|((x, weight), offset)| (x - offset, *weight)).collect();
    for ((vertex, x), offset) in layer.iter().zip(nearest_rising(&free)).zip(&offsets) {
        net.vertices[*vertex].x = x + offset;
    }
}

/// Where a vertex would like to stand, and how much. Long links pull hardest, so they run straight.
fn wish(net: &Net, vertex: usize) -> (f64, f64) {
    let own = &net.vertices[vertex];
    let bend = |index: usize| net.vertices[index].layer % 2 == 1 || net.vertices[index].extent.height == 0.0;
    let (mut sum, mut weight) = (0.0, 0.0);
    for other in own.up.iter().chain(&own.down) {
        let pull = match (bend(vertex), bend(*other)) {
            (true, true) => 40.0,
            (false, false) => 1.0,
            _ => 2.0,
        };
        sum += pull * net.vertices[*other].x;
        weight += pull;
    }
    if weight == 0.0 { (own.x, 1.0) } else { (sum / weight, weight) }
}

/// The rising sequence nearest to the wishes (weighted least squares): neighbours that would overlap are
/// pooled and share their mean.
fn nearest_rising(wishes: &[(f64, f64)]) -> Vec<f64> {
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (wish, weight) in wishes {
        pools.push((*wish, *weight, 1));
        while let [.., left, right] = pools.as_slice() {
            if left.0 <= right.0 {
                break;
            }
            let weight = left.1 + right.1;
            let pool = ((left.0 * left.1 + right.0 * right.1) / weight, weight, left.2 + right.2);
            pools.truncate(pools.len() - 2);
            pools.push(pool);
        }
    }
    pools.into_iter().flat_map(|(x, _, count)| std::iter::repeat_n(x, count)).collect()
}

/// Turns places in layers into points on paper.
pub(super) fn routes(net: &Net, nodes: usize, turned: &[bool]) -> Layout {
    let bands = bands(net);
    let centre = |index: usize| {
        let (top, bottom) = bands[net.vertices[index].layer];
        (net.vertices[index].x, (top + bottom) / 2.0)
    };
    let routes = (0..net.chains.len()).map(|link| route(net, &bands, link, turned[link])).collect();
    let right = net.vertices.iter().map(|vertex| vertex.x + vertex.extent.right).fold(0.0, f64::max);
    Layout {
        nodes: (0..nodes).map(centre).collect(),
        routes,
        width: right + MARGIN,
        height: bands.last().map_or(0.0, |(_, bottom)| bottom + MARGIN),
    }
}

/// Top and bottom of each layer. The gap before a layer grows with how far sideways its links must go.
fn bands(net: &Net) -> Vec<(f64, f64)> {
    let mut bands: Vec<(f64, f64)> = Vec::new();
    let mut top = MARGIN;
    for layer in &net.layers {
        let aside = layer.iter().flat_map(|vertex| {
            let own = &net.vertices[*vertex];
            own.up.iter().map(|other| (net.vertices[*other].x - own.x).abs())
        });
        if !bands.is_empty() {
            top += (aside.fold(0.0, f64::max) * 0.12).clamp(20.0, 56.0);
        }
        let height = layer.iter().map(|vertex| net.vertices[*vertex].extent.height).fold(0.0, f64::max);
        bands.push((top, top + height));
        top += height;
    }
    bands
}

fn route(net: &Net, bands: &[(f64, f64)], link: usize, turned: bool) -> Route {
    let chain = &net.chains[link];
    let mut points = Vec::new();
    let mut label = (0.0, 0.0);
    for (place, vertex) in chain.iter().enumerate() {
        let own = &net.vertices[*vertex];
        let (top, bottom) = bands[own.layer];
        let (middle, half) = ((top + bottom) / 2.0, own.extent.height / 2.0);
        // A node lower than its layer is left straight, so that the curve clears its taller neighbours.
        if place == 0 {
            let x = port(net, link, *vertex, true);
            points.extend([middle + half, bottom].map(|y| Point { x, y, lean: 0.0 }));
        } else if place + 1 == chain.len() {
            let x = port(net, link, *vertex, false);
            points.extend([top, middle - half].map(|y| Point { x, y, lean: 0.0 }));
        } else if own.extent.height > 0.0 {
            label = (own.x, top);
            points.extend([top, bottom].map(|y| Point { x: own.x, y, lean: 0.0 }));
        } else {
            let lean = lean(net, bands, &chain[place - 1..=place + 1]);
            points.extend([top, bottom].map(|y| Point { x: own.x + lean * (y - middle), y, lean }));
        }
    }
    points.dedup_by(|one, other| (one.y - other.y).abs() < 0.01);
    if turned {
        points.reverse();
    }
    Route { points, label }
}

/// How a link leans where it only passes: along its way, but never out of the room kept for it.
pub(super) fn lean(net: &Net, bands: &[(f64, f64)], around: &[usize]) -> f64 {
    let at = |place: usize| {
        let own = &net.vertices[around[place]];
        let (top, bottom) = bands[own.layer];
        (own.x, (top + bottom) / 2.0, bottom - top)
    };
    let (before, here, after) = (at(0), at(1), at(2));
    let comes = (here.0 - before.0) / (here.1 - before.1);
    let goes = (after.0 - here.0) / (after.1 - here.1);
    if comes * goes <= 0.0 {
        return 0.0;
    }
    let most = comes.abs().min(goes.abs()).min(BESIDE / here.2.max(1.0));
    most.copysign(goes)
}

/// Where on the edge of a node a link touches it: side by side with the others, in the order they arrive.
fn port(net: &Net, link: usize, node: usize, below: bool) -> f64 {
    let next = |chain: &[usize]| match (below, chain) {
        (true, [first, second, ..]) if *first == node => Some(*second),
        (false, [.., before, last]) if *last == node => Some(*before),
        _ => None,
    };
    let own = &net.vertices[node];
    let mut here: Vec<(f64, usize)> = Vec::new();
    for (index, chain) in net.chains.iter().enumerate() {
        if let Some(next) = next(chain) {
            here.push((net.vertices[next].x, index));
        }
    }
    here.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let reach = own.extent.left * 0.75;
    let place = here.iter().position(|(_, index)| *index == link).unwrap_or(0) as f64;
    let last = (here.len().max(1) - 1) as f64;
    if last == 0.0 {
        let x = here.first().map_or(own.x, |(x, _)| *x);
        return x.clamp(own.x - reach, own.x + reach);
    }
    let apart = (2.0 * reach / last).min(26.0);
    own.x + apart * (place - last / 2.0)
}
