use super::Pages;
use crate::store::anchor::slot::SLOT;

fn written(pages: &mut Pages) -> Vec<(i64, Vec<u8>)> {
    let mut stretches = Vec::new();
    pages.each_stretch(|row, slots| {
        stretches.push((row, slots.chunks(SLOT).map(|slot| slot[0]).collect()));
    });
    stretches
}

fn put(pages: &mut Pages, rows: &[(i64, u8)]) {
    rows.iter().for_each(|(row, mark)| pages.put(*row, &[*mark; SLOT]));
}

#[test]
fn neighbours_are_written_at_once_and_pages_apart() {
    let mut pages = Pages::default();
    put(&mut pages, &[(3, 3), (1, 1), (2, 2), (32, 32), (33, 33), (34, 34)]);
    let wanted = [(1, vec![1, 2, 3]), (32, vec![32]), (33, vec![33, 34])];
    assert_eq!(written(&mut pages), wanted);
    assert_eq!(written(&mut pages), [], "nothing is fresh any more");
}

#[test]
fn what_lies_between_is_written_again_only_where_it_is_ours() {
    let mut pages = Pages::default();
    put(&mut pages, &[(1, 1), (2, 2), (3, 3), (5, 5)]);
    assert_eq!(written(&mut pages), [(1, vec![1, 2, 3]), (5, vec![5])]);
    put(&mut pages, &[(1, 11), (3, 13)]);
    assert_eq!(written(&mut pages), [(1, vec![11, 2, 13])]);
    pages.let_go(2);
    put(&mut pages, &[(1, 21), (3, 23), (5, 25)]);
    assert_eq!(written(&mut pages), [(1, vec![21]), (3, vec![23]), (5, vec![25])]);
}

#[test]
fn a_whole_page_is_one_stretch_and_a_run_that_was_let_go_is_not_written() {
    let mut pages = Pages::default();
    put(&mut pages, &(1..=32).map(|row| (row, 7)).collect::<Vec<_>>());
    assert_eq!(written(&mut pages), [(1, vec![7; 32])]);
    put(&mut pages, &[(4, 8)]);
    pages.let_go(4);
    assert_eq!(written(&mut pages), []);
    (1..=32).for_each(|row| pages.let_go(row));
    put(&mut pages, &[(32, 9)]);
    assert_eq!(written(&mut pages), [(32, vec![9])]);
}
