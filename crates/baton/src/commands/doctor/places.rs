//! The web providers and MCP servers: what is set and what is missing. Nothing is asked.

use baton_agents::config::doctor::{Examination, KeyState, PlaceCheck};

use super::Check;

/// Every place beyond the disk in words.
pub fn checks(exam: &Examination) -> Vec<Check> {
    if exam.search.is_empty() && exam.mcp.is_empty() {
        return vec![Check::good("search", "no web provider is named, so only documents are searched")];
    }
    let search = exam.search.iter().map(|check| place("search", check));
    search.chain(exam.mcp.iter().map(|check| place("mcp", check))).collect()
}

fn place(name: &'static str, check: &PlaceCheck) -> Check {
    let key = match &check.key {
        KeyState::NotNeeded => "no key".to_owned(),
        KeyState::Set(name) => format!("key from {name}"),
        KeyState::Missing(name) => format!("{name} is not set"),
    };
    let what = format!("{} at {}, {key}, at most {} a minute", check.name, check.place, check.per_minute);
    if check.missing.is_empty() {
        return Check::good(name, format!("{what}; asked only in runs that allow it"));
    }
    Check::bad(name, what, check.missing.join("; "))
}
