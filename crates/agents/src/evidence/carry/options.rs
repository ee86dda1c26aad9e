//! Entries of option lists: "-V  enables the editor (disables -E)" speaks of `-V`, whatever other option it names.

/// What a quote says apart from entries of other options than the one a sentence speaks of, the first it names; none
/// if it has no such entries.
pub fn without_others(quote: &str, sentence: &str) -> Option<String> {
    let said = sentence.split_whitespace().find_map(option)?;
    let mut is_other = false;
    let mut kept: Vec<&str> = Vec::new();
    for line in quote.lines() {
        // An entry goes on until the next one begins.
        let mut heads = line.split_whitespace().map_while(option).peekable();
        if heads.peek().is_some() {
            is_other = heads.all(|head| head != said);
        }
        if !is_other {
            kept.push(line);
        }
    }
    (kept.len() < quote.lines().count()).then(|| kept.join("\n"))
}

/// A word that is an option, without what stands around it and without its value.
fn option(word: &str) -> Option<&str> {
    let bare = word.trim_matches(|letter: char| "`'\"“”‘’()[],.;:*".contains(letter));
    let name = bare.split(['=', '[']).next()?;
    let letters = name.trim_start_matches('-');
    let dashes = name.len() - letters.len();
    ((1..=2).contains(&dashes) && letters.starts_with(char::is_alphabetic)).then_some(name)
}
