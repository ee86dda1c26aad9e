//! `baton log`: every record of a run.

use baton_engine::record::Chained;
use baton_engine::{RunId, Runs};
use serde::Serialize;
use serde_json::Value;

use crate::catalogue::presenter;
use crate::exit::Exit;
use crate::output::Array;
use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::records::{outline, words};
use crate::rest::Rest;
use crate::signals::listen;
use crate::text::{moment, rfc3339};
use crate::trouble::Trouble;

/// Print every record of a run
///
/// With --json each record has its number, time, kind, body and hash, exactly as it is chained.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton log last
  baton log last --tail 20
  baton log last --follow
  baton log 7kq --json | jq '.[] | select(.kind == \"receipt\")'"
)]
pub struct Args {
    /// The run
    pub run: String,
    /// Only the last N records
    #[arg(long, short = 'n', value_name = "N")]
    pub tail: Option<u64>,
    /// Go on printing until the run ends or waits
    #[arg(long, short)]
    pub follow: bool,
}

#[derive(Serialize)]
struct Entry {
    n: u64,
    at: String,
    kind: String,
    body: Value,
    hash: String,
}

/// Prints the records of a run.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let runs = program.runs()?;
    let run = runs.find(&args.run)?;
    let seen = match args.tail {
        Some(wanted) => runs.run(&run)?.records.saturating_sub(wanted),
        None => 0,
    };
    let mut printer = Printer { program, runs: &runs, run: &run, array: None, seen };
    if program.out.is_json() {
        printer.array = Some(program.out.array()?);
    }
    let done = if args.follow { printer.follow() } else { printer.more().map(|()| Exit::Done) };
    // The array is ended even after trouble, so that what was printed can be read.
    if let Some(array) = printer.array.take() {
        array.end()?;
    }
    done
}

struct Printer<'a> {
    program: &'a Program,
    runs: &'a dyn Runs,
    run: &'a RunId,
    array: Option<Array<'a>>,
    seen: u64,
}

impl Printer<'_> {
    /// Prints what is new.
    fn more(&mut self) -> Result<(), Trouble> {
        let mut page = Page::default();
        let records = self.runs.records(self.run, self.seen + 1)?;
        // Behind the records: what was withheld when they were made may only be shown once the state says so.
        let row = self.runs.run(self.run)?;
        let all = || self.runs.records(self.run, 1);
        let withheld = match presenter(&row.workflow) {
            Some(presenter) => presenter.withheld(&row.state, &all)?,
            None => None,
        };
        for chained in records {
            self.seen = chained.n;
            let hidden = withheld.is_some_and(|from| chained.n >= from);
            match &mut self.array {
                Some(array) => array.item(&entry(&chained, hidden))?,
                None => page.line([
                    inked(Ink::Faint, format!("{:>5}  {}  ", chained.n, moment(chained.at))),
                    plain(self.say(&chained, hidden)),
                ]),
            }
        }
        if page.is_empty() { Ok(()) } else { self.program.out.say(&page) }
    }

    fn say(&self, chained: &Chained, hidden: bool) -> String {
        match chained.open() {
            Ok(record) if hidden => outline(&record.body, self.runs.vault()),
            Ok(record) => words(&record.body, self.runs.vault()),
            Err(error) => format!("cannot be read: {error}; `baton doctor` says more"),
        }
    }

    fn follow(&mut self) -> Result<Exit, Trouble> {
        let signals = listen(&self.program.out, "")?;
        let clock = std::sync::Arc::clone(&self.program.clock);
        self.program.runtime()?.block_on(async {
            let mut rest = Rest::default();
            loop {
                // Whether it rests is asked first: what it records before resting is printed below.
                let rests = rest.is_reached(self.runs, self.run)?;
                self.more()?;
                if rests {
                    return Ok(Exit::Done);
                }
                tokio::select! {
                    biased;
                    () = signals.pressed() => return Ok(Exit::Stopped),
                    () = self.runs.news(self.run, &*clock) => {}
                }
            }
        })
    }
}

/// What a record that may not be seen yet holds instead.
const WITHHELD: &str = "withheld until everybody has voted";

fn entry(chained: &Chained, hidden: bool) -> Entry {
    let body: Value =
        serde_json::from_str(&chained.text).unwrap_or_else(|_| Value::from(chained.text.clone()));
    let (kind, body) = match body {
        Value::Object(map) if map.len() == 1 => map.into_iter().next().unwrap_or_default(),
        other => ("unreadable".to_owned(), other),
    };
    let tells = matches!(kind.as_str(), "event" | "intent" | "receipt" | "answered");
    let body = if hidden && tells { Value::from(WITHHELD) } else { body };
    Entry { n: chained.n, at: rfc3339(chained.at), kind, body, hash: chained.hash.to_string() }
}
