//! Whether a fact answers a part of the question: the kind of answer that is wanted, about what was asked. The one place
//! where research decides this; the rules themselves are [`baton_agents::rules::answer`].

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use baton_agents::rules::answer::{ABOUT_FROM, Asked, Candidate, Fit, KIND_FROM, Kind, Reason, asked};
use baton_agents::rules::quantities::quantities;
use baton_agents::rules::sentences::sentences;
use baton_agents::rules::words::{fold, is_stop, stem};

use crate::citation::{Facts, NumberedFact};
use crate::retrieval::antecedent::{leans, points_back};

/// What a part of the question wants to know, its words weighed by how few of the facts have them.
pub struct Wanted {
    asked: Asked,
    /// For each source, by number, the names of the question that it gives again and again: a document about the Harlund
    /// network does not repeat the name in every sentence, and one that names it once in passing is not about it.
    named: BTreeMap<usize, String>,
    /// What the part itself is about, stemmed, without what it takes over from the first part and words that only tell
    /// the kind of answer.
    core: Vec<String>,
    /// Whether it takes something over from another part, in brackets.
    takes_over: bool,
    /// Whether the question itself asks about something that may be or is planned.
    is_open: bool,
}

/// How well a fact answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Larger is better, within one part.
    pub score: f64,
    /// Whether it answers: the kind that is wanted, about what was asked.
    pub answers: bool,
    /// Whether it adds something to an answer: most of what the part itself is about stands in the sentence.
    pub adds: bool,
    /// Whether it does not answer and is close to what was asked.
    pub near: bool,
    /// Whether it answers with a value that was asked for.
    pub value: bool,
    /// That value, so that the same one is not given twice.
    pub given: Option<String>,
    /// Whether it explains the answer if it stands right behind it.
    pub explains: bool,
    /// Whether it has all that the part is about, so that nothing from elsewhere is needed beside it.
    pub sure: bool,
    /// What the part is about that stands in the statement, stemmed.
    pub has: Vec<String>,
}

/// What a further source that says the same counts, and what the weight of a source.
const CONFIRMED: f64 = 0.02;
const WEIGHT: f64 = 0.05;
/// What is left of the score of a value that holds only if something happens, or is not there yet.
const CONDITIONAL: f64 = 0.85;
/// What is left where something is to be told and the statement is no whole sentence: a head line, an item.
const UNENDED: f64 = 0.7;
/// What is left of an example, and of what refers to something described elsewhere.
const ASIDE: f64 = 0.85;
/// Signs of its kind from which a value is the answer, and not one in passing.
const VALUE_FROM: f64 = 0.7;
/// What it counts that a sentence has a value of the kind that is wanted.
const KIND: f64 = 0.6;
/// Part of what was asked about below which a sentence that was found is about something else.
const ABOUT: f64 = 0.35;
/// Part of what was asked about from which something is close to it.
const CLOSE: f64 = 0.9;
/// Part of the words of the question from which a heading asks the same, and what a reply below it counts.
const SAME_QUESTION: f64 = 0.8;
const ASKED_THERE: f64 = 2.0;
/// What the words of a part that takes others over count in the sentence, beside all that is asked about.
const CORE: f64 = 0.6;
/// Part of them from which a further sentence adds something, and from which the next one explains.
const ADDS: f64 = 0.6;
const EXPLAINS: f64 = 0.3;
/// Part of them from which a sentence that answers needs nothing beside it.
const SURE: f64 = 0.9;
/// Part of the names of the question that must stand near a sentence, and of what was read of a source that must give a name
/// for all of it to be about that.
const NAMED: f64 = 0.5;
const OFTEN_NAMED: f64 = 0.3;
/// Stems that tell the kind of answer and not what it is about.
const KIND_STEMS: [&str; 16] = [
    "cost", "price", "pai", "pay", "much", "mani", "long", "often", "old", "high", "larg", "big", "expens",
    "number", "amount", "averag",
];

impl Wanted {
    /// What this question wants, among these facts.
    #[must_use]
    pub fn of(question: &str, facts: &Facts<'_>) -> Self {
        let all = facts.all();
        let asked = asked(question);
        let stems = |text: &str| asked.question.stems(text).into_iter().collect::<BTreeSet<String>>();
        let found: Vec<BTreeSet<String>> = all.iter().map(|fact| stems(&fact.found.fact.statement)).collect();
        let terms: Vec<String> = asked.question.terms.iter().map(|term| term.stem.clone()).collect();
        let rarity = |at: usize| {
            let with =
                found.iter().filter(|stems| terms.get(at).is_some_and(|stem| stems.contains(stem))).count();
            (2.0 + found.len() as f64 / (1.0 + with as f64)).ln()
        };
        let asked = asked.weighed(rarity);
        let named = names_of_sources(&asked, all);
        let own = asked_stems(&asked, question.split(" (").next().unwrap_or(question));
        let core: Vec<String> = own.into_iter().filter(|stem| !KIND_STEMS.contains(&stem.as_str())).collect();
        let takes_over = question.contains(" (") && !core.is_empty();
        Self { named, core, takes_over, is_open: is_conditional(question), asked }
    }

    /// How well a fact answers, by its words, its heading and its document: an excerpt by the best of its sentences, each with
    /// what stands before it.
    #[must_use]
    pub fn fit(&self, fact: &NumberedFact<'_>) -> Standing {
        let statement = fact.found.fact.statement.as_str();
        let each = sentences(statement).into_iter();
        let each = each.map(|at| self.standing(fact, &statement[..at.start], &statement[at]));
        let best = each.max_by(|a, b| a.answers.cmp(&b.answers).then(a.score.total_cmp(&b.score)));
        best.unwrap_or_else(|| self.standing(fact, "", statement))
    }

    /// How well one sentence of a fact answers.
    fn standing(&self, fact: &NumberedFact<'_>, before: &str, sentence: &str) -> Standing {
        let statement = fact.found.fact.statement.as_str();
        let fit = self.judge(sentence, before, &fact.found.heading, &self.title(fact));
        // A part that takes names over from the first must still be about its own words.
        let around = format!("{statement} {} {}", fact.found.heading, fact.card.source.title);
        let own = if self.takes_over { self.core_share(&around) } else { fit.about };
        let mut judged = Fit { about: if own > 0.0 { fit.about.max(own) } else { 0.0 }, ..fit.clone() };
        if self.takes_over && self.core_share(statement) >= 1.0 {
            judged.reasons.retain(|reason| *reason != Reason::OtherName);
        }
        let is_answer = answers(&judged) && self.is_named(fact, before, sentence) && !is_raw(statement);
        let condition = if !self.is_open && is_conditional(sentence) { CONDITIONAL } else { 1.0 };
        let unended = !self.asked.kind.is_value() && !is_whole(statement);
        let condition = if unended { condition * UNENDED } else { condition };
        let condition = if is_aside(sentence) { condition * ASIDE } else { condition };
        let confirmed = CONFIRMED * fact.independent.saturating_sub(1).min(3) as f64;
        Standing {
            score: condition * fit.score
                + if self.asked.kind.is_value() { KIND * fit.kind } else { 0.0 }
                + if self.is_asked_there(fact) { ASKED_THERE } else { 0.0 }
                + if self.takes_over { CORE * self.core_share(sentence) } else { 0.0 }
                + confirmed
                + WEIGHT * fact.weight,
            answers: is_answer,
            adds: self.core_share(sentence) >= ADDS,
            sure: is_answer && self.core_share(sentence) >= SURE,
            has: asked_stems(&self.asked, statement),
            near: !is_answer && fit.about >= CLOSE.max(ABOUT_FROM),
            value: (self.asked.kind.is_value() && fit.value.is_some() && fit.kind >= VALUE_FROM)
                || self.asked.kind == Kind::Person,
            given: fit.value.filter(|_| self.asked.kind.is_value()).map(|at| plain_value(&sentence[at])),
            explains: self.core_share(sentence) >= ADDS
                || (self.is_explained()
                    && (leans(statement) || points_back(statement) || self.core_share(sentence) >= EXPLAINS)),
        }
    }

    /// Whether what the question names stands near a sentence, or is what its source is about. A part that takes the names
    /// over from another is judged by its own words.
    fn is_named(&self, fact: &NumberedFact<'_>, before: &str, sentence: &str) -> bool {
        let near = format!(
            "{before}\n{sentence}\n{}\n{}\n{}",
            fact.found.heading,
            fact.card.shown,
            self.title(fact)
        );
        self.takes_over || self.asked.named(&near) >= NAMED
    }

    /// Whether one sentence seldom says all: what something is, how it is done, why.
    fn is_explained(&self) -> bool {
        let told = [Kind::Definition, Kind::Comparison, Kind::Steps, Kind::Reason, Kind::List, Kind::Free];
        told.contains(&self.asked.kind)
    }

    /// Whether a fact that does not answer has something of the subject.
    #[must_use]
    pub fn touches(&self, fact: &NumberedFact<'_>) -> bool {
        let (sentence, title) = (fact.found.fact.statement.as_str(), self.title(fact));
        self.asked.touches(&Candidate { sentence, before: "", heading: &fact.found.heading, title: &title })
    }

    /// Whether a sentence that rests on this fact answers.
    #[must_use]
    pub fn is_answered_by(&self, sentence: &str, fact: &NumberedFact<'_>) -> bool {
        answers(&self.judge(sentence, "", &fact.found.heading, &self.title(fact)))
    }

    /// The value by which a fact answers, in its words.
    #[must_use]
    pub fn value_of(&self, fact: &NumberedFact<'_>) -> Option<String> {
        let statement = fact.found.fact.statement.as_str();
        let fit = self.judge(statement, "", &fact.found.heading, &self.title(fact));
        fit.value.and_then(|at| statement.get(at)).map(str::to_owned)
    }

    /// Whether two facts speak of the same matter, as far as it was asked: what one of them, with its heading and the title
    /// of its document, has of the question the other has too. "Emitted" is not "avoided", Redis is not another broker.
    #[must_use]
    pub fn is_same_matter(&self, left: &NumberedFact<'_>, right: &NumberedFact<'_>) -> bool {
        let has = |fact: &NumberedFact<'_>| -> BTreeSet<String> {
            let text =
                format!("{} {} {}", fact.found.fact.statement, fact.found.heading, fact.card.source.title);
            let own = self.asked.question.stems(&text);
            self.core.iter().filter(|stem| own.contains(stem)).cloned().collect()
        };
        has(left) == has(right)
    }

    /// Whether what was asked can be given in two ways that cannot both hold: a value, a name, yes or no. What something is,
    /// how it is done and why is told by each document in its own way, and numbers on the way to it are other matters.
    #[must_use]
    pub fn is_disputable(&self) -> bool {
        let told = [Kind::Definition, Kind::Comparison, Kind::Steps, Kind::Reason, Kind::List];
        !told.contains(&self.asked.kind)
    }

    /// Whether the document asks the same: what stands below such a heading, or behind it, is the reply.
    fn is_asked_there(&self, fact: &NumberedFact<'_>) -> bool {
        let statement = fact.found.fact.statement.as_str();
        let heading = fact.found.heading.rsplit(" > ").next().unwrap_or_default();
        let opening = statement.split_inclusive('?').next().unwrap_or_default();
        let terms = &self.asked.question.terms;
        [heading, opening].iter().filter(|text| text.trim_end().ends_with('?')).any(|text| {
            let own = self.asked.question.stems(text);
            let shared = terms.iter().filter(|term| own.contains(&term.stem)).count();
            terms.len() > 1 && shared as f64 >= SAME_QUESTION * terms.len() as f64
        })
    }

    /// Part of what the part itself is about that stands in the sentence.
    fn core_share(&self, sentence: &str) -> f64 {
        let own: BTreeSet<String> = self.asked.question.stems(sentence).into_iter().collect();
        let found = self.core.iter().filter(|stem| own.contains(*stem)).count();
        found as f64 / self.core.len().max(1) as f64
    }

    fn title(&self, fact: &NumberedFact<'_>) -> String {
        let named = self.named.get(&fact.source).map_or("", String::as_str);
        format!("{} {named}", fact.card.source.title)
    }

    fn judge(&self, sentence: &str, before: &str, heading: &str, title: &str) -> Fit {
        // "Fee" says what "cost" asks for: words that only tell the kind count where the kind is told.
        let told = self.asked.kind == Kind::Money && is_about_money(sentence);
        let title = if told { format!("{title} cost price") } else { title.to_owned() };
        self.asked.answers(&Candidate { sentence, before, heading, title: &title })
    }
}

/// Whether a fact answers. That its passage is about the question the search has judged already, by more than one
/// sentence shows; here only what is plainly about something else falls out.
fn answers(fit: &Fit) -> bool {
    let other = |reason: &Reason| matches!(reason, Reason::OtherName | Reason::OtherThing);
    fit.kind >= KIND_FROM && fit.about >= ABOUT && !fit.reasons.iter().any(other)
}

/// The names of the question that each source gives often enough to be about them, by its number.
fn names_of_sources(asked: &Asked, all: &[NumberedFact<'_>]) -> BTreeMap<usize, String> {
    let mut counted: BTreeMap<usize, (usize, BTreeMap<&str, usize>)> = BTreeMap::new();
    for fact in all {
        let text = format!("{} {}", fact.found.fact.statement, fact.found.heading).to_lowercase();
        let (facts, names) = counted.entry(fact.source).or_default();
        *facts += 1;
        for name in asked.names.iter().filter(|name| text.contains(name.as_str())) {
            *names.entry(name).or_default() += 1;
        }
    }
    let often = |(source, (facts, names)): (usize, (usize, BTreeMap<&str, usize>))| {
        let names = names.into_iter().filter(|(_, with)| *with as f64 >= OFTEN_NAMED * facts as f64);
        (source, names.map(|(name, _)| name).collect::<Vec<_>>().join(" "))
    };
    counted.into_iter().map(often).collect()
}

/// A value as a number where it is one: "two" and "2" are the same.
fn plain_value(written: &str) -> String {
    match quantities(written).first() {
        Some(quantity) => quantity.value.to_string(),
        None => written.to_lowercase(),
    }
}

/// The terms of the question that stand in a part of it, stemmed as its language is.
fn asked_stems(asked: &Asked, part: &str) -> Vec<String> {
    let own = asked.question.stems(part);
    asked.question.terms.iter().map(|term| term.stem.clone()).filter(|stem| own.contains(stem)).collect()
}

/// Whether a sentence speaks of what holds only if something happens, or is not there yet.
fn is_conditional(sentence: &str) -> bool {
    let words = format!(" {} ", stripped(sentence));
    [
        " if ",
        " unless ",
        " goal ",
        " target ",
        " planned ",
        " expected ",
        " would ",
        " will ",
        " should ",
        " forecast ",
    ]
    .iter()
    .any(|word| words.contains(word))
}

/// Whether a statement is a row of cells that nobody has put into words.
fn is_raw(statement: &str) -> bool {
    statement.matches(" | ").count() > 1
}

/// Whether a sentence is an example, or refers to what is described elsewhere.
fn is_aside(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let examples = ["for example", "for instance", "zum beispiel", "par exemple", "por ejemplo"];
    let elsewhere =
        ["described above", "mentioned above", "see above", "oben beschrieben", "ci-dessus", "más arriba"];
    examples.iter().any(|opening| lower.starts_with(opening)) || elsewhere.iter().any(|it| lower.contains(it))
}

fn is_about_money(sentence: &str) -> bool {
    let words = format!(" {} ", stripped(sentence));
    [" fee ", " fees ", " price ", " charge ", " pays ", " paid ", " pay ", " tariff ", " costs ", " cost "]
        .iter()
        .any(|word| words.contains(word))
}

fn stripped(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Whether a statement ends as a sentence does: a line of a list, a head, what announces a list or a question adds nothing.
#[must_use]
pub fn is_whole(statement: &str) -> bool {
    let ended = statement.trim_end_matches(['"', '”', '»', ')', '’', '\'', '*']);
    ended.ends_with(['.', '!', '。']) && !statement.starts_with("==")
}

/// The stems of a text that carry meaning, in order.
#[must_use]
pub fn telling_stems(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).map(fold);
    words.filter(|word| !word.is_empty() && !is_stop(word)).map(|word| stem(&word)).collect()
}
