//! Evidence: what was read, what it says word for word, where two sources disagree, and what a document may claim.
//!
//! A fact whose quote is not in its source, or whose numbers, dates or names are not in its quote, does not exist:
//! [`fact::admit`] is the only way to make one. Conflicts are found and shown, never averaged.

pub mod carry;
pub mod changes;
pub mod cited;
pub mod conflict;
pub mod corroborate;
pub mod derived;
pub mod fact;
pub mod quote;
pub mod source;
#[cfg(test)]
mod tests;
pub mod verify;

pub use carry::{Quotes, Verdict, carries, judge};
pub use changes::{Change, changes};
pub use cited::{Cited, carries_cited, judge_cited};
pub use conflict::{Conflict, ConflictGroup, ConflictKind, Position, conflict_groups, conflicts};
pub use corroborate::{Support, corroborate};
pub use derived::{Derived, DerivedFlaw, DerivedInput, Formula, recompute};
pub use fact::{Fact, Refusal, admit, admit_at};
pub use source::{Authority, Source, Tier, weight};
pub use verify::{Archived, Claim, EvidenceFlaw, verify};
