//! Plain questions over real tables: read, computed, and compared with answers that were computed elsewhere.

use std::error::Error;
use std::path::PathBuf;

use baton_figures::source::Context;
use baton_figures::{Decimal, compute, profile, understand};
use serde::Deserialize;

use crate::Arguments;

/// A question, and the figure somebody else computed; none where the data cannot answer it.
#[derive(Debug, Deserialize)]
struct Case {
    question: String,
    answer: Option<Decimal>,
    /// A group the first figure must be about, where the answer is who and not how much.
    #[serde(default)]
    group: Option<String>,
}

/// Prints what was wrong, then how many were right and how many were rightly refused.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(arguments.value("--folder").ok_or("say where the tables are: --folder DIR")?);
    let set = std::fs::read_to_string(arguments.value("--set").ok_or("say which questions: --set FILE")?)?;
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.sort();
    let context = Context { scratch: Some(std::env::temp_dir()), ..Context::default() };
    let profiles = profile::of_files(&files, &[], &context)?;
    let (mut right, mut answerable, mut refused, mut unanswerable) = (0, 0, 0, 0);
    let mut figures = Vec::new();
    for (number, line) in (1..).zip(set.lines().filter(|line| !line.trim().is_empty())) {
        let case: Case = serde_json::from_str(line)?;
        let read = understand(&format!("q{number}"), &case.question, &profiles);
        let computed = match &read.question {
            Some(question) => {
                compute::answers(&profiles, std::slice::from_ref(question), &context)?.into_iter().next()
            }
            None => None,
        };
        let first = computed.as_ref().and_then(|answer| answer.figures.first());
        let why = || {
            computed
                .as_ref()
                .and_then(|answer| answer.refused.clone())
                .or_else(|| read.refused.clone())
                .unwrap_or_default()
        };
        match case.answer {
            None => {
                unanswerable += 1;
                match first {
                    None => refused += 1,
                    Some(figure) => println!(
                        "{number}: {} -- should be refused, says {} ({})",
                        case.question, figure.value, figure.label
                    ),
                }
            }
            Some(wanted) => {
                answerable += 1;
                let fits = first.is_some_and(|figure| {
                    let near = figure.value == wanted || figure.value.rounded(wanted.places()) == wanted;
                    let about = case.group.as_ref().is_none_or(|group| {
                        figure.group.values().any(|value| value == group)
                            || figure.period.is_some_and(|period| period.to_string() == *group)
                    });
                    near && about
                });
                right += usize::from(fits);
                if !fits {
                    let said =
                        first.map_or_else(why, |figure| format!("{} ({})", figure.value, figure.label));
                    println!("{number}: {} -- wanted {wanted} {:?}, got {said}", case.question, case.group);
                }
            }
        }
        figures.extend(computed.into_iter().flat_map(|answer| answer.figures));
    }
    println!(
        "right: {right} of {answerable}; rightly refused: {refused} of {unanswerable}; {} figures",
        figures.len()
    );
    if let Some(out) = arguments.value("--out") {
        let tables: Vec<_> = profiles.tables.iter().map(|table| &table.reading).collect();
        std::fs::write(
            out,
            serde_json::to_vec_pretty(&serde_json::json!({ "tables": tables, "figures": figures }))?,
        )?;
    }
    Ok(())
}
