//! The gate for sentences with figures: whatever a model writes about the data is held, clause by clause, against what its
//! figures are about. A right number with a wrong way, group, time or unit is not let through, nor is a cause.
//!
//! A sentence over documents alone goes through the gate all workflows share.

mod lexicon;
mod mentions;

use baton_agents::evidence::carries;
use baton_figures::{Direction, Figure};

use super::facet::{Facet, Shape};
use super::memory::Memory;
use super::numbers::{Found, numbers};
use super::prose::{Sentence, is_named};
use super::tell::{tell, tell_finding};
use crate::citation::{Dropped, Facts};
use lexicon::{Claim, claims, unknown_word};
use mentions::{Clause, clauses};

/// Lets through what its evidence carries.
pub struct Gate<'a> {
    memory: &'a Memory,
    facts: &'a Facts<'a>,
    /// Every value of every group of the tables, for names that a figure does not have.
    groups: Vec<(String, String)>,
    dropped: Vec<Dropped>,
}

/// A figure and what it is about.
struct Known<'a> {
    figure: &'a Figure,
    facet: Facet,
}

impl<'a> Gate<'a> {
    /// A gate before what a run knows.
    #[must_use]
    pub fn new(memory: &'a Memory, facts: &'a Facts<'a>) -> Self {
        let tables = memory.context.iter().flat_map(|context| &context.profiles.tables);
        let days =
            baton_figures::question::WEEKDAYS.iter().map(|day| ("weekday".to_owned(), (*day).to_owned()));
        let groups = tables
            .flat_map(|table| &table.columns)
            .flat_map(|column| {
                let name = super::naming::named(&column.name);
                column.categories.iter().take(200).map(move |it| (name.clone(), it.value.clone()))
            })
            .filter(|(_, value)| value.chars().filter(|letter| letter.is_alphabetic()).count() > 2)
            .chain(days)
            .collect();
        Self { memory, facts, groups, dropped: Vec::new() }
    }

    /// The sentence, if its evidence carries it.
    pub fn pass(&mut self, text: &str, evidence: &[String]) -> Option<Sentence> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.check(&text, evidence) {
            Ok(sentence) => Some(Sentence { by_model: true, ..sentence }),
            Err(why) => {
                self.dropped.push(Dropped { text, why });
                None
            }
        }
    }

    /// What was not let through.
    #[must_use]
    pub fn dropped(self) -> Vec<Dropped> {
        self.dropped
    }

    fn check(&self, text: &str, evidence: &[String]) -> Result<Sentence, String> {
        let (mut figures, mut keys, mut quotes) = (Vec::new(), Vec::new(), Vec::new());
        for label in evidence {
            let label = label.trim().trim_matches(['[', ']']);
            if let Some(figure) = self.memory.figure(label) {
                figures.push(Known { figure, facet: Facet::of(figure) });
            } else if let Some(fact) = self.facts.labelled(label) {
                keys.push(fact.found.key().to_owned());
                quotes.push(fact.found.fact.quote.as_str());
            } else {
                return Err(format!("{label} does not exist"));
            }
        }
        if figures.is_empty() {
            if quotes.is_empty() {
                return Err("it rests on nothing".to_owned());
            }
            carries(text, &quotes)?;
            return Ok(Sentence::quoting(text, keys));
        }
        let refs: Vec<&Figure> = figures.iter().map(|known| known.figure).collect();
        if !quotes.is_empty() {
            return self.mixed(text, &refs, &quotes, keys);
        }
        self.over_figures(text, &figures)?;
        Sentence::over(text, &refs).ok_or_else(|| "a number is none of its figures".to_owned())
    }

    /// Figures and quotes in one sentence: the statements of the figures stand beside the quotes.
    fn mixed(
        &self,
        text: &str,
        figures: &[&Figure],
        quotes: &[&str],
        keys: Vec<String>,
    ) -> Result<Sentence, String> {
        let told = self.statements(figures);
        let all: Vec<&str> = quotes.iter().copied().chain(told.iter().map(String::as_str)).collect();
        carries(text, &all)?;
        let mut sentence =
            Sentence::over(text, figures).unwrap_or_else(|| Sentence::quoting(text, Vec::new()));
        sentence.rests_on = figures.iter().map(|figure| figure.id.clone()).collect();
        sentence.facts = keys;
        Ok(sentence)
    }

    /// What rules say of these figures.
    fn statements(&self, figures: &[&Figure]) -> Vec<String> {
        let is_about = |sentence: &Sentence| {
            let own = sentence.figures();
            figures.iter().any(|figure| own.contains(figure.id.as_str()))
        };
        let results = || self.memory.results.values();
        let answered = results().flat_map(|it| &it.answers).flat_map(tell);
        let found = results().flat_map(|it| &it.findings).filter_map(tell_finding);
        answered.chain(found).filter(is_about).map(|sentence| sentence.text()).collect()
    }

    fn over_figures(&self, text: &str, figures: &[Known<'_>]) -> Result<(), String> {
        let refs: Vec<&Figure> = figures.iter().map(|known| known.figure).collect();
        let told = self.statements(&refs).join(" ");
        let vocabulary = self.vocabulary(figures, &told);
        if let Some(word) = unknown_word(text, &vocabulary) {
            return Err(format!("\"{word}\" stands in none of its figures"));
        }
        let found = numbers(text);
        let parts = clauses(text, &self.groups, figures);
        let mut claimed = false;
        for clause in &parts {
            let own: Vec<&Found> = found.iter().filter(|it| clause.range.contains(&it.range.start)).collect();
            claimed |= self.clause(text, clause, &own, figures, &refs)?;
        }
        if claimed { Ok(()) } else { Err("it states no figure and no way of one".to_owned()) }
    }

    /// Words a sentence over these figures may use beside those of ordinary statements.
    fn vocabulary(&self, figures: &[Known<'_>], told: &str) -> String {
        let mut words = told.to_owned();
        for known in figures {
            for part in [&known.figure.label, &known.figure.formula.words] {
                words.push(' ');
                words.push_str(part);
            }
            for name in known.facet.measures.iter().chain(known.facet.groups.iter().map(|(column, _)| column))
            {
                words.push(' ');
                words.push_str(name);
            }
            for (_, value) in &known.facet.groups {
                words.push(' ');
                words.push_str(value);
            }
            for time in known.facet.times() {
                words.push(' ');
                words.push_str(&time);
            }
            words.extend(known.figure.unit.iter().flat_map(|unit| [" ", unit.as_str()]));
        }
        words
    }

    /// Holds one clause against the figures. Says whether it states something of them.
    fn clause(
        &self,
        text: &str,
        clause: &Clause,
        found: &[&Found],
        figures: &[Known<'_>],
        refs: &[&Figure],
    ) -> Result<bool, String> {
        let mut meant: Vec<&Known<'_>> = Vec::new();
        for number in found {
            let written = &text[number.range.clone()];
            let same: Vec<&Known<'_>> = figures.iter().filter(|known| number.is(known.figure)).collect();
            if same.is_empty() {
                if is_named(number, text, refs) {
                    continue;
                }
                return Err(format!("{written} is none of its figures"));
            }
            let mut why = String::new();
            let fits = same.into_iter().find(|known| match clause.misfit(known) {
                None => true,
                Some(reason) => {
                    why = reason;
                    false
                }
            });
            meant.push(fits.ok_or(why)?);
        }
        let spoken = claims(clause.words(text));
        if meant.is_empty() {
            // Without a number it still may not say what no figure says.
            meant = figures.iter().filter(|known| clause.misfit(known).is_none()).collect();
            if !spoken.is_empty() && meant.is_empty() {
                return Err("none of its figures is about that".to_owned());
            }
        }
        for claim in &spoken {
            held(claim, &meant, figures)?;
        }
        Ok(!found.is_empty() || !spoken.is_empty())
    }
}

/// Whether what a clause claims holds of the figures it means.
fn held(claim: &Claim, meant: &[&Known<'_>], all: &[Known<'_>]) -> Result<(), String> {
    match claim {
        Claim::Way(way) => {
            let ways: Vec<Direction> = meant.iter().filter_map(|known| known.facet.direction).collect();
            // A clause that gives the ends of a change speaks of the change beside it.
            let ways = if ways.is_empty() {
                all.iter().filter_map(|known| known.facet.direction).collect()
            } else {
                ways
            };
            match ways.first() {
                None => Err("none of its figures says which way it went".to_owned()),
                Some(_) if ways.contains(way) => Ok(()),
                Some(_) => Err("it went the other way".to_owned()),
            }
        }
        Claim::First { lowest } => {
            let ranked: Vec<&&Known<'_>> = meant.iter().filter(|known| known.figure.rank.is_some()).collect();
            let is_first = ranked.iter().any(|known| known.figure.rank == Some(1));
            if is_first && stands(meant, all, *lowest) { Ok(()) } else { stands_out(meant, all, *lowest) }
        }
        Claim::Share => {
            let has = meant.iter().chain(all.iter().collect::<Vec<_>>().iter()).any(|known| {
                known.facet.shape == Shape::Share || known.figure.unit.as_deref() == Some("percentage points")
            });
            if has { Ok(()) } else { Err("none of its figures is a share".to_owned()) }
        }
        Claim::Together => {
            let has = meant.iter().any(|known| known.facet.shape == Shape::Correlation);
            if has { Ok(()) } else { Err("none of its figures is a correlation".to_owned()) }
        }
    }
}

/// Whether a first place is at the end of the ranking that is claimed.
fn stands(meant: &[&Known<'_>], all: &[Known<'_>], lowest: bool) -> bool {
    let Some(first) = meant.iter().find(|known| known.figure.rank == Some(1)) else { return false };
    all.iter().filter(|known| known.figure.rank.is_some() && known.figure.unit == first.figure.unit).all(
        |other| {
            if lowest {
                first.figure.value <= other.figure.value
            } else {
                first.figure.value >= other.figure.value
            }
        },
    )
}

/// Without ranks: the meant figure must lie at the end of those of its kind, and there must be others.
fn stands_out(meant: &[&Known<'_>], all: &[Known<'_>], lowest: bool) -> Result<(), String> {
    let said = |known: &&&Known<'_>| {
        let words = known.figure.label.to_lowercase();
        let ends: &[&str] =
            if lowest { &["lowest", "smallest", "least"] } else { &["highest", "largest", "most", "peak"] };
        ends.iter().any(|word| words.contains(word))
    };
    if meant.iter().any(|known| said(&known)) {
        return Ok(());
    }
    // How far two are apart says which of them is more, and not that either is the most.
    let amounts =
        meant.iter().filter(|known| !matches!(known.facet.shape, Shape::Change | Shape::Difference));
    for known in amounts {
        let peers: Vec<&Known<'_>> = all
            .iter()
            .filter(|other| {
                other.facet.shape == known.facet.shape
                    && other.figure.unit == known.figure.unit
                    && other.figure.id != known.figure.id
            })
            .collect();
        let first = peers.iter().all(|other| {
            if lowest {
                known.figure.value <= other.figure.value
            } else {
                known.figure.value >= other.figure.value
            }
        });
        if !peers.is_empty() && first {
            return Ok(());
        }
    }
    Err("none of its figures is that".to_owned())
}
