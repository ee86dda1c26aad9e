//! brief_builder: what the query wants. Its structure decides depth, style and format; nobody is asked.

use baton_engine::{Cx, Fault};

use crate::report::brief::build;
use crate::report::{Event, Report};

pub async fn run(cx: Cx<Report>) -> Result<Event, Fault> {
    let brief = cx.read(|memory| {
        let mut brief = build(&memory.order);
        let tables = memory.context.iter().flat_map(|context| &context.profiles.tables);
        let tables = tables.map(|table| table.reading.name.clone());
        let folders = memory.order.docs.iter().filter_map(|folder| folder.file_name());
        let sources: Vec<String> =
            tables.chain(folders.map(|name| name.to_string_lossy().into_owned())).collect();
        for item in &mut brief.scope_items {
            item.suggested_sources.clone_from(&sources);
        }
        brief
    });
    let notes = brief.constraints.other.clone();
    Ok(Event::BriefBuilt { brief: Box::new(brief), notes })
}
