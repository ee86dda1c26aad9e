//! What is taken out of a sentence before it is held against its facts.

use super::without_citations;

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
