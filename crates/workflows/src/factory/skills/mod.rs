//! What a build asks of a model, one file each: input, output, prompt, checks, rules twin.

pub mod assess_phase;
pub mod draft_plan;
