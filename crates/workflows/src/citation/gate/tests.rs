//! What is taken out of a sentence before it is held against its facts.

use super::{points_back, without_citations};

#[test]
fn citations_a_writer_put_in_are_taken_out_and_other_brackets_stay() {
    let cases = [
        ("It is so [S01].", "It is so."),
        ("It is [Fact-001, S02] so [S1; S2].", "It is so."),
        ("An array [0] and [sic] stay, [", "An array [0] and [sic] stay, ["),
        ("[S]", "[S]"),
        ("It keeps the one .log file [S1] .", "It keeps the one .log file ."),
        ("The one .log file , too [S1], stays.", "The one .log file , too, stays."),
    ];
    for (written, plain) in cases {
        assert_eq!(without_citations(written), plain);
    }
}

#[test]
fn a_sentence_that_points_back_is_known() {
    let pointing = [
        "It has two pumps.",
        "They meet in May.",
        "The higher figure counts sheds.",
        "Both are open.",
        "This is new.",
        "Its roof is flat.",
        "The two differ.",
        "\"These\" count.",
        "Neither is open.",
    ];
    for text in pointing {
        assert!(points_back(text), "{text}");
    }
    let standing = [
        "The plant has two pumps.",
        "There are 14 plants.",
        "Two counts exist.",
        "One plant is open.",
        "Heat is sold.",
        "",
    ];
    for text in standing {
        assert!(!points_back(text), "{text}");
    }
}
