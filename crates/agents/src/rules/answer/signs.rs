//! The signs of each kind of answer in a sentence: a value of the right unit, a name, a condition, an instruction.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::super::dates::dates;
use super::super::lines;
use super::super::quantities::{Dimension, Quantity, quantities};
use super::super::terms::related;
use super::super::words::{fold, word_ranges};
use super::kind::{is_month, is_unit};
use super::{Asked, Candidate, Kind, stemmed};

/// What a sentence shows of the kind that is wanted.
#[derive(Debug, Default)]
pub(super) struct Signs {
    /// 0 to 1.
    pub(super) strength: f64,
    /// The value, where there is one.
    pub(super) value: Option<Range<usize>>,
    /// It has values, and all of them count something else.
    pub(super) counts_another: bool,
}

impl Signs {
    fn of(strength: f64) -> Self {
        Self { strength, ..Self::default() }
    }

    fn at(strength: f64, value: Range<usize>) -> Self {
        Self { strength, value: Some(value), counts_another: false }
    }
}

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($text).ok());
    };
}

pattern!(
    MONEY,
    r"(?i)[$€£¥]\s?\d|\d[\d.,\s]*(?:thousand|million|billion|Mio\.?|Millionen|millions? d'|millones de)?\s?(?:€|euros?\b|cents?\b|dollars?\b|pounds?\b|francs?\b|yen\b|pesos?\b|pesetas\b|kron\w+|EUR\b|USD\b|GBP\b|CHF\b|reais\b)|\b(free of charge|at no cost|kostenlos|gratuit\w*|gratis|gratuito)\b"
);
pattern!(
    SHARE,
    r"(?i)\d\s?%|\d\s?(per ?cent|prozent|pour ?cent|por ciento|por cento|percento|procent)\b|\b(half|third|quarter|thirds|quarters|fifths?|tenths?|majority|all|none)\b|\b\w+ (out of|in) (every )?\w+\b|\b(hälfte|drittel|viertel|moitié|tiers|quart|mitad|tercio|cuarta parte)\b"
);
pattern!(
    IN_WORDS,
    r"(?i)\b(deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|quarante|cinquante|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|vierzig|fünfzig|hundert|tausend|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|quince|veinte|treinta|cuarenta|cincuenta|cien|mil)\b"
);
pattern!(
    EXACTLY_ONE,
    r"(?i)\b((genau|nur|lediglich) ein(e[mnrs]?)?|(nur )?ein(e[mnrs]?)? einzige[mnrs]?|une? seule?|exactement une?|(solo|sólo|solamente|exactamente) una?|una? (solo|sola|único|única))\b"
);
pattern!(
    COUNTED_IN,
    r"(?i)\b(number of|how many|in) (milli|micro)?(seconds|minutes|hours|days)\b|\b(in|der) (sekunden|minuten|stunden|tagen)\b|\ben (secondes|minutes|heures|jours|segundos|minutos|horas|días)\b"
);
pattern!(
    SPAN,
    r"(?i)\b(?:\d[\d.,]*|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|ein(?:e[mnrs]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)\s?-?\s?(sekunden?|minuten?|stunden?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre|secondes?|heures?|jours?|semaines?|mois|ans?|années?|segundos?|minutos?|horas?|días?|semanas?|meses|mes|años?|giorni|mesi|anni|ore|dagen|weken|maanden|jaar|uur|dias|anos)\b"
);
pattern!(
    OFTEN,
    r"(?i)\b(once|twice|hourly|daily|weekly|monthly|quarterly|yearly|annually|immediately|indefinitely|permanently|at once|half an hour|(every|each|per|an?) (second|minute|hour|day|night|week|month|quarter|year)s?|täglich|wöchentlich|monatlich|jährlich|sofort|unverzüglich|quotidien\w*|hebdomadaire\w*|mensuel\w*|annuel\w*|diari\w+|semanal\w*|mensual\w*|anual\w*)\b"
);
pattern!(
    CLOCK,
    r"\b\d{1,2}[:.h]\d{2}\b|\b(?:1[5-9]|20)\d{2}\b|(?i)\b(januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|noon|midnight|today|tomorrow)\b"
);
pattern!(
    CONDITION,
    r"(?i)\b(after|before|when|whenever|once|as soon as|if|during|until|(each|every) time|at the (end|beginning|start)|nach|vor|sobald|wenn|während|außerhalb|ausserhalb|innerhalb|jedes mal|jedesmal|outside|après|avant|lorsque|dès|pendant|en dehors|chaque fois|después|antes|cuando|durante|fuera de|cada vez)\b"
);
pattern!(
    HABIT,
    r"(?i)^when (do|does|is|are|can|may|must|should|will)\b|^wann (ist|sind|wird|werden|kann|können|muss|müssen|darf|soll)\b|^quand (est|sont|faut|peut|doit)|^¿?cuándo (se|debe|puede|hay)\b"
);
pattern!(
    BODY,
    r"(?i)\b(by|of) (the )?\p{Lu}|\b(director|mayor|council|office|team|manager|owner|head|author|chair\w*|minister|ministry|president|committee|company|department|administrator|user|members?|residents?|operator|officer|authority|court|judge|parliament|assembly|board|developer|maintainer|inventor|founder|vermieter|mieter|amt|behörde|präsident|ministre|ministère|préfet|maire|juge|roi|rey|ministro|presidente|tribunal|consejo|gobierno|congreso|autorité|autoridad)\b"
);
pattern!(
    WHERE,
    r"(?i)(^|\s)[~.]?/[\w.-]+|\b\w+/\w+[\w./-]*|\b(in|at|on|under|near|beside|inside|below|above|next to|from|im|am|auf|unter|bei|dans|sous|sur|à|en|sobre|bajo)\s+(the |der |dem |den |le |la |l'|les |el |los )?[\p{L}\d/~]"
);
pattern!(
    BECAUSE,
    r"(?i)\b(because|since|so that|in order to|due to|owing to|therefore|thus|hence|otherwise|reasons?|as a result|this (means|ensures|allows|makes|is why)|caused by|weil|da|damit|deshalb|daher|wegen|aufgrund|parce qu\w+|car|afin|puisque|en raison|porque|para que|debido|ya que|a fin de)\b"
);
pattern!(
    POLAR,
    r"(?i)\b(yes|no|not|never|always|only|cannot|can|may|must|shall|should|allowed|permitted|forbidden|prohibited|required|supported|possible|impossible|ja|nein|nicht|kein\w*|darf|kann|muss|oui|non|ne|peut|doit|interdit|sí|puede|debe|prohibid\w+|obligatori\w+)\b"
);
pattern!(
    LISTED,
    r"(?i)\b(the following|as follows|such as|include[sd]?|including|consists? of|namely|folgende|comme suit|les suivants|los siguientes|las siguientes|siguientes)\b|:\s|(,[^,.;]{2,60}){2,}\b(and|or|und|oder|et|ou|y|o)\b"
);
pattern!(OF_VERSION, r"(?i)\bversions?\b");
pattern!(VERSION, r"\b\d+(\.\d+)+\b");
pattern!(MEANS, r"(?i)\b(means?|meaning|bedeutet|heißt|signifie|veut dire|significa)\b");
pattern!(HOW_MUCH, r"(?i)\b(how much|wie ?viel|combien|cuánt[oa]|quanto)\b");
pattern!(
    INSTRUCTS,
    r"(?i)\b(kann|können|muss|müssen|soll|verwenden|il faut|doit|doivent|peut|peuvent|utilisez|debe|deben|puede|pueden|hay que|se debe)\b"
);
pattern!(NAMED, r#"[`"“„«'][^`"”“»']{2,40}[`"”“»']|\b\w+[_.-]\w+|\b[A-Z]{2,}\b|--\w+|\b\w+\(\)"#);

fn hit(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|regex| regex.is_match(text))
}

fn found(pattern: &LazyLock<Option<Regex>>, text: &str) -> Option<Range<usize>> {
    pattern.as_ref()?.find(text).map(|at| at.range())
}

/// What a candidate shows of the kind that `asked` wants.
pub(super) fn of(asked: &Asked, candidate: &Candidate<'_>) -> Signs {
    let text = candidate.sentence;
    // Reasons, instructions and comparisons can be put in any words: the lack of their signs proves nothing.
    match asked.kind {
        Kind::Number => number(asked, candidate),
        Kind::Money => found(&MONEY, text).map_or_else(Signs::default, |at| Signs::at(1.0, at)),
        Kind::Share => found(&SHARE, text).map_or_else(Signs::default, |at| {
            Signs::at(if text[at.clone()].contains(|c: char| c.is_ascii_digit()) { 1.0 } else { 0.6 }, at)
        }),
        Kind::Duration => duration(asked, text),
        Kind::Date => date(asked, text),
        Kind::Person => person(text),
        Kind::Place => Signs::of(if hit(&WHERE, text) { 0.7 } else { 0.2 }),
        Kind::Name => Signs::of(if hit(&NAMED, text) || has_name(text) { 0.8 } else { 0.5 }),
        Kind::YesNo => Signs::of(if hit(&POLAR, text) { 0.8 } else { 0.5 }),
        Kind::Definition => definition(asked, candidate),
        Kind::List => Signs::of(match () {
            () if hit(&LISTED, text) || lines::bullet_len(text) > 0 => 0.9,
            () => 0.5,
        }),
        Kind::Steps => Signs::of(cued(asked, text).max(if hit(&INSTRUCTS, text) { 0.7 } else { 0.5 })),
        Kind::Reason => Signs::of(cued(asked, text).max(if hit(&BECAUSE, text) { 0.8 } else { 0.5 })),
        Kind::Comparison => Signs::of(cued(asked, text).max(0.5)),
        Kind::Free => Signs::of(if lines::ends_sentence(text) { 0.7 } else { 0.5 }),
    }
}

fn cued(asked: &Asked, text: &str) -> f64 {
    (asked.question.cue(text) * 1.4).min(1.0)
}

/// The quantities of a sentence, its list marker or section number and the numbers of notes ("[2]") left out.
fn amounts(text: &str) -> Vec<Quantity> {
    let lead = lines::bullet_len(text).max(section_len(text));
    let is_note =
        |at: &Range<usize>| text[..at.start].ends_with(['[', '(']) && text[at.end..].starts_with([']', ')']);
    let counts = |quantity: &Quantity| quantity.range.start >= lead && !is_note(&quantity.range);
    quantities(text).into_iter().filter(counts).collect()
}

/// Length of a section number in front ("2.1 The fee").
fn section_len(text: &str) -> usize {
    let first = text.split_whitespace().next().unwrap_or_default();
    let number = first.contains('.') && first.split('.').all(|part| part.bytes().all(|b| b.is_ascii_digit()));
    if number { first.len() } else { 0 }
}

fn number(asked: &Asked, candidate: &Candidate<'_>) -> Signs {
    let text = candidate.sentence;
    if hit(&OF_VERSION, &asked.question.text)
        && let Some(at) = found(&VERSION, text)
    {
        return Signs::at(0.8, at);
    }
    let all = amounts(text);
    if all.is_empty() {
        return in_words(asked, text);
    }
    // "How heavy?" wants a mass, whatever else is counted.
    if let Some(measured) = measured(&asked.question.text) {
        let value = all.iter().find(|quantity| quantity.dimension == measured);
        return value.map_or_else(|| Signs::of(0.2), |quantity| Signs::at(1.0, quantity.range.clone()));
    }
    let near = |quantity: &Quantity| {
        let start = text[..quantity.range.start].char_indices().rev().nth(60).map_or(0, |(at, _)| at);
        let end = text[quantity.range.end..]
            .char_indices()
            .nth(60)
            .map_or(text.len(), |(at, _)| quantity.range.end + at);
        &text[start..end]
    };
    if asked.head.is_empty() {
        // A bare "one" or "two" is seldom what was asked for, a part of something no answer to how much there is.
        let much = hit(&HOW_MUCH, &asked.question.text);
        let best = all
            .iter()
            .filter(|quantity| !(much && quantity.dimension == Dimension::Percent))
            .max_by_key(|quantity| rank(&quantity.dimension, &text[quantity.range.clone()]));
        return best.map_or_else(Signs::default, |quantity| {
            let strength = match rank(&quantity.dimension, &text[quantity.range.clone()]) {
                2 => 1.0,
                1 => 0.8,
                _ => 0.4,
            };
            Signs::at(strength, quantity.range.clone())
        });
    }
    let head = asked.question.stem(&asked.head);
    let same = |stem: &String| *stem == head || related(&head).any(|other| other == stem.as_str());
    let stems = |text: &str| asked.question.stems(text);
    let counted = |quantity: &&Quantity| match &quantity.dimension {
        Dimension::Count(noun) if !noun.is_empty() => same(noun) || *noun == stemmed(&asked.head),
        Dimension::Count(_) => {
            let behind = &text[quantity.range.end..];
            let next = behind.split_whitespace().take(COUNTED_BEHIND).collect::<Vec<_>>().join(" ");
            // "In one place" counts no packages.
            let article = is_one(text, quantity) && !stems(&next).iter().any(same);
            !article && !is_measured(behind) && !is_pronoun(text, &quantity.range)
        }
        _ => false,
    };
    if let Some(quantity) =
        all.iter().find(|quantity| counted(quantity) && stems(near(quantity)).iter().any(same))
    {
        return Signs::at(1.0, quantity.range.clone());
    }
    let above = stems(candidate.heading).iter().chain(&stems(candidate.before)).any(same);
    if let Some(quantity) = all.iter().find(counted) {
        let strength = if above || stems(text).iter().any(same) { 0.7 } else { 0.4 };
        return Signs::at(strength, quantity.range.clone());
    }
    // Part of them is no count of them, and "one" of something else none at all.
    let counts = |quantity: &Quantity| quantity.dimension != Dimension::Percent && !is_one(text, quantity);
    let mentioned = all.iter().any(counts) && stems(text).iter().any(same);
    let first = all.first().map(|quantity| quantity.range.clone());
    Signs { strength: if mentioned { 0.5 } else { 0.2 }, value: first, counts_another: !mentioned }
}

/// What a question measures, where its word leaves no other reading.
fn measured(question: &str) -> Option<Dimension> {
    pattern!(HEAVY, r"(?i)\b(how heavy|wie schwer)\b");
    pattern!(WARM, r"(?i)\b(how (hot|cold|warm)|wie (warm|heiß|kalt))\b");
    pattern!(TALL, r"(?i)\bhow tall\b");
    let known = [(&HEAVY, Dimension::Mass), (&WARM, Dimension::Temperature), (&TALL, Dimension::Length)];
    known.into_iter().find(|(words, _)| hit(words, question)).map(|(_, dimension)| dimension)
}

/// Is it written "one", which mostly counts nothing?
fn is_one(text: &str, quantity: &Quantity) -> bool {
    fold(&text[quantity.range.clone()]) == "one"
}

/// Does a unit follow that is written with capitals: "60 MW" counts nothing.
fn is_measured(behind: &str) -> bool {
    word_ranges(behind).next().is_some_and(|at| at.start <= 1 && is_unit(&fold(&behind[at])))
}

/// "The one above", "one of them": points at something and counts nothing.
fn is_pronoun(text: &str, number: &Range<usize>) -> bool {
    let before = text[..number.start].split_whitespace().next_back().map(fold).unwrap_or_default();
    let behind = text[number.end..].split_whitespace().next().map(fold).unwrap_or_default();
    fold(&text[number.clone()]) == "one"
        && (["the", "this", "that", "another", "any", "which", "each"].contains(&before.as_str())
            || ["of", "above", "below", "or", "another"].contains(&behind.as_str()))
}

/// Words behind "one" among which what it counts must be.
const COUNTED_BEHIND: usize = 3;

/// A number in the words of another language than English, which no quantity is read from.
fn in_words(asked: &Asked, text: &str) -> Signs {
    let head = asked.question.stem(&asked.head);
    let holds = |text: &str| asked.head.is_empty() || asked.question.stems(text).contains(&head);
    // "Only one main server" counts no schools.
    let one = found(&EXACTLY_ONE, text).filter(|at| {
        let behind: Vec<&str> = text[at.end..].split_whitespace().take(COUNTED_BEHIND).collect();
        holds(&behind.join(" "))
    });
    let number = found(&IN_WORDS, text).or(one);
    number.map_or_else(Signs::default, |at| Signs::at(if holds(text) { 0.8 } else { 0.4 }, at))
}

/// 2 for a number with a unit or a counted noun, 1 for digits, 0 for a small number in words.
fn rank(dimension: &Dimension, written: &str) -> u8 {
    match dimension {
        Dimension::Count(noun) if noun.is_empty() => u8::from(written.contains(|c: char| c.is_ascii_digit())),
        _ => 2,
    }
}

fn duration(asked: &Asked, text: &str) -> Signs {
    let time = amounts(text).into_iter().find(|quantity| quantity.dimension == Dimension::Time);
    if let Some(quantity) = time {
        return Signs::at(1.0, quantity.range);
    }
    if let Some(at) = found(&SPAN, text).or_else(|| found(&OFTEN, text)) {
        return Signs::at(0.9, at);
    }
    // "The number of seconds to wait. Default: 10"
    if let (true, Some(bare)) = (hit(&COUNTED_IN, text), amounts(text).into_iter().next()) {
        return Signs::at(0.8, bare.range);
    }
    // "How long is the trench?" wants a length.
    let long = asked.question.text.to_lowercase().starts_with("how long");
    let length = amounts(text).into_iter().find(|quantity| long && quantity.dimension == Dimension::Length);
    if let Some(quantity) = length {
        return Signs::at(0.8, quantity.range);
    }
    Signs::of(if hit(&CONDITION, text) { 0.4 } else { 0.0 })
}

fn date(asked: &Asked, text: &str) -> Signs {
    // "When does it save?" wants the occasion as much as a day.
    let habit = hit(&HABIT, &asked.question.text);
    if habit && hit(&CONDITION, text) {
        return Signs::of(1.0);
    }
    let (day, hour) = if habit { (0.6, 0.6) } else { (1.0, 0.9) };
    if let Some(dated) = dates(text).into_iter().next() {
        return Signs::at(day, dated.range);
    }
    if let Some(at) = found(&CLOCK, text) {
        return Signs::at(hour, at);
    }
    if word_ranges(text).skip(1).any(|range| is_month(&text[range].to_lowercase())) {
        return Signs::of(0.8);
    }
    Signs::of(if hit(&CONDITION, text) { 0.5 } else { 0.1 })
}

fn person(text: &str) -> Signs {
    Signs::of(match () {
        () if hit(&BODY, text) => 0.8,
        () if has_name(text) => 0.6,
        () => 0.2,
    })
}

/// A capitalised word behind the first.
fn has_name(text: &str) -> bool {
    word_ranges(text).skip(1).any(|range| text[range].starts_with(char::is_uppercase))
}

fn definition(asked: &Asked, candidate: &Candidate<'_>) -> Signs {
    let heading = candidate.heading.rsplit(" > ").next().unwrap_or_default();
    let titled = !asked.question.subject.is_empty()
        && asked
            .question
            .stems(heading)
            .windows(asked.question.subject.len())
            .any(|window| window == asked.question.subject);
    // "What does it mean that the data is stale?" has no subject to be defined.
    let means = asked.question.subject.is_empty() && hit(&MEANS, candidate.sentence);
    let own = if means { 0.8 } else { asked.question.defines(candidate.sentence) };
    Signs::of(own.max(if titled { 0.7 } else { 0.5 }))
}
