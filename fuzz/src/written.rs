//! What people write and what a home holds: baton.toml, task.md, debate files, records of a journal.

use baton_agents::config::{Config, Layer, Overrides, build, wishes};
use baton_engine::record::Chained;
use baton_engine::{Hash, Millis};
use baton_workflows::debate::spec::Spec;
use baton_workflows::research::task_md::{parse, plan_form};
use serde_json::Value;

/// A project's baton.toml: without trust it changes nothing but the budget, and that only downwards.
pub fn baton_toml(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let layer = match Layer::parse_project("baton.toml", text) {
        Ok(layer) => layer,
        Err(error) => return points_into(text, error.line, error.column),
    };
    for wish in wishes(&layer, &[]) {
        points_into(text, wish.line, 1);
    }
    let nobody = Overrides::default();
    for own in ["", "[budget]\nusd = 0.5\ntokens = 1000\ncalls = 10\n"] {
        let own = Layer::parse("own.toml", own).expect("a good file");
        if layer.refusal(std::slice::from_ref(&own)).is_some() {
            continue;
        }
        let before = build(std::slice::from_ref(&own), &nobody).expect("a good file");
        let Ok(after) = build(&[own, layer.clone()], &nobody) else { continue };
        let most = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
        assert!(most(after.budget.microusd) <= most(before.budget.microusd), "more money");
        assert!(most(after.budget.tokens) <= most(before.budget.tokens), "more tokens");
        assert!(most(after.budget.calls) <= most(before.budget.calls), "more calls");
        assert_eq!(Config { budget: before.budget, ..after }, before, "a key counts without trust");
    }
}

/// task.md: a plan that was read can be written as the form a person edits, and reads as the same plan.
pub fn task_md(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match parse(text) {
        Ok(file) => {
            let plan = file.plan();
            let form = plan_form(&plan);
            let again = parse(&form).unwrap_or_else(|error| panic!("{error} in its own form:\n{form}"));
            assert_eq!(again.plan(), plan, "another plan from its own form:\n{form}");
        }
        Err(error) => points_into(text, error.line, error.column),
    }
}

/// A debate file, TOML or JSON.
pub fn debate_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for value in [toml::from_str::<Value>(text).ok(), serde_json::from_str(text).ok()].into_iter().flatten() {
        if let Ok(spec) = Spec::read(value, text, None) {
            let _ = spec.evaluators().len();
        }
    }
}

/// A record of a journal: what opens can be written, and what was written opens as the same record.
pub fn record(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let nothing = Hash::of(b"");
    let found = Chained { n: 1, at: Millis(0), text: text.to_owned(), hash: nothing };
    let Ok(record) = found.open() else { return };
    let kept = Chained::after(nothing, &record).expect("a record can be written");
    assert!(kept.follows(nothing));
    assert_eq!(kept.open().expect("its own text opens"), record, "another record: {}", kept.text);
    assert_eq!(kept.long_payload(), record.body.long_payload().copied(), "in {}", kept.text);
}

/// A mistake is told at a place the file has.
fn points_into(text: &str, line: usize, column: usize) {
    let lines: Vec<&str> = text.split('\n').collect();
    assert!((1..=lines.len()).contains(&line), "line {line} of {}", lines.len());
    let most = lines[line - 1].chars().count() + 1;
    assert!((1..=most).contains(&column), "column {column} of line {line}, which has {most}");
}
