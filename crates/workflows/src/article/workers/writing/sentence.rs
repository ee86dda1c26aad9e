//! Which lines of documents can stand as sentences of an article, who speaks in them, and whether they look ahead. What they
//! lean on is in `pointing.rs`.

use baton_agents::rules::sentences::sentences;
use baton_agents::rules::words::{fold, is_stop};

use super::pointing::{points_ahead, points_elsewhere, tells_the_day};
use crate::article::brief::Tone;
use crate::article::numbering::unnumbered;

/// A sentence of more words than this is not set beside others.
const LONGEST: usize = 42;
/// A sentence of fewer words says too little.
const SHORTEST: usize = 5;

/// Words that speak of the document and not of its subject, or point at another place in it.
const ABOUT_ITSELF: [&str; 22] = [
    "this document",
    "this section",
    "this page",
    "this chapter",
    "this article",
    "this manual",
    "this appendix",
    "this guide",
    "this book",
    "this report",
    "this note",
    "this letter",
    "see also",
    ", see ",
    "for details",
    "for more details",
    "see the ",
    "see section",
    "as follows",
    "for more information",
    "internal, ",
    "click ",
];
/// What a page of a manual is about and does not name again.
const ENTRIES: &str = "command subcommand option options function routine interface method setting flag switch parameter variable pragma tool \
program script utility module class macro directive keyword field";
/// Verbs of orders that are nouns elsewhere: with "as many as" behind them they are orders.
const AS_ORDERS: &str = "checkpoint list print show display report copy scan process skip record archive restore extract mount dump";
/// Past forms that are participles more often than verbs where a preposition follows: "a gas made of nitrogen".
const PARTICIPLES: &str = "made used built held kept paid found left sold sent bought cut spent lost met given taken drawn written known \
called named set put";
/// First words of orders, where an object follows.
const ORDERS: &str = "see use note check please set run read return do make sync consider remember try call add remove open click \
type enter choose select install ensure keep write put look let start stop wait ask give take copy delete create go send turn \
verify contact bring avoid be don't never edit change disable enable configure specify define replace press drag save \
switch repeat leave pick fill insert find get follow download upgrade update test review modify rename restart refer recall notice \
imagine suppose assume think begin compare assign apply move decide mark include exclude indicate display";
/// First words before an article that are no orders: "Often the pump runs", "During the night it stops".
pub(super) const BEFORE_ARTICLES: &str = "all both half such what not even only just once while when if because since although though as at by for from in \
on to with without within about above after against along among around before behind below beneath beside between beyond despite \
during except inside into like near of off onto out outside over past per through throughout till toward towards under underneath \
until unlike unless up upon via whereas whether where wherever whenever whichever whatever why how who which that and but or so yet \
nor is are was were does did has have had can could may might must shall should will would today now then here there often sometimes \
soon later perhaps maybe thus hence indeed instead also again still next many few most more much less each every neither either plus \
next rather quite almost besides last first second third always never twice versus notwithstanding regarding concerning considering \
given assuming provided";
/// First words that speak of who speaks, or to whom.
const PERSONAL: &str = "we our us i my me you your ours myself ourselves yourself yours let's";
/// Those of them that speak to the reader.
const TO_THE_READER: &str = "you your yourself yours";

/// Verbs enough to see that a line is a sentence.
const VERBS: &str = "is are was were has have had does did can could may might must shall should will would cannot costs cost says say said \
takes take took gives give gave makes make made uses use used pays paid became become becomes rose rises fell falls grew grows came \
come comes went goes holds hold held needs need runs ran works stands stood shows showed found finds means began begins ends gets got \
leads led brings brought keeps kept lies lay sets puts reads writes wrote contains returns allows provides requires consists stays depends \
includes reports starts stops stores records delivers supplies serves helps lets causes ensures happens occurs exists lasts remains \
appears seems belongs applies follows moves changes opens closes operates reaches receives sends supports covers meets publishes reviews \
replaces connects draws heats cools transfers checks locks waits blocks prevents protects avoids improves reduces increases saves loses \
lost built bought sold sent left met cut drew drove spent chose rejects accepts creates deletes removes adds acts tells tries turns carries";
/// Verbs that are seldom nouns: behind a plural they say what it does.
const PLAIN_VERBS: &str = "commit contain exist consist depend occur remain become provide require allow include cause prevent avoid improve \
reduce receive deliver supply operate reach follow belong appear apply differ vary pay grow fall rise lie multiply use make take give go \
come hold keep run serve stay help let bring share need meet see carry accept create add write read";
/// What follows a verb that ends in s, and seldom a plural.
pub(super) const DETERMINERS: &str = "a an the its their his her no all each every any one two three four five six seven eight nine ten only about \
between both most many";
/// Words behind which an `-ed` is more likely a participle than a verb.
const PREPOSITIONS: &str = "by with from for to in on of under at between into as through and or";

pub(super) fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|other| other == word)
}

/// Whether a word is one of the verbs by which lines are told from sentences.
pub(super) fn is_verb(word: &str) -> bool {
    listed(VERBS, word)
}

pub(super) fn bare(word: &str) -> &str {
    word.trim_matches(|letter: char| !letter.is_alphanumeric())
}

/// A fact's statement as a sentence of an article, if it can be one.
#[must_use]
pub fn sentence_of(statement: &str) -> Option<String> {
    let joined = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    let marked = joined.trim_start_matches(['-', '*', '•', '>', '–', ' ']).trim();
    // Texts laid out for printers have an "o" before the items of a list.
    let item = marked.strip_prefix("o ").filter(|rest| rest.starts_with(char::is_uppercase));
    let text = unnumbered(item.unwrap_or(marked));
    let text = opened(&without_asides(text));
    let text = text.as_str();
    let words: Vec<&str> = text.split(' ').collect();
    let lower = text.to_lowercase();
    let begins = text.chars().next().is_some_and(|letter| letter.is_uppercase() || letter.is_ascii_digit());
    let furniture =
        ["|", "](", "```", "::", ":;", "://", "=>", "==", "$ ", "*", "{", "}", "<", " / ", "\\", "`_", ":`"]
            .iter()
            .any(|it| text.contains(it));
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    let lettered = letters * 10 >= text.chars().count() * 6;
    let numbered = words.first().is_some_and(|word| word.ends_with(['.', ')']) && word.len() <= 4);
    let sound = begins
        && text.ends_with('.')
        && !text.ends_with("..")
        && !furniture
        && lettered
        && !numbered
        && is_balanced(text)
        && !is_hyphenated(&words)
        && is_finite(until_colon(&outside(&words)))
        && !is_two(text)
        && sentences(text).len() == 1
        && (SHORTEST..=LONGEST).contains(&words.len())
        && !outside(&words).iter().take(4).any(|word| word.ends_with(':'))
        && !begins_twice(&words)
        && !is_order(&words)
        && !is_subordinate(&words)
        && !begins_as_participle(&words)
        && !lacks_a_subject(&words)
        && !is_on_this_page(&words)
        && !is_code(&words)
        && !tells_the_day(&lower)
        && !points_ahead(&lower)
        && !points_elsewhere(text)
        && !ABOUT_ITSELF.iter().any(|sign| lower.contains(sign));
    sound.then(|| text.to_owned())
}

/// Whether a line begins with what something can or must do, and does not say what: "can be given several times".
fn lacks_a_subject(words: &[&str]) -> bool {
    let first = words.first().map(|word| fold(bare(word))).unwrap_or_default();
    let second = words.get(1).map(|word| fold(bare(word))).unwrap_or_default();
    let modal = "can could may might must shall should will would cannot is are was were has have does did";
    let as_many = listed(AS_ORDERS, &first) && listed("as all every each any no only", &second);
    // "Whether requests can be blocked" names a question, and says nothing.
    let asks = first == "whether" && !words.iter().any(|word| word.ends_with(','));
    // "Lock-wait to allow the client": the name of an option, and what it is for.
    let third = words.get(2).map(|word| fold(bare(word))).unwrap_or_default();
    let purpose = second == "to"
        && listed("allow make use set get enable prevent create specify let avoid force", &third);
    (listed(modal, &first) && !listed("the a an it they this these", &second)) || as_many || purpose || asks
}

/// Words of programs in a sentence from which on it is for machines, or for who types it.
const CODES: usize = 3;

/// Whether a line is made of what is typed: variables, options, paths, addresses.
fn is_code(words: &[&str]) -> bool {
    let code = |word: &&&str| {
        let bare = word.trim_matches(['“', '”', '"', '(', ')', ',', '.', '’', '‘', '\'', ':', ';']);
        let option = bare
            .strip_prefix('-')
            .is_some_and(|rest| rest.starts_with(|it: char| it.is_alphanumeric() || it == '-'));
        let path = bare.starts_with(['/', '~', '$', '%', '#']) && bare.len() > 1;
        option || path || bare.contains(['_', '=', '@']) && !bare.contains(' ')
    };
    words.iter().any(|word| word.contains('@') && word.contains('.'))
        || words.iter().filter(code).count() >= CODES
}

/// Whether a line speaks of the thing its page is about without its name: "this command shows the key".
fn is_on_this_page(words: &[&str]) -> bool {
    let [first, second, ..] = words else { return false };
    fold(bare(first)) == "this" && listed(ENTRIES, &fold(bare(second)))
}

/// Whether a line begins as what is said of something that is not there: "used in cold stores for a hundred years".
fn begins_as_participle(words: &[&str]) -> bool {
    let first = words.first().map(|word| fold(bare(word))).unwrap_or_default();
    let second = words.get(1).map(|word| fold(bare(word))).unwrap_or_default();
    let participle = listed(PARTICIPLES, &first) || (first.len() > 4 && first.ends_with("ed"));
    participle && listed(PREPOSITIONS, &second) && !words.iter().any(|word| word.ends_with(','))
}

/// A sentence that begins with a name written small, as commands are, with its first letter large. What begins with an
/// ordinary small word is the rest of a sentence.
fn opened(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    let named = first.starts_with(char::is_lowercase)
        && first.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
        && !is_stop(first)
        && !listed(ORDERS, first);
    let mut letters = text.chars();
    match letters.next().filter(|_| named) {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => text.to_owned(),
    }
}

/// The words that stand outside brackets.
fn outside<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut depth = 0_i32;
    let mut kept = Vec::new();
    for word in words {
        let opens = word.matches('(').count() as i32;
        if depth == 0 && opens == 0 {
            kept.push(*word);
        }
        depth += opens - word.matches(')').count() as i32;
    }
    kept
}

/// Whether a word was parted at the end of a line: "the mail sys- tem". "Pre- and post-war" is none.
fn is_hyphenated(words: &[&str]) -> bool {
    words.windows(2).any(|pair| {
        let parted = pair[0].len() > 2 && pair[0].ends_with('-') && !pair[0].ends_with("--");
        parted && pair[1].starts_with(char::is_lowercase) && !listed("and or to", pair[1])
    })
}

fn is_balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
        && text.matches('“').count() == text.matches('”').count()
        && text.matches('"').count().is_multiple_of(2)
        && text.matches('[').count() == text.matches(']').count()
}

/// A heading or a term of a glossary and what is said of it run into one another: a second beginning in the middle.
fn begins_twice(words: &[&str]) -> bool {
    words.windows(2).any(|pair| {
        let open = pair[0].ends_with(|letter: char| letter.is_alphanumeric() || letter == ')');
        let plain =
            "The A An It This These In For If When There Each Every No All Some Any You We They Most Many Although Because";
        let gerund = pair[1].len() > 5
            && pair[1].ends_with("ing")
            && pair[1].starts_with(char::is_uppercase)
            && pair[0].starts_with(char::is_lowercase);
        // "Protocol 2 Disable the first version": a setting, and what to do with it.
        let order = pair[1].starts_with(char::is_uppercase) && listed(ORDERS, &fold(pair[1]));
        open && (listed(plain, pair[1]) || gerund || (order && !listed("see note test mark", &fold(pair[1]))))
    })
}

/// What stands before a colon must say something by itself.
fn until_colon<'w, 'a>(words: &'w [&'a str]) -> &'w [&'a str] {
    let end = words.iter().position(|word| word.ends_with(':')).map_or(words.len(), |at| at + 1);
    &words[..end]
}

/// Whether another sentence begins small behind a full stop, as names of commands do.
fn is_two(text: &str) -> bool {
    text.split(". ").take(text.matches(". ").count()).any(|part| {
        let last = part.rsplit(' ').next().unwrap_or_default();
        last.len() > 4 && last.chars().all(char::is_alphanumeric)
    })
}

/// Whether it tells somebody what to do.
fn is_order(words: &[&str]) -> bool {
    let first = words.first().map(|word| fold(bare(word))).unwrap_or_default();
    let second = words.get(1).map(|word| fold(bare(word))).unwrap_or_default();
    let looks = listed("look be make", &first) && listed("at sure careful aware certain", &second);
    // "Edit the file": whatever stands before an article and is no preposition, conjunction or adverb tells what to do.
    let shaped = first.ends_with("ing") || first.ends_with("ed") || first.ends_with("ly");
    let before_article =
        listed("the a an your this these its", &second) && !shaped && !listed(BEFORE_ARTICLES, &first);
    // "For containers, consider a snapshot": an order behind its condition.
    let behind = words.iter().position(|word| word.ends_with(',')).and_then(|at| words.get(at + 1));
    let fronted = listed("for to if when in on before after", &first)
        && behind
            .is_some_and(|word| word.starts_with(char::is_lowercase) && listed(ORDERS, &fold(bare(word))));
    looks
        || fronted
        || before_article
        || (listed(ORDERS, &first)
            && !listed("of is are was were has have in by at can may must will", &second))
}

/// Whether a line is a clause of a sentence that is not there: "Where XX is a number", "Making them accessible where they
/// are needed".
fn is_subordinate(words: &[&str]) -> bool {
    let folded: Vec<String> = words.iter().map(|word| fold(bare(word))).collect();
    let first = folded.first().map_or("", String::as_str);
    let comma = words.iter().any(|word| word.ends_with(','));
    let clause =
        listed("where whereas which whose who while although though because since unless until", first)
            && !comma;
    // What somebody does in a clause of its own says nothing of a deed in front.
    let whose =
        |at: usize| at.checked_sub(1).is_some_and(|at| listed("they you we he she it i", &folded[at]));
    let acts = (1..folded.len()).any(|at| listed(VERBS, &folded[at]) && !whose(at));
    let deed = first.len() > 4
        && first.ends_with("ing")
        && !comma
        && !acts
        && folded.iter().skip(1).any(|it| listed(VERBS, it));
    // "When set to a value, instructs the program": nobody does it.
    let given = listed("when if", first)
        && folded.get(1).is_some_and(|word| listed(PARTICIPLES, word) || word.ends_with("ed"));
    let behind = words.iter().position(|word| word.ends_with(',')).and_then(|at| words.get(at + 1));
    let nobody = given
        && behind.is_some_and(|word| {
            word.len() > 3
                && word.ends_with('s')
                && word.starts_with(char::is_lowercase)
                && !listed(DETERMINERS, word)
        });
    clause || deed || nobody
}

/// A sentence without brackets that point at another place: "(see Section 4)", "(as discussed above)".
fn without_asides(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(" (") {
        let Some(end) = rest[at..].find(')') else { break };
        let inner = rest[at + 2..at + end].to_lowercase();
        let points = [
            "see ",
            "as discussed",
            "as described",
            "as explained",
            "as mentioned",
            "as shown",
            "as noted",
            "described in",
            "discussed in",
        ]
        .iter()
        .any(|sign| inner.starts_with(sign));
        kept.push_str(&rest[..if points { at } else { at + end + 1 }]);
        rest = &rest[at + end + 1..];
    }
    let whole = kept + rest;
    // Marks of footnotes: "any of the agents [37] provided".
    let note = |word: &str| {
        let inner = word.strip_prefix('[').and_then(|it| it.trim_end_matches(['.', ',']).strip_suffix(']'));
        inner.is_some_and(|inner| inner.parse::<u32>().is_ok())
    };
    let mut kept = String::new();
    for word in whole.split(' ') {
        let shown =
            if note(word) { word.trim_start_matches(|it: char| !matches!(it, '.' | ',')) } else { word };
        let apart = if kept.is_empty() || note(word) { "" } else { " " };
        kept.push_str(apart);
        kept.push_str(shown);
    }
    kept
}

/// Whether the main clause has a verb that says what its subject does: a line of a list often has none.
fn is_finite(words: &[&str]) -> bool {
    let folded: Vec<String> = words.iter().map(|word| fold(bare(word))).collect();
    let relative = |word: &String| matches!(word.as_str(), "that" | "which" | "who" | "whose" | "where");
    // A condition in front is no main clause, and a clause between commas is none.
    let opens =
        folded.first().is_some_and(|word| listed("if when while because since although unlike", word));
    let mut main: Vec<usize> = Vec::new();
    let mut inside = opens;
    for (at, word) in folded.iter().enumerate() {
        inside |= at > 0 && relative(word);
        if !inside {
            main.push(at);
        }
        inside &= !words[at].ends_with(',');
    }
    main.iter().enumerate().any(|(place, at)| {
        let (at, word) = (*at, &folded[*at]);
        if place == 0 && !opens {
            return false;
        }
        let next = folded.get(at + 1).map_or("", String::as_str);
        let before = folded.get(at.wrapping_sub(1)).map_or("", String::as_str);
        // "All locally submitted mail" tells which mail.
        let qualifies = listed(PREPOSITIONS, before) || listed(DETERMINERS, before) || before.ends_with("ly");
        let past = word.len() > 4
            && word.ends_with("ed")
            && !word.contains('-')
            && !listed(PREPOSITIONS, next)
            && !qualifies;
        let acts = word.len() > 3
            && word.ends_with('s')
            && !word.ends_with("ss")
            && (listed(DETERMINERS, next) || next.starts_with(|letter: char| letter.is_ascii_digit()))
            && !before.is_empty();
        let many = before.len() > 3 && before.ends_with('s') && listed(PLAIN_VERBS, word);
        let made = listed(PARTICIPLES, word) && listed(PREPOSITIONS, next);
        (listed(VERBS, word) && !made) || past || acts || many
    })
}

/// Whether a sentence speaks as somebody, or to somebody.
#[must_use]
pub fn is_personal(sentence: &str) -> bool {
    persons(sentence).next().is_some()
}

/// Whether a sentence is spoken in another voice than an article of this tone has: one that talks to its reader may say "you".
#[must_use]
pub fn is_spoken(sentence: &str, tone: Tone) -> bool {
    let talks = matches!(tone, Tone::Casual | Tone::Conversational);
    persons(sentence).any(|word| !talks || !listed(TO_THE_READER, &fold(word)))
}

fn persons(sentence: &str) -> impl Iterator<Item = &str> {
    sentence
        .split(|letter: char| !letter.is_alphanumeric() && letter != '’' && letter != '\'')
        .filter(|word| listed(PERSONAL, &fold(word)) || word.starts_with("I’") || word.starts_with("I'"))
}

/// The years a sentence names.
#[must_use]
pub fn years(sentence: &str) -> Vec<i32> {
    let numbers = sentence.split(|letter: char| !letter.is_alphanumeric());
    numbers
        .filter(|word| word.len() == 4)
        .filter_map(|word| word.parse().ok())
        .filter(|year| (1800..2100).contains(year))
        .collect()
}

/// Whether a sentence speaks of what is still to come: it says so, or it names a year that is not yet over. A "will"
/// alone is how manuals say what always happens.
#[must_use]
pub fn looks_ahead(sentence: &str, today: i32) -> bool {
    let lower = format!(" {} ", sentence.to_lowercase());
    let says = [
        " planned ",
        " plans to ",
        " is to ",
        " are to ",
        " expected ",
        " next year",
        " in future ",
        " proposed ",
    ];
    let future = years(sentence).iter().any(|year| *year >= today);
    let open = says.iter().any(|sign| lower.contains(sign)) || lower.contains(" will ");
    open && (future || lower.contains(" next year"))
        || (future && years(sentence).iter().any(|year| *year > today))
}
