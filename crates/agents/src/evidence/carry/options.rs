//! Entries of option lists: "-V  enables the editor (disables -E)" speaks of `-V`, whatever other option it names.

/// The option a sentence speaks of: the first it names.
pub fn spoken_of(sentence: &str) -> Option<&str> {
    sentence.split_whitespace().find_map(option)
}

/// What a quote says apart from entries of other options than this one; none if it has no such entries.
pub fn without_others(quote: &str, said: &str) -> Option<String> {
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
