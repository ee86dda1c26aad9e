//! From passages to the shape of an article: what opens it, what its sections are and in which order, what closes it. A
//! section is made around one passage that is worth much and unlike the others; what is like it joins it, and what is like
//! none stays out.

use std::collections::{BTreeSet, HashSet};

use baton_agents::rules::phrases::key_phrases;
use baton_agents::rules::themes::likenesses;
use baton_agents::rules::words::{content_stems, overlap};

use super::headings::{calm, is_telling, names_something, stage};
use super::passages::{ASKED, Passage, Topic, wishes};
use crate::article::brief::Brief;
use crate::article::draft::capital;

/// Words that a section has, roughly.
const PER_SECTION: f64 = 165.0;
/// The share of the words that the body gets.
pub const BODY: f64 = 0.82;
/// Below this likeness a passage does not belong to a section.
pub const NEAR: f64 = 0.06;
/// Below this nothing else makes it belong.
const UNLIKELY: f64 = 0.03;
/// What likeness to a section that is there already costs a passage that would make another.
const UNLIKE: f64 = 0.7;
/// What likeness to others that could join it adds to a passage.
const CENTRAL: f64 = 1.0;
/// What standing at the same place in the order of an article adds to the likeness of a passage and a section: what
/// speaks of money belongs to what speaks of money, whatever other words they share.
const SAME_STAGE: f64 = 0.08;
/// What the same heading of the same source adds to it.
const SAME_HEADING: f64 = 0.5;
/// What a source that nobody has cited yet adds, while sources are missing.
const NEW_SOURCE: f64 = 0.12;

/// A section to be: its heading, and its passages by their places, the one that names it first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The heading.
    pub heading: String,
    /// Its passages.
    pub passages: Vec<usize>,
}

/// The shape of an article.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// The passage that opens it.
    pub opening: Option<usize>,
    /// Passages that look ahead and close it.
    pub closing: Vec<usize>,
    /// Its sections, in order.
    pub sections: Vec<Planned>,
    /// The headings of the wishes of the brief, in their order.
    wishes: Vec<String>,
    /// How alike any two passages are.
    alike: Vec<Vec<f64>>,
}

impl Shape {
    /// How near a passage is to those of a section, by their places, the one that names it first. To what was wished for
    /// belongs only what speaks of it, and what stands beside that.
    #[must_use]
    pub fn nearness(&self, passages: &[Passage], at: usize, heading: &str, section: &[usize]) -> f64 {
        match self.wishes.iter().position(|wish| wish == heading) {
            Some(wish) => {
                let wished = passages[at].wished[wish];
                let beside = section.iter().any(|other| is_beside(&passages[at], &passages[*other]));
                if wished >= ASKED {
                    wished
                } else if beside {
                    NEAR
                } else {
                    0.0
                }
            }
            None => nearness(passages, &self.alike, at, section),
        }
    }
}

/// Whether two passages stand under one heading of one source.
fn is_beside(one: &Passage, other: &Passage) -> bool {
    one.source == other.source && !one.heading.is_empty() && one.heading == other.heading
}

fn nearness(passages: &[Passage], alike: &[Vec<f64>], at: usize, section: &[usize]) -> f64 {
    let Some(seed) = section.first().copied() else { return 0.0 };
    let all: f64 = section.iter().map(|other| alike[at][*other]).sum();
    let staged = if passages[at].stage == passages[seed].stage { SAME_STAGE } else { 0.0 };
    // The rest of what a source says under one heading stands beside it.
    let headed = if is_beside(&passages[at], &passages[seed]) { SAME_HEADING } else { 0.0 };
    let alike = 0.5 * alike[at][seed] + 0.5 * all / section.len() as f64;
    // Standing at the same place in the order of an article joins nothing that has no word in common.
    if alike < UNLIKELY && headed == 0.0 { 0.0 } else { alike + staged + headed }
}

/// The shape these passages give an article. `names` are words that stand large inside sentences.
#[must_use]
pub fn shape(passages: &[Passage], topic: &Topic, brief: &Brief, names: &HashSet<String>) -> Shape {
    // Of little there is no telling what is a beginning and what is an end.
    let few = passages.len() < 4;
    let closing = if few { Vec::new() } else { closing(passages) };
    let opening = if few { None } else { opening(passages, topic, &closing) };
    let mut used: BTreeSet<usize> = opening.iter().chain(&closing).copied().collect();
    let alike = alike(passages);
    let body = brief.target_length as f64 * BODY;
    let wishes: Vec<String> = wishes(brief).map(|wish| capital(wish)).collect();
    let (mut sections, left) = wished(passages, &wishes, body, &mut used);
    let wished = sections.len();
    if let Some(best) = passages.first() {
        used.extend((0..passages.len()).filter(|at| !passages[*at].helps(best)));
    }
    // What was asked for is written about; other sections are for the words that it does not fill.
    let most = ((left / PER_SECTION).round() as usize).clamp(if wished > 1 { 0 } else { 2 }, 8) + wished;
    while sections.len() < most.min(8.max(wished)) {
        let full = |passage: &Passage| passage.lines.len() > 1 && passage.words() >= 30;
        let first = sections.is_empty();
        let found = seed(passages, &sections, &alike, &used, &full);
        let Some(seed) = found.or_else(|| seed(passages, &sections, &alike, &used, &|_| first)) else {
            break;
        };
        used.insert(seed);
        sections.push(Planned { heading: String::new(), passages: vec![seed] });
    }
    let mut late = sections.split_off(wished);
    join(passages, brief, &alike, &mut late, &mut used);
    name(passages, brief, names, &wishes, &mut late);
    gather(passages, &alike, &mut late);
    let mut late: Vec<((usize, i32, usize), Planned)> = late
        .into_iter()
        .enumerate()
        .map(|(at, section)| {
            let seed = &passages[section.passages[0]];
            let own = if section.heading == seed.heading {
                seed.stage
            } else {
                stage(&section.heading, &seed.text())
            };
            ((own, seed.year, at), section)
        })
        .collect();
    late.sort_by_key(|(key, _)| *key);
    sections.extend(late.into_iter().map(|(_, section)| section));
    Shape { opening, closing, sections, wishes, alike }
}

/// How alike passages are; what stands above them counts twice.
fn alike(passages: &[Passage]) -> Vec<Vec<f64>> {
    let texts: Vec<String> = passages.iter().map(|it| format!("{} {}", it.heading, it.text())).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    likenesses(&texts)
}

/// The passage that tells where it all comes from: about the topic, general, early in its source, old.
fn opening(passages: &[Passage], topic: &Topic, closing: &[usize]) -> Option<usize> {
    let years = passages.iter().map(|it| it.year).filter(|year| *year > 0);
    let oldest = years.min().unwrap_or(0);
    let names = |passage: &Passage| {
        topic.share(&passage.lines.iter().take(2).map(|it| it.text.as_str()).collect::<Vec<_>>().join(" "))
    };
    let value = |passage: &Passage| {
        let first = passage.stage == 0;
        let young = if passage.year > 0 { f64::from(passage.year - oldest) * 0.03 } else { 0.0 }.min(YOUNG);
        passage.worth
            + 0.3 * names(passage)
            + DEFINES * f64::from(u8::from(defines(&passage.lines[0].text, topic)))
            + 0.2 * f64::from(u8::from(first))
            + ORIGIN * f64::from(u8::from(tells_origin(&passage.lines[0].text)))
            + 0.2 * f64::from(u8::from(passage.opens))
            - young
    };
    let looks_ahead = |passage: &Passage| passage.lines.iter().take(3).any(|line| line.ahead);
    let fits = |at: &usize| {
        let passage = &passages[*at];
        // What answers a wish has its section.
        let free = passage.asked() < ASKED || defines(&passage.lines[0].text, topic);
        let whole = passage.words() >= 20 && !passage.lines[0].personal;
        free && whole && !closing.contains(at) && !looks_ahead(passage)
    };
    // What does not name the topic at once opens nothing, where something else does.
    let most = (0..passages.len()).filter(fits).map(|at| names(&passages[at])).fold(0.0, f64::max);
    (0..passages.len())
        .filter(fits)
        .filter(|at| names(&passages[*at]) >= 0.45 * most || defines(&passages[*at].lines[0].text, topic))
        .max_by(|a, b| value(&passages[*a]).total_cmp(&value(&passages[*b])).then(b.cmp(a)))
}

/// What being young costs at most: the history of a program is no opening only because it is old.
const YOUNG: f64 = 0.15;
/// What telling how it began adds.
const ORIGIN: f64 = 0.2;

/// Whether a sentence tells how something began.
fn tells_origin(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    [
        "began",
        "begun",
        "founded",
        "first introduced",
        "was created",
        "was invented",
        "originated",
        "was established",
        "was started",
    ]
    .iter()
    .any(|sign| lower.contains(sign))
}

/// What saying what the topic is adds to a passage that could open.
const DEFINES: f64 = 0.4;

/// Whether a sentence says what something of the topic is: "Borg is a deduplicating backup program".
fn defines(sentence: &str, topic: &Topic) -> bool {
    let is = [" is a ", " is an ", " is the ", " are the "];
    let subject = is.iter().find_map(|is| sentence.split_once(is)).map(|(subject, _)| subject);
    subject.is_some_and(|subject| subject.split(' ').count() <= 6 && topic.share(subject) > 0.0)
}

/// The two passages that look ahead most.
fn closing(passages: &[Passage]) -> Vec<usize> {
    let ahead = |passage: &Passage| passage.lines.iter().filter(|line| line.ahead && !line.personal).count();
    let share = |passage: &Passage| ahead(passage) as f64 / passage.lines.len() as f64;
    let mut found: Vec<usize> =
        (0..passages.len()).filter(|at| ahead(&passages[*at]) > 0 && share(&passages[*at]) >= 0.5).collect();
    found.sort_by(|a, b| {
        let plans = |at: usize| {
            usize::from(stage(&passages[at].heading, "") == 6 && !passages[at].heading.is_empty())
        };
        (plans(*b), ahead(&passages[*b])).cmp(&(plans(*a), ahead(&passages[*a]))).then(a.cmp(b))
    });
    found.truncate(2);
    found
}

/// A section for each wish that passages answer, those nearest to it first, and how many words are left.
fn wished(
    passages: &[Passage],
    wishes: &[String],
    words: f64,
    used: &mut BTreeSet<usize>,
) -> (Vec<Planned>, f64) {
    let mut sections: Vec<Planned> = Vec::new();
    let room = words / wishes.len().max(1) as f64 * 1.5;
    let mut left = words;
    for (wish, heading) in wishes.iter().enumerate() {
        let near = |at: usize| passages[at].wished[wish];
        let nearest = |at: usize| passages[at].wished.iter().all(|other| *other <= near(at));
        let mut own: Vec<usize> = (0..passages.len())
            .filter(|at| !used.contains(at) && near(*at) >= ASKED && nearest(*at))
            .collect();
        let value = |at: usize| near(at) + 0.2 * passages[at].worth;
        own.sort_by(|a, b| value(*b).total_cmp(&value(*a)).then(a.cmp(b)));
        if own.is_empty() {
            continue;
        }
        left -= (own.iter().map(|at| passages[*at].words()).sum::<usize>() as f64).min(room);
        used.extend(&own);
        sections.push(Planned { heading: heading.clone(), passages: own });
    }
    (sections, left.max(0.0))
}

/// The passage that is worth most and unlike what is there.
fn seed(
    passages: &[Passage],
    sections: &[Planned],
    alike: &[Vec<f64>],
    used: &BTreeSet<usize>,
    fits: &dyn Fn(&Passage) -> bool,
) -> Option<usize> {
    let value = |at: usize| {
        let passage = &passages[at];
        let like = sections.iter().map(|it| alike[at][it.passages[0]]).fold(0.0, f64::max);
        let telling = if is_telling(&passage.heading) { 0.1 } else { 0.0 };
        let full = (passage.words() as f64 / 400.0).min(0.15);
        // What many passages are like is worth a section.
        let mut near: Vec<f64> = (0..passages.len())
            .filter(|it| *it != at && !used.contains(it))
            .map(|it| alike[at][it])
            .collect();
        near.sort_by(|a, b| b.total_cmp(a));
        let central: f64 = near.iter().take(5).sum::<f64>() / 5.0;
        passage.worth + telling + full + CENTRAL * central - UNLIKE * like
    };
    let same = |at: usize| {
        let heading = content_stems(&passages[at].heading);
        sections.iter().any(|it| {
            let other = content_stems(&passages[it.passages[0]].heading);
            !heading.is_empty() && overlap(&heading, &other) > 0.6
        })
    };
    (0..passages.len())
        .filter(|at| !used.contains(at) && fits(&passages[*at]) && !same(*at))
        .max_by(|a, b| value(*a).total_cmp(&value(*b)).then(b.cmp(a)))
}

/// Lets passages join the section they are most like, while it has room.
fn join(
    passages: &[Passage],
    brief: &Brief,
    alike: &[Vec<f64>],
    sections: &mut [Planned],
    used: &mut BTreeSet<usize>,
) {
    if sections.is_empty() {
        return;
    }
    let room = brief.target_length as f64 * BODY / sections.len() as f64 * 2.0;
    let words =
        |section: &Planned| section.passages.iter().map(|at| passages[*at].words()).sum::<usize>() as f64;
    let mut cited: BTreeSet<&str> = used.iter().map(|at| passages[*at].source.as_str()).collect();
    let mut left: Vec<usize> = (0..passages.len()).filter(|at| !used.contains(at)).collect();
    while !left.is_empty() {
        let missing = cited.len() < brief.min_sources;
        let value = |at: usize| {
            let new = missing && !cited.contains(passages[at].source.as_str());
            passages[at].worth + if new { NEW_SOURCE } else { 0.0 }
        };
        let Some(place) =
            (0..left.len()).max_by(|a, b| value(left[*a]).total_cmp(&value(left[*b])).then(b.cmp(a)))
        else {
            break;
        };
        let at = left.remove(place);
        let like = |section: &Planned| nearness(passages, alike, at, &section.passages);
        let best = (0..sections.len())
            .filter(|it| words(&sections[*it]) < room)
            .max_by(|a, b| like(&sections[*a]).total_cmp(&like(&sections[*b])).then(b.cmp(a)));
        if let Some(it) = best.filter(|it| like(&sections[*it]) >= NEAR) {
            sections[it].passages.push(at);
            cited.insert(&passages[at].source);
            used.insert(at);
        }
    }
}

/// What has no name is no section: its passages join those it is most like. Where nothing has a name, all is one.
fn gather(passages: &[Passage], alike: &[Vec<f64>], sections: &mut Vec<Planned>) {
    if sections.iter().all(|section| section.heading.is_empty()) {
        let all: Vec<usize> = sections.iter().flat_map(|section| section.passages.clone()).collect();
        *sections = vec![Planned { heading: "What the sources say".to_owned(), passages: all }];
        sections.retain(|section| !section.passages.is_empty());
        return;
    }
    let (named, nameless): (Vec<Planned>, Vec<Planned>) =
        std::mem::take(sections).into_iter().partition(|section| !section.heading.is_empty());
    *sections = named;
    for at in nameless.into_iter().flat_map(|section| section.passages) {
        let near = |it: &usize| nearness(passages, alike, at, &sections[*it].passages);
        let best = (0..sections.len()).max_by(|a, b| near(a).total_cmp(&near(b)).then(b.cmp(a)));
        if let Some(best) = best {
            sections[best].passages.push(at);
        }
    }
}

/// Passages of a section that give it its name.
const NAMING: usize = 4;
/// How many times its own words count for the heading of the first passage.
const FIRST: f64 = 1.5;

/// The heading of a section's passages that says most of what they say: a short remark in front does not name what is
/// mostly about something else.
fn fitting<'a>(
    passages: &'a [Passage],
    section: &Planned,
    most: usize,
    free: &dyn Fn(&&str) -> bool,
) -> Option<&'a str> {
    let own: Vec<&Passage> = section.passages.iter().take(most).map(|at| &passages[*at]).collect();
    let value = |heading: &str| -> f64 {
        let stems = content_stems(heading);
        let says = |passage: &&Passage| {
            let under = passage.heading == heading;
            let theirs = content_stems(&passage.text());
            let share = stems.intersection(&theirs).count() as f64 / stems.len().max(1) as f64;
            passage.words() as f64 * if under { 1.0 } else { share * 0.5 }
        };
        let first = own.first().is_some_and(|passage| passage.heading == heading);
        own.iter().map(says).sum::<f64>() * if first { FIRST } else { 1.0 }
    };
    let headings: Vec<&str> = own.iter().map(|it| it.heading.as_str()).filter(|it| free(it)).collect();
    (0..headings.len())
        .max_by(|a, b| value(headings[*a]).total_cmp(&value(headings[*b])).then(b.cmp(a)))
        .map(|at| headings[at])
}

/// Headings: what most of the section stands under, else what its source is called, else what the words say. Each once.
fn name(
    passages: &[Passage],
    brief: &Brief,
    names: &HashSet<String>,
    wishes: &[String],
    sections: &mut [Planned],
) {
    let mut taken: HashSet<String> = wishes.iter().map(|wish| wish.to_lowercase()).collect();
    taken.insert(brief.topic.to_lowercase());
    for section in sections.iter_mut().filter(|section| section.heading.is_empty()) {
        let free = |heading: &&str| is_telling(heading) && !taken.contains(&heading.to_lowercase());
        let found = fitting(passages, section, NAMING, &free)
            .or_else(|| fitting(passages, section, usize::MAX, &free))
            .map(|heading| calm(heading, names));
        let text: String =
            section.passages.iter().map(|at| passages[*at].text()).collect::<Vec<_>>().join(" ");
        let topic = content_stems(&brief.topic);
        let phrase = || {
            let phrases = key_phrases(&text, 40);
            let lower = text.to_lowercase();
            // What is said once is not what a section is about, and behind a verb something follows.
            let acts =
                |it: &str| ["a", "an", "the"].iter().any(|next| lower.contains(&format!("{it} {next} ")));
            let often = phrases.iter().filter(|it| it.count > 1 && !acts(&it.text.to_lowercase()));
            let new = often.map(|it| it.text.as_str()).find(|it| {
                !content_stems(it).is_subset(&topic)
                    && !it.contains(|letter: char| letter.is_ascii_digit())
                    && it.split(' ').count() <= 4
                    && names_something(it)
                    // One word alone says little, and a month or somebody's name says nothing.
                    && (it.contains(' ') || (it.len() > 6 && !it.starts_with(char::is_uppercase)))
                    && !taken.contains(&it.to_lowercase())
            });
            new.map(str::to_owned)
        };
        let titled = || {
            let title = &passages[section.passages[0]].title;
            let fits = is_telling(title) && !taken.contains(&title.to_lowercase());
            let own = content_stems(title);
            (fits && !own.is_subset(&topic)).then(|| calm(title, names))
        };
        let Some(heading) = found.or_else(titled).or_else(phrase) else { continue };
        let heading = capital(&heading);
        taken.insert(heading.to_lowercase());
        section.heading = heading;
    }
}
