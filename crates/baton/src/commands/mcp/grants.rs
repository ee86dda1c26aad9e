//! What the person who started the server grants the assistant. Whatever is not granted is refused, with what the
//! person could type to grant it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use baton_agents::search::web::Kind;
use baton_workflows::profile::Stakes;

use crate::catalogue::stakes;
use crate::program::Program;
use crate::trouble::Trouble;

use super::Args;

/// What an assistant may do, and the runs it has started here.
pub struct Grants {
    /// Workflows it may start with an input of its own.
    pub start: Vec<String>,
    /// Folders below which every path must lie; resolved.
    pub roots: Vec<PathBuf>,
    /// Places beyond this machine that the person has set up.
    pub places: Vec<String>,
    answer: Vec<String>,
    approve: bool,
    /// Kept in memory: a run that another process started is not this assistant's, whoever it was.
    started: Mutex<BTreeSet<String>>,
}

impl Grants {
    /// What was typed, checked.
    pub fn of(program: &Program, args: &Args) -> Result<Self, Trouble> {
        for name in args.allow.iter().chain(&args.answer) {
            program.flow(name)?;
        }
        let config = &program.config.agents;
        let feeds = config.search.values().any(|card| card.kind == Kind::Feed).then(|| "feeds".to_owned());
        let places = config.search.keys().chain(config.mcp.keys()).cloned().chain(feeds);
        Ok(Self {
            start: args.allow.clone(),
            roots: args.root.iter().map(|folder| root(folder)).collect::<Result<_, _>>()?,
            places: places.collect(),
            answer: args.answer.clone(),
            approve: args.may_approve,
            started: Mutex::default(),
        })
    }

    /// Remembers a run that was started here.
    pub fn began(&self, run: &str) {
        self.started.lock().unwrap_or_else(PoisonError::into_inner).insert(run.to_owned());
    }

    /// Whether the assistant may answer this question; if not, why, in words that end in no full stop.
    pub fn may_answer(&self, run: &str, workflow: &str, name: &str) -> Result<(), String> {
        if !self.started.lock().unwrap_or_else(PoisonError::into_inner).contains(run) {
            return Err(format!("run {run} was not started by you through this server"));
        }
        if !self.answer.iter().any(|allowed| allowed == workflow) {
            return Err(format!(
                "questions of {workflow} are the person's, unless they start `baton mcp` with --answer {workflow}"
            ));
        }
        if stakes(workflow, name) == Stakes::Approval && !self.approve {
            return Err(
                "it asks for an approval, and the person did not start `baton mcp` with --may-approve"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// The path as it is after dots and links, if it lies below a root. Whether others exist is not told.
    pub fn inside(&self, argument: &str, path: &str) -> Result<String, String> {
        let roots: Vec<String> = self.roots.iter().map(|root| root.display().to_string()).collect();
        if roots.is_empty() {
            return Err(format!(
                "`{argument}` was refused: this server was given no folder. Nothing was done; the person can start \
                 it as `baton mcp --root FOLDER`"
            ));
        }
        let real = std::fs::canonicalize(path).ok();
        let below = real.filter(|real| self.roots.iter().any(|root| real.starts_with(root)));
        below.and_then(|real| real.to_str().map(str::to_owned)).ok_or_else(|| {
            format!(
                "`{argument}` was refused: there is no `{path}` below a folder this server was given ({}). Nothing \
                 was done; the person can give it another with `baton mcp --root FOLDER`",
                roots.join(", ")
            )
        })
    }

    /// The name of a place beyond this machine, if the person has set it up.
    pub fn place(&self, name: &str) -> Result<String, String> {
        if self.places.iter().any(|known| known == name) {
            return Ok(name.to_owned());
        }
        Err(format!(
            "`sources` was refused: baton.toml sets up no `{name}`. Nothing was sent; the person can write a section \
             [search.{name}] into it (docs/providers.md)"
        ))
    }
}

fn root(folder: &Path) -> Result<PathBuf, Trouble> {
    let wrong = |why| Trouble::File { what: "use --root", path: folder.to_owned(), why };
    let real = std::fs::canonicalize(folder).map_err(wrong)?;
    if real.is_dir() { Ok(real) } else { Err(wrong(std::io::ErrorKind::NotADirectory.into())) }
}

#[cfg(test)]
pub mod tests;
