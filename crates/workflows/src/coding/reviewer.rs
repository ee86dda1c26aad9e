//! A review by an agent, as an act. It gets a checkout of the reviewed tree that is thrown away: whatever it does there
//! reaches nothing, and if it changed a file of it what it says does not count.

use std::collections::BTreeSet;

use async_trait::async_trait;
use baton_agents::hash::sha256_hex;
use baton_engine::{Act, AfterCrash, Call, Failure, Paid, Perform, Retry, Spend};
use serde::{Deserialize, Serialize};

use super::gate::clear;
use super::opinion::{self, Opinion};
use super::{Agents, TurnEnd, TurnRequest};
use crate::git::{GitError, Workshop};

/// Has an agent review a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReview {
    /// What is asked. Its worktree is made for this review.
    pub request: TurnRequest,
    /// The tree.
    pub tree: String,
    /// Files that were changed; those that are gone can be spoken of too.
    pub changed: Vec<String>,
    /// The most it may cost, reserved before it begins.
    #[serde(default)]
    pub micro_usd: u64,
}

impl Act for RunReview {
    const KIND: &'static str = "review";
    type Out = Opinion;

    /// It changes nothing, and may have been paid for.
    fn after_crash(&self) -> AfterCrash {
        AfterCrash::OnceMore
    }

    fn reserve(&self) -> Spend {
        Spend { micro_usd: self.micro_usd, ..Spend::NONE }
    }

    /// A review that failed is a result: it weakens the verdict.
    fn retry(&self) -> Retry {
        Retry::NEVER
    }

    fn is_reusable(&self) -> bool {
        false
    }
}

impl Agents {
    async fn review(&self, act: RunReview, place: &str) -> Result<Opinion, GitError> {
        let workshop = Workshop::new(&self.processes.alone(), act.request.workshop.clone());
        let folder = workshop.scratch(place);
        clear(&folder)?;
        let tree = folder.join("tree");
        std::fs::create_dir_all(&tree)
            .map_err(|error| GitError::File { what: tree.display().to_string(), error })?;
        let git = workshop.git().with_tree(&tree, &folder.join("index"));
        git.bytes(&["read-tree", "--reset", "-u", &act.tree]).await?;
        let listed = git.bytes(&["ls-files", "-z"]).await?;
        let listed = String::from_utf8_lossy(&listed);
        let known: BTreeSet<String> = listed.split('\0').map(str::to_owned).chain(act.changed).collect();
        let mut request = act.request;
        // What it needs on the side stands beside the tree, and that alone may be written.
        request.confinement.writable = vec![workshop.scratch(&request.effort)];
        request.worktree = tree;
        let by = request.agent.name.clone();
        let turned = self.turn(&request).await;
        git.bytes(&["add", "--all", "--", "."]).await?;
        let after = git.line(&["write-tree"]).await?;
        clear(&folder)?;
        let (findings, doubt) = match &turned.end {
            _ if after != act.tree => {
                let why = "it changed files, which a reviewer may not; they were thrown away, and what it said \
                           does not count";
                (Vec::new(), Some(why.to_owned()))
            }
            TurnEnd::Completed { words } => opinion::read(words, &by, &known),
            end => (Vec::new(), Some(format!("it {}", end.told()))),
        };
        Ok(Opinion { by, tree: act.tree, findings, doubt, cost: turned.cost })
    }
}

#[async_trait]
impl Perform<RunReview> for Agents {
    async fn perform(&self, act: RunReview, call: &Call) -> Result<Paid<Opinion>, Failure> {
        let reserved = act.micro_usd;
        let place = sha256_hex(format!("{}/{}", call.run, call.key).as_bytes());
        let opinion = self.review(act, &format!("review-{}", place.get(..16).unwrap_or(&place))).await?;
        let spend = opinion.cost.charged(reserved);
        Ok(Paid { out: opinion, spend })
    }
}
