//! Git, agents and gates as the crash test sees them: nothing is touched, and what each gives depends on its input alone,
//! never on the time.

use async_trait::async_trait;
use baton_agents::hash::sha256_hex;
use baton_engine::{Act, Call, Effects, Failure, Found, Paid, Perform};

use super::gate::GateEnd;
use super::order::SplitPart;
use super::{Cost, GateResult, Opinion, RunGate, RunReview, RunTurn, TurnEnd, Turned};
use crate::git::{
    Advance, Candidate, CutParts, Deliver, Delivered, Diff, Keep, Measure, Merged, MixTree, Mixed,
    OpenWorkshop, Provision, Provisioned, ReadDiff, ReadTree, Reconcile, Reconciled, Size, Snapped, Snapshot,
    Standing, Tidied, Tidy, TreeRead,
};

/// A commit or tree that follows from words.
pub(crate) fn made_of(words: &str) -> String {
    sha256_hex(words.as_bytes()).chars().take(40).collect()
}

/// Performers of every act a build names.
pub(crate) fn effects() -> Effects {
    Effects::default()
        .with::<OpenWorkshop>(Pretended)
        .with::<Provision>(Pretended)
        .with::<Snapshot>(Pretended)
        .with::<Measure>(Pretended)
        .with::<ReadDiff>(Pretended)
        .with::<Candidate>(Pretended)
        .with::<Advance>(Pretended)
        .with::<Keep>(Pretended)
        .with::<ReadTree>(Pretended)
        .with::<MixTree>(Pretended)
        .with::<Tidy>(Pretended)
        .with::<Reconcile>(Pretended)
        .with::<CutParts>(Pretended)
        .with::<Deliver>(Pretended)
        .with::<RunTurn>(Pretended)
        .with::<RunReview>(Pretended)
        .with::<RunGate>(Pretended)
}

struct Pretended;

/// What an act would have given.
trait Pretend: Act {
    fn pretend(self) -> Self::Out;
}

#[async_trait]
impl<A: Pretend> Perform<A> for Pretended {
    async fn perform(&self, act: A, _call: &Call) -> Result<Paid<A::Out>, Failure> {
        Ok(Paid::free(act.pretend()))
    }

    async fn reconcile(&self, act: A, _call: &Call) -> Found<A::Out> {
        Found::Happened(Paid::free(act.pretend()))
    }
}

impl Pretend for OpenWorkshop {
    fn pretend(self) -> String {
        self.base
    }
}

impl Pretend for Provision {
    fn pretend(self) -> Provisioned {
        Provisioned { worktree: self.workshop.join(self.effort), tip: self.base }
    }
}

impl Pretend for Snapshot {
    fn pretend(self) -> Snapped {
        let tip = made_of(&format!("{}/{}", self.effort, self.old));
        let tree = made_of(&tip);
        Snapped { tip, tree, changed: true, ..Snapped::default() }
    }
}

impl Pretend for Measure {
    fn pretend(self) -> Size {
        Size { lines: 12, files: Vec::new() }
    }
}

impl Pretend for ReadDiff {
    fn pretend(self) -> Diff {
        Diff::default()
    }
}

impl Pretend for Candidate {
    fn pretend(self) -> Merged {
        let commit = made_of(&format!("{}+{}", self.onto, self.tip));
        Merged::Clean { tree: made_of(&commit), commit }
    }
}

impl Pretend for Advance {
    fn pretend(self) -> String {
        self.new
    }
}

impl Pretend for Keep {
    fn pretend(self) -> Vec<String> {
        self.what.into_iter().map(|(name, _)| format!("refs/baton/{}/{name}", self.under)).collect()
    }
}

impl Pretend for ReadTree {
    /// A commit named by what it lacks lacks it.
    fn pretend(self) -> TreeRead {
        TreeRead { tree: made_of(&self.commit), files: 1, missing: Vec::new(), absent: Vec::new() }
    }
}

impl Pretend for MixTree {
    fn pretend(self) -> Mixed {
        Mixed { tree: made_of(&self.tip), restored: Vec::new() }
    }
}

impl Pretend for Tidy {
    fn pretend(self) -> Tidied {
        Tidied { removed: self.efforts.into_iter().map(|(effort, _)| effort).collect(), kept: Vec::new() }
    }
}

impl Pretend for Reconcile {
    fn pretend(self) -> Reconciled {
        let efforts = self.efforts.into_iter().map(|(effort, ..)| (effort, Standing::Sound)).collect();
        Reconciled { efforts, strangers: Vec::new() }
    }
}

impl Pretend for CutParts {
    fn pretend(self) -> Vec<SplitPart> {
        Vec::new()
    }
}

impl Pretend for Deliver {
    /// A branch is named after its run, and one that went off from another has another name.
    fn pretend(self) -> Delivered {
        Delivered { at: self.title, see: String::new() }
    }
}

impl Pretend for RunTurn {
    fn pretend(self) -> Turned {
        Turned::free(TurnEnd::Completed { words: format!("{} is done", self.request.effort) })
    }
}

impl Pretend for RunReview {
    fn pretend(self) -> Opinion {
        let (by, tree, findings) = (self.request.agent.name, self.tree, Vec::new());
        Opinion { by, tree, findings, health: None, doubt: None, cost: Cost::Free }
    }
}

impl Pretend for RunGate {
    /// A gate that says `fails on TREE` fails there.
    fn pretend(self) -> GateResult {
        let fails = self.gate.run.contains(&format!("fails on {}", self.tree));
        let end = if fails { GateEnd::Failed(Some(1)) } else { GateEnd::Passed };
        GateResult { name: self.gate.name, tree: self.tree, end, output: String::new(), cached: false }
    }
}
