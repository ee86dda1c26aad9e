//! What a sentence leans on: the one before it, a place of its own document, the day somebody wrote it.

use baton_agents::rules::words::fold;

use super::sentence::{DETERMINERS, bare, listed, years};
use crate::retrieval::antecedent;

/// First words that point back at a sentence before.
const POINTS_BACK: &str = "it its they their this these that those he she his her such both here there but and so or however \
therefore then thus also instead otherwise neither another others similarly likewise moreover furthermore nevertheless still \
yet consequently again further second third first finally them same former latter hence except conversely accordingly besides";
/// Words behind "the" that tell something apart from what was said before.
const TOLD_APART: &str = "same other others latter former lower higher difference remaining rest second third new above following \
two three last next result main reason reasons first resulting corresponding said";
/// Words that point back from inside a sentence.
const POINTS_BACK_INSIDE: [&str; 21] = [
    " therefore ",
    " thus ",
    " also ",
    " too.",
    " too,",
    " this ",
    " these ",
    " those ",
    " a further ",
    " at that point",
    " that period",
    " that time",
    " of them ",
    " of the three ",
    " of the two ",
    " ones ",
    " for the rest",
    " care of it.",
    " either.",
    " here;",
    " here.",
];
/// Words before "above" and "below" that make them places of a text: "listed below" is one, "below 70 °C" is none.
const PLACED: &str = "as see used provided included immediately directly detail further";
/// The same of parts of a text and of what is done in one, whatever follows: "the examples above use a key".
const PARTS: &str = "table tables list lists section sections example examples figure diagram text code paragraph procedure instructions command \
commands steps details note notes algorithm query syntax listing chapter described listed shown given discussed explained mentioned defined \
outlined noted documented specified stated summarized summarised detailed introduced presented quoted cited";
/// What goes on behind such a place: "the table below shows".
const GOES_ON: &str = "for is are and or shows show to in can will has have describes explains illustrates lists contains gives summarizes";
/// What follows in time, and not in a text.
const TIMES: &str = "day days week weeks month months year years morning evening night spring summer autumn winter season decade";
/// Days that are told from the day somebody wrote.
const TODAY: [&str; 9] = [
    " yesterday",
    " tomorrow",
    " last week",
    " this week",
    " next week",
    " last month",
    " this month",
    " next month",
    " this morning",
];
const WEEKDAYS: [&str; 7] =
    ["on monday", "on tuesday", "on wednesday", "on thursday", "on friday", "on saturday", "on sunday"];

/// Whether a sentence needs the one before it to be understood.
#[must_use]
pub fn points_back(sentence: &str) -> bool {
    let mut words = sentence
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|it| !it.is_empty());
    let first = words.next().map(fold).unwrap_or_default();
    let second = words.next().map(fold).unwrap_or_default();
    let (_, behind) = sentence.split_once(", ").unwrap_or_default();
    let adverbial = sentence.split_once(", ").is_some_and(|(front, _)| front.split(' ').count() < 3)
        && behind.split(' ').next().is_some_and(|word| listed("it they he she this these", &fold(word)));
    let compares = adverbial || first == "the" && listed(TOLD_APART, &second);
    let conditional = listed("if when because since while after before", &first)
        && listed("it they this he she these that", &second);
    // A number without its subject counts something the sentence before has named.
    let counts = first.starts_with(|letter: char| letter.is_ascii_digit())
        && years(sentence).first().is_none_or(|year| !first.starts_with(&year.to_string()));
    let ties = [
        "for example",
        "in other words",
        "in addition",
        "in fact",
        "as a result",
        "of course",
        "in this",
        "of these",
        "unfortunately",
        "fortunately",
    ];
    let tied = ties.iter().any(|tie| sentence.to_lowercase().starts_with(tie));
    let of_them =
        sentence.to_lowercase().split(' ').take(3).collect::<Vec<_>>().join(" ").ends_with("of them");
    let lower = sentence.to_lowercase();
    let inside = POINTS_BACK_INSIDE.iter().any(|sign| lower.contains(sign)) || is_place(&lower, "above");
    // "Together they" and "sometimes it" name nobody either.
    let nameless = !listed("that which", &first) && listed("it they he she", &second);
    listed(POINTS_BACK, &first)
        || nameless
        || lower.starts_with("a further ")
        || compares
        || conditional
        || counts
        || tied
        || of_them
        || inside
        || antecedent::leans(sentence)
}

/// Whether a text says where something stands in itself with this word.
fn is_place(lower: &str, word: &str) -> bool {
    let words: Vec<&str> = lower.split(' ').collect();
    words.iter().enumerate().any(|(at, one)| {
        let ends = one.len() > bare(one).len() || at + 1 == words.len();
        let before = at.checked_sub(1).map_or("", |before| bare(words[before]));
        let next = words.get(at + 1).map_or("", |next| bare(next));
        let opens = at == 0 && listed("is are", next);
        let measured = listed(DETERMINERS, next) || next.starts_with(|it: char| it.is_ascii_digit());
        let behind = (listed(PLACED, before) && (ends || listed(GOES_ON, next)))
            || (listed(PARTS, before) && (ends || !measured));
        bare(one) == word && (opens || behind || before == "the")
    })
}

/// Whether a sentence needs what stands behind it in its document.
pub(super) fn points_ahead(lower: &str) -> bool {
    let later = lower.match_indices("the following").any(|(at, sign)| {
        let next = lower[at + sign.len()..].trim_start().split(' ').next().map(bare).unwrap_or_default();
        !listed(TIMES, next)
    });
    later || is_place(lower, "below")
}

/// Whether a sentence tells the day only to somebody who knows when it was written.
pub(super) fn tells_the_day(lower: &str) -> bool {
    let dated = !years(lower).is_empty();
    let weekday = |day: &&str| {
        let behind = lower.split_once(*day).map(|(_, behind)| behind);
        behind.is_some_and(|behind| !behind.starts_with('s'))
    };
    !dated && (TODAY.iter().any(|sign| lower.contains(sign)) || WEEKDAYS.iter().any(weekday))
}
