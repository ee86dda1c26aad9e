//! aggregation: the report as data. Rules answer each question; a model may word the sections, sentence by sentence through
//! the gate.

use baton_agents::skill::Answerer;
use baton_engine::{Cx, Fault};

use crate::report::charting::plan;
use crate::report::skills::write_section;
use crate::report::writing::aggregate;
use crate::report::{Draft, Event, Report};

pub async fn run(cx: Cx<Report>) -> Result<Event, Fault> {
    let (charts, notes) = cx.read(plan);
    let mut aggregation = cx.read(aggregate);
    for section in &mut aggregation.sections {
        let own = charts.iter().filter(|chart| chart.scope == section.scope_item_id);
        section.chart_ids = own.map(|chart| chart.chart.id.clone()).collect();
    }
    let mut draft = Draft { aggregation, charts, dropped: Vec::new(), by: Answerer::Rules, notes };
    write_section::ask(&cx, &mut draft).await?;
    Ok(Event::Aggregated { draft: Box::new(draft) })
}
