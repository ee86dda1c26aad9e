use super::*;

#[test]
fn days_are_real_days_or_parts_of_them() {
    for good in ["2025", "2025-03", "2025-03-14", "2024-02-29", "2000-02-29"] {
        assert!(is_day(good), "{good}");
    }
    for bad in
        ["", "25", "2025-13", "2025-00", "2025-02-29", "1900-02-29", "2025-3-4", "14.03.2025", "2025-03-14-1"]
    {
        assert!(!is_day(bad), "{bad}");
    }
}

#[test]
fn bounds_are_compared_as_far_as_both_are_given() {
    assert!(may_hold("2025", "2025-03-14") && may_hold("2025-03-14", "2025"));
    assert!(!may_hold("2025-04", "2025-03-14") && !may_hold("2026", "2025"));
}

#[test]
fn languages_have_three_letters() {
    assert_eq!(language(Some("en")).unwrap().as_deref(), Some("eng"));
    assert_eq!(language(Some("fin")).unwrap().as_deref(), Some("fin"));
    assert!(language(Some("English")).is_err());
}
