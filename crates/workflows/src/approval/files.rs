//! What the run's folder shows: one page with every stage, command and approval.

use std::fmt::Write;

use baton_engine::{RunFile, View};
use baton_machine::Word;

use super::{Approval, Memory};

pub fn files(view: &View<'_, Approval>) -> Vec<RunFile> {
    vec![RunFile::text("progress.md", page(view.memory, view.position.state.name()))]
}

fn page(memory: &Memory, state: &str) -> String {
    let mut page = format!("# {}\n\nState: {state}\n", memory.plan.title);
    for (number, stage) in memory.plan.stages.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(page, "\n## {}. {}\n\n", number + 1, stage.name);
        if let Some(by) = memory.approvals.get(&number) {
            let _ = writeln!(page, "Approved by {by}.\n");
        }
        if memory.skipped.contains(&number) {
            page.push_str("Skipped after a failure.\n\n");
        }
        for command in &stage.commands {
            let done = memory.result(number, &command.name);
            let mark = done.map_or("[ ]", |result| if result.ok() { "[x]" } else { "[!]" });
            let _ = writeln!(page, "- {mark} {}: `{}`", command.name, command.run);
            if let Some(result) = done.filter(|result| !result.output.trim().is_empty()) {
                let _ = writeln!(page, "\n  ```\n{}\n  ```", indented(result.output.trim_end()));
            }
        }
    }
    if let Some(why) = &memory.why {
        let _ = writeln!(page, "\nEnded: {why}.");
    }
    page
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}
