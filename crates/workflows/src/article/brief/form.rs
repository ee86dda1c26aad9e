//! A brief as people write it: TOML, YAML or JSON, or flags. Everything wrong with it is named at once, with line and
//! column, before any work.

mod read;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::{Brief, ContentType, Depth, SourceKind, Style, Tone};

/// Something wrong with a brief, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mistake {
    /// The field; empty for the whole.
    pub field: String,
    /// What is wrong, and what would be right.
    pub what: String,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, "line {line}, column {column}: ")?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.what)
    }
}

/// What a brief is held against beside itself: what the least of its plans costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terms {
    /// US dollars for a plan without anything optional; 0 if no model is asked.
    pub least_cost: f64,
    /// US dollars for finding and reading one source; 0 if no model is asked.
    pub per_source: f64,
}

/// The fields, and the other names that are taken for them.
const FIELDS: [(&str, &[&str]); 18] = [
    ("topic", &[]),
    ("content_type", &["type"]),
    ("target_length", &["length", "words"]),
    ("tone", &[]),
    ("research_depth", &["depth"]),
    ("min_sources", &[]),
    ("preferred_sources", &[]),
    ("excluded_sources", &[]),
    ("min_quality_score", &["min_quality", "quality"]),
    ("max_budget", &["budget", "budget_usd"]),
    ("max_time", &["time"]),
    ("target_audience", &["audience"]),
    ("key_points", &[]),
    ("specific_sections", &["sections"]),
    ("exclude_topics", &["exclusions"]),
    ("keywords", &[]),
    ("citation_style", &["style"]),
    ("enable_fact_checking", &[]),
];
/// One more, so that the list above stays a list of names people use.
const SEO: &str = "enable_seo_optimization";

/// Fewer words than this make no section.
const WORDS_PER_SECTION: usize = 60;

/// A brief that is being filled in.
#[derive(Clone, Debug, Default)]
pub struct Form {
    values: BTreeMap<String, Value>,
    places: BTreeMap<String, (usize, usize)>,
    mistakes: Vec<Mistake>,
}

impl Form {
    /// Reads a file's text; `name` chooses the language by its ending. What cannot be read at all is the one mistake.
    pub fn read(text: &str, name: &str) -> Result<Self, Vec<Mistake>> {
        let fields = read::fields(text, name).map_err(|mistake| vec![mistake])?;
        let mut form = Self::default();
        for (key, value) in fields {
            let place = read::place(text, &key);
            match canonical(&key) {
                Some(field) if form.values.contains_key(field) => {
                    form.wrong_at(&key, place, format!("`{field}` is given twice"));
                }
                Some(field) => {
                    form.places.extend(place.map(|place| (field.to_owned(), place)));
                    form.values.insert(field.to_owned(), value);
                }
                None => {
                    let known = FIELDS.iter().map(|(name, _)| *name).chain([SEO]);
                    let near = baton_agents::nearest::nearest(&key, known);
                    let hint = near.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
                    form.wrong_at(&key, place, format!("there is no such field{hint}"));
                }
            }
        }
        Ok(form)
    }

    /// Sets a field from a flag; a flag is stronger than a file.
    pub fn set(&mut self, field: &str, value: impl Into<Value>) {
        self.places.remove(field);
        self.values.insert(field.to_owned(), value.into());
    }

    /// Whether a field is set.
    #[must_use]
    pub fn has(&self, field: &str) -> bool {
        self.values.contains_key(field)
    }

    fn wrong_at(&mut self, field: &str, place: Option<(usize, usize)>, what: String) {
        let (line, column) = place.unzip();
        self.mistakes.push(Mistake { field: field.to_owned(), what, line, column });
    }

    fn wrong(&mut self, field: &str, what: impl Into<String>) {
        let place = self.places.get(field).copied();
        self.wrong_at(field, place, what.into());
    }

    /// The brief, or everything that is wrong with it.
    pub fn settle(mut self, terms: &Terms) -> Result<Brief, Vec<Mistake>> {
        let topic = self.topic();
        let research_depth =
            self.choice("research_depth", Depth::named, Depth::ALL, Depth::name, Depth::Standard);
        let target_length = self.whole("target_length", 100, 10_000, 2000);
        let brief = Brief {
            topic,
            content_type: self.choice(
                "content_type",
                ContentType::named,
                ContentType::ALL,
                ContentType::name,
                ContentType::Article,
            ),
            target_length,
            tone: self.choice("tone", Tone::named, Tone::ALL, Tone::name, Tone::Professional),
            research_depth,
            min_sources: self.whole("min_sources", 1, 50, research_depth.sources()),
            preferred_sources: self.kinds("preferred_sources"),
            excluded_sources: self.kinds("excluded_sources"),
            min_quality_score: self.number("min_quality_score", 0.0, 1.0, 0.8),
            max_budget: self.number("max_budget", 0.0, 50.0, 1.0),
            max_time: self.whole("max_time", 60, 7200, 1200) as u64,
            target_audience: self.text("target_audience", 200).unwrap_or_else(|| "general".to_owned()),
            key_points: self.list("key_points", 20),
            specific_sections: self.list("specific_sections", 40),
            exclude_topics: self.list("exclude_topics", 20),
            keywords: self.list("keywords", 20),
            citation_style: self.choice("citation_style", Style::named, Style::ALL, Style::name, Style::Apa),
            enable_fact_checking: self.flag("enable_fact_checking"),
            enable_seo_optimization: self.flag(SEO),
        };
        self.contradictions(&brief, terms);
        if self.mistakes.is_empty() { Ok(brief) } else { Err(self.mistakes) }
    }

    fn topic(&mut self) -> String {
        let Some(topic) = self.text("topic", 500) else {
            if !self.mistakes.iter().any(|mistake| mistake.field == "topic") {
                self.wrong("topic", "it is missing; say what the article is about");
            }
            return String::new();
        };
        if topic.chars().count() < 3 {
            self.wrong("topic", "it has fewer than 3 characters; say what the article is about");
        }
        topic
    }

    /// What is right by itself and wrong together.
    fn contradictions(&mut self, brief: &Brief, terms: &Terms) {
        let sections = brief.specific_sections.len();
        if sections > 0 && brief.target_length / sections < WORDS_PER_SECTION {
            let most = brief.target_length / WORDS_PER_SECTION;
            let what = format!(
                "{sections} sections do not fit into {} words; at most {most} do, or ask for {} words",
                brief.target_length,
                sections * WORDS_PER_SECTION
            );
            self.wrong("specific_sections", what);
        }
        let both = brief.preferred_sources.iter().find(|kind| brief.excluded_sources.contains(kind));
        if let Some(kind) = both {
            let what = format!("`{}` is preferred and excluded; take it out of one of them", kind.name());
            self.wrong("preferred_sources", what);
        }
        for point in &brief.key_points {
            let excluded = brief.exclude_topics.iter().any(|topic| topic.eq_ignore_ascii_case(point));
            if excluded {
                self.wrong("key_points", format!("\"{point}\" is asked for and excluded"));
            }
        }
        if brief.exclude_topics.iter().any(|topic| topic.eq_ignore_ascii_case(&brief.topic)) {
            self.wrong("exclude_topics", "the topic itself is excluded");
        }
        if brief.max_budget < terms.least_cost {
            let what = format!(
                "{:.2} USD pay for nothing: the smallest plan with these models costs {:.2}; raise it, or ask no model",
                brief.max_budget, terms.least_cost
            );
            self.wrong("max_budget", what);
        } else if terms.per_source > 0.0 {
            let paid = ((brief.max_budget - terms.least_cost) / terms.per_source).floor().max(1.0);
            if (brief.min_sources as f64) > paid {
                let what = format!(
                    "{} sources are more than {:.2} USD pay for, which is about {paid:.0}",
                    brief.min_sources, brief.max_budget
                );
                self.wrong("min_sources", what);
            }
        }
    }

    fn text(&mut self, field: &str, most: usize) -> Option<String> {
        match self.values.get(field)?.clone() {
            Value::String(text) => {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let length = text.chars().count();
                if text.is_empty() {
                    self.wrong(field, "it is empty");
                    return None;
                }
                if length > most {
                    self.wrong(field, format!("it has {length} characters; at most {most} are taken"));
                }
                Some(text)
            }
            other => {
                self.wrong(field, format!("{} is no text; put it in quotes", shown(&other)));
                None
            }
        }
    }

    fn whole(&mut self, field: &str, least: usize, most: usize, default: usize) -> usize {
        let Some(value) = self.values.get(field).cloned() else { return default };
        let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
        match number.filter(|number| (least..=most).contains(number)) {
            Some(number) => number,
            None => {
                self.wrong(field, format!("{} is not a whole number from {least} to {most}", shown(&value)));
                default
            }
        }
    }

    fn number(&mut self, field: &str, least: f64, most: f64, default: f64) -> f64 {
        let Some(value) = self.values.get(field).cloned() else { return default };
        match value.as_f64().filter(|number| (least..=most).contains(number)) {
            Some(number) => number,
            None => {
                self.wrong(field, format!("{} is not a number from {least} to {most}", shown(&value)));
                default
            }
        }
    }

    fn flag(&mut self, field: &str) -> bool {
        match self.values.get(field).cloned() {
            None => true,
            Some(Value::Bool(flag)) => flag,
            Some(other) => {
                self.wrong(field, format!("{} is neither true nor false", shown(&other)));
                true
            }
        }
    }

    fn choice<T: Copy>(
        &mut self,
        field: &str,
        named: fn(&str) -> Option<T>,
        all: &'static [T],
        name: fn(T) -> &'static str,
        default: T,
    ) -> T {
        let Some(value) = self.values.get(field).cloned() else { return default };
        match value.as_str().and_then(named) {
            Some(choice) => choice,
            None => {
                let known: Vec<&str> = all.iter().map(|one| name(*one)).collect();
                self.wrong(field, format!("{} is not known; take {}", shown(&value), known.join(", ")));
                default
            }
        }
    }

    fn list(&mut self, field: &str, most: usize) -> Vec<String> {
        let items = match self.values.get(field).cloned() {
            None => return Vec::new(),
            Some(Value::String(one)) => vec![Value::String(one)],
            Some(Value::Array(items)) => items,
            Some(other) => {
                self.wrong(field, format!("{} is no list of texts", shown(&other)));
                return Vec::new();
            }
        };
        if items.len() > most {
            self.wrong(field, format!("it has {} entries; at most {most} are taken", items.len()));
        }
        let mut texts: Vec<String> = Vec::new();
        for item in items {
            let text = item.as_str().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
            match text.filter(|text| !text.is_empty() && text.chars().count() <= 200) {
                Some(text) if texts.iter().any(|known| known.eq_ignore_ascii_case(&text)) => {
                    self.wrong(field, format!("\"{text}\" stands in it twice"));
                }
                Some(text) => texts.push(text),
                None => self.wrong(field, format!("{} is no text of 1 to 200 characters", shown(&item))),
            }
        }
        texts
    }

    fn kinds(&mut self, field: &str) -> Vec<SourceKind> {
        let mut kinds = Vec::new();
        for text in self.list(field, 5) {
            match SourceKind::named(&text) {
                Some(kind) => kinds.push(kind),
                None => {
                    let known: Vec<&str> = SourceKind::ALL.iter().map(|kind| kind.name()).collect();
                    self.wrong(field, format!("\"{text}\" is not known; take {}", known.join(", ")));
                }
            }
        }
        kinds
    }
}

fn canonical(key: &str) -> Option<&'static str> {
    if key == SEO {
        return Some(SEO);
    }
    FIELDS.iter().find(|(name, also)| *name == key || also.contains(&key)).map(|(name, _)| *name)
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > 40 { format!("{}…", text.chars().take(40).collect::<String>()) } else { text }
}
