//! What a person reads of it without colours.

use baton_engine::flow;
use baton_workflows::approval::Approval;

use super::*;
use crate::page::Block;

fn moved(to: &str) -> Body {
    let event = serde_json::json!({"event": {"from": "X", "row": 0, "to": to, "event": {"is": "Y"}}});
    serde_json::from_value(event).expect("a record")
}

fn read(strip: &Strip, here: &str) -> Vec<String> {
    let mut page = Page::default();
    strip.draw(here, &mut page);
    let line = |block: &Block| match block {
        Block::Line(spans) => spans.iter().map(|span| span.text.as_str()).collect(),
        other => panic!("{other:?}"),
    };
    page.blocks().iter().map(line).collect()
}

#[test]
fn the_present_state_is_lit_and_returns_are_counted() {
    let mut strip = Strip::of(flow::<Approval>().table());
    assert_eq!(read(&strip, "WORKING"), ["  [WORKING] AWAITING_APPROVAL AWAITING_REPAIR"]);
    ["AWAITING_APPROVAL", "WORKING", "COMPLETED"].iter().for_each(|to| strip.take(&moved(to)));
    assert_eq!(read(&strip, "COMPLETED"), ["  WORKING×2 AWAITING_APPROVAL AWAITING_REPAIR [COMPLETED]"]);
}
