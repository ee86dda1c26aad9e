//! AWAITING_REPAIR: a command failed; asks a person what now.

use baton_engine::{Cx, Fault, Question};

use crate::approval::{Approval, Event, Finished};

pub async fn run(cx: Cx<Approval>) -> Result<Event, Fault> {
    let question = cx.read(|memory| {
        let failed: Vec<String> = memory
            .results
            .values()
            .filter(|result| result.stage == memory.stage && !result.ok())
            .map(|result: &Finished| {
                let code = result.code.map_or("a signal".to_owned(), |code| format!("code {code}"));
                format!("`{}` ended with {code}", result.name)
            })
            .collect();
        let name = memory.present().map_or("the stage", |stage| stage.name.as_str());
        let text = format!(
            "In `{name}` {}. Try the failed commands again, skip the stage, or stop?",
            failed.join(", ")
        );
        Question::choice(text, &["again", "skip", "stop"])
    });
    let answer = cx.ask::<String>("repair", question).await?;
    Ok(match answer.value.as_str() {
        "again" => Event::RepairedTryAgain,
        "skip" => Event::SkipStage,
        _ => Event::Rejected { why: format!("{} stopped it after a failure", answer.by) },
    })
}
