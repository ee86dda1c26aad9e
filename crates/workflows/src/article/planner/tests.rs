//! Where points come from; the briefs of the seed's examples stand with the tests of the workflow.

use super::{analyse, names_a_year, parts};
use crate::article::brief::form::{Form, Terms};
use crate::article::{Assignment, Worker};

fn assignment(fields: &[(&str, serde_json::Value)]) -> Assignment {
    let mut form = Form::default();
    form.set("topic", "Mills");
    for (field, value) in fields {
        form.set(field, value.clone());
    }
    Assignment::new(form.settle(&Terms::default()).unwrap(), Vec::new())
}

#[test]
fn every_point_is_explained_and_the_sum_is_the_complexity() {
    let analysis = analyse(&assignment(&[("research_depth", "deep".into()), ("tone", "academic".into())]));
    let sum: f64 = analysis.points.iter().map(|one| one.points).sum();
    assert!((sum.min(1.0) - analysis.complexity_score).abs() < 0.01, "{analysis:?}");
    assert!(analysis.points.iter().any(|one| one.what == "deep research"));
    assert_eq!(analysis.recommended_workers.len(), 17);
}

#[test]
fn wishes_of_the_brief_name_their_workers() {
    let wanted = |fields: &[(&str, serde_json::Value)]| analyse(&assignment(fields)).recommended_workers;
    assert!(
        wanted(&[("research_depth", "light".into()), ("preferred_sources", serde_json::json!(["academic"]))])
            .contains(&Worker::AcademicSearch)
    );
    assert!(
        wanted(&[("tone", "academic".into()), ("research_depth", "light".into())])
            .contains(&Worker::CitationFormatter)
    );
    assert!(!wanted(&[("excluded_sources", serde_json::json!(["news"]))]).contains(&Worker::NewsSearch));
    assert!(wanted(&[("min_sources", 15.into())]).contains(&Worker::WebScraper));
    assert!(!wanted(&[("enable_fact_checking", false.into())]).contains(&Worker::FactChecker));
}

#[test]
fn topics_are_read_by_rules() {
    assert_eq!((parts("Mills"), parts("Mills and rivers, old and new")), (1, 4));
    assert!(names_a_year("AI in healthcare 2024") && !names_a_year("4096 bytes") && !names_a_year("Mills"));
}
