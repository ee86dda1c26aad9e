//! Sentences as analysts write them, over small tables: what the gate lets through and what it does not. A line of
//! `judged.txt` is a question, or a sentence to the questions before it: `+` is faithful, `-` is not.

use std::fmt::Write as _;

use super::support::{order, run, world};
use crate::report::gate::Gate;
use crate::report::{Memory, Order};

/// States in capitals, some of which are words; packs fall while prices rise.
fn packs() -> String {
    let mut table = String::from("state,year,packs,price\n");
    for (at, state) in ["KY", "NH", "IN", "DE", "NC", "OR", "CA", "UT"].iter().enumerate() {
        for year in 1985..=1995 {
            let (late, place) = (year - 1985, i32::try_from(at).unwrap());
            let packs = 180 - 15 * place - late * (3 + place % 2) - (late * place) % 3;
            let price = 100 + late * 8 + 3 * place + (late + place) % 4;
            writeln!(table, "{state},{year},{packs},{price}").unwrap();
        }
    }
    table
}

const FIRMS: &str = "company,country,category,profits,marketvalue
Abel,Norway,Banking,40,9
Bede,Norway,Banking,50,14
Cole,Norway,Oil,30,21
Dora,Sweden,Oil,25,3
Egil,Sweden,Insurance,20,5
Finn,Sweden,Drugs,18,4
Gerd,Denmark,Drugs,12,6
Hans,Denmark,Media,7,2
Ines,Finland,Retail,5,1
Jens,Finland,Banking,42,35
";

async fn memory(home: &std::path::Path, name: &str, table: &str, questions: &[&str]) -> Memory {
    let data = home.join(name);
    std::fs::write(&data, table).unwrap();
    let asked: String = questions.iter().map(|question| format!("- {question}\n")).collect();
    let order = Order { data: vec![data], docs: Vec::new(), ..order(&asked) };
    run(home, world(home), &order).await.1
}

#[tokio::test]
async fn sentences_of_analysts_are_judged_by_their_figures() {
    let mut wrong = Vec::new();
    let packs = packs();
    for (name, table, cases) in [
        ("packs.csv", packs.as_str(), include_str!("judged_packs.txt")),
        ("firms.csv", FIRMS, include_str!("judged_firms.txt")),
    ] {
        let lines: Vec<&str> = cases.lines().filter(|line| !line.is_empty()).collect();
        let questions: Vec<&str> = lines.iter().copied().filter(|line| line.ends_with('?')).collect();
        let home = tempfile::tempdir().unwrap();
        let memory = memory(home.path(), name, table, &questions).await;
        let mut labels: Vec<String> = Vec::new();
        for line in &lines {
            let Some((mark, text)) = line.split_once(' ').filter(|(mark, _)| ["+", "-"].contains(mark))
            else {
                let own = memory
                    .results
                    .values()
                    .filter(|result| result.question.trim_end_matches('?') == line.trim_end_matches('?'));
                labels = own.flat_map(|result| result.figures()).map(|figure| figure.id.clone()).collect();
                assert!(
                    !labels.is_empty(),
                    "{line}: {:#?}",
                    memory.results.values().map(|it| &it.question).collect::<Vec<_>>()
                );
                continue;
            };
            let facts = memory.numbered();
            let mut gate = Gate::new(&memory, &facts);
            let passed = gate.pass(text, &labels).is_some();
            if passed != (mark == "+") {
                wrong.push(format!("{line} {:?}", gate.dropped().first().map(|it| it.why.clone())));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
