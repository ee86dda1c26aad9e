//! The table as a Mermaid state diagram.

use crate::picture::{Arrow, Spot, arrows, groups, undeclared};
use crate::{Kind, TableText};

/// Words the Mermaid grammar keeps for itself, in any case.
const KEYWORDS: &[&str] = &[
    "accdescr",
    "acctitle",
    "class",
    "classdef",
    "click",
    "default",
    "href",
    "note",
    "root",
    "scale",
    "state",
    "statediagram",
    "style",
];

/// Draws a table; `here` marks the state a run stands in.
pub fn mermaid(table: &TableText, here: Option<&str>) -> String {
    let ids = Ids::of(table);
    let arrows: Vec<Arrow> = arrows(table).into_iter().flat_map(|arrow| out_of_box(table, arrow)).collect();
    let mut lines = declarations(table, &ids, &arrows);
    lines.push(format!("[*] --> {}", ids.state(&table.start)));
    lines.extend(arrows.iter().map(|arrow| {
        format!("{} --> {}: {}", ids.spot(&arrow.from), ids.spot(&arrow.to), escaped(&arrow.label))
    }));
    let finals = table.states.iter().filter(|state| state.is_final());
    lines.extend(finals.map(|state| format!("{} --> [*]", ids.state(&state.name))));
    lines.extend(classes(table, &ids, here));
    let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    format!("stateDiagram-v2\n{body}")
}

/// Mermaid cannot draw an arrow from a box to itself or to a state inside it: each state gets its own.
fn out_of_box(table: &TableText, arrow: Arrow) -> Vec<Arrow> {
    let Spot::Group(group) = &arrow.from else { return vec![arrow] };
    let groups = groups(table);
    let Some((_, members)) = groups.iter().find(|(name, _)| name == group) else { return vec![arrow] };
    let own = arrow.to == arrow.from;
    let inside = matches!(&arrow.to, Spot::State(to) if members.contains(&to.as_str()));
    if !own && !inside {
        return vec![arrow];
    }
    let each = |member: &&str| {
        let from = Spot::State((*member).to_owned());
        Arrow {
            to: if own { from.clone() } else { arrow.to.clone() },
            from,
            label: arrow.label.clone(),
            row: arrow.row,
        }
    };
    members.iter().map(each).collect()
}

/// Names that are not ids, the boxes, and the spots that stand for more than one state.
fn declarations(table: &TableText, ids: &Ids, arrows: &[Arrow]) -> Vec<String> {
    let mut lines = Vec::new();
    for name in table.states.iter().map(|state| state.name.as_str()).chain(undeclared(table)) {
        let id = ids.state(name);
        if id != name {
            lines.push(format!("state \"{}\" as {id}", escaped(name)));
        }
    }
    for (group, states) in groups(table) {
        lines.push(format!(
            "state \"{}\" as {} {{",
            escaped(group),
            ids.spot(&Spot::Group(group.to_owned()))
        ));
        lines.extend(states.iter().map(|state| format!("    {}", ids.state(state))));
        lines.push("}".to_owned());
    }
    for (spot, text) in [(Spot::Any, "any state"), (Spot::Back, "back to where it came from")] {
        if arrows.iter().any(|arrow| arrow.from == spot || arrow.to == spot) {
            lines.push(format!("state \"{text}\" as {}", ids.spot(&spot)));
        }
    }
    lines
}

fn classes(table: &TableText, ids: &Ids, here: Option<&str>) -> Vec<String> {
    let mut lines = Vec::new();
    let waiting = table.states.iter().filter(|state| state.kind == Kind::Waits);
    let waiting: Vec<&str> = waiting.map(|state| ids.state(&state.name)).collect();
    if !waiting.is_empty() {
        lines.push("classDef waits stroke-dasharray:4 3".to_owned());
        lines.push(format!("class {} waits", waiting.join(",")));
    }
    if let Some(state) = table.states.iter().find(|state| Some(state.name.as_str()) == here) {
        lines.push("classDef here fill:#f6c945,stroke:#7a5c00,stroke-width:3px,color:#1b1b1b".to_owned());
        lines.push(format!("class {} here", ids.state(&state.name)));
    }
    lines
}

/// Text in which the grammar finds nothing of its own.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '"' | '#' | ';' | ':' | '%' | '<' | '>' => {
                out.push_str(&format!("#{};", u32::from(letter)));
            }
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

/// The Mermaid id of every spot: a state's own name where the grammar allows it.
struct Ids(Vec<(Spot, String)>);

impl Ids {
    fn of(table: &TableText) -> Self {
        let names = table.states.iter().map(|state| state.name.as_str()).chain(undeclared(table));
        let states = names.map(|name| Spot::State(name.to_owned()));
        let boxes = groups(table).into_iter().map(|(group, _)| Spot::Group(group.to_owned()));
        let mut ids = Self(Vec::new());
        for spot in states.chain(boxes).chain([Spot::Any, Spot::Back]) {
            if !ids.0.iter().any(|(other, _)| *other == spot) {
                ids.add(spot);
            }
        }
        ids
    }

    fn add(&mut self, spot: Spot) {
        let wish = match &spot {
            Spot::State(name) if is_id(name) => name.clone(),
            Spot::State(_) => format!("state_{}", self.0.len()),
            Spot::Group(name) if is_id(name) => format!("in_{name}"),
            Spot::Group(_) => format!("in_{}", self.0.len()),
            Spot::Any => "any_state".to_owned(),
            Spot::Back => "back_".to_owned(),
        };
        let id = self.free(wish);
        self.0.push((spot, id));
    }

    fn free(&self, wish: String) -> String {
        let mut id = wish;
        while self.0.iter().any(|(_, taken)| *taken == id) {
            id.push('_');
        }
        id
    }

    fn spot(&self, spot: &Spot) -> &str {
        self.find(|other| other == spot)
    }

    fn state(&self, name: &str) -> &str {
        self.find(|spot| matches!(spot, Spot::State(other) if other == name))
    }

    /// Every name a table uses has its id, so the search succeeds.
    fn find(&self, wanted: impl Fn(&Spot) -> bool) -> &str {
        self.0.iter().find(|(spot, _)| wanted(spot)).map_or("", |(_, id)| id)
    }
}

fn is_id(name: &str) -> bool {
    let plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    plain && begins && !KEYWORDS.contains(&name.to_lowercase().as_str())
}
