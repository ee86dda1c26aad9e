//! `baton answer`: answers a question of a run, and drives the run on.

use baton_engine::store::{OpenQuestion, Post, StoreError};
use baton_engine::{Engine, RunId};

use crate::detail::Detail;
use crate::drive::{How, drive};
use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
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

/// Answers a question.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let engine = program.engine()?;
    let run = engine.store.find(&args.run)?;
    let posted = post(program, &engine, &run, args)?;
    if posted == Post::Again {
        program.out.note("the same answer was given before; nothing changed");
    }
    let told = match engine.store.driver_of(&engine.store.run(&run)?) {
        Some(driver) => format!("recorded; {driver} drives the run on"),
        None if args.no_drive => {
            format!("recorded; go on with:\n  {}", program.command(&format!("resume {run}")))
        }
        None => return drive(program, &engine, &run, How::default()),
    };
    program.out.give(&Detail::gather(program, &engine, &run)?, &Page::of(told))?;
    Ok(Exit::Done)
}

fn post(program: &Program, engine: &Engine, run: &RunId, args: &Args) -> Result<Post, Trouble> {
    let store = &engine.store;
    let (key, typed) = (args.key.as_deref(), args.value.as_str());
    let open = store.questions(Some(run))?;
    let now = program.clock.now();
    let Some(question) = choose(program, run, &open, key, typed)? else {
        // Not open: the store knows whether it was answered, and by whom.
        let key = key.unwrap_or_default();
        let key = key
            .parse()
            .map_err(|_| not_open(program, run, format!("run {run} has no open question `{key}`")))?;
        let guess = serde_json::from_str(typed).unwrap_or_else(|_| match typed {
            "yes" | "y" => true.into(),
            "no" | "n" => false.into(),
            words => words.into(),
        });
        return store.answer(run, &key, &guess, &program.who, now).map_err(|error| told(program, run, error));
    };
    let answer = question.question.read(typed);
    question.question.check(&answer).map_err(|wrong| Trouble::WrongShape {
        wrong,
        hint: question.question.hint(),
        example: answer_commands(program, question).join("\n  or: "),
    })?;
    store.answer(run, &question.key, &answer, &program.who, now).map_err(|error| told(program, run, error))
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

fn told(program: &Program, run: &RunId, error: StoreError) -> Trouble {
    match error {
        StoreError::NotOpen(what) => not_open(program, run, what),
        error => error.into(),
    }
}
