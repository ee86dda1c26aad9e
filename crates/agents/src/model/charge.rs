//! What a reply is charged: what its server counts where that can be true, our own estimate where it cannot. A
//! budget that believed every count would be kept by whoever writes the smallest.

use super::draft::Draft;
use super::{ModelCall, ModelCard, Structured, Usage};

/// Bytes to a token in our own estimate, which errs on the dear side.
const DEAR: usize = 3;
/// Bytes to a token that no tokenizer reaches over a whole text. A count below that is no count.
const SPARSE: usize = 8;
/// Counts and prices past these are cut, so that sums of them stay sums. No budget is as large.
const MOST_TOKENS: u64 = 1 << 40;
const MOST_MICROUSD: u64 = 1_000_000_000_000;

/// The tokens a reply is charged.
pub(super) fn usage(card: &ModelCard, call: &ModelCall, draft: &Draft) -> Usage {
    let told: usize = call.messages.iter().map(|m| m.text.len()).sum();
    let enforced = call.schema.as_ref().filter(|_| card.structured == Structured::Schema);
    let schema = enforced.map_or(0, |shape| shape.schema.to_string().len());
    let counted = draft.counted;
    let hidden = counted.hidden.unwrap_or(0).min(MOST_TOKENS);
    let input = believable(counted.input, told);
    let output = believable(counted.output.map(|shown| shown.saturating_add(hidden)), draft.heard);
    Usage {
        input: input.unwrap_or_else(|| tokens(told + schema)),
        // Whoever cannot count what was read cannot say what of it was cheap.
        cached: input.map_or(0, |input| counted.cached.unwrap_or(0).min(input)),
        output: output.unwrap_or_else(|| tokens(draft.heard).saturating_add(hidden)),
        estimated: input.is_none() || output.is_none(),
    }
}

/// What a reply is charged in millionths of a dollar: our price of it, or the server's own if that is higher.
pub(super) fn cost(card: &ModelCard, usage: &Usage, draft: &Draft) -> u64 {
    let ours = card.price.as_ref().map_or(0, |price| price.cost(usage));
    ours.max(draft.cost_microusd.unwrap_or(0)).min(MOST_MICROUSD)
}

/// A server's count, if a text of so many bytes can have so few tokens.
fn believable(count: Option<u64>, bytes: usize) -> Option<u64> {
    let fewest = if bytes == 0 { 0 } else { (bytes / SPARSE).max(1) };
    count.filter(|count| *count >= fewest as u64).map(|count| count.min(MOST_TOKENS))
}

fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(DEAR) as u64
}
