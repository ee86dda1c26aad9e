//! A build of many small efforts in one wave, driven as the program drives it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use baton_engine::driver::unwrap;
use baton_engine::family::drive_tree;
use baton_engine::record::Body;
use baton_engine::{Catalogue, Drive, Engine, Runs as _, Settings, flow};
use baton_machine::Workflow as _;
use baton_workflows::effort::Effort;
use baton_workflows::factory::plan::read;
use baton_workflows::factory::{Event, Factory, Order};
use baton_workflows::git::Delivery;
use baton_workflows::process::Processes;

use crate::Failure;

/// A finished build, and how long its wave was merged for.
pub struct Built {
    pub store: PathBuf,
    pub base: String,
    /// The commits that were merged, in their order.
    pub tips: Vec<String>,
    pub merging: Duration,
}

/// A repository of one file.
pub fn repository(folder: &Path) -> Result<String, Failure> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("a.txt"), "one\n")?;
    let who = ["-c", "user.name=Bench", "-c", "user.email=bench@localhost", "-c", "init.defaultBranch=main"];
    for args in [&["init", "-q"][..], &["add", "-A"], &["commit", "-qm", "first"]] {
        let done = Command::new("git").current_dir(folder).args(who).args(args).status()?;
        if !done.success() {
            return Err(format!("git {args:?} failed").into());
        }
    }
    let head = Command::new("git").current_dir(folder).args(["rev-parse", "HEAD"]).output()?;
    Ok(String::from_utf8_lossy(&head.stdout).trim().to_owned())
}

fn plan(efforts: usize) -> String {
    let mut text = "title = \"Many\"\n[policy]\nparallel = 8\n[[phase]]\nname = \"p\"\n".to_owned();
    for number in 0..efforts {
        text.push_str(&format!(
            "[[phase.effort]]\nid = \"e{number}\"\npaths = [\"e{number}.txt\"]\n\
             work = [{{ write = \"e{number}.txt\", content = \"{number}\\n\" }}]\n"
        ));
    }
    text
}

/// Builds, and reads from the journal how long the merges took.
pub async fn build(folder: &Path, efforts: usize) -> Result<Built, Failure> {
    let base = repository(&folder.join("repo"))?;
    let plan = read(&plan(efforts), folder, &["recipe"]).map_err(|wrong| format!("{wrong:?}"))?;
    let order = Order {
        plan,
        file: String::new(),
        repo: folder.join("repo/.git").display().to_string(),
        branch: "main".to_owned(),
        base: base.clone(),
        workshops: folder.join("workshops").display().to_string(),
        deliver: Delivery::Branch,
        folder: String::new(),
        yes: true,
        committer: Default::default(),
        judge: None,
        architect: None,
        plan_hash: String::new(),
    };
    let processes = Processes::default();
    let crew = Catalogue::default().with::<Factory>().with::<Effort>();
    let effects = baton_workflows::effects(&processes).with_crew(Arc::new(crew));
    let engine = Engine::open(&folder.join("home"), effects)?;
    let run = engine.start::<Factory>(&order, Settings::default())?;
    drive_tree(&engine, flow::<Factory>().as_ref(), &run, Drive::default(), &mut |_, _, _| {}).await?;
    let (mut began, mut ended, mut tips) = (None, None, Vec::new());
    let mut memory = Factory::begin(&order);
    for chained in engine.records(&run, 1)? {
        let record = chained.open()?;
        let Body::Event(happened) = &record.body else { continue };
        let event: Event = serde_json::from_value(unwrap(&happened.event, engine.vault())?)?;
        Factory::learn(&mut memory, &event);
        match event {
            Event::AllComplete => began = Some(record.at),
            Event::EffortMerged { merged } => {
                ended = Some(record.at);
                tips.extend(memory.efforts.get(&merged.effort).map(|effort| effort.tip.clone()));
            }
            _ => {}
        }
    }
    let (began, ended) = (began.ok_or("it was not merged")?, ended.ok_or("nothing was merged")?);
    if tips.len() != efforts {
        return Err(format!("{} of {efforts} were merged", tips.len()).into());
    }
    let store = folder.join("workshops").join(run.to_string()).join("repo.git");
    Ok(Built { store, base, tips, merging: Duration::from_millis(ended.0 - began.0) })
}
