//! Words that say what is asked, in English, German and Russian; the lists stand in `lexicon.txt`.

use std::sync::LazyLock;

/// What a word does in a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sense {
    /// "average"
    Average,
    /// "median"
    Median,
    /// "total", "how much"
    Total,
    /// "highest", "most"
    Highest,
    /// "lowest", "least"
    Lowest,
    /// "how many", "number of"
    Count,
    /// "different", "unique"
    Different,
    /// "share", "percentage"
    Share,
    /// "change", "grow"
    Change,
    /// "trend", "over time"
    Trend,
    /// "seasonal"
    Season,
    /// "correlated"
    Correlation,
    /// "compare", "versus"
    Compare,
    /// "ratio"
    Ratio,
    /// "target"
    Target,
    /// "distribution", "spread"
    Distribution,
    /// "standard deviation"
    Deviation,
    /// "latest", "current"
    Latest,
    /// "which", "who"
    Which,
    /// "when"
    When,
    /// "top"
    Top,
    /// "by", "each"
    By,
    /// "per"
    Per,
    /// "why", "will", "should": what data cannot tell
    Beyond,
    /// Rows of a table: "rows", "records"
    Rows,
    /// A day
    Day,
    /// A week
    Week,
    /// A month
    Month,
    /// A quarter
    Quarter,
    /// A year
    Year,
    /// Says nothing by itself
    Plain,
}

const SENSES: [(&str, Sense); 31] = [
    ("average", Sense::Average),
    ("median", Sense::Median),
    ("total", Sense::Total),
    ("highest", Sense::Highest),
    ("lowest", Sense::Lowest),
    ("count", Sense::Count),
    ("different", Sense::Different),
    ("share", Sense::Share),
    ("change", Sense::Change),
    ("trend", Sense::Trend),
    ("season", Sense::Season),
    ("correlation", Sense::Correlation),
    ("compare", Sense::Compare),
    ("ratio", Sense::Ratio),
    ("target", Sense::Target),
    ("distribution", Sense::Distribution),
    ("deviation", Sense::Deviation),
    ("latest", Sense::Latest),
    ("which", Sense::Which),
    ("when", Sense::When),
    ("top", Sense::Top),
    ("by", Sense::By),
    ("per", Sense::Per),
    ("beyond", Sense::Beyond),
    ("rows", Sense::Rows),
    ("day", Sense::Day),
    ("week", Sense::Week),
    ("month", Sense::Month),
    ("quarter", Sense::Quarter),
    ("year", Sense::Year),
    ("plain", Sense::Plain),
];

/// The lists, read once.
static LISTS: LazyLock<Vec<(&'static str, Vec<&'static str>)>> = LazyLock::new(|| {
    let lines = include_str!("lexicon.txt").lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, words)| (name, words.split_whitespace().collect()))
        .collect()
});

/// All senses of a word in lower case.
#[must_use]
pub fn senses(word: &str) -> Vec<Sense> {
    let fits = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(stem) => word.starts_with(stem) && word.len() <= stem.len() + 10,
        None => word == *pattern,
    };
    let said = LISTS.iter().filter(|(_, words)| words.iter().any(&fits)).map(|(name, _)| *name);
    said.filter_map(|said| SENSES.iter().find(|(name, _)| *name == said)).map(|(_, sense)| *sense).collect()
}

/// Whether two words mean the same in tables.
#[must_use]
pub fn alike(one: &str, two: &str) -> bool {
    LISTS.iter().any(|(name, words)| *name == "alike" && words.contains(&one) && words.contains(&two))
}
