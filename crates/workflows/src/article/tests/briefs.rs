//! The planner on the briefs of the seed's examples: same bands, same workers, and what a demand adds.

use super::support::{form, of};
use crate::article::{Demand, Need, Worker, analyse, optimise, plan};

fn names(plan: &crate::article::Plan) -> Vec<&'static str> {
    plan.workers().map(Worker::name).collect()
}

#[test]
fn example_1_is_simple() {
    let mut form = form("What is Python programming?");
    form.set("content_type", "Blog Post");
    form.set("target_length", 1000);
    form.set("tone", "Casual");
    form.set("research_depth", "Light");
    form.set("max_budget", 2.0);
    let assignment = of(form);
    let analysis = analyse(&assignment);
    assert_eq!(analysis.complexity_score, 0.3);
    let first = plan(&assignment, &analysis, None, 1);
    assert_eq!((names(&first), first.steps.len()), (vec!["web_search", "article_writer", "editor"], 3));
    let (second, savings) = optimise(first.clone(), &assignment, None, 2.0);
    assert_eq!(second.steps, first.steps);
    assert_eq!(second.optimization_notes, ["No optimization needed (under budget)"]);
    assert!(savings.feasible);
}

#[test]
fn example_2_has_the_seeds_workers_before_and_after() {
    let mut form = form("AI in healthcare 2024");
    form.set("min_sources", 10);
    form.set("min_quality_score", 0.85);
    form.set("max_budget", 5.0);
    let assignment = of(form);
    let analysis = analyse(&assignment);
    assert!((0.4..0.7).contains(&analysis.complexity_score), "{}", analysis.complexity_score);
    let first = plan(&assignment, &analysis, None, 1);
    let before =
        ["web_search", "news_search", "content_synthesizer", "article_writer", "fact_checker", "editor"];
    assert_eq!(names(&first), before);
    let demand = Demand {
        needs: vec![Need::Sources { missing: 3, kinds: vec![crate::article::SourceKind::Academic] }],
    };
    assert_eq!(demand.feedback(), "3 more sources, among them academic → academic_search, web_scraper");
    let second = plan(&assignment, &analysis, Some(&demand), 2);
    let (second, savings) = optimise(second, &assignment, Some(&demand), 5.0);
    let mut after = names(&second);
    after.sort_unstable();
    let mut expected = vec![
        "academic_search",
        "article_writer",
        "citation_formatter",
        "content_synthesizer",
        "editor",
        "fact_checker",
        "news_search",
        "web_scraper",
        "web_search",
    ];
    expected.sort_unstable();
    assert_eq!(after, expected);
    assert_eq!((second.steps.len(), savings.merged), (4, 1));
}

#[test]
fn example_3_is_complex_and_example_4_has_eight_workers() {
    let mut hard = form("Quantum computing future predictions");
    hard.set("content_type", "Research Report");
    hard.set("target_length", 3000);
    hard.set("min_sources", 20);
    hard.set("min_quality_score", 0.9);
    hard.set("max_budget", 10.0);
    let analysis = analyse(&of(hard));
    assert!(analysis.complexity_score >= 0.7);
    assert!((11..=17).contains(&analysis.recommended_workers.len()), "{:?}", analysis.recommended_workers);
    let usual = analyse(&of(form("AI trends")));
    assert_eq!(usual.recommended_workers.len(), 8, "{:?}", usual.recommended_workers);
    assert!(usual.recommended_workers.contains(&Worker::AcademicSearch));
}

#[test]
fn every_plan_keeps_to_its_band_and_is_a_graph() {
    for depth in ["light", "standard", "deep"] {
        for tone in ["casual", "academic"] {
            for length in [500, 2000, 5000] {
                for sources in [3, 12, 30] {
                    let mut form = form("Rivers and mills");
                    form.set("research_depth", depth);
                    form.set("tone", tone);
                    form.set("target_length", length);
                    form.set("min_sources", sources);
                    let assignment = of(form);
                    let analysis = analyse(&assignment);
                    let count = analysis.recommended_workers.len();
                    let band = match analysis.complexity_score {
                        score if score < 0.4 => 3..=5,
                        score if score < 0.7 => 6..=10,
                        _ => 11..=17,
                    };
                    // Wishes of the brief count more than the band.
                    let wished = sources >= 15 || depth == "deep";
                    assert!(band.contains(&count) || wished, "{depth} {tone} {length} {sources}: {count}");
                    let (plan, _) = optimise(plan(&assignment, &analysis, None, 1), &assignment, None, 1.0);
                    let dag = plan.dag().unwrap();
                    assert_eq!(dag.tasks().count(), count);
                }
            }
        }
    }
}
