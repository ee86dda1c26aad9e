//! One run in full: where it stands, what is open, what it has spent, what to type next.

use std::collections::BTreeMap;
use std::path::PathBuf;

use baton_engine::driver::Outline;
use baton_engine::flow::Present;
use baton_engine::runs::Glance;
use baton_engine::{Key, Limits, Millis, OpenQuestion, Purse, RunId, Runs, Status, StopReason};
use serde::Serialize;

use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::rest::is_under_way;
use crate::sight::{OpenStep, Sight};
use crate::standing::{Money, Standing, next_commands};
use crate::text::{age, elapsed, moment, rfc3339, usd};
use crate::trouble::Trouble;
use crate::view::{QuestionView, RunView, SpendView, dollars};

/// One run in full.
#[derive(Debug, Serialize)]
pub struct Detail {
    /// The run as lists show it.
    #[serde(flatten)]
    pub run: RunView,
    /// Its visit.
    pub visit: u32,
    /// Why it stopped, in words.
    pub detail: Option<String>,
    /// What it waits for, in words.
    pub waits_for: Vec<String>,
    /// Its open questions.
    pub questions: Vec<QuestionView>,
    /// Steps that have begun and not come back.
    pub steps: Vec<StepView>,
    /// What calls in flight have reserved.
    pub reserved: Option<SpendView>,
    /// The part of what was spent whose outcome nobody knows.
    pub unknown: Option<SpendView>,
    /// Milliseconds spent in steps.
    pub work_ms: Option<u64>,
    /// What it may spend.
    pub limits: LimitsView,
    /// How many steps may be in flight at once.
    pub parallel: u32,
    /// The folder with its files.
    pub folder: PathBuf,
    /// What is wrong with its records, if they cannot be read.
    pub trouble: Option<String>,
    /// What to type next.
    pub next: Vec<String>,
    /// What its workflow says of it, if its records can be read: what it has learnt, and its files.
    #[serde(skip)]
    pub present: Option<Present>,
    #[serde(skip)]
    since: Times,
}

/// A step that has not come back.
#[derive(Debug, Serialize)]
pub struct StepView {
    /// Its key.
    pub key: String,
    /// The kind of act.
    pub kind: String,
    /// Which attempt.
    pub attempt: u32,
    /// When it began.
    pub since: String,
    /// Whether its process ended before it came back.
    pub unknown: bool,
    /// What is done about that.
    pub then: Option<&'static str>,
}

/// What a run may spend.
#[derive(Debug, Serialize)]
pub struct LimitsView {
    /// Dollars.
    pub usd: Option<f64>,
    /// Tokens.
    pub tokens: Option<u64>,
    /// Paid calls.
    pub calls: Option<u64>,
    /// Milliseconds of work.
    pub work_ms: Option<u64>,
    #[serde(skip)]
    micro_usd: Option<u64>,
}

#[derive(Debug)]
struct Times {
    now: Millis,
    started: Millis,
    updated: Millis,
    micro_usd: u64,
}

impl Detail {
    /// Looks at everything there is to see of a run. A damaged one is shown as far as it can be read.
    pub fn gather(program: &Program, runs: &dyn Runs, run: &RunId) -> Result<Self, Trouble> {
        Self::with(program, runs, run, |workflow| Seen::closely(program, runs, run, workflow))
    }

    /// The same without what its workflow says of it, where that would mean reading a long run.
    pub fn at_a_glance(program: &Program, runs: &dyn Runs, run: &RunId) -> Result<Self, Trouble> {
        let glance = runs.glance(run)?;
        Self::with(program, runs, run, |workflow| {
            let pins = program.catalogue.get(workflow).map(|flow| flow.pins());
            match glance {
                Some(glance) if pins == Some((glance.outline.table, glance.outline.code)) => Seen::of(glance),
                _ => Seen::closely(program, runs, run, workflow),
            }
        })
    }

    fn with(
        program: &Program,
        runs: &dyn Runs,
        run: &RunId,
        seen: impl FnOnce(&str) -> Seen,
    ) -> Result<Self, Trouble> {
        let row = runs.run(run)?;
        let now = program.clock.now();
        let driven = row.driven_by.is_some();
        let under_way = driven || is_under_way(runs, &row)?;
        let times = Times { now, started: row.started, updated: row.updated, micro_usd: row.spent.micro_usd };
        let view = RunView::of(row);
        let standing = view.standing;
        let Seen { mut sight, purse, present, trouble } = seen(&view.workflow);
        if !driven {
            sight.lose_sight();
        }
        let questions = runs.questions(Some(run))?;
        let limits = LimitsView::of(&sight.settings.limits);
        let flow = program.catalogue.get(&view.workflow);
        let changeable = flow.map_or(&[][..], |flow| flow.changeable());
        let mut answered = BTreeMap::new();
        for open in &questions {
            if let Some((_, by)) = runs.answer_to(run, &open.key)? {
                answered.insert(open.key.clone(), by);
            }
        }
        let unanswered: Vec<OpenQuestion> =
            questions.iter().filter(|open| !answered.contains_key(&open.key)).cloned().collect();
        let children =
            if standing == Standing::Waiting { waits_for_children(runs, &sight) } else { Vec::new() };
        // A child goes on with its parent, unless what stopped it wants a word of its own.
        let stopped = children.iter().filter(|child| child.needs_a_word);
        let stopped = stopped.map(|child| program.command(&format!("resume {}", child.run)));
        let money = Money { limit: limits.micro_usd, spent: times.micro_usd };
        let next = next_commands(program, run, standing, under_way, &unanswered, money, changeable);
        let next = stopped.chain(next).collect();
        Ok(Self {
            visit: sight.visit,
            detail: sight.stop.as_ref().map(|(_, detail)| detail.clone()),
            waits_for: if standing == Standing::Waiting {
                let children = children.into_iter().map(|child| child.words);
                waits_for(&sight, &questions, &answered, now).into_iter().chain(children).collect()
            } else {
                Vec::new()
            },
            questions: questions
                .iter()
                .map(|open| QuestionView::of(program, runs, &view.workflow, open))
                .collect::<Result<_, _>>()?,
            steps: sight.steps.iter().map(|(key, step)| StepView::of(key, step)).collect(),
            reserved: purse.as_ref().map(|purse| SpendView::of(purse.reserved)),
            unknown: purse.as_ref().map(|purse| SpendView::of(purse.unknown)),
            work_ms: purse.as_ref().map(|purse| purse.work_ms),
            limits,
            parallel: sight.settings.parallel,
            folder: program.folder_of(run),
            trouble,
            next,
            present,
            since: times,
            run: view,
        })
    }

    /// The page of `baton show`.
    pub fn page(&self) -> Page {
        let mut page = Page::default();
        let Times { now, started, updated, .. } = self.since;
        page.field("run", plain(format!("{}  {}", self.run.run, self.run.title)));
        page.field("workflow", plain(&self.run.workflow));
        page.field("state", plain(format!("{} (visit {})", self.run.state, self.visit)));
        page.field("status", inked(self.run.standing.ink(), self.run.standing.words()));
        if let Some(detail) = &self.detail {
            page.field("because", plain(detail));
        }
        if let Some(driver) = &self.run.driven_by {
            page.field("driven by", plain(driver));
        }
        for what in &self.waits_for {
            page.field("waits for", plain(what));
        }
        page.field("started", plain(format!("{} UTC, {} ago", moment(started), age(now.since(started)))));
        page.field("last", plain(format!("record {}, {} ago", self.run.records, age(now.since(updated)))));
        page.field("spent", plain(self.spent()));
        for step in &self.steps {
            page.field("step", plain(step.words()));
        }
        page.field("folder", plain(self.folder.display().to_string()));
        if let Some(trouble) = &self.trouble {
            page.field("trouble", inked(Ink::Bad, trouble));
        }
        self.ask_and_next(&mut page);
        page
    }

    /// The last words of a command that drove the run.
    pub fn closing(&self) -> Page {
        let RunView { run, state, standing, .. } = &self.run;
        let Times { started, updated, micro_usd, .. } = self.since;
        let mut page = Page::default();
        let told = match standing {
            Standing::Finished(_) => {
                let took = elapsed(updated.since(started));
                format!(" in {state} after {took}, {} spent", usd(micro_usd))
            }
            Standing::New => format!(": recorded in {state}, and nothing is done yet"),
            _ => format!(" in {state}"),
        };
        page.line([plain(format!("run {run} is ")), inked(standing.ink(), standing.words()), plain(told)]);
        if let Some(detail) = &self.detail {
            page.text(format!("because: {detail}"));
        }
        if self.questions.is_empty() {
            for what in &self.waits_for {
                page.text(format!("waits for {what}"));
            }
        }
        if matches!(standing, Standing::Stopped(_) | Standing::Interrupted) {
            page.text("Everything recorded is kept.");
        }
        self.ask_and_next(&mut page);
        page
    }

    fn ask_and_next(&self, page: &mut Page) {
        // A stopped run hears no answer until it goes on, so its questions can wait too.
        let heard = !matches!(self.run.standing, Standing::Stopped(_));
        let asks = heard && self.questions.iter().any(|question| question.answered_by.is_none());
        for question in self.questions.iter().filter(|_| heard) {
            let QuestionView { key, text, expects, answered_by, .. } = question;
            page.line([match answered_by {
                None => inked(Ink::Warn, format!("? {key}: {text} ({expects})")),
                Some(by) => inked(Ink::Faint, format!("  {key}: answered by {by}: {text}")),
            }]);
        }
        if !self.next.is_empty() {
            page.line([inked(Ink::Faint, if asks { "Answer with:" } else { "Next:" })]);
        }
        for command in &self.next {
            page.command(command);
        }
    }

    /// How long it took until now, or until it ended.
    pub fn took(&self) -> String {
        elapsed(self.since.updated.since(self.since.started))
    }

    /// What it has spent, of what.
    pub fn spent(&self) -> String {
        let money = |micro: u64| {
            self.limits.micro_usd.map_or(usd(micro), |limit| format!("{} of {}", usd(micro), usd(limit)))
        };
        let mut parts = vec![money(self.since.micro_usd)];
        let spent = self.run.spent;
        if spent.tokens > 0 || self.limits.tokens.is_some() {
            parts.push(of(spent.tokens, self.limits.tokens, "tokens"));
        }
        if spent.calls > 0 || self.limits.calls.is_some() {
            parts.push(of(spent.calls, self.limits.calls, "paid calls"));
        }
        if let Some(unknown) = self.unknown.filter(|unknown| unknown.usd > 0.0) {
            parts.push(format!("of it ${:.4} for calls whose outcome nobody knows", unknown.usd));
        }
        if let Some(reserved) = self.reserved.filter(|reserved| reserved.usd > 0.0) {
            parts.push(format!("${:.4} reserved", reserved.usd));
        }
        parts.join(", ")
    }
}

fn of(used: u64, limit: Option<u64>, what: &str) -> String {
    limit.map_or(format!("{used} {what}"), |limit| format!("{used} of {limit} {what}"))
}

/// What the workflow itself says of the run, or why it cannot.
fn present(program: &Program, runs: &dyn Runs, run: &RunId, workflow: &str) -> Result<Present, String> {
    let flow = program.catalogue.get(workflow);
    let flow = flow.ok_or_else(|| format!("this Baton does not have the workflow `{workflow}`"))?;
    flow.present(runs, run).map_err(|error| error.to_string())
}

/// What was looked at of a run.
struct Seen {
    sight: Sight,
    purse: Option<Purse>,
    present: Option<Present>,
    trouble: Option<String>,
}

impl Seen {
    /// Everything, from what its workflow makes of it.
    fn closely(program: &Program, runs: &dyn Runs, run: &RunId, workflow: &str) -> Self {
        let (present, unfit) = match present(program, runs, run, workflow) {
            Ok(present) => (Some(present), None),
            Err(why) => (None, Some(why)),
        };
        let (sight, unreadable) = match runs.records(run, 1) {
            Ok(records) => (Sight::of(&records), None),
            Err(error) => (Sight::of(&[]), Some(error.to_string())),
        };
        let purse = present.as_ref().map(|present| present.purse.clone());
        Self { sight, purse, present, trouble: unreadable.or(unfit) }
    }

    /// Where it stands; nothing from before the records of a glance is under way.
    fn of(glance: Glance) -> Self {
        let Glance { outline, tail, .. } = glance;
        let Outline { visit, settings, purse, .. } = outline;
        let sight = Sight { visit, settings, ..Sight::of(&tail) };
        Self { sight, purse: Some(purse), present: None, trouble: None }
    }
}

/// A child that is not over.
struct OpenChild {
    run: RunId,
    needs_a_word: bool,
    words: String,
}

/// Children that are not over. One that stopped says why: whoever waits for it has to know what to do.
fn waits_for_children(runs: &dyn Runs, sight: &Sight) -> Vec<OpenChild> {
    let said = |(key, run): (&Key, &RunId)| {
        let stop = stop_of(runs, run);
        let why =
            stop.as_ref().map_or_else(String::new, |(_, detail)| format!(" and which stopped: {detail}"));
        let words = format!("run {run}, which it began as {key}{why}");
        let needs_a_word = stop.as_ref().is_some_and(|(reason, _)| !reason.may_have_passed());
        OpenChild { run: run.clone(), needs_a_word, words }
    };
    sight.children.iter().map(said).collect()
}

/// Why a run stopped, if it did. Only the end of one that did is read.
fn stop_of(runs: &dyn Runs, run: &RunId) -> Option<(StopReason, String)> {
    if !matches!(runs.run(run).ok()?.status, Status::Stopped(_)) {
        return None;
    }
    let glance = runs.glance(run).ok().flatten();
    let records = glance.map_or_else(|| runs.records(run, 1), |glance| Ok(glance.tail)).ok()?;
    Sight::of(&records).stop
}

fn waits_for(
    sight: &Sight,
    questions: &[OpenQuestion],
    answered: &BTreeMap<Key, String>,
    now: Millis,
) -> Vec<String> {
    let answers = questions.iter().map(|open| match open.deadline {
        _ if answered.contains_key(&open.key) => {
            format!("somebody to resume it: {} is answered", open.key)
        }
        None => format!("an answer to {}", open.key),
        Some(at) if at <= now => {
            format!("somebody to resume it: {} expired {} ago", open.key, age(now.since(at)))
        }
        Some(at) => {
            format!("an answer to {} until {} UTC ({} left)", open.key, moment(at), age(at.since(now)))
        }
    });
    let times = sight.waits.iter().map(|(key, until)| match until {
        until if *until <= now => {
            format!("somebody to resume it: the wait {key} ended {} ago", age(now.since(*until)))
        }
        until => format!("{} UTC ({key}, {} left)", moment(*until), age(until.since(now))),
    });
    answers.chain(times).collect()
}

impl StepView {
    fn of(key: &Key, step: &OpenStep) -> Self {
        Self {
            key: key.to_string(),
            kind: step.kind.clone(),
            attempt: step.attempt,
            since: rfc3339(step.since),
            unknown: step.unknown,
            then: step.unknown.then(|| step.on_resume()),
        }
    }

    fn words(&self) -> String {
        let Self { key, kind, attempt, .. } = self;
        match self.then {
            None => format!("{key}: {kind}, attempt {attempt}, in flight"),
            Some(then) => format!("{key}: {kind}, attempt {attempt}, outcome unknown; {then}"),
        }
    }
}

impl LimitsView {
    fn of(limits: &Limits) -> Self {
        Self {
            usd: limits.micro_usd.map(dollars),
            tokens: limits.tokens,
            calls: limits.calls,
            work_ms: limits.work_ms,
            micro_usd: limits.micro_usd,
        }
    }
}
