//! The page that a browser prints.

use baton_pdf::print;

use crate::sample::{SEEN, document};

#[test]
fn words_of_strangers_stay_words() {
    let page = print::page(&document()).unwrap();
    assert!(!page.contains("<script") && !page.contains("javascript:") && !page.contains('\u{202e}'));
    assert!(page.contains("--accent:#1f55b5") && !page.contains("display: none"));
    let escaped = SEEN.replace('<', "&lt;").replace('>', "&gt;");
    assert!(page.matches(&escaped).count() >= 10, "{}", page.matches(&escaped).count());
    assert!(page.contains("href=\"https://example.org/?a=1&amp;b=&quot;2&quot;\""));
}

#[test]
fn numbers_lead_to_their_notes_and_contents_to_headings() {
    let page = print::page(&document()).unwrap();
    assert!(page.contains("<a class=\"number\" href=\"#note-1\">500.75 EUR</a>"));
    assert!(page.contains("<a href=\"#note-2\">[2]</a>.") && page.contains("<li id=\"note-2\">"));
    assert!(
        page.contains("<li class=\"l2\"><a href=\"#h4\">1.1 All rows</a></li>")
            && page.contains("<h2 id=\"h4\">")
    );
    assert!(page.contains("<td>a short row</td><td class=\"n\"></td>"));
}

#[test]
fn the_same_document_is_the_same_page() {
    assert_eq!(print::page(&document()).unwrap(), print::page(&document()).unwrap());
}
