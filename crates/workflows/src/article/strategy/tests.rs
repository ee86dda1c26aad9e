//! What is given up, in which order, and what that saves.

use super::{GIVEN_UP, optimise};
use crate::article::brief::form::{Form, Terms};
use crate::article::planner::{analyse, plan};
use crate::article::{Assignment, Demand, Need, Worker};
use crate::pretended::PretendedModel;
use baton_agents::skill::Role;

/// A brief for everybody, with models whose price is not known: what is typical counts.
fn costly(budget: f64) -> Assignment {
    let mut form = Form::default();
    form.set("topic", "Mills");
    form.set("research_depth", "deep");
    form.set("max_budget", budget);
    let mut assignment = Assignment::new(form.settle(&Terms::default()).unwrap(), Vec::new());
    let mut card = PretendedModel::card("dear");
    card.price = None;
    let paid = |name: &str| Role { name: name.to_owned(), chain: vec![card.clone()], rules: true };
    assignment.roles.reader = paid("reader");
    assignment.roles.analyst = paid("analyst");
    assignment.roles.writer = paid("writer");
    assignment.roles.editor = paid("editor");
    assignment
}

#[test]
fn a_plan_over_budget_gives_up_what_is_optional_in_order() {
    let rich = costly(10.0);
    let (whole, savings) = optimise(plan(&rich, &analyse(&rich), None, 1), &rich, None, 10.0);
    assert!(savings.removed.is_empty() && savings.feasible && savings.merged == 1, "{savings:?}");
    assert!(savings.time_saved > 0.0, "{savings:?}");
    let poor = costly(2.0);
    let (cut, savings) = optimise(plan(&poor, &analyse(&poor), None, 1), &poor, None, 2.0);
    assert!(savings.feasible && cut.estimated_total_cost <= 2.0, "{savings:?}");
    assert_eq!(savings.removed[0], Worker::SocialMedia);
    assert!((whole.estimated_total_cost - cut.estimated_total_cost - savings.cost_saved).abs() < 1e-6);
    assert!(cut.optimization_notes.contains(&"Removed optional social_media worker".to_owned()));
    let order: Vec<usize> =
        savings.removed.iter().filter_map(|worker| GIVEN_UP.iter().position(|it| it == worker)).collect();
    assert!(order.is_sorted(), "{order:?}");
    assert!(cut.has(Worker::ArticleWriter) && cut.has(Worker::WebSearch) && cut.has(Worker::Editor));
}

#[test]
fn what_cannot_be_cheaper_says_so() {
    let broke = costly(0.5);
    let (cut, savings) = optimise(plan(&broke, &analyse(&broke), None, 1), &broke, None, 0.5);
    assert!(!savings.feasible);
    assert_eq!(cut.optimization_notes.last().map(String::as_str), Some("Cannot reduce cost further"));
    assert!(cut.has(Worker::ArticleWriter) && cut.dag().is_ok());
}

#[test]
fn what_a_demand_asks_for_is_given_up_last() {
    let poor = costly(1.9);
    let demand =
        Demand { needs: vec![Need::Sources { missing: 2, kinds: vec![crate::article::SourceKind::Social] }] };
    let made = plan(&poor, &analyse(&poor), Some(&demand), 2);
    let (cut, savings) = optimise(made, &poor, Some(&demand), 1.9);
    assert!(cut.has(Worker::SocialMedia), "{savings:?}");
}

#[test]
fn measured_costs_count_more_than_typical_ones() {
    let mut assignment = costly(5.0);
    assert!((Worker::ArticleWriter.estimate(&assignment).usd - 0.8).abs() < 1e-9);
    assignment.measured.insert("article_writer".to_owned(), 30_000);
    assert!((Worker::ArticleWriter.estimate(&assignment).usd - 0.03).abs() < 1e-9);
    let rules = Assignment::new(assignment.brief.clone(), Vec::new());
    assert_eq!(Worker::ArticleWriter.estimate(&rules).usd, 0.0);
    assert_eq!(Worker::ALL.len(), 17);
}
