//! Approval at a terminal: the plan is shown; a person says yes, abort, what to change, or edits it.

use std::path::{Path, PathBuf};
use std::process::Command;

use baton_agents::read::bounded;
use baton_engine::{OpenQuestion, Runs};
use baton_workflows::research::{Memory, Plan, task_md};
use serde_json::json;

use super::carry::memory_of;
use super::told::plan_page;
use crate::face::{Heard, Interview};
use crate::page::Page;
use crate::program::Program;
use crate::trouble::Trouble;

/// The conversation about a plan; none if this is another question.
pub fn interview(
    program: &Program,
    runs: &dyn Runs,
    open: &OpenQuestion,
) -> Result<Option<Box<dyn Interview>>, Trouble> {
    if !open.key.name.starts_with("approve-") {
        return Ok(None);
    }
    let memory = memory_of(runs, &open.run)?;
    let Some(plan) = memory.plan.clone() else { return Ok(None) };
    let name = format!("{}-plan-{}.md", open.run, plan.revision);
    let file = program.home.path.join("edits").join(name);
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
    let editor = editor.filter(|words| !words.trim().is_empty());
    Ok(Some(Box::new(Approval { memory, plan, file, editor, wants_change: false })))
}

struct Approval {
    memory: Memory,
    plan: Plan,
    /// Where the plan is edited; what cannot be read stays there for another try.
    file: PathBuf,
    editor: Option<String>,
    /// Whether the next line is a wish, whatever it says.
    wants_change: bool,
}

impl Interview for Approval {
    fn page(&self) -> Page {
        plan_page(&self.memory, &self.plan)
    }

    fn choices(&self) -> &'static str {
        if self.wants_change {
            "what to change, in a sentence"
        } else {
            "yes, abort, edit, or what to change"
        }
    }

    fn read(&mut self, line: &str) -> Result<Heard, Trouble> {
        let line = line.trim();
        if std::mem::take(&mut self.wants_change) {
            return Ok(Heard::Answer(json!({ "modify": line })));
        }
        Ok(match line.to_lowercase().as_str() {
            "yes" | "y" => Heard::Answer(json!("yes")),
            "abort" | "no" | "n" => Heard::Answer(json!("abort")),
            "edit" | "e" => self.edit()?,
            "modify" | "m" => {
                self.wants_change = true;
                Heard::Again(
                    "Say in a sentence what to change, such as: also the costs; or: without the history."
                        .to_owned(),
                )
            }
            _ if line.starts_with('{') => match serde_json::from_str(line) {
                Ok(answer) => Heard::Answer(answer),
                Err(error) => Heard::Again(format!("this is not JSON: {error}")),
            },
            // One word is more likely a slip than a wish.
            word if !word.contains(' ') => {
                Heard::Again(format!("`{word}` is none of: yes, abort, edit, modify"))
            }
            _ => Heard::Answer(json!({ "modify": line })),
        })
    }
}

impl Approval {
    /// Lets the person edit the plan as a task file. The text they left stays until it can be read.
    fn edit(&self) -> Result<Heard, Trouble> {
        let Some(editor) = &self.editor else {
            return Ok(Heard::Again("set VISUAL or EDITOR to the editor you want".to_owned()));
        };
        if !self.file.exists() {
            write(&self.file, &task_md::plan_form(&self.plan))?;
        }
        if let Err(why) = open_editor(editor, &self.file) {
            return Ok(Heard::Again(format!("{editor} could not edit the plan: {why}")));
        }
        let failed = |why| Trouble::File { what: "read", path: self.file.clone(), why };
        let text = bounded::text(&self.file, bounded::WRITTEN).map_err(|refusal| failed(refusal.into()))?;
        match task_md::parse(&text) {
            Ok(edited) => {
                std::fs::remove_file(&self.file).map_err(failed)?;
                Ok(Heard::Answer(json!({ "plan": edited.plan() })))
            }
            Err(error) => Ok(Heard::Again(format!(
                "{error}. The plan was not changed; your text is kept in {}, and `edit` opens it again",
                self.file.display()
            ))),
        }
    }
}

fn write(file: &Path, text: &str) -> Result<(), Trouble> {
    let folder = file.parent().unwrap_or(file);
    let failed = |why| Trouble::File { what: "write", path: file.to_owned(), why };
    std::fs::create_dir_all(folder).and_then(|()| std::fs::write(file, text)).map_err(failed)
}

/// The variable may hold words and flags, so a shell reads it, as for other programs.
fn open_editor(editor: &str, file: &Path) -> Result<(), String> {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("editor").arg(file);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(error.to_string()),
    }
}
