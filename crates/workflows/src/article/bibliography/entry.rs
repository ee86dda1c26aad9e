//! One source as a style writes it. Authors are written as the source writes them; only `Surname, Given` is known to be
//! a person, and nobody's name is guessed.

use baton_agents::rules::dates::{self, Date};
use baton_agents::rules::words::{fold, is_stop};
use baton_agents::search::Location;

use crate::article::brief::Style;
use crate::article::numbering::unnumbered;
use crate::markup::{address, marked, plain};
use crate::retrieval::SourceCard;

/// A source and the parts of its name.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The source.
    pub card: &'a SourceCard,
    author: Option<String>,
    title: String,
    /// Where it appeared: a newspaper, a site.
    container: Option<String>,
    date: Option<Date>,
    /// How exact the date is: 1 for a year, 2 for a month, 3 for a day.
    exact: usize,
    suffix: Option<char>,
    /// Whether another source has the same author and style tells them apart by title.
    by_title: bool,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// `CRON(8) System Manager's Manual CRON(8)` is the page `CRON(8)`.
fn page_of_a_manual(title: &str) -> &str {
    let mut words = title.split_whitespace();
    let (first, last) = (words.next().unwrap_or_default(), words.next_back());
    if last == Some(first) && first.ends_with(')') && first.contains('(') { first } else { title }
}

impl<'a> Entry<'a> {
    /// The parts of a source's name.
    pub fn of(card: &'a SourceCard) -> Self {
        let title = plain(page_of_a_manual(&card.source.title));
        let (title, container) = match first_split(&title) {
            Some((title, site)) if !title.is_empty() && site.split(' ').count() <= 8 => {
                (title.to_owned(), Some(site.to_owned()))
            }
            _ => (title, None),
        };
        let date = card.source.date.as_deref();
        Self {
            card,
            author: card
                .author
                .as_deref()
                .map(plain)
                .map(|author| author_of(&author))
                .filter(|it| !it.is_empty()),
            title: if title.is_empty() { plain(&card.shown) } else { calm(unnumbered(&title)) },
            container: container.or_else(|| site(card)),
            date: date.and_then(dates::parse),
            exact: date.map_or(0, |date| date.split('-').count()),
            suffix: None,
            by_title: false,
        }
    }

    /// By author or title, then year, as all three styles order their list.
    pub fn order(&self) -> (String, i32, String) {
        let year = self.date.map_or(0, |date| date.year);
        (self.name().to_lowercase(), year, self.title.to_lowercase())
    }

    /// The name by which it is cited.
    pub fn name(&self) -> String {
        match &self.author {
            Some(author) => author.split(", ").next().unwrap_or(author).to_owned(),
            None => format!("“{}”", short(&self.title)),
        }
    }

    /// What it is, by its title and its form; in the singular.
    pub fn noun(&self) -> &'static str {
        let title = self.title.to_lowercase();
        let known = [
            "report",
            "bulletin",
            "survey",
            "newsletter",
            "letter",
            "record",
            "minutes",
            "budget note",
            "note",
            "plan",
            "decision",
            "glossary",
            "briefing",
            "data sheet",
            "manual",
            "guide",
            "tutorial",
            "handbook",
            "book",
            "study",
            "review",
            "blog",
        ];
        let found = known.iter().find(|noun| {
            title.split(|it: char| !it.is_alphanumeric()).any(|word| word == **noun)
                || (noun.contains(' ') && title.contains(**noun))
        });
        match found {
            // Minutes are many; what they stand in is one.
            Some(&"minutes") => "record",
            Some(noun) => noun,
            None if self.card.kind == "HTML" => "page",
            None => "document",
        }
    }

    /// The name inside a sentence: an office has its article.
    fn spoken(&self) -> String {
        let name = self.name();
        if name.contains(" of ") && !name.starts_with("The ") && !name.starts_with('“') {
            format!("the {name}")
        } else {
            name
        }
    }

    fn year(&self) -> String {
        let year = self.date.map_or_else(|| "n.d.".to_owned(), |date| date.year.to_string());
        match self.suffix {
            Some(letter) if self.date.is_some() => format!("{year}{letter}"),
            Some(letter) => format!("{year}-{letter}"),
            None => year,
        }
    }

    /// As a sentence names it.
    pub fn narrative(&self, style: Style, _page: Option<usize>) -> String {
        match style {
            Style::Apa | Style::Chicago => format!("{} ({})", self.spoken(), self.year()),
            Style::Mla if self.by_title && self.author.is_some() => {
                format!("{} (“{}”)", self.name(), short(&self.title))
            }
            Style::Mla => self.spoken(),
        }
    }

    /// As the citation behind a sentence names it.
    pub fn mark(&self, style: Style, page: Option<usize>) -> String {
        match style {
            Style::Apa => {
                let page = page.map(|page| format!(", p. {page}")).unwrap_or_default();
                format!("{}, {}{page}", self.name(), self.year())
            }
            Style::Chicago => {
                let page = page.map(|page| format!(", {page}")).unwrap_or_default();
                format!("{} {}{page}", self.name(), self.year())
            }
            Style::Mla => {
                let title =
                    (self.by_title && self.author.is_some()).then(|| format!(", “{}”", short(&self.title)));
                let page = page.map(|page| format!(" {page}")).unwrap_or_default();
                format!("{}{}{page}", self.name(), title.unwrap_or_default())
            }
        }
    }

    /// Its entry in the list, as Markdown.
    pub fn listed(&self, style: Style) -> String {
        let title = marked(&self.title);
        let author = self.author.as_deref().map(marked);
        let container = self.container.as_deref().map(marked);
        let place = self.place();
        let parts: Vec<String> = match style {
            Style::Apa => {
                let date = format!("({})", self.date_apa());
                let title = format!("*{title}*");
                let head = match author {
                    Some(author) => vec![author, date, title],
                    None => vec![title, date],
                };
                head.into_iter().chain(container).chain(place).collect()
            }
            Style::Mla => {
                let title =
                    if container.is_some() { format!("“{title}.”") } else { format!("*{title}*") };
                let container = container.map(|name| format!("*{name}*"));
                let date = self.date.map(|date| self.day_month(date, true));
                let accessed =
                    dates::parse(&self.card.accessed).map(|day| format!("Accessed {}", short_day(day)));
                let tail: Vec<String> = container.into_iter().chain(date).chain(place).collect();
                let tail = (!tail.is_empty()).then(|| tail.join(", "));
                author.into_iter().chain([title]).chain(tail).chain(accessed).collect()
            }
            Style::Chicago => {
                let title =
                    if container.is_some() { format!("“{title}.”") } else { format!("*{title}*") };
                let date = self.date.filter(|_| self.exact > 1).map(|date| self.day_month(date, false));
                let head = match author {
                    Some(author) => vec![author, self.year(), title],
                    None => vec![title, self.year()],
                };
                head.into_iter().chain(container).chain(date).chain(place).collect()
            }
        };
        sentence(&parts)
    }

    fn place(&self) -> Option<String> {
        match &self.card.source.location {
            Location::Url(url) => address(url).map(|url| format!("<{url}>")),
            Location::Path(_) => {
                Some(format!("[{}]({})", marked(&self.card.shown), crate::markup::link(&self.card.copy())))
            }
        }
    }

    fn date_apa(&self) -> String {
        let Some(date) = self.date else { return self.year() };
        let month = MONTHS.get((date.month as usize).saturating_sub(1)).copied().unwrap_or_default();
        match self.exact {
            3.. => format!("{}, {month} {}", self.year(), date.day),
            2 => format!("{}, {month}", self.year()),
            _ => self.year(),
        }
    }

    fn day_month(&self, date: Date, day_first: bool) -> String {
        let month = MONTHS.get((date.month as usize).saturating_sub(1)).copied().unwrap_or_default();
        match (self.exact, day_first) {
            (3.., true) => short_day(date),
            (3.., false) => format!("{month} {}, {}", date.day, date.year),
            (2, _) => format!("{month} {}", date.year),
            _ => date.year.to_string(),
        }
    }
}

fn short_day(date: Date) -> String {
    let month = MONTHS.get((date.month as usize).saturating_sub(1)).copied().unwrap_or_default();
    let month = match month.len() {
        0..=4 => month.to_owned(),
        _ if month == "September" => "Sept.".to_owned(),
        _ => format!("{}.", &month[..3]),
    };
    format!("{} {month} {}", date.day, date.year)
}

/// The parts as sentences: a full stop behind each that has none.
fn sentence(parts: &[String]) -> String {
    let closed = |part: &String| {
        let ends = part.ends_with(['.', '?', '!'])
            || part.ends_with(".”")
            || part.ends_with(['>', ')']) && part.starts_with(['<', '[']);
        if ends { part.clone() } else { format!("{part}.") }
    };
    parts.iter().filter(|part| !part.is_empty()).map(closed).collect::<Vec<_>>().join(" ")
}

/// Who wrote it, without what they are: `Ines Marlow, Harlund Technical College` is Ines Marlow.
fn author_of(author: &str) -> String {
    let Some((first, rest)) = author.split_once(", ") else { return author.to_owned() };
    let is_surname = first.split(' ').count() == 1;
    let is_given =
        rest.split(' ').count() <= 2 && rest.starts_with(char::is_uppercase) && !rest.contains(", ");
    if is_surname && is_given { author.to_owned() } else { first.to_owned() }
}

/// A title that shouts, in the case of titles.
fn calm(title: &str) -> String {
    if title.chars().any(char::is_lowercase) {
        return title.to_owned();
    }
    let small = ["OF", "THE", "AND", "IN", "ON", "FOR", "TO", "A", "AN"];
    let word = |(at, word): (usize, &str)| {
        let mut letters = word.chars();
        match letters.next() {
            _ if at > 0 && small.contains(&word) => word.to_lowercase(),
            Some(first) => format!("{first}{}", letters.as_str().to_lowercase()),
            None => String::new(),
        }
    };
    title.split(' ').enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// The host of a page.
fn site(card: &SourceCard) -> Option<String> {
    let Location::Url(url) = &card.source.location else { return None };
    let host = url.split("//").nth(1)?.split(['/', ':', '?']).next()?;
    Some(host.trim_start_matches("www.").to_owned()).filter(|host| !host.is_empty())
}

/// A title and the site behind it, at the first mark that parts them.
fn first_split(title: &str) -> Option<(&str, &str)> {
    let at = [" - ", " | ", " — ", " – "].iter().filter_map(|mark| title.find(mark)).min()?;
    let mark = title[at + 1..].find(' ').map_or(at, |end| at + 1 + end);
    Some((&title[..at], title[mark..].trim()))
}

/// A title short enough for a sentence.
fn short(title: &str) -> String {
    let first = title.split(": ").next().unwrap_or(title);
    let mut words: Vec<&str> = first.split(' ').collect();
    if words.len() > 8 {
        words.truncate(7);
        while words.len() > 1 && words.last().is_some_and(|word| is_stop(&fold(word))) {
            words.pop();
        }
    }
    words.join(" ")
}

/// Sources that would be cited alike are told apart: by letters, or by title where the style has no year.
pub fn tell_apart(entries: &mut [Entry<'_>], style: Style) {
    for at in 0..entries.len() {
        let same = |other: &Entry<'_>| match style {
            Style::Mla => other.name() == entries[at].name(),
            Style::Apa | Style::Chicago => {
                other.name() == entries[at].name()
                    && other.date.map(|it| it.year) == entries[at].date.map(|it| it.year)
            }
        };
        let alike: Vec<usize> = (0..entries.len()).filter(|other| same(&entries[*other])).collect();
        if alike.len() < 2 {
            continue;
        }
        if style == Style::Mla {
            entries[at].by_title = true;
        } else if alike[0] == at {
            for (letter, place) in ('a'..='z').zip(alike) {
                entries[place].suffix = Some(letter);
            }
        }
    }
}
