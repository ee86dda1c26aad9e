//! Who stands left of whom: barycentre sweeps and swaps of neighbours, keeping the order with the fewest crossings.

use super::Net;

const SWEEPS: usize = 24;

pub(super) fn order(net: &mut Net) {
    let mut best = (crossings(net), net.layers.clone());
    for sweep in 0..SWEEPS {
        sort_by_neighbours(net, sweep % 2 == 0);
        swap_neighbours(net);
        let now = crossings(net);
        if now < best.0 {
            best = (now, net.layers.clone());
        }
    }
    net.layers = best.1;
}

/// Each vertex moves to the mean place of those above it (or below it).
fn sort_by_neighbours(net: &mut Net, downwards: bool) {
    let mut rows: Vec<usize> = (0..net.layers.len()).collect();
    if !downwards {
        rows.reverse();
    }
    for row in rows {
        let places = places(net);
        let mut keyed: Vec<(f64, usize)> = Vec::new();
        for vertex in &net.layers[row] {
            let towards = if downwards { &net.vertices[*vertex].up } else { &net.vertices[*vertex].down };
            let sum: f64 = towards.iter().map(|other| places[*other]).sum();
            let mean = if towards.is_empty() { places[*vertex] } else { sum / towards.len() as f64 };
            keyed.push((mean, *vertex));
        }
        keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
        net.layers[row] = keyed.into_iter().map(|(_, vertex)| vertex).collect();
    }
}

fn swap_neighbours(net: &mut Net) {
    for row in 0..net.layers.len() {
        let places = places(net);
        for left in 1..net.layers[row].len() {
            let (one, other) = (net.layers[row][left - 1], net.layers[row][left]);
            let crossed = |a: usize, b: usize| {
                pairs_out_of_order(&net.vertices[a].up, &net.vertices[b].up, &places)
                    + pairs_out_of_order(&net.vertices[a].down, &net.vertices[b].down, &places)
            };
            if crossed(other, one) < crossed(one, other) {
                net.layers[row].swap(left - 1, left);
            }
        }
    }
}

fn pairs_out_of_order(left: &[usize], right: &[usize], places: &[f64]) -> usize {
    left.iter().map(|a| right.iter().filter(|b| places[*a] > places[**b]).count()).sum()
}

/// Each vertex's place in its layer, as a share of the layer's width, so that long and short layers compare.
fn places(net: &Net) -> Vec<f64> {
    let mut places = vec![0.0; net.vertices.len()];
    for layer in &net.layers {
        for (place, vertex) in layer.iter().enumerate() {
            places[*vertex] = (place as f64 + 0.5) / layer.len() as f64;
        }
    }
    places
}

fn crossings(net: &Net) -> usize {
    let places = places(net);
    let mut count = 0;
    for layer in &net.layers {
        for (index, left) in layer.iter().enumerate() {
            for right in &layer[index + 1..] {
                count += pairs_out_of_order(&net.vertices[*left].down, &net.vertices[*right].down, &places);
            }
        }
    }
    count
}
