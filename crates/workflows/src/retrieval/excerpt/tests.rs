//! What is shown, and that nothing is cut inside a sentence.

use super::*;

fn candidate(text: &str, sentence: &str) -> Candidate {
    let start = text.find(sentence).unwrap();
    Candidate {
        text: sentence.to_owned(),
        heading: String::new(),
        page: None,
        ranges: std::iter::once(start..start + sentence.len()).collect(),
        score: 1.0,
    }
}

#[test]
fn a_short_document_is_shown_whole() {
    let text = "Title\n\nThe fee is 4,800 euros including tax. It covers the meter.\n";
    assert_eq!(excerpt(text, &[candidate(text, "It covers the meter.")], 1_000), text.trim());
    assert_eq!(excerpt(text, &[], 0), "");
}

#[test]
fn of_a_long_document_the_head_and_whole_sentences_are_shown() {
    let filler = |name: &str| -> String {
        (0..200).map(|at| format!("The {name} number {at} says nothing of interest here. ")).collect()
    };
    let text = format!(
        "Terms of Harlund Heat\n\nDate: 17 February 2025\n\n{}\n\nThe fee is 4,800 euros including tax. Überall.\n\n{}",
        filler("first"),
        filler("second")
    );
    let shown = excerpt(&text, &[candidate(&text, "The fee is 4,800 euros including tax.")], 4_000);
    assert!(shown.starts_with("Terms of Harlund Heat\n\nDate: 17 February 2025"), "{shown}");
    assert!(shown.contains("The fee is 4,800 euros including tax. Überall."), "{shown}");
    assert!(shown.len() <= 4_000 && shown.matches(GAP).count() == 2, "{shown}");
    for part in shown.split(GAP) {
        let part = part.trim();
        assert!(part.is_empty() || part.ends_with('.'), "{part}");
        assert!(part.is_empty() || part.starts_with("Terms") || part.starts_with("The "), "{part}");
    }
}

#[test]
fn more_than_fits_is_left_out_from_the_worst_on() {
    let text: String = (0..400).map(|at| format!("Sentence {at} of this long text stands here. ")).collect();
    let best = candidate(&text, "Sentence 300 of");
    let worst = candidate(&text, "Sentence 100 of");
    let shown = excerpt(&text, &[best, worst], 2_100);
    assert!(shown.contains("Sentence 300 of") && !shown.contains("Sentence 100 of"), "{shown}");
}
