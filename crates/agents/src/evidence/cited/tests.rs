//! Sentences that name the documents their quotes stand in.

use super::{Cited, carries_cited};

const MPL: &str = "Mozilla Public License Version 2.0";
const APACHE: &str = "Apache License Version 2.0, January 2004";
const REPORT: &str = "Harlund heat network: annual report 2025";
const BULLETIN: &str = "City of Harlund, statistics bulletin, February 2026";

const ENDS: Cited<'_> = Cited {
    title: MPL,
    quote: "The rights granted under this License will terminate automatically if You fail to comply with any of its terms.",
};
const SOURCE: Cited<'_> = Cited {
    title: MPL,
    quote: "If You distribute Covered Software in Executable Form then such Covered Software must also be made available in Source Code Form.",
};
const COPY: Cited<'_> = Cited {
    title: APACHE,
    quote: "You must give any other recipients of the Work or Derivative Works a copy of this License.",
};
const OBJECT: Cited<'_> =
    Cited { title: APACHE, quote: "You may distribute copies of the Work in Source or Object form." };
const COUNTED: Cited<'_> =
    Cited { title: REPORT, quote: "At the end of 2025 the Harlund network had 4,310 connected buildings." };
const VISITED: Cited<'_> =
    Cited { title: REPORT, quote: "The number of visitors of the library was 48,200." };
const OTHER: Cited<'_> =
    Cited { title: BULLETIN, quote: "At the end of 2025 the Harlund network had 4,180 connected buildings." };

#[test]
fn a_sentence_may_name_the_document_that_says_it() {
    let honest: &[(&str, &[Cited<'_>])] = &[
        (
            "Rights granted under the Mozilla Public License terminate automatically if you fail to comply with any of its terms.",
            &[ENDS],
        ),
        (
            "Under the Mozilla Public License 2.0, the rights granted terminate automatically if you fail to comply with any of its terms.",
            &[ENDS],
        ),
        (
            "The rights granted under the MPL will terminate automatically if you fail to comply with any of its terms.",
            &[ENDS],
        ),
        (
            "Under the Mozilla Public License, if you distribute covered software in executable form, it must also be made available in source code form.",
            &[SOURCE],
        ),
        (
            "The Apache License requires you to give any other recipients of the work a copy of the Apache License.",
            &[COPY],
        ),
        ("The Apache License 2.0 lets you distribute copies of the work in object form.", &[OBJECT]),
        (
            "The Apache License allows you to distribute copies of the work in source or object form.",
            &[OBJECT],
        ),
        ("You may distribute copies of the work in object form under the Apache License.", &[OBJECT]),
        (
            "According to the annual report 2025, the Harlund network had 4,310 connected buildings at the end of 2025.",
            &[COUNTED],
        ),
        (
            "The annual report says that the Harlund network had 4,310 connected buildings at the end of 2025.",
            &[COUNTED, OTHER],
        ),
        (
            "At the end of 2025 the Harlund network had 4,310 connected buildings according to the annual report, while the statistics bulletin says it had 4,180.",
            &[COUNTED, OTHER],
        ),
        (
            "The Harlund network had 4,310 connected buildings at the end of 2025 according to the annual report and 4,180 according to the statistics bulletin.",
            &[COUNTED, OTHER],
        ),
        ("It says that the Harlund network had 4,310 connected buildings at the end of 2025.", &[COUNTED]),
        ("The annual report puts the number of visitors of the library at 48,200.", &[VISITED]),
        ("The annual report gives 48,200 as the number of visitors of the library.", &[VISITED]),
        (
            "You may distribute copies of the work in object form under the Apache License, but under the Mozilla Public License, if you distribute covered software in executable form, it must also be made available in source code form.",
            &[OBJECT, SOURCE],
        ),
    ];
    for (sentence, cited) in honest {
        assert_eq!(carries_cited(sentence, cited), Ok(()), "{sentence}");
    }
}

#[test]
fn a_name_carries_nothing_else() {
    let lies: &[(&str, &[Cited<'_>])] = &[
        // Another source says it.
        (
            "According to the statistics bulletin, the Harlund network had 4,310 connected buildings at the end of 2025.",
            &[COUNTED, OTHER],
        ),
        (
            "Under the Apache License, the rights granted terminate automatically if you fail to comply with any of its terms.",
            &[ENDS, COPY],
        ),
        (
            "At the end of 2025 the Harlund network had 4,180 connected buildings according to the annual report, while the statistics bulletin says it had 4,310.",
            &[COUNTED, OTHER],
        ),
        (
            "The Harlund network had 4,180 connected buildings at the end of 2025 according to the annual report and 4,310 according to the statistics bulletin.",
            &[COUNTED, OTHER],
        ),
        ("The annual report puts the number of visitors of the museum at 48,200.", &[VISITED]),
        // A document that is not cited.
        (
            "Under the GNU General Public License, the rights granted terminate automatically if you fail to comply with any of its terms.",
            &[ENDS],
        ),
        (
            "The Mozilla Public License 1.1 says that the rights granted terminate automatically if you fail to comply with any of its terms.",
            &[ENDS],
        ),
        // The name is right and the claim is not.
        ("Under the Mozilla Public License, the rights granted never terminate.", &[ENDS]),
        ("Under the Mozilla Public License, the rights granted terminate automatically.", &[ENDS]),
        ("The Apache License lets you distribute copies of the work without its conditions.", &[OBJECT]),
        ("The Apache License requires you to distribute copies of the work in object form.", &[OBJECT]),
        (
            "The Apache License allows you to give any other recipients of the work a copy of the license.",
            &[COPY],
        ),
    ];
    for (sentence, cited) in lies {
        assert!(carries_cited(sentence, cited).is_err(), "{sentence}");
    }
}

const MANUAL: &str = "Quick start — Zorg documentation";

#[test]
fn what_a_document_is_about_may_be_named() {
    let honest = [
        ("Data is encrypted before it is sent.", "Zorg encrypts data before it is sent."),
        (
            "Before a backup can be made a repository has to be initialized.",
            "Before a backup can be made with Zorg, a repository has to be initialized.",
        ),
        ("The key material is stored in encrypted form.", "Zorg's key material is stored in encrypted form."),
        ("A repository is a filesystem directory.", "A Zorg repository is a filesystem directory."),
        ("All accounts are included in the budget.", "In Zorg, all accounts are included in the budget."),
        (
            "If a big file changes a little, only a few new chunks need to be stored.",
            "If a big file changes a little, Zorg needs to store only a few new chunks.",
        ),
    ];
    for (quote, sentence) in honest {
        assert_eq!(carries_cited(sentence, &[Cited { quote, title: MANUAL }]), Ok(()), "{sentence}");
        // Not where the document is about something else.
        assert!(carries_cited(sentence, &[Cited { quote, title: "Quick start" }]).is_err(), "{sentence}");
    }
}

#[test]
fn a_document_that_is_named_is_held_to_its_own_words() {
    let cited = [
        Cited { title: "Zorg network: annual report", quote: "The network had 4,310 connected buildings." },
        Cited { title: "Zorg statistics bulletin", quote: "The network had 4,180 connected buildings." },
    ];
    let lie = "According to the statistics bulletin, Zorg's network had 4,310 connected buildings.";
    assert!(carries_cited(lie, &cited).is_err());
}

#[test]
fn a_document_s_subject_takes_nobody_s_place() {
    let lies = [
        ("The server checks the data before it is sent.", "Zorg checks the data before it is sent."),
        ("The data is checked by the server.", "Zorg checks the data."),
        ("The council reviews this point in 2028.", "This point is reviewed by Zorg in 2028."),
        (
            "If an attacker gets in, all backups are deleted.",
            "If an attacker gets in, Zorg deletes all backups.",
        ),
        ("Books can be borrowed for four weeks.", "Zorg can borrow books for four weeks."),
        (
            "Three restaurants in the harbour district were closed.",
            "Three restaurants in Zorg district were closed.",
        ),
        ("The novel sold 90,000 copies in a month.", "90,000 copies of Zorg were sold in a month."),
        ("It is not income.", "Zorg is not income."),
        ("Data is encrypted before it is sent.", "Zorg is encrypted before it is sent."),
        ("Data is encrypted before it is sent.", "Zorg does not encrypt data before it is sent."),
        ("If the threshold is 0, statistics are disabled.", "Statistics are disabled if Zorg is 0."),
    ];
    for (quote, sentence) in lies {
        assert!(carries_cited(sentence, &[Cited { quote, title: MANUAL }]).is_err(), "{sentence}");
    }
}
