//! Nothing unfinished, switched off or left over from debugging is committed.

use crate::tree::Tree;

/// Each written in two parts, so that this file does not find itself. Words that begin or end with a letter are
/// found only as whole words.
const LEFTOVERS: [&str; 6] = [
    concat!("to", "do!"),
    concat!("unimpl", "emented!"),
    concat!("#[ign", "ore"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("db", "g!"),
];

/// Leftovers in sources, with their lines.
pub fn check(tree: &Tree) -> Vec<String> {
    tree.sources()
        .flat_map(|(path, text)| (1..).zip(text.lines()).flat_map(move |(at, line)| in_line(path, at, line)))
        .collect()
}

fn in_line(path: &str, at: usize, line: &str) -> Vec<String> {
    let found = LEFTOVERS.iter().filter(|word| contains_word(line, word));
    found.map(|word| format!("{path}:{at}: {word}")).collect()
}

fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let (before, rest) = line.split_at(at);
        let after = rest.get(word.len()..).unwrap_or_default();
        let joined_before = word.starts_with(is_letter) && before.ends_with(is_letter);
        let joined_after = word.ends_with(is_letter) && after.starts_with(is_letter);
        !joined_before && !joined_after
    })
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[test]
fn every_leftover_is_found() {
    for word in LEFTOVERS {
        let tree = Tree::of(&[("crates/a/src/lib.rs", &format!("//! A.\n    {word}(1) // {word}\n"))]);
        assert_eq!(check(&tree), [format!("crates/a/src/lib.rs:2: {word}")]);
    }
}

#[test]
fn longer_words_and_other_files_are_left_alone() {
    let longer = format!("{}Y not_{}() X{}", LEFTOVERS[4], LEFTOVERS[0], LEFTOVERS[4]);
    assert_eq!(check(&Tree::of(&[("a.rs", &longer), ("a.md", LEFTOVERS[3])])), Vec::<String>::new());
}
