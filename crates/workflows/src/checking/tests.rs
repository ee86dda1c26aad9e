use std::convert::Infallible;

use super::*;

/// Documents that somebody wrote down here.
struct Desk(Vec<(&'static str, bool)>);

impl Evidence for Desk {
    type Error = Infallible;

    fn near(&self, _sentence: &str) -> Result<Vec<Candidate>, Infallible> {
        let place = |replaced: bool| Place {
            path: if replaced { "old.md" } else { "new.md" }.to_owned(),
            title: String::new(),
            heading: String::new(),
            line: Some(3),
            page: None,
            ranges: std::iter::once(0..1).collect(),
            text_hash: String::new(),
            date: None,
            replaced,
        };
        let candidate = |(text, replaced): &(&'static str, bool)| Candidate {
            quote: Quote { text: (*text).to_owned(), place: Some(place(*replaced)) },
            wider: Vec::new(),
        };
        Ok(self.0.iter().map(candidate).collect())
    }
}

fn checked(sentence: &str, desk: &[(&'static str, bool)]) -> Checked {
    let Ok(mut all) = check(&Draft::typed(sentence.to_owned()), &Desk(desk.to_vec()));
    assert_eq!(all.len(), 1);
    all.remove(0)
}

#[test]
fn a_replaced_document_is_asked_last_and_contradicts_nothing() {
    let (old, new) = ("The fee for a house is 7,900 euros.", "The fee for a house is 8,400 euros.");
    let found = checked(new, &[(old, true), (new, false)]);
    assert_eq!((found.verdict, found.is_outdated(), found.disputed_by.len()), (Ruling::Carried, false, 0));
    let found = checked("The vans are blue.", &[("The vans are blue.", true)]);
    assert_eq!((found.verdict, found.is_outdated()), (Ruling::Carried, true));
    assert_eq!(found.why.as_deref(), Some("only a document that a later one replaces says so"));
    let found = checked("The vans are not blue.", &[("The vans are blue.", true)]);
    assert_eq!(found.verdict, Ruling::NotFound);
}

#[test]
fn a_denial_is_contradicted_and_shows_the_quote() {
    let found = checked("The vans are not blue.", &[("The vans are blue.", false)]);
    assert_eq!((found.verdict, found.quotes.len()), (Ruling::Contradicted, 1));
    assert!(found.why.is_some());
}

#[test]
fn what_others_deny_is_carried_and_disputed() {
    let found =
        checked("The vans are blue.", &[("The vans are blue.", false), ("The vans are not blue.", false)]);
    assert_eq!((found.verdict, found.disputed_by.len()), (Ruling::Carried, 1));
}

#[test]
fn without_quotes_nothing_is_found() {
    let found = checked("The vans are blue.", &[]);
    assert_eq!((found.verdict, found.nearest), (Ruling::NotFound, None));
}

#[test]
fn the_tally_holds_only_if_something_was_judged_and_all_of_it_is_carried() {
    let tally = |carried, contradicted, not_found| Tally { carried, contradicted, not_found, skipped: 2 };
    assert!(tally(2, 0, 0).holds());
    assert!(!tally(0, 0, 0).holds() && !tally(2, 1, 0).holds() && !tally(2, 0, 1).holds());
    assert_eq!(tally(1, 0, 0).words(), "1 sentence: 1 carried, 0 contradicted, 0 not found (2 not judged)");
}

#[test]
fn both_renderings_keep_the_text_and_escape_it() {
    let text = "# Vans & <b>fees</b>\n\nThe vans are blue. The vans are not blue.\n\nIs it `so`?\n";
    let draft = Draft::of(text.to_owned());
    let desk = Desk(vec![("The vans are blue.", false)]);
    let Ok(sentences) = check(&draft, &desk);
    let sheet =
        Sheet { name: "a<b>.md".to_owned(), against: "1 document".to_owned(), text: draft.text, sentences };
    let (page, markdown) = (sheet.html(), sheet.markdown());
    for part in [
        "a&lt;b&gt;.md",
        "# Vans &amp; &lt;b&gt;fees&lt;/b&gt;",
        "said carried",
        "said contradicted",
        "Is it `so`?",
        "new.md, line 3",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("<b>fees"), "{page}");
    for part in [
        "# Checked: a\\<b>.md",
        "### Vans & fees",
        "The vans are blue. **✓1** The vans are not blue. **✗2**",
        "Is it so?",
    ] {
        assert!(markdown.contains(part), "{part}: {markdown}");
    }
}
