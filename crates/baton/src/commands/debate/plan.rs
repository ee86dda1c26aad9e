//! `--plan`: what a debate will cost, before it begins.

use baton_workflows::debate::Setup;
use baton_workflows::debate::plan::{Cost, plan};
use serde_json::json;

use crate::exit::Exit;
use crate::page::{Page, plain};
use crate::program::Program;
use crate::text::usd;
use crate::trouble::Trouble;
use crate::view::dollars;

/// Says what it will cost.
pub fn run(program: &Program, setup: &Setup) -> Result<Exit, Trouble> {
    let plan = plan(setup);
    let money = |cost: &Cost| cost.microusd.map_or("no known price".to_owned(), usd);
    let row = |name: &str, low: String, high: String| vec![plain(name), plain(low), plain(high)];
    let rows = [
        row("calls", plan.low.calls.to_string(), plan.high.calls.to_string()),
        row("tokens, about", plan.low.tokens.to_string(), plan.high.tokens.to_string()),
        row("money, about", money(&plan.low), money(&plan.high)),
    ];
    let mut page = Page::default();
    page.table(&["", "AT LEAST", "AT MOST"], rows.to_vec());
    page.text(format!(
        "If everything goes wrong that may, with every repair turn and every retry: {} calls. The budget holds whatever happens.",
        plan.worst_calls
    ));
    let value =
        |cost: &Cost| json!({"calls": cost.calls, "tokens": cost.tokens, "usd": cost.microusd.map(dollars)});
    program.out.give(
        &json!({"low": value(&plan.low), "high": value(&plan.high), "worst": {"calls": plan.worst_calls}}),
        &page,
    )?;
    Ok(Exit::Done)
}
