//! What the debate file does not hold: the problem, the configuration, and what was typed over the file.

use std::path::Path;

use baton_agents::config::Config;

/// What a setup is made of beside its file.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The problem.
    pub problem: &'a str,
    /// The folder paths of the file are meant from.
    pub folder: &'a Path,
    /// Models and roles.
    pub config: &'a Config,
    /// Only agents with one of these roles or ids; without any in the file, these make the panel.
    pub agents: Option<&'a [String]>,
    /// The most rounds.
    pub rounds: Option<u32>,
    /// Whether agents may ask questions whatever the file says.
    pub clarify: bool,
    /// The folder agents may look into.
    pub context: Option<&'a Path>,
}
