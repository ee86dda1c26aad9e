//! The rules toolkit: deterministic text work that needs no model. Everything here takes text and returns text,
//! ranges or numbers; nothing opens a file, an index or a socket, and nothing pretends to understand.

pub mod dates;
pub mod diversity;
pub mod duplicates;
pub mod expand;
mod lines;
pub mod originality;
pub mod pages;
pub mod phrases;
mod porter;
pub mod prose;
pub mod quantities;
pub mod question;
pub mod rank;
pub mod readability;
pub mod sentences;
pub mod structure;
mod terms;
#[cfg(test)]
mod tests;
pub mod themes;
pub mod words;
