//! On which page of a printed PDF its anchors stand: a browser prints contents before it knows that, so a document is printed
//! twice, and the second time its contents have page numbers. Only what Chromium writes is read here, and what is not as
//! expected is left out: contents without numbers still lead where they say.

use std::collections::BTreeMap;

/// How deep a tree of pages may be; one of a million pages in eights is not deeper.
const DEEPEST: usize = 16;

/// The page of every named anchor, counted from 1.
#[must_use]
pub fn anchors(pdf: &[u8]) -> BTreeMap<String, usize> {
    let text = String::from_utf8_lossy(pdf);
    let objects = objects(&text);
    let Some(catalog) = objects.values().find(|body| body.contains("/Type /Catalog")) else {
        return BTreeMap::new();
    };
    let mut leaves = Vec::new();
    if let Some(root) = reference(catalog, "/Pages ") {
        walk(&objects, root, DEEPEST, &mut leaves);
    }
    let destinations = reference(catalog, "/Dests ").and_then(|at| objects.get(&at)).copied();
    named(destinations.unwrap_or_default())
        .filter_map(|(name, page)| Some((name, leaves.iter().position(|leaf| *leaf == page)? + 1)))
        .collect()
}

/// The body of every object up to its stream, by number.
fn objects(text: &str) -> BTreeMap<u32, &str> {
    let mut found = BTreeMap::new();
    for (at, mark) in text.match_indices(" 0 obj\n") {
        let number = text[..at].rsplit(|letter: char| !letter.is_ascii_digit()).next();
        let Some(number) = number.and_then(|digits| digits.parse().ok()) else { continue };
        let rest = &text[at + mark.len()..];
        let end = ["\nendobj", "\nstream"].iter().filter_map(|end| rest.find(end)).min();
        found.insert(number, &rest[..end.unwrap_or(rest.len())]);
    }
    found
}

/// The object that a key of a dictionary leads to.
fn reference(dictionary: &str, key: &str) -> Option<u32> {
    let rest = &dictionary[dictionary.find(key)? + key.len()..];
    number(rest.strip_prefix('[').unwrap_or(rest))
}

/// The number of the object that `12 0 R` names.
fn number(text: &str) -> Option<u32> {
    let (digits, rest) = text.split_once(' ')?;
    rest.starts_with("0 R").then(|| digits.parse().ok())?
}

/// The pages below a node, in order.
fn walk(objects: &BTreeMap<u32, &str>, node: u32, deepest: usize, leaves: &mut Vec<u32>) {
    let Some(body) = objects.get(&node) else { return };
    let kids = body.split_once("/Kids [").and_then(|(_, rest)| rest.split_once(']'));
    match kids {
        None => leaves.push(node),
        Some((kids, _)) if deepest > 0 => {
            let numbers = kids.split(" 0 R").filter_map(|kid| kid.trim().parse().ok());
            numbers.for_each(|kid| walk(objects, kid, deepest - 1, leaves));
        }
        Some(_) => {}
    }
}

/// `/h3 [9 0 R /XYZ …]`, each name with the object of its page.
fn named(dictionary: &str) -> impl Iterator<Item = (String, u32)> + '_ {
    dictionary.split('/').filter_map(|entry| {
        let (name, rest) = entry.split_once(" [")?;
        Some((name.trim().to_owned(), number(rest)?))
    })
}
