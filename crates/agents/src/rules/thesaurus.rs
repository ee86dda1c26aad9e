//! What a dictionary knows of words: which can mean the same, and which mean the opposite. It is wide and knows no context;
//! lists of our own, made for a purpose, go before it.
//!
//! The table is searched where it stands: nothing is read or built when the program starts.

#[cfg(test)]
mod tests;

/// Sorted lines: `word=groups`, `word!opposites` and `word~meanings;wider meanings`. Made by `examples/thesaurus.rs`, which also says whose it is.
const TABLE: &str = include_str!("thesaurus.txt");

/// Can two words, or phrases of two words, mean the same? Both in lower case, inflected or not.
#[must_use]
pub fn same(left: &str, right: &str) -> bool {
    Entry::of(left).is_same(&Entry::of(right))
}

/// Is one the opposite of the other?
#[must_use]
pub fn opposed(left: &str, right: &str) -> bool {
    Entry::of(left).is_opposed(&Entry::of(right))
}

/// What the dictionary has of one word, for whoever compares it with many.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    forms: Vec<String>,
    groups: Vec<&'static str>,
    opposites: Vec<&'static str>,
    meanings: Vec<&'static str>,
    wider: Vec<&'static str>,
}

impl Entry {
    /// Looks a word up.
    #[must_use]
    pub fn of(word: &str) -> Self {
        let forms = base_forms(word);
        let lines = |sign: char| forms.iter().filter_map(move |base| entry(base, sign));
        let groups = lines('=').flat_map(|line| line.split(' ')).collect();
        let opposites = lines('!').flat_map(|line| line.split(',')).collect();
        let wide = || lines('~').map(|line| line.split_once(';').unwrap_or((line, "")));
        let each = |list: &'static str| list.split(' ').filter(|meaning| !meaning.is_empty());
        let meanings = wide().flat_map(|(own, _)| each(own)).collect();
        let wider = wide().flat_map(|(_, wider)| each(wider)).collect();
        Self { forms, groups, opposites, meanings, wider }
    }

    /// Can both mean the same?
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.groups.iter().any(|group| other.groups.contains(group))
    }

    /// Can this one, in any of its usual meanings or as another part of speech, be said for the other? Asked only where
    /// the place in the sentence already says that it should.
    #[must_use]
    pub fn is_near(&self, other: &Self) -> bool {
        self.meanings.iter().any(|meaning| other.meanings.contains(meaning))
    }

    /// Does this one name what the other is a kind of? Who decided also acted, but not the other way round.
    #[must_use]
    pub fn is_wider(&self, other: &Self) -> bool {
        self.meanings.iter().any(|meaning| other.wider.contains(meaning))
    }

    /// Is this one named as the opposite of the other?
    #[must_use]
    pub fn is_opposed(&self, other: &Self) -> bool {
        self.opposites.iter().any(|opposite| other.forms.iter().any(|form| form == opposite))
    }
}

/// Is the word in the dictionary at all, with a synonym?
#[must_use]
pub fn knows(word: &str) -> bool {
    base_forms(word).iter().any(|base| entry(base, '=').is_some())
}

/// What stands behind a word and a sign.
fn entry(word: &str, sign: char) -> Option<&'static str> {
    let wanted = format!("{word}{sign}");
    let (mut low, mut high) = (0, TABLE.len());
    while low < high {
        let middle = (low + high) / 2;
        let start = TABLE.as_bytes()[..middle].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let end = TABLE.as_bytes()[start..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(TABLE.len(), |at| start + at);
        let line = &TABLE[start..end];
        let key = line.find(['=', '!', '~']).map_or("", |at| &line[..=at]);
        match key.cmp(wanted.as_str()) {
            std::cmp::Ordering::Equal => return Some(&line[key.len()..]),
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

/// Endings and what a dictionary has in their place.
const ENDINGS: [(&str, &[&str]); 11] = [
    ("ies", &["y"]),
    ("ied", &["y"]),
    ("es", &["", "e"]),
    ("s", &[""]),
    ("ed", &["", "e"]),
    ("ing", &["", "e"]),
    ("ier", &["y"]),
    ("iest", &["y"]),
    ("er", &["", "e"]),
    ("est", &["", "e"]),
    ("ly", &[""]),
];

/// The word itself and what it may be a form of; of a phrase its first word is bent.
fn base_forms(word: &str) -> Vec<String> {
    let (first, rest) = word.split_once(' ').map_or((word, ""), |(first, rest)| (first, rest));
    let mut forms = vec![first.to_owned()];
    for (ending, instead) in ENDINGS {
        let Some(root) = first.strip_suffix(ending).filter(|root| root.len() > 1) else { continue };
        forms.extend(instead.iter().map(|instead| format!("{root}{instead}")));
        // "stopped", "running"
        let mut letters = root.chars().rev();
        if ["ed", "ing", "er", "est"].contains(&ending) && letters.next() == letters.next() {
            forms.push(root[..root.len() - root.chars().next_back().map_or(0, char::len_utf8)].to_owned());
        }
    }
    if !rest.is_empty() {
        forms.iter_mut().for_each(|form| *form = format!("{form} {rest}"));
    }
    forms
}
