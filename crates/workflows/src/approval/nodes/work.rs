//! WORKING: runs the stage's commands at once; those that succeeded in an earlier visit stay done.

use baton_engine::{Cx, Fault};
use futures::future::try_join_all;

use crate::approval::{Approval, Command, Event, Finished};

pub async fn run(cx: Cx<Approval>) -> Result<Event, Fault> {
    let (stage, commands) = cx.read(|memory| {
        let todo = |command: &&Command| !memory.result(memory.stage, &command.name).is_some_and(Finished::ok);
        let commands = memory.present().map(|stage| stage.commands.iter().filter(todo).cloned().collect());
        (memory.stage, commands.unwrap_or_else(Vec::new))
    });
    let results = try_join_all(commands.iter().map(|command| one(&cx, stage, command))).await?;
    Ok(if results.iter().all(|ok| *ok) { Event::StageDone } else { Event::StageFailed })
}

/// Runs one command and reports it at once, so that a crash does not lose what came before.
async fn one(cx: &Cx<Approval>, stage: usize, command: &Command) -> Result<bool, Fault> {
    let done = cx.step(command.name.as_str(), &command.act()).await?;
    let result = Finished { stage, name: command.name.clone(), code: done.code, output: done.output };
    let ok = result.ok();
    cx.emit(Event::CommandFinished { result }).await?;
    Ok(ok)
}
