//! The gate for sentences with figures: whatever a model writes about the data is held, clause by clause, against what its
//! figures are about. A right number with a wrong way, group, time or unit is not let through, nor is a cause.
//!
//! A sentence over documents alone goes through the gate all workflows share.

mod attribution;
mod claims;
mod lexicon;
mod mentions;
mod times;

use baton_agents::evidence::carries;
use baton_figures::{Date, Figure, Kind, Period};

use super::facet::{Facet, Shape};
use super::memory::Memory;
use super::naming::named;
use super::prose::{Sentence, is_named};
use super::tell::{tell, tell_finding};
use crate::citation::{Dropped, Facts};
use claims::{compared, denies, did_not_last, held};
use lexicon::{claims as claimed_in, unknown_word};
use mentions::{Mention, Of, Parsed, What};
use times::{COUNTS, When};

/// Lets through what its evidence carries.
pub struct Gate<'a> {
    memory: &'a Memory,
    facts: &'a Facts<'a>,
    /// Every value of every group of the tables, for names that a figure does not have.
    groups: Vec<(String, String)>,
    /// Everything the tables measure, for the same reason.
    measures: Vec<String>,
    dropped: Vec<Dropped>,
}

/// A figure and what it is about.
pub struct Known<'a> {
    figure: &'a Figure,
    facet: Facet,
    /// Its times; those of its table where it is about all of it.
    periods: Vec<Period>,
    /// Days it begins, ends or turns on.
    dates: Vec<Date>,
    /// The time of its table.
    span: Option<Period>,
}

impl<'a> Gate<'a> {
    /// A gate before what a run knows.
    #[must_use]
    pub fn new(memory: &'a Memory, facts: &'a Facts<'a>) -> Self {
        let columns = || {
            let tables = memory.context.iter().flat_map(|context| &context.profiles.tables);
            tables.flat_map(|table| &table.columns)
        };
        let days =
            baton_figures::question::WEEKDAYS.iter().map(|day| ("weekday".to_owned(), (*day).to_owned()));
        let groups = columns()
            .flat_map(|column| {
                let name = named(&column.name);
                column.categories.iter().take(200).map(move |it| (name.clone(), it.value.clone()))
            })
            .filter(|(_, value)| value.chars().filter(|letter| letter.is_alphabetic()).count() > 2)
            .chain(days)
            .collect();
        let measures = columns()
            .filter(|column| column.kind == Kind::Number)
            .map(|column| named(&column.name))
            .filter(|name| name.chars().count() > 2)
            .collect();
        Self { memory, facts, groups, measures, dropped: Vec::new() }
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
        let (mut figures, mut keys, mut quotes, mut titles) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for label in evidence {
            let label = label.trim().trim_matches(['[', ']']);
            if let Some(figure) = self.memory.figure(label) {
                figures.push(self.known(figure));
            } else if let Some(fact) = self.facts.labelled(label) {
                keys.push(fact.found.key().to_owned());
                quotes.push(fact.found.fact.quote.as_str());
                titles.push(fact.card.source.title.as_str());
            } else {
                return Err(format!("{label} does not exist"));
            }
        }
        if figures.is_empty() {
            if quotes.is_empty() {
                return Err("it rests on nothing".to_owned());
            }
            // Who says it is known; what is said must stand there.
            let said = attribution::without(text, &titles);
            carries(said.as_deref().unwrap_or(text), &quotes)?;
            return Ok(Sentence::quoting(text, keys));
        }
        let refs: Vec<&Figure> = figures.iter().map(|known| known.figure).collect();
        if !quotes.is_empty() {
            return self.mixed(text, &refs, &quotes, keys);
        }
        self.over_figures(text, &figures)?;
        let sentence = Sentence::over(text, &refs).unwrap_or_else(|| Sentence::quoting(text, Vec::new()));
        Ok(Sentence { rests_on: refs.iter().map(|figure| figure.id.clone()).collect(), ..sentence })
    }

    fn known<'f>(&self, figure: &'f Figure) -> Known<'f> {
        let facet = Facet::of(figure);
        let tables = self.memory.context.iter().flat_map(|context| &context.profiles.tables);
        let span = tables
            .filter(|table| figure.cells.iter().any(|cells| cells.table == table.reading.name))
            .find_map(|table| table.time.as_ref())
            .map(|time| Period { from: time.from, to: time.to });
        let periods =
            if facet.periods.is_empty() { span.into_iter().collect() } else { facet.periods.clone() };
        let labelled = figure.label.split(' ').filter_map(|word| word.trim_end_matches(',').parse().ok());
        let edges = facet.periods.iter().flat_map(|period| [period.from, period.to]);
        let dates = edges.chain(labelled).collect();
        Known { figure, facet, periods, dates, span }
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

    /// What the tables have few of, counted: "four shops", "two towns".
    fn counts(&self) -> Vec<String> {
        let tables = || self.memory.context.iter().flat_map(|context| &context.profiles.tables);
        let keyed = tables().filter(|table| !table.keys.is_empty());
        let rows = keyed
            .map(|table| (usize::try_from(table.rows).unwrap_or(usize::MAX), table.reading.name.clone()));
        let columns =
            tables().flat_map(|table| &table.columns).filter(|column| !column.categories.is_empty());
        let groups = columns.map(|column| (column.categories.len(), format!("{}s", named(&column.name))));
        rows.chain(groups)
            .filter_map(|(count, name)| {
                Some(format!("{} {}", COUNTS.get(count).filter(|_| count > 1)?, name.to_lowercase()))
            })
            .collect()
    }

    fn over_figures(&self, text: &str, figures: &[Known<'_>]) -> Result<(), String> {
        let refs: Vec<&Figure> = figures.iter().map(|known| known.figure).collect();
        let told = self.statements(&refs);
        let vocabulary = self.vocabulary(figures, &told.join(" "));
        let counts = self.counts();
        let plain = counts.iter().fold(text.to_lowercase(), |text, count| text.replace(count, "all"));
        if let Some(word) = unknown_word(&plain, &vocabulary) {
            return Err(format!("\"{word}\" stands in none of its figures"));
        }
        let own = || figures.iter().map(|known| &known.facet);
        let mut groups: Vec<(String, String)> = own().flat_map(|facet| facet.groups.clone()).collect();
        groups.extend(self.groups.iter().cloned());
        let mut measures: Vec<String> = own().flat_map(|facet| facet.measures.clone()).collect();
        measures.extend(self.measures.iter().cloned());
        let parsed = Parsed::new(text, &groups, &measures);
        compared(&parsed, figures, &format!("{} {}", told.join(" "), counts.join(" ")))?;
        let mut meant: Vec<Option<&Known<'_>>> = Vec::new();
        for number in 0..parsed.numbers.len() {
            meant.push(meaning(&parsed, number, figures, &refs)?);
        }
        in_order(&parsed, &meant)?;
        let mut states = meant.iter().any(Option::is_some);
        for clause in 0..parsed.clauses.len() {
            states |= clause_holds(&parsed, clause, &meant, figures, &told)?;
        }
        if states { Ok(()) } else { Err("it states no figure and no way of one".to_owned()) }
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
            // The groups of `shops.name` are shops.
            for table in known.figure.group.keys().filter_map(|column| column.split_once('.')) {
                words.push(' ');
                words.push_str(table.0);
            }
            for time in known.facet.times() {
                words.push(' ');
                words.push_str(&time);
            }
            words.extend(known.figure.unit.iter().flat_map(|unit| [" ", unit.as_str()]));
        }
        words
    }
}

/// The figure a number is, by its value and by all it stands with; none if it is part of a name.
fn meaning<'k, 'f>(
    parsed: &Parsed<'_>,
    number: usize,
    figures: &'k [Known<'f>],
    refs: &[&Figure],
) -> Result<Option<&'k Known<'f>>, String> {
    let found = &parsed.numbers[number];
    let written = &parsed.text[found.range.clone()];
    let same: Vec<&Known<'_>> = figures.iter().filter(|known| found.is(known.figure)).collect();
    if same.is_empty() {
        if is_named(found, parsed.text, refs) {
            return Ok(None);
        }
        return Err(format!("{written} is none of its figures"));
    }
    let before = parsed.text[..found.range.start].trim_end();
    let bounds = ["more than", "less than", "fewer than", "at least", "at most", "up to"];
    let bare = before.trim_end_matches(|letter: char| letter.is_ascii_uppercase() || "€$£¥".contains(letter));
    if let Some(bound) = bounds.iter().find(|bound| bare.trim_end().to_lowercase().ends_with(**bound)) {
        return Err(format!("{written} is the figure itself, not {bound} it"));
    }
    let mut why = String::new();
    let fits = same.into_iter().find(|known| match misfit(parsed, number, known) {
        None => true,
        Some(reason) => {
            why = reason;
            false
        }
    });
    fits.map(Some).ok_or(why)
}

/// Why a figure cannot be what a number means.
fn misfit(parsed: &Parsed<'_>, number: usize, known: &Known<'_>) -> Option<String> {
    let times = ends(parsed, number, known, parsed.with(number, Of::Time));
    for time in &times {
        if !time.fits(known, times.len() == 1) {
            return Some(time.misfit(known));
        }
    }
    // Named somewhere in the sentence, if not with this number.
    let all: Vec<&Mention> = parsed.mentions.iter().filter(|it| it.of() == Of::Time).collect();
    if times.is_empty() && !all.is_empty() && !all.iter().any(|time| time.fits(known, false)) {
        return all.first().map(|time| time.misfit(known));
    }
    for of in [Of::Group, Of::Measure] {
        if let Some(wrong) = parsed.with(number, of).into_iter().find(|it| !it.fits(known, false)) {
            return Some(wrong.misfit(known));
        }
    }
    // A number of one group is not that of all.
    let is_said = |value: &String| {
        parsed
            .mentions
            .iter()
            .any(|it| matches!(&it.what, What::Group(_, said) if said.eq_ignore_ascii_case(value)))
            || parsed.text.to_lowercase().contains(&value.to_lowercase())
    };
    let unsaid = known.facet.groups.iter().find(|(_, value)| !is_said(value));
    unsaid.map(|(_, value)| format!("{} is about {value} alone", known.figure.id))
}

/// Of two times before an amount, that of its end: "from 2024 to 2025 it rose from this to that".
fn ends<'m>(
    parsed: &Parsed<'_>,
    number: usize,
    known: &Known<'_>,
    times: Vec<&'m Mention>,
) -> Vec<&'m Mention> {
    let is_day = |time: &&Mention| matches!(time.what, What::When(When::Day(..)));
    let compares = matches!(known.facet.shape, Shape::Change | Shape::Difference);
    if times.len() != 2 || compares || times.iter().any(is_day) {
        return times;
    }
    match joint(parsed, number) {
        "from" => times.into_iter().take(1).collect(),
        "to" => times.into_iter().skip(1).collect(),
        _ => times,
    }
}

/// The word before a number and its unit.
fn joint<'t>(parsed: &Parsed<'t>, number: usize) -> &'t str {
    let before = parsed.text[..parsed.numbers[number].range.start].trim_end();
    let bare = before.trim_end_matches(|letter: char| letter.is_ascii_uppercase() || "€$£¥".contains(letter));
    bare.trim_end().rsplit(' ').next().unwrap_or_default()
}

/// "from this to that" has the earlier first.
fn in_order(parsed: &Parsed<'_>, meant: &[Option<&Known<'_>>]) -> Result<(), String> {
    for number in 1..meant.len() {
        let (Some(first), Some(second)) = (meant[number - 1], meant[number]) else { continue };
        let is_pair = joint(parsed, number - 1) == "from" && joint(parsed, number) == "to";
        let begins = |known: &Known<'_>| known.facet.periods.first().map(|period| period.from);
        if is_pair && begins(first) > begins(second) {
            return Err(format!("{} is later than {}", first.figure.id, second.figure.id));
        }
    }
    Ok(())
}

/// Holds a clause against the figures. Says whether it states something of them beside its numbers.
fn clause_holds(
    parsed: &Parsed<'_>,
    clause: usize,
    meant: &[Option<&Known<'_>>],
    figures: &[Known<'_>],
    told: &[String],
) -> Result<bool, String> {
    let range = parsed.clauses[clause].clone();
    let words = &parsed.text[range.clone()];
    let numbers = parsed.numbers.iter().zip(meant).filter(|(found, _)| range.contains(&found.range.start));
    let mut own: Vec<&Known<'_>> = numbers.filter_map(|(_, known)| *known).collect();
    let spoken = claimed_in(&without_times(parsed, &range));
    let about = parsed.about(clause);
    let day = about.iter().find(|it| range.contains(&it.range.start) && is_day(it));
    if own.is_empty() && did_not_last(words, figures) {
        return Ok(true);
    }
    if denies(words) && (!own.is_empty() || !spoken.is_empty() || day.is_some()) {
        return Err("it denies, and no figure does".to_owned());
    }
    if own.is_empty() {
        // Without a number it still may not say what no figure says.
        own = figures.iter().filter(|known| is_about(known, &about)).collect();
        if !spoken.is_empty() && own.is_empty() {
            return Err("none of its figures is about that".to_owned());
        }
        if let Some(day) = day {
            dated(parsed, day, &about, figures, told)?;
        }
    }
    for claim in &spoken {
        held(claim, words, &own, figures)?;
    }
    Ok(!spoken.is_empty() || day.is_some())
}

/// Whether a figure is about one of the groups, one of the measures and the times that a clause without a number names.
fn is_about(known: &Known<'_>, about: &[&Mention]) -> bool {
    let of = |of: Of| about.iter().filter(move |it| it.of() == of && !is_day(it));
    let any = |kind: Of| of(kind).count() == 0 || of(kind).any(|it| it.fits(known, false));
    any(Of::Group) && any(Of::Measure) && of(Of::Time).all(|it| it.fits(known, false))
}

fn is_day(mention: &Mention) -> bool {
    matches!(mention.what, What::When(When::Day(..)))
}

/// A day without a number must be said by rules of the same things, or be a day of one of the figures.
fn dated(
    parsed: &Parsed<'_>,
    day: &Mention,
    about: &[&Mention],
    figures: &[Known<'_>],
    told: &[String],
) -> Result<(), String> {
    let written = &parsed.text[day.range.clone()];
    let things = || about.iter().filter(|it| it.of() != Of::Time);
    let says = |statement: &String| {
        let lower = statement.to_lowercase();
        statement.contains(written)
            && things().all(|it| match &it.what {
                What::Group(_, name) | What::Measure(name) => lower.contains(&name.to_lowercase()),
                What::When(_) => true,
            })
    };
    let has = |known: &Known<'_>| day.fits(known, true) && things().all(|it| it.fits(known, false));
    if told.iter().any(says) || figures.iter().any(has) {
        Ok(())
    } else {
        Err(format!("none of its figures is about {written}"))
    }
}

/// The words of a clause without the times in it: the second quarter is no second place.
fn without_times(parsed: &Parsed<'_>, clause: &std::ops::Range<usize>) -> String {
    let mut text = String::new();
    let mut at = clause.start;
    let times = parsed.mentions.iter().filter(|it| it.of() == Of::Time && clause.contains(&it.range.start));
    for time in times {
        text.push_str(&parsed.text[at..time.range.start.max(at)]);
        text.push_str(" then ");
        at = time.range.end.min(clause.end).max(at);
    }
    text.push_str(&parsed.text[at..clause.end]);
    text
}
