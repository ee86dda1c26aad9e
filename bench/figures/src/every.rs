//! Every kind of question over every fitting column of real tables, and what is found in them: many figures, written
//! with their descriptions so that `scripts/figures` can compute them again.

use std::error::Error;
use std::path::PathBuf;

use baton_figures::profile::{ColumnProfile, Distinct, TableProfile};
use baton_figures::question::{Aggregate, Ask, Measure, Question};
use baton_figures::source::Context;
use baton_figures::{Grain, Kind, analysis, compute, profile};

use crate::Arguments;

/// Computes all of them, computes them again, and writes them.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(arguments.value("--folder").ok_or("say where the tables are: --folder DIR")?);
    let out = arguments.value("--out").ok_or("say where the figures go: --out FILE")?;
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.sort();
    let context = Context { scratch: Some(std::env::temp_dir()), ..Context::default() };
    let profiles = profile::of_files(&files, &[], &context)?;
    for refused in &profiles.refused {
        println!("refused: {}: {}", refused.file, refused.reason);
    }
    let questions: Vec<Question> = profiles.tables.iter().flat_map(of_table).collect();
    let answers = compute::answers(&profiles, &questions, &context)?;
    let mut figures: Vec<_> = answers.iter().flat_map(|answer| answer.figures.clone()).collect();
    let findings = analysis::findings(&profiles, &context)?;
    for finding in &findings {
        println!("found: {}", finding.text);
    }
    figures.extend(findings.into_iter().flat_map(|finding| finding.figures));
    let tables: Vec<_> = profiles.tables.iter().map(|table| table.reading.clone()).collect();
    let again = compute::recompute(&tables, &figures, &context);
    let wrong: Vec<_> = again.iter().filter(|one| !one.holds).collect();
    for one in &wrong {
        println!("{}: {:?}", one.id, one.reason);
    }
    let refused = answers.iter().filter(|answer| answer.refused.is_some()).count();
    println!(
        "{} questions, {refused} refused, {} figures, {} do not hold",
        questions.len(),
        figures.len(),
        wrong.len()
    );
    std::fs::write(out, serde_json::to_vec(&serde_json::json!({ "tables": tables, "figures": figures }))?)?;
    Ok(())
}

fn of_table(table: &TableProfile) -> Vec<Question> {
    let few = |column: &&ColumnProfile| {
        matches!(column.kind, Kind::Text | Kind::Truth)
            && matches!(column.distinct, Distinct::Exactly(count) if (2..60).contains(&count))
    };
    let numbers: Vec<&ColumnProfile> =
        table.columns.iter().filter(|column| column.kind == Kind::Number).take(6).collect();
    let groups: Vec<&ColumnProfile> = table.columns.iter().filter(few).take(3).collect();
    let mut asks = Vec::new();
    for column in &numbers {
        let of = |how| Measure { how, column: Some(column.name.clone()) };
        let all = [Aggregate::Sum, Aggregate::Mean, Aggregate::Count, Aggregate::Distinct];
        asks.extend(all.map(|how| Ask::Total { measure: of(how) }));
        asks.push(Ask::Distribution { column: column.name.clone() });
        for how in [Aggregate::Sum, Aggregate::Mean, Aggregate::Median] {
            for by in &groups {
                asks.push(Ask::Ranking { measure: of(how), by: by.name.clone(), top: 5, ascending: false });
                asks.push(Ask::Comparison { measure: of(how), by: by.name.clone(), groups: Vec::new() });
                asks.push(Ask::Share { measure: of(how), by: by.name.clone(), of: Vec::new() });
            }
            for grain in [Grain::Month, Grain::Year] {
                asks.push(Ask::Trend { measure: of(how), grain: Some(grain) });
                asks.push(Ask::Change { measure: of(how), from: None, to: None, grain: Some(grain) });
                asks.push(Ask::Peak { measure: of(how), grain, lowest: true });
                asks.push(Ask::Latest { measure: of(how), grain: Some(grain) });
            }
            asks.push(Ask::Seasonality { measure: of(how) });
        }
    }
    for pair in numbers.windows(2) {
        for grain in [None, Some(Grain::Month)] {
            asks.push(Ask::Correlation { x: pair[0].name.clone(), y: pair[1].name.clone(), grain });
        }
        asks.push(Ask::Ratio { above: Measure::sum(&pair[0].name), below: Measure::sum(&pair[1].name) });
    }
    let question = |(at, ask): (usize, Ask)| Question {
        id: format!("{}-{at}", table.reading.name),
        table: table.reading.name.clone(),
        ask,
        filters: Vec::new(),
        period: None,
    };
    asks.into_iter().enumerate().map(question).collect()
}
