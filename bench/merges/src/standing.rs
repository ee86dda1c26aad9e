//! The look of a build at what is there when it is taken up again: branches, worktrees, and whether each is clean.

use std::path::Path;

use baton_engine::{Call, Perform};
use baton_workflows::git::{Hand, OpenWorkshop, Provision, Reconcile, Standing};
use baton_workflows::process::Processes;

use crate::build::repository;
use crate::{Failure, now};

/// Milliseconds of each of three looks at so many efforts, all of them sound; the first finds nothing in memory of the disk.
pub async fn look(folder: &Path, efforts: usize) -> Result<Vec<u128>, Failure> {
    let base = repository(&folder.join("standing"))?;
    let (hand, workshop) = (Hand::new(&Processes::default()), folder.join("shop"));
    let repo = folder.join("standing/.git");
    perform(&hand, OpenWorkshop { workshop: workshop.clone(), repo, base: base.clone() }).await?;
    let mut wanted = Vec::new();
    for number in 0..efforts {
        let (effort, branch) = (format!("e{number}"), format!("wave-1-1-e{number}"));
        wanted.push((effort.clone(), branch.clone(), base.clone()));
        let (workshop, base) = (workshop.clone(), base.clone());
        perform(&hand, Provision { workshop, effort, branch, base, attempt: 1 }).await?;
    }
    let mut took = Vec::new();
    for _ in 0..3 {
        let began = now();
        let act = Reconcile { workshop: workshop.clone(), efforts: wanted.clone() };
        let found = perform(&hand, act).await?;
        took.push(began.elapsed().as_millis());
        if !found.efforts.iter().all(|(_, standing)| *standing == Standing::Sound) {
            return Err("an effort is not sound".into());
        }
    }
    Ok(took)
}

/// Performs an act outside any run.
async fn perform<A>(hand: &Hand, act: A) -> Result<A::Out, Failure>
where
    A: baton_engine::Act,
    Hand: Perform<A>,
{
    let call = Call {
        run: "bnch2bnch2".parse()?,
        key: "1/bench".parse()?,
        attempt: 1,
        kind: A::KIND.to_owned(),
        input: serde_json::Value::Null,
    };
    let paid = hand.perform(act, &call).await.map_err(|failure| failure.text)?;
    Ok(paid.out)
}
