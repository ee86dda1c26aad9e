//! The nearest right name to a wrong one.

/// The candidate closest to `wrong`, if any is close enough to be meant.
#[must_use]
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = |c: &&str| distance(wrong, c) <= (wrong.chars().count().max(c.chars().count()) / 3).max(1);
    candidates.into_iter().filter(near).min_by_key(|c| distance(wrong, c))
}

/// Edits (insert, delete, replace, swap of neighbours) between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant_and_nothing_far_off() {
        let names = ["base_url", "model", "key_env", "price_input"];
        assert_eq!(nearest("modle", names), Some("model"));
        assert_eq!(nearest("base-url", names), Some("base_url"));
        assert_eq!(nearest("key", names), None);
        assert_eq!(nearest("temperature", names), None);
    }
}
