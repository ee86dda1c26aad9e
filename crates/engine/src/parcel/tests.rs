//! Hashes found in a text by looking at every 64th byte are those found by looking at all of them.

use std::collections::BTreeSet;

use super::hashes_in;
use crate::{Dice, Hash, SeededDice};

/// Every row of exactly 64 hexadecimal digits, found the long way.
fn all_of(text: &[u8]) -> BTreeSet<Hash> {
    let words = text.split(|byte| !byte.is_ascii_hexdigit()).filter(|word| word.len() == 64);
    words.filter_map(|word| std::str::from_utf8(word).ok()?.parse().ok()).collect()
}

#[test]
fn no_hash_is_missed_and_none_is_made_up() {
    let dice = SeededDice::new(7);
    let mut found_any = 0;
    for _ in 0..2_000 {
        let mut text = String::new();
        for _ in 0..dice.roll() % 6 {
            let digits = [0, 1, 63, 64, 65, 128][(dice.roll() % 6) as usize];
            text.extend((0..digits).map(|_| char::from(b"0123456789abcdef"[(dice.roll() % 16) as usize])));
            text.push_str(["\"", ",x", "", "zz\u{e4}", "g"][(dice.roll() % 5) as usize]);
        }
        let mut found = BTreeSet::new();
        hashes_in(text.as_bytes(), &mut found);
        assert_eq!(found, all_of(text.as_bytes()), "{text}");
        found_any += found.len();
    }
    assert!(found_any > 200, "{found_any}");
}
