//! The brief: what the query wants, in the shape of the seed's brief.json. Its rules read the structure of the query; a model
//! may word goal and questions better, and never changes depth, style or format.

use std::collections::BTreeMap;

use baton_agents::rules::dates::dates;
use baton_agents::rules::words::{fold, word_ranges};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::depth::{Depth, Trigger, chart_count, depth_of};
use super::order::{Format, Order, Style};
use super::query::{Query, topic_of};

/// What the query wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Brief {
    /// What the report is for, in a sentence.
    pub goal: String,
    /// Its heading.
    pub title: String,
    /// `en`, `ru`…
    pub language: String,
    /// `retail`, `finance`… or `general`.
    pub domain: String,
    /// How sure that is, 0 to 1.
    pub confidence: f64,
    /// How it is wanted.
    pub preferences: Preferences,
    /// What it covers.
    pub scope_items: Vec<ScopeItem>,
    /// What the query calls columns, by what stands above them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, String>,
    /// What it keeps within.
    pub constraints: Constraints,
    /// Nobody was asked.
    pub auto_generated: bool,
    /// Why it is as it is.
    pub reasoning: Vec<Reason>,
}

/// How the report is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preferences {
    /// `html`, `html+pdf`, `html+excel`, `html+pdf+excel`.
    pub output_format: String,
    /// How it looks.
    pub style: Style,
    /// How deep it goes.
    pub depth: Depth,
    /// `c_level`, `committee`, `analyst` or `general`.
    pub audience: String,
    /// `neutral_business`.
    pub tone: String,
    /// `full_report`.
    pub components: Vec<String>,
    /// Charts, least and most.
    pub charts: (usize, usize),
}

/// Something the report covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScopeItem {
    /// `s1`.
    pub id: String,
    /// What it is about.
    pub topic: String,
    /// `data`, `research` or `mixed`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `high`, `medium` or `low`.
    pub priority: String,
    /// What is asked.
    pub questions: Vec<String>,
    /// Tables and folders it may rest on.
    pub suggested_sources: Vec<String>,
}

/// What it keeps within.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constraints {
    /// Years and days the query names.
    pub timeframe: Option<String>,
    /// Places it names; rules tell none.
    pub geography: Option<String>,
    /// What was left out and other limits.
    pub other: Vec<String>,
}

/// Why the brief is as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// What had to be decided.
    pub question: String,
    /// What was decided.
    pub answer: String,
    /// Why.
    pub why: String,
}

/// Indicators of chart reading that are refused as calculations, by the words that ask for them.
const REFUSED: &[(&str, &[&str])] = &[
    ("RSI", &["rsi", "relative strength index"]),
    ("MACD", &["macd"]),
    ("Bollinger bands", &["bollinger"]),
    ("moving averages", &["moving average", "moving averages", "sma", "ema", "скользящ"]),
    ("stochastic oscillators", &["stochastic oscillator"]),
    (
        "support and resistance",
        &["support and resistance", "support level", "resistance level", "поддержк и сопротивлен"],
    ),
    ("chart patterns", &["head and shoulders", "double top", "double bottom", "golden cross", "death cross"]),
    ("Fibonacci levels", &["fibonacci"]),
];

/// The indicators a text asks for that are never computed, by whole words.
#[must_use]
pub fn refused_indicators(text: &str) -> Vec<&'static str> {
    let words: Vec<String> = word_ranges(text).map(|at| fold(&text[at])).collect();
    let line = format!(" {} ", words.join(" "));
    let asks = |names: &&[&str]| {
        names.iter().any(|name| {
            // A name that ends in a stem matches its endings.
            if name.is_ascii() {
                line.contains(&format!(" {name} "))
            } else {
                line.contains(&format!(" {name}"))
            }
        })
    };
    REFUSED.iter().filter(|(_, names)| asks(names)).map(|(name, _)| *name).collect()
}

/// Domains and the words that tell them.
const DOMAINS: &[(&str, &[&str])] = &[
    ("retail", &["shop", "shops", "store", "stores", "sales", "orders", "customers", "revenue", "basket"]),
    ("finance", &["investment", "portfolio", "fund", "stock", "stocks", "yield", "dividend", "bank", "etf"]),
    ("crypto", &["bitcoin", "btc", "ethereum", "crypto", "token", "defi"]),
    ("energy", &["energy", "electricity", "power", "heat", "gas", "solar", "wind", "consumption"]),
    ("transport", &["flights", "passengers", "trips", "bikes", "trains", "traffic", "vehicles"]),
    ("public health", &["patients", "hospital", "cases", "mortality", "vaccination", "health"]),
    ("nature", &["species", "temperature", "rainfall", "climate", "penguins", "weather"]),
];

/// The tags of a text: domains whose words it uses, the best first.
#[must_use]
pub fn tags(text: &str) -> Vec<(String, usize)> {
    let words: Vec<String> = word_ranges(text).map(|at| fold(&text[at])).collect();
    let hits = |known: &[&str]| words.iter().filter(|word| known.contains(&word.as_str())).count();
    let mut found: Vec<(String, usize)> = DOMAINS
        .iter()
        .map(|(name, known)| ((*name).to_owned(), hits(known)))
        .filter(|(_, hits)| *hits > 0)
        .collect();
    found.sort_by_key(|(_, hits)| std::cmp::Reverse(*hits));
    found
}

/// The two-letter code of a query's language.
#[must_use]
pub fn language_of(query: &str) -> &'static str {
    let cyrillic = query.chars().filter(|letter| ('\u{400}'..='\u{4ff}').contains(letter)).count();
    let latin = query.chars().filter(char::is_ascii_alphabetic).count();
    if cyrillic > latin { "ru" } else { "en" }
}

/// What a list of runs calls a report.
#[must_use]
pub fn title_of(order: &Order) -> String {
    let query = Query::read(&order.query);
    let goal = goal(&query, &order.query);
    query.title.unwrap_or_else(|| topic_of(&goal))
}

/// The brief of an order by rules.
#[must_use]
pub fn build(order: &Order) -> Brief {
    let query = Query::read(&order.query);
    let (told, triggers) = depth_of(&order.query);
    let depth = order.depth.unwrap_or(told);
    let style = order.style.unwrap_or_else(|| style_of(&order.query));
    let mut reasoning = vec![depth_reason(order, depth, &triggers)];
    reasoning.push(Reason {
        question: "Which style?".to_owned(),
        answer: style.name().to_owned(),
        why: if order.style.is_some() { "it was said" } else { "by the words of the query" }.to_owned(),
    });
    let charts = match (order.charts, chart_count(&order.query)) {
        (Some(most), _) => (most, most),
        (None, Some(range)) => range,
        (None, None) if depth == Depth::DeepDive => (4, 8),
        (None, None) => (1, 4),
    };
    let (scope_items, mut other) = scope(&query);
    other.extend(constraints(order));
    let goal = goal(&query, &order.query);
    let known = tags(&order.query);
    let all: usize = known.iter().map(|(_, hits)| hits).sum();
    let (domain, confidence) = known.first().map_or(("general".to_owned(), 0.5), |(name, hits)| {
        (name.clone(), (100.0 * *hits as f64 / all as f64).round() / 100.0)
    });
    Brief {
        title: query.title.unwrap_or_else(|| topic_of(&goal)),
        goal,
        language: language_of(&order.query).to_owned(),
        domain,
        confidence,
        preferences: Preferences {
            output_format: output_format(order),
            style,
            depth,
            audience: "analyst".to_owned(),
            tone: "neutral_business".to_owned(),
            components: vec!["full_report".to_owned()],
            charts,
        },
        scope_items,
        words: words(order),
        constraints: Constraints { timeframe: timeframe(&order.query), geography: None, other },
        auto_generated: true,
        reasoning,
    }
}

/// What the query calls columns, as far as there are any.
fn words(order: &Order) -> BTreeMap<String, String> {
    let reads = order.names_from_query && order.has_data();
    if reads { super::gloss::read(&order.all_asked()).columns } else { BTreeMap::new() }
}

fn depth_reason(order: &Order, depth: Depth, triggers: &[Trigger]) -> Reason {
    let why = match order.depth {
        Some(_) => "it was said".to_owned(),
        None if triggers.is_empty() => "nothing in the query asks for more".to_owned(),
        None => triggers.iter().map(|trigger| trigger.words()).collect::<Vec<_>>().join("; "),
    };
    Reason { question: "How deep?".to_owned(), answer: depth.name().to_owned(), why }
}

/// "Warp" as a word asks for its style.
fn style_of(query: &str) -> Style {
    let says = word_ranges(query).any(|at| fold(&query[at]) == "warp");
    if says { Style::Warp } else { Style::Default }
}

/// What is written: a page always, the others when somebody asked for them.
#[must_use]
pub fn formats(order: &Order) -> Vec<Format> {
    let says =
        |names: &[&str]| word_ranges(&order.query).any(|at| names.contains(&fold(&order.query[at]).as_str()));
    let mut formats = vec![Format::Html];
    if order.formats.contains(&Format::Pdf) || (order.formats.is_empty() && says(&["pdf"])) {
        formats.push(Format::Pdf);
    }
    let asks_workbook = order.formats.is_empty() && says(&["excel", "xlsx", "spreadsheet", "workbook"]);
    if order.formats.contains(&Format::Xlsx) || asks_workbook {
        formats.push(Format::Xlsx);
    }
    formats
}

fn output_format(order: &Order) -> String {
    let name = |format: &Format| if *format == Format::Xlsx { "excel" } else { format.name() };
    formats(order).iter().map(name).collect::<Vec<_>>().join("+")
}

/// What it covers, and what of the query is left out.
fn scope(query: &Query) -> (Vec<ScopeItem>, Vec<String>) {
    let mut left_out = Vec::new();
    let mut items: Vec<ScopeItem> = Vec::new();
    for asked in &query.asked {
        let refused = |text: &str| refused_indicators(text);
        let mut questions = Vec::new();
        for question in &asked.questions {
            match refused(question).as_slice() {
                [] => questions.push(question.clone()),
                names => left_out.push(format!("{} {}", names.join(", "), LEFT_OUT)),
            }
        }
        if questions.is_empty() {
            continue;
        }
        items.push(ScopeItem {
            id: format!("s{}", items.len() + 1),
            topic: asked.topic.clone(),
            kind: "mixed".to_owned(),
            priority: "high".to_owned(),
            questions,
            suggested_sources: Vec::new(),
        });
    }
    left_out.sort();
    left_out.dedup();
    (items, left_out)
}

/// Why an indicator does not stand in a report.
pub const LEFT_OUT: &str = "left out: indicators of chart reading are not computed";

fn constraints(order: &Order) -> Vec<String> {
    let mut other = Vec::new();
    other.extend(order.since.as_ref().map(|day| format!("only documents from {day} on")));
    other.extend(order.until.as_ref().map(|day| format!("only documents up to {day}")));
    other
}

/// The first sentence that says what is wanted, or the questions in a row.
fn goal(query: &Query, text: &str) -> String {
    // A report is not called by what is left out of it.
    let computed = |question: &&String| refused_indicators(question).is_empty();
    let said = query.preamble.iter().find(computed).cloned();
    let asked = || {
        let questions: Vec<&str> =
            query.asked.first()?.questions.iter().filter(computed).map(String::as_str).collect();
        (!questions.is_empty()).then(|| questions.join(" "))
    };
    let goal = said.or_else(|| query.title.clone()).or_else(asked).unwrap_or_else(|| text.trim().to_owned());
    goal.chars().take(400).collect()
}

/// The days and years a query names, as it names them.
fn timeframe(query: &str) -> Option<String> {
    let mut named: Vec<String> =
        dates(query).into_iter().map(|dated| query[dated.range].to_owned()).collect();
    let years = word_ranges(query)
        .map(|at| &query[at])
        .filter(|word| word.len() == 4 && word.parse::<u32>().is_ok_and(|year| (1900..2100).contains(&year)));
    named.extend(years.map(str::to_owned));
    named.dedup();
    (!named.is_empty()).then(|| named.join(", "))
}
