//! The architect's eyes: what of an acceptance list is not there in a commit.

use std::collections::BTreeMap;

use baton_engine::{Cx, Fault};

use super::merging::gate_all;
use super::workshop;
use crate::coding::order::Acceptance;
use crate::factory::Factory;
use crate::git::{ReadTree, TreeRead};

/// What was asked for and what was found.
pub struct Seen {
    pub tree: TreeRead,
    /// Files and words that are not there.
    pub missing: Vec<String>,
    /// Commands that do not succeed, with what they said.
    pub failing: Vec<String>,
    /// How much was asked for.
    pub asked: usize,
}

/// Looks at a commit. Commands are run on its tree, files and words are looked up.
pub async fn look(cx: &Cx<Factory>, name: &str, commit: &str, wanted: &[Acceptance]) -> Result<Seen, Fault> {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for acceptance in wanted {
        for file in &acceptance.files {
            files.entry(file.clone()).or_default();
        }
        for symbol in &acceptance.symbols {
            files.entry(symbol.path.clone()).or_default().push(symbol.words.clone());
        }
    }
    let commands: Vec<_> = wanted.iter().flat_map(|acceptance| acceptance.commands.clone()).collect();
    let asked = wanted.iter().map(|it| it.files.len() + it.symbols.len() + it.commands.len()).sum();
    let act =
        ReadTree { workshop: workshop(cx), commit: commit.to_owned(), wanted: files.into_iter().collect() };
    let tree = cx.step(format!("{name}-tree"), &act).await?;
    let mut failing = Vec::new();
    for (number, command) in commands.iter().enumerate() {
        let said =
            gate_all(cx, &format!("{name}-command-{number}"), &tree.tree, std::slice::from_ref(command))
                .await?;
        failing.extend(said.iter().filter(|said| !said.passed()).map(|said| said.told()));
    }
    let missing = tree.missing.iter().map(|file| format!("{file} is not there"));
    let missing =
        missing.chain(tree.absent.iter().map(|words| format!("does not stand in {words}"))).collect();
    Ok(Seen { tree, missing, failing, asked })
}
