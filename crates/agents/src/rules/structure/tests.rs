//! Texts and the passages they are cut into.
#![allow(clippy::unwrap_used)]

use super::outline;

#[test]
fn labels_and_headings_stand_above_their_passages() {
    let text = "Title: Tool manual\n\n# Options\n\n--depth <n>\n  Fetch only the last n revisions of each branch.\n\n--bare\n\nMake a repository without a working tree, to push to.\n\n## Notes\n\nRun it like this:\n\n    tool --bare x\n\nIt prints nothing.\n";
    let outline = outline(text, &[]);
    let seen: Vec<(&str, &str)> = outline
        .passages
        .iter()
        .map(|p| (p.heading.as_str(), text[p.range.clone()].lines().next().unwrap()))
        .collect();
    assert_eq!(outline.title.as_deref(), Some("Tool manual"));
    assert_eq!(
        seen,
        [
            ("Options > --depth <n>", "--depth <n>"),
            ("Options > --bare", "--bare"),
            ("Options > Notes", "Run it like this:")
        ]
    );
}

#[test]
fn what_only_looks_like_a_label_does_not_part_a_section() {
    for line in [
        "    tool --bare x\n",       // an example stands deeper than the text after it
        "for (;;) {\n",              // a program
        "Default: 5\n",              // a field
        "[Diagram of the layers]\n", // a picture
        "- first\n\n- second\n",     // the end of a list
    ] {
        let text = format!(
            "# Limits\n\nThe limit is checked on every request.\n\n{line}\nIt can be raised later on.\n"
        );
        let passages = outline(&text, &[]).passages;
        let headings: Vec<&str> = passages.iter().map(|p| p.heading.as_str()).collect();
        assert_eq!(headings, ["Limits"], "{line}");
    }
}

#[test]
fn a_list_item_in_capitals_is_no_heading_and_a_syntax_line_is_a_label() {
    let text = "# Methods\n\nThese are known:\n\n- POST\n\nA request with a body. It is read to its end.\n\nretry [ now | later ]\n\nTries the request again, at once or when the queue is empty.\n";
    let parts = outline(text, &[]).passages;
    let headings: Vec<&str> = parts.iter().map(|p| p.heading.as_str()).collect();
    assert_eq!(headings.last(), Some(&"Methods > retry [ now | later ]"));
    assert!(headings.iter().all(|heading| heading.starts_with("Methods")), "{headings:?}");
}

/// Text, and the headings its passages stand under.
#[test]
fn headings_and_labels_end_where_they_should() {
    let cases: &[(&str, &[&str])] = &[
        // Names in capitals below marked headings are terms, not headings, and end with their meaning.
        (
            "# Signals\n\nSIGTERM\n\n  Stops the program and all that it started, waiting for each of them in turn, so that no file is left half written; this may take a minute or more on a machine that is busy with other work.\n\nSend one with kill.\n",
            &["Signals > SIGTERM", "Signals"],
        ),
        // Without marked headings they are.
        ("Some tool, version two.\n\nOPTIONS\n\nThere are none at all.\n", &["", "OPTIONS"]),
        // In a text that begins without marks, `#` begins a comment.
        (
            "One.\nTwo.\nThree.\nFour.\nFive.\nSix.\nSeven.\nEight.\nNine.\nTen.\nEleven.\nTwelve.\n\nIt reads this:\n\n# first rule\n\naccept all of them.\n",
            &[""],
        ),
        // Questions stand above their answers, also in one paragraph.
        (
            "# Questions\n\n(1) Can it run twice?\n\nNot on one port.\n\nWhat does it cost?\nNothing at all, as long as it is used by fewer than a hundred people at one time and none of them sells it on to any others, for money or for favours.\n",
            &["Questions > Can it run twice?", "Questions > What does it cost?"],
        ),
        // A box beside the text names nothing.
        ("# Ports\n\nNote\n\nOnly one can be open.\n", &["Ports"]),
        // Terms within the meaning of a term stand under it.
        (
            "# Options\n\nmode <m>\n\n  How files are written.\n\n  safe\n\n    Twice, and read back.\n\nsize <n>\n\n  How large they may be.\n",
            &["Options > mode <m>", "Options > mode <m> > safe", "Options > size <n>"],
        ),
        // A list of short terms is read as one.
        (
            "# States\n\nIt is in one of the states below.\n\nSTOPPED\n\n  It does not run.\n\nRUNNING\n\n  It does.\n\nFAILED\n\n  It cannot.\n",
            &["States"],
        ),
    ];
    for (text, expected) in cases {
        let outline = outline(text, &[]);
        let seen: Vec<&str> = outline.passages.iter().map(|p| p.heading.as_str()).collect();
        assert_eq!(&seen, expected, "{text}");
    }
}

#[test]
fn a_heading_that_is_a_name_is_quoted_with_what_it_names() {
    let text = "# Calls\n\n### lock.wait(ms)\n\nWaits for a lock.\n\n### Why locks\n\nTo be safe.\n";
    let passages = outline(text, &[]).passages;
    let seen: Vec<&str> = passages.into_iter().map(|p| &text[p.range]).collect();
    assert_eq!(seen, ["lock.wait(ms)\n\nWaits for a lock.", "To be safe."]);
}

#[test]
fn passages_cover_a_long_section_without_cutting_sentences() {
    let text = "Every sentence of this section is about as long as this one is. ".repeat(60);
    let passages = outline(&text, &[]).passages;
    assert!(passages.len() > 3);
    for passage in passages {
        assert!(passage.range.len() <= super::PASSAGE_LIMIT, "{:?}", passage.range);
        assert!(text[passage.range].ends_with('.'));
    }
}

#[test]
fn a_printed_table_of_contents_is_in_no_passage() {
    let text = "Contents\n\n   1.  Scope . . . . . . . . . . .   3\n   2.  A title that is longer than\n       one line  . . . . . . . . . .  iv\n   3.  Limits....................12\n\n1.  Scope\n\n   Wait ... for 5 seconds... then 6\n";
    let seen: Vec<&str> = outline(text, &[]).passages.iter().map(|p| text[p.range.clone()].trim()).collect();
    assert_eq!(seen, ["Contents", "Wait ... for 5 seconds... then 6"]);
}
