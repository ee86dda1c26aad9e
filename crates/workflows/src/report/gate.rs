//! The gate for sentences with figures: whatever a model writes about the data is held, clause by clause, against what its
//! figures are about. A right number with a wrong way, group, time or unit is not let through, nor is a cause.
//!
//! A sentence over documents alone goes through the gate all workflows share.

mod causes;
mod claims;
mod compares;
mod lexicon;
mod meaning;
mod mentions;
mod multiples;
mod times;

use baton_agents::evidence::{Cited, carries_cited};
use baton_agents::rules::words::{fold, word_ranges};
use baton_figures::{Answer, Ask, Date, Figure, Finding, FindingKind, Kind, Period};

use super::facet::{Facet, Shape};
use super::memory::Memory;
use super::naming::named;
use super::prose::Sentence;
use super::results::TaskResult;
use super::tell::{tell, tell_finding};
use crate::citation::{Dropped, Facts};
use causes::without_no_cause;
use claims::{denies, did_not_last, held, is_among};
use compares::compared;
use lexicon::{COMPARES, Claim, claims as claimed_in, unknown_word};
use meaning::{in_order, meaning, told_by};
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
    /// The stretch in which what it tells of turned.
    turn: Option<Period>,
    /// The time of its table.
    span: Option<Period>,
    /// Whether it has a place in a ranking that goes on below those that were computed.
    goes_on: bool,
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
        let (mut figures, mut keys, mut cited) = (Vec::new(), Vec::new(), Vec::new());
        for label in evidence {
            let label = label.trim().trim_matches(['[', ']']);
            if let Some(figure) = self.memory.figure(label) {
                let known = self.known(figure);
                figures.push(Known { goes_on: known.goes_on && !is_among(text), ..known });
            } else if let Some(fact) = self.facts.labelled(label) {
                keys.push(fact.found.key().to_owned());
                cited.push(Cited { quote: &fact.found.fact.quote, title: &fact.card.source.title });
            } else {
                return Err(format!("{label} does not exist"));
            }
        }
        if figures.is_empty() {
            if cited.is_empty() {
                return Err("it rests on nothing".to_owned());
            }
            carries_cited(text, &cited)?;
            return Ok(Sentence::quoting(text, keys));
        }
        let refs: Vec<&Figure> = figures.iter().map(|known| known.figure).collect();
        if !cited.is_empty() {
            return self.mixed(text, &refs, &cited, keys);
        }
        self.over_figures(text, &figures)
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
        let tells = |finding: &&Finding| {
            finding.kind == FindingKind::TrendBreak && finding.figures.iter().any(|it| it.id == figure.id)
        };
        let turn = self.memory.findings().find(tells).and_then(|finding| finding.at);
        Known { figure, facet, periods, dates, turn, span, goes_on: self.goes_on(figure) }
    }

    fn goes_on(&self, figure: &Figure) -> bool {
        let answers = self.memory.results.values().flat_map(|result| &result.answers);
        let own = answers.filter(|answer| answer.figures.iter().any(|it| it.id == figure.id));
        let is_cut = |answer: &Answer| match &answer.question.ask {
            Ask::Ranking { top, .. } => answer.figures.iter().filter(|it| it.rank.is_some()).count() >= *top,
            _ => false,
        };
        figure.rank.is_some_and(|rank| rank > 1) && own.into_iter().any(is_cut)
    }

    /// Changes of the answers these figures are from: a sentence may give the end of one and say which way it went.
    fn changes_beside(&self, figures: &[Known<'a>]) -> Vec<Known<'a>> {
        if figures.iter().any(|known| known.facet.direction.is_some()) {
            return Vec::new();
        }
        let is_own = |answer: &&Answer| {
            answer.figures.iter().any(|it| figures.iter().any(|known| known.figure.id == it.id))
        };
        let answers = self.memory.results.values().flat_map(|result| &result.answers).filter(is_own);
        let changes = answers.flat_map(|answer| &answer.figures).map(|figure| self.known(figure));
        changes.filter(|known| known.facet.shape == Shape::Change).collect()
    }

    /// Figures and quotes in one sentence: the statements of the figures stand beside the quotes.
    fn mixed(
        &self,
        text: &str,
        figures: &[&Figure],
        cited: &[Cited<'_>],
        keys: Vec<String>,
    ) -> Result<Sentence, String> {
        let told = self.statements(figures);
        let figured = told.iter().map(|quote| Cited { quote, title: "" });
        let all: Vec<Cited<'_>> = cited.iter().copied().chain(figured).collect();
        carries_cited(text, &all)?;
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

    fn over_figures(&self, text: &str, figures: &[Known<'_>]) -> Result<Sentence, String> {
        let refs: Vec<&Figure> = figures.iter().map(|known| known.figure).collect();
        let told = self.statements(&refs);
        let vocabulary = self.vocabulary(figures, &told.join(" "));
        let counts = self.counts();
        let is_correlated = figures.iter().any(|known| known.facet.shape == Shape::Correlation);
        let bare = without_no_cause(text).filter(|_| is_correlated);
        let plain = bare.as_deref().unwrap_or(text).to_lowercase();
        let plain = ["high", "large", "much", "many"]
            .iter()
            .fold(plain, |text, word| text.replace(&format!("as {word} as"), "as"));
        let plain = counts.iter().fold(plain, |text, count| text.replace(count, "all"));
        if let Some(word) = unknown_word(&plain, &vocabulary) {
            return Err(format!("\"{word}\" stands in none of its figures"));
        }
        let own = || figures.iter().map(|known| &known.facet);
        let mut groups: Vec<(String, String)> = own().flat_map(|facet| facet.groups.clone()).collect();
        groups.extend(self.groups.iter().cloned());
        let mut measures: Vec<String> = own().flat_map(|facet| facet.measures.clone()).collect();
        measures.extend(self.measures.iter().cloned());
        let parsed = Parsed::new(text, &groups, &measures);
        let compares = compared(&parsed, figures, &format!("{} {}", told.join(" "), counts.join(" ")))?;
        let mut meant: Vec<Option<&Known<'_>>> = Vec::new();
        for number in 0..parsed.numbers.len() {
            meant.push(meaning(&parsed, number, figures, &refs)?);
        }
        in_order(&parsed, &meant)?;
        let mut states = compares || meant.iter().any(Option::is_some);
        let beside = self.changes_beside(figures);
        for clause in 0..parsed.clauses.len() {
            states |= clause_holds(&parsed, clause, &meant, figures, (&beside, &told))?;
        }
        states |= bare.is_some();
        if !states {
            return Err("it states no figure and no way of one".to_owned());
        }
        let rests_on = refs.iter().map(|figure| figure.id.clone()).collect();
        Ok(Sentence { rests_on, ..told_by(&parsed, &meant) })
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
                words.push(' ');
                words.push_str(&value.replace('_', " "));
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
            words.push_str(&self.nouns(known));
            words.push_str(&self.asked(known));
        }
        words
    }

    /// The words of the questions that a figure answers: what they name was understood as what was computed.
    fn asked(&self, known: &Known<'_>) -> String {
        let own = |result: &&TaskResult| {
            result.answers.iter().flat_map(|it| &it.figures).any(|it| it.id == known.figure.id)
        };
        self.memory.results.values().filter(own).map(|result| format!(" {}", result.question)).collect()
    }

    /// What the rows of a figure's table are, and what they are divided by: "matches", "teams". A word that tells another
    /// measure from this one is not among them.
    fn nouns(&self, known: &Known<'_>) -> String {
        let tables = self.memory.context.iter().flat_map(|context| &context.profiles.tables);
        let own =
            tables.filter(|table| known.figure.cells.iter().any(|cells| cells.table == table.reading.name));
        let mut words = String::new();
        for table in own {
            let of = |kind: Kind| table.columns.iter().filter(move |column| column.kind == kind);
            let measures: Vec<String> = of(Kind::Number).map(|column| named(&column.name)).collect();
            let told: Vec<&str> = measures.iter().flat_map(|name| name.split(' ')).collect();
            let names = of(Kind::Text).map(|column| named(&column.name)).chain([named(&table.reading.name)]);
            for name in names {
                for word in name.split(' ').filter(|word| !told.contains(word)) {
                    words.push(' ');
                    words.push_str(word);
                }
            }
        }
        words
    }
}

/// Holds a clause against the figures. Says whether it states something of them beside its numbers.
fn clause_holds(
    parsed: &Parsed<'_>,
    clause: usize,
    meant: &[Option<&Known<'_>>],
    figures: &[Known<'_>],
    (beside, told): (&[Known<'_>], &[String]),
) -> Result<bool, String> {
    let range = parsed.clauses[clause].clone();
    let words = &parsed.text[range.clone()];
    let numbers = parsed.numbers.iter().zip(meant).filter(|(found, _)| range.contains(&found.range.start));
    let mut own: Vec<&Known<'_>> = numbers.filter_map(|(_, known)| *known).collect();
    let mut spoken = claimed_in(&without(parsed, &range, &[Of::Time, Of::Measure]));
    // "Where there is less of this there is more of that" says of a correlation which sign it has, and is held against that.
    if figures.iter().all(|known| known.facet.shape == Shape::Correlation) && compares_in(words) {
        spoken.retain(|claim| !matches!(claim, Claim::Way(_)));
    }
    let about = parsed.about(clause);
    let day = about.iter().find(|it| range.contains(&it.range.start) && is_day(it));
    if own.is_empty() && did_not_last(words, figures) {
        return Ok(true);
    }
    let denied = without(parsed, &range, &[Of::Group]);
    if denies(without_no_cause(&denied).as_deref().unwrap_or(&denied))
        && (!own.is_empty() || !spoken.is_empty() || day.is_some())
    {
        return Err("it denies, and no figure does".to_owned());
    }
    if own.is_empty() {
        // Without a number it still may not say what no figure says.
        own = figures.iter().filter(|known| is_about(known, &about)).collect();
        // How cells were put together says nothing of its own.
        let states = |claim: &Claim| !matches!(claim, Claim::Average | Claim::Median);
        if spoken.iter().any(states) && own.is_empty() {
            return Err("none of its figures is about that".to_owned());
        }
        if let Some(day) = day {
            dated(parsed, day, &about, figures, told)?;
        }
    }
    for claim in &spoken {
        let is_beside = matches!(claim, Claim::Way(_))
            && !figures.iter().any(|known| known.facet.direction.is_some())
            && held(claim, words, &[], beside, told).is_ok();
        if !is_beside {
            held(claim, words, &own, figures, told)?;
        }
    }
    Ok(!spoken.is_empty() || day.is_some())
}

/// Whether the ways of a clause are those of words that compare, and of no verb.
fn compares_in(clause: &str) -> bool {
    let bare: Vec<&str> = word_ranges(clause)
        .map(|at| &clause[at])
        .filter(|word| !COMPARES.iter().any(|(name, _)| *name == fold(word)))
        .collect();
    !claimed_in(&bare.join(" ")).iter().any(|claim| matches!(claim, Claim::Way(_)))
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

/// The words of a clause without what it names of some kinds: the second quarter is no second place, and "union no" denies
/// nothing.
fn without(parsed: &Parsed<'_>, clause: &std::ops::Range<usize>, of: &[Of]) -> String {
    let mut text = String::new();
    let mut at = clause.start;
    let named = parsed.mentions.iter().filter(|it| of.contains(&it.of()) && clause.contains(&it.range.start));
    for name in named {
        text.push_str(&parsed.text[at..name.range.start.max(at)]);
        text.push_str(" then ");
        at = name.range.end.min(clause.end).max(at);
    }
    text.push_str(&parsed.text[at..clause.end]);
    text
}
