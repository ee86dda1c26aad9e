//! A plan drafted from a roadmap by rules: headings become phases, items of lists become efforts, "depends on" what waits
//! for what. Whoever does the work is a person until somebody writes another agent in.

use std::collections::BTreeSet;
use std::fmt::Write;

/// The text of a plan, from a roadmap in Markdown. It is for a person to finish: it runs no command before they say yes.
pub fn draft(roadmap: &str, title: &str) -> String {
    let found = phases(roadmap);
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ =
        writeln!(text, "# Drafted from a roadmap. Look at paths, agents and gates, then remove `drafted`.");
    let _ = writeln!(
        text,
        "title = {}\ndrafted = true\n",
        quoted(&found.title.unwrap_or_else(|| title.to_owned()))
    );
    text.push_str(
        "# [gates.test]\n# run = \"make test\"\n# tests = true\n\n[agents.somebody]\nkind = \"person\"\n",
    );
    for phase in found.phases {
        let _ = writeln!(text, "\n[[phase]]\nname = {}", quoted(&phase.name));
        for effort in phase.efforts {
            let _ = writeln!(
                text,
                "\n[[phase.effort]]\nid = {}\nname = {}",
                quoted(&effort.id),
                quoted(&effort.name)
            );
            if effort.task != effort.name {
                let _ = writeln!(text, "task = {}", quoted(&effort.task));
            }
            let _ = writeln!(text, "agent = \"somebody\"\npaths = [{}]", list(&effort.paths));
            if !effort.depends_on.is_empty() {
                let _ = writeln!(text, "depends_on = [{}]", list(&effort.depends_on));
            }
        }
    }
    text
}

#[derive(Default)]
struct Found {
    title: Option<String>,
    phases: Vec<PhaseFound>,
}

struct PhaseFound {
    name: String,
    efforts: Vec<EffortFound>,
}

struct EffortFound {
    id: String,
    name: String,
    task: String,
    paths: Vec<String>,
    depends_on: Vec<String>,
    wanted: Vec<String>,
}

fn phases(roadmap: &str) -> Found {
    let mut found = Found::default();
    let mut ids = BTreeSet::new();
    let mut is_code = false;
    for line in roadmap.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        if let Some(heading) = line.strip_prefix("# ") {
            found.title.get_or_insert_with(|| plain(heading));
        } else if line.starts_with("##") {
            let name = plain(line.trim_start_matches('#'));
            found.phases.push(PhaseFound { name, efforts: Vec::new() });
        } else if let Some(item) = item(line) {
            if found.phases.is_empty() {
                found.phases.push(PhaseFound { name: "Phase 1".to_owned(), efforts: Vec::new() });
            }
            let effort = effort(&item, &mut ids);
            if let Some(phase) = found.phases.last_mut() {
                phase.efforts.push(effort);
            }
        } else if line.starts_with(' ') && !line.trim().is_empty() {
            let last = found.phases.last_mut().and_then(|phase| phase.efforts.last_mut());
            if let Some(effort) = last {
                let more = plain(line);
                effort.wanted.extend(waits(&more));
                effort.paths.extend(paths(line));
                effort.task = format!("{} {more}", effort.task);
            }
        }
    }
    found.phases.retain(|phase| !phase.efforts.is_empty());
    resolve(&mut found);
    found
}

/// The item of a list at the margin: `- x`, `* x`, `1. x`, with or without a box; what is ticked off is done.
fn item(line: &str) -> Option<String> {
    let rest = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).or_else(|| {
        let digits = line.len() - line.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        (digits > 0).then(|| line.get(digits..)?.strip_prefix(". ")).flatten()
    })?;
    if rest.starts_with("[x]") || rest.starts_with("[X]") {
        return None;
    }
    Some(rest.strip_prefix("[ ]").unwrap_or(rest).trim().to_owned()).filter(|text| !text.is_empty())
}

fn effort(item: &str, ids: &mut BTreeSet<String>) -> EffortFound {
    let task = plain(item);
    let without = task.split(['(', ';']).next().unwrap_or(&task);
    let name = without.split(". ").next().unwrap_or(without).trim_end_matches(['.', ':', ' ']).to_owned();
    let words: Vec<String> = name
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(4)
        .map(str::to_lowercase)
        .collect();
    let base = if words.is_empty() { "effort".to_owned() } else { words.join("-") };
    let mut id = base.clone();
    let mut number = 1;
    while !ids.insert(id.clone()) {
        number += 1;
        id = format!("{base}-{number}");
    }
    EffortFound { id, wanted: waits(&task), paths: paths(item), depends_on: Vec::new(), name, task }
}

/// What stands behind "depends on", "after" or "needs".
fn waits(task: &str) -> Vec<String> {
    let lower = task.to_lowercase();
    let behind = ["depends on ", "blocked by ", "needs "]
        .iter()
        .find_map(|words| Some(lower.find(words)? + words.len()));
    let Some(rest) = behind.and_then(|at| lower.get(at..)) else { return Vec::new() };
    let rest = rest.split([')', '.', ';']).next().unwrap_or(rest);
    let names = rest.split([',', '&']).flat_map(|part| part.split(" and "));
    names
        .map(|name| name.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

/// Paths that stand in backquotes.
fn paths(item: &str) -> Vec<String> {
    let quoted = item.split('`').skip(1).step_by(2);
    let looks = |text: &&str| {
        let has_shape =
            text.contains('/') || text.rsplit_once('.').is_some_and(|(_, end)| (1..5).contains(&end.len()));
        has_shape
            && !text.contains(' ')
            && !text.starts_with('/')
            && !text.contains("..")
            && !text.contains("://")
    };
    quoted.filter(looks).map(str::to_owned).collect()
}

/// Names become ids; what nobody is called is dropped. An effort without paths gets a folder of its own to be corrected.
fn resolve(found: &mut Found) {
    let names: Vec<(String, String)> = found
        .phases
        .iter()
        .flat_map(|phase| &phase.efforts)
        .map(|effort| (effort.id.clone(), effort.name.to_lowercase()))
        .collect();
    for effort in found.phases.iter_mut().flat_map(|phase| &mut phase.efforts) {
        let own = names.iter().position(|(id, _)| *id == effort.id).unwrap_or(0);
        for wanted in &effort.wanted {
            let slug = wanted.replace(' ', "-");
            let met = names.iter().take(own).find(|(id, name)| *id == slug || name.contains(wanted.as_str()));
            effort.depends_on.extend(met.map(|(id, _)| id.clone()));
        }
        effort.depends_on.dedup();
        if effort.paths.is_empty() {
            effort.paths.push(format!("{}/**", effort.id));
        }
    }
}

fn plain(text: &str) -> String {
    text.replace(['*', '`', '#'], "").trim().to_owned()
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn list(items: &[String]) -> String {
    items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", ")
}
