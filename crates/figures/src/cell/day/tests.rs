use super::*;

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

#[test]
fn each_form_is_read_by_its_own_rule_and_no_other() {
    for (text, form, expected) in [
        ("2025-04-03", DateForm::YearFirst, "2025-04-03"),
        ("2025/4/3", DateForm::YearFirst, "2025-04-03"),
        ("2025-04-03T12:30:00Z", DateForm::YearFirst, "2025-04-03"),
        ("2025-04", DateForm::YearFirst, "2025-04-01"),
        ("03/04/2025", DateForm::DayFirst, "2025-04-03"),
        ("03/04/2025", DateForm::MonthFirst, "2025-03-04"),
        ("3.4.25", DateForm::DayFirst, "2025-04-03"),
        ("3.4.75 10:00", DateForm::DayFirst, "1975-04-03"),
        ("3 April 2025", DateForm::Named, "2025-04-03"),
        ("Apr 3, 2025", DateForm::Named, "2025-04-03"),
        ("3. März 2025", DateForm::Named, "2025-03-03"),
        ("3 апреля 2025", DateForm::Named, "2025-04-03"),
        ("3-Apr-25", DateForm::Named, "2025-04-03"),
        ("Dez 2025", DateForm::Named, "2025-12-01"),
        ("20250403", DateForm::Compact, "2025-04-03"),
        ("2025", DateForm::Year, "2025-01-01"),
        ("Q2 2025", DateForm::Quarter, "2025-04-01"),
        ("2025-Q3", DateForm::Quarter, "2025-07-01"),
        ("45750", DateForm::Serial1900, "2025-04-03"),
        ("44288", DateForm::Serial1904, "2025-04-03"),
        ("59", DateForm::Serial1900, "1900-02-28"),
        ("61", DateForm::Serial1900, "1900-03-01"),
        ("1743638400", DateForm::UnixSeconds, "2025-04-03"),
    ] {
        assert_eq!(read(text, form), Some(day(expected)), "{text} {form:?}");
    }
    for (text, form) in [
        ("17/04/2025", DateForm::MonthFirst),
        ("2025-02-30", DateForm::YearFirst),
        ("marketing 2025", DateForm::Named),
        ("60", DateForm::Serial1900),
        ("20251340", DateForm::Compact),
        ("1.234.567", DateForm::DayFirst),
        ("12/13/14/15", DateForm::DayFirst),
    ] {
        assert_eq!(read(text, form), None, "{text} {form:?}");
    }
}
