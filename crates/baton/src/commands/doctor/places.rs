//! The web providers, MCP servers and sources of data: what is set and what is missing. Nothing is asked.

use baton_agents::config::doctor::{Examination, KeyState, PlaceCheck};

use super::Check;

/// Every place beyond the disk in words.
pub fn checks(exam: &Examination) -> Vec<Check> {
    let named = |name: &'static str, checks: &[PlaceCheck]| -> Vec<Check> {
        checks.iter().map(|check| place(name, check)).collect()
    };
    let mut found = named("search", &exam.search);
    found.extend(named("mcp", &exam.mcp));
    if found.is_empty() {
        found.push(Check::good("search", "no web provider is named, so only documents are searched"));
    }
    found.extend(named("data", &exam.data));
    found
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
