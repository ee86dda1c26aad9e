//! What leans, and what it is quoted with.

use super::*;

fn candidate(text: &str, sentence: &str, heading: &str) -> Candidate {
    let start = text.find(sentence).expect("the sentence");
    Candidate {
        text: sentence.to_owned(),
        heading: heading.to_owned(),
        page: None,
        ranges: std::iter::once(start..start + sentence.len()).collect(),
        score: 1.0,
    }
}

#[test]
fn what_points_back_leans_and_what_stands_alone_does_not() {
    for leaning in [
        "It must be paid back in part.",
        "This is due to the blocked intake.",
        "In this week the boilers ran for 61 hours.",
        "In nine out of ten houses, yes.",
        "No. Nobody is obliged to connect.",
        "The higher figure treats a reported building as connected.",
        "However, the easy districts come first.",
        "Of these, 118 will be connected.",
    ] {
        assert!(leans(leaning), "{leaning}");
    }
    for alone in [
        "The connection fee is 4,800 euros.",
        "There were 14 interruptions of supply.",
        "This document replaces version 1.",
        "In the old town a connection costs 2.3 times the mean.",
        "Harlund Heat pays half of the cost of larger radiators in these buildings.",
        "Item 3 is missing.",
        "Nobody is obliged to connect.",
    ] {
        assert!(!leans(alone), "{alone}");
    }
}

#[test]
fn a_share_of_what_the_sentence_itself_names_does_not_point_back() {
    assert!(!points_back("There were 14 interruptions of supply, 9 of them caused by damage to pipes."));
    assert!(!points_back(
        "Permits were given for 212 houses in the year, and 118 of these will be connected."
    ));
    assert!(points_back("The owners of these buildings pay half."));
    assert!(points_back("In 2025, of these 118 were connected."));
    assert!(points_back("The company pays half of the cost of larger radiators in these buildings."));
}

#[test]
fn a_leaning_sentence_comes_with_the_one_before_it() {
    let text = "# Loan\n\nThe state grants a loan of 20 million euros. It must be paid back by 2032.\n";
    let whole = complete(text, candidate(text, "It must be paid back by 2032.", "Loan")).unwrap();
    assert_eq!(whole.text, "The state grants a loan of 20 million euros. It must be paid back by 2032.");
    assert_eq!(&text[whole.ranges[0].clone()], whole.text);
}

#[test]
fn a_reply_comes_with_the_question_above_it() {
    let text = "## Will my radiators become warm?\n\nIn nine out of ten houses, yes. It supplies 70 °C.\n";
    let reply = candidate(text, "In nine out of ten houses, yes.", "FAQ > Will my radiators become warm?");
    let whole = complete(text, reply).unwrap();
    assert_eq!(whole.text, "Will my radiators become warm? In nine out of ten houses, yes.");
    let parts: Vec<&str> = whole.ranges.iter().map(|range| &text[range.clone()]).collect();
    assert_eq!(parts.join(" "), whole.text);
}

#[test]
fn what_leans_on_nothing_is_not_quoted() {
    let text = "It is so.\n";
    assert_eq!(complete(text, candidate(text, "It is so.", "")), None);
}

#[test]
fn a_row_comes_with_the_head_of_its_table() {
    let text =
        "| figure | 2024 | 2025 |\n|---|---|---|\n| heat, GWh | 143 | 186 |\n| employees | 96 | 113 |\n";
    let whole = complete(text, candidate(text, "| employees | 96 | 113 |", "")).unwrap();
    assert_eq!(whole.text, "| figure | 2024 | 2025 |\n| employees | 96 | 113 |");
}

#[test]
fn a_section_number_or_a_bullet_is_no_part_of_what_is_quoted() {
    let text =
        "2.1 The connection fee for a house is 4,800 euros.\n- The goal is 12,000 connected buildings.\n";
    for (sentence, bare) in [
        (
            "2.1 The connection fee for a house is 4,800 euros.",
            "The connection fee for a house is 4,800 euros.",
        ),
        ("- The goal is 12,000 connected buildings.", "The goal is 12,000 connected buildings."),
    ] {
        let whole = complete(text, candidate(text, sentence, "")).unwrap();
        assert_eq!(whole.text, bare);
        assert_eq!(&text[whole.ranges[0].clone()], bare);
    }
}
