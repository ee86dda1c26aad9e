//! What a soak did and found, in one line for a person.

use std::collections::BTreeMap;
use std::fmt;

use super::life::Lived;

#[derive(Default)]
pub struct Tally {
    pub lives: Vec<Lived>,
    pub kills: u32,
    /// Kills within a second of a resume.
    pub early: u32,
    pub resumes: u32,
    /// What became of the runs.
    pub ends: BTreeMap<String, usize>,
    /// What the servers saw, by server.
    pub calls: BTreeMap<&'static str, usize>,
    /// What the model server did wrong, by kind.
    pub faults: BTreeMap<String, usize>,
    pub intents: usize,
    pub unknown: usize,
    pub findings: Vec<String>,
}

impl Tally {
    pub fn add(&mut self, mut lived: Lived) {
        self.kills += lived.kills;
        self.early += lived.early;
        self.resumes += lived.resumes;
        self.findings.append(&mut lived.findings);
        self.lives.push(lived);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed =
            |f: &mut fmt::Formatter<'_>, title: &str, counts: &mut dyn Iterator<Item = (String, usize)>| {
                let counts: Vec<String> = counts.map(|(name, count)| format!("{count} {name}")).collect();
                write!(f, "; {title}: {}", counts.join(", "))
            };
        let Self { lives, kills, early, resumes, intents, unknown, findings, .. } = self;
        write!(
            f,
            "{} runs, {kills} kills, {early} of them within a second of a resume, {resumes} resumes",
            lives.len()
        )?;
        listed(f, "ends", &mut self.ends.iter().map(|(end, count)| (end.clone(), *count)))?;
        listed(f, "calls", &mut self.calls.iter().map(|(who, count)| ((*who).to_owned(), *count)))?;
        listed(f, "faults", &mut self.faults.iter().map(|(fault, count)| (fault.clone(), *count)))?;
        write!(f, "; {intents} intents, {unknown} unknown, {} findings", findings.len())
    }
}
