//! Answering a question for a person: only where the person has granted it. Otherwise the assistant is told what to
//! pass on.

use serde_json::Value;

use super::Server;
use super::call::{Answer, CommandLine};
use super::client::Client;
use super::foreign::ToolResult;
use super::wait::Wait;

impl Server {
    /// Answers, drives the run on, and tells what was recorded and where the run stands then.
    pub async fn answer(&self, wanted: Answer, client: &Client) -> Result<ToolResult, String> {
        let shown = self.child.run(CommandLine::new(&["show"], [wanted.run.as_str()]), client).await?;
        let run = shown["run"].as_str().unwrap_or_default();
        let (key, question) = chosen(&shown, wanted.key.as_deref())?;
        let workflow = shown["workflow"].as_str().unwrap_or_default();
        self.grants
            .may_answer(run, workflow, name_of(&key))
            .map_err(|why| for_the_person(&why, run, &key, question))?;
        // The key that was judged is the one that is answered, whatever has been asked since.
        let typed = CommandLine::new(&["answer", "--no-drive"], [run, &key, &wanted.answer]);
        let printed = self.child.run(typed, client).await?;
        // One that a person has stopped is theirs to resume.
        if matches!(printed["status"].as_str(), Some("new" | "waiting" | "interrupted")) {
            self.child.drive(run)?;
        }
        let wait = Wait { limit: wanted.limit, seen: printed["records"].as_u64() };
        let mut shown = self.show(run, wait, client).await?;
        shown.value["answered"] = printed["answered"].clone();
        Ok(shown)
    }

    /// Says of every open question of a run who may answer it.
    pub fn say_who_answers(&self, shown: &mut Value) {
        let text = |name: &str| shown[name].as_str().unwrap_or_default().to_owned();
        let (run, workflow) = (text("run"), text("workflow"));
        for question in shown["questions"].as_array_mut().into_iter().flatten() {
            let key = question["key"].as_str().unwrap_or_default();
            let may = self.grants.may_answer(&run, &workflow, name_of(key)).is_ok();
            question["answer_by"] = if may { "assistant" } else { "person" }.into();
        }
    }
}

/// The part of a key that its workflow gave, behind the number of the visit; a name alone is one, too.
fn name_of(key: &str) -> &str {
    let parts = key.split_once('/').filter(|(visit, _)| visit.parse::<u32>().is_ok());
    parts.map_or(key, |(_, name)| name)
}

/// The question that is meant. One that is not open can be named: it may have been answered already.
fn chosen<'a>(shown: &'a Value, key: Option<&str>) -> Result<(String, Option<&'a Value>), String> {
    let open = shown["questions"].as_array().into_iter().flatten();
    let open = open.filter_map(|question| Some((question["key"].as_str()?, question)));
    let fits = |known: &str| key.is_none_or(|key| known == key || name_of(known) == key);
    let fitting: Vec<(&str, &Value)> = open.filter(|(known, _)| fits(known)).collect();
    match (fitting.as_slice(), key) {
        ([(known, question)], _) => Ok(((*known).to_owned(), Some(question))),
        ([], Some(key)) => Ok((key.to_owned(), None)),
        ([], None) => Err("the run has no open question; nothing was changed".to_owned()),
        (many, _) => {
            let keys: Vec<&str> = many.iter().map(|(known, _)| *known).collect();
            Err(format!(
                "several questions are open, and nothing was answered; give `key`: {}",
                keys.join(", ")
            ))
        }
    }
}

/// What the assistant is to pass on.
fn for_the_person(why: &str, run: &str, key: &str, question: Option<&Value>) -> String {
    let text = |name: &str| question.and_then(|question| question[name].as_str()).unwrap_or_default();
    let mut message = format!("This is for the person to answer, and nothing was answered: {why}.");
    if question.is_some() {
        message += &format!("\nQuestion {key} of run {run}: {} ({})", text("text"), text("expects"));
        let commands = question.and_then(|question| question["commands"].as_array()).into_iter().flatten();
        message += "\nTell them; they can type:";
        commands.filter_map(Value::as_str).for_each(|command| message += &format!("\n  {command}"));
    }
    message
}
