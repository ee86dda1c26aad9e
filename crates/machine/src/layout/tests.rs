//! Whatever the graph: nothing lies over anything else, and every curve goes where its link goes.

use proptest::collection::vec;
use proptest::prelude::*;

use super::place::{BESIDE, lean};
use super::{Extent, Layout, Link, Net, Point, Vertex, layout};

#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Touching the rim is not being inside.
    fn holds(&self, (x, y): (f64, f64)) -> bool {
        let rim = 0.01;
        self.left + rim < x && x < self.right - rim && self.top + rim < y && y < self.bottom - rim
    }
}

fn extents() -> impl Strategy<Value = Vec<Extent>> {
    let extent = (20.0..90.0_f64, 0.0..120.0_f64, 30.0..60.0_f64);
    vec(extent.prop_map(|(left, extra, height)| Extent { left, right: left + extra, height }), 1..12)
}

fn graphs() -> impl Strategy<Value = (Vec<Extent>, Vec<Link>)> {
    extents().prop_flat_map(|nodes| {
        let count = nodes.len();
        let link = (0..count, 0..count, 20.0..200.0_f64, 1..4_u8).prop_map(|(from, to, right, lines)| {
            let label = Extent { left: 4.0, right, height: f64::from(lines) * 14.0 };
            Link { from, to, label }
        });
        let links = vec(link, 0..24)
            .prop_map(|links| links.into_iter().filter(|link| link.from != link.to).collect());
        (Just(nodes), links)
    })
}

fn node_areas(nodes: &[Extent], layout: &Layout) -> Vec<Area> {
    let area = |(extent, (x, y)): (&Extent, &(f64, f64))| Area {
        left: x - extent.left,
        right: x + extent.right,
        top: y - extent.height / 2.0,
        bottom: y + extent.height / 2.0,
    };
    nodes.iter().zip(&layout.nodes).map(area).collect()
}

fn label_areas(links: &[Link], layout: &Layout) -> Vec<Area> {
    let area = |(link, route): (&Link, &super::Route)| {
        let (x, top) = route.label;
        Area { left: x - link.label.left, right: x + link.label.right, top, bottom: top + link.label.height }
    };
    links.iter().zip(&layout.routes).map(area).collect()
}

/// Points along a curve, as it is drawn.
fn along(points: &[Point]) -> Vec<(f64, f64)> {
    let mut out = Vec::new();
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let half = (to.y - from.y) / 2.0;
        let xs = [from.x, from.x + from.lean * half, to.x - to.lean * half, to.x];
        let ys = [from.y, from.y + half, from.y + half, to.y];
        for step in 0..=20 {
            let t = f64::from(step) / 20.0;
            let weights =
                [(1.0 - t).powi(3), 3.0 * t * (1.0 - t).powi(2), 3.0 * t * t * (1.0 - t), t.powi(3)];
            let at =
                |values: [f64; 4]| weights.iter().zip(values).map(|(weight, value)| weight * value).sum();
            out.push((at(xs), at(ys)));
        }
    }
    out
}

proptest! {
    #[test]
    fn no_label_and_no_node_lies_over_another((nodes, links) in graphs()) {
        let layout = layout(&nodes, &links, 0);
        let areas = [node_areas(&nodes, &layout), label_areas(&links, &layout)].concat();
        for (index, area) in areas.iter().enumerate() {
            prop_assert!(area.left >= 0.0 && area.right <= layout.width, "{:?} out of the picture", area);
            prop_assert!(area.top >= 0.0 && area.bottom <= layout.height, "{:?} out of the picture", area);
            for other in &areas[index + 1..] {
                prop_assert!(!area.overlaps(other), "{:?} lies over {:?}", area, other);
            }
        }
    }

    #[test]
    fn every_curve_joins_its_nodes_and_crosses_no_other((nodes, links) in graphs()) {
        let layout = layout(&nodes, &links, 0);
        let areas = node_areas(&nodes, &layout);
        for (link, route) in links.iter().zip(&layout.routes) {
            for (node, point) in [(link.from, route.points.first()), (link.to, route.points.last())] {
                let (point, area, centre) = (point.unwrap(), areas[node], layout.nodes[node]);
                let touches = (point.y - area.top).abs() < 0.02 || (point.y - area.bottom).abs() < 0.02;
                prop_assert!(touches && (point.x - centre.0).abs() <= nodes[node].left, "{:?} misses {:?}", point, area);
            }
            for (node, area) in areas.iter().enumerate() {
                let through = along(&route.points).into_iter().find(|point| area.holds(*point));
                prop_assert!(through.is_none(), "link {:?} runs through node {} at {:?}", link, node, through);
            }
        }
    }

    #[test]
    fn nothing_stands_above_the_start((nodes, links) in graphs()) {
        let layout = layout(&nodes, &links, 0);
        prop_assert!(layout.nodes.iter().all(|(_, y)| *y >= layout.nodes[0].1));
    }
}

#[test]
fn a_chain_goes_straight_down() {
    let node = Extent { left: 40.0, right: 40.0, height: 40.0 };
    let label = Extent { left: 4.0, right: 60.0, height: 14.0 };
    let links = [(0, 1), (1, 2), (2, 0)].map(|(from, to)| Link { from, to, label });
    let layout = layout(&[node; 3], &links, 0);
    let ys: Vec<f64> = layout.nodes.iter().map(|(_, y)| *y).collect();
    assert!(ys[0] < ys[1] && ys[1] < ys[2], "{ys:?}");
    let back = &layout.routes[2].points;
    assert!(back.first().unwrap().y > back.last().unwrap().y, "the way back is drawn upwards");
}

#[test]
fn a_link_that_passes_leans_along_its_way_but_not_out_of_its_room() {
    let net = |xs: [f64; 3]| {
        let vertex =
            |(layer, x)| Vertex { layer, extent: Extent::default(), x, up: Vec::new(), down: Vec::new() };
        let vertices = xs.into_iter().enumerate().map(vertex).collect();
        Net { vertices, chains: vec![vec![0, 1, 2]], layers: vec![vec![0], vec![1], vec![2]] }
    };
    let bands = [(0.0, 10.0), (30.0, 70.0), (90.0, 100.0)];
    let leans = |xs| lean(&net(xs), &bands, &[0, 1, 2]);
    assert_eq!(leans([0.0, 9.0, 18.0]), 0.2, "a gentle slope is followed");
    assert_eq!(leans([0.0, 9.0, 900.0]), 0.2, "the gentler side decides");
    assert_eq!(leans([900.0, 450.0, 0.0]), -BESIDE / 40.0, "a steep one is cut");
    assert_eq!(leans([0.0, 50.0, 0.0]), 0.0, "a turn is upright");
}
