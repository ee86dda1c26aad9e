use super::*;

fn words(page: &Page) -> Vec<String> {
    page.lines().iter().map(|line| line.iter().map(|span| span.text.as_str()).collect()).collect()
}

#[test]
fn columns_stand_below_each_other_and_the_last_is_cut() {
    let rows = [vec![plain("7k"), plain("a long title")], vec![plain("漢字"), plain("short")]];
    let mut page = Page::default();
    page.table(&["RUN", "TITLE"], &rows, Some(12));
    assert_eq!(words(&page), ["RUN   TITLE", "7k    a lon…", "漢字  short"]);
}

#[test]
fn a_line_that_is_cut_between_two_pieces_says_so_too() {
    let mut page = Page::default();
    page.line([plain("abc"), plain("def"), plain("ghi")]);
    let cut: Vec<String> = (5..10).map(|columns| words(&page.narrow(columns)).concat()).collect();
    assert_eq!(cut, ["abcd…", "abcde…", "abcdef…", "abcdefg…", "abcdefghi"]);
}

#[test]
fn nothing_from_outside_reaches_a_page_uncleaned() {
    let mut page = Page::of("one\u{1b}[2J\ntwo");
    page.field("title", plain("a\nb\u{7}"));
    assert_eq!(words(&page), ["one[2J", "two", "title      a b"]);
}
