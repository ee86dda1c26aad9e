//! Skill: the article from facts, closed world. What its facts do not carry is dropped, and the best fact of the section
//! that was not used yet stands there instead, in its own words.

use std::collections::HashSet;

use baton_agents::evidence::Verdict;
use baton_agents::skill::{Answerer, Piece, Problem, Skill, Vars, Words, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ShownFact, WrittenSentence, put, who};
use crate::article::Memory;
use crate::article::bibliography::References;
use crate::article::draft::{Draft, Paragraph, Section, Sentence};
use crate::article::workers::writing::Said;
use crate::article::workers::{Job, Trouble, verdict, writing};
use crate::citation::{Dropped, Facts};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct WriteArticle;

/// A section to be written.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToFill {
    /// Its number, from 0.
    pub number: usize,
    /// Its heading.
    pub heading: String,
    /// Its facts.
    pub facts: Vec<ShownFact>,
}

/// What is to be written.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToWrite {
    /// The topic.
    pub topic: Words,
    /// For whom.
    pub audience: Words,
    /// How it is to sound.
    pub tone: Words,
    /// Words.
    pub words: usize,
    /// What to mind this time.
    pub mind: Words,
    /// The sections.
    pub sections: Vec<ToFill>,
    /// Sentences of the draft before that were not let through, each with the reason; empty the first time.
    #[serde(default)]
    pub problems: Vec<String>,
}

/// A section that is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Filled {
    /// Its number.
    pub section: usize,
    /// Its paragraphs, each a list of sentences.
    pub paragraphs: Vec<Vec<WrittenSentence>>,
}

/// An article, before anything in it is believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenArticle {
    /// The opening.
    pub introduction: Vec<WrittenSentence>,
    /// The body.
    pub sections: Vec<Filled>,
    /// The closing.
    pub conclusion: Vec<WrittenSentence>,
}

impl Skill for WriteArticle {
    const NAME: &'static str = "write_article";
    const PROMPT: &'static str = include_str!("../prompts/write_article.md");
    const MAX_TOKENS: u32 = 8192;
    type Input = ToWrite;
    type Output = WrittenArticle;

    fn vars(input: &ToWrite) -> Vars {
        Vars::new()
            .with("topic", &input.topic)
            .with("audience", &input.audience)
            .with("tone", &input.tone)
            .with("words", input.words)
            .with("mind", &input.mind)
    }

    fn material(input: &ToWrite) -> Vec<Piece> {
        let piece = |section: &ToFill| {
            let facts: Vec<String> = section.facts.iter().map(ShownFact::line).collect();
            let priority = u8::try_from(section.number).unwrap_or(u8::MAX);
            Piece::tagged(
                "section",
                &section.number,
                format!("{}\n{}", section.heading, facts.join("\n")),
                priority,
            )
        };
        let mut pieces: Vec<Piece> = input.sections.iter().map(piece).collect();
        if !input.problems.is_empty() {
            pieces.push(Piece::new("problems", input.problems.join("\n"), 0));
        }
        pieces
    }

    /// Only the shape: a sentence that does not hold is dropped, it does not cost the rest.
    fn check(input: &ToWrite, output: &WrittenArticle) -> Vec<Problem> {
        let mut problems = Vec::new();
        if output.sections.is_empty() {
            problems.push(Problem::new("/sections", "the sections are missing"));
        }
        for (at, section) in output.sections.iter().enumerate() {
            if section.section >= input.sections.len() {
                problems.push(Problem::new(format!("/sections/{at}/section"), "there is no such section"));
            }
        }
        problems
    }

    fn rules(_input: &ToWrite) -> Option<WrittenArticle> {
        None
    }
}

/// Facts of one section that a prompt holds, at least, and the words of an article for which there is one more.
const PER_SECTION: usize = 24;
const WORDS_PER_FACT: usize = 60;

/// Lets a model write; none if there is none. `rules` is what rules would have written: its sections are the frame.
pub async fn ask(job: &Job<'_>, rules: &Draft) -> Result<Option<(Draft, Answerer)>, Trouble> {
    let input = job.read(to_write);
    let Some(answered) =
        put::<WriteArticle>(job, &job.assignment.roles.writer, "write", &input, true).await?
    else {
        return Ok(None);
    };
    let by = who(&answered);
    let first = job.read(|memory| gated(memory, &input, &answered.output, rules));
    if first.dropped.len() < MANY || first.dropped.len() * 5 < answered.output.count() {
        return Ok(Some((first, by)));
    }
    // Much of it was faithful in words the gate does not follow: the writer hears why and says it again.
    let problem = |dropped: &Dropped| format!("{} ({})", one_line(&dropped.text), one_line(&dropped.why));
    let input = ToWrite { problems: first.dropped.iter().map(problem).collect(), ..input };
    let again = put::<WriteArticle>(job, &job.assignment.roles.writer, "rewrite", &input, true).await?;
    let Some(again) = again else { return Ok(Some((first, by))) };
    let second = job.read(|memory| gated(memory, &input, &again.output, rules));
    let better = second.dropped.len() < first.dropped.len();
    Ok(Some((if better { second } else { first }, by)))
}

/// So many sentences that are not let through are worth another turn, if they are a fifth of all.
const MANY: usize = 4;

impl WrittenArticle {
    fn count(&self) -> usize {
        let body = self.sections.iter().flat_map(|section| &section.paragraphs).map(Vec::len).sum::<usize>();
        self.introduction.len() + body + self.conclusion.len()
    }
}

fn to_write(memory: &Memory) -> ToWrite {
    let (brief, facts) = (&memory.assignment.brief, memory.numbered());
    let references = References::all(&facts, brief.citation_style);
    let shown = |key: &String| facts.fact(key).map(|fact| ShownFact::of(fact, references.name(key)));
    let section = |(number, (heading, keys)): (usize, (String, Vec<String>))| ToFill {
        number,
        heading,
        facts: keys
            .iter()
            .take(PER_SECTION.max(brief.target_length / WORDS_PER_FACT))
            .filter_map(shown)
            .collect(),
    };
    ToWrite {
        topic: memory.assignment.words(&brief.topic),
        audience: memory.assignment.words(&brief.target_audience),
        tone: Words::typed(brief.tone.name()),
        words: brief.target_length,
        mind: Words::typed(memory.wish()),
        sections: crate::article::workers::outline(memory).into_iter().enumerate().map(section).collect(),
        problems: Vec::new(),
    }
}

/// The article as far as its facts carry it.
fn gated(memory: &Memory, input: &ToWrite, written: &WrittenArticle, rules: &Draft) -> Draft {
    let facts = memory.numbered();
    let mut gate = Reader { facts: &facts, said: Said::default(), used: HashSet::new(), dropped: Vec::new() };
    let introduction = gate.all(&written.introduction);
    let mut sections = Vec::new();
    for filled in &written.sections {
        let Some(wanted) = input.sections.get(filled.section) else { continue };
        let mut paragraphs = Vec::new();
        for paragraph in &filled.paragraphs {
            let before = gate.dropped.len();
            let mut sentences = gate.all(paragraph);
            for _ in before..gate.dropped.len() {
                sentences.extend(gate.instead(wanted));
            }
            if !sentences.is_empty() {
                paragraphs.push(Paragraph { sentences, table: None });
            }
        }
        if !paragraphs.is_empty() {
            sections.push(Section { heading: wanted.heading.clone(), paragraphs });
        }
    }
    let conclusion = gate.all(&written.conclusion);
    if sections.is_empty() {
        // Nothing of it held: what rules write does.
        return Draft { dropped: gate.dropped, ..rules.clone() };
    }
    let or_rules = |own: Vec<Sentence>, other: &[Sentence]| {
        if own.iter().any(Sentence::is_claim) { own } else { other.to_vec() }
    };
    Draft {
        title: rules.title.clone(),
        introduction: or_rules(introduction, &rules.introduction),
        sections,
        conclusion: or_rules(conclusion, &rules.conclusion),
        dropped: gate.dropped,
    }
}

/// Lets sentences through that their facts carry, each once.
pub struct Reader<'a> {
    /// The facts.
    pub facts: &'a Facts<'a>,
    /// What was said.
    pub said: Said,
    /// Keys that were used.
    pub used: HashSet<String>,
    /// What was not let through.
    pub dropped: Vec<Dropped>,
}

impl Reader<'_> {
    /// Those of the sentences that hold.
    pub fn all(&mut self, written: &[WrittenSentence]) -> Vec<Sentence> {
        written.iter().filter_map(|one| self.one(one)).collect()
    }

    fn one(&mut self, written: &WrittenSentence) -> Option<Sentence> {
        let text = without_labels(&written.text);
        let keys: Option<Vec<String>> = written
            .facts
            .iter()
            .map(|label| self.facts.labelled(label).map(|fact| fact.found.key().to_owned()))
            .collect();
        let mut drop = |why: String| {
            self.dropped.push(Dropped { text: text.clone(), why });
            None
        };
        let Some(keys) = keys else { return drop("it cites what does not exist".to_owned()) };
        if keys.is_empty() {
            return if is_about_the_article(&text) {
                Some(Sentence::frame(text))
            } else {
                drop("it cites nothing".to_owned())
            };
        }
        let sentence = Sentence::plain(closed(&text), keys.clone());
        match verdict(&sentence, self.facts) {
            Verdict::Carried { .. } if self.said.is_new(&sentence.claim) => {
                self.said.say(&sentence.claim);
                self.used.extend(keys);
                Some(sentence)
            }
            Verdict::Carried { .. } => None,
            Verdict::Contradicted { why, .. } | Verdict::NotCarried { why } => drop(why),
        }
    }

    /// The next fact of a section that was not used, in its own words.
    fn instead(&mut self, section: &ToFill) -> Option<Sentence> {
        let facts = section.facts.iter().filter_map(|shown| self.facts.labelled(&shown.label));
        let free = facts.filter(|fact| !self.used.contains(fact.found.key()) && !fact.superseded);
        let sentence = free.into_iter().find_map(|fact| {
            let claim = writing::sentence_of(&fact.found.fact.statement)?;
            let alone = !writing::points_back(&claim) && self.said.is_new(&claim);
            alone.then(|| (fact.found.key().to_owned(), claim))
        });
        let (key, claim) = sentence?;
        self.said.say(&claim);
        self.used.insert(key.clone());
        Some(writing::alone(&claim, &key, &writing::names(self.facts)))
    }
}

/// A sentence that speaks of the article and of nothing else: it names it, and has no number.
fn is_about_the_article(text: &str) -> bool {
    let lower = text.to_lowercase();
    let names = ["this article", "the following sections", "this text", "the sections below"];
    let plain = !text.chars().any(|letter| letter.is_ascii_digit()) && text.split_whitespace().count() <= 40;
    plain && names.iter().any(|name| lower.starts_with(name))
}

fn closed(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', '”', '"']) { text.to_owned() } else { format!("{text}.") }
}

/// Citations are written by the program: what a model put in brackets goes.
fn without_labels(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("[Fact-").or_else(|| rest.find("(Fact-")) {
        plain.push_str(rest[..at].trim_end());
        rest = rest[at..].split_once([']', ')']).map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
