//! `baton debate eval`: evaluators score a finished debate from 1 to 10.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use baton_agents::clock::{Clock, RealClock};
use baton_agents::config::Overrides;
use baton_agents::model::Models;
use baton_agents::model::secret::{EnvKeys, Keys};
use baton_agents::skill::{AskRequest, By, DirectPort, Role, ask};
use baton_engine::Runs;
use baton_workflows::debate::Memory;
use baton_workflows::debate::files::decision::record;
use baton_workflows::debate::skills::evaluate::{CRITERIA, Evaluate, ToEvaluate};
use baton_workflows::debate::spec::{EvaluatorSpec, prompt};
use serde_json::{Value, json};

use super::compare::memory;
use super::wrong;
use crate::commands::ask::seed;
use crate::commands::start::{read, unfit};
use crate::exit::Exit;
use crate::export::ending;
use crate::page::{Page, plain};
use crate::program::Program;
use crate::text::read_usd;
use crate::trouble::Trouble;
use crate::view::dollars;

/// Let evaluators score a finished debate
///
/// The evaluators of the debate file are asked, or the role `evaluator`. Scores run from 1 to 10; what is no
/// number does not count.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The run, or a debate.json
    debate: String,
    /// The debate file with the evaluators [default: [debate] in baton.toml]
    #[arg(long, short, value_name = "FILE")]
    config: Option<String>,
    /// Where to write the scores: .json, .csv (a line is added) or Markdown
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What it may spend, in US dollars
    #[arg(long, value_name = "N", value_parser = read_usd, allow_negative_numbers = true)]
    budget_usd: Option<u64>,
}

/// The endings of files that can be written; a name without one gets Markdown.
const ENDINGS: [&str; 5] = ["md", "markdown", "txt", "json", "csv"];

/// One evaluator's scores, or why there are none.
struct Scored {
    id: String,
    by: String,
    scores: BTreeMap<&'static str, f64>,
    why: Option<String>,
}

/// Scores a debate.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let ending = args.output.as_deref().map(|path| ending(path, &ENDINGS)).transpose()?;
    let (name, memory) = load(program, &args.debate)?;
    if memory.ending.is_none() || memory.solution.is_none() {
        return Err(Trouble::NotOpen {
            what: format!("{name} has no decision yet, so there is nothing to score"),
            next: format!("See where it stands with `{}`", program.command("show last")),
        });
    }
    let debate = name;
    let usd = args.budget_usd.map(dollars);
    program.tell_held_back(usd.is_some());
    let config = program.config.typed(Overrides { usd, ..Overrides::default() })?;
    let (name, folder, spec) = super::spec(program, args.config.as_deref())?;
    let mut evaluators = Vec::new();
    for one in spec.evaluators().iter().filter(|one| one.enabled) {
        let role = match &one.model {
            Some(models) => models.role(&one.id, Some(0.1), &config).map_err(|error| wrong(&name, &error))?,
            None => config.role("evaluator"),
        };
        evaluators.push((
            one.id.clone(),
            role,
            instructions(&folder, one).map_err(|error| wrong(&name, &error))?,
        ));
    }
    if evaluators.is_empty() {
        evaluators.push(("evaluator".to_owned(), config.role("evaluator"), String::new()));
    }
    let clock: Arc<dyn Clock> = Arc::new(RealClock::new());
    let keys: Arc<dyn Keys> = Arc::new(EnvKeys);
    let models = Models::over_http(config.models.values().cloned(), &keys, &clock)?;
    let port = DirectPort::new(models, clock, config.budget, seed()?);
    let runtime = program.runtime()?;
    let scored: Vec<Scored> = evaluators
        .iter()
        .map(|(id, role, told)| runtime.block_on(score(&port, id, role, told, &memory)))
        .collect();
    give(program, args, &debate, ending.as_deref(), &scored)
}

fn instructions(
    folder: &Path,
    one: &EvaluatorSpec,
) -> Result<String, baton_workflows::debate::spec::SpecError> {
    let path = one.system_prompt_path.as_deref();
    path.map_or(Ok(String::new()), |path| prompt(folder, "prompt file", &one.id, path))
}

/// The debate, from a file that a run has written or from the run itself.
fn load(program: &Program, name: &str) -> Result<(String, Memory), Trouble> {
    if !Path::new(name).is_file() {
        let engine = program.engine()?;
        let run = engine.find(name)?;
        return Ok((run.to_string(), memory(program, &engine, &run)?));
    }
    let mut whole = read(name)?;
    let run = whole["id"].as_str().map_or_else(|| name.to_owned(), str::to_owned);
    serde_json::from_value(whole["memory"].take())
        .map(|memory| (run, memory))
        .map_err(|error| unfit(name, &format!("it is not a debate.json: {error}")))
}

async fn score(port: &DirectPort, id: &str, role: &Role, instructions: &str, memory: &Memory) -> Scored {
    let input = ToEvaluate {
        problem: memory.setup.problem.clone(),
        decision: record(memory),
        instructions: instructions.to_owned(),
        requirements: memory.setup.requirements.len(),
        unmet: memory.solution.as_ref().map_or(0, |solution| solution.unmet.len()),
    };
    let key = format!("evaluate/{id}");
    let documents = memory.setup.holds_documents();
    let question = AskRequest { key: &key, input: &input, carries_documents: documents };
    match ask::<Evaluate>(port, role, question).await {
        Ok(answer) => {
            let by = match &answer.by {
                By::Model { name, .. } => name.clone(),
                By::Rules => "rules".to_owned(),
            };
            Scored { id: id.to_owned(), by, scores: answer.output.numbers(), why: None }
        }
        Err(failure) => {
            let why = Some(failure.to_string());
            Scored { id: id.to_owned(), by: "nobody".to_owned(), scores: BTreeMap::new(), why }
        }
    }
}

/// The mean of the scores there are, to two decimals.
fn average(scored: &[Scored], name: &str) -> Option<f64> {
    let numbers: Vec<f64> = scored.iter().filter_map(|one| one.scores.get(name).copied()).collect();
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    (!numbers.is_empty()).then(|| (mean * 100.0).round() / 100.0)
}

fn give(
    program: &Program,
    args: &Args,
    debate: &str,
    ending: Option<&str>,
    scored: &[Scored],
) -> Result<Exit, Trouble> {
    for one in scored {
        if let Some(why) = &one.why {
            program.out.note(format!("{} has no scores: {why}", one.id));
        }
        let unscored: Vec<&str> =
            CRITERIA.iter().filter(|name| !one.scores.contains_key(*name)).copied().collect();
        if one.why.is_none() && !unscored.is_empty() {
            program.out.note(format!("{} could not score: {}", one.id, unscored.join(", ")));
        }
    }
    let word = |number: Option<f64>| number.map_or("N/A".to_owned(), |number| format!("{number:.2}"));
    let rows: Vec<Vec<String>> = CRITERIA
        .iter()
        .map(|name| {
            let each = scored.iter().map(|one| word(one.scores.get(name).copied()));
            std::iter::once((*name).to_owned()).chain([word(average(scored, name))]).chain(each).collect()
        })
        .collect();
    let head: Vec<&str> =
        ["criterion", "average"].into_iter().chain(scored.iter().map(|one| one.id.as_str())).collect();
    let value = value(debate, scored);
    if let Some(path) = &args.output {
        match ending {
            Some("json") => write(path, &format!("{value:#}\n"))?,
            Some("csv") => append(path, debate, &rows)?,
            _ => write(path, &format!("Scores of the debate {debate}\n\n{}", markdown(&head, &rows)))?,
        }
    }
    let spans: Vec<_> = rows.iter().map(|row| row.iter().map(plain).collect()).collect();
    let mut page = Page::of(format!("scores of the debate {debate}"));
    page.table(&head, spans);
    program.out.give(&value, &page)?;
    Ok(if scored.iter().all(|one| one.scores.is_empty()) { Exit::Failed } else { Exit::Done })
}

fn value(debate: &str, scored: &[Scored]) -> Value {
    let averages: BTreeMap<&str, Option<f64>> =
        CRITERIA.iter().map(|name| (*name, average(scored, name))).collect();
    let each = |one: &Scored| json!({"id": one.id, "by": one.by, "scores": one.scores, "why": one.why});
    json!({"run": debate, "averages": averages, "agents": scored.iter().map(each).collect::<Vec<_>>()})
}

fn markdown(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let rule = vec!["---".to_owned(); head.len()];
    line(&head) + &line(&rule) + &rows.iter().map(|row| line(row)).collect::<String>()
}

fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    let failed = |why| Trouble::File { what: "write", path: path.to_owned(), why };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)
}

/// Adds a line of averages; a new file begins with the names.
fn append(path: &Path, debate: &str, rows: &[Vec<String>]) -> Result<(), Trouble> {
    let trouble = |why| Trouble::File { what: "write", path: path.to_owned(), why };
    let new = !path.exists();
    let mut file = std::fs::File::options().append(true).create(true).open(path).map_err(trouble)?;
    let mut text = String::new();
    if new {
        text.push_str(&format!("debate,{}\n", CRITERIA.join(",")));
    }
    let averages: Vec<&str> = rows.iter().filter_map(|row| row.get(1)).map(String::as_str).collect();
    let name = if debate.contains([',', '"', '\n']) {
        format!("\"{}\"", debate.replace('"', "\"\""))
    } else {
        debate.to_owned()
    };
    text.push_str(&format!("{name},{}\n", averages.join(",")));
    file.write_all(text.as_bytes()).map_err(trouble)
}
