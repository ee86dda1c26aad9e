//! A run and everything below it, as one picture.

use baton_engine::{Millis, RunId, Runs};
use serde::Serialize;

use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::standing::Standing;
use crate::text::{age, usd};
use crate::trouble::Trouble;
use crate::view::{QuestionView, RunView};

/// A run, its open questions, and the runs below it.
#[derive(Debug, Serialize)]
pub struct Tree {
    /// The run as lists show it.
    #[serde(flatten)]
    pub run: RunView,
    /// Its open questions.
    pub questions: Vec<QuestionView>,
    /// The runs it has begun.
    pub children: Vec<Tree>,
    #[serde(skip)]
    started: Millis,
    #[serde(skip)]
    micro_usd: u64,
}

impl Tree {
    /// Looks at a run and everything below it.
    pub fn of(program: &Program, runs: &dyn Runs, run: &RunId) -> Result<Self, Trouble> {
        let row = runs.run(run)?;
        let questions = runs
            .questions(Some(run))?
            .iter()
            .map(|open| QuestionView::of(program, runs, &row.workflow, open))
            .collect::<Result<_, _>>()?;
        let children = runs.children(run)?;
        let children =
            children.iter().map(|child| Self::of(program, runs, &child.name)).collect::<Result<_, _>>()?;
        let (started, micro_usd) = (row.started, row.spent.micro_usd);
        Ok(Self { run: RunView::of(row), questions, children, started, micro_usd })
    }

    /// For people.
    pub fn page(&self, now: Millis) -> Page {
        let mut page = Page::default();
        self.draw(&mut page, now, "", "");
        let commands: Vec<&String> = self.commands();
        if !commands.is_empty() {
            page.line([inked(Ink::Faint, "Answer with:")]);
        }
        for command in commands {
            page.command(command);
        }
        page
    }

    fn draw(&self, page: &mut Page, now: Millis, branch: &str, below: &str) {
        let RunView { run, workflow, state, title, standing, .. } = &self.run;
        page.line([
            inked(Ink::Faint, branch),
            plain(format!("{run}  {workflow}  {state}  ")),
            inked(standing.ink(), standing.brief()),
            plain(format!("  {}  {}  {title}", age(now.since(self.started)), usd(self.micro_usd))),
        ]);
        for question in self.questions.iter().filter(|question| question.answered_by.is_none()) {
            page.line([
                inked(Ink::Faint, below),
                inked(Ink::Warn, format!("  ? {}: {}", question.key, question.text)),
            ]);
        }
        self.draw_below(page, now, below);
    }

    /// Draws the runs below it, for a picture that shows the run itself already.
    pub fn draw_below(&self, page: &mut Page, now: Millis, below: &str) {
        for (index, child) in self.children.iter().enumerate() {
            let last = index + 1 == self.children.len();
            let (branch, rest) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            child.draw(page, now, &format!("{below}{branch}"), &format!("{below}{rest}"));
        }
    }

    /// The same as this process sees it, which drives what is below: its own lock is no other's.
    pub fn driven_here(mut self) -> Self {
        if self.run.standing == Standing::Interrupted {
            self.run.standing = Standing::Running;
        }
        self.children = self.children.into_iter().map(Self::driven_here).collect();
        self
    }

    /// The same without those below it that are over.
    pub fn still_open(mut self) -> Self {
        self.children.retain(|child| !matches!(child.run.standing, Standing::Finished(_)));
        self.children = self.children.into_iter().map(Self::still_open).collect();
        self
    }

    fn commands(&self) -> Vec<&String> {
        let own = self.questions.iter().filter(|question| question.answered_by.is_none());
        let own = own.flat_map(|question| &question.commands);
        own.chain(self.children.iter().flat_map(Self::commands)).collect()
    }
}
