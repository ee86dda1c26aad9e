use super::*;

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

#[test]
fn days_that_do_not_exist_are_refused() {
    for text in ["2025-02-29", "2025-13-01", "2025-00-10", "2025-04-31", "2025-4", "x", "2025-04-03-01"] {
        assert!(text.parse::<Date>().is_err(), "{text}");
    }
    assert_eq!(day("2024-02-29").to_string(), "2024-02-29");
}

#[test]
fn every_day_of_eight_hundred_years_goes_there_and_back() {
    let mut before = day("1599-12-31");
    while before < day("2400-01-01") {
        let next = before.plus(1);
        let (year, month, of_month) = next.parts();
        assert_eq!(Date::of(year, month, of_month), Some(next));
        assert_eq!((before.weekday() + 1) % 7, next.weekday());
        before = next;
    }
    assert_eq!(day("2026-11-18").weekday(), 2, "a Wednesday");
}

#[test]
fn a_month_later_ends_with_the_month() {
    assert_eq!(day("2025-01-31").plus_months(1), day("2025-02-28"));
    assert_eq!(day("2025-01-31").plus_months(-2), day("2024-11-30"));
}

#[test]
fn periods_are_named_as_people_name_them() {
    for (grain, name) in [
        (Grain::Day, "2025-05-14"),
        (Grain::Week, "week of 2025-05-12"),
        (Grain::Month, "2025-05"),
        (Grain::Quarter, "Q2 2025"),
        (Grain::Year, "2025"),
    ] {
        let period = grain.period(day("2025-05-14"));
        assert_eq!(period.to_string(), name);
        assert_eq!(period.grain(), Some(grain));
    }
    let odd = Period { from: day("2025-05-14"), to: day("2025-06-01") };
    assert_eq!(odd.to_string(), "2025-05-14 to 2025-06-01");
}
