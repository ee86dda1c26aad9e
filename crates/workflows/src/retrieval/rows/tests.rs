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
        ("| ^A d | parts the session from the terminal", Some("^A d: parts the session from the terminal.")),
        (
            "| command | function\n| chage | manages how long the password is valid",
            Some("chage: manages how long the password is valid."),
        ),
        ("| year | buildings\n| 2023 | 1,620", Some("2023: 1,620 (buildings).")),
        ("| | Note", Some("Note.")),
    ];
    for (words, said_so) in cases {
        assert_eq!(said(words).as_deref(), said_so, "{words}");
    }
}

#[test]
fn a_table_that_marks_no_head_may_have_one() {
    let text =
        "Intro.\n\n| command | function\n| passwd | sets the password\n| chage | manages its validity\n";
    let at = text.find("| chage").unwrap();
    let head = head_of(text, &(at..text.len() - 1)).unwrap();
    assert_eq!(&text[head], "| command | function");
    let keys = "| ^A ? | shows the help of screen\n| ^A d | parts the session from the terminal\n";
    let at = keys.find("| ^A d").unwrap();
    assert_eq!(head_of(keys, &(at..keys.len() - 1)), None);
}

#[test]
fn of_several_rows_the_one_that_has_what_is_asked_is_taken() {
    let text = "| ^A c | opens a window\n| ^A d | parts the session from the terminal\n| ^A n | goes to the next window";
    let question = ParsedQuestion::new("Which keys part the session from the terminal?");
    let row = narrowed(text, &(0..text.len()), &question).unwrap();
    assert_eq!(&text[row], "| ^A d | parts the session from the terminal");
    let question = ParsedQuestion::new("What does a window cost?");
    assert_eq!(narrowed(text, &(0..text.len()), &question), None);
    let text = "| substance | boiling point |\n|---|---|\n| propane | -42 °C |\n| ammonia | -33 °C |";
    let question = ParsedQuestion::new("What is the boiling point of propane?");
    let row = narrowed(text, &(0..text.len()), &question).unwrap();
    assert_eq!(&text[row], "| propane | -42 °C |");
}

const LEVELS: &str = "Intro.\n\n\
Point                          Distance   Night level   Limit\n\
M1  Rope Walk 4, 2nd floor     65 m       41 dB(A)      45 dB(A)\n\
M3  Harbour Street 2, 3rd fl.  120 m      36 dB(A)      45 dB(A)\n\nMore.\n";

#[test]
fn a_table_in_columns_of_spaces_is_one_too() {
    let from = LEVELS.find("Point").unwrap();
    let table = &LEVELS[from..LEVELS.find("\n\nMore").unwrap()];
    let first = "M1 Rope Walk 4, 2nd floor: 65 m (Distance), 41 dB(A) (Night level), 45 dB(A) (Limit).";
    let second = "M3 Harbour Street 2, 3rd fl.: 120 m (Distance), 36 dB(A) (Night level), 45 dB(A) (Limit).";
    assert_eq!(said(table).unwrap(), format!("{first} {second}"));
    let at = LEVELS.find("M3").unwrap();
    let row = at..LEVELS.find("\n\nMore").unwrap();
    let head = head_of(LEVELS, &row).unwrap();
    assert_eq!(LEVELS[head.clone()].split_whitespace().next(), Some("Point"));
    assert_eq!(said(&format!("{}\n{}", &LEVELS[head], &LEVELS[row])).unwrap(), second);
}

#[test]
fn what_only_looks_like_columns_is_no_table() {
    let cases = [
        // A cell below two names, a gap that is no column, a head that is none, prose.
        "Name    Size  Owner\nbackup  12 files in a row  anna",
        "Name    Size  Owner\nbackup  12  kB  anna",
        "M1      65 m  41 dB\nM2      90 m  38 dB",
        "It runs.  It stops.  It runs again.\nIt runs once.  Or twice.  Or more.",
    ];
    for words in cases {
        assert_eq!(said(words), None, "{words}");
    }
}
