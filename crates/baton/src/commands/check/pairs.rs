//! Pairs of quotes and a sentence, one on each line, and a line of judgement for each: for measuring the gate.

use std::path::{Path, PathBuf};

use baton_agents::evidence::carries;
use baton_agents::read::bounded;
use serde::{Deserialize, Serialize};

use crate::exit::Exit;
use crate::program::Program;
use crate::text::count;
use crate::trouble::Trouble;

/// The most a file of pairs may hold.
const MOST_BYTES: u64 = 64 << 20;

/// What a line must have; it may have more.
#[derive(Deserialize)]
struct Pair {
    quotes: Vec<String>,
    sentence: String,
}

#[derive(Serialize)]
struct Judged {
    carried: bool,
    why: String,
}

/// Judges. Every line that is not blank gets a line, so that input and output can be laid side by side: one that is no
/// pair is named there and on stderr, and counts as not carried.
pub fn run(program: &Program, file: &str) -> Result<Exit, Trouble> {
    let bytes = read(file)?;
    let mut judged = Vec::new();
    let mut wrong = 0;
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<Pair>(line) {
            Ok(pair) => judged.push(judge(&pair)),
            Err(error) => {
                let why = format!("line {number} is no pair: {}", without_place(&error));
                program.out.note(&why);
                judged.push(Judged { carried: false, why });
                wrong += 1;
            }
        }
    }
    if program.out.is_json() {
        let mut array = program.out.array()?;
        judged.iter().try_for_each(|one| array.item(one))?;
        array.end()?;
    } else {
        let lines: Result<String, _> =
            judged.iter().map(|one| Ok(serde_json::to_string(one)? + "\n")).collect();
        program.out.exact(&lines.map_err(|error: serde_json::Error| Trouble::Print(error.into()))?)?;
    }
    if wrong > 0 {
        program.out.note(format!("{} judged, {wrong} not", count(judged.len() - wrong, "pair")));
        return Ok(Exit::Usage);
    }
    Ok(Exit::Done)
}

fn judge(pair: &Pair) -> Judged {
    let quotes: Vec<&str> = pair.quotes.iter().map(String::as_str).collect();
    match carries(&pair.sentence, &quotes) {
        Ok(()) => Judged { carried: true, why: String::new() },
        Err(why) => Judged { carried: false, why },
    }
}

/// What a parser says, without its own line, which is always the first.
fn without_place(error: &serde_json::Error) -> String {
    let said = error.to_string();
    said.split(" at line 1").next().unwrap_or(&said).to_owned()
}

fn read(file: &str) -> Result<Vec<u8>, Trouble> {
    let read = if file == "-" {
        bounded::stream(std::io::stdin().lock(), MOST_BYTES)
    } else {
        bounded::bytes(Path::new(file), MOST_BYTES)
    };
    let path = PathBuf::from(file);
    read.map_err(|refusal| Trouble::Order {
        what: format!("{} cannot be read: {}", path.display(), std::io::Error::from(refusal)),
        next: "Name a file of lines {\"quotes\": [...], \"sentence\": \"...\"}".to_owned(),
    })
}
