//! What an effort asks of a model, one file each: input, output, prompt, checks, rules twin.

pub mod review_change;
