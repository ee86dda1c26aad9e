//! A good text, and one that is padded, copied, unsourced or badly written: each loses the score that is meant to see it.

use baton_agents::evidence::Verdict;

use super::{Evaluation, ScoreInput, SourceText, evaluate};
use crate::article::brief::form::{Form, Terms};
use crate::article::brief::{Brief, SourceKind};

const SOURCE: &str = "The mill on the river Lode grinds forty tonnes of wheat on every working day of the year without a pause.";

fn brief() -> Brief {
    let mut form = Form::default();
    form.set("topic", "The mill on the Lode");
    form.set("target_length", 150);
    form.set("min_sources", 2);
    form.set("tone", "professional");
    form.settle(&Terms::default()).unwrap()
}

const GOOD: &str = "# The mill on the Lode\n\nThe mill has stood beside the river Lode for more than a century. This article looks at its operation, its employees and its prices.\n\n\
## Operation\n\nThe wheel turns from dawn to dusk. It drives two heavy stones and a rotating sieve (Anna Miller, 2025). Grain arrives by barge in the early morning. \
The finished flour leaves by road before noon.\n\n## Employees\n\nTwelve experienced millers work there in alternating shifts. Most of them learnt the trade on the spot. \
They rest on Sundays and holidays (Town Office, 2024). A cook prepares dinner for everybody at midday.\n\n## Prices\n\nA sack of flour costs eighteen euros. Local bakeries pay a \
little less. The price increased in spring, when wheat was unusually scarce. It fell again after the harvest.\n\n## Conclusion\n\nA second wheel is planned for the eastern wall. \
The municipality will decide about it in autumn, after a public hearing in the old school. Construction could then begin next year, provided that the river is low enough for \
the foundations.\n\n## References\n\n- Anna Miller. (2025). *Work.*\n- Town Office. (2024). *People.*\n";

fn measured(text: &str, verified: usize, total: usize, cited: [bool; 2]) -> Evaluation {
    let brief = brief();
    let source = |name: &str, kind: SourceKind, cited: bool, text: &str| SourceText {
        name: name.to_owned(),
        kind,
        cited,
        text: text.to_owned(),
    };
    let carried = (0..verified).map(|at| (format!("{at}"), Verdict::Carried { by: vec![0] }));
    let open = (verified..total).map(|at| (format!("{at}"), Verdict::NotCarried { why: "no".to_owned() }));
    evaluate(&ScoreInput {
        brief: &brief,
        text,
        sources: vec![
            source("Anna Miller", SourceKind::Document, cited[0], SOURCE),
            source("Town Office", SourceKind::News, cited[1], ""),
        ],
        claims: carried.chain(open).collect(),
        good_citations: cited.iter().filter(|it| **it).count(),
        all_citations: 2,
        english: true,
    })
}

fn good() -> Evaluation {
    measured(GOOD, 18, 18, [true, true])
}

#[test]
fn a_good_text_scores_well_and_its_parts_add_up() {
    let found = good();
    assert!(found.overall >= 0.9, "{found:#?}");
    let scores = [found.article.score, found.source.score, found.factual.score, found.writing.score];
    let sum: f64 = scores.iter().zip([0.30, 0.25, 0.25, 0.20]).map(|(score, weight)| score * weight).sum();
    assert!((found.overall - sum).abs() < 0.006);
    assert_eq!(found.source.part("kinds"), Some(0.5));
}

#[test]
fn the_seeds_weights_give_the_seeds_quality() {
    let overall: f64 =
        [0.94, 0.89, 0.92, 0.88].iter().zip(super::WEIGHTS).map(|(score, weight)| score * weight).sum();
    assert_eq!((overall * 100.0).round() / 100.0, 0.91);
}

#[test]
fn length_counts_both_ways() {
    let long = GOOD.replace("## Conclusion", "## More\n\nThe river is wide here and slow. Fish live in it, and birds nest on its banks every year. Boats pass now and then on their way to the sea, with timber, stone and sand. Children swim in it when summer is warm. A ferry crosses at the bend. Its keeper lives in a small house with a red roof, and he rings a bell when fog comes up from the marshes in the evening hours of late October days.\n\n## Conclusion");
    let (short, full) = (measured("# T\n\nOne line about a mill. Two lines.\n", 1, 1, [true, true]), good());
    let long = measured(&long, 18, 18, [true, true]);
    let length = |it: &Evaluation| it.article.part("length").unwrap();
    assert!(
        length(&full) > 0.85 && length(&short) < 0.1 && length(&long) < 0.75,
        "{} {} {}",
        length(&full),
        length(&short),
        length(&long)
    );
}

#[test]
fn padding_lowers_article() {
    let again = " The finished flour leaves by road before noon. The finished flour leaves by road before noon. Before noon the finished flour leaves by road.";
    let padded = GOOD.replace("## Employees", &format!("{again}\n\n## Employees"));
    let found = measured(&padded, 18, 18, [true, true]);
    assert!(found.article.score < good().article.score - 0.05, "{:#?}", found.article);
    assert_eq!(found.article.factor_on.split(' ').next(), Some("3"));
}

#[test]
fn copying_lowers_writing_unless_it_is_quoted_or_named() {
    let with = |sentence: String| {
        measured(&GOOD.replace("The wheel turns from dawn to dusk.", &sentence), 18, 18, [true, true])
    };
    let copied = with(SOURCE.to_owned());
    assert!(copied.writing.score < good().writing.score - 0.08, "{:#?}", copied.writing);
    let bracketed = with(SOURCE.replace(" without a pause.", " without a pause (Anna Miller, 2025)."));
    assert!(bracketed.writing.factor < 0.95, "a citation in brackets marks no words as another's");
    for own in
        [format!("“{SOURCE}” (Anna Miller, 2025)."), format!("According to Anna Miller (2025), {SOURCE}")]
    {
        assert_eq!(with(own).writing.factor, 1.0);
    }
}

#[test]
fn what_no_source_carries_lowers_facts_and_missing_sources_lower_source() {
    let unsourced = measured(GOOD, 3, 18, [false, false]);
    assert!(unsourced.factual.score < 0.2 && unsourced.source.score < 0.1, "{unsourced:#?}");
    assert!(unsourced.demand.feedback().contains("15 sentences no source carries → fact_checker"));
    assert!(unsourced.demand.feedback().contains("2 more sources"), "{}", unsourced.demand.feedback());
}

#[test]
fn bad_writing_lowers_writing() {
    let bad = GOOD
        .replace("Grain arrives by barge", "Grain grain arrives arrives by by barge")
        .replace("Most of them learnt", "Most of them definately recieve a occasional")
        .replace("Local bakeries pay", "because local bakeries pay");
    let found = measured(&bad, 18, 18, [true, true]);
    assert!(found.writing.score < good().writing.score - 0.05, "{:#?}", found.writing);
}

#[test]
fn another_language_is_said_to_be_unmeasured() {
    let brief = brief();
    let found = evaluate(&ScoreInput {
        brief: &brief,
        text: "# Die Mühle\n\nDie Mühle steht am Fluss.\n",
        sources: Vec::new(),
        claims: Vec::new(),
        good_citations: 0,
        all_citations: 0,
        english: false,
    });
    assert_eq!(found.reading_ease, None);
    assert!(found.unmeasured[0].contains("English only"), "{found:#?}");
}

#[test]
fn a_heading_that_lists_things_says_nothing_of_them() {
    let text = |said: &str| {
        let page = format!("# Backups\n\n## Interruptions, locks and append-only mode\n\n{said}\n");
        super::markdown::MarkdownText::parse(&page)
    };
    let wish = "what goes wrong: interruptions, locks and append-only mode";
    let locks = "What goes wrong with locks: in append-only mode a lock goes wrong.";
    assert!(!text(locks).speaks_of(wish));
    assert!(text(&format!("{locks} Interruptions leave a checkpoint.")).speaks_of(wish));
}
