//! Whether text of a person's documents may leave the machine: what the configuration and the flags say, else what the
//! person says at the terminal. Nobody there is a no.

use std::io::{BufRead, IsTerminal};

use baton_agents::config::{Config, Overrides};
use baton_agents::skill::Role;
use baton_workflows::retrieval::Beyond;

use crate::program::Program;
use crate::trouble::Trouble;
use crate::view::dollars;

/// Who is asked, and what they may see.
#[derive(Debug, clap::Args)]
pub struct ModelArgs {
    /// The models to ask, in order; `rules` last lets rules answer
    #[arg(long, value_name = "A,B,...")]
    pub model: Option<String>,
    /// Let text of your documents be sent to models and places elsewhere
    #[arg(long)]
    pub send: bool,
}

impl ModelArgs {
    /// What was typed, over what is configured.
    pub fn overrides(&self, budget_usd: Option<u64>) -> Overrides {
        Overrides {
            chain: self.model.as_deref().map(Overrides::chain_of),
            usd: budget_usd.map(dollars),
            send_documents: self.send.then_some(true),
        }
    }
}

/// Makes what a run is started with. `roles` are those that will see text of documents: if one of their models is
/// elsewhere and may not, the person is asked, and with a yes it is made once more.
pub fn settled<T>(
    program: &Program,
    typed: &Overrides,
    make: impl Fn(&Config) -> Result<T, Trouble>,
    roles: fn(&T) -> Vec<&Role>,
) -> Result<T, Trouble> {
    let made = make(&program.config.typed(typed.clone())?)?;
    let elsewhere = elsewhere(&roles(&made));
    if elsewhere.is_empty() {
        return Ok(made);
    }
    let names = elsewhere.join(", ");
    if says_yes(program, &format!("Send text of your documents to {names} for this run? (yes or no) > "))? {
        return make(&program.config.typed(Overrides { send_documents: Some(true), ..typed.clone() })?);
    }
    if let Some(role) = roles(&made).into_iter().find(|role| is_stuck(role)) {
        let role = &role.name;
        return Err(Trouble::Order {
            what: format!(
                "the role {role} asks {names} alone, and text of your documents may not be sent there"
            ),
            next: "Allow it with --send, or let rules answer: --model rules".to_owned(),
        });
    }
    program.out.note(format!("text of the documents is not sent to {names}; --send would allow it"));
    Ok(made)
}

/// Whether queries that may hold words of the documents may be sent to these places.
pub fn queries_may_leave(program: &Program, send: bool, beyond: &Beyond) -> Result<(), Trouble> {
    let names = beyond.names().collect::<Vec<_>>().join(", ");
    let question = format!(
        "Queries may hold words of your documents. Send them to {names} for this run? (yes or no) > "
    );
    if send || program.config.agents.privacy.send_documents || says_yes(program, &question)? {
        return Ok(());
    }
    Err(Trouble::Order {
        what: format!("queries may hold words of your documents, and may not be sent to {names}"),
        next: "Allow it with --send, or search the documents alone with --only-docs".to_owned(),
    })
}

/// The models that would be asked and may not see documents, each with its host.
fn elsewhere(roles: &[&Role]) -> Vec<String> {
    let cards = roles.iter().flat_map(|role| &role.chain).filter(|card| !card.may_see_documents);
    let mut names: Vec<String> = cards.map(|card| format!("{} ({})", card.name, card.host())).collect();
    names.sort();
    names.dedup();
    names
}

/// Whether nobody in a role's chain could answer.
fn is_stuck(role: &Role) -> bool {
    !role.rules && role.chain.iter().all(|card| !card.may_see_documents)
}

/// Whether a person at the terminal says yes.
fn says_yes(program: &Program, question: &str) -> Result<bool, Trouble> {
    if !(program.out.is_live() && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        return Ok(false);
    }
    program.out.prompt(question);
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(Trouble::Runtime)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
