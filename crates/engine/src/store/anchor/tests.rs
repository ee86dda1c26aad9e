//! Slots on a real file: what is read back, what a tear leaves, which places are taken.

use super::*;

fn anchor() -> (tempfile::TempDir, Anchor) {
    let folder = tempfile::tempdir().unwrap();
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch("CREATE TABLE run (id, name, micro_usd, tokens, calls); CREATE TABLE head (run, last)")
        .unwrap();
    connection.execute_batch("CREATE TABLE record (seq, n, hash)").unwrap();
    let anchor = Anchor::open(folder.path(), &connection).unwrap();
    (folder, anchor)
}

fn at(run: &str, n: u64) -> Reached {
    let spent = Spend { micro_usd: n * 10, tokens: n * 100, calls: n };
    Reached {
        lost: (n + 5, spent),
        ..Reached::at(Name::from(&RunId(run.to_owned())), n, Hash::of(&[7]), spent)
    }
}

#[test]
fn heads_are_read_back_whole_and_the_newest_counts() {
    let (folder, anchor) = anchor();
    assert_eq!(anchor.read(1).unwrap(), AnchorRow::Nothing);
    assert_eq!(anchor.last_row().unwrap(), 0);
    let rows = [1_i64, 2, 3, 31, 32, 33, 64, 65, 1000];
    for n in 1..=5 {
        let heads: Vec<_> = rows.iter().map(|row| (*row, at(&format!("run{row}"), n))).collect();
        anchor.keep(&heads);
    }
    for row in rows {
        assert_eq!(anchor.read(row).unwrap(), AnchorRow::Reached(at(&format!("run{row}"), 5)), "{row}");
    }
    assert_eq!(anchor.read(4).unwrap(), AnchorRow::Nothing);
    assert_eq!(anchor.last_row().unwrap(), 1000);
    assert_eq!(anchor.all().unwrap().iter().map(|(row, _)| *row).collect::<Vec<_>>(), rows);
    assert_eq!(look(folder.path()).unwrap().len(), rows.len());
    anchor.clear(1000).unwrap();
    assert_eq!(anchor.last_row().unwrap(), 65);
    anchor.set(65, &at("run65", 2)).unwrap();
    assert_eq!(anchor.read(65).unwrap(), AnchorRow::Reached(at("run65", 2)), "set back on purpose");
}

#[test]
fn a_torn_slot_leaves_the_other_and_two_torn_ones_are_told() {
    let (_folder, anchor) = anchor();
    anchor.keep(&[(7, at("a", 1))]);
    anchor.keep(&[(7, at("a", 2))]);
    let damage = |side| write_at(anchor.file.as_ref().unwrap(), &[0xff], place(7, side) + 60).unwrap();
    damage(1);
    assert_eq!(anchor.read(7).unwrap(), AnchorRow::Reached(at("a", 1)));
    damage(0);
    assert_eq!(anchor.read(7).unwrap(), AnchorRow::Unreadable);
    assert_eq!(anchor.last_row().unwrap(), 7, "its place is not given to another run");
}

#[test]
fn a_run_twice_in_a_group_keeps_its_later_head() {
    let (_folder, anchor) = anchor();
    anchor.keep(&[(2, at("b", 3)), (1, at("a", 9)), (2, at("b", 4)), (3, at("c", 1))]);
    let heads: Vec<u64> = (1..4).map(|row| anchor.read(row).unwrap().reached().unwrap().n).collect();
    assert_eq!(heads, [9, 4, 1]);
}

#[test]
fn no_two_runs_share_a_slot() {
    let places = (1..2000).flat_map(|row| [place(row, 0), place(row, 1)]);
    let distinct: std::collections::BTreeSet<u64> = places.clone().collect();
    assert_eq!(distinct.len(), places.count());
    assert!(distinct.iter().all(|place| place % SLOT as u64 == 0));
}

/// Slots between two new ones are written again, but only while no other process may write them.
#[test]
fn a_run_that_was_let_go_is_left_to_its_next_driver() {
    let (folder, ours) = anchor();
    let names = ["a", "b", "c", "d", "e"];
    let heads = |n| (1..).zip(names).map(|(row, name)| (row, at(name, n))).collect::<Vec<_>>();
    let numbers = || (1..=5).map(|row| ours.read(row).unwrap().reached().unwrap().n).collect::<Vec<_>>();
    [1, 2].iter().for_each(|n| ours.keep(&heads(*n)));
    ours.keep(&[(1, at("a", 3)), (5, at("e", 3))]);
    assert_eq!(numbers(), [3, 2, 2, 2, 3]);
    ours.let_go(3);
    let file = File::options().read(true).write(true).open(path(folder.path())).unwrap();
    let theirs = Anchor::on(Some(file));
    [8, 9].iter().for_each(|n| theirs.keep(&[(3, at("c", *n))]));
    [4, 5].iter().for_each(|n| ours.keep(&[(1, at("a", *n)), (2, at("b", *n)), (5, at("e", *n))]));
    assert_eq!(numbers(), [5, 5, 9, 2, 5]);
    // A run that is set back on purpose stays so.
    ours.set(2, &at("b", 1)).unwrap();
    [6, 7].iter().for_each(|n| ours.keep(&[(1, at("a", *n)), (4, at("d", *n))]));
    assert_eq!(numbers(), [7, 1, 9, 7, 5]);
}
