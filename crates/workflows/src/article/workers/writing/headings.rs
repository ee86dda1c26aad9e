//! Headings of sources as headings of an article: which are good enough, how they are written, and where what stands
//! under them comes in the order of an article.

use std::collections::HashSet;

use baton_agents::rules::words::{content_stems, fold, is_stop};

use super::sentence::{is_verb, listed};

/// Headings that say what kind of a part it is and not what it is about.
const GENERIC: &str = "overview introduction notes note details summary conclusion general misc miscellaneous example examples faq \
abstract contents index references appendix description synopsis background preface remarks discussion results proposal result \
other more basics concepts basic usage options options: parameters executive quick start getting started enhancements";

/// Where a part comes in an article, by the words of its heading and its text: origins, how it works, who uses it, money,
/// results, trouble, plans.
const STAGES: [&str; 7] = [
    "why decid decision began begin background history overview introduct concept basic origin what purpos motiv adopt advantag",
    "how work operat technolog plant architectur design structur format algorithm mechan system machin compon sourc file store process pipe",
    "connect custom resid use user build creat start instal setup applic access read write repositori command house owner",
    "cost price budget fee financ debt paid pay tariff euro dollar fund invest charg",
    "perform reliabl availabl survey emiss statist satisfact measur speed size age effici",
    "risk incid failur fail leak noise limit problem error disadvantag avoid secur corrupt damag minor warn lost loss trouble conflict refriger",
    "outlook plan next futur schedul roadmap propos",
];

/// Where a part comes, 0 first. The heading counts more than the text.
#[must_use]
pub fn stage(heading: &str, text: &str) -> usize {
    let (head, body) = (content_stems(heading), content_stems(text));
    // "Why" and "how" are no content words, and say most.
    let asks: HashSet<String> = heading.split_whitespace().map(fold).collect();
    let score = |stage: &&str| {
        let listed = |word: &&str| {
            let begins = |stems: &HashSet<String>| stems.iter().any(|stem| stem.starts_with(*word));
            4 * usize::from(begins(&head) || asks.contains(*word)) + usize::from(begins(&body))
        };
        stage.split_whitespace().map(|word| listed(&word)).sum::<usize>()
    };
    let scores: Vec<usize> = STAGES.iter().map(score).collect();
    let best = scores.iter().copied().max().unwrap_or(0);
    scores.iter().position(|score| *score == best && best > 0).unwrap_or(1)
}

/// Whether a heading says what stands below it.
#[must_use]
pub fn is_telling(heading: &str) -> bool {
    let words: Vec<String> = heading.split_whitespace().map(fold).collect();
    let letters = heading.chars().filter(|letter| letter.is_alphabetic()).count();
    let generic = words.iter().all(|word| listed(GENERIC, word) || is_stop(word));
    let listing =
        words.first().is_some_and(|word| listed("list table figure section chapter part step", word));
    let odd = heading.contains(['|', '?', '=', '(', '_', '/', '<', '"', '$']) || heading.ends_with('.');
    let begins =
        heading.starts_with(char::is_alphanumeric) && !heading.contains(':') && !heading.contains(". ");
    // The name of a whole book is no part of it.
    let book =
        words.last().is_some_and(|word| listed("manual handbook guide book documentation faq readme", word));
    // Who wrote it and when is no subject.
    let signed = words.first().is_some_and(|word| word == "by") || is_date(&words);
    (1..=8).contains(&words.len())
        && letters >= 4
        && !generic
        && !listing
        && !odd
        && begins
        && !signed
        && !book
}

/// Whether a run of telling words names something: "provides direct access" and "especially higher" do not.
#[must_use]
pub fn names_something(phrase: &str) -> bool {
    let mut words = phrase.split_whitespace().map(fold);
    let first = words.next().unwrap_or_default();
    let last = words.next_back().unwrap_or_else(|| first.clone());
    let adverb = |word: &str| word.len() > 4 && word.ends_with("ly");
    let acting = |word: &str| word.len() > 4 && (word.ends_with("ing") || word.ends_with("ed"));
    is_telling(phrase)
        && !adverb(&first)
        && !adverb(&last)
        && !acting(&last)
        && !is_verb(&first)
        && !is_verb(&last)
}

/// Whether words have a day, a month and a year among them.
fn is_date(words: &[String]) -> bool {
    const MONTHS: &str =
        "january february march april may june july august september october november december";
    let number = |from: i32, to: i32| {
        let within =
            |word: &String| word.trim_matches(',').parse().is_ok_and(|it: i32| (from..=to).contains(&it));
        words.iter().any(within)
    };
    words.iter().any(|word| listed(MONTHS, word)) && number(1, 31) && number(1800, 2100)
}

/// First words of headings that tell what to do.
const DEEDS: &str = "connect set add remove create use join enable disable configure change move open close install start stop run get make \
write read send";

/// Whether a heading names something or asks for it, so that a sentence can speak of it: "reset the file" does neither.
#[must_use]
pub fn is_nominal(heading: &str) -> bool {
    let mut words = heading.split_whitespace().map(fold);
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let asks = listed("why how what when where who the a an", &first);
    let acts = listed("a an the your this all", &second);
    is_telling(heading) && (asks || (!is_stop(&first) && !acts && !listed(DEEDS, &first)))
}

/// A heading as a sentence has it: what is written large only because it is a heading is written small, except the first
/// word. `names` are words that stand large inside sentences.
#[must_use]
pub fn calm(heading: &str, names: &HashSet<String>) -> String {
    // What shouts is said as others say it; a word that is a name in capitals stays one.
    if heading.split(' ').count() > 1 && !heading.chars().any(char::is_lowercase) {
        let word = |(at, word): (usize, &str)| match at {
            _ if names.contains(word) => word.to_owned(),
            0 => word.chars().take(1).chain(word.chars().skip(1).flat_map(char::to_lowercase)).collect(),
            _ => word.to_lowercase(),
        };
        return heading.split(' ').enumerate().map(word).collect::<Vec<String>>().join(" ");
    }
    let words: Vec<&str> = heading.split(' ').collect();
    let told: Vec<&&str> = words.iter().skip(1).filter(|word| !is_stop(&fold(word))).collect();
    let large = told.iter().filter(|word| word.starts_with(char::is_uppercase)).count();
    // Only where nearly all is large is it large for being a heading.
    if large * 4 < told.len() * 3 {
        return heading.to_owned();
    }
    let calm = |(at, word): (usize, &&str)| {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let inner = bare.chars().skip(1).any(|letter| letter.is_uppercase() || letter.is_ascii_digit());
        if at == 0 || inner || names.contains(bare) { (*word).to_owned() } else { word.to_lowercase() }
    };
    words.iter().enumerate().map(calm).collect::<Vec<_>>().join(" ")
}
