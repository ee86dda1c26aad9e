//! Who is asked, and whether they may see the documents: what the configuration and the flags name, and nobody
//! else. A model elsewhere sees text of the documents only if a person says so.

use std::io::{BufRead, IsTerminal};

use baton_agents::config::{Config, Overrides};
use baton_agents::skill::Role;
use baton_workflows::research::Roles;

use super::Args;
use crate::program::Program;
use crate::trouble::Trouble;
use crate::view::dollars;

/// The roles of a run.
pub fn roles(program: &Program, args: &Args) -> Result<Roles, Trouble> {
    let asked = named(&configured(program, args, args.send)?);
    let elsewhere = elsewhere(&asked);
    if elsewhere.is_empty() {
        return Ok(asked);
    }
    let names = elsewhere.join(", ");
    if allows(program, &format!("Send text of your documents to {names} for this run? (yes or no) > "))? {
        return Ok(named(&configured(program, args, true)?));
    }
    if let Some(role) = asked.all().into_iter().find(|role| is_stuck(role)) {
        let role = &role.name;
        return Err(Trouble::Order {
            what: format!(
                "the role {role} asks {names} alone, and text of your documents may not be sent there"
            ),
            next: "Allow it with --send, or let rules answer: --model rules".to_owned(),
        });
    }
    program.out.note(format!("text of the documents is not sent to {names}; --send would allow it"));
    Ok(asked)
}

fn configured(program: &Program, args: &Args, send: bool) -> Result<Config, Trouble> {
    program.config.typed(Overrides {
        chain: args.model.as_deref().map(Overrides::chain_of),
        usd: args.budget_usd.map(dollars),
        send_documents: send.then_some(true),
    })
}

fn named(config: &Config) -> Roles {
    Roles {
        planner: config.role("planner"),
        searcher: config.role("searcher"),
        reader: config.role("reader"),
        reflector: config.role("reflector"),
        resolver: config.role("resolver"),
        synthesizer: config.role("synthesizer"),
    }
}

/// The models that would be asked and may not see documents, each with its host.
fn elsewhere(roles: &Roles) -> Vec<String> {
    let cards = roles.all().into_iter().flat_map(|role| &role.chain).filter(|card| !card.may_see_documents);
    let mut names: Vec<String> = cards.map(|card| format!("{} ({})", card.name, card.host())).collect();
    names.sort();
    names.dedup();
    names
}

/// Whether nobody in a role's chain could answer.
fn is_stuck(role: &Role) -> bool {
    !role.rules && role.chain.iter().all(|card| !card.may_see_documents)
}

/// Whether a person at the terminal says yes; nobody there is a no.
pub fn allows(program: &Program, question: &str) -> Result<bool, Trouble> {
    if !(program.out.is_live() && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        return Ok(false);
    }
    program.out.prompt(question);
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(Trouble::Runtime)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
