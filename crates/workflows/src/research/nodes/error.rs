//! ERROR: says once why, and stops. Whoever resumes the run sends it back to where it was.

use baton_engine::{Cx, Fault};

use crate::research::{Event, Research, RunErrorKind};

pub async fn run(cx: Cx<Research>) -> Result<Event, Fault> {
    let trouble = cx.read(|memory| memory.trouble.clone());
    let Some((trouble, told)) = trouble else { return Ok(Event::Resumed) };
    if told {
        return Ok(Event::Resumed);
    }
    cx.emit(Event::ErrorTold).await?;
    let words = format!("{} {}", trouble.message, trouble.recovery);
    Err(match trouble.kind {
        RunErrorKind::Provider => Fault::Unavailable(words),
        RunErrorKind::Limit => Fault::UsedUp(words),
        RunErrorKind::Broken => Fault::GaveUp(words),
    })
}
