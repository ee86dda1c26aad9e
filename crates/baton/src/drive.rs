//! Driving a run in the foreground: progress is shown, questions are asked, signals stop it cleanly.

use baton_engine::engine::Pace;
use baton_engine::family::drive_tree;
use baton_engine::{Drive, End, Engine, Flow, Idle, Question, RunId, Runs, Settings};
use serde_json::Value;

use crate::allowance::Allowance;
use crate::ask::{AskOutcome, Asker};
use crate::catalogue::presenter;
use crate::detail::Detail;
use crate::exit::Exit;
use crate::export;
use crate::presenter::Closing;
use crate::program::{AnswerError, Program};
use crate::progress::{Progress, TICK};
use crate::signals::{Signals, listen};
use crate::trouble::Trouble;

/// What a person hears at the first signal.
const STOPPING: &str = "stopping; calls in flight get up to 10 s to come back, a second signal cuts them off";

/// How to drive.
#[derive(Clone, Debug, Default)]
pub struct How {
    /// Answer every question that takes a yes with yes.
    pub yes: bool,
    /// New settings from now on.
    pub settings: Option<Settings>,
}

/// Drives a run until it ends, stops, or waits for what nobody here can give.
pub fn drive(program: &Program, engine: &Engine, run: &RunId, how: How) -> Result<Exit, Trouble> {
    let allowance = Allowance::of_run(engine, run)?;
    let exit = drive_with(program, &allowance.equip(program, engine)?, run, how)?;
    let (detail, closing) = closing(program, engine, run)?;
    let known_better = say(program, &detail, closing)?;
    export::write(program, engine, &detail, allowance.output.as_deref())?;
    Ok(if exit == Exit::Stopped { exit } else { known_better.unwrap_or(exit) })
}

/// The same without the last word, for commands that have more to say.
pub fn drive_on(program: &Program, engine: &Engine, run: &RunId, how: How) -> Result<Exit, Trouble> {
    let allowance = Allowance::of_run(engine, run)?;
    drive_with(program, &allowance.equip(program, engine)?, run, how)
}

/// Drives with an engine that can use what the run may use.
fn drive_with(program: &Program, engine: &Engine, run: &RunId, how: How) -> Result<Exit, Trouble> {
    let flow = program.flow_of(engine, run)?;
    let signals = listen(&program.out, STOPPING)?;
    let runtime = program.runtime()?;
    let driven = runtime
        .block_on(Foreground { program, engine, run, flow: flow.as_ref(), signals: &signals }.drive(how));
    // A call that does not come back must not keep the process.
    runtime.shutdown_background();
    let end = driven.map_err(|trouble| halted(program, run, trouble))?;
    // A person who leaves a question by a signal has stopped us, although the run only waits.
    let left = signals.is_pressed() && end == End::Waiting;
    Ok(if left { Exit::Stopped } else { Exit::of_end(&end) })
}

/// Says how to go on after what is no fault of the run.
fn halted(program: &Program, run: &RunId, trouble: Trouble) -> Trouble {
    if !trouble.halts() {
        return trouble;
    }
    Trouble::Halted {
        run: run.clone(),
        why: Box::new(trouble),
        next: program.command(&format!("resume {run}")),
    }
}

/// Says where the run stands now and what to type next; how the process ends, if its workflow knows better.
pub fn report(program: &Program, runs: &dyn Runs, run: &RunId) -> Result<Option<Exit>, Trouble> {
    let (detail, closing) = closing(program, runs, run)?;
    say(program, &detail, closing)
}

fn say(program: &Program, detail: &Detail, closing: Option<Closing>) -> Result<Option<Exit>, Trouble> {
    match closing {
        Some(Closing { value, page, exit }) => program.out.give(&value, &page).map(|()| exit),
        None => program.out.give(detail, &detail.closing()).map(|()| None),
    }
}

/// A run that rests, and the last words of its workflow about it, if it has any.
pub fn closing(
    program: &Program,
    runs: &dyn Runs,
    run: &RunId,
) -> Result<(Detail, Option<Closing>), Trouble> {
    let detail = Detail::gather(program, runs, run)?;
    let closing = match presenter(&detail.run.workflow) {
        // A run that cannot be read is shown like every such run.
        Some(presenter) if detail.trouble.is_none() => presenter.closing(program, runs, &detail)?,
        _ => None,
    };
    Ok((detail, closing))
}

struct Foreground<'a> {
    program: &'a Program,
    engine: &'a Engine,
    run: &'a RunId,
    flow: &'a dyn Flow,
    signals: &'a Signals,
}

impl Foreground<'_> {
    async fn drive(&self, how: How) -> Result<End, Trouble> {
        let mut progress = Progress::new(self.program, self.engine, self.run, true)?;
        let mut asker = Asker::new(self.program);
        let mut settings = how.settings;
        loop {
            let end = self.until_it_rests(settings.take(), how.yes, &mut progress).await?;
            progress.look();
            if end != End::Waiting || !self.answer(how.yes, &mut asker).await? {
                return Ok(end);
            }
        }
    }

    /// One stretch of driving, watched.
    async fn until_it_rests(
        &self,
        settings: Option<Settings>,
        yes: bool,
        progress: &mut Progress<'_>,
    ) -> Result<End, Trouble> {
        let clock = &self.program.clock;
        let how = Drive {
            idle: Idle::Leave,
            pace: Pace::default(),
            stop: self.signals.stop.clone(),
            by: self.program.who.clone(),
            settings,
        };
        // Progress is read from the journal, like everybody else's.
        let mut unheard = |_: &str, _: &baton_engine::Status, _: u64| {};
        let drive = drive_tree(self.engine, self.flow, self.run, how, &mut unheard);
        tokio::pin!(drive);
        loop {
            tokio::select! {
                biased;
                end = &mut drive => return Ok(end?),
                () = clock.until(clock.now().plus(TICK)) => {
                    if yes {
                        self.say_yes()?;
                    }
                    progress.look();
                }
            }
        }
    }

    /// Answers what can be answered here; whether the run can go on.
    async fn answer(&self, yes: bool, asker: &mut Asker<'_>) -> Result<bool, Trouble> {
        if yes && self.say_yes()? {
            return Ok(true);
        }
        if !asker.can_ask() {
            return Ok(false);
        }
        let open = self.engine.questions_below(self.run)?;
        Ok(asker.ask(self.engine, &open, self.signals).await? == AskOutcome::GoOn)
    }

    /// Says yes to every open question that can be answered so; whether there was one.
    fn say_yes(&self) -> Result<bool, Trouble> {
        let mut said = false;
        for open in self.engine.questions_below(self.run)? {
            let now = self.program.clock.now();
            let in_time = open.deadline.is_none_or(|deadline| deadline > now);
            let Some(yes) = yes_to(&open.question).filter(|_| in_time) else { continue };
            match self.program.answer_unseen(self.engine, &open.run, &open.key, &yes) {
                // Not open any more: somebody else was faster, and the run can go on all the same.
                Ok(_) | Err(AnswerError::NotOpen(_)) => said = true,
                // A yes means something else to the code that asked; a person has to say it.
                Err(AnswerError::Wrong { .. }) => {}
                Err(AnswerError::Other(trouble)) => return Err(trouble),
            }
        }
        Ok(said)
    }
}

/// The yes a question takes: true, or the word where it is one of a few.
fn yes_to(question: &Question) -> Option<Value> {
    let (yes, any) = (Value::from("yes"), Value::from("any words at all"));
    let fits = |answer: &Value| question.check(answer).is_ok();
    if question.schema.get("type").is_some_and(|kind| kind == "boolean") {
        Some(Value::Bool(true))
    } else {
        // Where any words would do, a yes would be put into somebody's mouth.
        (fits(&yes) && !fits(&any)).then_some(yes)
    }
}

#[cfg(test)]
mod tests;
