use serde_json::json;

use super::{Stretch, changed_lines, partings};

fn told(one: &serde_json::Value, other: &serde_json::Value) -> Vec<String> {
    let word = |value: &Option<serde_json::Value>| value.as_ref().map_or("-".to_owned(), ToString::to_string);
    partings(one, other)
        .iter()
        .map(|it| format!("{} {} {}", it.place, word(&it.lost), word(&it.gained)))
        .collect()
}

#[test]
fn values_part_where_they_differ_and_nowhere_else() {
    let one = json!({"facts": ["a", "b", "b"], "state": {"n": 1, "a/b": 2}, "same": [1]});
    let other = json!({"facts": ["c", "a", "b"], "state": {"n": 2}, "same": [1], "more": null});
    assert_eq!(
        told(&one, &other),
        ["/facts \"b\" -", "/facts - \"c\"", "/more - null", "/state/a~1b 2 -", "/state/n 1 2"]
    );
    assert!(told(&one, &one).is_empty());
    assert_eq!(told(&json!(1), &json!("x")), [" 1 \"x\""]);
}

fn drawn(one: &str, other: &str) -> Vec<String> {
    let draw = |stretch: &Stretch| match stretch {
        Stretch::Same(text) => text.clone(),
        Stretch::Lost(text) => format!("[-{text}-]"),
        Stretch::Gained(text) => format!("{{+{text}+}}"),
    };
    changed_lines(one, other).iter().map(|line| line.iter().map(draw).collect()).collect()
}

#[test]
fn texts_differ_by_words_within_changed_lines() {
    let one = "# Report\nThe mill grinds 40 tonnes.\nIt is old.\nEnd";
    let other = "# Report\nThe mill grinds 44 tonnes.\nEnd\nMore";
    assert_eq!(drawn(one, other), ["The mill grinds [-40 tonnes.\nIt is old.-]{+44 tonnes.+}", "{+More+}"]);
    assert!(drawn(one, one).is_empty());
    assert_eq!(drawn("", "a b"), ["{+a b+}"]);
    assert_eq!(drawn("a b", ""), ["[-a b-]"]);
}

/// Texts too long to be compared word by word still come back whole.
#[test]
fn a_long_change_is_told_as_one() {
    let (one, other) = ("a\n".repeat(3_000), "b\n".repeat(3_000));
    let told = changed_lines(&one, &other);
    assert_eq!(told.len(), 1);
    assert!(told[0].iter().all(|stretch| !matches!(stretch, Stretch::Same(text) if text.contains('a'))));
}
