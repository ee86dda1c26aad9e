//! The rules toolkit: deterministic text work that needs no model. Everything here takes text and returns text,
//! ranges or numbers; nothing opens a file, an index or a socket, and nothing pretends to understand.

pub mod answer;
pub mod antecedent;
pub mod dates;
pub mod diversity;
pub mod duplicates;
pub mod expand;
pub(crate) mod fields;
pub mod language;
mod light;
pub mod lines;
pub mod measures;
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
pub mod synonyms;
pub mod table;
pub(crate) mod terms;
#[cfg(test)]
mod tests;
pub mod themes;
pub mod thesaurus;
pub mod words;
