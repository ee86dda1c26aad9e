//! `baton diff`: how two runs, or two points of runs, differ.

use baton_engine::flow::Present;
use baton_engine::points::{self, Point, Way};
use baton_engine::record::{Body, Chained, Settings};
use baton_engine::turns::points_of;
use baton_engine::{RunFile, RunId, Runs};
use serde::Serialize;
use serde_json::{Value, json};

use crate::difference::{Parting, Stretch, changed_lines, partings};
use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::sight::Sight;
use crate::text::{count, cut, usd};
use crate::trouble::Trouble;
use crate::view::SpendView;

/// More than this of one kind is only counted; `--json` has all.
const SHOWN: usize = 40;
/// Longer values are cut in a line; `--json` has them whole.
const SHORT: usize = 160;

/// Show how two runs differ, or two points of runs
///
/// Settings, the way through the states, what was learnt (facts gained and lost, conflicts, anything else in
/// memory), what was spent, and the files as text, by words. A side may be RUN@POINT: the run as it stood
/// there; `baton checkpoint RUN` lists the points.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton diff 7kq 9xw
  baton diff last@12 last
  baton diff 7kq@before-publishing 7kq --json"
)]
pub struct Args {
    /// The first: a run, or a run and a point of it
    #[arg(value_name = "RUN[@POINT]")]
    pub one: String,
    /// The second
    #[arg(value_name = "RUN[@POINT]")]
    pub other: String,
}

/// One of the two.
struct Side {
    run: RunId,
    point: Option<Point>,
    present: Present,
    chained: Vec<Chained>,
    spent: SpendView,
    micro_usd: u64,
}

#[derive(Serialize)]
struct Difference {
    one: String,
    other: String,
    /// How many records they have in common.
    shared: usize,
    settings: Vec<Parting>,
    /// The states each went through, behind what they have in common.
    ways: [Vec<String>; 2],
    spent: [SpendView; 2],
    learnt: Vec<Parting>,
    files: Vec<FileDifference>,
    #[serde(skip)]
    micro_usd: [u64; 2],
}

#[derive(Serialize)]
struct FileDifference {
    path: String,
    /// `lost`, `gained` or `changed`.
    how: &'static str,
    /// Changed lines, by words.
    lines: Vec<Vec<Stretch>>,
}

/// Compares two runs.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let runs = program.runs()?;
    let (one, other) = (Side::of(program, &runs, &args.one)?, Side::of(program, &runs, &args.other)?);
    let difference = compare(&runs, &one, &other);
    program.out.give(&difference, &difference.page())?;
    Ok(Exit::Done)
}

impl Side {
    fn of(program: &Program, runs: &dyn Runs, typed: &str) -> Result<Self, Trouble> {
        let (name, point) = typed.split_once('@').map_or((typed, None), |(name, point)| (name, Some(point)));
        let run = runs.find(name)?;
        let flow = program.flow_of(runs, &run)?;
        let mut chained = runs.records(&run, 1)?;
        let point = match point {
            Some(point) => {
                let all = points_of(runs, &run, &flow.table())?;
                let found = points::find(&all, point).map_err(baton_engine::TurnError::from)?;
                chained.retain(|record| record.n <= found.n);
                Some(found.clone())
            }
            None => None,
        };
        let present = match &point {
            Some(point) => flow.present_at(runs, &run, point.n)?,
            None => flow.present(runs, &run)?,
        };
        let spent = present.purse.spent;
        Ok(Self { run, point, present, chained, spent: SpendView::of(spent), micro_usd: spent.micro_usd })
    }

    fn name(&self) -> String {
        let at = self.point.as_ref().map(|point| format!("@{}", point.n)).unwrap_or_default();
        format!("{}{at}", self.run)
    }

    fn settings(&self) -> Settings {
        Sight::of(&self.chained).settings
    }

    /// The states it went through behind record `after`, without what was taken back.
    fn way(&self, after: usize) -> Vec<String> {
        let records = self.chained.iter().filter_map(|chained| chained.open().ok()).collect();
        let mut way = Way::from("");
        let mut states = Vec::new();
        for record in baton_engine::history::kept(records) {
            if way.follow(record.n, &record.body)
                && matches!(record.body, Body::Event(_))
                && record.n > after as u64
            {
                states.push(way.state().to_owned());
            }
        }
        states
    }
}

fn compare(runs: &dyn Runs, one: &Side, other: &Side) -> Difference {
    let shared =
        one.chained.iter().zip(&other.chained).take_while(|(left, right)| left.hash == right.hash).count();
    Difference {
        one: one.name(),
        other: other.name(),
        shared,
        settings: partings(&json!(one.settings()), &json!(other.settings())),
        ways: [one.way(shared), other.way(shared)],
        spent: [one.spent, other.spent],
        learnt: partings(&one.present.memory(), &other.present.memory()),
        files: files(&one.present.files(runs), &other.present.files(runs)),
        micro_usd: [one.micro_usd, other.micro_usd],
    }
}

/// How the files differ that show what came of a run; those that tell the way it went differ anyway.
fn files(left: &[RunFile], right: &[RunFile]) -> Vec<FileDifference> {
    let result = |file: &&RunFile| !file.is_history;
    let find = |files: &[RunFile], path: &str| files.iter().find(|file| file.path == path).cloned();
    let text = |file: &RunFile| match &file.copy_of {
        Some(from) => format!("a copy of {from}"),
        None => String::from_utf8_lossy(&file.content).into_owned(),
    };
    let mut found = Vec::new();
    for file in left.iter().filter(result) {
        let (how, lines) = match find(right, &file.path) {
            None => ("lost", Vec::new()),
            Some(same) if same == *file => continue,
            Some(changed) => ("changed", changed_lines(&text(file), &text(&changed))),
        };
        found.push(FileDifference { path: file.path.clone(), how, lines });
    }
    let gained = right.iter().filter(result).filter(|file| find(left, &file.path).is_none());
    found.extend(gained.map(|file| FileDifference {
        path: file.path.clone(),
        how: "gained",
        lines: Vec::new(),
    }));
    found
}

impl Difference {
    fn page(&self) -> Page {
        let mut page = Page::default();
        page.field("from", plain(&self.one));
        page.field("to", plain(&self.other));
        page.field("shared", plain(count(self.shared, "record")));
        let [one, other] = self.micro_usd;
        page.field("spent", plain(format!("{} and {}", usd(one), usd(other))));
        for (way, sign) in self.ways.iter().zip(["-", "+"]) {
            let words = if way.is_empty() { "no further state".to_owned() } else { way.join(" > ") };
            page.field("way", plain(format!("{sign} {words}")));
        }
        partings_on(&mut page, "Settings", &self.settings);
        partings_on(&mut page, "Learnt", &self.learnt);
        for file in &self.files {
            page.line([inked(Ink::Faint, format!("{} {}", file.how, file.path))]);
            for line in file.lines.iter().take(SHOWN) {
                let drawn = line.iter().map(|stretch| match stretch {
                    Stretch::Same(text) => plain(text.replace('\n', " ")),
                    Stretch::Lost(text) => inked(Ink::Bad, format!("[-{}-]", text.replace('\n', " "))),
                    Stretch::Gained(text) => inked(Ink::Good, format!("{{+{}+}}", text.replace('\n', " "))),
                });
                page.line(drawn.collect::<Vec<_>>());
            }
            more(&mut page, file.lines.len());
        }
        if self.settings.is_empty() && self.learnt.is_empty() && self.files.is_empty() {
            page.text("They have learnt the same.");
        }
        page
    }
}

fn partings_on(page: &mut Page, title: &str, partings: &[Parting]) {
    if partings.is_empty() {
        return;
    }
    page.line([inked(Ink::Faint, title)]);
    let word = |value: &Value| cut(&value.to_string(), SHORT);
    for Parting { place, lost, gained } in partings.iter().take(SHOWN) {
        if let Some(lost) = lost {
            page.line([inked(Ink::Bad, format!("  - {place}  {}", word(lost)))]);
        }
        if let Some(gained) = gained {
            page.line([inked(Ink::Good, format!("  + {place}  {}", word(gained)))]);
        }
    }
    more(page, partings.len());
}

fn more(page: &mut Page, all: usize) {
    if let Some(more) = all.checked_sub(SHOWN).filter(|more| *more > 0) {
        page.line([inked(Ink::Faint, format!("  and {more} more; --json has all"))]);
    }
}
