//! Themes: short texts that speak of one thing, gathered. Words are weighed by how few texts have them, and groups are
//! joined while they are near enough. The same texts in the same order give the same themes.

use std::collections::{BTreeMap, BTreeSet};

use super::words::content_stems;

/// Groups of texts, by their places; the largest first, ties by the first text.
#[must_use]
pub fn themes(texts: &[&str], most: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = (0..texts.len()).map(|at| vec![at]).collect();
    // Sums of likeness between the texts of two groups; the mean is what counts.
    let mut sums = likenesses(texts);
    while let Some((left, right, near)) = nearest(&groups, &sums) {
        if near < FAR || (near < NEAR && groups.len() <= most.max(1)) {
            break;
        }
        let joined = groups.remove(right);
        groups[left].extend(joined);
        groups[left].sort_unstable();
        let row = sums.remove(right);
        for (own, sum) in sums[left].iter_mut().zip(row) {
            *own += sum;
        }
        for row in &mut sums {
            row.remove(right);
        }
        let merged = sums[left].clone();
        for (row, sum) in sums.iter_mut().zip(merged) {
            row[left] = sum;
        }
    }
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    groups
}

/// How alike any two of the texts are, 0 to 1: the words they share, weighed by how few texts have them.
#[must_use]
pub fn likenesses(texts: &[&str]) -> Vec<Vec<f64>> {
    let vectors = vectors(texts);
    vectors.iter().map(|left| vectors.iter().map(|right| likeness(left, right)).collect()).collect()
}

/// From this likeness on two groups speak of one thing.
const NEAR: f64 = 0.35;
/// Below this likeness nothing is joined.
const FAR: f64 = 0.02;

type Vector = BTreeMap<String, f64>;

fn vectors(texts: &[&str]) -> Vec<Vector> {
    let stems: Vec<BTreeSet<String>> =
        texts.iter().map(|text| content_stems(text).into_iter().collect()).collect();
    let mut with: BTreeMap<&str, usize> = BTreeMap::new();
    for stem in stems.iter().flatten() {
        *with.entry(stem).or_default() += 1;
    }
    let count = texts.len() as f64;
    let weigh = |own: &BTreeSet<String>| {
        let raw: Vector = own
            .iter()
            .map(|stem| (stem.clone(), (count / with[stem.as_str()] as f64).ln().max(0.05)))
            .collect();
        let length = raw.values().map(|weight| weight * weight).sum::<f64>().sqrt().max(1e-9);
        raw.into_iter().map(|(stem, weight)| (stem, weight / length)).collect()
    };
    stems.iter().map(weigh).collect()
}

/// The two groups that are nearest on average.
fn nearest(groups: &[Vec<usize>], sums: &[Vec<f64>]) -> Option<(usize, usize, f64)> {
    let mut best: Option<(usize, usize, f64)> = None;
    for left in 0..groups.len() {
        for right in left + 1..groups.len() {
            let near = sums[left][right] / (groups[left].len() * groups[right].len()) as f64;
            if best.is_none_or(|(_, _, known)| near > known + 1e-12) {
                best = Some((left, right, near));
            }
        }
    }
    best
}

fn likeness(a: &Vector, b: &Vector) -> f64 {
    let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    small.iter().filter_map(|(stem, weight)| Some(weight * large.get(stem)?)).sum()
}

#[cfg(test)]
mod tests {
    use super::themes;

    #[test]
    fn texts_about_one_thing_stand_together() {
        let texts = [
            "The mill grinds wheat every day.",
            "The fee for a connection is 4,800 euros.",
            "Wheat for the mill comes by ship.",
            "A connection costs a fee of 3,900 euros in Northgate.",
            "The mill has ground wheat since 1911.",
        ];
        assert_eq!(themes(&texts, 2), [vec![0, 2, 4], vec![1, 3]]);
        assert_eq!(themes(&[], 3), Vec::<Vec<usize>>::new());
        assert_eq!(themes(&["Alone."], 3), [vec![0]]);
    }

    #[test]
    fn what_shares_no_word_is_never_joined() {
        assert_eq!(themes(&["red apples", "blue ships", "green rivers"], 1).len(), 3);
    }
}
