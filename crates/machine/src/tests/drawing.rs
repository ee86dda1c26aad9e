//! The sample drawn; the pictures are kept beside as files people can open.

use super::same_as_file;
use super::sample::Text;
use crate::{
    Journey, Kind, Outcome, RowText, StateText, Stay, TableText, Workflow, defects, describe, mermaid, svg,
    svg_of,
};

#[test]
fn the_sample_has_no_defect() {
    assert_eq!(defects(&describe(Text::TABLE)), []);
}

#[test]
fn as_mermaid() {
    let drawn = mermaid(&describe(Text::TABLE), Some("CHECKING"));
    same_as_file("diagram.md", &format!("```mermaid\n{drawn}```\n"));
}

#[test]
fn as_svg() {
    same_as_file("diagram.svg", &svg(&describe(Text::TABLE), Some("CHECKING")));
}

#[test]
fn only_the_state_a_run_stands_in_is_marked() {
    let table = describe(Text::TABLE);
    assert_eq!(mermaid(&table, Some("PAUSED")).matches(" here\n").count(), 1);
    let drawn = svg(&table, Some("PAUSED"));
    assert_eq!((drawn.matches("waits here").count(), drawn.matches(">here · waits<").count()), (1, 1));
    for nowhere in [None, Some("ELSEWHERE")] {
        assert!(!mermaid(&table, nowhere).contains("here\n"));
        assert!(!svg(&table, nowhere).contains(" here\""));
    }
}

/// Names no sane author would choose (keywords of the drawing language, spaces, quotes, markup), a group that
/// shares a state with another, an `any` that is not every state, and a target that is not declared.
fn odd_table() -> TableText {
    let state = |name: &str, kind: Kind, group: Option<&str>| StateText {
        name: name.to_owned(),
        kind,
        group: group.map(str::to_owned),
    };
    let row = |source: &str, from: &[&str], on: &str, guard: Option<&str>, to: &str| RowText {
        source: source.to_owned(),
        from: from.iter().map(|name| (*name).to_owned()).collect(),
        on: on.to_owned(),
        guard: guard.map(str::to_owned),
        to: to.to_owned(),
        at_most: None,
    };
    let states = vec![
        state("state", Kind::Works, Some("the \"box\"")),
        state("two words", Kind::Waits, Some("the \"box\"")),
        state("a<b> & \"c\"; #d", Kind::Works, None),
        state("state_0", Kind::Waits, Some("other")),
        state("any_state", Kind::Works, None),
        state("NOTE", Kind::Ends(Outcome::NoEvidence), None),
        state("état", Kind::Ends(Outcome::Partial), None),
    ];
    let working = ["state", "two words", "a<b> & \"c\"; #d", "state_0", "any_state"];
    let rows = vec![
        row("state", &["state"], "go :: now", Some("x<y"), "two words"),
        row("in the \"box\"", &["state", "two words"], "inside", None, "state"),
        row("in the \"box\"", &["state", "two words"], "again", None, "same"),
        row("in the \"box\"", &["state", "two words"], "out", None, "a<b> & \"c\"; #d"),
        row("in other", &["two words", "state_0"], "apart", None, "NOTE"),
        row("any", &["state_0"], "not quite any", None, "NOTE"),
        row("any", &working, "100% done", None, "état"),
        row("state_0", &["state_0"], "line\nbreak", None, "back"),
        row("any_state", &["any_state"], "lost", None, "undeclared"),
    ];
    let events = rows.iter().map(|row| row.on.clone()).collect();
    TableText { workflow: "odd <names>".to_owned(), start: "state".to_owned(), states, events, rows }
}

#[test]
fn odd_names_as_mermaid() {
    same_as_file("odd.md", &format!("```mermaid\n{}```\n", mermaid(&odd_table(), Some("two words"))));
}

#[test]
fn odd_names_as_svg() {
    let drawn = svg(&odd_table(), Some("two words"));
    same_as_file("odd.svg", &drawn);
    assert!(drawn.contains(">not declared<"));
    assert!(drawn.contains("<title>odd &lt;names&gt;</title>"));
    assert!(drawn.contains("data-state=\"a&lt;b&gt; &amp; &quot;c&quot;; #d\""));
}

/// The way a run went is told in words too: how often and how long, and how often each row was taken.
#[test]
fn the_way_of_a_run_is_drawn_on_its_table() {
    let table = describe(Text::TABLE);
    let stay = |visits, millis| Stay { visits, millis };
    let journey = Journey {
        here: Some("CHECKING".to_owned()),
        stays: [("PLANNING".to_owned(), stay(1, 700)), ("DRAFTING".to_owned(), stay(2, 83_000))].into(),
        rows: [(0, 1), (2, 2)].into(),
    };
    let drawn = svg_of(&table, &journey);
    assert!(drawn.contains("1 × · 700 ms") && drawn.contains("2 × · 1 min 23 s"), "{drawn}");
    assert!(drawn.contains(" ×2</text>") && drawn.contains("class=\"taken\""), "{drawn}");
    assert!(drawn.contains("works seen") && drawn.contains(" here\""), "{drawn}");
    assert_eq!(svg_of(&table, &Journey::at(Some("CHECKING"))), svg(&table, Some("CHECKING")));
}
