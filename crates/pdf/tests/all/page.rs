//! The page that a browser prints.

use std::collections::BTreeMap;

use baton_pdf::{places, print};

use crate::sample::{SEEN, document};

#[test]
fn words_of_strangers_stay_words() {
    let page = print::page(&document(), &BTreeMap::new()).unwrap();
    assert!(!page.contains("<script") && !page.contains("javascript:") && !page.contains('\u{202e}'));
    assert!(page.contains("--accent:#1f55b5") && !page.contains("display: none"));
    let escaped = SEEN.replace('<', "&lt;").replace('>', "&gt;");
    assert!(page.matches(&escaped).count() >= 10, "{}", page.matches(&escaped).count());
    assert!(page.contains("href=\"https://example.org/?a=1&amp;b=&quot;2&quot;\""));
}

#[test]
fn numbers_lead_to_their_notes_and_contents_to_headings() {
    let page = print::page(&document(), &BTreeMap::new()).unwrap();
    assert!(page.contains("<a class=\"number\" href=\"#note-1\">500.75 EUR</a>"));
    assert!(
        page.contains("<a class=\"mark\" href=\"#note-2\">2</a>.") && page.contains("<li id=\"note-2\">")
    );
    assert!(
        page.contains("<li class=\"l2\"><a href=\"#h4\"><span>1.1 All rows</span><i></i><b></b></a></li>")
            && page.contains("<h2 id=\"h4\">")
    );
    assert!(page.contains("<td>a short row</td><td class=\"n\"></td>"));
}

#[test]
fn the_same_document_is_the_same_page() {
    assert_eq!(
        print::page(&document(), &BTreeMap::new()).unwrap(),
        print::page(&document(), &BTreeMap::new()).unwrap()
    );
}

#[test]
fn contents_have_the_page_numbers_that_are_known() {
    let places = BTreeMap::from([("h4".to_owned(), 12)]);
    let page = print::page(&document(), &places).unwrap();
    assert!(page.contains("<span>1.1 All rows</span><i></i><b>12</b>"));
}

#[test]
fn anchors_are_found_in_a_tree_of_pages() {
    let pdf = "%PDF-1.4\n7 0 obj\n<</Type /Catalog\n/Pages 3 0 R\n/Dests 5 0 R>>\nendobj\n\
               3 0 obj\n<</Type /Pages\n/Kids [4 0 R 2 0 R]>>\nendobj\n\
               4 0 obj\n<</Type /Pages\n/Kids [9 0 R 12 0 R]>>\nendobj\n\
               5 0 obj\n<</h0 [9 0 R /XYZ 6 800 0]\n/h4 [12 0 R /XYZ 6 8 0]\n/notes [2 0 R /XYZ 6 8 0]\n/lost [99 0 R /XYZ 0 0 0]>>\nendobj\n\
               9 0 obj\n<</Type /Page>>\nendobj\n12 0 obj\n<</Type /Page>>\nendobj\n2 0 obj\n<</Type /Page>>\nendobj\n";
    let found = places::anchors(pdf.as_bytes());
    let expected = [("h0", 1), ("h4", 2), ("notes", 3)].map(|(name, page)| (name.to_owned(), page));
    assert_eq!(found, BTreeMap::from(expected));
    assert!(places::anchors(b"no pdf").is_empty());
}
