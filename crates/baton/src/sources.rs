//! Which sources are wanted: the flags that say so, checked.

use baton_agents::evidence::Tier;
use baton_agents::rules::dates;
use baton_agents::search::merge::SourceRules;

use crate::trouble::Trouble;

/// Two-letter codes people type, and the three letters that are meant.
const LANGUAGES: [(&str, &str); 12] = [
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

/// Where to search, and which of what is found is wanted.
#[derive(Debug, Default, clap::Args)]
pub struct SourceArgs {
    /// Where to search: wikipedia, arxiv, openalex, crossref, or a section of baton.toml
    #[arg(long = "sources", id = "sources", value_name = "A,B,...", value_delimiter = ',')]
    pub names: Vec<String>,
    /// Only pages of this site and what is below it; may be given several times
    #[arg(long, value_name = "HOST")]
    pub allow_site: Vec<String>,
    /// No page of this site; may be given several times
    #[arg(long, value_name = "HOST")]
    pub block_site: Vec<String>,
    /// Only web sources of this tier or better: 1, 2 or 3
    #[arg(long, value_name = "N")]
    pub tier: Option<u8>,
    /// Only sources from this day on, as 2025-03-14, 2025-03 or 2025
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Only sources up to this day
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// Only sources in this language, as eng or en
    #[arg(long, value_name = "CODE")]
    pub language: Option<String>,
}

/// The time and the language that sources are wanted from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Period {
    /// From this day, month or year on.
    pub since: Option<String>,
    /// Up to this one.
    pub until: Option<String>,
    /// In this language, in three letters.
    pub language: Option<String>,
}

impl SourceArgs {
    /// The names of places that were typed.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| name.trim())
    }

    /// Whether only some of what is found is wanted.
    pub fn choose(&self) -> bool {
        let Self { names: _, allow_site, block_site, tier, since, until, language } = self;
        !allow_site.is_empty()
            || !block_site.is_empty()
            || tier.is_some()
            || [since, until, language].iter().any(|typed| typed.is_some())
    }

    /// The period that was typed, each part of it over the one given.
    pub fn period(&self, given: Period) -> Result<Period, Trouble> {
        let period = Period {
            since: day("--since", self.since.as_deref())?.or(given.since),
            until: day("--until", self.until.as_deref())?.or(given.until),
            language: language(self.language.as_deref())?.or(given.language),
        };
        if let (Some(since), Some(until)) = (&period.since, &period.until)
            && !may_hold(since, until)
        {
            return refuse(
                format!("--since {since} is later than --until {until}"),
                "Swap them and try again",
            );
        }
        Ok(period)
    }

    /// What is wanted of places that are searched, within a period.
    pub fn rules(&self, period: &Period) -> Result<SourceRules, Trouble> {
        let day = |text: &Option<String>| text.as_deref().and_then(dates::parse);
        let weakest = match self.tier {
            None | Some(3) => Tier::Three,
            Some(2) => Tier::Two,
            Some(1) => Tier::One,
            Some(other) => return refuse(format!("--tier {other} is not a tier"), "Write 1, 2 or 3"),
        };
        Ok(SourceRules {
            allow: self.allow_site.clone(),
            block: self.block_site.clone(),
            since: day(&period.since),
            until: day(&period.until),
            weakest,
            ..SourceRules::default()
        })
    }
}

impl Period {
    /// Its language in two letters, for places that know languages.
    pub fn two_letters(&self) -> Option<String> {
        let code = self.language.as_deref()?;
        LANGUAGES.iter().find(|(_, long)| *long == code).map(|(short, _)| (*short).to_owned())
    }
}

/// What was typed makes no sense: what is wrong, and what to type.
pub fn refuse<T>(what: impl Into<String>, next: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Order { what: what.into(), next: next.into() })
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
