//! Words put to places beyond this machine, and what they found, merged. Nothing of it is read or archived.

use baton_agents::search::Query;
use baton_agents::search::fan::Fanned;
use baton_agents::search::merge::{Lead, SourceRules};
use baton_workflows::retrieval::Beyond;

use super::Args;
use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::places::{Named, assembled};
use crate::program::Program;
use crate::trouble::Trouble;

/// Searches.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let named = Named::of(&program.config.agents, args.sources.iter().map(|name| name.trim()))?;
    if named.local {
        let what = "`local` means your documents".to_owned();
        return Err(Trouble::Order { what, next: "Search them with --docs FOLDER".to_owned() });
    }
    let Named { providers, servers, .. } = named;
    let beyond = Beyond { consent: "--sources".to_owned(), providers, servers, ..Beyond::default() };
    let places = assembled(program, &beyond)?;
    let query = Query::new(&*args.words, args.limit);
    let mut fanned = program.runtime()?.block_on(places.fan.search(&[query], &SourceRules::default()));
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
    for sentence in fanned.ends.iter().filter_map(baton_agents::search::fan::Put::shortfall) {
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
        if !page.lines().is_empty() {
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
