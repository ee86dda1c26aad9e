//! Languages: which one a text is in, its words without meaning, its stems, and what is indexed of it.
//!
//! English is stemmed as the index stems it. Words of the other languages are stemmed here first, the same way for what is
//! indexed and for what is asked; Chinese, Japanese and Korean, which do not part words, are cut into pairs of letters.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

use super::porter;
use super::words::{fold, is_stop, word_ranges};

/// A language whose words are stemmed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// What a text is taken for that shows no other.
    #[default]
    English,
    /// ar
    Arabic,
    /// da
    Danish,
    /// nl
    Dutch,
    /// fi
    Finnish,
    /// fr
    French,
    /// de
    German,
    /// el
    Greek,
    /// hu
    Hungarian,
    /// it
    Italian,
    /// no
    Norwegian,
    /// pt
    Portuguese,
    /// ro
    Romanian,
    /// ru
    Russian,
    /// es
    Spanish,
    /// sv
    Swedish,
    /// tr
    Turkish,
}

/// ISO 639-3 and 639-1 codes, and the stemmer.
const TABLE: &[(Language, &str, &str, Algorithm)] = &[
    (Language::Arabic, "ara", "ar", Algorithm::Arabic),
    (Language::Danish, "dan", "da", Algorithm::Danish),
    (Language::Dutch, "nld", "nl", Algorithm::Dutch),
    (Language::Finnish, "fin", "fi", Algorithm::Finnish),
    (Language::French, "fra", "fr", Algorithm::French),
    (Language::German, "deu", "de", Algorithm::German),
    (Language::Greek, "ell", "el", Algorithm::Greek),
    (Language::Hungarian, "hun", "hu", Algorithm::Hungarian),
    (Language::Italian, "ita", "it", Algorithm::Italian),
    (Language::Norwegian, "nob", "no", Algorithm::Norwegian),
    (Language::Portuguese, "por", "pt", Algorithm::Portuguese),
    (Language::Romanian, "ron", "ro", Algorithm::Romanian),
    (Language::Russian, "rus", "ru", Algorithm::Russian),
    (Language::Spanish, "spa", "es", Algorithm::Spanish),
    (Language::Swedish, "swe", "sv", Algorithm::Swedish),
    (Language::Turkish, "tur", "tr", Algorithm::Turkish),
];

/// Words of asking that the lists of stop words lack.
const ASKING: &[(Language, &str)] = &[
    (
        Language::German,
        "wie viele viel wann wo wer wem wen warum weshalb wieso wozu woher wohin welche welcher welches welchen welchem womit wofür wodurch worauf woran worin wovon worüber wogegen inwiefern gibt gilt lange oft hoch heißt bedeutet darf dürfen",
    ),
    (
        Language::French,
        "combien quand où qui quoi pourquoi comment quel quelle quels quelles est-ce fait faut peut peuvent doit doivent lorsque selon temps cette celui sont être",
    ),
    (
        Language::Spanish,
        "cuánto cuánta cuántos cuántas cuándo dónde quién quiénes qué cuál cuáles cómo por hay tiene tienen puede pueden debe deben según ser son tiempo",
    ),
    (
        Language::Italian,
        "quanto quanta quanti quante quando dove chi perché come quale quali può possono deve devono",
    ),
    (
        Language::Portuguese,
        "quanto quanta quantos quantas quando onde quem porque como qual quais pode podem deve devem",
    ),
    (Language::Dutch, "hoe hoeveel wanneer waar wie waarom welke welk kan mag moet lang vaak"),
];

static STOP: LazyLock<HashMap<Language, HashSet<String>>> = LazyLock::new(|| {
    let words = |language: Language, code: &str| {
        let listed = stop_words::lookup(code).unwrap_or_default().iter().map(|word| fold(word));
        let asking = ASKING.iter().filter(|(known, _)| *known == language);
        listed.chain(asking.flat_map(|(_, words)| words.split_whitespace().map(fold))).collect()
    };
    TABLE.iter().map(|(language, _, code, _)| (*language, words(*language, code))).collect()
});

impl Language {
    /// By its code, of two or three letters; None for a language that is not stemmed.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        let code = code.split(['-', '_']).next().unwrap_or_default().to_lowercase();
        if code == "eng" || code == "en" {
            return Some(Self::English);
        }
        TABLE.iter().find(|(_, long, short, _)| code == *long || code == *short).map(|(it, ..)| *it)
    }

    /// The language of a short text, by the words without meaning in it: English unless another has more.
    #[must_use]
    pub fn of_question(text: &str) -> Self {
        let words: Vec<String> = word_ranges(text).map(|range| fold(&text[range])).collect();
        // Only Spanish opens a question with a mark of its own.
        if text.contains(['¿', '¡']) {
            return Self::Spanish;
        }
        let english = words.iter().filter(|word| is_stop(word)).count();
        let votes = |language: Self| words.iter().filter(|word| language.lists(word)).count();
        // Of equals one that is asked more often; a Spanish question mostly has its mark.
        let asked = [Self::Spanish, Self::French, Self::German];
        let key = |language: Self| (votes(language), asked.iter().position(|it| *it == language));
        let best = TABLE.iter().map(|(language, ..)| (*language, key(*language))).max_by_key(|(_, key)| *key);
        let other = best.filter(|(_, (votes, _))| *votes > english).map(|(language, _)| language);
        other.or_else(|| by_script(text)).unwrap_or_default()
    }

    /// Are words written together to name a thing, as "Arbeitsspeicher" is?
    #[must_use]
    pub fn joins_words(self) -> bool {
        matches!(self, Self::German | Self::Dutch | Self::Danish | Self::Norwegian | Self::Swedish)
    }

    fn lists(self, word: &str) -> bool {
        STOP.get(&self).is_some_and(|words| words.contains(word))
    }

    /// Is this folded word without meaning of its own?
    #[must_use]
    pub fn is_stop(self, word: &str) -> bool {
        if self == Self::English { is_stop(word) } else { self.lists(word) }
    }

    /// The stem of a word, as the index has it.
    #[must_use]
    pub fn stem(self, word: &str) -> String {
        if self == Self::English {
            return porter::stem(&fold(word));
        }
        porter::stem(&self.own_stem(word))
    }

    /// The stem by the rules of the language alone, folded.
    fn own_stem(self, word: &str) -> String {
        let lower = word.to_lowercase();
        match TABLE.iter().find(|(language, ..)| *language == self) {
            Some((.., algorithm)) => {
                let stem = Stemmer::create(*algorithm).stem(&lower);
                match self {
                    Self::German => fold(&verbal(&stem)),
                    Self::French => fold(third_person(&stem)),
                    _ => fold(&stem),
                }
            }
            None => fold(&lower),
        }
    }

    /// What is put into the index for a text: the text itself for English, its stems for the others, pairs of letters
    /// where words are not parted.
    #[must_use]
    pub fn indexed(self, text: &str) -> Cow<'_, str> {
        if self == Self::English && (text.is_ascii() || !text.contains(is_unparted)) {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len() + text.len() / 2);
        for range in tokens(text) {
            let word = &text[range];
            if !out.is_empty() {
                out.push(' ');
            }
            if self == Self::English || word.starts_with(is_unparted) {
                out.push_str(word);
            } else {
                out.push_str(&self.own_stem(word));
            }
        }
        Cow::Owned(out)
    }
}

/// Prefixes that a German verb parts with.
const PARTED: &[&str] = &[
    "zurück", "zusammen", "wieder", "weiter", "fest", "frei", "hoch", "nach", "auf", "aus", "bei", "dar",
    "ein", "her", "hin", "los", "mit", "vor", "weg", "ab", "an", "um", "zu",
];
/// Letters that must be left of a German stem.
const FEWEST_LETTERS: usize = 3;

/// A German stem without what its verb takes on: "angelegt" and "anzulegen" are "anlegen", "verwaltet" is "verwalten".
fn verbal(stem: &str) -> String {
    let long = |tail: &str| tail.chars().count() >= FEWEST_LETTERS;
    let inner = |rest: &str| -> Option<String> {
        ["ge", "zu"]
            .iter()
            .find_map(|mark| rest.strip_prefix(mark))
            .filter(|tail| long(tail))
            .map(str::to_owned)
    };
    let parted =
        PARTED.iter().find_map(|prefix| Some(format!("{prefix}{}", inner(stem.strip_prefix(prefix)?)?)));
    let participle = || {
        let tail = stem.strip_prefix("ge").filter(|tail| tail.chars().count() > FEWEST_LETTERS + 1)?;
        (tail.ends_with('t') && !tail.ends_with("et")).then(|| tail.to_owned())
    };
    let own = parted.or_else(participle).unwrap_or_else(|| stem.to_owned());
    let long = |bare: &&str| bare.chars().count() > FEWEST_LETTERS;
    let own = match own.strip_suffix("et").filter(long) {
        Some(bare) if bare.ends_with(['t', 'd']) => bare,
        _ => own.as_str(),
    };
    let vowels = ['a', 'e', 'i', 'o', 'u', 'ä', 'ö', 'ü', 's'];
    let bare = own.strip_suffix('t').filter(long).filter(|bare| !bare.ends_with(vowels));
    bare.unwrap_or(own).to_owned()
}

/// A French stem without the ending of "composent", which the stemmer leaves on; nouns such as "document" and short words
/// keep theirs.
fn third_person(stem: &str) -> &str {
    let bare = stem.strip_suffix("ent").filter(|bare| !bare.ends_with('m'));
    bare.filter(|bare| bare.chars().count() > FEWEST_LETTERS).unwrap_or(stem)
}

/// A script that only one of the languages uses.
fn by_script(text: &str) -> Option<Language> {
    text.chars().find_map(|c| match c {
        '\u{0400}'..='\u{04ff}' => Some(Language::Russian),
        '\u{0370}'..='\u{03ff}' => Some(Language::Greek),
        '\u{0600}'..='\u{06ff}' => Some(Language::Arabic),
        _ => None,
    })
}

/// A letter of a script that does not part words: Han, Kana, Hangul.
pub(crate) fn is_unparted(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}

/// A pair of letters that only asks or joins: with Hiragana, or with a Chinese word of asking.
pub(crate) fn is_filler_pair(word: &str) -> bool {
    word.starts_with(is_unparted)
        && word
            .chars()
            .any(|c| matches!(c, '\u{3040}'..='\u{309f}') || "何的是什么吗呢哪几谁誰是否在了和".contains(c))
}

/// Byte ranges of what is searched for in a text: its words, and every pair of letters where words are not parted.
pub fn tokens(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    word_ranges(text).flat_map(move |range| split(text, range))
}

fn split(text: &str, word: Range<usize>) -> Vec<Range<usize>> {
    let slice = &text[word.clone()];
    if slice.is_ascii() || !slice.contains(is_unparted) {
        return vec![word];
    }
    let letters: Vec<(usize, char)> = slice.char_indices().collect();
    let end = |at: usize| word.start + letters.get(at).map_or(slice.len(), |(offset, _)| *offset);
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let unparted = is_unparted(letters[at].1);
        let run = letters[at..].iter().take_while(|(_, letter)| is_unparted(*letter) == unparted).count();
        if !unparted || run == 1 {
            found.push(end(at)..end(at + run));
        } else {
            found.extend((at..at + run - 1).map(|first| end(first)..end(first + 2)));
        }
        at += run;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Language, tokens};

    #[test]
    fn questions_show_their_language() {
        for (question, wanted) in [
            ("How long is the notice period?", Language::English),
            ("Wie lange ist die Kündigungsfrist des Mieters?", Language::German),
            ("Quel est le délai de préavis du locataire ?", Language::French),
            ("¿Cuál es el plazo de preaviso del arrendatario?", Language::Spanish),
            ("Какой срок уведомления?", Language::Russian),
            ("¿Quién administra Let's Encrypt?", Language::Spanish),
            ("Was zeigt die Liste der Gruppenmitgliedschaft?", Language::German),
            ("Que contient le fichier /etc/shadow ?", Language::French),
            ("max_connections", Language::English),
        ] {
            assert_eq!(Language::of_question(question), wanted, "{question}");
        }
    }

    #[test]
    fn forms_of_a_word_share_a_stem_in_the_index_and_in_questions() {
        for (language, one, other) in [
            (Language::German, "Kündigungen", "Kündigung"),
            (Language::German, "angelegt", "anlegen"),
            (Language::German, "anzulegen", "angelegten"),
            (Language::German, "angegeben", "angeben"),
            (Language::German, "verwaltet", "verwalten"),
            (Language::German, "gelöscht", "löschen"),
            (Language::German, "eingestellt", "Einstellung"),
            (Language::French, "locataires", "locataire"),
            (Language::French, "composent", "compose"),
            (Language::Spanish, "contratos", "contrato"),
            (Language::Russian, "договоры", "договора"),
        ] {
            assert_eq!(language.stem(one), language.stem(other), "{one}");
            assert_eq!(language.indexed(one), language.indexed(other), "{one}");
        }
        assert_eq!(Language::English.indexed("Plain text stays."), "Plain text stays.");
    }

    #[test]
    fn unparted_scripts_are_cut_into_pairs() {
        let text = "電池は10年もつ battery";
        let found: Vec<&str> = tokens(text).map(|range| &text[range]).collect();
        assert_eq!(found, ["電池", "池は", "10", "年も", "もつ", "battery"]);
        assert_eq!(Language::English.indexed("温度"), "温度");
        assert_eq!(Language::English.indexed("最高温度 X"), "最高 高温 温度 X");
    }
}
