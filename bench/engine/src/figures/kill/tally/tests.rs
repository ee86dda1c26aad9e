use std::collections::BTreeMap;

use super::{Cut, Tally};

fn marks(visits: &[u32]) -> Vec<String> {
    visits.iter().map(|visit| format!("{visit}/mark")).collect()
}

fn tally(visits: &[u32], cuts: &[Cut], receipts: &[(&str, u64)], steps: usize) -> Tally {
    let receipts: BTreeMap<String, u64> = receipts.iter().map(|(key, n)| ((*key).to_owned(), *n)).collect();
    Tally::of(&marks(visits), cuts, &receipts, steps, 0)
}

#[test]
fn an_undisturbed_run_has_nothing_to_tell() {
    let cut = Cut { marks: 2, told: 5, records: 6 };
    assert_eq!(tally(&[1, 2, 3], &[cut], &[("1/mark", 3), ("2/mark", 6)], 3), Tally::default());
}

#[test]
fn a_step_whose_outcome_was_hidden_is_one_rewind_and_not_paid_twice() {
    let cut = Cut { marks: 2, told: 4, records: 5 };
    let seen = tally(&[1, 2, 2, 3], &[cut], &[("1/mark", 3), ("2/mark", 8)], 3);
    assert_eq!(seen, Tally { deepest: 1, extra: 1, ..Tally::default() });
}

#[test]
fn a_step_with_a_durable_receipt_that_is_done_again_is_paid_twice() {
    let cut = Cut { marks: 2, told: 6, records: 6 };
    let seen = tally(&[1, 2, 2, 3], &[cut], &[("1/mark", 3), ("2/mark", 6)], 3);
    assert_eq!(seen, Tally { deepest: 1, extra: 1, paid_twice: 1, ..Tally::default() });
}

#[test]
fn two_steps_done_again_after_one_kill_are_a_rewind_of_two() {
    let cut = Cut { marks: 3, told: 0, records: 1 };
    assert_eq!(tally(&[1, 2, 3, 2, 3], &[cut], &[], 3).deepest, 2);
}

#[test]
fn a_record_that_was_said_to_be_durable_and_is_gone_is_lost() {
    let cuts = [Cut { marks: 1, told: 9, records: 7 }, Cut { marks: 1, told: 9, records: 9 }];
    assert_eq!(tally(&[1], &cuts, &[], 1).lost, 2);
    let shrunk = [Cut { marks: 1, told: 3, records: 9 }, Cut { marks: 1, told: 3, records: 8 }];
    assert_eq!(tally(&[1], &shrunk, &[], 1).lost, 1);
}

#[test]
fn a_step_without_a_mark_is_missing() {
    assert_eq!(tally(&[1, 3], &[], &[], 3).missing, 1);
}
