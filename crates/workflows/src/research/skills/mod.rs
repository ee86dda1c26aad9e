//! What research asks of its roles, one file each: input, output, prompt, checks, rules twin.

pub mod mend;
pub mod plan;
pub mod reflect;
pub mod resolve;
pub mod write;

#[cfg(test)]
mod tests;
