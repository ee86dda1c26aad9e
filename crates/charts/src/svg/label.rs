//! Finding room for words.

use super::pen::Area;

/// Moves positions apart to a least distance, keeping their order and staying between two ends where they can.
pub(super) fn spread(wanted: &[f64], least: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut placed: Vec<f64> = order.iter().map(|at| wanted[*at].clamp(low, high.max(low))).collect();
    // Down until nothing touches, then up from the end; what is crowded shares its distance.
    for at in 1..placed.len() {
        placed[at] = placed[at].max(placed[at - 1] + least);
    }
    if let Some(last) = placed.last_mut() {
        *last = last.min(high.max(low));
    }
    for at in (1..placed.len()).rev() {
        placed[at - 1] = placed[at - 1].min(placed[at] - least);
    }
    let mut out = vec![0.0; wanted.len()];
    for (place, at) in placed.into_iter().zip(order) {
        out[at] = place;
    }
    out
}

/// The best of some places for a box: inside, off what is taken, off the points of the data.
pub(super) fn best(
    candidates: &[Area],
    inside: Area,
    taken: &[Area],
    points: &[(f64, f64)],
) -> Option<usize> {
    let cost = |area: &Area| {
        let out = area.left < inside.left
            || area.right > inside.right
            || area.top < inside.top
            || area.bottom > inside.bottom;
        let covered = taken.iter().filter(|other| area.overlaps(**other)).count();
        let near = Area {
            left: area.left - 2.0,
            top: area.top - 2.0,
            right: area.right + 2.0,
            bottom: area.bottom + 2.0,
        };
        let hidden = points.iter().filter(|(x, y)| near.holds(*x, *y)).count();
        usize::from(out) * 100_000 + covered * 1_000 + hidden
    };
    candidates.iter().enumerate().min_by_key(|(_, area)| cost(area)).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crowded_names_move_apart_and_keep_their_order() {
        let placed = spread(&[50.0, 52.0, 51.0, 10.0], 15.0, 0.0, 100.0);
        let mut sorted = placed.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|two| two[1] - two[0] >= 15.0 - 1e-9), "{placed:?}");
        assert!(placed[0] < placed[2] && placed[2] < placed[1] && placed[3] == 10.0, "{placed:?}");
        let bottom = spread(&[99.0, 100.0, 100.0], 15.0, 0.0, 100.0);
        assert!(bottom.iter().all(|y| *y <= 100.0), "{bottom:?}");
    }
}
