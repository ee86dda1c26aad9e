//! Records in words: what `baton log` prints.

use baton_engine::driver::{Vault, unwrap};
use baton_engine::record::{
    Body, Change, Checkpoint, Happened, Intent, Looked, Payload, Receipt, Rewound, Started, Step,
};
use baton_engine::{Settings, Spend};
use serde_json::Value;

use crate::text::{count, cut, moment, usd};

/// Longer values are cut in a line; `--json` has them whole.
const SHORT: usize = 120;

/// What a record says, in one line.
pub fn words(body: &Body, vault: &dyn Vault) -> String {
    match body {
        Body::Started(started) => start(started),
        Body::Event(happened) => event(happened, vault),
        Body::Refused(refusal) => {
            format!("event {} is refused: {}", event_name(&refusal.event, vault), refusal.why)
        }
        Body::Intent(intent) => begins(intent),
        Body::Receipt(receipt) => comes_back(receipt),
        Body::Denied(denied) => format!("step {} is not begun: {}", denied.key, denied.short),
        Body::Unknown(unknown) => {
            format!(
                "step {}: nobody knows what attempt {} did, its process ended meanwhile",
                unknown.key, unknown.attempt
            )
        }
        Body::Looked(looked) => look(looked),
        Body::Abandoned(closed) => format!("{}: nobody waits for it any more", closed.key),
        Body::Timer(timer) => format!("{}: waits until {}", timer.key, moment(timer.until)),
        Body::Fired(closed) => format!("{}: the wait is over", closed.key),
        Body::Asked(asked) => {
            let until = asked.deadline.map(|at| format!(" (until {})", moment(at))).unwrap_or_default();
            format!("asks {}: {}{until}", asked.key, asked.question.text)
        }
        Body::Answered(answered) => {
            format!("{} is answered by {}: {}", answered.key, answered.by, value(&answered.answer))
        }
        Body::Expired(closed) => format!("{}: nobody answered before the deadline", closed.key),
        Body::Stopped(stopped) => format!("stopped ({}): {}", stopped.reason.name(), stopped.detail),
        Body::Resumed(resumed) => {
            let how = if resumed.new_try { ", trying the state's work anew" } else { "" };
            format!("goes on, by {}{how}", resumed.by)
        }
        Body::Setting(setting) => {
            format!("settings changed by {}: {}", setting.by, settings(&setting.settings))
        }
        Body::Note(note) => note.text.clone(),
        Body::Forked(forked) => {
            let changed: Vec<String> = forked
                .changes
                .iter()
                .map(|it| format!("; {} = {}", it.key, cut(&it.value.to_string(), SHORT)))
                .collect();
            let (run, from, by) = (&forked.run, &forked.from, &forked.by);
            format!(
                "run {run} goes off from {from} here, by {by} ({}{})",
                settings(&forked.settings),
                changed.concat()
            )
        }
        Body::Rewound(rewound) => rewind(rewound),
        Body::Changed(changed) => {
            let words = |it: &Change| format!("{} = {}", it.key, cut(&it.value.to_string(), SHORT));
            let list: Vec<String> = changed.changes.iter().map(words).collect();
            format!("changed by {}: {}", changed.by, list.join(", "))
        }
        Body::Migrated(migrated) => {
            let names = |(old, new): (&String, &String)| format!("; {old} is {new}");
            let renamed: Vec<String> = migrated.states.iter().chain(&migrated.events).map(names).collect();
            format!("taken over to table {} by {}{}", migrated.table.short(), migrated.by, renamed.concat())
        }
        Body::Child(begun) => {
            let share = spend(", with a share of ", begun.share);
            format!("child {} begins: {}, run {}{share}", begun.key, begun.workflow, begun.run)
        }
        Body::ChildRaised(raised) => {
            format!("child {} may spend more{}, says {}", raised.key, spend(": ", raised.by_this), raised.by)
        }
        Body::ChildEnded(ended) => match &ended.end {
            Ok(end) => format!("child {} is over{}: {}", ended.key, spend(", for ", ended.spend), value(end)),
            Err(why) => format!("child {} was not begun: {why}", ended.key),
        },
        Body::Checkpoint(Checkpoint { name, by: None }) => format!("this point is called {name}"),
        Body::Checkpoint(Checkpoint { name, by: Some(by) }) => {
            format!("this point is called {name}, says {by}")
        }
    }
}

/// What a record says while its content may not be seen: that something happened, and where.
pub fn outline(body: &Body, vault: &dyn Vault) -> String {
    match body {
        Body::Event(happened) => {
            format!("{} -> {} on {}", happened.from, happened.to, event_name(&happened.event, vault))
        }
        Body::Receipt(receipt) => format!("step {} came back", receipt.key),
        Body::Answered(answered) => format!("{} is answered by {}", answered.key, answered.by),
        other => words(other, vault),
    }
}

/// The name of an event as it is stored.
pub fn event_name(payload: &Payload, vault: &dyn Vault) -> String {
    let name = match unwrap(payload, vault) {
        Ok(Value::String(name)) => Some(name),
        Ok(Value::Object(map)) => map.into_iter().next().map(|(name, _)| name),
        _ => None,
    };
    name.unwrap_or_else(|| "that cannot be read".to_owned())
}

/// What an event carries, if it carries anything.
fn data(payload: &Payload) -> String {
    let Payload::Inline(Value::Object(map)) = payload else { return String::new() };
    let inner = map.values().next().map(ToString::to_string).unwrap_or_default();
    format!(" {}", cut(&inner, SHORT))
}

fn start(started: &Started) -> String {
    format!("{} started: {} ({})", started.workflow, started.title, settings(&started.settings))
}

fn settings(settings: &Settings) -> String {
    let budget =
        settings.limits.micro_usd.map_or("no budget".to_owned(), |micro| format!("budget {}", usd(micro)));
    format!("{budget}, {} at once", count(settings.parallel as usize, "step"))
}

fn event(happened: &Happened, vault: &dyn Vault) -> String {
    let Happened { from, to, .. } = happened;
    let name = event_name(&happened.event, vault) + &data(&happened.event);
    let asked: Vec<String> = happened.guards.iter().map(ToString::to_string).collect();
    let why = if asked.is_empty() { String::new() } else { format!("; {}", asked.join("; ")) };
    match happened.step {
        Step::Visit => format!("{from} -> {to} on {name}{why}"),
        Step::Retry => format!("{from} is tried again on {name}{why}"),
        Step::Emit => format!("{name} in {from}{why}"),
    }
}

fn begins(intent: &Intent) -> String {
    let again = if intent.attempt > 1 { format!(", attempt {}", intent.attempt) } else { String::new() };
    let reserve = spend(", reserving ", intent.reserve);
    format!("step {} begins: {}{again}{reserve}", intent.key, intent.kind)
}

fn comes_back(receipt: &Receipt) -> String {
    let cost = match &receipt.reused {
        Some(reused) => format!(", taken from record {} of {}", reused.n, reused.run),
        None => spend(", for ", receipt.spend),
    };
    match &receipt.out {
        Ok(out) => format!("step {} came back{cost}: {}", receipt.key, value(out)),
        Err(failure) => {
            let then = if failure.retriable { "; trying again can help" } else { "" };
            format!("step {} failed{cost}: {}{then}", receipt.key, failure.text)
        }
    }
}

fn rewind(rewound: &Rewound) -> String {
    let left: Vec<String> = rewound.left.iter().map(|left| format!("{} {}", left.kind, left.key)).collect();
    let left = if left.is_empty() { String::new() } else { format!("; outside stays: {}", left.join(", ")) };
    format!("taken back to record {} by {}{left}", rewound.to, rewound.by)
}

fn look(looked: &Looked) -> String {
    match &looked.unclear {
        None => format!("step {} had not happened", looked.key),
        Some(why) => format!("step {}: looking did not tell whether it happened: {why}", looked.key),
    }
}

fn spend(before: &str, spend: Spend) -> String {
    let parts = [
        (spend.micro_usd > 0).then(|| usd(spend.micro_usd)),
        (spend.tokens > 0).then(|| format!("{} tokens", spend.tokens)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!("{before}{}", parts.join(" and ")) }
}

/// A value, short enough for a line.
fn value(payload: &Payload) -> String {
    match payload {
        Payload::Inline(value) => cut(&value.to_string(), SHORT),
        Payload::Blob(hash) => format!("kept as {}", hash.short()),
    }
}
