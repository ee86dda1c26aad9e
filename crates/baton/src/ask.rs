//! Asking the person at the terminal what a run wants to know.

use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal};

use baton_engine::store::{OpenQuestion, StoreError};
use baton_engine::{Engine, Key};
use tokio::sync::mpsc;

use crate::program::Program;
use crate::signals::Signals;
use crate::trouble::Trouble;

/// What came of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Something was answered, or its time ran out: the run can go on.
    GoOn,
    /// Everything was left waiting.
    Left,
}

/// Asks at the terminal. What the person leaves open is not asked again.
pub struct Asker<'a> {
    program: &'a Program,
    lines: Option<mpsc::UnboundedReceiver<String>>,
    left: BTreeSet<Key>,
    late: bool,
}

enum Typed {
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
        engine: &Engine,
        open: &[OpenQuestion],
        signals: &Signals,
    ) -> Result<Asked, Trouble> {
        let mut came = Asked::Left;
        for question in open {
            if self.left.contains(&question.key) {
                continue;
            }
            match self.one(engine, question, signals).await? {
                Asked::GoOn => came = Asked::GoOn,
                Asked::Left => {
                    self.left.insert(question.key.clone());
                }
            }
            if signals.is_pressed() {
                return Ok(Asked::Left);
            }
        }
        Ok(came)
    }

    async fn one(
        &mut self,
        engine: &Engine,
        open: &OpenQuestion,
        signals: &Signals,
    ) -> Result<Asked, Trouble> {
        let out = &self.program.out;
        if std::mem::take(&mut self.late) {
            // A line typed after an earlier question's deadline must not answer this one.
            while self.lines.as_mut().is_some_and(|lines| lines.try_recv().is_ok()) {}
        }
        out.note(&open.question.text);
        loop {
            out.prompt(&format!(
                "{} ({}; an empty line leaves it waiting) > ",
                open.key,
                open.question.hint()
            ));
            let line = match self.typed(open, signals).await {
                Typed::Line(line) => line,
                Typed::Late => {
                    self.late = true;
                    out.note("\nthe deadline has passed; the run goes on without an answer");
                    return Ok(Asked::GoOn);
                }
                Typed::Leave => return Ok(Asked::Left),
            };
            let answer = open.question.read(&line);
            if let Err(wrong) = open.question.check(&answer) {
                out.note(wrong.to_string());
                continue;
            }
            let now = self.program.clock.now();
            return match engine.store.answer(&open.run, &open.key, &answer, &self.program.who, now) {
                Ok(_) => Ok(Asked::GoOn),
                // Somebody else was faster, or the deadline was: either way the run can go on.
                Err(StoreError::NotOpen(why)) => {
                    out.note(why);
                    Ok(Asked::GoOn)
                }
                Err(error) => Err(error.into()),
            };
        }
    }

    /// The next line, unless the deadline or a signal comes first.
    async fn typed(&mut self, open: &OpenQuestion, signals: &Signals) -> Typed {
        let clock = &self.program.clock;
        let lines = self.lines.get_or_insert_with(read_lines);
        let late = async {
            match open.deadline {
                Some(at) => clock.until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = signals.pressed() => Typed::Leave,
            line = lines.recv() => match line {
                Some(line) if !line.trim().is_empty() => Typed::Line(line),
                _ => Typed::Leave,
            },
            () = late => Typed::Late,
        }
    }
}

/// Reads lines on a thread of their own: a read that waits for a person cannot be taken back.
fn read_lines() -> mpsc::UnboundedReceiver<String> {
    let (send, lines) = mpsc::unbounded_channel();
    let read = move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if send.send(line).is_err() {
                return;
            }
        }
    };
    // Without a thread the channel closes, which reads as an empty line: the question is left waiting.
    let _ = std::thread::Builder::new().name("baton-stdin".to_owned()).spawn(read);
    lines
}
