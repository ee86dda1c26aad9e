//! Pages beyond this machine that may carry a text: its sentences are put to places, and what they find is read.

use baton_agents::read::archive::Archive;
use baton_agents::read::extract::ChildCommand;
use baton_agents::read::files::{FileReader, Limits};
use baton_agents::read::library::Library;
use baton_agents::search::fan::ProviderQuery;
use baton_agents::search::{Location, Query};
use baton_workflows::checking::{Draft, Page, Pages};
use baton_workflows::retrieval::Beyond;

use super::{Args, Held};
use crate::commands::search::LeftOut;
use crate::consent::queries_may_leave;
use crate::places::{NamedPlaces, assembled, polite};
use crate::program::Program;
use crate::sources::{Period, refuse};
use crate::trouble::Trouble;

/// Sentences of a text that are searched for.
const MOST_QUERIES: usize = 40;
/// Results wanted for one of them.
const RESULTS: usize = 4;
/// Pages that are read in all.
const MOST_PAGES: usize = 30;

/// Finds and reads pages. A sentence that was typed for this may be sent; a text of the person's own needs their word.
pub fn pages(
    program: &Program,
    args: &Args,
    draft: &Draft,
    typed: bool,
    held: &mut Held,
) -> Result<Pages, Trouble> {
    let named = NamedPlaces::of(&program.config.agents, args.sources.names())?;
    if named.local {
        return refuse("`local` means your documents", "Name their folder with --docs FOLDER");
    }
    let period = args.sources.period(Period::default())?;
    let rules = args.sources.rules(&period)?;
    let NamedPlaces { providers, servers, .. } = named;
    let beyond = Beyond { consent: "--sources".to_owned(), providers, servers, ..Beyond::default() };
    if !typed {
        queries_may_leave(program, args.send, &beyond)?;
    }
    let (since, until, language) = (rules.since, rules.until, period.two_letters());
    let query = |text: String| Query { text, limit: RESULTS, since, until, language: language.clone() };
    let queries: Vec<Query> =
        draft.stated().take(MOST_QUERIES).map(|piece| query(piece.words.clone())).collect();
    if draft.stated().count() > queries.len() {
        program
            .out
            .note(format!("only the first {MOST_QUERIES} sentences are searched for beyond this machine"));
    }
    let places = assembled(program, &beyond)?;
    let fetcher = polite(program, &args.allow_private)?;
    let child = ChildCommand::this_program().map_err(Trouble::Runtime)?;
    let reader = FileReader::new(Limits::default(), child);
    let mut library = Library::new(reader, Archive::of_home(&program.home.path));
    let runtime = program.runtime()?;
    let fanned = runtime.block_on(places.fan.search(&queries, &rules));
    held.shortfalls.extend(fanned.ends.iter().filter_map(ProviderQuery::shortfall));
    held.shortfalls.dedup();
    let mut pages = Vec::new();
    for lead in fanned.leads.iter().take(MOST_PAGES) {
        let Location::Url(address) = &lead.location else { continue };
        let fetched = runtime.block_on(fetcher.fetch(address)).map_err(|error| error.to_string());
        let kept = fetched.and_then(|(page, _)| library.read_page(&page).map_err(|error| error.to_string()));
        match kept {
            Ok(kept) => pages.push(Page {
                address: address.clone(),
                title: kept.reading.title.unwrap_or_else(|| lead.title.clone()),
                date: kept.reading.date.or_else(|| lead.date.clone()),
                text_hash: kept.text_hash,
                text: kept.reading.text,
            }),
            Err(reason) => held.left_out.push(LeftOut::new(address, &reason)),
        }
    }
    Ok(Pages::new(pages))
}
