//! What a document is called, and where a sentence calls it so.

use std::ops::Range;

use crate::rules::words::{fold, is_stop, stem, word_ranges};

/// What documents are, by stem of the last word of their names.
const DOCUMENTS: &str = "license licence report bulletin manual guide handbook act law terms plan minutes letter note notes faq policy \
standard specification constitution contract agreement treaty charter newsletter survey datasheet briefing decision paper article blog page \
documentation document readme statement review study memo record register code directive regulation rules ordinance bylaws announcement \
protocol audit budget agenda leaflet brochure tutorial reference glossary history encyclopedia textbook chapter";

/// Words inside a name that say nothing alone.
const GLUE: [&str; 8] = ["of", "the", "for", "and", "on", "version", "v", "edition"];

/// The words of a title.
#[derive(Debug, Clone, Default)]
pub(super) struct Name {
    /// Stems of all words, in their order.
    stems: Vec<String>,
    /// First letters of the words that say something, in their order.
    initials: String,
}

impl Name {
    pub(super) fn of(title: &str) -> Self {
        let words: Vec<String> = word_ranges(title).map(|range| fold(&title[range])).collect();
        let telling = words.iter().filter(|word| !is_glue(word) && word.starts_with(char::is_alphabetic));
        let initials = telling.filter_map(|word| word.chars().next()).collect();
        Self { stems: words.iter().map(|word| stem(word)).collect(), initials }
    }

    fn has(&self, word: &str) -> bool {
        self.stems.contains(&stem(word))
    }

    fn is_short_for(&self, word: &str) -> bool {
        let short = (2..=6).contains(&word.len()) && word.chars().all(|letter| letter.is_ascii_uppercase());
        short && self.initials.contains(&word.to_lowercase())
    }

    /// How many words of it must be said to name it.
    fn fewest(&self) -> usize {
        self.stems.iter().filter(|stem| !is_glue(stem) && is_word(stem)).count().min(2)
    }
}

fn is_word(word: &str) -> bool {
    word.starts_with(char::is_alphabetic)
}

fn is_glue(word: &str) -> bool {
    GLUE.contains(&word)
}

/// Whether a word says what kind of document something is.
pub(super) fn is_document(word: &str) -> bool {
    let own = stem(&fold(word));
    DOCUMENTS.split_whitespace().any(|other| stem(other) == own)
}

/// A place where a sentence names a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// Where the name stands, without "the".
    pub(super) range: Range<usize>,
    /// The quotes of the documents it may mean.
    pub(super) sources: Vec<usize>,
}

impl Mention {
    pub(super) fn shares_source(&self, other: &Self) -> bool {
        self.sources.iter().any(|source| other.sources.contains(source))
    }

    /// The same in a text that begins later.
    pub(super) fn moved_back(&self, by: usize) -> Self {
        Self { range: self.range.start - by..self.range.end - by, sources: self.sources.clone() }
    }
}

/// Where a sentence names documents, each place once, by the longest name.
pub(super) fn mentions(sentence: &str, names: &[Name]) -> Vec<Mention> {
    let words: Vec<Range<usize>> = word_ranges(sentence).collect();
    let mut found: Vec<Mention> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let ends: Vec<Option<usize>> = names.iter().map(|name| named(sentence, &words[at..], name)).collect();
        match ends.iter().flatten().max().copied() {
            Some(length) => {
                let sources = (0..names.len()).filter(|source| ends[*source] == Some(length)).collect();
                found.push(Mention { range: words[at].start..words[at + length - 1].end, sources });
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// How many words from the first on name the document.
fn named(sentence: &str, words: &[Range<usize>], name: &Name) -> Option<usize> {
    let (mut telling, mut document, mut length) = (0, false, 0);
    for (at, range) in words.iter().enumerate() {
        let word = &sentence[range.clone()];
        let folded = fold(word);
        let follows = at == 0 || is_joined(&sentence[words[at - 1].end..range.start]);
        if !follows {
            break;
        }
        if at == 0 && name.is_short_for(word) {
            (telling, document, length) = (2, true, 1);
        } else if !is_glue(&folded) && name.has(&folded) {
            telling += usize::from(is_word(&folded));
            document |= is_document(&folded);
            length = at + 1;
        } else if !is_glue(&folded) || at == 0 {
            break;
        }
    }
    (telling > 0 && telling >= name.fewest() && document).then_some(length)
}

/// What may stand between two words of a name.
fn is_joined(gap: &str) -> bool {
    gap.chars().all(|letter| letter.is_whitespace() || matches!(letter, '.' | '-' | '\'' | '’' | '/'))
        && gap.len() <= 3
}

/// A quote in which "this License" is called by its name.
pub(super) fn spelled_out(quote: &str, title: &str, name: &str) -> String {
    let own = Name::of(title);
    let words: Vec<Range<usize>> = word_ranges(quote).collect();
    let (mut text, mut from) = (String::with_capacity(quote.len()), 0);
    for pair in words.windows(2) {
        let (this, noun) = (&quote[pair[0].clone()], &quote[pair[1].clone()]);
        if this.eq_ignore_ascii_case("this") && is_document(noun) && own.has(&fold(noun)) {
            text.push_str(&quote[from..pair[0].start]);
            text.push_str("the ");
            text.push_str(name);
            from = pair[1].end;
        }
    }
    text.push_str(&quote[from..]);
    text
}

/// Whether a text has all of these words.
pub(super) fn has_words(text: &str, words: &str) -> bool {
    let known: Vec<String> = word_ranges(text).map(|range| stem(&fold(&text[range]))).collect();
    word_ranges(words).map(|range| stem(&fold(&words[range]))).all(|word| known.contains(&word))
}

/// How many words of a text stand in a quote; numbers first, for they tell sources apart.
pub(super) fn shared(text: &str, quote: &str) -> (usize, usize) {
    let known: Vec<String> = word_ranges(quote).map(|range| stem(&fold(&quote[range]))).collect();
    let own: Vec<String> = word_ranges(text).map(|range| stem(&fold(&text[range]))).collect();
    let found = |is_wanted: &dyn Fn(&str) -> bool| {
        own.iter().filter(|word| is_wanted(word) && known.contains(word)).count()
    };
    (found(&|word| !is_word(word)), found(&|word| is_word(word) && !is_stop(word)))
}
