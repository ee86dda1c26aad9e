//! What is let through, and what is not.

use super::{faithful, without_citations};

#[test]
fn a_sentence_holds_if_its_quotes_carry_it() {
    let quote = "The Lode mill grinds 40 tonnes of wheat a day.";
    let held = [
        "The Lode mill grinds 40 tonnes of wheat a day.",
        "A day, the mill grinds 40 tonnes of wheat.",
        "According to the report, the mill grinds 40 tonnes a day.",
    ];
    for sentence in held {
        assert_eq!(faithful(sentence, &[quote]), Ok(()), "{sentence}");
    }
    let dropped = [
        "The Lode mill grinds 41 tonnes of wheat a day.",
        "The Lode mill never grinds 40 tonnes of wheat a day.",
        "The mill of Napoleon grinds 40 tonnes of wheat a day.",
        "Experts praise the beauty of the mill.",
        "In March 2021 the mill ground 40 tonnes of wheat a day.",
        "",
    ];
    for sentence in dropped {
        assert!(faithful(sentence, &[quote]).is_err(), "{sentence}");
    }
}

#[test]
fn citations_a_writer_put_in_are_taken_out_and_other_brackets_stay() {
    let cases = [
        ("It is so [S01].", "It is so."),
        ("It is [Fact-001, S02] so [S1; S2].", "It is so."),
        ("An array [0] and [sic] stay, [", "An array [0] and [sic] stay, ["),
        ("[S]", "[S]"),
    ];
    for (written, plain) in cases {
        assert_eq!(without_citations(written), plain);
    }
}
