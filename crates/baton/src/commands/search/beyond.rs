//! Words put to places beyond this machine, and what they found, merged. Nothing of it is read or archived.

use baton_agents::search::Query;
use baton_agents::search::fan::Fanned;
use baton_agents::search::merge::Lead;
use baton_workflows::retrieval::Beyond;

use super::Args;
use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::places::{NamedPlaces, assembled};
use crate::program::Program;
use crate::sources::{Period, refuse};
use crate::trouble::Trouble;

/// Searches.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let named = NamedPlaces::of(&program.config.agents, args.sources.names())?;
    if named.local {
        return refuse("`local` means your documents", "Search them with --docs FOLDER");
    }
    let period = args.sources.period(Period::default())?;
    let rules = args.sources.rules(&period)?;
    let NamedPlaces { providers, servers, .. } = named;
    let beyond = Beyond { consent: "--sources".to_owned(), providers, servers, ..Beyond::default() };
    let places = assembled(program, &beyond)?;
    let (since, until, language) = (rules.since, rules.until, period.two_letters());
    let query = Query { text: args.words.clone(), limit: args.limit, since, until, language };
    let mut fanned = program.runtime()?.block_on(places.fan.search(&[query], &rules));
    fanned.leads.truncate(args.limit);
    let nobody = fanned.ends.iter().all(|put| put.shortfall().is_some());
    let exit = match fanned.leads.len() {
        0 if nobody => Exit::Provider,
        0 => Exit::NoEvidence,
        _ => Exit::Done,
    };
    program.out.give(&fanned, &page(&fanned))?;
    Ok(exit)
}

fn page(fanned: &Fanned) -> Page {
    let mut page = Page::default();
    for sentence in fanned.ends.iter().filter_map(baton_agents::search::fan::ProviderQuery::shortfall) {
        page.line([inked(Ink::Warn, sentence)]);
    }
    for left_out in &fanned.left_out {
        let line = format!("left out: {} of {}: {}", left_out.what, left_out.provider, left_out.why);
        page.line([inked(Ink::Faint, line)]);
    }
    if fanned.leads.is_empty() {
        page.text("Nothing was found.");
    }
    for lead in &fanned.leads {
        if !page.is_empty() {
            page.text("");
        }
        add_lead(&mut page, lead);
    }
    page
}

fn add_lead(page: &mut Page, lead: &Lead) {
    let date = lead.date.as_ref().map(|date| format!(", {date}")).unwrap_or_default();
    let mut names: Vec<&str> = lead.references.iter().map(|hit| hit.provider.as_str()).collect();
    names.dedup();
    page.line([plain(lead.title.clone()), inked(Ink::Faint, format!("  {}{date}", names.join(", ")))]);
    page.text(format!("  {}", lead.location));
    if !lead.snippet.is_empty() {
        page.text(format!("  {}", lead.snippet));
    }
}
