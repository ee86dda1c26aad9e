//! Briefs in three languages, and every mistake named at once with its place.

use super::{Form, Terms};
use crate::article::brief::{ContentType, Depth, SourceKind, Style, Tone};

fn mistakes(text: &str, name: &str) -> Vec<String> {
    let told = |mistakes: Vec<super::Mistake>| mistakes.iter().map(ToString::to_string).collect();
    match Form::read(text, name) {
        Ok(form) => form.settle(&Terms::default()).map(|_| Vec::new()).unwrap_or_else(told),
        Err(mistakes) => told(mistakes),
    }
}

#[test]
fn three_languages_say_the_same() {
    let toml = "topic = \"Mills\"\nlength = 900\ntype = \"Blog Post\"\nkeywords = [\"mill\", \"flour\"]\nstyle = \"MLA\"\n";
    let yaml = "topic: Mills\nlength: 900\ntype: Blog Post\nkeywords:\n  - mill\n  - flour\nstyle: MLA\n";
    let json = r#"{"brief": {"topic": "Mills", "length": 900, "type": "Blog Post", "keywords": ["mill", "flour"], "style": "MLA"}}"#;
    let read = |text: &str, name: &str| Form::read(text, name).unwrap().settle(&Terms::default()).unwrap();
    let brief = read(toml, "brief.toml");
    assert_eq!(
        (brief.target_length, brief.content_type, brief.citation_style),
        (900, ContentType::BlogPost, Style::Mla)
    );
    assert_eq!(
        (brief.tone, brief.research_depth, brief.min_sources),
        (Tone::Professional, Depth::Standard, 8)
    );
    assert_eq!((brief.max_budget, brief.min_quality_score), (1.0, 0.8));
    assert_eq!(brief, read(yaml, "brief.yaml"));
    assert_eq!(brief, read(json, "brief.json"));
    assert_eq!(brief, read(json, "-"));
}

#[test]
fn everything_wrong_is_told_at_once_with_line_and_column() {
    let text = "topic = \"ab\"\nlength = 50\ntone = \"angry\"\n  min_sources = 99\nmin_quality = 1.5\ncolour = \"red\"\nkeywords = [\"a\", \"a\"]\n";
    assert_eq!(
        mistakes(text, "brief.toml"),
        [
            "line 6, column 1: colour: there is no such field",
            "line 1, column 1: topic: it has fewer than 3 characters; say what the article is about",
            "line 2, column 1: target_length: 50 is not a whole number from 100 to 10000",
            "line 3, column 1: tone: \"angry\" is not known; take professional, academic, casual, technical, conversational",
            "line 4, column 3: min_sources: 99 is not a whole number from 1 to 50",
            "line 5, column 1: min_quality_score: 1.5 is not a number from 0 to 1",
            "line 7, column 1: keywords: \"a\" stands in it twice",
        ]
    );
}

#[test]
fn what_contradicts_itself_is_told() {
    let sections: Vec<String> = (1..=12).map(|number| format!("\"Part {number}\"")).collect();
    let text = format!("topic = \"Mills\"\nlength = 500\nsections = [{}]\n", sections.join(", "));
    assert_eq!(
        mistakes(&text, "b.toml"),
        [
            "line 3, column 1: specific_sections: 12 sections do not fit into 500 words; at most 8 do, or ask for 720 words"
        ]
    );
    let both = "topic: Mills\npreferred_sources: [academic]\nexcluded_sources: [academic, news]\n";
    assert_eq!(
        mistakes(both, "b.yml"),
        [
            "line 2, column 1: preferred_sources: `academic` is preferred and excluded; take it out of one of them"
        ]
    );
    let excluded = r#"{"topic": "Mills", "key_points": ["Costs"], "exclusions": ["costs", "mills"]}"#;
    let told = mistakes(excluded, "b.json");
    assert_eq!(told.len(), 2, "{told:?}");
}

#[test]
fn a_budget_that_pays_for_nothing_is_refused() {
    let mut form = Form::default();
    form.set("topic", "Mills");
    form.set("max_budget", 0.05);
    form.set("min_sources", 20);
    let poor = Terms { least_cost: 0.9, per_source: 0.002 };
    let told = form.clone().settle(&poor).unwrap_err();
    assert!(
        told[0].what.starts_with("0.05 USD pay for nothing: the smallest plan with these models costs 0.90"),
        "{told:?}"
    );
    form.set("max_budget", 0.91);
    let told = form.clone().settle(&poor).unwrap_err();
    assert_eq!(told[0].what, "20 sources are more than 0.91 USD pay for, which is about 5");
    form.set("max_budget", 1.0);
    assert!(form.settle(&poor).is_ok());
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    for (text, name, place) in [
        ("topic = \"Mills\nlength = 3", "b.toml", "line 1"),
        ("{\"topic\": \"Mills\",\n \"length\" 3}", "b.json", "line 2"),
        ("topic: [Mills\nlength: 3\n", "b.yaml", "line "),
        ("topic: &a Mills\ntone: *a\n", "b.yaml", "line 1, column 8: anchors and aliases"),
        ("- Mills\n", "b.yaml", "line 1, column 1: a brief is a list of fields"),
        ("", "b.toml", "topic: it is missing"),
        ("", "b.yaml", "topic: it is missing"),
        ("topic: a\n---\ntopic: b\n", "b.yaml", "line 1, column 1: a brief is one document"),
        ("topic: [1, 2]\n", "b.yaml", "line 1, column 1: topic: [1,2] is no text"),
    ] {
        let told = mistakes(text, name);
        assert!(told.first().is_some_and(|told| told.starts_with(place)), "{text}: {told:?}");
    }
}

#[test]
fn a_misspelt_field_is_told_its_neighbour() {
    let told = mistakes("topic = \"Mills\"\nkeyword = [\"a\"]\n", "b.toml");
    assert_eq!(told, ["line 2, column 1: keyword: there is no such field; did you mean `keywords`?"]);
    assert_eq!(SourceKind::named("Academic"), Some(SourceKind::Academic));
}
