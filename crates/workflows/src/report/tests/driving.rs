//! Whole reports: the example by rules, what is planted in it, what nothing answers, what cannot be read, and a writer that
//! lies.

use baton_agents::model::ModelCall;
use baton_agents::skill::Role;
use baton_engine::End;
use baton_figures::FindingKind;
use baton_machine::Outcome;
use serde_json::{Value, json};

use super::support::{order, query, run, text, world};
use crate::asking::CallModel;
use crate::pretended::PretendedModel;
use crate::report::{Depth, Order};

#[tokio::test]
async fn the_example_by_rules_finds_and_draws_all_that_is_planted() {
    let home = tempfile::tempdir().unwrap();
    let (end, memory, files) = run(home.path(), world(home.path()), &order(&query())).await;
    assert_eq!(end, End::Finished(Outcome::Completed), "{:?}", memory.nothing);
    assert_eq!(memory.depth(), Depth::DeepDive);
    assert!(memory.coverage_now() >= 80.0, "{:#?}", memory.coverage());
    let page = text(&files, "output/report.html");
    let told: String = memory.aggregation().unwrap().sentences().map(|it| it.text() + "\n").collect();
    let found = |kind: FindingKind| memory.findings().filter(|it| it.kind == kind).collect::<Vec<_>>();
    // The trend breaks on 1 March 2025, downwards: that day lies in the stretch that is told.
    let breaks = found(FindingKind::TrendBreak);
    let planted: baton_figures::Date = "2025-03-01".parse().unwrap();
    let near = |it: &&baton_figures::Finding| it.at.unwrap().holds(planted) && it.at.unwrap().days() <= 31;
    assert!(breaks.iter().any(near), "{breaks:#?}");
    // The app overtakes the counter, Saturdays lead, a day stands out, the review disagrees.
    for words in ["1,520,000", "1,457,048", "Saturday", "17 August 2024", "9.4\u{a0}%"] {
        assert!(page.contains(words), "{words}:\n{told}");
    }
    assert!(!found(FindingKind::ShareFlip).is_empty(), "{told}");
    assert_eq!(memory.conflicts().len(), 1, "{:?}", memory.conflicts());
    assert!((5..=8).contains(&memory.charts().len()), "{}", memory.charts().len());
    assert_eq!(memory.verified_figures(), memory.shown_figures().len());
    for word in ["initial_research", "questions_review", "coverage", "deep_dive"] {
        assert!(!page.contains(word), "{word} is for method.md");
    }
    // The picture of the README.
    let look = baton_charts::svg::Look::print();
    let picture = baton_charts::svg::draw(&memory.charts()[0].chart, &look).unwrap();
    baton_testkit::snapshot::same_as_file(
        super::support::example().join("revenue.svg"),
        &format!("{picture}\n"),
    );
    for file in [
        "session.json",
        "state/initial_context.json",
        "state/brief.json",
        "state/plan.json",
        "state/coverage.json",
        "state/chart_data.json",
        "state/charts_analyzed.json",
        "state/story.json",
        "state/aggregation.json",
        "state/citations.json",
        "state/glossary.json",
        "state/editor_log.json",
        "results/data_1.json",
        "results/tables.toml",
        "output/method.md",
        "evidence.json",
    ] {
        text(&files, file);
    }
    assert!(files.iter().any(|file| file.path.starts_with("results/series/")));
    assert!(files.iter().any(|file| file.path.starts_with("output/charts/c1_")));
}

#[tokio::test]
async fn a_standard_report_goes_the_short_way() {
    let home = tempfile::tempdir().unwrap();
    let (end, memory, files) =
        run(home.path(), world(home.path()), &order("How did revenue develop from 2024 to 2025?")).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    assert_eq!(memory.depth(), Depth::Standard);
    assert!(memory.story.is_none() && memory.edited.is_none() && memory.analyzed.is_none());
    assert!(text(&files, "output/report.html").contains("9.4\u{a0}%"));
}

#[tokio::test]
async fn what_nothing_answers_is_no_report() {
    let home = tempfile::tempdir().unwrap();
    let mut order = order("Who won the Eurovision song contest in 1974?");
    order.docs.clear();
    let (end, memory, files) = run(home.path(), world(home.path()), &order).await;
    assert_eq!(end, End::Finished(Outcome::NoEvidence), "{:?}", memory.takeaways());
    assert!(!files.iter().any(|file| file.path == "output/report.html"));
}

#[tokio::test]
async fn data_that_cannot_be_read_is_told() {
    let home = tempfile::tempdir().unwrap();
    let empty = home.path().join("empty.csv");
    std::fs::write(&empty, "").unwrap();
    let mut order = Order::new("How did revenue develop?");
    order.data = vec![empty];
    let (end, memory, _) = run(home.path(), world(home.path()), &order).await;
    assert_eq!(end, End::Finished(Outcome::NoEvidence));
    assert!(memory.nothing.unwrap().contains("empty.csv"));
}

#[tokio::test]
async fn an_indicator_is_left_out_with_a_note() {
    let home = tempfile::tempdir().unwrap();
    let asked = "- How did revenue develop from 2024 to 2025?\n- What is the RSI of revenue?";
    let (_, memory, files) = run(home.path(), world(home.path()), &order(asked)).await;
    assert!(memory.notes.iter().any(|note| note.starts_with("RSI left out")), "{:?}", memory.notes);
    // A reader is told that it was left out, and nothing else of it.
    let page = text(&files, "output/report.html");
    let told = format!("RSI {}", crate::report::brief::LEFT_OUT);
    assert!(page.contains(&told));
    assert!(!page.replace(&told, "").contains("RSI"));
    assert!(text(&files, "output/method.md").contains("RSI left out"));
}

#[tokio::test]
async fn a_target_that_is_never_reached_ends_with_its_reason() {
    let home = tempfile::tempdir().unwrap();
    let mut order = order("- How did revenue develop from 2024 to 2025?\n- Who sings in the choir of Tolg?");
    order.coverage_target = 100;
    let (end, memory, _) = run(home.path(), world(home.path()), &order).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    assert!(memory.falls_short());
    let reason = &memory.coverage().reason;
    assert!(reason.contains("no task is left") || reason.contains("rounds"), "{reason}");
    assert_eq!(memory.open_questions(), ["Who sings in the choir of Tolg?"]);
}

/// Every statement as rules have it, and beside each the lies: another way, group, time, unit, number, and causes.
fn liar(call: &ModelCall) -> String {
    let shown: String = call.messages.iter().map(|message| message.text.as_str()).collect();
    let labels: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.trim().split_once(": ").map(|(label, _)| label))
        .filter(|label| label.starts_with('d') || label.starts_with("finding") || label.starts_with("Fact-"))
        .collect();
    let mut sentences: Vec<Value> = Vec::new();
    for lie in LIES {
        sentences.push(json!({"text": lie, "evidence": labels}));
        for label in &labels {
            sentences.push(json!({"text": lie, "evidence": [label]}));
        }
    }
    match call.skill.as_str() {
        "tell_story" => json!({"core_answer": sentences[0], "hook": sentences[sentences.len() / 2]}).to_string(),
        "write_section" => {
            json!({"passages": [{"question": 1, "sentences": sentences}, {"question": 2, "sentences": sentences}]})
                .to_string()
        }
        _ => json!({"proposals": []}).to_string(),
    }
}

const LIES: &[&str] = &[
    "Revenue fell by 9.4 % from 2024 to 2025.",
    "Revenue rose by 9.4 EUR from 2024 to 2025.",
    "Revenue rose by 9.4 % from 2023 to 2024.",
    "Revenue for Campus rose by 9.4 % from 2024 to 2025.",
    "Revenue rose by 19.4 % from 2024 to 2025.",
    "Revenue rose by 9.4 % from 2024 to 2025 because of the app.",
    "The app drove revenue up by 9.4 % from 2024 to 2025.",
    "Revenue rose by 9.4 % thanks to the Harbour festival.",
    "Mill had the highest revenue.",
    "Staff cost rose by 9.4 % from 2024 to 2025.",
    "Revenue rose by 9.4 % from 2024 to 2025, so guests are happy.",
    "Revenue rose by 9.4 % in March 2025.",
    "Total revenue in 2024 was EUR 1,457,048.",
    "Sunday had the most orders.",
    "The counter overtook the app in March 2025.",
    "Profit rose by 9.4 % from 2024 to 2025.",
    "Revenue rose by 9.4 % in 2024.",
    "Revenue went from EUR 1,457,048 to EUR 1,332,325.",
    "Staff cost rose by 9.4 % and revenue by 6.7 % from 2024 to 2025.",
    "Staff cost grew faster than revenue: 6.7 % against 9.4 % from 2024 to 2025.",
    "Revenue did not rise by 9.4 % from 2024 to 2025.",
    "Revenue doubled from 2024 to 2025.",
    "Revenue rose by more than 9.4 % from 2024 to 2025.",
    "Harbour took EUR 949,493 in 2025.",
    "Revenue was EUR 949,493.",
    "Harbour and Station together took EUR 780,982.",
    "Campus, with EUR 445,495, took more than half of what Harbour takes.",
    "Station had more revenue than Harbour, EUR 780,982 against EUR 949,493.",
    "The counter overtook the app about 16 January 2025.",
    "The app overtook the counter in orders about 16 January 2025.",
    "The trend of revenue turned around 20 March 2025.",
    "Revenue rose after 3 March 2025.",
    "Revenue per order was EUR 5.30 at the counter.",
    "The app's share of orders rose from 30.2 % in March 2024 to 61.8 % in 2025.",
    "In the last two months of 2025 the app brought in 64.6 % of revenue.",
    "All six shops together took 444 orders on Sundays.",
    "The trend of revenue turned in early February 2025.",
    "The trend of revenue turned between late March and the middle of April 2025.",
    "Average revenue was EUR 1,457,048 in 2025.",
    "The median of revenue for Harbour was EUR 949,493.",
    "Between 2024 and 2025 revenue rose by 9.4 %, from EUR 1,457,048 to EUR 1,332,325.",
    "Revenue of Campus is above that of Harbour: EUR 445,495 against EUR 949,493.",
    "Harbour and Station took EUR 780,982 and EUR 949,493.",
    "Revenue rose by 9.4 % from 2024 to 2026.",
    "Revenue edged up: it slipped by 9.4 % from 2024 to 2025.",
];

#[tokio::test]
async fn a_lying_writer_tells_its_reader_nothing_false() {
    let home = tempfile::tempdir().unwrap();
    let effects = world(home.path()).with::<CallModel>(PretendedModel { say: liar, output: 500 });
    let mut order = order(&query());
    order.roles.writer =
        Role { name: "writer".to_owned(), chain: vec![PretendedModel::card("pretended")], rules: true };
    let (end, memory, files) = run(home.path(), effects, &order).await;
    assert_eq!(end, End::Finished(Outcome::Completed), "{:?}", memory.notes);
    for file in files.iter().filter(|file| file.copy_of.is_none()) {
        let content = String::from_utf8_lossy(&file.content).replace('\u{a0}', " ");
        for lie in LIES {
            assert!(!content.contains(lie.trim_end_matches('.')), "{}: {lie}", file.path);
        }
    }
    assert!(memory.dropped().len() >= 2 * LIES.len(), "{}", memory.dropped().len());
}
