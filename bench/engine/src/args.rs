//! What was typed.

use std::path::PathBuf;

use crate::figures::NAMES;

/// How the benchmark is to be run.
#[derive(Debug, PartialEq, Eq)]
pub struct Args {
    /// One JSON object instead of text.
    pub json: bool,
    /// Where the databases are made; the system's folder for temporary files if none is named.
    pub dir: Option<PathBuf>,
    /// The program whose `runs` is measured; looked for beside this one if none is named.
    pub baton: Option<PathBuf>,
    /// The seed of everything random.
    pub seed: u64,
    /// The figures; all of them if none is named.
    pub figures: Vec<String>,
}

/// How it is called.
pub const USAGE: &str =
    "usage: baton-bench-engine [--json] [--dir DIR] [--baton PROGRAM] [--seed N] [FIGURE...]
figures: sequential concurrent bytes reopen list memory kill home (all of them if none is named)";

/// Reads the command line.
pub fn parse(typed: impl IntoIterator<Item = String>) -> Result<Args, String> {
    let mut typed = typed.into_iter();
    let mut args = Args { json: false, dir: None, baton: None, seed: 1, figures: Vec::new() };
    while let Some(word) = typed.next() {
        let mut value = |name: &str| typed.next().ok_or_else(|| format!("{name} needs a value\n{USAGE}"));
        match word.as_str() {
            "--json" => args.json = true,
            "--dir" => args.dir = Some(value("--dir")?.into()),
            "--baton" => args.baton = Some(value("--baton")?.into()),
            "--seed" => {
                args.seed =
                    value("--seed")?.parse().map_err(|_| format!("--seed needs a number\n{USAGE}"))?;
            }
            "--help" | "-h" => return Err(USAGE.to_owned()),
            name if NAMES.contains(&name) => args.figures.push(word),
            other => return Err(format!("there is no figure or option `{other}`\n{USAGE}")),
        }
    }
    if args.figures.is_empty() {
        args.figures = NAMES.iter().map(ToString::to_string).collect();
    }
    Ok(args)
}

#[cfg(test)]
mod tests;
