//! RECOVERY_PLANNING: the efforts of the way that was chosen.

use baton_engine::{Cx, Fault};

use crate::factory::{Event, Factory, RecoveryOption, strategy};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    Ok(cx.read(|memory| match memory.chosen {
        None => Event::RecoveryFailed { why: "no way was chosen".to_owned() },
        // The phase begins again by itself.
        Some(RecoveryOption::Complete) => Event::RecoveryPlanned { efforts: Vec::new(), again: Vec::new() },
        Some(option) => {
            let efforts = strategy::efforts(memory, option);
            Event::RecoveryPlanned { efforts, again: Vec::new() }
        }
    }))
}
