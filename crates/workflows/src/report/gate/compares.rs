//! One thing held against another, and what is counted: more than, ahead of, above, half of, these four.

use baton_agents::rules::words::{fold, word_ranges};
use baton_figures::Decimal;

use super::Known;
use super::claims::pairs;
use super::lexicon::{COMPARES, LEAST, OF_CHANGE, ends_in_per_cent};
use super::mentions::{Of, Parsed, What};
use super::multiples::{Multiple, Placed, multiple};
use super::times::COUNTS;
use crate::report::facet::Shape;

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
    let (mut than, mut done, mut states) = (None, None, false);
    let ascends = words.iter().any(|(.., word)| LEAST.contains(&word.as_str()));
    for (at, (start, end, name)) in words.iter().enumerate() {
        match name.as_str() {
            _ if done.is_some_and(|done| *start < done) => {}
            _ if multiple(&words, at).is_some() => {
                let found = multiple(&words, at);
                done = found.as_ref().map(Multiple::end);
                found.map_or(Ok(()), |it| it.check(parsed, all))?;
                states = true;
            }
            "than" if multiple(&words, at + 1).is_none() => than = Some((at, *start, *end)),
            "overtook" | "overtaken" | "passed" => ahead(parsed, all, told, *start, *end, false)?,
            // "the lowest was this, followed by that"
            "followed" if word(at + 1) == "by" => ahead(parsed, all, told, *start, *end, ascends)?,
            "ahead" if word(at + 1) == "of" => ahead(parsed, all, told, *start, *end, false)?,
            // "Behind this lies a turn" holds nothing against anything.
            "behind" if ["this", "that", "these", "it", "them"].contains(&word(at + 1)) => {}
            "behind" => ahead(parsed, all, told, *start, *end, true)?,
            "exceeds" | "exceeded" | "exceed" => ahead(parsed, all, told, *start, *end, false)?,
            "above" | "below" if parsed.around(*start, *end).is_some() => {
                ahead(parsed, all, told, *start, *end, name == "below")?;
            }
            // "21.1 % below its level of 1985" is a way, held against its figure.
            "above" | "below" if ends_in_per_cent(&parsed.text[..*start]) => {}
            "above" | "below" => between_numbers(parsed, *start, *end, name == "below")?,
            // What lies close together is not put together.
            "together" if word(at.wrapping_sub(1)) == "close" => {}
            "together" | "combined" | "altogether" => joined(parsed, all)?,
            _ if counts_groups(name, word(at + 1), all) => {}
            _ => counted(name, word(at + 1), word(at.wrapping_sub(1)), told)?,
        }
    }
    if all.iter().all(|known| known.facet.shape == Shape::Correlation) {
        return together(&words, all);
    }
    let Some((at, than, end)) = than else {
        for (at, (start, end, name)) in words.iter().enumerate() {
            let Some((_, less)) = COMPARES.iter().find(|(it, _)| it == name) else { continue };
            let is_bare = !["more", "less", "fewer"].contains(&name.as_str()) && word(at + 1) != "of";
            // "25.1 % higher" is a way, held against its figure.
            let of_number = word(at.wrapping_sub(1)).chars().next().is_some_and(|it| it.is_ascii_digit());
            if !is_bare || of_number {
                continue;
            }
            // "this was 6.1, and that was lower at 5.9"; "it was lower in 1954"
            if ["at", "with"].contains(&word(at + 1)) {
                between_numbers(parsed, *start, *end, !*less)?;
            } else if !beside_the_other(parsed, all, |a, b| if *less { a < b } else { a > b })? {
                return Err(format!("\"{name}\" is held against nothing"));
            }
        }
        return Ok(states);
    };
    let before = &words[..at];
    let Some((.., name)) = before.iter().rev().find(|(.., it)| COMPARES.iter().any(|(name, _)| name == it))
    else {
        return Err("it compares in a way that is not known".to_owned());
    };
    let less = COMPARES.iter().any(|(it, less)| it == name && *less);
    let only_changes = || all.iter().all(|known| known.facet.shape == Shape::Change);
    let of_change = OF_CHANGE.contains(&name.as_str()) || only_changes();
    let test = |a: Decimal, b: Decimal| if less { a < b } else { a > b };
    // "more of this than of that" has what is compared behind "more".
    match parsed.around(than, end) {
        None if !of_change && parsed.mentions.iter().any(|it| it.of() == Of::Time) => {
            at_two_times(parsed, all, end, test)?;
        }
        // "the average, 3.2, was higher than the median, 3"
        None if !of_change => between_numbers(parsed, than, end, less)?,
        _ => holds(parsed, all, than, end, test, of_change)?,
    }
    Ok(true)
}

/// "where this is higher, that tends to be lower": what is said of two things that move together, and of nothing else.
fn together(words: &[Placed], all: &[Known<'_>]) -> Result<bool, String> {
    let ways = words.iter().filter_map(|(.., word)| COMPARES.iter().find(|(name, _)| name == word));
    let ways: Vec<bool> = ways.map(|(_, less)| *less).collect();
    let [one, other] = ways.as_slice() else {
        return if ways.is_empty() {
            Ok(false)
        } else {
            Err("it compares in a way that is not known".to_owned())
        };
    };
    let is_so = |known: &Known<'_>| known.figure.value.is_negative() == (one != other);
    if all.iter().all(is_so) { Ok(true) } else { Err("they move the other way".to_owned()) }
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

/// What is named by its time alone is held against the other figure of the same thing, where there is one; says whether.
fn beside_the_other(
    parsed: &Parsed<'_>,
    all: &[Known<'_>],
    test: impl Fn(Decimal, Decimal) -> bool,
) -> Result<bool, String> {
    let mut times = parsed.mentions.iter().filter(|it| it.of() == Of::Time);
    let (Some(time), None) = (times.next(), times.next()) else { return Ok(false) };
    let differ = |a: &Known<'_>, b: &Known<'_>| {
        a.facet.groups == b.facet.groups
            && a.facet.measures == b.facet.measures
            && matches!(a.facet.shape, Shape::Amount(_) | Shape::Ratio)
            && time.fits(a, true)
            && !time.fits(b, true)
    };
    let found: Vec<_> = pairs(all, differ).collect();
    match found.as_slice() {
        [pair] => each_holds([*pair].into_iter(), test).map(|()| true),
        _ => Ok(false),
    }
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
        // Two measures are held against each other for one group, not for two.
        let of_one = subject.of() != Of::Measure || same_groups(a, b);
        of_one
            && subject.fits(a, false)
            && object.fits(b, false)
            && !subject.fits(b, false)
            && a.facet.periods == b.facet.periods
            && is_change == of_change
    };
    each_holds(pairs(all, differ), test)
}

/// Whether two figures are of the same groups, whatever their columns are called.
fn same_groups(a: &Known<'_>, b: &Known<'_>) -> bool {
    let values = |known: &Known<'_>| -> Vec<String> {
        known.facet.groups.iter().map(|(_, value)| value.clone()).collect()
    };
    values(a) == values(b)
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
        let overtook = format!("{first} overtook {second}").replace('_', " ").to_lowercase();
        if told.to_lowercase().contains(&overtook) {
            return Ok(());
        }
    }
    holds(parsed, all, start, end, |a, b| if behind { a < b } else { a > b }, false)
}

/// "the average, 3.2, lies above the median of 3": the numbers around the word say it.
fn between_numbers(parsed: &Parsed<'_>, start: usize, end: usize, below: bool) -> Result<(), String> {
    let before = parsed.numbers.iter().rfind(|it| it.range.end <= start);
    let behind = parsed.numbers.iter().find(|it| it.range.start >= end);
    let (Some(before), Some(behind)) = (before, behind) else {
        return Err("it is held against nothing".to_owned());
    };
    let is_so = if below { before.value < behind.value } else { before.value > behind.value };
    if is_so { Ok(()) } else { Err("it is the other way round".to_owned()) }
}

/// What several groups have together is not what one of them has.
fn joined(parsed: &Parsed<'_>, all: &[Known<'_>]) -> Result<(), String> {
    let groups = || parsed.mentions.iter().filter(|it| it.of() == Of::Group);
    let several = groups().any(|one| groups().any(|other| one.what != other.what));
    let single = all.iter().any(|known| !known.facet.groups.is_empty());
    if several && single { Err("none of its figures is of all of them".to_owned()) } else { Ok(()) }
}

/// "these four teams": so many groups of a column with that name are there.
fn counts_groups(name: &str, next: &str, all: &[Known<'_>]) -> bool {
    let Some(count) = COUNTS.iter().position(|it| *it == name).filter(|count| *count > 1) else {
        return false;
    };
    let groups: std::collections::BTreeSet<(&str, &str)> = all
        .iter()
        .flat_map(|known| &known.facet.groups)
        .map(|(column, value)| (column.rsplit(' ').next().unwrap_or(column), value.as_str()))
        .collect();
    let own = groups.iter().filter(|(column, _)| next == *column || next.strip_suffix('s') == Some(column));
    own.count() == count
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
