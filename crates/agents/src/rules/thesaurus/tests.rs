use super::{entry, knows, opposed, same};

#[test]
fn inflected_words_and_phrases_mean_the_same() {
    for (left, right) in [
        ("finished", "completed"),
        ("holding up", "delay"),
        ("inundated", "submerged"),
        ("buying", "purchase"),
        ("stopped", "halt"),
        ("biggest", "large"),
    ] {
        assert!(same(left, right) || same(right, left), "{left} / {right}");
    }
    for (left, right) in [("raise", "lower"), ("bankrupt", "connected"), ("qwertz", "qwertz"), ("", "finish")]
    {
        assert!(!same(left, right), "{left} / {right}");
    }
}

#[test]
fn opposites_are_known_both_ways() {
    for (left, right) in [("increases", "decrease"), ("raised", "lowering"), ("legal", "illegal")] {
        assert!(opposed(left, right) && opposed(right, left), "{left} / {right}");
    }
    assert!(!opposed("finish", "complete"));
}

#[test]
fn every_line_is_found_where_it_stands() {
    let lines = super::TABLE.lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let (word, rest) = line.split_once(['=', '!', '~']).unwrap();
        let sign = line[word.len()..].chars().next().unwrap();
        assert_eq!(entry(word, sign), Some(rest), "{word}{sign}");
    }
    assert!(knows("finish") && !knows("zzzz"));
}

mod any_text {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_panics(left in "\\PC{0,12}", right in "\\PC{0,12}") {
            let _ = super::super::same(&left, &right) | super::super::opposed(&left, &right);
        }
    }
}
