//! Skill: the article from facts, closed world. What its facts do not carry is dropped, and one of these facts stands there
//! instead, in its own words.

use std::collections::HashSet;

use baton_agents::rules::words::{content_stems, overlap};
use baton_agents::skill::{Answerer, Piece, Problem, Skill, Vars, Words, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reader::{Place, Reader};
use super::{ShownFact, WrittenSentence, put, who};
use crate::article::Memory;
use crate::article::bibliography::References;
use crate::article::draft::{Draft, Paragraph, Section, Sentence};
use crate::article::workers::writing::Said;
use crate::article::workers::{Job, Trouble, writing};
use crate::citation::{Dropped, Facts, NumberedFact};

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
    /// Facts that belong to no section, for the opening, the closing or wherever they fit.
    #[serde(default)]
    pub more: Vec<ShownFact>,
    /// The draft before, a line for each sentence; empty the first time.
    #[serde(default)]
    pub draft: Vec<String>,
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
        if !input.more.is_empty() {
            let lines: Vec<String> = input.more.iter().map(ShownFact::line).collect();
            pieces.push(Piece::new("more", lines.join("\n"), u8::MAX));
        }
        if !input.draft.is_empty() {
            pieces.push(Piece::new("draft", input.draft.join("\n"), 0));
        }
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
/// Words of an article for which one fact is shown, in all.
const WORDS_FOR_ONE: usize = 10;
/// The share of its words that a fact must share with a section to be shown under it.
const NEAR: f64 = 0.4;

/// Lets a model write; none if there is none. `rules` is what rules would have written: its sections are the frame.
pub async fn ask(job: &Job<'_>, rules: &Draft) -> Result<Option<(Draft, Answerer)>, Trouble> {
    let input = job.read(to_write);
    // Without a section there is nothing that an answer could fill.
    if input.sections.is_empty() {
        return Ok(None);
    }
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
    let problems = first.dropped.iter().map(problem).collect();
    // Whoever is asked again remembers nothing.
    let input = ToWrite { problems, draft: answered.output.lines(), ..input };
    let again = put::<WriteArticle>(job, &job.assignment.roles.writer, "rewrite", &input, true).await?;
    let Some(again) = again else { return Ok(Some((first, by))) };
    let second = job.read(|memory| gated(memory, &input, &again.output, rules));
    let better = second.dropped.len() < first.dropped.len();
    Ok(Some((if better { second } else { first }, by)))
}

/// So many sentences that are not let through are worth another turn, if they are a fifth of all.
const MANY: usize = 4;

impl WrittenArticle {
    /// A line for each sentence, with the part it stands in and the facts it names.
    fn lines(&self) -> Vec<String> {
        let line = |part: &str, one: &WrittenSentence| {
            format!("{part}: {} [{}]", one_line(&one.text), one.facts.join(", "))
        };
        let edge = |part: &'static str, own: &[WrittenSentence]| -> Vec<String> {
            own.iter().map(|one| line(part, one)).collect()
        };
        let mut lines = edge("introduction", &self.introduction);
        for section in &self.sections {
            for (at, paragraph) in section.paragraphs.iter().enumerate() {
                let part = format!("section {}, paragraph {}", section.section, at + 1);
                lines.extend(paragraph.iter().map(|one| line(&part, one)));
            }
        }
        lines.extend(edge("conclusion", &self.conclusion));
        lines
    }

    fn count(&self) -> usize {
        let body = self.sections.iter().flat_map(|section| &section.paragraphs).map(Vec::len).sum::<usize>();
        self.introduction.len() + body + self.conclusion.len()
    }
}

fn to_write(memory: &Memory) -> ToWrite {
    let (brief, facts) = (&memory.assignment.brief, memory.numbered());
    let references = References::all(&facts, brief.citation_style);
    let shown = |key: &String| facts.fact(key).map(|fact| ShownFact::of(fact, references.name(key)));
    let most = PER_SECTION.max(brief.target_length / WORDS_PER_FACT);
    let section = |(number, (heading, keys)): (usize, (String, Vec<String>))| ToFill {
        number,
        heading,
        facts: keys.iter().take(most).filter_map(shown).collect(),
    };
    let mut sections: Vec<ToFill> =
        crate::article::workers::outline(memory).into_iter().enumerate().map(section).collect();
    let more = spread(&facts, &mut sections, most, brief.target_length / WORDS_FOR_ONE, &shown);
    ToWrite {
        topic: memory.assignment.words(&brief.topic),
        audience: memory.assignment.words(&brief.target_audience),
        tone: Words::typed(brief.tone.name()),
        words: prose(brief.target_length, &references),
        mind: Words::typed(memory.wish()),
        sections,
        more,
        draft: Vec::new(),
        problems: Vec::new(),
    }
}

/// Words of a sentence, roughly.
const PER_SENTENCE: f64 = 16.0;

/// The words that are left for prose: citations are words of the article as well, and the program writes them.
fn prose(target: usize, references: &References<'_>) -> usize {
    let marks = references.marks_of_all();
    let words: usize = marks.iter().map(|mark| mark.split_whitespace().count()).sum();
    let each = words as f64 / marks.len().max(1) as f64;
    let left = target as f64 * PER_SENTENCE / (PER_SENTENCE + each);
    (left / 10.0).round() as usize * 10
}

/// Gives each section further facts that are near it, and brings those that are near none. Rules fill their sections with
/// whole passages; whoever writes sentences of their own can use a single fact as well.
fn spread(
    facts: &Facts<'_>,
    sections: &mut [ToFill],
    most: usize,
    in_all: usize,
    shown: &dyn Fn(&String) -> Option<ShownFact>,
) -> Vec<ShownFact> {
    let mut said = Said::default();
    let mut stems: Vec<HashSet<String>> = Vec::new();
    for section in sections.iter() {
        section.facts.iter().for_each(|fact| said.say(&fact.quote));
        let quotes: Vec<&str> = section.facts.iter().map(|fact| fact.quote.as_str()).collect();
        stems.push(content_stems(&format!("{} {}", section.heading, quotes.join(" "))));
    }
    let mut left = in_all.saturating_sub(sections.iter().map(|section| section.facts.len()).sum());
    let mut more = Vec::new();
    let mut free: Vec<&NumberedFact<'_>> = facts.all().iter().filter(|fact| !fact.superseded).collect();
    free.sort_by(|a, b| b.found.score.total_cmp(&a.found.score).then(a.number.cmp(&b.number)));
    for fact in free {
        let statement = &fact.found.fact.statement;
        if left == 0 {
            break;
        }
        if writing::sentence_of(statement).is_none() || !said.is_new(statement) {
            continue;
        }
        let Some(one) = shown(&fact.found.key().to_owned()) else { continue };
        said.say(statement);
        left -= 1;
        let own = content_stems(statement);
        let near = |at: usize| overlap(&own, &stems[at]);
        let open = (0..sections.len()).filter(|at| sections[*at].facts.len() < most);
        match open.max_by(|a, b| near(*a).total_cmp(&near(*b)).then(b.cmp(a))) {
            Some(at) if near(at) >= NEAR => sections[at].facts.push(one),
            _ => more.push(one),
        }
    }
    more
}

/// The article as far as its facts carry it.
fn gated(memory: &Memory, input: &ToWrite, written: &WrittenArticle, rules: &Draft) -> Draft {
    let facts = memory.numbered();
    let mut gate = Reader::new(&facts);
    // All of it is read before anything is put in the place of what was lost: what stands in a place must not take the
    // words of a sentence that follows.
    let introduction = gate.all(&written.introduction);
    let body: Vec<(&ToFill, Vec<Vec<Place>>)> = written
        .sections
        .iter()
        .filter_map(|filled| Some((input.sections.get(filled.section)?, filled)))
        .map(|(wanted, filled)| (wanted, filled.paragraphs.iter().map(|one| gate.all(one)).collect()))
        .collect();
    let conclusion = gate.all(&written.conclusion);
    let introduction = gate.settled(introduction);
    let mut sections: Vec<Section> = Vec::new();
    for (wanted, paragraphs) in body {
        let settled = paragraphs.into_iter().map(|places| gate.paragraph(places, &wanted.facts));
        let full = settled.filter(|sentences| !sentences.is_empty());
        let paragraphs: Vec<Paragraph> = full.map(|sentences| Paragraph { sentences, table: None }).collect();
        if !paragraphs.is_empty() {
            sections.push(Section { heading: wanted.heading.clone(), paragraphs });
        }
    }
    let conclusion = gate.settled(conclusion);
    if sections.is_empty() {
        // Nothing of it held: what rules write does.
        return Draft { dropped: gate.dropped, ..rules.clone() };
    }
    let or_rules = |own: Vec<Sentence>, other: &[Sentence]| {
        if own.iter().any(Sentence::is_claim) { own } else { unsaid(other, &gate.said) }
    };
    Draft {
        title: rules.title.clone(),
        introduction: or_rules(introduction, &rules.introduction),
        sections,
        conclusion: or_rules(conclusion, &rules.conclusion),
        dropped: gate.dropped,
    }
}

/// Sentences of rules beside a text that may have said the same: all of them if it has not, else those that are new.
fn unsaid(sentences: &[Sentence], said: &Said) -> Vec<Sentence> {
    let is_new = |sentence: &&Sentence| said.is_new(&sentence.claim);
    let claims = || sentences.iter().filter(|sentence| sentence.is_claim());
    if claims().all(|sentence| is_new(&sentence)) {
        return sentences.to_vec();
    }
    // What leads from one to the next leads nowhere when one is gone.
    claims().filter(is_new).map(|sentence| Sentence { lead: None, ..sentence.clone() }).collect()
}
