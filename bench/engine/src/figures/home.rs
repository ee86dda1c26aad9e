//! How long it takes to look at a home of a million records: ten thousand runs, one of them with 300,000 records.
//!
//! The home is made by driving real runs of a workflow that the program knows. Every command is a process of its own, and
//! the same commands are measured on a home of ten runs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use baton_engine::RunId;

use super::{Found, Setting, clear};
use crate::BenchError;
use crate::chains::{Chains, Size};
use crate::probe::Stopwatch;
use crate::report::{Line, complain};
use crate::rounds::rounds;
use crate::spread::Spread;

const TIMES: usize = 7;
const FEW: Size = Size { runs: 9, longest: 70 };
const MANY: Size = Size { runs: 9_999, longest: 300_000 };
/// No command may take longer than this, in milliseconds.
const LIMIT: f64 = 150.0;

/// The commands, and whether each must answer within the limit.
const COMMANDS: [(&str, bool); 9] = [
    ("runs", true),
    ("show LONGEST", true),
    ("show NEWEST", true),
    ("log LONGEST --tail 20", true),
    ("fork LONGEST at its last state", true),
    ("fork LONGEST in its middle", true),
    ("fork LONGEST at its beginning", true),
    ("gc --plan", true),
    ("--version (starts and ends)", false),
];

pub(super) fn measure(setting: &Setting) -> Result<Found, BenchError> {
    let Some(program) = &setting.baton else {
        return Err(BenchError::Void(
            "build the program beside this one: the figure runs its commands".to_owned(),
        ));
    };
    let folder = setting.folder("home")?;
    let few = Home::make(&folder.join("few"), FEW)?;
    let many = Home::make(&folder.join("many"), MANY)?;
    let measured = rounds("commands", TIMES, |_| {
        let mut found = [0.0; 2 * COMMANDS.len()];
        for number in 0..COMMANDS.len() {
            found[2 * number] = few.time(program, number)?;
            found[2 * number + 1] = many.time(program, number)?;
        }
        Ok(found)
    })?;
    let mut lines = Vec::new();
    for (number, (what, limited)) in COMMANDS.into_iter().enumerate() {
        let spread = |home: usize| Spread::of(&measured.samples[2 * number + home]);
        let line = Line::new(format!("`baton {what}`, a million records"), "ms", spread(1));
        lines.push(if limited { line.under(LIMIT) } else { line });
        lines.push(Line::new(format!("`baton {what}`, {} records", few.records), "ms", spread(0)));
    }
    let notes = vec![
        format!(
            "{} records in {} runs; the longest has {}",
            many.records,
            MANY.runs + 1,
            many.longest_records
        ),
        measured.note,
    ];
    clear(&folder)?;
    Ok(Found { lines, notes })
}

/// A home, its longest run, and points of that.
struct Home {
    path: PathBuf,
    longest: RunId,
    records: u64,
    longest_records: u64,
    middle: u64,
}

impl Home {
    fn make(path: &Path, size: Size) -> Result<Self, BenchError> {
        complain(&format!("making {} runs, the longest of {} records", size.runs + 1, size.longest));
        let chains = Chains::open(path)?;
        let longest = chains.make(size)?;
        Ok(Self {
            path: path.to_owned(),
            records: chains.records()?,
            longest_records: chains.records_of(&longest)?,
            middle: chains.point_near(&longest, size.longest / 2)?,
            longest,
        })
    }

    /// One command from starting its process to its end; milliseconds.
    fn time(&self, program: &Path, number: usize) -> Result<f64, BenchError> {
        let (longest, middle) = (self.longest.as_str(), self.middle.to_string());
        let fork = |at| vec!["fork", longest, "--at", at, "--leave-effects", "--no-drive"];
        let words = match number {
            0 => vec!["runs"],
            1 => vec!["show", longest],
            2 => vec!["show", "last"],
            3 => vec!["log", longest, "--tail", "20"],
            4 => fork("AWAITING_APPROVAL"),
            5 => fork(&middle),
            6 => fork("1"),
            7 => vec!["gc", "--plan"],
            _ => vec!["--version"],
        };
        let mut command = Process::new(program);
        command.args([OsStr::new("--home"), self.path.as_os_str()]).args(&words).stdin(Stdio::null());
        let watch = Stopwatch::start();
        let output = command.output()?;
        let took = watch.millis();
        if output.status.success() {
            return Ok(took);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(BenchError::Void(format!("`baton {}` ended with {}: {said}", words.join(" "), output.status)))
    }
}
