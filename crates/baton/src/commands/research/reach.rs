//! How far a run may reach: the folders, and the places beyond this machine that were named and may be asked.
//! Queries can hold words of the documents, so asking both needs a person's word.

use baton_agents::evidence::Tier;
use baton_agents::rules::dates;
use baton_agents::search::merge::SourceRules;
use baton_workflows::research::Brief;
use baton_workflows::retrieval::Beyond;

use super::order::{LANGUAGES, refuse};
use super::{Args, consent};
use crate::places::{LOCAL, Named};
use crate::program::Program;
use crate::trouble::Trouble;

/// Settles where a run searches. The brief's folders, dates and language are settled already.
pub fn settle(program: &Program, args: &Args, brief: &mut Brief) -> Result<(), Trouble> {
    brief.beyond = if args.only_docs { None } else { beyond(program, args, brief)? };
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
        may_leave(program, args, beyond)?;
    }
    let local = (!brief.docs.is_empty()).then_some(LOCAL);
    let names = local.into_iter().chain(brief.beyond.iter().flat_map(Beyond::names));
    brief.providers = names.map(str::to_owned).collect();
    Ok(())
}

/// The places that were named, else those of the run that is followed up, else, where there are no documents, those
/// that are configured.
fn beyond(program: &Program, args: &Args, brief: &Brief) -> Result<Option<Beyond>, Trouble> {
    let config = &program.config.agents;
    let (named, origin) = if !args.sources.is_empty() {
        (Named::of(config, args.sources.iter().map(|name| name.trim()))?, "--sources")
    } else if brief.beyond.is_some() {
        return Ok(brief.beyond.clone());
    } else if brief.docs.is_empty() {
        (Named::configured(config), "baton.toml")
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
        rules: rules(args, brief)?,
        language: brief.language.as_deref().and_then(two_letters),
        allow_private: args.allow_private.clone(),
    }))
}

fn rules(args: &Args, brief: &Brief) -> Result<SourceRules, Trouble> {
    let day = |text: &Option<String>| text.as_deref().and_then(dates::parse);
    let weakest = match args.tier {
        None | Some(3) => Tier::Three,
        Some(2) => Tier::Two,
        Some(1) => Tier::One,
        Some(other) => return refuse(format!("--tier {other} is not a tier"), "Write 1, 2 or 3"),
    };
    Ok(SourceRules {
        allow: args.allow_site.clone(),
        block: args.block_site.clone(),
        since: day(&brief.since),
        until: day(&brief.until),
        weakest,
        ..SourceRules::default()
    })
}

fn two_letters(code: &str) -> Option<String> {
    LANGUAGES.iter().find(|(_, long)| *long == code).map(|(short, _)| (*short).to_owned())
}

/// Whether queries that may hold words of the documents may be sent to these places.
fn may_leave(program: &Program, args: &Args, beyond: &Beyond) -> Result<(), Trouble> {
    let names = beyond.names().collect::<Vec<_>>().join(", ");
    let question = format!(
        "Queries may hold words of your documents. Send them to {names} for this run? (yes or no) > "
    );
    if args.send || program.config.agents.privacy.send_documents || consent::allows(program, &question)? {
        return Ok(());
    }
    refuse(
        format!("queries may hold words of your documents, and may not be sent to {names}"),
        "Allow it with --send, or search the documents alone with --only-docs",
    )
}
