use super::*;

fn pieces(text: &str) -> Vec<(usize, String, Option<Skip>)> {
    Draft::of(text.to_owned()).pieces.into_iter().map(|piece| (piece.line, piece.words, piece.skip)).collect()
}

fn stated(text: &str) -> Vec<String> {
    Draft::of(text.to_owned()).stated().map(|piece| piece.words.clone()).collect()
}

#[test]
fn a_draft_is_cut_into_what_states_something_and_what_does_not() {
    let text = "\
---
title: A note
---
# The network

In this note we look at the network. How large is it? It has **4,310** [buildings](https://example.org/a_b).

It consists of three parts:

- the pumps, which stand at the [quay][q]
- Heat storage
1. Fees: 8,400 euros for a house. [S01] Fees fell. [2]

```sh
rm -rf everything.
```

| year | buildings |
| 2025 | 4,310 |

Summary
-------

> The pumps are
> new.

[q]: https://example.org/quay
See the appendix.
";
    let some = |line: usize, words: &str, skip| (line, words.to_owned(), skip);
    assert_eq!(
        pieces(text),
        [
            some(1, "--- title: A note ---", Some(Skip::FrontMatter)),
            some(4, "# The network", Some(Skip::Heading)),
            some(6, "In this note we look at the network.", Some(Skip::Aside)),
            some(6, "How large is it?", Some(Skip::Question)),
            some(6, "It has 4,310 buildings.", None),
            some(8, "It consists of three parts:", Some(Skip::LeadIn)),
            some(10, "the pumps, which stand at the quay", None),
            some(11, "Heat storage", Some(Skip::Fragment)),
            some(12, "Fees: 8,400 euros for a house.", None),
            some(12, "Fees fell.", None),
            some(14, "sh rm -rf everything.", Some(Skip::Code)),
            some(18, "| year | buildings |", Some(Skip::TableRow)),
            some(19, "| 2025 | 4,310 |", Some(Skip::TableRow)),
            some(21, "Summary -------", Some(Skip::Heading)),
            some(24, "The pumps are new.", None),
            some(28, "See the appendix.", Some(Skip::Aside)),
        ]
    );
}

#[test]
fn every_piece_stands_where_it_says() {
    let text = "Über **alles** gilt: *nichts*.\n\n- Die Anlage läuft. Sie kostet 3 €.\n<script>alert(1)</script>\nEnde gut.";
    for piece in Draft::of(text.to_owned()).pieces {
        assert!(
            text.is_char_boundary(piece.range.start) && text.is_char_boundary(piece.range.end),
            "{piece:?}"
        );
        let first = piece.words.split(' ').next().unwrap_or_default().trim_end_matches('.');
        assert!(text[piece.range.clone()].contains(first), "{piece:?}");
    }
}

#[test]
fn scripts_and_comments_say_nothing_even_if_they_never_end() {
    assert_eq!(stated("It is so. <!-- Hidden fact one. --> It holds."), ["It is so.", "It holds."]);
    assert_eq!(stated("It is so.\n<SCRIPT>It is not so.</SCRIPT>\nIt holds."), ["It is so.", "It holds."]);
    assert_eq!(stated("It is so.\n<style>It is not so."), ["It is so."]);
    assert_eq!(stated("It is <script>not</script> so."), ["It is so."]);
}

#[test]
fn a_sentence_may_begin_with_the_name_of_a_command() {
    assert_eq!(
        stated("The file is kept. xz copies it, etc. and so on (approx. five times). \n\nxz is new."),
        ["The file is kept.", "xz copies it, etc. and so on (approx. five times).", "xz is new."]
    );
    assert_eq!(stated("Das gilt nur hier, vgl. dort."), ["Das gilt nur hier, vgl. dort."]);
}

#[test]
fn an_aside_with_a_number_is_judged() {
    assert_eq!(
        stated("In this report we count 4,310 buildings."),
        ["In this report we count 4,310 buildings."]
    );
    assert_eq!(stated("The parts are 3:\n\n- a"), ["The parts are 3."]);
}

#[test]
fn what_somebody_typed_is_judged_unless_it_asks() {
    let typed = |text: &str| Draft::typed(text.to_owned()).stated().count();
    assert_eq!((typed("The network has pumps"), typed("Heat pumps"), typed("Is it so?")), (1, 1, 0));
}

#[test]
fn markup_is_no_word() {
    let cases = [
        (
            "a \\*star\\* and `code_name` &amp; <b>bold</b> <https://x.org/a>",
            "a *star* and code_name & bold <https://x.org/a>",
        ),
        ("![a picture](x.png) x < 5 and y > 3", "x < 5 and y > 3"),
        ("_so_ snake_case [^1] [12] [S01][S02] [a](b)[1]", "so snake_case a"),
        ("[a](javascript:alert(1)) b [c](d", "a b [c](d"),
        ("unbalanced **bold [link(", "unbalanced bold [link("),
        ("", ""),
    ];
    for (text, said) in cases {
        assert_eq!(words::spoken(text), said, "{text}");
    }
}
