//! What citing asks of a role, one file each: input, output, prompt, checks, rules twin.

pub mod confirm;
