//! Choosing items that are good and differ from one another (maximal marginal relevance).

/// Takes up to `count` items, each time the one with the best `score` less `penalty` times its greatest
/// likeness to one already taken. Ties go to the earlier item, so the choice is deterministic.
pub fn choose<T>(
    mut items: Vec<T>,
    count: usize,
    penalty: f64,
    score: impl Fn(&T) -> f64,
    likeness: impl Fn(&T, &T) -> f64,
) -> Vec<T> {
    let mut nearest = vec![0.0_f64; items.len()];
    let mut taken: Vec<T> = Vec::with_capacity(count.min(items.len()));
    while taken.len() < count && !items.is_empty() {
        let mut best = 0;
        for index in 1..items.len() {
            let value = |i: usize| score(&items[i]) - penalty * nearest[i];
            if value(index) > value(best) {
                best = index;
            }
        }
        let item = items.remove(best);
        nearest.remove(best);
        for (index, other) in items.iter().enumerate() {
            nearest[index] = nearest[index].max(likeness(other, &item));
        }
        taken.push(item);
    }
    taken
}
