//! How far a run may reach: the folders, and the places beyond this machine that were named and may be asked.
//! Queries can hold words of the documents, so asking both needs a person's word.

use baton_workflows::research::Brief;
use baton_workflows::retrieval::Beyond;

use super::Args;
use crate::consent::queries_may_leave;
use crate::places::{LOCAL, NamedPlaces};
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
    let config = &program.config.agents;
    let (named, origin) = if !args.sources.names.is_empty() {
        (NamedPlaces::of(config, args.sources.names())?, "--sources")
    } else if brief.beyond.is_some() {
        return Ok(brief.beyond.clone());
    } else if brief.docs.is_empty() {
        (NamedPlaces::configured(config), "baton.toml")
    } else {
        return Ok(None);
    };
    if named.local && brief.docs.is_empty() {
        return refuse(
            "`local` means your documents, and none are named",
            "Name a folder with --docs FOLDER",
        );
    }
    if named.providers.is_empty() && named.servers.is_empty() {
        return Ok(None);
    }
    if named.providers.is_empty() && named.servers.iter().all(|server| server.search_tool.is_none()) {
        return refuse(
            format!("{} can read pages and find none", named.servers[0].name),
            "Name a place that searches beside it, such as --sources wikipedia",
        );
    }
    Ok(Some(Beyond {
        consent: origin.to_owned(),
        providers: named.providers,
        servers: named.servers,
        rules: args.sources.rules(period)?,
        language: period.two_letters(),
        allow_private: args.allow_private.clone(),
    }))
}
