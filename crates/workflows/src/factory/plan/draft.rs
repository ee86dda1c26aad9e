//! A plan drafted from a roadmap, as data and as text. By rules: headings become phases, items of lists become efforts,
//! "depends on" what waits for what. Whoever does the work is a person until somebody writes another agent in.

use std::collections::BTreeSet;
use std::fmt::Write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A plan before a person has finished it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Drafted {
    /// What is built, in a few words.
    pub title: String,
    /// Commands that must succeed on every tree.
    #[serde(default)]
    pub gates: Vec<DraftedGate>,
    /// The phases, in order.
    pub phases: Vec<DraftedPhase>,
}

/// A command that must succeed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftedGate {
    /// Its name: letters, digits, - and _.
    pub name: String,
    /// The line for the shell.
    pub run: String,
    /// Whether it runs the tests.
    #[serde(default)]
    pub tests: bool,
}

/// A phase of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftedPhase {
    /// Its name.
    pub name: String,
    /// Its efforts.
    pub efforts: Vec<DraftedEffort>,
}

/// One piece of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftedEffort {
    /// Its id: letters, digits, - and _, unique in the plan.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What is to be done, for whoever does it.
    pub task: String,
    /// Where it may change files: paths of the project, `*` and `**` for many.
    pub paths: Vec<String>,
    /// Ids of efforts that must be merged before it begins.
    #[serde(default)]
    pub depends_on: Vec<String>,
    /// Numbers of the items of the roadmap that it does.
    #[serde(default)]
    pub items: Vec<usize>,
    /// Files that must be there when it is done.
    #[serde(default)]
    pub files: Vec<String>,
}

impl Drafted {
    /// Every effort.
    pub fn efforts(&self) -> impl Iterator<Item = &DraftedEffort> {
        self.phases.iter().flat_map(|phase| &phase.efforts)
    }

    /// The text of the plan. It is for a person to finish: it runs no command before they say yes.
    pub fn text(&self, by: &str) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "# Drafted from a roadmap{by}. Look at paths, agents and gates, then remove `drafted`."
        );
        let _ = writeln!(text, "title = {}\ndrafted = true\n", quoted(&self.title));
        if self.gates.is_empty() {
            text.push_str("# [gates.test]\n# run = \"make test\"\n# tests = true\n\n");
        }
        for gate in &self.gates {
            let _ = writeln!(text, "[gates.{}]\nrun = {}", quoted(&gate.name), quoted(&gate.run));
            text.push_str(if gate.tests { "tests = true\n\n" } else { "\n" });
        }
        text.push_str("[agents.somebody]\nkind = \"person\"\n");
        for phase in &self.phases {
            let _ = writeln!(text, "\n[[phase]]\nname = {}", quoted(&phase.name));
            phase.efforts.iter().for_each(|effort| effort.write(&mut text));
        }
        text
    }
}

impl DraftedEffort {
    fn write(&self, text: &mut String) {
        let _ =
            writeln!(text, "\n[[phase.effort]]\nid = {}\nname = {}", quoted(&self.id), quoted(&self.name));
        if self.task != self.name {
            let _ = writeln!(text, "task = {}", quoted(&self.task));
        }
        let _ = writeln!(text, "agent = \"somebody\"\npaths = [{}]", list(&self.paths));
        if !self.depends_on.is_empty() {
            let _ = writeln!(text, "depends_on = [{}]", list(&self.depends_on));
        }
        if !self.files.is_empty() {
            let _ = writeln!(text, "acceptance = {{ files = [{}] }}", list(&self.files));
        }
    }
}

/// A roadmap in Markdown as a plan, by rules; `title` if it has none of its own.
pub fn outline(roadmap: &str, title: &str) -> Drafted {
    let found = phases(roadmap);
    let mut number = 0;
    let mut effort = |it: EffortFound| {
        number += 1;
        DraftedEffort {
            id: it.id,
            name: it.name,
            task: it.task,
            paths: it.paths,
            depends_on: it.depends_on,
            items: vec![number],
            files: Vec::new(),
        }
    };
    let phases = found.phases.into_iter().map(|phase| DraftedPhase {
        name: phase.name,
        efforts: phase.efforts.into_iter().map(&mut effort).collect(),
    });
    let phases = phases.collect();
    Drafted { title: found.title.unwrap_or_else(|| title.to_owned()), gates: Vec::new(), phases }
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
