//! What is a conflict and what only looks like one.

use super::{ConflictKind, Statement, conflict, conflict_groups};
use crate::rules::answer::asked;

fn disagree(left: &str, right: &str) -> bool {
    disagree_dated((left, None), (right, None))
}

fn disagree_dated(left: (&str, Option<&str>), right: (&str, Option<&str>)) -> bool {
    let left = Statement { id: "left", text: left.0, date: left.1 };
    let right = Statement { id: "right", text: right.0, date: right.1 };
    conflict(&left, &right).is_some()
}

#[test]
fn list_markers_sections_versions_and_pages_are_no_values() {
    for (left, right) in [
        ("2. The fee covers the meter.", "4. The fee covers the meter."),
        ("See section 4 for the limits of tables.", "See section 7 for the limits of tables."),
        ("Added in Python 3.9 for strings.", "Added in Python 3.11 for strings."),
        ("The limits stand on page 12.", "The limits stand on page 31."),
        ("Table 3 shows the losses of the network.", "Table 5 shows the losses of the network."),
        ("2.1 Radiators must be balanced.", "5.1 Radiators must be balanced."),
    ] {
        assert!(!disagree(left, right), "{left} / {right}");
    }
}

#[test]
fn percentages_differ_from_their_last_digit_on() {
    assert!(disagree(
        "The guarantee covers 99.0 percent of the hours.",
        "The guarantee covers 99.7 percent of the hours."
    ));
    assert!(disagree("The pumps made 82 percent of the heat.", "The pumps made 83 percent of the heat."));
    assert!(!disagree("The pumps made 82 percent of the heat.", "The pumps made 82.4 percent of the heat."));
}

#[test]
fn a_former_value_and_another_year_are_no_conflict() {
    for (left, right) in [
        (
            "From January 2026 the energy price is 9.1 cents per kWh instead of 9.4 cents.",
            "The energy price falls from 9.4 to 9.1 cents per kWh in 2026.",
        ),
        ("In 2024 the network delivered 143 GWh of heat.", "In 2025 the network delivered 186 GWh of heat."),
        ("The energy price in 2025 was 9.4 cents per kWh.", "The energy price in 2026 is 9.1 cents per kWh."),
        ("The plan for the plant was 34.5 million euros.", "The plant cost 38.7 million euros."),
        ("Buildings need at least 4 radiators each.", "Buildings need 6 radiators each."),
    ] {
        assert!(!disagree(left, right), "{left} / {right}");
    }
    assert!(disagree(
        "The average customer was without heat for 1.9 hours in 2025.",
        "In 2025 the average customer was without heat for 3.4 hours."
    ));
    // Without a year of its own a value holds for the time of its document.
    let plain = ("The network had 47 km of trench.", Some("2025-03-01"));
    assert!(!disagree_dated(plain, ("In 2022 the network had 12 km of trench.", Some("2025-03-02"))));
}

#[test]
fn what_each_value_belongs_to_is_compared() {
    assert!(!disagree(
        "Availability was 97.4 percent at Northgate and 93.1 percent at Quayside.",
        "Availability was 93.1 percent at Quayside and 97.4 percent at Northgate."
    ));
    assert!(disagree(
        "Availability was 97.4 percent at Northgate and 93.1 percent at Quayside.",
        "Availability was 97.4 percent at Northgate and 91.8 percent at Quayside."
    ));
}

#[test]
fn a_conflict_has_all_its_positions_once() {
    let statements = [
        Statement {
            id: "report",
            text: "At the end of 2025 the Harlund network had 4,310 connected buildings.",
            date: Some("2026-03-12"),
        },
        Statement {
            id: "bulletin",
            text: "The Harlund network had 4,180 connected buildings at the end of 2025.",
            date: Some("2026-02-26"),
        },
        Statement {
            id: "news",
            text: "The Harlund network had 4,310 connected buildings at the end of 2025.",
            date: Some("2026-03-01"),
        },
        Statement {
            id: "letter",
            text: "The Harlund network had 4,000 connected buildings at the end of 2025.",
            date: None,
        },
        Statement { id: "price", text: "The energy price in 2025 was 9.4 cents per kWh.", date: None },
    ];
    let groups = conflict_groups(&statements, None);
    let [group] = groups.as_slice() else { panic!("{groups:#?}") };
    assert_eq!(group.kind, ConflictKind::Numbers);
    assert!(group.about.contains("Harlund") && group.about.contains("buildings"), "{}", group.about);
    let held: Vec<Vec<&str>> = group
        .positions
        .iter()
        .map(|position| position.statements.iter().map(String::as_str).collect())
        .collect();
    assert_eq!(held, [vec!["report", "news"], vec!["bulletin"], vec!["letter"]]);
}

#[test]
fn only_what_was_asked_is_in_dispute() {
    let statements = [
        Statement { id: "a", text: "The Harlund network had 4,310 connected buildings in 2025.", date: None },
        Statement { id: "b", text: "The Harlund network had 4,180 connected buildings in 2025.", date: None },
        Statement {
            id: "c",
            text: "The average customer was without heat for 1.9 hours in 2025.",
            date: None,
        },
        Statement {
            id: "d",
            text: "In 2025 the average customer was without heat for 3.4 hours.",
            date: None,
        },
    ];
    let buildings = asked("How many buildings are connected to the Harlund network?");
    let groups = conflict_groups(&statements, Some(&buildings));
    assert_eq!(groups.len(), 1, "{groups:#?}");
    assert_eq!(groups[0].positions.iter().map(|it| it.statements.len()).sum::<usize>(), 2);
    assert!(groups[0].positions.iter().all(|it| it.statements.iter().all(|id| id == "a" || id == "b")));
    assert_eq!(conflict_groups(&statements, None).len(), 2);
}
