//! ContentSynthesizer: themes of what was found, each with the sources that support it, in the order they are written
//! about: what was asked for as it was asked for, else the general before the particular and the old before the new.
//!
//! Given the facts; brings themes and the outline. A model, if there is one, names the themes.

use std::collections::{BTreeMap, HashSet};

use baton_agents::rules::themes::themes;
use baton_agents::rules::words::content_stems;

use super::output::Theme;
use super::writing::{Unit, units};
use super::{Job, Trouble, WorkerResult};
use crate::article::brief::Brief;
use crate::article::skills::name_themes;
use crate::citation::Facts;

/// Words that a section has, roughly.
const PER_SECTION: usize = 190;

/// Finds themes.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let found = job.read(|memory| find(&memory.assignment.brief, &memory.numbered()));
    if found.is_empty() {
        return Err(Trouble::Nothing("no fact was found that an article could be made of".to_owned()));
    }
    let (key_themes, by) = name_themes::ask(job, found).await?;
    Ok(WorkerResult::Themes { key_themes, by })
}

/// The themes of facts, by rules.
#[must_use]
pub fn find(brief: &Brief, facts: &Facts<'_>) -> Vec<Theme> {
    let (units, _) = units(facts, &brief.exclude_topics);
    let most = (brief.target_length / PER_SECTION).clamp(2, 8).max(brief.specific_sections.len());
    let (mut found, rest) = wished(brief, &units);
    if found.len() < most {
        // What stands under one heading of one source belongs together already.
        let mut blocks: BTreeMap<(&str, &str), Vec<&Unit>> = BTreeMap::new();
        for unit in rest {
            blocks.entry((&unit.source, &unit.heading)).or_default().push(unit);
        }
        let blocks: Vec<Vec<&Unit>> = blocks.into_values().collect();
        let text = |block: &Vec<&Unit>| {
            let all: Vec<String> = block.iter().map(|unit| unit.text()).collect();
            format!("{} {}", block[0].heading, all.join(" "))
        };
        let texts: Vec<String> = blocks.iter().map(text).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut groups: Vec<Vec<&Unit>> = themes(&texts, most - found.len())
            .into_iter()
            .map(|group| group.into_iter().flat_map(|at| blocks[at].iter().copied()).collect())
            .collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        gather(&mut groups, most - found.len());
        let mut named: HashSet<String> = found.iter().map(|theme| theme.theme.to_lowercase()).collect();
        let mut ordered: Vec<(f64, Theme)> = groups
            .into_iter()
            .filter(|group| group.iter().map(|unit| unit.words()).sum::<usize>() >= 25)
            .map(|group| {
                let name = name(&group, brief, &named);
                named.insert(name.to_lowercase());
                (rank(&group, brief), theme(name, &group))
            })
            .collect();
        ordered.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.extend(ordered.into_iter().map(|(_, theme)| theme));
    } else {
        // All sections are asked for: what is left goes where it fits best.
        for unit in rest {
            let own = content_stems(&unit.text());
            let fits = |theme: &Theme| content_stems(&theme.theme).intersection(&own).count();
            if let Some(theme) =
                found.iter_mut().max_by_key(|theme| fits(theme)).filter(|theme| fits(theme) > 0)
            {
                theme.facts.extend(unit.sentences.iter().map(|(key, _)| key.clone()));
            }
        }
    }
    found.retain(|theme| !theme.facts.is_empty());
    found
}

/// Themes that the brief asks for by name, and the units they leave.
fn wished<'u>(brief: &Brief, units: &'u [Unit]) -> (Vec<Theme>, Vec<&'u Unit>) {
    let names: Vec<&String> = brief.specific_sections.iter().chain(&brief.key_points).collect();
    let closings = ["introduction", "conclusion", "summary", "references"];
    let names: Vec<&String> =
        names.into_iter().filter(|name| !closings.contains(&name.to_lowercase().as_str())).collect();
    let mut of: BTreeMap<usize, Vec<&Unit>> = BTreeMap::new();
    let mut rest = Vec::new();
    for unit in units {
        let own = content_stems(&format!("{} {}", unit.heading, unit.text()));
        let share = |name: &String| {
            let wanted = content_stems(name);
            wanted.intersection(&own).count() as f64 / wanted.len().max(1) as f64
        };
        let best = names
            .iter()
            .enumerate()
            .map(|(at, name)| (at, share(name)))
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        match best {
            Some((at, share)) if share >= 0.5 => of.entry(at).or_default().push(unit),
            _ => rest.push(unit),
        }
    }
    let found = of.into_iter().map(|(at, units)| theme(names[at].clone(), &units)).collect();
    (found, rest)
}

/// What is left of groups that are too many goes to the one that shares most words with it, if any does.
fn gather(groups: &mut Vec<Vec<&Unit>>, most: usize) {
    let most = most.max(1);
    if groups.len() > most {
        let small = groups.split_off(most);
        let known: Vec<HashSet<String>> = groups
            .iter()
            .map(|group| group.iter().flat_map(|unit| content_stems(&unit.text())).collect())
            .collect();
        for unit in small.into_iter().flatten() {
            let own = content_stems(&unit.text());
            let shared = |at: &usize| own.intersection(&known[*at]).count();
            let best = (0..groups.len()).max_by_key(|at| (shared(at), std::cmp::Reverse(*at)));
            if let Some(at) = best.filter(|at| shared(at) > 0) {
                groups[at].push(unit);
            }
        }
    }
}

fn theme(name: String, units: &[&Unit]) -> Theme {
    let mut supporting_sources: Vec<String> = units.iter().map(|unit| unit.source.clone()).collect();
    supporting_sources.sort();
    supporting_sources.dedup();
    let facts = units.iter().flat_map(|unit| unit.sentences.iter().map(|(key, _)| key.clone())).collect();
    Theme { theme: name, supporting_sources, facts }
}

/// The heading most of the units stand under in their sources, else the first that is new, else the telling words.
fn name(units: &[&Unit], brief: &Brief, named: &HashSet<String>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for unit in units.iter().filter(|unit| good_heading(&unit.heading)) {
        *counts.entry(&unit.heading).or_default() += 1;
    }
    let topic = brief.topic.to_lowercase();
    let free = |heading: &&str| !named.contains(&heading.to_lowercase()) && heading.to_lowercase() != topic;
    let mut headings: Vec<(&str, usize)> = counts.into_iter().filter(|(heading, _)| free(heading)).collect();
    headings.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.len().cmp(&b.0.len())));
    if let Some((heading, _)) = headings.first() {
        return clean(heading);
    }
    let text: String = units.iter().map(|unit| unit.text()).collect::<Vec<_>>().join(" ");
    let phrases = baton_agents::rules::phrases::key_phrases(&text, 6);
    let phrase = phrases.iter().map(|phrase| phrase.text.as_str()).find(|text| free(text));
    let mut letters = phrase.unwrap_or("More about it").chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn good_heading(heading: &str) -> bool {
    let words = heading.split_whitespace().count();
    let letters = heading.chars().filter(|letter| letter.is_alphabetic()).count();
    (1..=9).contains(&words) && letters >= 4 && !heading.contains('|')
}

/// A heading without its number.
fn clean(heading: &str) -> String {
    let numbered = |word: &str| word.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    match heading.split_once(' ') {
        Some((first, rest)) if numbered(first) && !rest.is_empty() => rest.trim_end_matches(':').to_owned(),
        _ => heading.trim_end_matches(':').to_owned(),
    }
}

/// Where a theme comes: what is most about the topic itself first, then old before new.
fn rank(units: &[&Unit], brief: &Brief) -> f64 {
    let topic = content_stems(&brief.topic);
    let own: HashSet<String> = units.iter().flat_map(|unit| content_stems(&unit.text())).collect();
    let about = topic.intersection(&own).count() as f64 / topic.len().max(1) as f64;
    let mut years: Vec<i32> = units.iter().map(|unit| unit.year).filter(|year| *year > 0).collect();
    years.sort_unstable();
    let middle = years.get(years.len() / 2).copied().unwrap_or(2000);
    let digits =
        units.iter().filter(|unit| unit.text().chars().any(|letter| letter.is_ascii_digit())).count();
    let particular = digits as f64 / units.len().max(1) as f64;
    f64::from(middle) / 10.0 + 0.5 * particular - 0.5 * about
}
