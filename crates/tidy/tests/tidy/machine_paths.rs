//! Paths of one person's machine mean nothing to the next, and may say more than they should.

use crate::tree::Tree;

/// Each written in two parts, so that this file does not find itself.
const NEEDLES: [&str; 3] = [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/")];

/// Lines of any text file that hold such a path.
pub fn check(tree: &Tree) -> Vec<String> {
    tree.files()
        .flat_map(|(path, text)| {
            (1..).zip(text.lines()).filter_map(move |(at, line)| in_line(path, at, line))
        })
        .collect()
}

fn in_line(path: &str, at: usize, line: &str) -> Option<String> {
    let needle = NEEDLES.iter().find(|needle| line.contains(**needle))?;
    Some(format!("{path}:{at}: holds a path of one machine ({needle})"))
}

#[test]
fn a_path_of_one_machine_is_found_in_any_file() {
    for needle in NEEDLES {
        let tree = Tree::of(&[("notes.txt", &format!("fine\nsee {needle}x\n"))]);
        assert_eq!(check(&tree), [format!("notes.txt:2: holds a path of one machine ({needle})")]);
    }
}

#[test]
fn ordinary_text_is_left_alone() {
    assert_eq!(
        check(&Tree::of(&[("a.md", "crates/workflows/src, ~/.cache, the root, homework")])),
        Vec::<String>::new()
    );
}
