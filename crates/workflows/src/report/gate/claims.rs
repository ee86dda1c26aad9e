//! Whether what a clause claims beside its numbers holds of the figures it means: the way it went, first places, shares, and
//! one thing held against another.

use baton_agents::rules::words::{fold, word_ranges};
use baton_figures::{Decimal, Direction};

use super::Known;
use super::lexicon::{COMPARES, Claim, DENIES, OF_CHANGE};
use super::mentions::{Of, Parsed, What};
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
            let is_share = |known: &Known<'_>| {
                known.facet.shape == Shape::Share || known.figure.unit.as_deref() == Some("percentage points")
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
        Claim::Equal => equal(all),
        Claim::Slight if sizes(meant, all).any(|size| size <= SMALL) => Ok(()),
        Claim::Slight => Err("it is not that little".to_owned()),
        Claim::Large if sizes(meant, all).any(|size| size >= GREAT) => Ok(()),
        Claim::Large => Err("it is not that much".to_owned()),
    }
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
fn pairs<'k, 'f>(
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

/// What a sentence says of two things: more than, ahead of, less than half of; and what it denies or counts. Says whether it
/// holds one against another.
pub fn compared(parsed: &Parsed<'_>, all: &[Known<'_>], told: &str) -> Result<bool, String> {
    let words: Vec<(usize, usize, String)> = word_ranges(parsed.text)
        .map(|at| (at.start, at.end, fold(&parsed.text[at])))
        .filter(|(start, ..)| {
            !parsed.mentions.iter().any(|it| matches!(it.what, What::When(_)) && it.range.contains(start))
        })
        .collect();
    let word = |at: usize| words.get(at).map_or("", |(.., word)| word.as_str());
    let mut than = None;
    for (at, (start, end, name)) in words.iter().enumerate() {
        match name.as_str() {
            "half" => half(parsed, all, word(at.wrapping_sub(2)), word(at.wrapping_sub(1)), *start, *end)?,
            "than" if word(at + 1) != "half" => than = Some((at, *end)),
            "overtook" | "overtaken" | "passed" => ahead(parsed, all, told, *start, *end, false)?,
            "ahead" | "followed" if ["of", "by"].contains(&word(at + 1)) => {
                ahead(parsed, all, told, *start, *end, false)?;
            }
            "behind" => ahead(parsed, all, told, *start, *end, true)?,
            "together" | "combined" | "altogether" => joined(parsed, all)?,
            _ => counted(name, word(at + 1), word(at.wrapping_sub(1)), told)?,
        }
    }
    let Some((at, end)) = than else {
        let lonely = words.iter().enumerate().find(|(at, (.., name))| {
            let is_bare = !["more", "less", "fewer"].contains(&name.as_str());
            is_bare && COMPARES.iter().any(|(it, _)| it == name) && word(at + 1) != "of"
        });
        return match lonely {
            Some((_, (.., name))) => Err(format!("\"{name}\" is held against nothing")),
            None => Ok(false),
        };
    };
    let before = &words[at.saturating_sub(4)..at];
    let Some((start, _, name)) =
        before.iter().rev().find(|(.., it)| COMPARES.iter().any(|(name, _)| name == it))
    else {
        return Err("it compares in a way that is not known".to_owned());
    };
    let less = COMPARES.iter().any(|(it, less)| it == name && *less);
    let of_change = OF_CHANGE.contains(&name.as_str());
    let test = |a: Decimal, b: Decimal| if less { a < b } else { a > b };
    match parsed.around(*start, end) {
        None if !of_change => at_two_times(parsed, all, end, test)?,
        _ => holds(parsed, all, *start, end, test, of_change)?,
    }
    Ok(true)
}

/// "higher in 2024 than in 2023": one thing at two times.
fn at_two_times(
    parsed: &Parsed<'_>,
    all: &[Known<'_>],
    than: usize,
    test: impl Fn(Decimal, Decimal) -> bool,
) -> Result<(), String> {
    let times = || parsed.mentions.iter().filter(|it| it.of() == Of::Time);
    let (Some(subject), Some(object)) =
        (times().rfind(|it| it.range.end <= than), times().find(|it| it.range.start >= than))
    else {
        return Err("it compares with what is not named".to_owned());
    };
    let differ = |a: &Known<'_>, b: &Known<'_>| {
        a.facet.groups == b.facet.groups
            && a.facet.measures == b.facet.measures
            && !matches!(a.facet.shape, Shape::Change | Shape::Difference)
            && subject.fits(a, true)
            && object.fits(b, true)
            && !subject.fits(b, true)
    };
    each_holds(pairs(all, differ), test)
}

/// Whether there are pairs of figures, and a test holds of each.
fn each_holds<'k, 'f: 'k>(
    found: impl Iterator<Item = (&'k Known<'f>, &'k Known<'f>)>,
    test: impl Fn(Decimal, Decimal) -> bool,
) -> Result<(), String> {
    let mut found = found.peekable();
    if found.peek().is_none() {
        return Err("none of its figures compares them".to_owned());
    }
    if found.all(|(a, b)| test(a.figure.value, b.figure.value)) {
        Ok(())
    } else {
        Err("it is the other way round".to_owned())
    }
}

/// Whether every pair of what stands before a place and what stands behind another holds, and there is one.
fn holds(
    parsed: &Parsed<'_>,
    all: &[Known<'_>],
    before: usize,
    behind: usize,
    test: impl Fn(Decimal, Decimal) -> bool,
    of_change: bool,
) -> Result<(), String> {
    let Some((subject, object)) = parsed.around(before, behind) else {
        return Err("it compares with what is not named".to_owned());
    };
    let differ = |a: &Known<'_>, b: &Known<'_>| {
        let is_change = a.facet.shape == Shape::Change;
        subject.fits(a, false)
            && object.fits(b, false)
            && !subject.fits(b, false)
            && a.facet.periods == b.facet.periods
            && is_change == of_change
    };
    each_holds(pairs(all, differ), test)
}

/// "less than half of what Harbour takes", "more than half".
fn half(
    parsed: &Parsed<'_>,
    all: &[Known<'_>],
    how: &str,
    than: &str,
    start: usize,
    end: usize,
) -> Result<(), String> {
    let two = Decimal::new(2, 0);
    let less = ["less", "fewer"].contains(&how);
    if than != "than" || !(less || how == "more") {
        return Err("a half of what is not known".to_owned());
    }
    if parsed.around(start, end).is_some() {
        let test = |a: Decimal, b: Decimal| {
            a.times(two).is_some_and(|twice| if less { twice < b } else { twice > b })
        };
        return holds(parsed, all, start, end, test, false);
    }
    let fifty = Decimal::new(50, 0);
    let is_so =
        |known: &Known<'_>| if less { known.figure.value < fifty } else { known.figure.value > fifty };
    let mut shares = all.iter().filter(|known| known.facet.shape == Shape::Share).peekable();
    if shares.peek().is_some() && shares.all(is_so) { Ok(()) } else { Err("it is not half".to_owned()) }
}

/// One thing before another: as rules say it, or by what they amount to.
fn ahead(
    parsed: &Parsed<'_>,
    all: &[Known<'_>],
    told: &str,
    start: usize,
    end: usize,
    behind: bool,
) -> Result<(), String> {
    let Some((subject, object)) = parsed.around(start, end) else {
        return Err("it does not say who is ahead of whom".to_owned());
    };
    if let (What::Group(_, first), What::Group(_, second)) = (&subject.what, &object.what) {
        let (first, second) = if behind { (second, first) } else { (first, second) };
        let overtook = format!("{first} overtook {second}").to_lowercase();
        if told.to_lowercase().contains(&overtook) {
            return Ok(());
        }
    }
    holds(parsed, all, start, end, |a, b| if behind { a < b } else { a > b }, false)
}

/// What several groups have together is not what one of them has.
fn joined(parsed: &Parsed<'_>, all: &[Known<'_>]) -> Result<(), String> {
    let groups = || parsed.mentions.iter().filter(|it| it.of() == Of::Group);
    let several = groups().any(|one| groups().any(|other| one.what != other.what));
    let single = all.iter().any(|known| !known.facet.groups.is_empty());
    if several && single { Err("none of its figures is of all of them".to_owned()) } else { Ok(()) }
}

/// A counted thing must be counted so in what rules say; "the two" and "one" count nothing.
fn counted(name: &str, next: &str, before: &str, told: &str) -> Result<(), String> {
    let is_count = COUNTS.iter().skip(2).any(|it| *it == name);
    if !is_count
        || before == "the" && ["", "and", "of"].contains(&next)
        || before == "the" && next == "reached"
    {
        return Ok(());
    }
    if told.to_lowercase().contains(&format!("{name} {next}")) {
        return Ok(());
    }
    Err(format!("none of its figures counts {name} {next}"))
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
