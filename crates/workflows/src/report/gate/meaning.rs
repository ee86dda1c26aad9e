//! Which figure each number of a sentence is: by its value, its unit and all it stands with.

use baton_agents::rules::words::word_ranges;
use baton_figures::Figure;

use super::Known;
use super::claims::denies;
use super::mentions::{Mention, Of, Parsed, What, is_code};
use super::times::When;
use crate::report::facet::Shape;
use crate::report::prose::{Piece, Sentence, is_named};

/// The sentence, each of its numbers with the figure it means, its times by name.
pub fn told_by(parsed: &Parsed<'_>, meant: &[Option<&Known<'_>>]) -> Sentence {
    let mut pieces = Vec::new();
    let mut at = 0;
    for (found, known) in parsed.numbers.iter().zip(meant) {
        let Some(known) = known else { continue };
        // The sign is part of the number.
        let before = &parsed.text[..found.range.start];
        let sign = before.chars().next_back().filter(|_| found.value.is_negative()).map_or(0, char::len_utf8);
        let start = (found.range.start - sign).max(at);
        if at < start {
            pieces.push(Piece::Words(parsed.text[at..start].to_owned()));
        }
        let text = parsed.text[start..found.range.end].to_owned();
        pieces.push(Piece::Number { text, figure: known.figure.id.clone() });
        at = found.range.end;
    }
    pieces.push(Piece::Words(parsed.text[at..].to_owned()));
    let times = parsed.mentions.iter().filter(|it| it.of() == Of::Time);
    let names = times.map(|it| parsed.text[it.range.clone()].to_owned()).collect();
    Sentence { pieces, names, ..Sentence::default() }
}

/// The figure a number is, by its value and by all it stands with; none if it is part of a name.
pub fn meaning<'k, 'f>(
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
        if is_end(parsed, number, time, known) || is_base(parsed, number, time, known) {
            continue;
        }
        if !time.fits(known, times.len() == 1) && !is_before(parsed, number, time, known) {
            return Some(time.misfit(known));
        }
    }
    // Named somewhere in the sentence, if not with this number.
    let all: Vec<&Mention> = parsed.mentions.iter().filter(|it| it.of() == Of::Time).collect();
    let fits = |time: &&Mention| time.fits(known, false) || is_end(parsed, number, time, known);
    if times.is_empty() && !all.is_empty() && !all.iter().any(fits) {
        return all.first().map(|time| time.misfit(known));
    }
    for of in [Of::Group, Of::Measure] {
        if let Some(wrong) = parsed.with(number, of).into_iter().find(|it| !it.fits(known, false)) {
            return Some(wrong.misfit(known));
        }
    }
    if let Some(word) = parsed.tells_another(number, known) {
        return Some(format!("{} is not {word}", known.figure.id));
    }
    // A number of one group is not that of all.
    let plain = |text: &str| text.to_lowercase().replace('_', " ");
    let text = plain(parsed.text);
    let is_said = |(column, value): &&(String, String)| {
        let named =
            |it: &Mention| matches!(&it.what, What::Group(_, said) if said.eq_ignore_ascii_case(value));
        // Who is "in a union" has a yes there.
        let is_yes = ["yes", "true"].contains(&plain(value).as_str()) && text.contains(&plain(column));
        let is_written = !is_code(value) && text.contains(&plain(value));
        parsed.mentions.iter().any(named) || is_written || is_yes && !denies(parsed.text)
    };
    let unsaid = known.facet.groups.iter().find(|group| !is_said(group));
    unsaid.map(|(_, value)| format!("{} is about {value} alone", known.figure.id))
}

/// "In May there were 310 visits, against an average of 520 before": what a number is of may be the time before the one named.
fn is_before(parsed: &Parsed<'_>, number: usize, time: &Mention, known: &Known<'_>) -> bool {
    let What::When(when) = time.what else { return false };
    let found = &parsed.numbers[number].range;
    let clause = &parsed.clauses[parsed.clause_of(found.start)];
    let behind = parsed.text[found.end..clause.end.max(found.end)].to_lowercase();
    let says = ["before", "earlier", "previous", "preceding"];
    let is_said = behind.split(|letter: char| !letter.is_alphabetic()).any(|word| says.contains(&word));
    let ends = known.facet.periods.last().map(|period| period.to);
    is_said && when.begins().zip(ends).is_some_and(|(begins, ends)| ends < begins)
}

/// Of two times before an amount, that of its end: "from 2024 to 2025 it rose from this to that".
fn ends<'m>(
    parsed: &Parsed<'_>,
    number: usize,
    known: &Known<'_>,
    times: Vec<&'m Mention>,
) -> Vec<&'m Mention> {
    let is_day = |time: &&Mention| matches!(time.what, What::When(When::Day(..)));
    // "Over the ten years from 1985 to 1995" names its ends, and how long that was.
    let is_whole = |time: &&Mention| matches!(time.what, What::When(When::Whole));
    let named: Vec<&Mention> = times.iter().copied().filter(|time| !is_whole(time)).collect();
    let times = if named.len() == 2 { named } else { times };
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

/// "between 1970 and 2000, from this to that": each is of the year at its end.
fn is_end(parsed: &Parsed<'_>, number: usize, time: &Mention, known: &Known<'_>) -> bool {
    let What::When(When::Years(first, last)) = time.what else { return false };
    match joint(parsed, number) {
        "from" => When::Year(first).fits(known, true),
        "to" => When::Year(last).fits(known, true),
        _ => false,
    }
}

/// "28.1 % below the level of 1985": the year a change began with.
fn is_base(parsed: &Parsed<'_>, number: usize, time: &Mention, known: &Known<'_>) -> bool {
    let What::When(When::Year(year)) = time.what else { return false };
    let between = parsed.text.get(parsed.numbers[number].range.end..time.range.start).unwrap_or_default();
    let holds_against = word_ranges(between).any(|at| ["below", "above", "than"].contains(&&between[at]));
    let begins = known.facet.periods.first().map(|period| period.from.parts().0);
    holds_against && known.facet.shape == Shape::Change && begins == Some(year)
}

/// The word before a number and its unit.
fn joint<'t>(parsed: &Parsed<'t>, number: usize) -> &'t str {
    let before = parsed.text[..parsed.numbers[number].range.start].trim_end();
    let bare = before.trim_end_matches(|letter: char| letter.is_ascii_uppercase() || "€$£¥".contains(letter));
    bare.trim_end().rsplit(' ').next().unwrap_or_default()
}

/// "from this to that" has the earlier first.
pub fn in_order(parsed: &Parsed<'_>, meant: &[Option<&Known<'_>>]) -> Result<(), String> {
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
