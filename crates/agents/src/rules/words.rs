//! Words: splitting, folding and stemming exactly as the index does, and the words that carry no meaning.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

pub use super::porter::stem;

/// One word of a text: its stem and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Folded and stemmed form, equal to the term in the index.
    pub stem: String,
    /// Byte range in the text it came from.
    pub range: Range<usize>,
}

/// Words with no meaning of their own in a question.
const STOP: &str = "a about above actually after again against all already also am an and any anyway are aren as at be because \
been before being below between both but by can cannot could couldn did didn do does doesn doing don down \
during each else even ever every exactly few for from further get gets give given gives go goes had hadn \
happen happened happens has hasn have haven having he her here hers herself him himself his how however i if \
in instead into is isn it its itself just let ll many may maybe me might moment more most much must my myself \
no nor not of off on once one only or other otherwise ought our ours ourselves out over own per perhaps please \
possible quite rather re really said same say says shall she should shouldn simply so some soon still such \
supposed than that the their theirs them themselves then there these they this those through to too under \
unless until up upon use used uses using ve very want wanted wants was wasn way ways we were weren what when \
where whether which while who whom whose why will with within without won would wouldn you your yours yourself \
yourselves";

static STOP_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| STOP.split_whitespace().collect());

/// Letters with marks and the letters they fold to, as the index folds them.
const MARKED: &str =
    "àáâãäåāăą çćĉċč ď èéêëēĕėęě ĝğġģ ĥ ìíîïĩīĭį ĵ ķ ĺļľ ñńņň òóôõöōŏő ŕŗř śŝşš ţť ùúûüũūŭůűų ŵ ýÿŷ źżž";
const PLAIN: &str = "a c d e g h i j k l n o r s t u w y z";

/// Is this a word that carries no meaning of its own? The word is lower case.
#[must_use]
pub fn is_stop(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

/// Lower case without marks.
#[must_use]
pub fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    word.chars().flat_map(char::to_lowercase).map(plain_letter).collect()
}

fn plain_letter(letter: char) -> char {
    if letter.is_ascii() {
        return letter;
    }
    MARKED
        .split(' ')
        .zip(PLAIN.split(' '))
        .find(|(marked, _)| marked.contains(letter))
        .and_then(|(_, plain)| plain.chars().next())
        .unwrap_or(letter)
}

/// Byte ranges of the words of a text: runs of letters and digits.
pub fn word_ranges(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, _) = chars.find(|(_, c)| c.is_alphanumeric())?;
        let mut end = text.len();
        while let Some(&(at, c)) = chars.peek() {
            if !c.is_alphanumeric() {
                end = at;
                break;
            }
            chars.next();
        }
        Some(start..end)
    })
}

/// Every word of a text, stemmed, in order.
#[must_use]
pub fn words(text: &str) -> Vec<Word> {
    word_ranges(text).map(|range| Word { stem: stem(&fold(&text[range.clone()])), range }).collect()
}

/// The stems of a text, in order, meaningless words included.
#[must_use]
pub fn stems(text: &str) -> Vec<String> {
    word_ranges(text).map(|range| stem(&fold(&text[range]))).collect()
}

/// The set of stems of a text without the meaningless words.
#[must_use]
pub fn content_stems(text: &str) -> HashSet<String> {
    word_ranges(text)
        .map(|range| fold(&text[range]))
        .filter(|word| !is_stop(word))
        .map(|word| stem(&word))
        .collect()
}

/// Share of the smaller set found in the other: 1 when one text says nothing the other does not.
#[must_use]
pub fn overlap(a: &HashSet<String>, b: &HashSet<String>) -> f64 {
    let smaller = a.len().min(b.len());
    if smaller == 0 {
        return 0.0;
    }
    a.intersection(b).count() as f64 / smaller as f64
}
