//! The steps of a recipe, as they stand in a plan.

use std::path::Path;

use baton_agents::read::bounded;
use toml::de::{DeTable, DeValue};

use super::table::Notes;
use crate::coding::Work;

/// What a step can be, by the key that says so, and the other keys it takes.
const STEPS: [(&str, &[&str]); 10] = [
    ("write", &["content", "file", "vars", "executable"]),
    ("append", &["content"]),
    ("replace", &["find", "with"]),
    ("delete", &[]),
    ("move", &["to"]),
    ("patch", &[]),
    ("cherry_pick", &[]),
    ("copy", &["from"]),
    ("run", &["timeout"]),
    ("wait_for", &[]),
];

/// Reads the steps under a key. Files they name stand from the folder of the plan.
pub fn read(notes: &mut Notes<'_>, table: &DeTable<'_>, key: &str, folder: &Path) -> Vec<(Work, usize)> {
    let mut steps = Vec::new();
    let Some(node) = table.get(key) else { return steps };
    let DeValue::Array(items) = node.get_ref() else {
        notes.wrong(node.span().start, format!("`{key}` must be a list of steps"));
        return steps;
    };
    for item in items {
        let at = item.span().start;
        let DeValue::Table(step) = item.get_ref() else {
            notes.wrong(at, "a step is a table such as { run = \"make fmt\" }");
            continue;
        };
        if let Some(work) = one(notes, step, at, folder) {
            steps.push((work, at));
        }
    }
    steps
}

fn one(notes: &mut Notes<'_>, step: &DeTable<'_>, at: usize, folder: &Path) -> Option<Work> {
    let named: Vec<&(&str, &[&str])> = STEPS.iter().filter(|(kind, _)| step.contains_key(*kind)).collect();
    let [(kind, others)] = named.as_slice() else {
        let kinds: Vec<&str> = STEPS.iter().map(|(kind, _)| *kind).collect();
        notes.wrong(at, format!("a step has exactly one of {}", kinds.join(", ")));
        return None;
    };
    let known: Vec<&str> = std::iter::once(*kind).chain(others.iter().copied()).collect();
    notes.keys(step, &known, &format!("the step `{kind}`"));
    let text = |notes: &mut Notes<'_>, key: &str| match step
        .get(key)
        .map(|node| (node.span().start, node.get_ref()))
    {
        Some((_, DeValue::String(text))) => Some(text.to_string()),
        Some((at, _)) => {
            notes.wrong(at, format!("`{key}` must be a text in quotes"));
            None
        }
        None => {
            notes.wrong(at, format!("the step `{kind}` needs `{key}`"));
            None
        }
    };
    let path = text(notes, kind)?;
    Some(match *kind {
        "write" => Work::Write {
            path,
            content: content(notes, step, at, folder)?,
            executable: yes(step, "executable"),
        },
        "append" => Work::Append { path, content: text(notes, "content")? },
        "replace" => Work::Replace { path, find: text(notes, "find")?, with: text(notes, "with")? },
        "delete" => Work::Delete { path },
        "move" => Work::Move { path, to: text(notes, "to")? },
        "patch" => Work::Patch { text: file(notes, at, folder, &path)?, name: path },
        "cherry_pick" => Work::CherryPick { what: path },
        "copy" => Work::Copy { path, from: text(notes, "from")? },
        "run" => Work::Run { line: path, timeout_s: seconds(step).unwrap_or(600) },
        _ => Work::WaitFor { what: path },
    })
}

fn yes(step: &DeTable<'_>, key: &str) -> bool {
    step.get(key).is_some_and(|node| matches!(node.get_ref(), DeValue::Boolean(true)))
}

fn seconds(step: &DeTable<'_>) -> Option<u64> {
    match step.get("timeout")?.get_ref() {
        DeValue::Integer(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

/// What a written file holds: words of the plan or a file beside it, with `{{names}}` filled in.
fn content(notes: &mut Notes<'_>, step: &DeTable<'_>, at: usize, folder: &Path) -> Option<String> {
    let said = |key: &str| match step.get(key).map(toml::Spanned::get_ref) {
        Some(DeValue::String(text)) => Some(text.to_string()),
        _ => None,
    };
    let mut text = match (said("content"), said("file")) {
        (Some(text), None) => text,
        (None, Some(name)) => file(notes, at, folder, &name)?,
        _ => {
            notes.wrong(at, "the step `write` needs either `content` or `file`");
            return None;
        }
    };
    if let Some(DeValue::Table(vars)) = step.get("vars").map(toml::Spanned::get_ref) {
        for (name, value) in vars {
            if let DeValue::String(value) = value.get_ref() {
                text = text.replace(&format!("{{{{{}}}}}", name.get_ref()), value);
            }
        }
    }
    Some(text)
}

/// A file beside the plan.
fn file(notes: &mut Notes<'_>, at: usize, folder: &Path, name: &str) -> Option<String> {
    let path = folder.join(name);
    match bounded::text(&path, bounded::WRITTEN) {
        Ok(text) => Some(text),
        Err(refusal) => {
            notes.wrong(at, format!("`{name}` cannot be read: {}", std::io::Error::from(refusal)));
            None
        }
    }
}
