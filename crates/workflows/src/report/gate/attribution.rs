//! Who says it: a sentence may name the document it rests on, by the words of its title, before it says what stands there.

/// Words by which a document says something.
const SAYS: &[&str] = &["says", "states", "reports", "notes", "writes", "adds", "mentions", "puts", "gives"];

/// What is said, without who says it; none where the sentence does not begin with one of these documents.
pub fn without(text: &str, titles: &[&str]) -> Option<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let lower = |at: usize| words.get(at).map(|word| word.to_lowercase()).unwrap_or_default();
    let according = lower(0) == "according" && lower(1) == "to";
    let start = if according { 2 } else { 0 };
    let start = start + usize::from(lower(start) == "the");
    let is_title = |word: &str| {
        let word = word.trim_end_matches(',').to_lowercase();
        titles.iter().all(|title| title.to_lowercase().split(' ').any(|own| own == word))
    };
    let named = words[start.min(words.len())..].iter().take_while(|word| is_title(word)).count();
    // "It says that", of one document alone.
    let pronoun = !according && lower(0) == "it" && titles.windows(2).all(|pair| pair[0] == pair[1]);
    let end = if pronoun { 1 } else { start + named };
    if named == 0 && !pronoun {
        return None;
    }
    if according {
        let is_cut = words.get(end - 1).is_some_and(|word| word.ends_with(','));
        return is_cut.then(|| words[end..].join(" "));
    }
    let verb = lower(end);
    if !SAYS.contains(&verb.as_str()) {
        return None;
    }
    let rest = words[end + 1..].join(" ");
    let said = match verb.as_str() {
        "puts" => rest.rsplit_once(" at ").map(|(what, number)| format!("{what} was {number}"))?,
        "gives" => {
            let (number, what) = rest.trim_end_matches('.').split_once(" as ")?;
            format!("{what} was {number}.")
        }
        _ => rest.strip_prefix("that ").unwrap_or(&rest).replace(" and that ", " and "),
    };
    Some(super::super::naming::capital(&said))
}
