//! From many lists of hits to one: what the rules of a run exclude goes, hits of one document become one [`Lead`], and
//! leads are ranked by reciprocal rank, so that a provider's own scores need not be comparable.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::identity::Identity;
use super::web::{Found, LeftOut};
use super::{Hit, Location};
use crate::evidence::source::{Authority, Tier};
use crate::rules::dates::{self, Date};

/// Dampens the lead of first places; the usual value.
const RANK_DAMPING: f64 = 60.0;

/// Which sources a run wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceRules {
    /// Only these hosts and what is below them; empty for all.
    pub allow: Vec<String>,
    /// Never these hosts nor what is below them.
    pub block: Vec<String>,
    /// Not older.
    pub since: Option<Date>,
    /// Not younger.
    pub until: Option<Date>,
    /// Whether a hit without a date passes a range of dates.
    pub undated: bool,
    /// The weakest class of sources that is used.
    pub weakest: Tier,
}

impl Default for SourceRules {
    fn default() -> Self {
        Self {
            allow: Vec::new(),
            block: Vec::new(),
            since: None,
            until: None,
            undated: true,
            weakest: Tier::Three,
        }
    }
}

impl SourceRules {
    /// Why a hit is not wanted; none if it is.
    #[must_use]
    pub fn objection(&self, hit: &Hit) -> Option<String> {
        let host = host(&hit.location);
        let within = |list: &[String]| list.iter().find(|name| is_below(&host, name)).cloned();
        if let Some(name) = within(&self.block) {
            return Some(format!("{name} is on the block list"));
        }
        if !self.allow.is_empty() && within(&self.allow).is_none() {
            return Some(format!("{host} is not on the allow list"));
        }
        let tier = Authority::of(&hit.location).tier();
        if tier > self.weakest {
            return Some(format!("a source of tier {}, weaker than wanted", number(tier)));
        }
        self.date_objection(hit.date.as_deref())
    }

    fn date_objection(&self, date: Option<&str>) -> Option<String> {
        if self.since.is_none() && self.until.is_none() {
            return None;
        }
        let Some(date) = date.and_then(dates::parse) else {
            return (!self.undated).then(|| "it has no date".to_owned());
        };
        // A bare year passes if any day of it would.
        let old = self.since.is_some_and(|since| date.last_day() < since.first_day());
        let young = self.until.is_some_and(|until| date.first_day() > until.last_day());
        (old || young).then(|| format!("its date, {date}, is outside the range"))
    }
}

/// A document worth reading, and everyone who pointed to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lead {
    /// Its title.
    pub title: String,
    /// Where to read it: the address with the strongest authority.
    pub location: Location,
    /// The longest of its snippets.
    pub snippet: String,
    /// Its date, from the first reference that has one.
    pub date: Option<String>,
    /// What class of source it is.
    pub tier: Tier,
    /// Every name it is known by.
    pub ids: Vec<Identity>,
    /// Each provider and address that led to it, once.
    pub references: Vec<Hit>,
    /// Sum of reciprocal ranks.
    pub score: f64,
}

/// What remains of many lists.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Merged {
    /// Best first.
    pub leads: Vec<Lead>,
    /// What the rules excluded.
    pub left_out: Vec<LeftOut>,
}

/// Merges the lists of many queries and providers, each best first.
#[must_use]
pub fn merge(lists: Vec<Vec<Found>>, rules: &SourceRules) -> Merged {
    let mut left_out = Vec::new();
    let mut groups = Groups::default();
    for found in lists.into_iter().flatten() {
        match rules.objection(&found.hit) {
            None => groups.add(found),
            Some(why) => left_out.push(LeftOut {
                provider: found.hit.provider.clone(),
                what: format!("{} ({})", found.hit.title, found.hit.location),
                why,
            }),
        }
    }
    let mut leads: Vec<Lead> = groups.members.into_values().filter_map(lead).collect();
    // Stable: equals stay in the order in which they were found.
    leads.sort_by(|a, b| b.score.total_cmp(&a.score));
    Merged { leads, left_out }
}

/// Hits by document. A hit that shares names with two groups joins them.
#[derive(Default)]
struct Groups {
    by_id: BTreeMap<Identity, usize>,
    members: BTreeMap<usize, Vec<Found>>,
    next: usize,
}

impl Groups {
    fn add(&mut self, found: Found) {
        let known: BTreeSet<usize> = found.ids.iter().filter_map(|id| self.by_id.get(id).copied()).collect();
        let home = known.first().copied().unwrap_or(self.next);
        self.next += 1;
        let mut joined = vec![found];
        for group in known.iter().filter(|group| **group != home) {
            joined.extend(self.members.remove(group).unwrap_or_default());
        }
        for id in joined.iter().flat_map(|found| &found.ids) {
            self.by_id.insert(id.clone(), home);
        }
        self.members.entry(home).or_default().extend(joined);
    }
}

fn lead(members: Vec<Found>) -> Option<Lead> {
    let score = members.iter().map(|found| 1.0 / (RANK_DAMPING + found.hit.rank as f64)).sum();
    let ids: BTreeSet<Identity> = members.iter().flat_map(|found| found.ids.iter().cloned()).collect();
    let hits: Vec<Hit> = members.into_iter().map(|found| found.hit).collect();
    let tier = |hit: &Hit| Authority::of(&hit.location).tier();
    let best = hits.iter().min_by_key(|hit| (tier(hit), hit.rank))?.clone();
    let snippet = hits.iter().map(|hit| &hit.snippet).max_by_key(|text| text.len())?.clone();
    let date = best.date.clone().or_else(|| hits.iter().find_map(|hit| hit.date.clone()));
    let mut references: Vec<Hit> = Vec::new();
    for hit in hits {
        let same = |other: &Hit| other.provider == hit.provider && other.location == hit.location;
        if !references.iter().any(same) {
            references.push(hit);
        }
    }
    Some(Lead {
        tier: tier(&best),
        title: best.title,
        location: best.location,
        snippet,
        date,
        ids: ids.into_iter().collect(),
        references,
        score,
    })
}

fn host(location: &Location) -> String {
    match location {
        Location::Url(address) => url::Url::parse(address)
            .ok()
            .and_then(|url| url.host_str().map(str::to_lowercase))
            .unwrap_or_default(),
        Location::Path(_) => String::new(),
    }
}

fn is_below(host: &str, name: &str) -> bool {
    let name = name.trim().trim_start_matches("*.").trim_start_matches('.').to_lowercase();
    host == name || host.strip_suffix(&name).is_some_and(|before| before.ends_with('.'))
}

fn number(tier: Tier) -> u8 {
    match tier {
        Tier::One => 1,
        Tier::Two => 2,
        Tier::Three => 3,
    }
}
