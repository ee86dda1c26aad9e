use super::*;

fn value(text: &str, decimal: char, thousands: Option<char>) -> Option<String> {
    number(text, decimal, thousands).map(|number| number.value.to_string())
}

#[test]
fn numbers_are_read_by_the_separators_of_their_column() {
    for (text, decimal, thousands, expected) in [
        ("1,234.50", '.', Some(','), Some("1234.5")),
        ("1.234,50", ',', Some('.'), Some("1234.5")),
        ("1 234,5", ',', Some(' '), Some("1234.5")),
        ("1'234.5", '.', Some('\''), Some("1234.5")),
        ("1\u{202f}234", ',', Some('\u{202f}'), Some("1234")),
        ("(1,234)", '.', Some(','), Some("-1234")),
        ("−12", '.', None, Some("-12")),
        ("1,234-", '.', Some(','), Some("-1234")),
        ("12.5 %", '.', None, Some("12.5")),
        ("$1,234.5", '.', Some(','), Some("1234.5")),
        ("-€5", '.', None, Some("-5")),
        ("1.5e3", '.', None, Some("1500")),
        ("1,23", '.', Some(','), None),
        ("12,34,567", '.', Some(','), None),
        ("1.2.3", '.', None, None),
        ("12 kg", '.', None, None),
        ("(-5)", '.', None, None),
        ("5%%", '.', None, None),
        ("", '.', None, None),
        ("3.", '.', None, None),
    ] {
        assert_eq!(value(text, decimal, thousands).as_deref(), expected, "{text}");
    }
    assert_eq!(number("CHF 12", '.', None).map(|n| n.mark), Some(Mark::Currency("CHF")));
    assert_eq!(number("12 €", '.', None).map(|n| n.mark), Some(Mark::Currency("EUR")));
}

#[test]
fn the_quick_way_agrees_with_the_thorough_one() {
    for text in ["0", "-1", "12.50", "0.001", "-0", "999999999999999999"] {
        let (mantissa, scale, _) = plain(text.as_bytes(), b'.').expect("plain");
        assert_eq!(
            Some(Decimal::new(mantissa.into(), scale)),
            number(text, '.', None).map(|n| n.value),
            "{text}"
        );
    }
    for text in ["", "-", ".", "1.", "1,5", "1e5", "+1", " 1", "1.2.3", "1234567890123456789"] {
        assert_eq!(plain(text.as_bytes(), b'.'), None, "{text}");
    }
    assert!(plain(b"007", b'.').is_some_and(|(_, _, zero)| zero));
    assert!(plain(b"0.7", b'.').is_some_and(|(_, _, zero)| !zero));
}

#[test]
fn a_cell_tells_separators_only_where_it_can() {
    for (text, expected) in [
        ("1,234", Some((Hint::EitherComma, None))),
        ("1.234", Some((Hint::EitherPoint, None))),
        ("0.234", Some((Hint::Point, None))),
        ("12,5", Some((Hint::Comma, None))),
        ("1,234,567", Some((Hint::Point, Some(',')))),
        ("1.234,5", Some((Hint::Comma, Some('.')))),
        ("1 234,5", Some((Hint::Comma, Some(' ')))),
        ("12", Some((Hint::None, None))),
        ("03/04/2025", None),
        ("abc", None),
    ] {
        assert_eq!(hint(text), expected, "{text}");
    }
}

#[test]
fn nothing_and_totals_have_many_names() {
    for text in ["", " ", "NA", "n/a", "NaN", "—", "Н/Д"] {
        assert!(is_missing(text), "{text}");
    }
    assert!(!is_missing("0"));
    assert!(is_total("Grand Total:") && is_total("ИТОГО") && !is_total("Totalitarian"));
}
