//! Finding and reading, for every workflow: a [`Scope`] says where a run may look, [`search`] brings leads, [`read`] turns
//! leads into facts that stand in archived sources. The acts are data; [`LocalWorld`] and [`WebWorld`] perform them.
//!
//! What does not live here: what is looked for and why (that is the workflow's), and what is made of the facts
//! (`citation`).

mod acts;
pub mod antecedent;
mod beyond;
mod excerpt;
mod items;
mod leads;
mod local;
mod neighbours;
mod read;
mod rows;
mod scope;
mod search;
pub mod skills;
mod source;
mod verbatim;
mod web;

pub use acts::{
    Admit, Admitted, DocRead, DocsFound, FetchPage, PageRead, PrepareDocs, Prepared, Proposal, RankPages,
    RankedPage, RankedPages, ReadLead, SearchDocs, SearchWeb,
};
pub use beyond::Beyond;
pub use local::LocalWorld;
pub(crate) use local::blocking;
pub use read::{ReadOutput, Reading, UNREAD, read};
pub use scope::Scope;
pub use search::{FEW, Search, SearchOutput, search, search_for_model};
pub use skills::reword::telling;
pub use source::{Candidate, FoundFact, Lead, Reference, RefusedFact, SearchRecord, SourceCard};
pub use web::WebWorld;
