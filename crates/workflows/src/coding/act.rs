//! A turn as an act: who performs it, what is watched meanwhile, what follows a crash.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_engine::{Act, AfterCrash, Call, Failure, Found, Paid, Perform, Retry, Spend};
use serde::{Deserialize, Serialize};

use super::command::NOTES;
use super::{
    AgentError, AiderAgent, Beside, ClaudeAgent, CodexAgent, CodingAgent, CommandAgent, Cost, PersonAgent,
    Probe, RecipeAgent, Role, TurnEnd, TurnRequest, Turned, Which,
};
use crate::git::{GitError, Workshop, count_size, disk_is_full};
use crate::process::Processes;

/// How often the size of what an agent has written is counted while it works.
const WATCH: Duration = Duration::from_secs(5);

/// One turn of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunTurn {
    /// What is asked.
    pub request: TurnRequest,
    /// The most it may cost, reserved before it begins.
    #[serde(default)]
    pub micro_usd: u64,
}

impl Act for RunTurn {
    const KIND: &'static str = "turn";
    type Out = Turned;

    fn after_crash(&self) -> AfterCrash {
        AfterCrash::Reconcile
    }

    fn reserve(&self) -> Spend {
        Spend { micro_usd: self.micro_usd, ..Spend::NONE }
    }

    /// How a turn ended is a result; whether there is another is the workflow's decision.
    fn retry(&self) -> Retry {
        Retry::NEVER
    }

    fn is_reusable(&self) -> bool {
        false
    }
}

/// The agents of this machine, by kind.
#[derive(Clone)]
pub struct Agents {
    pub(super) processes: Processes,
    kinds: BTreeMap<&'static str, Arc<dyn CodingAgent>>,
}

impl Agents {
    /// Every kind there is. An adapter adds its line here.
    pub fn of_this_machine(processes: &Processes) -> Self {
        let agents = Self { processes: processes.clone(), kinds: BTreeMap::new() };
        let agents = agents
            .with(RecipeAgent::new(processes.clone()))
            .with(CommandAgent::new(processes.clone()))
            .with(PersonAgent::new(processes.clone()))
            .with(ClaudeAgent::new(processes.clone()))
            .with(CodexAgent::new(processes.clone()))
            .with(AiderAgent::new(processes.clone()));
        #[cfg(unix)]
        let agents = agents.with(super::AcpAgent::new(processes.clone()));
        agents
    }

    /// Adds a kind.
    #[must_use]
    pub fn with(mut self, agent: impl CodingAgent + 'static) -> Self {
        self.kinds.insert(agent.kind(), Arc::new(agent));
        self
    }

    /// The words for every kind.
    pub fn kinds(&self) -> Vec<&'static str> {
        self.kinds.keys().copied().collect()
    }

    /// Looks whether an agent can be used here.
    pub async fn probe(&self, spec: &super::AgentSpec) -> Result<Probe, AgentError> {
        self.get(&spec.kind)?.probe(spec).await
    }

    fn get(&self, kind: &str) -> Result<&Arc<dyn CodingAgent>, AgentError> {
        self.kinds.get(kind).ok_or_else(|| AgentError::Unavailable {
            what: format!("the agent `{kind}`"),
            why: format!("there is no such kind; there are {}", self.kinds().join(", ")),
        })
    }

    /// One turn to its end, and what it cost however it ended.
    pub(super) async fn turn(&self, request: &TurnRequest) -> Turned {
        let agent = match self.get(&request.agent.kind) {
            Ok(agent) => agent,
            Err(error) => return Turned::free(TurnEnd::Failed { error }),
        };
        let workshop = Workshop::new(&self.processes.alone(), request.workshop.clone());
        // Who only reads has a checkout of its own.
        if request.role != Role::Review
            && let Err(error) = workshop.restore(&request.effort, &request.tip).await
        {
            let (what, why) = ("its worktree".to_owned(), error.to_string());
            return Turned::free(TurnEnd::Failed { error: AgentError::Unavailable { what, why } });
        }
        let beside = Beside::new(baton_engine::stop_notice());
        let work = async {
            match agent.run_turn(request, &beside).await {
                Ok(end) => end,
                Err(_) if beside.is_stopped() => TurnEnd::Cancelled,
                Err(error) => TurnEnd::Failed { error },
            }
        };
        let end = if request.limits.lines == 0 {
            work.await
        } else {
            tokio::select! {
                biased;
                end = work => end,
                () = self.grows_beyond(request) => TurnEnd::LimitHit { which: Which::Lines },
            }
        };
        let cost = match &end {
            // What could not be started has cost nothing.
            TurnEnd::Failed { error: AgentError::Unavailable { .. } | AgentError::Unconfined { .. } } => {
                Cost::Free
            }
            _ => beside.cost(&request.agent),
        };
        Turned { end, cost }
    }

    /// Returns when the worktree holds more added lines than the turn may write.
    async fn grows_beyond(&self, request: &TurnRequest) {
        let workshop = Workshop::new(&self.processes.alone(), request.workshop.clone());
        // The agent's files are looked at with a copy of the index: it may be using the other.
        let index = workshop.spare_index(&format!("watch-{}", request.effort));
        let mut warned = false;
        loop {
            self.processes.pause(WATCH).await;
            let copied = std::fs::copy(workshop.index(&request.effort), &index);
            let git = workshop.git().with_tree(&request.worktree, &index);
            let counted = async {
                git.bytes(&["add", "--all", "--intent-to-add", "--", "."]).await?;
                git.bytes(&["diff", "--numstat", "-M", "-z", "--no-ext-diff", &request.base]).await
            };
            // What cannot be counted now is counted when the turn is over.
            let (Ok(_), Ok(numstat)) = (copied, counted.await) else { continue };
            let lines = count_size(&numstat, &[]).lines;
            if lines > request.limits.lines {
                return;
            }
            if !warned && request.limits.warn_lines > 0 && lines > request.limits.warn_lines {
                warned = true;
                // A note that cannot be written is in the review that follows.
                let _ =
                    std::fs::write(workshop.scratch(&request.effort).join(NOTES), too_much(request, lines));
            }
        }
    }
}

/// What an agent is told that has written much.
fn too_much(request: &TurnRequest, lines: u64) -> String {
    format!(
        "You have added {lines} lines, more than the {} this effort should have. Come to an end: at {} lines the turn is \
         stopped, and what is too large is cut into parts.\n",
        request.limits.warn_lines, request.limits.lines
    )
}

#[async_trait]
impl Perform<RunTurn> for Agents {
    async fn perform(&self, act: RunTurn, _call: &Call) -> Result<Paid<Turned>, Failure> {
        let turned = self.turn(&act.request).await;
        // A full disk is nobody's fault and no try of anybody: the run stops, and goes on when there is room.
        if let TurnEnd::Failed { error } = &turned.end
            && disk_is_full(&error.to_string())
        {
            return Err(GitError::Full { what: format!("the worktree of {}", act.request.effort) }.into());
        }
        let spend = turned.cost.charged(act.micro_usd);
        Ok(Paid { out: turned, spend })
    }

    async fn reconcile(&self, act: RunTurn, _call: &Call) -> Found<Turned> {
        let request = &act.request;
        match self.get(&request.agent.kind) {
            Ok(agent) if !agent.starts_over() => {}
            _ => return Found::Absent,
        }
        // Nothing is left of a turn whose worktree is gone; it is made again when the turn is.
        if !request.worktree.exists() {
            return Found::Absent;
        }
        let git = Workshop::new(&self.processes.alone(), request.workshop.clone()).git_of(&request.effort);
        let changed = async {
            let changed = git.bytes(&["diff-files", "--name-only", "-z"]).await?;
            let new = git.bytes(&["ls-files", "--others", "--exclude-standard", "-z"]).await?;
            Ok::<_, GitError>(!changed.is_empty() || !new.is_empty())
        };
        match changed.await {
            Ok(true) => {
                let cost = Beside::alone().cost(&request.agent);
                let spend = cost.charged(act.micro_usd);
                Found::Happened(Paid { out: Turned { end: TurnEnd::CutShort, cost }, spend })
            }
            Ok(false) => Found::Absent,
            Err(error) => Found::Unclear(error.to_string()),
        }
    }
}
