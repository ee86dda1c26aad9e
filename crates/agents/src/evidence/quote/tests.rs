//! Where a quote may begin and end.

use super::{find, stands_at};

const TEXT: &str = "\u{feff}The network had 4,310 connected buildings at the end of 2025. Supply is guaranteed in 99.7 % of the hours, \
    since 11 February 2025. The fee is 4.5 or 1.2 million euros; it was -14 °C. A permit is not required for roofs. \
    The plant may not restart at -5 °C. The pump isn't loud and non-flammable. It took about 560 hours. The owner’s roof is flat.";

#[test]
fn a_quote_stands_on_the_boundaries_of_words_and_numbers() {
    let whole = [
        "4,310 connected buildings",
        "The network had 4,310 connected buildings",
        "guaranteed in 99.7 % of the hours",
        "11 February 2025",
        "1.2 million euros",
        "-14 °C",
        "not required for roofs",
        "may not restart",
        "about 560 hours",
        "The owner's roof is flat.",
        "The owner",
        "is not required",
    ];
    for quote in whole {
        let range = find(TEXT, quote).unwrap_or_else(|| panic!("{quote}"));
        assert_eq!(TEXT[range.clone()].replace('’', "'"), quote);
        assert!(stands_at(TEXT, &[range], quote), "{quote}");
    }
    let cut = [
        "310 connected buildings",
        "network had 4",
        "guaranteed in 99",
        "99.7",
        "7 % of the hours",
        "February 2025",
        "11 February",
        "The fee is 4",
        "5 or 1.2 million euros",
        "The fee is 4.5 or 1.2",
        "million euros",
        "14 °C",
        "required for roofs",
        "restart at -5 °C",
        "The pump isn",
        "flammable",
        "uildings at the end",
        "560 hours",
    ];
    for quote in cut {
        assert_eq!(find(TEXT, quote), None, "{quote}");
        let start = TEXT.find(quote).unwrap();
        assert!(!stands_at(TEXT, std::slice::from_ref(&(start..start + quote.len())), quote), "{quote}");
    }
}

#[test]
fn a_later_place_is_taken_where_the_first_is_a_part() {
    let text = "It has 4,310 pumps. Of these 310 pumps are new.";
    assert_eq!(find(text, "310 pumps"), Some(29..38));
    assert_eq!(&text[29..38], "310 pumps");
}

#[test]
fn offsets_count_in_the_untouched_text() {
    let text = "\u{feff}Ein “großes”\n  Haus – 5 m hoch.";
    let range = find(text, "\"großes\" Haus – 5 m").unwrap();
    assert_eq!(&text[range], "“großes”\n  Haus – 5 m");
    assert_eq!(find(text, ""), None);
    assert_eq!(find("", "x"), None);
}
