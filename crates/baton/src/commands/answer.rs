//! `baton answer`: answers a question of a run, and drives the run on.

use baton_engine::record::Body;
use baton_engine::{Key, OpenQuestion, Question, RunId, Runs, Submitted};
use serde::Serialize;
use serde_json::Value;

use crate::detail::Detail;
use crate::drive::{How, drive};
use crate::exit::Exit;
use crate::page::Page;
use crate::program::{AnswerError, Program};
use crate::standing::answer_commands;
use crate::trouble::Trouble;

/// Answer a question of a run and let it go on
///
/// KEY may be left out while only one question is open. The first answer counts; the same answer again
/// changes nothing. If another process drives the run, it goes on there.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    allow_missing_positional = true,
    after_help = "\
Examples:
  baton answer last yes
  baton answer 7kq 2/approve no
  baton answer 7kq '4/upload?1' '{\"happened\": true}'"
)]
pub struct Args {
    /// The run
    pub run: String,
    /// The question, if several are open: its key, or the part behind the slash
    pub key: Option<String>,
    /// The answer: yes, no, a word, or JSON
    #[arg(required = true, allow_negative_numbers = true)]
    pub value: String,
    /// Only record the answer; `baton resume` drives the run on
    #[arg(long)]
    pub no_drive: bool,
}

/// The answer that counts.
#[derive(Serialize)]
struct Answered {
    key: Key,
    answer: Value,
    by: String,
    /// Whether it had been given before, so that nothing changed.
    already: bool,
}

#[derive(Serialize)]
struct AnswerOutput {
    #[serde(flatten)]
    detail: Detail,
    answered: Answered,
}

/// Answers a question.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let engine = program.engine()?;
    let run = engine.find(&args.run)?;
    let answered = post(program, &engine, &run, args)?;
    if answered.already {
        program.out.note("the same answer was given before; nothing changed");
    }
    let told = match engine.run(&run)?.driven_by {
        Some(driver) => format!("recorded; {driver} drives the run on"),
        None if args.no_drive => {
            format!("recorded; go on with:\n  {}", program.command(&format!("resume {run}")))
        }
        None => return drive(program, &engine, &run, How::default()),
    };
    let detail = Detail::gather(program, &engine, &run)?;
    program.out.give(&AnswerOutput { detail, answered }, &Page::of(told))?;
    Ok(Exit::Done)
}

fn post(program: &Program, runs: &dyn Runs, run: &RunId, args: &Args) -> Result<Answered, Trouble> {
    let (key, typed) = (args.key.as_deref(), args.value.as_str());
    let open = runs.questions(Some(run))?;
    let (key, answer) = match choose(program, run, &open, key, typed)? {
        Some(question) => (question.key.clone(), question.question.read(typed)),
        // Not open: whoever keeps it knows whether it was answered, and by whom.
        None => {
            let name = key.unwrap_or_default();
            let unknown = |_| not_open(program, run, format!("run {run} has no open question `{name}`"));
            match asked(runs, run, name)? {
                Some((key, question)) => (key, question.read(typed)),
                None => (name.parse().map_err(unknown)?, typed.into()),
            }
        }
    };
    let posted = program.answer(runs, run, &key, &answer).map_err(|error| match error {
        AnswerError::NotOpen(what) => not_open(program, run, what),
        AnswerError::Wrong { wrong, hint } => {
            let meant = open.iter().find(|question| question.key == key);
            let examples = meant.map_or_else(Vec::new, |question| answer_commands(program, question));
            Trouble::WrongShape { wrong, hint, example: examples.join("\n  or: ") }
        }
        AnswerError::Other(trouble) => trouble,
    })?;
    let already = posted == Submitted::Again;
    let by = runs.answer_to(run, &key)?.map_or_else(|| program.who.clone(), |(_, by)| by);
    Ok(Answered { key, answer, by, already })
}

/// The question of this key, or the last of this name, that the run has ever asked.
fn asked(runs: &dyn Runs, run: &RunId, key: &str) -> Result<Option<(Key, Question)>, Trouble> {
    let records = runs.records(run, 1)?;
    let asked = records.iter().rev().filter_map(|record| match record.open().ok()?.body {
        Body::Asked(asked) => Some((asked.key, asked.question)),
        _ => None,
    });
    Ok(asked.into_iter().find(|(asked, _)| asked.to_string() == key || asked.name == key))
}

/// The open question that is meant; none if the key names one that is not open.
fn choose<'a>(
    program: &Program,
    run: &RunId,
    open: &'a [OpenQuestion],
    key: Option<&str>,
    typed: &str,
) -> Result<Option<&'a OpenQuestion>, Trouble> {
    let fits = |question: &&OpenQuestion| match key {
        None => true,
        Some(key) => question.key.to_string() == key || question.key.name == key,
    };
    let fitting: Vec<&OpenQuestion> = open.iter().filter(fits).collect();
    match fitting.as_slice() {
        [one] => Ok(Some(one)),
        [] if key.is_some() => Ok(None),
        [] => Err(not_open(program, run, format!("run {run} has no open question"))),
        many => Err(Trouble::WhichQuestion {
            run: run.clone(),
            typed: key.unwrap_or(typed).to_owned(),
            examples: many.iter().flat_map(|question| answer_commands(program, question)).collect(),
        }),
    }
}

fn not_open(program: &Program, run: &RunId, what: String) -> Trouble {
    Trouble::NotOpen {
        what,
        next: format!("See where it stands with `{}`", program.command(&format!("show {run}"))),
    }
}
