//! Asking the person at the terminal what a run wants to know.

mod dialog;

use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal};

use baton_engine::{Key, OpenQuestion, Runs};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::catalogue::presenter;
use crate::program::{AnswerError, Program};
use crate::signals::Signals;
use crate::trouble::Trouble;
use dialog::{Dialog, Reply};

/// What came of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskOutcome {
    /// Something was answered, or its time ran out: the run can go on.
    GoOn,
    /// Everything was left waiting.
    Left,
}

/// Asks at the terminal. What the person leaves open is not asked again.
pub struct Asker<'a> {
    program: &'a Program,
    lines: Option<Lines>,
    left: BTreeSet<Key>,
    late: bool,
}

enum Input {
    Line(String),
    Late,
    Leave,
}

impl<'a> Asker<'a> {
    /// Somebody who can ask, if there is a person at a terminal.
    pub fn new(program: &'a Program) -> Self {
        Self { program, lines: None, left: BTreeSet::new(), late: false }
    }

    /// Whether there is a person to ask.
    pub fn can_ask(&self) -> bool {
        self.program.out.is_live() && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }

    /// Asks every open question that was not left waiting before.
    pub async fn ask(
        &mut self,
        runs: &dyn Runs,
        open: &[OpenQuestion],
        signals: &Signals,
    ) -> Result<AskOutcome, Trouble> {
        let mut came = AskOutcome::Left;
        for question in open {
            if self.left.contains(&question.key) {
                continue;
            }
            match self.one(runs, question, signals).await? {
                AskOutcome::GoOn => came = AskOutcome::GoOn,
                AskOutcome::Left => {
                    self.left.insert(question.key.clone());
                }
            }
            if signals.is_pressed() {
                return Ok(AskOutcome::Left);
            }
        }
        Ok(came)
    }

    async fn one(
        &mut self,
        runs: &dyn Runs,
        open: &OpenQuestion,
        signals: &Signals,
    ) -> Result<AskOutcome, Trouble> {
        let out = &self.program.out;
        if std::mem::take(&mut self.late) {
            // A line typed after an earlier question's deadline must not answer this one.
            self.lines.iter_mut().for_each(Lines::forget);
        }
        let mut dialog = self.dialog(runs, open)?;
        if dialog.is_none() {
            out.note(&open.question.text);
        }
        loop {
            let hint = dialog.as_ref().map_or_else(|| open.question.hint(), Dialog::hint);
            let nothing = if open.question.takes_nothing() {
                "means that there is no answer"
            } else {
                "leaves it waiting"
            };
            out.prompt(&format!("{} ({hint}; an empty line {nothing}) > ", open.key));
            let line = match self.typed(open, signals).await {
                Input::Line(line) => line,
                Input::Late => {
                    self.late = true;
                    out.note("\nthe deadline has passed; the run goes on without an answer");
                    return Ok(AskOutcome::GoOn);
                }
                Input::Leave => return Ok(AskOutcome::Left),
            };
            let answer = match understood(dialog.as_mut(), open, &line)? {
                Reply::Answer(answer) => answer,
                Reply::AskAgain(why) => {
                    out.note(why);
                    continue;
                }
            };
            return match self.program.answer(runs, &open.run, &open.key, &answer) {
                Ok(_) => Ok(AskOutcome::GoOn),
                // Somebody else was faster, or the deadline was: either way the run can go on.
                Err(AnswerError::NotOpen(why)) => {
                    out.note(why);
                    Ok(AskOutcome::GoOn)
                }
                Err(AnswerError::Wrong { wrong, hint }) => {
                    out.note(format!("{wrong}; expected {hint}"));
                    continue;
                }
                Err(AnswerError::Other(trouble)) => Err(trouble),
            };
        }
    }

    /// How the run's workflow wants this asked, if it cares; what it wants to be seen first is shown.
    fn dialog(&self, runs: &dyn Runs, open: &OpenQuestion) -> Result<Option<Dialog>, Trouble> {
        let Some(presenter) = presenter(&runs.run(&open.run)?.workflow) else { return Ok(None) };
        let Some(interview) = presenter.interview(self.program, runs, open)? else { return Ok(None) };
        self.program.out.say(&interview.page)?;
        let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
        Ok(Some(Dialog::new(interview, editor.filter(|words| !words.trim().is_empty()))))
    }

    /// The next line, unless the deadline or a signal comes first.
    async fn typed(&mut self, open: &OpenQuestion, signals: &Signals) -> Input {
        let clock = &self.program.clock;
        let lines = self.lines.get_or_insert_with(Lines::of_stdin);
        let late = async {
            match open.deadline {
                Some(at) => clock.until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = signals.pressed() => Input::Leave,
            line = lines.next() => match line {
                Some(line) if !line.trim().is_empty() || open.question.takes_nothing() => Input::Line(line),
                _ => Input::Leave,
            },
            () = late => Input::Late,
        }
    }
}

/// What a line means, checked against the question.
fn understood(dialog: Option<&mut Dialog>, open: &OpenQuestion, line: &str) -> Result<Reply, Trouble> {
    let reply = match dialog {
        Some(dialog) => dialog.read(line)?,
        None => Reply::Answer(open.question.read(line)),
    };
    let wrong = |answer: &Value| open.question.check(answer).err();
    Ok(match reply {
        Reply::Answer(answer) => match wrong(&answer) {
            Some(wrong) => Reply::AskAgain(wrong.to_string()),
            None => Reply::Answer(answer),
        },
        again @ Reply::AskAgain(_) => again,
    })
}

/// Lines read on a thread of their own, because a read that waits for a person cannot be taken back. It reads
/// only when asked to, so that an editor can have the keyboard in between.
struct Lines {
    wanted: std::sync::mpsc::Sender<()>,
    lines: mpsc::UnboundedReceiver<String>,
    waits: bool,
}

impl Lines {
    fn of_stdin() -> Self {
        let (wanted, wants) = std::sync::mpsc::channel();
        let (send, lines) = mpsc::unbounded_channel();
        let read = move || {
            while wants.recv().is_ok() {
                let mut line = String::new();
                match std::io::stdin().lock().read_line(&mut line) {
                    Ok(read) if read > 0 && send.send(line).is_ok() => {}
                    _ => return,
                }
            }
        };
        // Without a thread the channel closes, which reads as an empty line: the question is left waiting.
        let _ = std::thread::Builder::new().name("baton-stdin".to_owned()).spawn(read);
        Self { wanted, lines, waits: false }
    }

    /// The next line; none at the end of the input. What was asked for and not waited for comes first.
    async fn next(&mut self) -> Option<String> {
        if !self.waits {
            self.wanted.send(()).ok()?;
            self.waits = true;
        }
        let line = self.lines.recv().await;
        self.waits = false;
        line
    }

    /// Drops a line that has come meanwhile.
    fn forget(&mut self) {
        if self.lines.try_recv().is_ok() {
            self.waits = false;
        }
    }
}
