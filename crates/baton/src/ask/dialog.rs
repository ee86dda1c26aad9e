//! An interview at a terminal: what the lines mean that a person types, one after another.

use std::path::Path;
use std::process::Command;

use baton_agents::read::bounded;
use serde_json::{Value, json};

use crate::presenter::{Draft, Interview, Then};
use crate::trouble::Trouble;

/// What a line means.
#[derive(Debug, PartialEq)]
pub enum Reply {
    /// The answer.
    Answer(Value),
    /// Nothing yet; what to say before asking again.
    AskAgain(String),
}

/// An interview under way.
pub struct Dialog {
    interview: Interview,
    editor: Option<String>,
    /// Whether the next line is a sentence, whatever it says.
    wants_sentence: bool,
}

impl Dialog {
    /// Nothing is said yet.
    pub fn new(interview: Interview, editor: Option<String>) -> Self {
        Self { interview, editor, wants_sentence: false }
    }

    /// What can be typed now.
    pub fn hint(&self) -> String {
        let says = self.interview.sentence.says;
        if self.wants_sentence {
            return format!("{says}, in a sentence");
        }
        let listed = self.interview.choices.iter().filter(|choice| !matches!(choice.then, Then::Ask));
        let words: Vec<&str> = listed.filter_map(|choice| choice.words.first().copied()).collect();
        format!("{}, or {says}", words.join(", "))
    }

    /// What a line means.
    pub fn read(&mut self, line: &str) -> Result<Reply, Trouble> {
        let line = line.trim();
        let sentence = self.interview.sentence;
        let answer = || Reply::Answer(json!({ sentence.name: line }));
        if std::mem::take(&mut self.wants_sentence) {
            return Ok(answer());
        }
        let word = line.to_lowercase();
        let chosen = self.interview.choices.iter().find(|choice| choice.words.contains(&word.as_str()));
        Ok(match chosen.map(|choice| &choice.then) {
            Some(Then::Answer(value)) => Reply::Answer(value.clone()),
            Some(Then::Edit(draft)) => edit(draft, self.editor.as_deref())?,
            Some(Then::Ask) => {
                self.wants_sentence = true;
                Reply::AskAgain(sentence.example.to_owned())
            }
            None if line.starts_with('{') => match serde_json::from_str(line) {
                Ok(answer) => Reply::Answer(answer),
                Err(error) => Reply::AskAgain(format!("this is not JSON: {error}")),
            },
            // One word is more likely a slip than a sentence.
            None if !line.contains(' ') => {
                let words: Vec<&str> = self
                    .interview
                    .choices
                    .iter()
                    .filter_map(|choice| choice.words.first().copied())
                    .collect();
                Reply::AskAgain(format!("`{line}` is none of: {}", words.join(", ")))
            }
            None => answer(),
        })
    }
}

/// Lets the person edit a text. What they left stays until it can be read.
fn edit(draft: &Draft, editor: Option<&str>) -> Result<Reply, Trouble> {
    let Draft { what, file, text, read } = draft;
    let Some(editor) = editor else {
        return Ok(Reply::AskAgain("set VISUAL or EDITOR to the editor you want".to_owned()));
    };
    if !file.exists() {
        write(file, text)?;
    }
    if let Err(why) = open_editor(editor, file) {
        return Ok(Reply::AskAgain(format!("{editor} could not edit the {what}: {why}")));
    }
    let failed = |why| Trouble::File { what: "read", path: file.clone(), why };
    let edited = bounded::text(file, bounded::WRITTEN).map_err(|refusal| failed(refusal.into()))?;
    match read(&edited) {
        Ok(answer) => {
            std::fs::remove_file(file).map_err(failed)?;
            Ok(Reply::Answer(answer))
        }
        Err(error) => Ok(Reply::AskAgain(format!(
            "{error}. The {what} was not changed; your text is kept in {}, and `edit` opens it again",
            file.display()
        ))),
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

#[cfg(test)]
mod tests;
