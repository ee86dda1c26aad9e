//! Lines that stand under one heading of one source belong together already: a passage is a paragraph to be. What it is
//! worth to the brief is measured on its words, its headings and the title of its source.

use std::collections::{BTreeMap, HashSet};

use baton_agents::rules::words::{content_stems, fold};

use super::headings::stage;
use super::lines::Line;
use super::sentence::{listed, years};
use crate::article::brief::Brief;
use crate::article::numbering::unnumbered;
use crate::citation::Facts;

/// Bytes between two lines of which the second may lean on the first.
const NEXT: usize = 6;
/// Bytes without a line behind which another passage begins.
const FAR: usize = 900;
/// Below this share of the best passage a passage is not about the topic, where there is enough.
const LEAST: f64 = 0.45;
/// The same where there is not, and how many times the words of the article are enough.
const FLOOR: f64 = 0.3;
const SPARE: usize = 2;
/// How much less a passage may be worth whose source nobody has heard.
const OTHER: f64 = 0.7;

/// What a passage of one line counts beside others: a paragraph needs two.
const THIN: f64 = 0.7;
/// How many times the words that are wanted there must be without those of people who speak, to leave these out.
const PLENTY: usize = 2;

/// Lines of one source under one heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The source.
    pub source: String,
    /// The title of the source, without its number and its site.
    pub title: String,
    /// The heading right above it, without its number.
    pub heading: String,
    /// Its lines, in the order of the source. None leans on one that is not there.
    pub lines: Vec<Line>,
    /// What it is worth to the brief.
    pub worth: f64,
    /// The middle of the years its lines speak of; 0 if they speak of none.
    pub year: i32,
    /// Whether it stands at the beginning of its source.
    pub opens: bool,
    /// How near it is to each wish of the brief, 0 to 1.
    pub wished: Vec<f64>,
    /// Where it comes in the order of an article.
    pub stage: usize,
    /// Its place among the others, worthiest first.
    pub place: usize,
}

impl Passage {
    /// All its lines.
    #[must_use]
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// How near it is to the wish it is nearest to.
    #[must_use]
    pub fn asked(&self) -> f64 {
        self.wished.iter().copied().fold(0.0, f64::max)
    }

    /// Whether it helps a brief: where it asks for something, what does not answer that must be worth half of the worthiest.
    #[must_use]
    pub fn helps(&self, best: &Self) -> bool {
        self.wished.is_empty() || self.asked() >= ASKED || self.worth >= BESIDE * best.worth
    }

    /// Its words.
    #[must_use]
    pub fn words(&self) -> usize {
        self.lines.iter().map(Line::words).sum()
    }
}

/// The share of the worth of the best passage that one has at least that stands beside what was asked for, or ends an article.
pub const BESIDE: f64 = 0.5;

/// How much less a word of the topic counts that all of the material has.
const COMMON: f64 = 4.0;
/// The same of a wish: what it asks for beside its topic is in the words that few have.
const USUAL: f64 = 30.0;
/// What being near to a wish adds to the worth of a passage.
const WISHED: f64 = 0.45;

/// What the brief asks about.
pub struct Topic {
    /// Its words, each with what it counts: a name that stands everywhere tells nothing apart. They sum up to 1.
    stems: BTreeMap<String, f64>,
    /// The first letters of words of the topic, if the sources call it so, and the stems it stands for.
    short: Option<(String, HashSet<String>)>,
    /// What each wish names, the whole of it first: words, each with what it counts.
    wishes: Vec<Vec<BTreeMap<String, f64>>>,
}

impl Topic {
    /// The topic of a brief, as these lines speak of it.
    #[must_use]
    pub fn of(brief: &Brief, lines: &[Line]) -> Self {
        let own: Vec<HashSet<String>> =
            lines.iter().map(|line| content_stems(&format!("{} {}", line.heading, line.text))).collect();
        Self {
            stems: weights(&content_stems(&brief.topic), &own),
            short: short(&brief.topic, lines),
            wishes: wishes(brief)
                .map(|wish| aspects(wish).iter().map(|aspect| telling(aspect, &own)).collect())
                .collect(),
        }
    }

    /// The share of its words that a text has, 0 to 1; what few have counts more.
    #[must_use]
    pub fn share(&self, text: &str) -> f64 {
        let mut own = content_stems(text);
        if let Some((short, stems)) = &self.short
            && words_of(text).any(|word| word == short)
        {
            own.extend(stems.iter().cloned());
        }
        self.stems.iter().filter(|(stem, _)| own.contains(*stem)).map(|(_, weight)| weight).sum()
    }

    /// How near lines below this heading of a source of this title are to each wish of the brief, 0 to 1. What stands above
    /// them says what they are about, and a heading that says more is about something else; what they say is how much.
    fn wished(&self, title: &str, heading: &str, lines: &[Line]) -> Vec<f64> {
        let parts: Vec<&str> = heading.split(" > ").chain([title]).collect();
        let above: Vec<HashSet<String>> = parts.iter().map(|part| content_stems(&leaf(part))).collect();
        let right_above = parts.len().saturating_sub(2);
        let around = content_stems(&format!("{title} {heading}"));
        let own: Vec<HashSet<String>> = lines.iter().map(|line| content_stems(&line.text)).collect();
        let near = |aspect: &BTreeMap<String, f64>| {
            let share = |has: &dyn Fn(&String) -> bool| -> f64 {
                aspect.iter().filter(|(stem, _)| has(stem)).map(|(_, weight)| weight).sum()
            };
            let each =
                own.iter().map(|line| share(&|it| line.contains(it))).sum::<f64>() / own.len().max(1) as f64;
            let whole = share(&|it| around.contains(it) || own.iter().any(|line| line.contains(it)));
            let heads = |(at, stems): (usize, &HashSet<String>)| {
                let same = stems.iter().filter(|it| aspect.contains_key(*it)).count() as f64;
                let only = 0.5 + 0.5 * same / stems.len().max(1) as f64;
                share(&|it| stems.contains(it)) * only * if at == right_above { 1.0 } else { FARTHER }
            };
            let headed = above.iter().enumerate().map(heads).fold(0.0, f64::max);
            if whole < SPEAKS { 0.0 } else { 0.35 * headed + 0.25 * whole + 0.4 * each }
        };
        let nearest = |aspects: &Vec<BTreeMap<String, f64>>| {
            let counts = |(at, aspect)| near(aspect) * if at == 0 { 1.0 } else { ASPECT };
            aspects.iter().enumerate().map(counts).fold(0.0, f64::max)
        };
        self.wishes.iter().map(nearest).collect()
    }
}

/// What a heading counts that does not stand right above.
const FARTHER: f64 = 0.8;
/// What it counts to speak of one thing of several that a wish names.
const ASPECT: f64 = 0.8;
/// Words of wishes that say what is done with something, or that there are several of it.
const ANY: &str = "kind kinds type types sort sorts way ways many several choosing using dealing working getting making keeping handling understanding different various main basic basics";

/// The words of a wish, and of each thing it names, if it names several.
pub fn aspects(wish: &str) -> Vec<HashSet<String>> {
    let words: String =
        wish.split_whitespace().filter(|word| !listed(ANY, &fold(word))).collect::<Vec<_>>().join(" ");
    let whole = content_stems(&words);
    let parts: Vec<HashSet<String>> = words
        .split([',', ';', '/'])
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(" or "))
        .map(content_stems)
        .filter(|part| !part.is_empty())
        .collect();
    if whole.is_empty() {
        return vec![content_stems(wish)];
    }
    std::iter::once(whole)
        .chain(
            parts.into_iter().filter(|_| {
                words.contains([',', ';', '/']) || words.contains(" and ") || words.contains(" or ")
            }),
        )
        .collect()
}

/// From this nearness to a wish on a passage answers it.
pub const ASKED: f64 = 0.4;
/// The share of the words of a wish below which nothing is said about it.
const SPEAKS: f64 = 0.5;

/// What a brief asks for beside its topic.
pub fn wishes(brief: &Brief) -> impl Iterator<Item = &String> {
    let edges = |wish: &&String| {
        ["introduction", "conclusion", "summary", "references"].contains(&wish.to_lowercase().as_str())
    };
    let all = brief.specific_sections.iter().chain(&brief.key_points);
    all.filter(move |wish| !edges(wish) && !content_stems(wish).is_empty())
}

/// What each of these words counts beside the others, where texts have these: what few have counts more. They sum up to 1.
#[must_use]
pub fn weights(wanted: &HashSet<String>, texts: &[HashSet<String>]) -> BTreeMap<String, f64> {
    // A word that nobody has tells nothing apart either.
    weighed(wanted, texts, COMMON, 1.0)
}

/// The same of a wish. A word that nobody has is as telling as many: where it is all there is, nothing speaks of it.
#[must_use]
pub fn telling(wanted: &HashSet<String>, texts: &[HashSet<String>]) -> BTreeMap<String, f64> {
    weighed(wanted, texts, USUAL, 0.2)
}

fn weighed(
    wanted: &HashSet<String>,
    texts: &[HashSet<String>],
    common: f64,
    unknown: f64,
) -> BTreeMap<String, f64> {
    let counts = |stem: &String| {
        let with = texts.iter().filter(|stems| stems.contains(stem)).count();
        let share = if with == 0 { unknown } else { with as f64 / texts.len() as f64 };
        (stem.clone(), 1.0 / (1.0 + common * share))
    };
    let mut found: BTreeMap<String, f64> = wanted.iter().map(counts).collect();
    let sum: f64 = found.values().sum::<f64>().max(1e-9);
    found.values_mut().for_each(|weight| *weight /= sum);
    found
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// `WAL` for write-ahead logging, where the sources use it.
fn short(topic: &str, lines: &[Line]) -> Option<(String, HashSet<String>)> {
    let words: Vec<&str> = words_of(topic).collect();
    let windows =
        (3..=5).rev().flat_map(|length| words.windows(length).map(<[&str]>::to_vec).collect::<Vec<_>>());
    windows.into_iter().find_map(|window| {
        let name: String =
            window.iter().filter_map(|word| word.chars().next()).collect::<String>().to_uppercase();
        let users = lines.iter().filter(|line| words_of(&line.text).any(|word| word == name)).count();
        (users > 2 && users * 20 >= lines.len()).then(|| (name, content_stems(&window.join(" "))))
    })
}

/// The passages of lines, worthiest first. Those that are not about the topic are left out.
#[must_use]
pub fn passages(lines: &[Line], facts: &Facts<'_>, brief: &Brief) -> Vec<Passage> {
    let topic = Topic::of(brief, lines);
    let titles: BTreeMap<&str, &str> =
        facts.sources().iter().map(|card| (card.key(), card.source.title.as_str())).collect();
    let best = lines.iter().map(|line| line.score).fold(0.0, f64::max).max(1e-9);
    let mut found: Vec<Passage> = Vec::new();
    let mut own_stems: Vec<HashSet<String>> = Vec::new();
    let told: usize = lines.iter().filter(|line| !line.personal).map(Line::words).sum();
    let spoken = told < PLENTY * brief.target_length;
    for own in grouped(lines) {
        let Some(first) = own.first() else { continue };
        let title = titles.get(first.source.as_str()).copied().unwrap_or_default();
        // Somebody who speaks of what was asked for is heard.
        let asked = topic.wished(title, &first.heading, &own).into_iter().any(|wish| wish >= ASKED);
        let own = if asked { standing(own, |_| true) } else { standing_of(own, spoken) };
        let Some(first) = own.first() else { continue };
        let text: String = own.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ");
        let whole = topic.share(&format!("{title} {} {text}", first.heading));
        let count = own.len() as f64;
        let each = own.iter().map(|line| topic.share(&line.text)).sum::<f64>() / count;
        let near = own.iter().map(|line| line.score).sum::<f64>() / count / best;
        let wished = topic.wished(title, &first.heading, &own);
        let wish = wished.iter().copied().fold(0.0, f64::max);
        let thin = if own.len() < 2 { THIN } else { 1.0 };
        let titled = topic.share(title);
        let worth =
            (0.2 * titled + 0.25 * whole + 0.3 * each + 0.15 * near + WISHED * wish) * clarity(&text) * thin;
        own_stems.push(content_stems(&format!("{} {text}", leaf(&first.heading))));
        let mut years: Vec<i32> = own.iter().map(|line| line.year).filter(|year| *year > 0).collect();
        years.sort_unstable();
        let heading = leaf(&first.heading);
        found.push(Passage {
            source: first.source.clone(),
            title: leaf(title.split([':', '—', '|']).next().unwrap_or_default()),
            stage: stage(&heading, &text),
            heading,
            year: years.get(years.len() / 2).copied().unwrap_or(0),
            opens: first.start < 1_500,
            place: 0,
            wished,
            worth,
            lines: own,
        });
    }
    let kin = Kin::of(&found, &own_stems);
    for (passage, stems) in found.iter_mut().zip(&own_stems) {
        // What a wish asks for need not have the words that the topic is spoken of with.
        let wish = passage.asked();
        passage.worth *= (1.0 - KIN + KIN * kin.share(stems)).max(wish);
    }
    found.sort_by(|a, b| {
        b.worth
            .total_cmp(&a.worth)
            .then_with(|| (&a.source, a.lines[0].start).cmp(&(&b.source, b.lines[0].start)))
    });
    about_it(found, SPARE * brief.target_length, brief.min_sources)
}

/// What the words of the worthiest passages count for the others.
const KIN: f64 = 0.65;
/// Of how many passages, and how many words.
const BEST: usize = 8;
const WORDS: usize = 24;

/// Words that the passages nearest to the topic share and others seldom have: what the topic is spoken of with, where it
/// is not named again.
struct Kin {
    words: BTreeMap<String, f64>,
    /// What the passage that has most of them has.
    most: f64,
}

impl Kin {
    fn of(found: &[Passage], stems: &[HashSet<String>]) -> Self {
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by(|a, b| found[*b].worth.total_cmp(&found[*a].worth).then(a.cmp(b)));
        let best = &order[..order.len().min(BEST)];
        let mut with: BTreeMap<&str, usize> = BTreeMap::new();
        for stem in best.iter().flat_map(|at| &stems[*at]) {
            *with.entry(stem).or_default() += 1;
        }
        let weigh = |(stem, count): (&str, usize)| {
            let all = stems.iter().filter(|own| own.contains(stem)).count() as f64 / stems.len() as f64;
            let here = count as f64 / best.len() as f64;
            (stem.to_owned(), here * (here / all).ln().max(0.0))
        };
        let mut words: Vec<(String, f64)> =
            with.into_iter().filter(|(_, count)| *count > 1).map(weigh).collect();
        words.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        words.truncate(WORDS);
        let mut kin = Self { words: words.into_iter().collect(), most: 0.0 };
        kin.most = stems.iter().map(|own| kin.sum(own)).fold(0.0, f64::max);
        kin
    }

    fn sum(&self, own: &HashSet<String>) -> f64 {
        self.words.iter().filter(|(word, _)| own.contains(*word)).map(|(_, weight)| weight).sum()
    }

    /// How many of them a passage has, beside the one that has most.
    fn share(&self, own: &HashSet<String>) -> f64 {
        if self.most > 0.0 { (self.sum(own) / self.most).sqrt() } else { 1.0 }
    }
}

/// Those that are about the topic; where these are too few words, what is less so as well, down to what is not.
fn about_it(found: Vec<Passage>, words: usize, sources: usize) -> Vec<Passage> {
    let most = found.first().map_or(0.0, |passage| passage.worth);
    let mut there = 0;
    let mut heard: HashSet<String> = HashSet::new();
    let mut wanted = |passage: &Passage| {
        // Who was not heard yet may say less of it, while fewer were heard than were asked for.
        let other = heard.len() < sources && !heard.contains(&passage.source);
        let share = if there < words || other { FLOOR } else { LEAST };
        there += passage.words();
        let about = passage.worth >= share * if other { OTHER } else { 1.0 } * most;
        if about {
            heard.insert(passage.source.clone());
        }
        about
    };
    let about = found.into_iter().filter(|passage| wanted(passage));
    about.enumerate().map(|(place, passage)| Passage { place, ..passage }).collect()
}

/// Lines by source and heading, apart where much lies between them.
fn grouped(lines: &[Line]) -> Vec<Vec<Line>> {
    let mut groups: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        match groups.last_mut().and_then(|group| group.last().cloned().map(|last| (group, last))) {
            Some((group, last))
                if last.source == line.source
                    && last.heading == line.heading
                    && line.start <= last.end + FAR =>
            {
                group.push(line.clone());
            }
            _ => groups.push(vec![line.clone()]),
        }
    }
    groups
}

/// The lines that can stand. Somebody who speaks is left out beside others.
fn standing_of(lines: Vec<Line>, spoken: bool) -> Vec<Line> {
    let spoken = spoken && lines.iter().all(|line| line.personal);
    standing(lines, |line| spoken || !line.personal)
}

/// The lines that can stand: those that lean follow what they lean on.
fn standing(lines: Vec<Line>, fits: impl Fn(&Line) -> bool) -> Vec<Line> {
    let mut kept: Vec<Line> = Vec::new();
    let mut last: Option<usize> = None;
    for line in lines {
        let follows = last.is_some_and(|end| line.start <= end + NEXT);
        if (!line.leans || follows) && fits(&line) {
            last = Some(line.end);
            kept.push(line);
        } else {
            last = None;
        }
    }
    kept
}

/// Words of those who describe formats and interfaces field by field.
const PARTS: &str = "offset offsets byte bytes bit bits field fields parameter parameters argument arguments callback pointer struct \
integer unsigned hexadecimal api function functions";

/// Names of functions, files and parts say little to a reader: the more of them, the less a text is worth.
fn clarity(text: &str) -> f64 {
    let words: Vec<&str> = text.split_whitespace().collect();
    let code = |word: &&&str| {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let mixed = bare.contains(char::is_alphabetic) && bare.contains(|it: char| it.is_ascii_digit());
        let humped = bare.chars().skip(1).any(char::is_uppercase) && bare.chars().any(char::is_lowercase);
        bare.contains('_') || word.contains("()") || mixed || humped || listed(PARTS, &fold(bare))
    };
    let share = words.iter().filter(code).count() as f64 / words.len().max(1) as f64;
    1.0 - (2.5 * share).min(0.4)
}

/// Labels of boxes beside a text: "NOTE Extreme policies".
const LABELS: [&str; 14] = [
    "NOTE",
    "TIP",
    "HINT",
    "CAUTION",
    "WARNING",
    "IMPORTANT",
    "SECURITY",
    "VOCABULARY",
    "CULTURE",
    "ALTERNATIVE",
    "GOING FURTHER",
    "BACK TO BASICS",
    "IN PRACTICE",
    "QUICK LOOK",
];

fn unlabelled(heading: &str) -> &str {
    let label = |label: &&&str| {
        heading.get(..label.len()).is_some_and(|begins| {
            begins.eq_ignore_ascii_case(label) && begins.starts_with(label.get(..4).unwrap_or(label))
        })
    };
    let rest =
        LABELS.iter().find(label).map(|label| heading[label.len()..].trim_start_matches([':', ' ', '—']));
    rest.filter(|rest| rest.starts_with(char::is_uppercase)).unwrap_or(heading)
}

/// The last of the headings, without its number, its date and what stands behind it in brackets.
#[must_use]
pub fn leaf(heading: &str) -> String {
    let last = heading.rsplit(" > ").next().unwrap_or_default().trim().trim_end_matches([':', '¶', '#']);
    let plain = unnumbered(unlabelled(last));
    let numbered = |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_digit());
    let plain = match plain.split_once(' ') {
        Some((first, rest)) if numbered(first) && first.len() < 4 && !rest.is_empty() => rest.trim(),
        _ => plain,
    };
    // "March 2001: a fire", "Buzz (June 1996)".
    let plain = match plain.split_once(": ") {
        Some((date, rest)) if !years(date).is_empty() && date.split(' ').count() <= 3 => rest.trim(),
        _ => plain,
    };
    match plain.split_once(" (") {
        Some((name, bracket)) if bracket.ends_with(')') => name.trim().to_owned(),
        _ => plain.trim().to_owned(),
    }
}
