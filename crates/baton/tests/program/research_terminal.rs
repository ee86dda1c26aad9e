//! Approving a plan at a terminal.

use crate::research::{HEADLINE, corpus};
use crate::support::Home;
use crate::terminal::Screen;

fn begin(home: &Home) -> Screen {
    let docs = corpus();
    let command = home.command(&["research", HEADLINE, "--docs", &docs]);
    let mut screen = Screen::open(command, 100);
    screen.until("; an empty line leaves it waiting) > ");
    screen
}

#[test]
fn the_plan_is_shown_changed_by_a_sentence_and_approved() {
    let home = Home::new();
    let mut screen = begin(&home);
    for words in ["Plan 1 for: How many", "  S1  Search: ", "yes, abort"] {
        assert!(screen.seen.contains(words), "{words}\n{}", screen.seen);
    }
    screen.key_in("perhaps\n");
    screen.until("`perhaps` is none of: yes, abort");
    screen.until(" > ");
    screen.key_in("modify\n");
    screen.until("Say in a sentence what to change");
    screen.until("what to change, in a sentence; an empty line leaves it waiting) > ");
    screen.key_in("also the noise of the plant\n");
    screen.until("Plan 2 for: ");
    screen.until(" > ");
    screen.key_in("yes\n");
    let (code, seen) = screen.end();
    assert_eq!(code, Some(0), "{seen}");
    assert!(seen.contains("[S01]") && seen.contains("citations verified"), "{seen}");
    for words in [" done", " facts from ", "last: ", "$0.00 of $1.00"] {
        assert!(seen.contains(words), "{words}\n{seen}");
    }
    assert!(
        home.baton(&["log", "last"])
            .out
            .contains("is answered by ann: {\"modify\":\"also the noise of the plant\"}")
    );
}

#[test]
fn a_no_ends_it_and_an_empty_line_leaves_it() {
    let home = Home::new();
    let mut screen = begin(&home);
    screen.key_in("abort\n");
    assert_eq!(screen.end().0, Some(8));
    let mut screen = begin(&home);
    screen.key_in("\n");
    let (code, seen) = screen.end();
    assert!(code == Some(5) && seen.contains("waits for your yes"), "{seen}");
}

/// Breaks the plan at the first try and mends it at the second, if the broken text was kept.
const EDITOR: &str = "if grep -q P9 \"$1\"\n\
                      then sed -i 's/P9/P1/; s/: Connection cost/: Connection fees/' \"$1\"\n\
                      else sed -i '/] S2:/s/P1/P9/' \"$1\"\nfi\n";

#[test]
fn a_plan_can_be_edited_and_a_bad_edit_is_kept_for_another_try() {
    let home = Home::new();
    home.write("edit.sh", EDITOR);
    let docs = corpus();
    let mut command = home.command(&["research", HEADLINE, "--docs", &docs]);
    command.env("EDITOR", "sh edit.sh");
    let mut screen = Screen::open(command, 100);
    screen.until(" > ");
    screen.key_in("edit\n");
    screen.until("The plan was not changed; your text is kept in ");
    assert!(screen.seen.contains("line ") && screen.seen.contains(", column "), "{}", screen.seen);
    screen.until(" > ");
    screen.key_in("edit\n");
    screen.until("Plan 2 for: ");
    screen.until(" > ");
    assert!(screen.seen.contains("Connection fees"), "{}", screen.seen);
    screen.key_in("yes\n");
    let (code, seen) = screen.end();
    assert_eq!(code, Some(0), "{seen}");
    let edits = std::fs::read_dir(home.path().join("edits")).expect("a folder").count();
    assert_eq!(edits, 0, "an accepted edit leaves nothing behind");
}

#[test]
fn without_an_editor_it_says_what_to_set() {
    let home = Home::new();
    let mut screen = begin(&home);
    screen.key_in("edit\n");
    screen.until("set VISUAL or EDITOR to the editor you want");
    screen.until(" > ");
    screen.key_in("no\n");
    assert_eq!(screen.end().0, Some(8));
}
