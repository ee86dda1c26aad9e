//! How far a run may reach: the folders, and the places beyond this machine that were named and may be asked.
//! Queries can hold words of the documents, so asking both needs a person's word.

use baton_workflows::research::Brief;
use baton_workflows::retrieval::Beyond;

use super::Args;
use crate::consent::queries_may_leave;
use crate::places::{LOCAL, reached};
use crate::program::Program;
use crate::sources::{Period, refuse};
use crate::trouble::Trouble;

/// Settles where a run searches. The brief's folders and its period are settled already.
pub fn settle(program: &Program, args: &Args, period: &Period, brief: &mut Brief) -> Result<(), Trouble> {
    brief.beyond = if args.only_docs { None } else { beyond(program, args, period, brief)? };
    if brief.docs.is_empty() && brief.beyond.is_none() {
        let next = if args.only_docs {
            "Name a folder of documents with --docs FOLDER"
        } else {
            "Name a folder of documents with --docs FOLDER, or a place such as --sources wikipedia"
        };
        return refuse("there is nothing to search", next);
    }
    if let Some(beyond) = &brief.beyond
        && !brief.docs.is_empty()
    {
        queries_may_leave(program, args.models.send, beyond)?;
    }
    let local = (!brief.docs.is_empty()).then_some(LOCAL);
    let names = local.into_iter().chain(brief.beyond.iter().flat_map(Beyond::names));
    brief.providers = names.map(str::to_owned).collect();
    Ok(())
}

/// The places that were named, else those of the run that is followed up, else, where there are no documents, those
/// that are configured.
fn beyond(program: &Program, args: &Args, period: &Period, brief: &Brief) -> Result<Option<Beyond>, Trouble> {
    if args.sources.names.is_empty() && brief.beyond.is_some() {
        return Ok(brief.beyond.clone());
    }
    let has_docs = !brief.docs.is_empty();
    reached(&program.config.agents, &args.sources, period, &args.allow_private, has_docs)
}
