//! What finding and reading ask of roles, one file each: input, output, prompt, checks, rules twin.

pub mod read;
pub mod reword;

#[cfg(test)]
mod tests;
