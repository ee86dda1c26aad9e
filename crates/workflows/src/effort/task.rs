//! The task in the words an agent reads: what is to be done, what it is held to, what went wrong, and where it stands when
//! somebody worked on it before. The last is there for those who cannot go on with a session of theirs, and for people.

use std::fmt::Write;

use super::Memory;
use crate::coding::{Role, TurnEnd};

/// The task.
pub fn words(memory: &Memory, role: Role) -> String {
    let order = &memory.order;
    let mut text = format!("# {}\n\n{}\n", order.name, order.task.trim());
    // Writing to a String cannot fail.
    if memory.task_changed {
        text.push_str(
            "\nThis task was changed after the work began; what stands above is what counts now.\n",
        );
    }
    if !order.paths.is_empty() {
        let _ = writeln!(text, "\nChange files only under: {}", order.paths.join(", "));
    }
    let gates: Vec<String> = order.gates.iter().map(|gate| format!("- `{}`\n", gate.run)).collect();
    if !gates.is_empty() {
        let _ = write!(text, "\nThese must succeed afterwards:\n\n{}", gates.concat());
    }
    let _ = writeln!(text, "\nAdd at most {} lines, tests included.", order.size.soft);
    let mut told = order.told.clone();
    if role == Role::Fix {
        told.extend(memory.review.iter().flat_map(|review| review.complaints()));
    }
    if !told.is_empty() {
        text.push_str("\n## What has to be mended\n");
        for what in told {
            let _ = writeln!(text, "\n- {what}");
        }
    }
    text.push_str(&hand_off(memory));
    text
}

/// What was done before this turn.
fn hand_off(memory: &Memory) -> String {
    let order = &memory.order;
    if memory.turns.is_empty() && order.attempt == 1 {
        return String::new();
    }
    let mut text = "\n## Where this stands\n\n".to_owned();
    if order.attempt > 1 {
        let _ = writeln!(
            text,
            "- This is try {} of this work; it begins from where the project stands now.",
            order.attempt
        );
    }
    for (number, (role, turned)) in memory.turns.iter().enumerate() {
        let what = if *role == Role::Fix { "a turn that mends" } else { "a turn" };
        let how = match &turned.end {
            TurnEnd::Cancelled => {
                "was stopped before it was done; what it had changed by then is kept".to_owned()
            }
            TurnEnd::Completed { words } => {
                let last = words.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
                let last: String = last.chars().take(200).collect();
                if last.is_empty() {
                    "says it is done".to_owned()
                } else {
                    format!("says it is done: {last}")
                }
            }
            end => end.told(),
        };
        let _ = writeln!(text, "- Turn {} ({what}) {how}.", number + 1);
    }
    if memory.tip != order.base {
        let files: Vec<&str> = memory.size.files.iter().map(|file| file.path.as_str()).take(20).collect();
        let of = if files.is_empty() { String::new() } else { format!(": {}", files.join(", ")) };
        let _ = writeln!(text, "- What was done so far is in the worktree{of}. Go on from there.");
    }
    text
}
