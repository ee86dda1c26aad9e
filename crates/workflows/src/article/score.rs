//! The supervisor's measuring: four scores of a text, each with what it was measured on. It sees the text a reader sees, so
//! whoever wrote it is measured alike.

mod markdown;
mod voice;

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashSet};

use baton_agents::evidence::Verdict;
use baton_agents::rules::prose::{Prose, prose};
use baton_agents::rules::quantities::quantities;
use baton_agents::rules::readability::readability;
use baton_agents::rules::words::{content_stems, overlap};
use serde::{Deserialize, Serialize};

use super::brief::{Brief, SourceKind};
use super::demand::{Demand, Need};

pub use markdown::MarkdownText;
use voice::{tone, unattributed, without_brackets};

/// Weights of the four scores.
pub const WEIGHTS: [f64; 4] = [0.30, 0.25, 0.25, 0.20];
/// Runs of a source longer than this need quotation marks or its name.
pub const LONGEST_RUN: usize = 12;
/// From this share of common words on, with the same numbers, two sentences say the same.
const SAME: f64 = 0.8;
/// Kinds of sources a varied article has.
const KINDS: f64 = 4.0;
/// Points of reading ease beyond the band that cost the whole score.
const EASE_SLACK: f64 = 30.0;

/// A source the text may have taken from.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// How sentences name it.
    pub name: String,
    /// What kind it is.
    pub kind: SourceKind,
    /// Whether the text cites it.
    pub cited: bool,
    /// Its words.
    pub text: String,
}

/// What is measured.
#[derive(Clone, Debug)]
pub struct ScoreInput<'a> {
    /// What was asked for.
    pub brief: &'a Brief,
    /// The text, as Markdown.
    pub text: &'a str,
    /// Its sources.
    pub sources: Vec<SourceText>,
    /// Every sentence that claims something, and what the sources say of it.
    pub claims: Vec<(String, Verdict)>,
    /// Citations that lead to a source in the list.
    pub good_citations: usize,
    /// All citations, orphans and sources that nobody cites included.
    pub all_citations: usize,
    /// Whether the text is English, which alone can be measured for reading ease and language.
    pub english: bool,
}

/// One thing that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// 0 to 1.
    pub value: f64,
    /// What it was measured on.
    pub measured_on: String,
}

/// A score, and what it comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// 0 to 1.
    pub score: f64,
    /// The parts whose mean it is.
    pub parts: Vec<Part>,
    /// What the mean is multiplied with: 1 less what is wrong with the whole.
    pub factor: f64,
    /// What the factor was measured on.
    pub factor_on: String,
}

impl Measure {
    fn of(parts: Vec<Part>, factor: f64, factor_on: String) -> Self {
        let mean = parts.iter().map(|part| part.value).sum::<f64>() / parts.len().max(1) as f64;
        Self { score: rounded(mean * factor), parts, factor: rounded(factor), factor_on }
    }

    /// A part by its name.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<f64> {
        self.parts.iter().find(|part| part.name == name).map(|part| part.value)
    }
}

fn rounded(value: f64) -> f64 {
    (value.clamp(0.0, 1.0) * 10_000.0).round() / 10_000.0
}

fn part(name: &str, value: f64, measured_on: impl Into<String>) -> Part {
    Part { name: name.to_owned(), value: rounded(value), measured_on: measured_on.into() }
}

/// All four scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The weighted mean.
    pub overall: f64,
    /// Completeness, length, structure.
    pub article: Measure,
    /// Count, kinds, citations.
    pub source: Measure,
    /// Claims that sources carry.
    pub factual: Measure,
    /// Language, reading ease, tone.
    pub writing: Measure,
    /// Words of the text.
    pub words: usize,
    /// Flesch reading ease, if it can be measured.
    pub reading_ease: Option<f64>,
    /// What could not be measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmeasured: Vec<String>,
    /// What is missing.
    pub demand: Demand,
}

/// Measures a text.
#[must_use]
pub fn evaluate(input: &ScoreInput<'_>) -> Evaluation {
    let text = MarkdownText::parse(input.text);
    let mut needs = Vec::new();
    let article = article(input, &text, &mut needs);
    let source = source(input, &mut needs);
    let factual = factual(input, &mut needs);
    let (writing, reading_ease, unmeasured) = writing(input, &text, &mut needs);
    let scores = [article.score, source.score, factual.score, writing.score];
    let overall: f64 = scores.iter().zip(WEIGHTS).map(|(score, weight)| score * weight).sum();
    Evaluation {
        overall: (overall * 100.0).round() / 100.0,
        article,
        source,
        factual,
        writing,
        words: text.words(),
        reading_ease,
        unmeasured,
        demand: Demand { needs },
    }
}

fn article(input: &ScoreInput<'_>, text: &MarkdownText, needs: &mut Vec<Need>) -> Measure {
    let brief = input.brief;
    let wanted: Vec<&String> = brief.specific_sections.iter().chain(&brief.key_points).collect();
    let missing: Vec<String> =
        wanted.iter().filter(|wish| !text.speaks_of(wish)).map(|it| (*it).clone()).collect();
    let (completeness, on) = if wanted.is_empty() {
        let sections = text.body_sections();
        let on = format!("{sections} of at least 3 sections, and the words of the topic");
        let topic = content_stems(&brief.topic);
        let spoken = overlap(&topic, &content_stems(&text.all()));
        ((sections.min(3) as f64 / 3.0).min(spoken), on)
    } else {
        let covered = wanted.len() - missing.len();
        (
            covered as f64 / wanted.len() as f64,
            format!("{covered} of {} sections and key points", wanted.len()),
        )
    };
    if !missing.is_empty() {
        needs.push(Need::Points { missing });
    }
    let (words, target) = (text.words(), brief.target_length);
    let length = words.min(target) as f64 / words.max(target).max(1) as f64;
    if words * 10 < target * 9 {
        needs.push(Need::Words { there: words, wanted: target });
    }
    let (opens, closes) = (text.has_introduction(), text.has_conclusion());
    let structure = [opens, text.body_sections() > 0, closes].iter().filter(|it| **it).count() as f64 / 3.0;
    if !opens || !closes {
        needs.push(Need::Parts { introduction: !opens, conclusion: !closes });
    }
    let said = without_attribution(input, text);
    let repeated = repeated(&said);
    let sentences = said.len().max(1);
    if repeated > 0 {
        needs.push(Need::Repetition { sentences: repeated });
    }
    Measure::of(
        vec![
            part("completeness", completeness, on),
            part("length", length, format!("{words} words, {target} wanted")),
            part("structure", structure, "opening, body, closing"),
        ],
        1.0 - repeated as f64 / sentences as f64,
        format!("{repeated} of {sentences} sentences say what was said"),
    )
}

/// The sentences without citations and names of sources: whoever says it, it is said twice or it is not.
fn without_attribution(input: &ScoreInput<'_>, text: &MarkdownText) -> Vec<String> {
    let bare = |sentence: String| {
        let mut bare = without_brackets(&sentence);
        for source in input.sources.iter().filter(|source| !source.name.is_empty()) {
            bare = bare.replace(&source.name, "");
        }
        bare
    };
    text.sentences().into_iter().map(bare).collect()
}

/// Sentences that say what one before them said: nearly the same words, and the same numbers.
pub fn repeated(sentences: &[String]) -> usize {
    let mut seen: Vec<(HashSet<String>, Vec<u64>)> = Vec::new();
    let mut count = 0;
    for sentence in sentences {
        let stems = content_stems(sentence);
        let mut numbers: Vec<u64> = quantities(sentence).iter().map(|it| it.value.to_bits()).collect();
        numbers.sort_unstable();
        let same = |(other, theirs): &(HashSet<String>, Vec<u64>)| {
            *theirs == numbers
                && overlap(other, &stems) > SAME
                && other.len().min(stems.len()) * 2 >= other.len().max(stems.len())
        };
        if stems.len() > 2 && seen.iter().any(same) {
            count += 1;
        }
        seen.push((stems, numbers));
    }
    count
}

fn source(input: &ScoreInput<'_>, needs: &mut Vec<Need>) -> Measure {
    let cited: Vec<&SourceText> = input.sources.iter().filter(|source| source.cited).collect();
    let (there, wanted) = (cited.len(), input.brief.min_sources);
    let kinds: BTreeSet<SourceKind> = cited.iter().map(|source| source.kind).collect();
    let lacking: Vec<SourceKind> =
        input.brief.preferred_sources.iter().copied().filter(|kind| !kinds.contains(kind)).collect();
    let missing = wanted.saturating_sub(there);
    if missing > 0 || !lacking.is_empty() {
        needs.push(Need::Sources { missing, kinds: lacking });
    } else if kinds.len() < 3 {
        let usual = [SourceKind::Academic, SourceKind::News];
        let kinds = usual.into_iter().filter(|kind| !kinds.contains(kind)).collect();
        needs.push(Need::Sources { missing: 0, kinds });
    }
    let wrong = input.all_citations - input.good_citations.min(input.all_citations);
    if wrong > 0 {
        needs.push(Need::Citations { wrong });
    }
    let citations =
        if input.all_citations == 0 { 0.0 } else { input.good_citations as f64 / input.all_citations as f64 };
    let mut names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    names.sort_unstable();
    Measure::of(
        vec![
            part(
                "count",
                there.min(wanted) as f64 / wanted.max(1) as f64,
                format!("{there} cited sources, {wanted} wanted"),
            ),
            part(
                "kinds",
                (kinds.len() as f64 / KINDS).min(1.0),
                format!("{} of 4 kinds: {}", kinds.len(), names.join(", ")),
            ),
            part(
                "citations",
                citations,
                format!(
                    "{} of {} citations lead to a source in the list",
                    input.good_citations, input.all_citations
                ),
            ),
        ],
        1.0,
        String::new(),
    )
}

fn factual(input: &ScoreInput<'_>, needs: &mut Vec<Need>) -> Measure {
    let total = input.claims.len();
    let verified =
        input.claims.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Carried { .. })).count();
    let contradicted =
        input.claims.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Contradicted { .. })).count();
    if verified < total {
        needs.push(Need::Claims { unverified: total - verified, contradicted });
    }
    let share = |count: usize| if total == 0 { 0.0 } else { count as f64 / total as f64 };
    Measure::of(
        vec![part(
            "verified",
            share(verified),
            format!("{verified} of {total} sentences that claim something"),
        )],
        1.0 - share(contradicted),
        format!("{contradicted} contradicted"),
    )
}

fn writing(
    input: &ScoreInput<'_>,
    text: &MarkdownText,
    needs: &mut Vec<Need>,
) -> (Measure, Option<f64>, Vec<String>) {
    let all = text.all();
    let mut parts = Vec::new();
    let mut unmeasured = Vec::new();
    let mut ease = None;
    if input.english {
        let Prose { sentences, findings, .. } = prose(&all);
        let sound = prose(&all).sound();
        if !findings.is_empty() {
            needs.push(Need::Language { flaws: findings.len() });
        }
        parts.push(part("grammar", sound, format!("{} flaws in {sentences} sentences", findings.len())));
        ease = readability(&all).map(|it| it.reading_ease);
        let (from, to) = input.brief.tone.band();
        let value = ease.unwrap_or(0.0);
        let beyond = (from - value).max(value - to).max(0.0);
        if beyond > 0.0 {
            needs.push(Need::Ease { ease: value, from, to });
        }
        let on = format!("Flesch {value:.0}, {from:.0} to {to:.0} fits {}", input.brief.tone.name());
        parts.push(part("readability", 1.0 - beyond / EASE_SLACK, on));
        let (tone, on) = tone(input.brief.tone, &text.sentences());
        parts.push(part("tone", tone, on));
    } else {
        unmeasured.push("language, reading ease and tone: they can be measured in English only".to_owned());
    }
    let (share, longest) = unattributed(input, text);
    if share > 0.02 {
        needs.push(Need::Copying { share });
    }
    let on = format!(
        "{:.0} percent are runs of more than {LONGEST_RUN} words of a source without quotation marks or its name, the longest {longest} words",
        share * 100.0
    );
    (Measure::of(parts, 1.0 - share, on), ease, unmeasured)
}
