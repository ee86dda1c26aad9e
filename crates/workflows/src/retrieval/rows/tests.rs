//! Rows, their heads, and what they say.

use super::*;

const TABLE: &str = "Text.\n\n| figure | 2024 | 2025 |\n|---|---|---|\n| heat, GWh | 143 | 186 |\n| employees | 96 | 113 |\n\nMore.\n";

#[test]
fn a_row_knows_its_head() {
    let at = TABLE.find("| employees").unwrap();
    let row = at..at + "| employees | 96 | 113 |".len();
    let head = head_of(TABLE, &row).unwrap();
    assert_eq!(&TABLE[head.clone()], "| figure | 2024 | 2025 |");
    assert_eq!(head_of(TABLE, &head), None);
    assert_eq!(head_of(TABLE, &(0..5)), None);
    assert_eq!(head_of("| a | b |\n| c | d |\n", &(10..19)), None);
}

#[test]
fn a_row_is_said_with_its_columns() {
    let cases = [
        ("| figure | 2024 | 2025 |\n| employees | 96 | 113 |", Some("Employees: 96 (2024), 113 (2025).")),
        ("| statement | agree |\n|---|---|\n| It is quiet | 93 % |", Some("It is quiet: 93 % (agree).")),
        ("| | km |\n| North | 4 |\n| South | 5 |", Some("North: 4 (km). South: 5 (km).")),
        ("| a | b |\n| c |", None),
        ("| a | b |", None),
        ("| employees | 96 | 113 |", None),
        ("A sentence | with a bar.", None),
    ];
    for (words, said_so) in cases {
        assert_eq!(said(words).as_deref(), said_so, "{words}");
    }
}
