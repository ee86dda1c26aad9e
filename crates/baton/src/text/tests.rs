use super::*;

#[test]
fn moments_are_written_in_utc() {
    for (millis, wanted) in [
        (0, "1970-01-01T00:00:00.000Z"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z"),
        (951_868_799_000, "2000-02-29T23:59:59.000Z"),
        (951_868_800_000, "2000-03-01T00:00:00.000Z"),
        (1_709_251_199_123, "2024-02-29T23:59:59.123Z"),
        (1_735_689_600_000, "2025-01-01T00:00:00.000Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    ] {
        assert_eq!(rfc3339(Millis(millis)), wanted);
    }
    assert_eq!(moment(Millis(1_709_251_199_123)), "2024-02-29 23:59:59");
}

#[test]
fn spans_are_short() {
    let seconds = Duration::from_secs;
    let ages: Vec<String> = [0, 59, 60, 3_599, 3_600, 86_399, 86_400 * 9].map(|s| age(seconds(s))).into();
    assert_eq!(ages, ["0s", "59s", "1m", "59m", "1h", "23h", "9d"]);
    let shown: Vec<String> = [7, 723, 3_723, 86_400 * 3 + 3_723].map(|s| elapsed(seconds(s))).into();
    assert_eq!(shown, ["0:07", "12:03", "1:02:03", "3d 1:02:03"]);
}

#[test]
fn money_is_exact_both_ways() {
    for (micro, shown) in
        [(0, "$0.00"), (1_000_000, "$1.00"), (12_300_000, "$12.30"), (1_200, "$0.0012"), (1, "$0.000001")]
    {
        assert_eq!(usd(micro), shown);
        assert_eq!(read_usd(&shown[1..]), Ok(micro));
    }
    assert_eq!(read_usd("2"), Ok(2_000_000));
    assert_eq!(read_usd(".5"), Ok(500_000));
    for wrong in ["", ".", "-1", "1e3", "0.1234567", "abc", "1.2.3", "99999999999999999", " 1", "NaN"] {
        assert!(read_usd(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn sizes_are_short() {
    let shown: Vec<String> = [0, 999, 1_000, 1_250_000, 3_000_000_000].map(bytes).into();
    assert_eq!(shown, ["0 B", "999 B", "1.0 kB", "1.2 MB", "3.0 GB"]);
}

#[test]
fn text_from_outside_cannot_steer_the_terminal() {
    assert_eq!(clean("a\u{1b}[31mred\u{7}\u{9b}2J\r\nb\tc"), "a[31mred2J b c");
    assert_eq!(clean("abc\u{202e}fdp.exe\u{7f}"), "abcfdp.exe");
    assert_eq!(clean("naïve 漢字"), "naïve 漢字");
}

#[test]
fn cutting_counts_columns_and_leaves_a_mark() {
    assert_eq!(cut("release", 7), "release");
    assert_eq!(cut("release", 5), "rele…");
    assert_eq!(cut("漢字漢字", 5), "漢字…");
    assert_eq!(cut("abc", 0), "");
}

#[test]
fn quoted_words_come_back_as_they_were() {
    assert_eq!(quoted("3/approve"), "3/approve");
    assert_eq!(quoted("it's"), r"'it'\''s'");
    assert_eq!(quoted("3/what?1"), "'3/what?1'");
    assert_eq!(quoted(""), "''");
}

#[test]
fn lines_are_wrapped_between_words() {
    assert_eq!(wrapped("one two  three", 8), ["one two", "three"]);
    assert_eq!(wrapped("a incomprehensible b", 5), ["a", "incomprehensible", "b"]);
    assert!(wrapped("  ", 5).is_empty());
}

#[test]
fn numbers_have_their_word() {
    let counted = [count(1, "try"), count(0, "try"), count(2, "day"), count(3, "fact"), count(1, "fact")];
    assert_eq!(counted, ["1 try", "0 tries", "2 days", "3 facts", "1 fact"]);
}
