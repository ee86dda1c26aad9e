//! A run while it is driven, by us or by somebody else: one block that is drawn over itself on a terminal,
//! one line per move elsewhere. Everything shown is read from the journal.

use std::time::Duration;

use baton_engine::migration::open_all;
use baton_engine::record::{Body, Step};
use baton_engine::{OpenQuestion, RunId, RunSummary, Runs};

use crate::catalogue::presenter;
use crate::page::{Ink, Page, inked, plain};
use crate::presenter::{Follower, Presenter};
use crate::program::Program;
use crate::records::event_name;
use crate::sight::Sight;
use crate::standing::Standing;
use crate::strip::Strip;
use crate::text::{age, count, elapsed, usd};
use crate::tree::Tree;
use crate::trouble::Trouble;

/// How often to look at a run that this process drives.
pub const TICK: Duration = Duration::from_millis(200);

/// More open steps than this are counted, not listed.
const LISTED: usize = 8;

/// A view of one run that follows its journal.
pub struct Progress<'a> {
    program: &'a Program,
    runs: &'a dyn Runs,
    run: RunId,
    here: bool,
    sight: Sight,
    strip: Strip,
    follower: Option<Box<dyn Follower>>,
    muted: bool,
}

impl<'a> Progress<'a> {
    /// Begins where the run stands now; what happened before is not told again. `here` if this process drives it.
    pub fn new(program: &'a Program, runs: &'a dyn Runs, run: &RunId, here: bool) -> Result<Self, Trouble> {
        let records = runs.records(run, 1)?;
        let sight = Sight::of(&records);
        let mut follower = presenter(&runs.run(run)?.workflow).and_then(Presenter::follower);
        if let Some(follower) = &mut follower {
            for record in records.iter().filter_map(|chained| chained.open().ok()) {
                follower.take(&record.body, runs.vault());
            }
        }
        // A run of a workflow that is not here is followed all the same.
        let mut strip = program.flow_of(runs, run).map(|flow| Strip::of(flow.table())).unwrap_or_default();
        for record in open_all(&records, runs.vault()) {
            strip.take(&record.body);
        }
        Ok(Self { program, runs, run: run.clone(), here, sight, strip, follower, muted: false })
    }

    /// Looks, and shows what is new. A view that cannot be shown must not end the run it shows.
    pub fn look(&mut self) {
        if self.muted {
            return;
        }
        if let Err(trouble) = self.try_look() {
            self.muted = true;
            self.program.out.note(format!("the run goes on, but its progress cannot be shown: {trouble}"));
        }
    }

    fn try_look(&mut self) -> Result<(), Trouble> {
        let row = self.runs.run(&self.run)?;
        let mut page = Page::default();
        for chained in self.runs.records(&self.run, self.sight.seen + 1)? {
            let Some(record) = self.sight.take(&chained) else { continue };
            self.strip.take(&record.body);
            let after = record.at.since(row.started);
            if let Some(follower) = &mut self.follower
                && let Some(line) = follower.take(&record.body, self.runs.vault())
            {
                page.text(format!("{:>7}  {line}", elapsed(after)));
            }
            if let Some(line) = self.moved(after, &record.body) {
                page.text(line);
            }
        }
        if self.program.out.is_live() {
            let questions = self.runs.questions(Some(&self.run))?;
            let below = Tree::of(self.program, self.runs, &self.run)?.still_open();
            let below = if self.here { below.driven_here() } else { below };
            return self.program.out.redraw(&self.block(&row, &questions, &below));
        }
        if page.is_empty() { Ok(()) } else { self.program.out.say(&page) }
    }

    /// A move from state to state, in one line.
    fn moved(&self, after: Duration, body: &Body) -> Option<String> {
        let Body::Event(happened) = body else { return None };
        let name = event_name(&happened.event, self.runs.vault());
        let after = elapsed(after);
        match happened.step {
            Step::Visit => Some(format!("{after:>7}  {} -> {} on {name}", happened.from, happened.to)),
            Step::Retry => Some(format!("{after:>7}  {} again on {name}", happened.from)),
            Step::Emit => None,
        }
    }

    /// What it waits for is no answer, as long as runs below it go on and nobody is asked.
    fn standing_words(&self, standing: Standing, questions: &[OpenQuestion]) -> String {
        match self.sight.children.len() {
            below if standing == Standing::Waiting && below > 0 && questions.is_empty() => {
                format!("waits for {} below it", count(below, "run"))
            }
            _ => standing.words(),
        }
    }

    fn block(&self, row: &RunSummary, questions: &[OpenQuestion], below: &Tree) -> Page {
        let now = self.program.clock.now();
        let standing = Standing::while_driven(row, self.here || row.driven_by.is_some());
        let mut page = Page::default();
        page.line([plain(format!("run {}  {}  {}", row.name, row.workflow, row.title))]);
        let limit = self.sight.settings.limits.micro_usd;
        let spent = limit.map_or(usd(row.spent.micro_usd), |limit| {
            format!("{} of {}", usd(row.spent.micro_usd), usd(limit))
        });
        page.line([
            plain(format!("{}  ", row.state)),
            inked(standing.ink(), self.standing_words(standing, questions)),
            plain(format!("  {}  {spent}", elapsed(now.since(row.started)))),
        ]);
        self.strip.draw(&row.state, &mut page);
        for line in self.follower.iter().flat_map(|follower| follower.lines()) {
            page.line([plain(format!("  {line}"))]);
        }
        for (key, step) in self.sight.steps.iter().take(LISTED) {
            let attempt =
                if step.attempt > 1 { format!(", attempt {}", step.attempt) } else { String::new() };
            let state = if step.unknown { "unknown".to_owned() } else { age(now.since(step.since)) };
            page.line([plain(format!("  {key}  {}{attempt}  ", step.kind)), inked(Ink::Faint, state)]);
        }
        if let Some(more) = self.sight.steps.len().checked_sub(LISTED).filter(|more| *more > 0) {
            page.line([inked(Ink::Faint, format!("  and {} more", count(more, "step")))]);
        }
        below.draw_below(&mut page, now, "  ");
        // A question that is about to be asked right here need not be announced.
        let asked_here = self.here && standing == Standing::Waiting;
        for open in questions.iter().filter(|_| !asked_here) {
            page.line([inked(Ink::Warn, format!("  asks {}: {}", open.key, open.question.text))]);
        }
        page
    }
}
