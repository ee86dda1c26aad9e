//! Whether what a clause claims beside its numbers holds of the figures it means: the way it went, first places, shares, how
//! its cells were put together.

use baton_agents::rules::words::{fold, word_ranges};
use baton_figures::{Aggregate, Direction};

use super::Known;
use super::lexicon::{Claim, DENIES, TOGETHER};
use super::times::COUNTS;
use crate::report::facet::{Shape, way};
use crate::report::naming::written;

/// Whether a claim of a clause holds. `meant` are the figures the clause is about, `all` those of the sentence, `told` what
/// rules say of them.
pub fn held(
    claim: &Claim,
    clause: &str,
    meant: &[&Known<'_>],
    all: &[Known<'_>],
    told: &[String],
) -> Result<(), String> {
    let any = |holds: &dyn Fn(&Known<'_>) -> bool, why: &str| {
        if meant.iter().any(|known| holds(known)) { Ok(()) } else { Err(why.to_owned()) }
    };
    match claim {
        Claim::Way(direction) => went(*direction, clause, meant, all),
        Claim::Times(from, to) => any(
            &|known| {
                let value = known.figure.value.to_f64();
                known.facet.shape == Shape::Change && (f64::from(*from)..=f64::from(*to)).contains(&value)
            },
            "it did not change that much",
        ),
        Claim::Rank(rank) => any(&|known| known.figure.rank == Some(*rank), "it does not have that place"),
        Claim::First { lowest } => {
            let is_first = meant.iter().any(|known| known.figure.rank == Some(1));
            if is_first && stands(meant, all, *lowest) || is_peak(meant, *lowest, told) {
                Ok(())
            } else {
                stands_out(meant, all, *lowest)
            }
        }
        Claim::Share => {
            let unit = |known: &Known<'_>| known.figure.unit.clone().unwrap_or_default();
            // A measure in per cent is a share already: "the share of the vote".
            let is_share = |known: &Known<'_>| {
                known.facet.shape == Shape::Share
                    || unit(known) == "percentage points"
                    || unit(known) == "%" && matches!(known.facet.shape, Shape::Amount(_))
            };
            if meant.iter().any(|it| is_share(it)) || all.iter().any(is_share) {
                Ok(())
            } else {
                Err("none of its figures is a share".to_owned())
            }
        }
        Claim::Together => {
            any(&|known| known.facet.shape == Shape::Correlation, "none of its figures is a correlation")
        }
        Claim::Sign { positive } => signed(*positive, meant, all),
        Claim::Equal => equal(all),
        Claim::Slight | Claim::Large if is_correlated(clause) => correlated(all, *claim == Claim::Large),
        Claim::Slight if sizes(meant, all).any(|size| size <= SMALL) => Ok(()),
        Claim::Slight => Err("it is not that little".to_owned()),
        Claim::Large if sizes(meant, all).any(|size| size >= GREAT) => Ok(()),
        Claim::Large => Err("it is not that much".to_owned()),
        Claim::Average => is_put_together(meant, all, "average", |how| how == Aggregate::Mean),
        Claim::Median => is_put_together(meant, all, "median", |how| {
            matches!(how, Aggregate::Median | Aggregate::Quantile(50))
        }),
    }
}

/// From how much on two things are strongly correlated, and up to how much they are weakly.
const STRONG: f64 = 0.7;
const WEAK: f64 = 0.3;

fn is_correlated(clause: &str) -> bool {
    word_ranges(clause).any(|at| TOGETHER.contains(&fold(&clause[at]).as_str()))
}

fn correlated(all: &[Known<'_>], strongly: bool) -> Result<(), String> {
    let is = |known: &Known<'_>| {
        let size = known.figure.value.to_f64().abs();
        known.facet.shape == Shape::Correlation && if strongly { size >= STRONG } else { size <= WEAK }
    };
    if all.iter().any(is) { Ok(()) } else { Err("they are not correlated that much".to_owned()) }
}

/// Whether what a clause calls by how cells are put together is put together so. Without a number of its own, one of the
/// sentence's must be.
fn is_put_together(
    meant: &[&Known<'_>],
    all: &[Known<'_>],
    called: &str,
    is: impl Fn(Aggregate) -> bool,
) -> Result<(), String> {
    let fits = |known: &Known<'_>| match known.facet.shape {
        // A mean over periods is a sum over their number.
        Shape::Ratio => called == "average",
        Shape::Amount(how) => is(how),
        // How far averages are apart is told of averages.
        Shape::Change | Shape::Difference => {
            known.figure.formula.words.contains(called) || known.figure.formula.words.contains("mean")
        }
        _ => false,
    };
    if meant.iter().any(|known| fits(known)) || all.iter().any(|known| fits(known) && meant.is_empty()) {
        return Ok(());
    }
    Err(format!("none of its figures is that {called}"))
}

/// Per cent up to which a change is slight, and those below which it is as good as none.
const SMALL: f64 = 5.0;
const NONE: f64 = 1.0;
/// Per cent from which it is large.
const GREAT: f64 = 15.0;

/// How large the changes are that a clause is about, in per cent; without a change, how far its figures are apart.
fn sizes<'k>(meant: &'k [&Known<'_>], all: &'k [Known<'_>]) -> impl Iterator<Item = f64> + 'k {
    let change =
        |known: &Known<'_>| (known.facet.shape == Shape::Change).then(|| known.figure.value.to_f64().abs());
    let own: Vec<f64> = meant.iter().filter_map(|known| change(known)).collect();
    let told = if own.is_empty() { all.iter().filter_map(change).collect() } else { own };
    let apart = || {
        let alike = |a: &Known<'_>, b: &Known<'_>| {
            a.figure.id != b.figure.id
                && a.figure.unit == b.figure.unit
                && a.facet.measures == b.facet.measures
        };
        let size = |a: &Known<'_>, b: &Known<'_>| {
            let (a, b) = (a.figure.value.to_f64(), b.figure.value.to_f64());
            (a - b).abs() / a.abs().min(b.abs()).max(f64::MIN_POSITIVE) * 100.0
        };
        let every = all.iter().flat_map(|a| all.iter().map(move |b| (a, b)));
        every.filter(|(a, b)| alike(a, b)).map(|(a, b)| size(a, b)).collect::<Vec<f64>>()
    };
    if told.is_empty() { apart() } else { told }.into_iter()
}

/// Whether rules say of one of these figures that it is the highest, or the lowest, of all times.
fn is_peak(meant: &[&Known<'_>], lowest: bool, told: &[String]) -> bool {
    let most = if lowest { " lowest in " } else { " highest in " };
    meant.iter().any(|known| {
        let value = written(known.figure.value, known.figure.unit.as_deref());
        told.iter()
            .any(|statement| statement.contains(most) && statement.ends_with(&format!(" with {value}.")))
    })
}

/// Whether it went that way: by figures that say so, or by two of one thing at two times.
fn went(wanted: Direction, clause: &str, meant: &[&Known<'_>], all: &[Known<'_>]) -> Result<(), String> {
    let own: Vec<&Known<'_>> =
        meant.iter().copied().filter(|known| known.facet.direction.is_some()).collect();
    // A clause that gives the ends of a change speaks of the change beside it.
    let told =
        if own.is_empty() { all.iter().filter(|it| it.facet.direction.is_some()).collect() } else { own };
    let told = at_its_time(clause, told);
    let mut ways: Vec<Direction> = told.iter().filter_map(|known| known.facet.direction).collect();
    if ways.is_empty() {
        ways = pairs(all, |a, b| a.facet.groups == b.facet.groups && a.facet.measures == b.facet.measures)
            .filter(|(a, b)| ends_before(a, b))
            .filter_map(|(a, b)| b.figure.value.minus(a.figure.value).map(way))
            .collect();
    }
    // What moved by less than one per cent may be called unchanged.
    let changes = || told.iter().filter(|known| known.facet.shape == Shape::Change);
    if wanted == Direction::Flat
        && changes().next().is_some()
        && changes().all(|known| known.figure.value.to_f64().abs() < NONE)
    {
        return Ok(());
    }
    match ways.first() {
        None => Err("none of its figures says which way it went".to_owned()),
        Some(_) if ways.iter().all(|it| *it == wanted) => Ok(()),
        Some(_) => Err("it went the other way".to_owned()),
    }
}

/// Of changes that go both ways, those at the time a clause speaks of: before something, or after it.
fn at_its_time<'k, 'f>(clause: &str, told: Vec<&'k Known<'f>>) -> Vec<&'k Known<'f>> {
    let words: Vec<String> = word_ranges(clause).map(|at| fold(&clause[at])).collect();
    let says = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let end = |known: &Known<'_>| known.periods.last().map(|period| period.to);
    let (later, earlier) = (
        says(&["after", "since", "afterwards", "end", "later", "now", "last"]),
        says(&["before", "until", "first", "earlier", "previously"]),
    );
    match (later, earlier) {
        (true, false) => {
            // What was before a turn was not after it.
            let told: Vec<_> = told.into_iter().filter(|it| !it.figure.label.contains(" before ")).collect();
            let latest = told.iter().filter_map(|it| end(it)).max();
            told.into_iter().filter(|it| end(it) == latest).collect()
        }
        (false, true) => {
            let told: Vec<_> = told.into_iter().filter(|it| !it.figure.label.contains(" after ")).collect();
            let first = told.iter().filter_map(|it| end(it)).min();
            told.into_iter().filter(|it| end(it) == first).collect()
        }
        _ => told,
    }
}

fn ends_before(a: &Known<'_>, b: &Known<'_>) -> bool {
    matches!((a.periods.last(), b.periods.first()), (Some(a), Some(b)) if a.to < b.from)
}

/// Pairs of figures of one kind and unit.
pub fn pairs<'k, 'f>(
    all: &'k [Known<'f>],
    alike: impl Fn(&Known<'f>, &Known<'f>) -> bool + 'k,
) -> impl Iterator<Item = (&'k Known<'f>, &'k Known<'f>)> {
    let every = all.iter().flat_map(move |a| all.iter().map(move |b| (a, b)));
    every.filter(move |(a, b)| {
        a.figure.id != b.figure.id
            && a.facet.shape == b.facet.shape
            && a.figure.unit == b.figure.unit
            && alike(a, b)
    })
}

/// Two that are as much: a tenth apart at most.
fn equal(all: &[Known<'_>]) -> Result<(), String> {
    let is_near = |(a, b): (&Known<'_>, &Known<'_>)| {
        let (a, b) = (a.figure.value.to_f64(), b.figure.value.to_f64());
        (a - b).abs() <= a.abs().max(b.abs()) / 10.0
    };
    if pairs(all, |_, _| true).any(is_near) { Ok(()) } else { Err("they are not as much".to_owned()) }
}

/// Whether a clause denies something.
pub fn denies(clause: &str) -> bool {
    word_ranges(clause).any(|at| DENIES.contains(&fold(&clause[at]).as_str()))
}

/// That growth did not last denies nothing: it went one way, and then the other.
pub fn did_not_last(clause: &str, all: &[Known<'_>]) -> bool {
    let words: Vec<String> = word_ranges(clause).map(|at| fold(&clause[at])).collect();
    let has = |wanted: Direction| all.iter().any(|known| known.facet.direction == Some(wanted));
    let is_said = words.windows(2).any(|pair| pair[0] == "not" && pair[1] == "last");
    is_said && words.iter().any(|word| word == "growth") && has(Direction::Up) && has(Direction::Down)
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

/// Whether a sentence speaks of those that are named, and of no others: "of these four".
pub fn is_among(text: &str) -> bool {
    let words: Vec<String> = word_ranges(text).map(|at| fold(&text[at])).collect();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    (0..words.len()).any(|at| {
        let few = word(at + 1) == "the" && COUNTS.iter().skip(2).any(|count| *count == word(at + 2));
        ["of", "among"].contains(&word(at)) && (few || ["these", "them", "those"].contains(&word(at + 1)))
    })
}

/// Two things go the same way, or opposite ways; without a correlation, the amounts are above nothing, or below.
fn signed(positive: bool, meant: &[&Known<'_>], all: &[Known<'_>]) -> Result<(), String> {
    let of_two: Vec<&Known<'_>> = all.iter().filter(|it| it.facet.shape == Shape::Correlation).collect();
    let told = if of_two.is_empty() { meant } else { of_two.as_slice() };
    let is_so =
        |known: &&Known<'_>| !known.figure.value.is_zero() && known.figure.value.is_negative() != positive;
    if !told.is_empty() && told.iter().all(is_so) { Ok(()) } else { Err("it has another sign".to_owned()) }
}

/// Without ranks: the meant figure must lie at the end of those of its kind, and there must be others. The last of a ranking
/// that goes on is the last of those that are named, and no more.
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
    for known in amounts.filter(|known| !known.goes_on) {
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
