//! From what was typed to the order for a run. Everything that makes no sense is refused here, before there
//! is a run.

use std::path::{Path, PathBuf};

use baton_agents::read::{Format, bounded};
use baton_agents::search::local::IndexError;
use baton_engine::{Filter, Runs};
use baton_workflows::research::Brief;

use super::{Args, carry, consent, reach};
use crate::program::Program;
use crate::trouble::Trouble;

/// A question longer than this is a document.
const LONGEST: usize = 10_000;
/// Two-letter codes people type, and the three letters that are meant.
pub const LANGUAGES: [(&str, &str); 12] = [
    ("en", "eng"),
    ("de", "deu"),
    ("fr", "fra"),
    ("es", "spa"),
    ("it", "ita"),
    ("nl", "nld"),
    ("pt", "por"),
    ("sv", "swe"),
    ("da", "dan"),
    ("pl", "pol"),
    ("ru", "rus"),
    ("zh", "cmn"),
];

/// The order for a run.
pub fn brief(program: &Program, runs: &dyn Runs, args: &Args) -> Result<Brief, Trouble> {
    let mut brief = match (&args.continue_run, &args.refresh) {
        (Some(run), _) => carry::continued(program, runs, run, &topic(args)?, &args.drop_source)?,
        (None, Some(run)) => carry::refreshed(program, runs, run, &args.drop_source, args.only_docs)?,
        (None, None) => match &args.from {
            Some(file) => carry::planned(runs, file, args.topic.is_some().then(|| topic(args)).transpose()?)?,
            None => Brief::new(&topic(args)?, Vec::new()),
        },
    };
    let today = program.clock.now().day();
    brief.mission = mission(runs, &today)?;
    brief.today = today;
    brief.roles = consent::roles(program, args)?;
    for folder in &args.docs {
        let folder = documents(folder)?;
        if !brief.docs.contains(&folder) {
            brief.docs.push(folder);
        }
    }
    brief.max_iterations = args.max_iterations.unwrap_or(brief.max_iterations);
    brief.depth = args.depth.unwrap_or(brief.depth);
    brief.dropped.extend(args.drop_source.iter().cloned());
    brief.since = day("--since", args.since.as_deref())?.or(brief.since);
    brief.until = day("--until", args.until.as_deref())?.or(brief.until);
    if let (Some(since), Some(until)) = (&brief.since, &brief.until)
        && !may_hold(since, until)
    {
        return refuse(
            format!("--since {since} is later than --until {until}"),
            "Exchange them and type the same again",
        );
    }
    brief.language = language(args.language.as_deref())?.or(brief.language);
    reach::settle(program, args, &mut brief)?;
    Ok(brief)
}

/// An order that makes no sense: what is wrong, and what to type.
pub fn refuse<T>(what: impl Into<String>, next: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Order { what: what.into(), next: next.into() })
}

fn topic(args: &Args) -> Result<String, Trouble> {
    let typed = args.topic.as_deref().unwrap_or_default();
    let mut text = String::new();
    if typed == "-" {
        match bounded::text_or_stdin(typed, bounded::WRITTEN) {
            Ok(read) => text = read,
            Err(refusal) => {
                let why = std::io::Error::from(refusal);
                return refuse(
                    format!("the question on stdin cannot be read ({why})"),
                    "Send it as UTF-8 text",
                );
            }
        }
    } else {
        typed.clone_into(&mut text);
    }
    let topic = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = topic.chars().count();
    if length == 0 {
        return refuse("the question is empty", "Type it in quotes, or send it on stdin with `-`");
    }
    if length > LONGEST {
        return refuse(
            format!("the question has {length} characters, and at most {LONGEST} are taken"),
            "Put long texts into a folder and name it with --docs",
        );
    }
    Ok(topic)
}

/// `DR-YYYYMMDD-NNN`: the number of the research run on its day.
fn mission(runs: &dyn Runs, today: &str) -> Result<String, Trouble> {
    let runs = runs.list(Filter::default())?;
    let earlier = runs.iter().filter(|row| row.workflow == "research" && row.started.day() == today).count();
    Ok(format!("DR-{}-{:03}", today.replace('-', ""), earlier + 1))
}

/// The folder as an absolute path, if it holds anything that can be read.
fn documents(folder: &Path) -> Result<PathBuf, Trouble> {
    let unreadable = |source| Trouble::Index(IndexError::Folder { path: folder.to_owned(), source });
    let path = std::fs::canonicalize(folder).map_err(unreadable)?;
    if holds_documents(&path).map_err(unreadable)? {
        Ok(path)
    } else {
        Err(Trouble::Index(IndexError::NoDocuments { path: folder.to_owned() }))
    }
}

/// Whether a document is somewhere below a folder. A folder below it that cannot be opened holds none for us.
fn holds_documents(folder: &Path) -> std::io::Result<bool> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if (kind.is_file() && Format::of_path(&path).is_some())
            || (kind.is_dir() && holds_documents(&path).unwrap_or(false))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A day, a month or a year, exactly as it will be compared.
fn day(flag: &str, typed: Option<&str>) -> Result<Option<String>, Trouble> {
    match typed {
        Some(typed) if !is_day(typed) => {
            refuse(format!("{flag} {typed} is not a date"), "Write it as 2025-03-14, 2025-03 or 2025")
        }
        typed => Ok(typed.map(str::to_owned)),
    }
}

fn is_day(typed: &str) -> bool {
    let parts: Vec<&str> = typed.split('-').collect();
    let number = |at: usize, digits: usize| -> Option<u32> {
        let part = parts.get(at).filter(|part| part.len() == digits)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?
    };
    let year = number(0, 4).filter(|year| (1000..3000).contains(year));
    let month = number(1, 2).filter(|month| (1..=12).contains(month));
    match (year, parts.len()) {
        (Some(_), 1) => true,
        (Some(_), 2) => month.is_some(),
        (Some(year), 3) => {
            month.zip(number(2, 2)).is_some_and(|(month, day)| (1..=days(year, month)).contains(&day))
        }
        _ => false,
    }
}

fn days(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Whether anything can be between two dates, as far as both are given.
fn may_hold(since: &str, until: &str) -> bool {
    let shared = since.len().min(until.len());
    since.get(..shared) <= until.get(..shared)
}

fn language(typed: Option<&str>) -> Result<Option<String>, Trouble> {
    let Some(typed) = typed else { return Ok(None) };
    if let Some((_, code)) = LANGUAGES.iter().find(|(short, _)| *short == typed) {
        return Ok(Some((*code).to_owned()));
    }
    if typed.len() == 3 && typed.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Ok(Some(typed.to_owned()));
    }
    refuse(format!("--language {typed} is not a language"), "Write three letters such as eng, deu or fra")
}

#[cfg(test)]
mod tests;
