use proptest::prelude::*;

use super::*;

fn number(text: &str) -> Decimal {
    text.parse().expect("a decimal")
}

#[test]
fn a_number_is_written_as_it_was_read_but_for_needless_zeros() {
    for (text, written) in [
        ("0", "0"),
        ("-0.50", "-0.5"),
        ("007", "7"),
        (".5", "0.5"),
        ("1.5e-7", "0.00000015"),
        ("12e3", "12000"),
        ("+3", "3"),
    ] {
        assert_eq!(number(text).to_string(), written);
    }
    for text in ["", "-", ".", "1,5", "1.2.3", "e5", "1e", "NaN", "12 ", "1e-40"] {
        assert!(text.parse::<Decimal>().is_err(), "{text}");
    }
}

#[test]
fn sums_are_exact_where_binary_fractions_are_not() {
    let tenth = number("0.1");
    let mut sum = Decimal::ZERO;
    for _ in 0..10 {
        sum = sum.plus(tenth).expect("fits");
    }
    assert_eq!(sum, number("1"));
}

#[test]
fn a_division_rounds_half_to_even_at_the_places_asked_for() {
    for (above, below, places, quotient) in [
        ("1", "3", 4, "0.3333"),
        ("2", "3", 4, "0.6667"),
        ("0.125", "1", 2, "0.12"),
        ("0.375", "1", 2, "0.38"),
        ("-0.125", "1", 2, "-0.12"),
        ("-7", "2", 0, "-4"),
        ("100", "0.5", 0, "200"),
    ] {
        assert_eq!(number(above).over(number(below), places), Some(number(quotient)), "{above}/{below}");
    }
    assert_eq!(number("1").over(Decimal::ZERO, 2), None);
}

#[test]
fn what_does_not_fit_is_nothing_and_never_wraps() {
    let large = Decimal::new(i128::MAX, 0);
    assert_eq!(large.plus(number("1")), None);
    assert_eq!(large.times(number("2")), None);
    assert!(large > number("0.1"));
    assert!(Decimal::new(i128::MAX, 20) > Decimal::new(i128::MAX - 1, 20));
}

#[test]
fn in_json_it_is_a_string() {
    assert_eq!(serde_json::to_string(&number("12.50")).ok().as_deref(), Some("\"12.5\""));
    assert!(serde_json::from_str::<Decimal>("12.5").is_err());
}

proptest! {
    #[test]
    fn order_and_sums_agree_with_integers(one in -1_000_000_i64..1_000_000, two in -1_000_000_i64..1_000_000, scale in 0_u32..6) {
        let (a, b) = (Decimal::new(one.into(), scale), Decimal::new(two.into(), scale));
        prop_assert_eq!(a.cmp(&b), one.cmp(&two));
        prop_assert_eq!(a.plus(b), Some(Decimal::new((one + two).into(), scale)));
        prop_assert_eq!(a.to_string().parse::<Decimal>().ok(), Some(a));
        prop_assert_eq!(Decimal::from_f64(a.to_f64()), Some(a));
    }
}
