//! What a question asks for: its terms, the identifiers it names and the kind of answer it wants, and how far
//! a piece of text shows the signs of such an answer.

mod definition;
mod verbs;

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::language::{Language, is_filler_pair, tokens};
use super::words::{fold, is_stop, stem, word_ranges};

/// A question taken apart.
#[derive(Debug, Clone)]
pub struct ParsedQuestion {
    /// As asked.
    pub text: String,
    /// The language it is asked in: its words are stemmed by it.
    pub language: Language,
    /// Meaningful words, each stem once, in order.
    pub terms: Vec<Term>,
    /// Names to be found verbatim (lower case): quoted strings, `snake_case`, `--option`, `a.b`, `x-y`.
    pub identifiers: Vec<String>,
    /// The kinds of answer it wants.
    pub asks: Asks,
    /// What "what is X" asks about, stemmed; empty for other questions.
    pub subject: Vec<String>,
    /// The things a comparison compares, each stemmed.
    pub compared: Vec<Vec<String>>,
    /// Its verbs, stemmed, as far as its form shows them.
    pub verbs: HashSet<String>,
}

/// One meaningful word of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Lower case, as asked.
    pub word: String,
    /// As in the index.
    pub stem: String,
}

/// The kinds of answer a question wants; several may hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asks {
    /// A number, size, duration or limit.
    pub number: bool,
    /// What holds when nothing is set.
    pub default: bool,
    /// A reason or a benefit.
    pub why: bool,
    /// How two things differ.
    pub comparison: bool,
    /// What to do.
    pub how_to: bool,
    /// What something is.
    pub definition: bool,
    /// Which member of a set: an option, a function, a setting.
    pub which: bool,
}

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($text).ok());
    };
}

pattern!(
    NUMBER_Q,
    r"(?i)\bhow (many|much|long|big|large|often|frequently|old|fast|quickly|high|deep|wide|small|far|soon|late)\b|\bwhat (factor|number|port|interval|rate|percentage|length)\b|\b(max|maximum|minimum|largest|smallest|highest|lowest|longest|number of|size|limit|delay|timeout|exit code|percentage|protocol version|page size)\b|\bwhich (uids|ports?|numbers?|versions?)\b|\bwhen (was|did|were)\b"
);
pattern!(
    WHY_Q,
    r"(?i)\bwhy\b|\b(benefits?|advantages?|reasons?|purpose|rationale)\b|\bwhat (causes|for|makes|keeps|prevents|stops|is gained|is the (point|use)|goes wrong)\b"
);
pattern!(
    COMPARE_Q,
    r"(?i)\bdiffer(s|ent|ence|ences)?\b|\bcompare[ds]?\b|\bversus\b|\bvs\b|\bbetter than\b|\bsafer than\b|\bfaster than\b|\brather than\b|\binstead of\b"
);
pattern!(
    HOW_TO_Q,
    r"(?i)^how (do|can|should|would|to|might|must)\b|\bhow (do|can|should|does) (i|you|we|one)\b|\bis there (a|any) way\b|\bwhat (can|should|must) (be done|i do|one do)\b"
);
pattern!(
    DEFINITION_Q,
    r"(?i)^what (is|are|was|were|does|do)\b|^what's\b|^define\b|\bmean(s|ing)?\b|^was (ist|sind|war|waren|bedeute\w+|heißt|versteht)\b|^qu['’](est-ce|appelle)|^que (signifie|désigne)\b|^¿?qué (es|son|significa)\b|^(che )?cos['’]è|^wat (is|zijn|betekent)\b|^o que é\b"
);
pattern!(
    WHICH_Q,
    r"(?i)^(which|what) (\w+ ){0,3}(option|argument|parameter|function|command|pragma|setting|flag|method|module|directive|variable|context manager|class|types?|level|strategy|priority|field|header|keyword|exit code)\b|^which\b"
);
pattern!(
    IDENTIFIER,
    r#""([^"]{2,40})"|`([^`]{2,40})`|(--[A-Za-z][\w-]+|/[\w.-]+(?:/[\w.-]+)+|\d+(?:\.\d+)+(?:[A-Za-z]\d*)?|\.?[A-Za-z0-9]+(?:[_.-]+[A-Za-z0-9]+)+|__\w+__|\.[a-z]{3,}\w*)"#
);
pattern!(
    NUMBER,
    r"(?i)\b\d[\d,._]*\b|\b(one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand|million|billion)\b"
);
pattern!(
    MEASURE,
    r"(?i)\b(\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several)\s?-?\s?(%|percent|bytes?|[kmgt]i?b\b|kilobytes?|megabytes?|gigabytes?|terabytes?|tebibytes?|ms\b|milliseconds?|microseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|characters?|digits?|columns?|rows?|connections?|objects?|entries|threads?|items?|times|bits?|pages?|files?|s\b|h\b|d\b)|\b(once|twice|every|per|an?|half an) (milliseconds?|seconds?|minutes?|hour|day|week|month|year)s?\b|\b(hourly|daily|weekly|monthly|yearly)\b"
);
pattern!(DEFAULT, r"(?i)\bdefaults?\b");
pattern!(
    BECAUSE,
    r"(?i)\bbecause\b|\breasons?\b|\bso that\b|\bsince\b|\bin order to\b|\bthis (means|ensures|allows|makes|is why)\b"
);
pattern!(
    EFFECT,
    r"(?i)\bavoid|\bprevent|\ballows?\b|\bdue to\b|\btherefore\b|\bthus\b|\bcannot\b|\botherwise\b|\bensures?\b|\bsaves?\b|\bimproves?\b|\bfaster\b|\bsafer\b|\bdangerous\b|\brisk\b|\bwithout\b|\befficient\b|\binsecure\b|\bsecurity (risk|reason|problem|hole)|\bbad idea\b|\bleads? to\b|\bresults? in\b|\bcauses?\b|\bnot help\b|\bwould (otherwise )?(be|cause|break|fail|lose|make|have)\b"
);
pattern!(
    CONTRAST,
    r"(?i)\bwhereas\b|\bunlike\b|\bbut\b|\bhowever\b|\bwhile\b|\bdiffer|\binstead\b|\brather than\b|\bin contrast\b|\bon the other hand\b|\bcompared\b|\bexcept\b|\bonly\b"
);
pattern!(
    RECIPE,
    r"(?i)\byou (can|may|should|must|need)\b|\bby (using|calling|setting|running|passing|executing|invoking|adding|specifying|typing)\b|\bthe following (command|example|code)|\b(use|run|call|set|add|type|invoke|specify|execute|create)\b [`'\x22\w/-]|\bto do (this|so|that)\b|\bin order to\b|^\s*\$ |>>>"
);

pattern!(
    INSTRUCTION,
    r"(?i)\b(try|via|through|when) (using|calling|setting|running|passing|executing|invoking|adding|specifying|typing)\b|\b(with|using) (the )?\S+ (option|command|directive|flag|switch|parameter|setting)\b|\b(enable|disable|change|select|choose|press|click|put|place|write|edit|install|remove|define|include|issue|try|enter|configure)\b [`'\x22\w/-]"
);
pattern!(EXAMPLE, r":\s*\n\s*\n? {2,}\S|^\s*(\$|>>>) ");

fn hit(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|regex| regex.is_match(text))
}

impl ParsedQuestion {
    /// Takes a question apart.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let language = Language::of_question(text);
        let asks = Asks {
            number: hit(&NUMBER_Q, text),
            default: hit(&DEFAULT, text),
            why: hit(&WHY_Q, text),
            comparison: hit(&COMPARE_Q, text),
            how_to: hit(&HOW_TO_Q, text),
            definition: false,
            which: hit(&WHICH_Q, text),
        };
        let definition = hit(&DEFINITION_Q, text) && !asks.number && !asks.comparison && !asks.why;
        let asks = Asks { definition, ..asks };
        let terms = terms(text, language);
        let subject = if asks.definition { definition::subject(text, language) } else { Vec::new() };
        let compared = if asks.comparison { compared(text) } else { Vec::new() };
        Self {
            text: text.to_owned(),
            language,
            terms,
            identifiers: identifiers(text),
            asks,
            subject,
            compared,
            verbs: verbs::verbs(text, language),
        }
    }

    /// The stem of a word as this question's terms are stemmed.
    #[must_use]
    pub fn stem(&self, word: &str) -> String {
        self.language.stem(word)
    }

    /// The stems of a text, in order, stemmed as this question is.
    #[must_use]
    pub fn stems(&self, text: &str) -> Vec<String> {
        tokens(text).map(|range| self.stem(&text[range])).collect()
    }

    /// Signs that `text` holds the kind of answer asked for, 0 to 1.2.
    #[must_use]
    pub fn cue(&self, text: &str) -> f64 {
        let mut score = 0.0;
        if self.asks.number && hit(&NUMBER, text) {
            score += 0.5;
            if hit(&MEASURE, text) {
                score += 0.5;
            }
        }
        if self.asks.default && hit(&DEFAULT, text) {
            score += 0.7;
        }
        if self.asks.why {
            score += if hit(&BECAUSE, text) { 0.5 } else { 0.0 };
            score += if hit(&EFFECT, text) { 0.4 } else { 0.0 };
        }
        if self.asks.comparison && hit(&CONTRAST, text) {
            score += 0.4;
        }
        if self.asks.how_to {
            score += match () {
                () if hit(&RECIPE, text) => 0.5,
                () if hit(&INSTRUCTION, text) => 0.3,
                () => 0.0,
            };
            score += if hit(&EXAMPLE, text) { 0.3 } else { 0.0 };
        }
        score += self.defines(text) + self.compares(text);
        f64::min(score, 1.2)
    }

    /// How far a text says what the subject is, 0 to 1.
    #[must_use]
    pub fn defines(&self, text: &str) -> f64 {
        definition::defines(&self.subject, self.language, text)
    }

    /// Does a text set the compared things side by side, or open with one of them?
    fn compares(&self, text: &str) -> f64 {
        if self.compared.is_empty() {
            return 0.0;
        }
        let stems = super::words::stems(text);
        let position = |thing: &Vec<String>| stems.windows(thing.len()).position(|window| window == thing);
        let found: Vec<usize> = self.compared.iter().filter_map(position).collect();
        let both = if found.len() >= 2 { 0.4 } else { 0.0 };
        let opens = if found.iter().any(|&at| at < 3) { 0.4 } else { 0.0 };
        both + opens
    }

    /// Is a section named after one of the compared things?
    pub(super) fn compares_section(&self, heading: &str) -> bool {
        let last = heading.rsplit(" > ").next().unwrap_or_default();
        !self.compared.is_empty() && self.compared.contains(&super::words::stems(last))
    }

    /// Share of the named identifiers that occur verbatim, 0 when the question names none.
    #[must_use]
    pub fn identifier_share(&self, lower_text: &str) -> f64 {
        if self.identifiers.is_empty() {
            return 0.0;
        }
        let found = self.identifiers.iter().filter(|name| lower_text.contains(name.as_str())).count();
        found as f64 / self.identifiers.len() as f64
    }

    /// Words written with a capital that is not the first of the question: probably names. German writes every noun so;
    /// there only a capital inside a word shows a name.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let german = self.language == Language::German;
        word_ranges(&self.text)
            .skip(1)
            .map(|range| &self.text[range])
            .filter(|word| !german || word.chars().skip(1).any(char::is_uppercase))
            .filter(|word| {
                word.starts_with(char::is_uppercase) && word.len() > 1 && !self.language.is_stop(&fold(word))
            })
            .map(str::to_owned)
            .collect()
    }
}

/// The things named in "between A and B", "A differ from B", "A better than B".
fn compared(text: &str) -> Vec<Vec<String>> {
    pattern!(BETWEEN, r"(?i)\bbetween (.+?)\??$");
    pattern!(
        VERSUS,
        r"(?i)^(?:how|when|why|what) (?:is|are|does|do|should) (.+?) (?:differ|different|better|safer|faster|worse|more \w+) (?:from|than|to) (.+?)\??$"
    );
    let between = BETWEEN.as_ref().and_then(|regex| regex.captures(text)).map(|c| c[1].to_owned());
    let versus =
        VERSUS.as_ref().and_then(|regex| regex.captures(text)).map(|c| format!("{} and {}", &c[1], &c[2]));
    let Some(list) = between.or(versus) else { return Vec::new() };
    let things = list.replace(" and ", ",").replace(" or ", ",");
    let meaningful = |part: &str| -> Vec<String> {
        word_ranges(part)
            .map(|r| fold(&part[r]))
            .filter(|word| !is_stop(word))
            .map(|word| stem(&word))
            .collect()
    };
    let mut found: Vec<Vec<String>> =
        things.split(',').map(meaningful).filter(|thing| !thing.is_empty()).collect();
    // "the json and jsonb data types": the words after the last thing belong to all; keep the part that differs.
    if let Some(last) = found.last_mut()
        && last.len() > 2
    {
        last.truncate(1);
    }
    found
}

fn terms(text: &str, language: Language) -> Vec<Term> {
    // "What does the text say about": how it is asked is no part of what it is asked about.
    pattern!(
        FILLER,
        r"(?i)\b(the|this|these|my|our) (texts?|documents?|documentation|files?|reports?|sources?) (says?|tells?|states?|mentions?|contains?)\b|\baccording to (the|this|these|my|our) (texts?|documents?|documentation|files?|sources?)\b|\bhow (often|frequently|soon|long|quickly)\b|\b(tell me|i want to know|do you know|can you (tell|explain|say))\b"
    );
    let asked = FILLER.as_ref().map_or_else(|| text.into(), |regex| regex.replace_all(text, " "));
    let text: &str = &asked;
    let mut seen = HashSet::new();
    tokens(text)
        .map(|range| &text[range])
        .filter(|word| {
            let folded = fold(word);
            !is_filler_pair(word)
                && !language.is_stop(&folded)
                && (folded.chars().count() > 1
                    || folded.bytes().all(|b| b.is_ascii_digit())
                    || is_symbol(word))
        })
        .map(|word| Term { stem: language.stem(word), word: language.indexed(&fold(word)).into_owned() })
        .filter(|term| seen.insert(term.stem.clone()))
        .collect()
}

/// A single capital that stands for something: "How are Q and K defined?"
fn is_symbol(word: &str) -> bool {
    word.len() == 1
        && word.starts_with(|letter: char| letter.is_ascii_uppercase())
        && !["A", "I", "O", "Y"].contains(&word)
}

fn identifiers(text: &str) -> Vec<String> {
    let Some(regex) = IDENTIFIER.as_ref() else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    for capture in regex.captures_iter(text) {
        let name = (1..=3).find_map(|group| capture.get(group)).map(|m| m.as_str().to_lowercase());
        if let Some(name) = name
            && !found.contains(&name)
            && (name.parse::<f64>().is_err() || is_version(text, &name))
            && !is_compound(&name)
        {
            found.push(name);
        }
    }
    found
}

/// A number with a point right behind a name is a version: "Debian 1.1".
fn is_version(text: &str, number: &str) -> bool {
    let lower = text.to_lowercase();
    let Some(at) = lower.find(number) else { return false };
    let before = text.get(..at).unwrap_or_default().split_whitespace().next_back().unwrap_or_default();
    number.contains('.')
        && (before.starts_with(char::is_uppercase)
            || ["version", "versión", "release"].contains(&before.to_lowercase().as_str()))
}

/// An ordinary compound such as "built-in": one hyphen between words.
fn is_compound(name: &str) -> bool {
    let parts: Vec<&str> = name.split('-').collect();
    // "Que se passe-t-il": a French verb and its subject.
    let asks = parts.len() > 1 && ["il", "elle", "on", "ils", "elles"].contains(&parts[parts.len() - 1]);
    asks || parts.len() == 2
        && parts.iter().all(|part| part.len() >= 2 && part.chars().all(char::is_alphabetic))
}
