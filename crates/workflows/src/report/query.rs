//! A query as its author structured it: a title, sections with what is asked in each, or plain questions.

use baton_agents::rules::answer::parts;
use baton_agents::rules::sentences::sentences;

use super::depth::numbered_heading;

/// A part of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// What it is about.
    pub topic: String,
    /// What is asked.
    pub questions: Vec<String>,
}

/// A query, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Its heading, if it has one.
    pub title: Option<String>,
    /// What stands before the first section.
    pub preamble: Vec<String>,
    /// What is asked, in order; never empty unless the query is.
    pub asked: Vec<Asked>,
}

enum Line<'a> {
    Title(&'a str),
    Section(&'a str),
    Item(&'a str),
    Text(&'a str),
}

impl Query {
    /// Reads a query.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut query = Self::default();
        let mut open: Option<Asked> = None;
        let mut listed: Vec<Asked> = Vec::new();
        let mut prose = String::new();
        for line in text.lines().map(classified) {
            match line {
                Line::Title(title) if query.title.is_none() && open.is_none() => {
                    query.title = Some(title.to_owned());
                }
                Line::Title(title) | Line::Section(title) => {
                    query.asked.extend(open.take());
                    open = Some(Asked { topic: title.to_owned(), questions: Vec::new() });
                }
                Line::Item(item) => match &mut open {
                    Some(asked) => asked.questions.push(item.to_owned()),
                    None => {
                        listed.push(Asked { topic: topic_of(item), questions: vec![item.to_owned()] });
                    }
                },
                Line::Text("") => {}
                Line::Text(line) => match &mut open {
                    Some(asked) => asked.questions.extend(told(line)),
                    None => {
                        query.preamble.extend(told(line));
                        prose.push_str(line);
                        prose.push(' ');
                    }
                },
            }
        }
        query.asked.extend(open);
        if query.asked.is_empty() {
            query.asked = listed;
        } else if !listed.is_empty() {
            query.preamble.extend(listed.into_iter().map(|asked| asked.topic));
        }
        if query.asked.is_empty() {
            let mut questions: Vec<String> =
                told(prose.trim()).iter().flat_map(|sentence| parts(sentence)).collect();
            questions.extend(query.title.clone().filter(|_| questions.is_empty()));
            questions.retain(|question| question.chars().any(char::is_alphanumeric));
            let asked = |question: String| Asked { topic: topic_of(&question), questions: vec![question] };
            query.asked = questions.into_iter().map(asked).collect();
        }
        for asked in query.asked.iter_mut().filter(|asked| asked.questions.is_empty()) {
            asked.questions.push(asked.topic.clone());
        }
        query
    }
}

fn classified(line: &str) -> Line<'_> {
    let line = line.trim();
    if let Some((_, title)) = numbered_heading(line) {
        return Line::Section(title);
    }
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    if marks > 0 && line[marks..].starts_with(' ') {
        let title = line[marks..].trim();
        return if marks == 1 { Line::Title(title) } else { Line::Section(title) };
    }
    // What is drawn is an example of what is wanted, not a question.
    if line.chars().any(|letter| ('\u{2500}'..='\u{257f}').contains(&letter)) || line.starts_with('|') {
        return Line::Text("");
    }
    if let Some((mark, rest)) = line.split_once([' ', '\t']) {
        let digits = mark.strip_suffix(['.', ')']).unwrap_or_default();
        let numbered = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if matches!(mark, "-" | "*" | "+" | "•" | "–") || numbered {
            return Line::Item(rest.trim());
        }
    }
    Line::Text(line)
}

fn told(text: &str) -> Vec<String> {
    sentences(text).into_iter().map(|at| text[at].trim().to_owned()).filter(|it| !it.is_empty()).collect()
}

/// Letters of a title that is cut at no place.
const TITLE: usize = 80;
/// Letters of one that has no clause to be cut at.
const LONGEST: usize = 160;

/// A title for a question or a sentence: a question whole and with its mark, a sentence up to where a clause ends.
#[must_use]
pub fn topic_of(question: &str) -> String {
    let asks = question.trim_end().ends_with('?');
    let bare = question.trim().trim_end_matches(['?', '.', '!', ':', ';']).trim();
    let mut letters = bare.chars();
    let title: String =
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
    let length = title.chars().count();
    if asks && length <= LONGEST {
        return format!("{title}?");
    }
    if length <= TITLE {
        return title;
    }
    if let Some(clause) = first_clauses(&title) {
        return clause.to_owned();
    }
    if length <= LONGEST {
        return title;
    }
    let cut: String = title.chars().take(LONGEST - 2).collect();
    format!("{}…", cut.rsplit_once(' ').map_or(cut.as_str(), |(head, _)| head))
}

/// As many clauses as a title holds.
fn first_clauses(title: &str) -> Option<&str> {
    let ends = [", ", "; ", ": ", " – ", " — ", " ("];
    let mut places: Vec<usize> =
        ends.iter().flat_map(|end| title.match_indices(end).map(|(at, _)| at)).collect();
    places.sort_unstable();
    let fits = |at: &usize| (12..=TITLE).contains(&title[..*at].chars().count());
    places.into_iter().rfind(fits).map(|at| &title[..at])
}

#[cfg(test)]
mod tests;
