//! Looking at the file a plan was read from, while its build goes on.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use baton_agents::hash::sha256_hex;
use baton_agents::read::bounded;
use baton_engine::{Act, AfterCrash, Call, Failure, Paid, Perform};
use serde::{Deserialize, Serialize};

use super::{Plan, read};

/// Reads the file of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadPlan {
    /// The file.
    pub file: PathBuf,
}

/// What stands in it now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRead {
    /// Names this content.
    pub hash: String,
    /// The plan, or what is wrong with it.
    pub plan: Result<Plan, String>,
}

impl Act for ReadPlan {
    const KIND: &'static str = "read_plan";
    type Out = PlanRead;

    fn after_crash(&self) -> AfterCrash {
        AfterCrash::Retry
    }
}

/// Reads plans on this machine.
#[derive(Clone)]
pub struct PlanFiles {
    kinds: Vec<&'static str>,
}

impl PlanFiles {
    /// Reads plans whose agents are of these kinds.
    pub fn new(kinds: Vec<&'static str>) -> Self {
        Self { kinds }
    }
}

/// The name of a plan's content: two plans that mean the same have the same.
pub fn hash(plan: &Plan) -> String {
    sha256_hex(serde_json::to_string(plan).unwrap_or_default().as_bytes())
}

#[async_trait]
impl Perform<ReadPlan> for PlanFiles {
    /// A file that cannot be read any more is something to be told, and no failure of the build.
    async fn perform(&self, act: ReadPlan, _call: &Call) -> Result<Paid<PlanRead>, Failure> {
        let folder = act.file.parent().unwrap_or(Path::new(""));
        let read = match bounded::text(&act.file, bounded::WRITTEN) {
            Err(refusal) => {
                let why = format!("it cannot be read: {}", std::io::Error::from(refusal));
                PlanRead { hash: sha256_hex(why.as_bytes()), plan: Err(why) }
            }
            Ok(text) => match read(&text, folder, &self.kinds) {
                Ok(plan) => PlanRead { hash: hash(&plan), plan: Ok(plan) },
                Err(mistakes) => {
                    let told: Vec<String> = mistakes.iter().take(5).map(ToString::to_string).collect();
                    let hash = sha256_hex(text.as_bytes());
                    PlanRead { hash, plan: Err(format!("it has mistakes: {}", told.join("; "))) }
                }
            },
        };
        Ok(Paid::free(read))
    }
}
