//! Each trigger alone, structure before keywords, and what only looks like a trigger.

use crate::report::depth::{Depth, Trigger, chart_count, depth_of, triggers};

#[test]
fn each_trigger_alone_asks_for_a_deep_dive() {
    let long = format!("{}\n- first\n- second", "Revenue by region and by month. ".repeat(40));
    for (query, trigger) in [
        ("## 1. Market\n## 2. Prices", Trigger::NumberedSections),
        ("Обзор рынка, 6-8 графиков", Trigger::ChartCount),
        ("Revenue with six charts", Trigger::ChartCount),
        ("Fill this:\n┌─────┐\n│ a   │\n└─────┘", Trigger::Tables),
        (long.as_str(), Trigger::LongAndStructured),
        ("A comprehensive look at revenue", Trigger::Keyword),
        ("Look deep into revenue", Trigger::Keyword),
        ("A detailed report", Trigger::Keyword),
    ] {
        assert_eq!(triggers(query), [trigger], "{query}");
        assert_eq!(depth_of(query).0, Depth::DeepDive, "{query}");
    }
}

#[test]
fn structure_beats_keywords() {
    assert_eq!(depth_of("A brief, deep look").0, Depth::Standard);
    assert_eq!(depth_of("A brief summary\n## 1. Revenue").0, Depth::DeepDive);
    assert_eq!(depth_of("Executive overview with 6–8 charts").0, Depth::DeepDive);
}

#[test]
fn what_only_looks_like_a_trigger_is_none() {
    for query in [
        "How did we deepen the port in 2024?",
        "Revenue │ costs",
        "Revenue of 2024 in charts",
        "# Revenue\nHow did it change?",
        "1. Revenue",
    ] {
        assert_eq!(triggers(query), [], "{query}");
    }
    let prose = "Revenue rose and fell and rose again. ".repeat(40);
    assert_eq!(depth_of(&prose).0, Depth::Standard);
}

#[test]
fn the_charts_a_query_asks_for() {
    assert_eq!(chart_count("6-8 графиков"), Some((6, 8)));
    assert_eq!(chart_count("from 6 to 8 charts"), Some((6, 8)));
    assert_eq!(chart_count("four line charts, please"), Some((4, 4)));
    assert_eq!(chart_count("500 charts"), None);
    assert_eq!(chart_count("sales charts"), None);
}
