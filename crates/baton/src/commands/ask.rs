//! `baton ask`: puts one skill to the models of a role, alone: no run, no journal, its own budget.

mod report;

pub use report::words;

use std::sync::Arc;

use baton_agents::clock::{Clock, RealClock};
use baton_agents::config::{Config, DEFAULT_ROLE};
use baton_agents::model::secret::{EnvKeys, Keys};
use baton_agents::model::{Beat, Heartbeat, ModelCall, Models};
use baton_agents::nearest::nearest;
use baton_agents::skill::{AnySkill, AskRequest, DirectPort, Role, all, find};
use baton_engine::{Dice, SystemDice};

use crate::commands::start::{read, unfit};
use crate::consent::ModelArgs;
use crate::exit::Exit;
use crate::output::Output;
use crate::program::Program;
use crate::signals::listen;
use crate::text::{bytes, read_usd};
use crate::trouble::Trouble;

/// Ask one skill alone, to see what a model makes of it
///
/// The models of the role are asked in order; a last `rules` lets the rules twin answer without any. Nothing
/// is recorded. The input is taken for your document: it goes to models on this machine only, unless --send
/// or [privacy] allows more.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton ask --list
  baton ask summarize --input note.toml
  baton ask yes_no --input - --model fast,rules --send < question.json"
)]
pub struct Args {
    /// The skill; --list shows all
    #[arg(required_unless_present = "list")]
    pub skill: Option<String>,
    /// Its input as TOML or JSON, or `-` for stdin
    #[arg(long, value_name = "FILE", required_unless_present = "list")]
    pub input: Option<String>,
    /// Who is asked
    #[arg(long, value_name = "NAME", default_value = DEFAULT_ROLE)]
    pub role: String,
    #[command(flatten)]
    pub models: ModelArgs,
    /// What it may spend, in US dollars
    #[arg(long, value_name = "N", value_parser = read_usd, allow_negative_numbers = true)]
    pub budget_usd: Option<u64>,
    /// Show the skills and what they are given
    #[arg(long)]
    pub list: bool,
}

/// Asks.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let skills = all();
    let (Some(name), Some(file), false) = (&args.skill, &args.input, args.list) else {
        return report::list(program, &skills);
    };
    let skill = find(&skills, name).map_err(|nearest| Trouble::NoSkill {
        name: name.clone(),
        nearest,
        known: skills.iter().map(|skill| skill.name()).collect(),
    })?;
    ask(program, args, skill, file)
}

fn ask(program: &Program, args: &Args, skill: &dyn AnySkill, file: &str) -> Result<Exit, Trouble> {
    let overrides = args.models.overrides(args.budget_usd);
    program.tell_held_back(overrides.usd.is_some());
    let config = program.config.typed(overrides)?;
    say_whose_chain(program, args, config.roles.keys().map(String::as_str));
    let input = read(file)?;
    let role = config.role(&args.role);
    let port = port(program, &config, &role)?;
    let question = AskRequest { key: "ask", input: &input, carries_documents: true };
    let signals = listen(&program.out, "stopping; a call in flight may still be charged")?;
    let asked = program.runtime()?.block_on(async {
        tokio::select! {
            biased;
            () = signals.pressed() => None,
            asked = skill.ask(&port, &role, question) => Some(asked),
        }
    });
    let Some(asked) = asked else { return report::stopped(program, port.spent_microusd()) };
    let asked =
        asked.map_err(|what| unfit(file, &format!("it does not fit the skill {}: {what}", skill.name())))?;
    match asked {
        Ok(answer) => {
            report::answer(program, skill.name(), &role, &answer)?;
            Ok(Exit::Done)
        }
        Err(failure) => {
            // The last try is in the error itself.
            let earlier = failure.tries.split_last().map_or(&[][..], |(_, earlier)| earlier);
            earlier.iter().for_each(|one| program.out.note(report::words(one)));
            Err(Trouble::Ask { failure: Box::new(failure) })
        }
    }
}

/// A way to ask the models of a role outside a run: under the configured budget, with signs of life for a person who waits.
pub fn port(program: &Program, config: &Config, role: &Role) -> Result<DirectPort, Trouble> {
    let clock: Arc<dyn Clock> = Arc::new(RealClock::new());
    let keys: Arc<dyn Keys> = Arc::new(EnvKeys);
    let models = Models::over_http(role.chain.clone(), &keys, &clock)?;
    let port = DirectPort::new(models, clock, config.budget, seed()?);
    Ok(if program.out.is_live() { port.watched(Arc::new(Pulse(program.out.clone()))) } else { port })
}

/// Signs of life from a slow model, for a person who waits.
struct Pulse(Output);

impl Heartbeat for Pulse {
    fn beat(&self, call: &ModelCall, beat: Beat) {
        if beat.pieces % 200 == 1 {
            self.0.note(format!("{} is writing: {} so far", call.model, bytes(beat.bytes)));
        }
    }
}

/// A role without a chain is served by the default one; a slip of the pen should not go unnoticed.
fn say_whose_chain<'a>(program: &Program, args: &Args, roles: impl Iterator<Item = &'a str> + Clone) {
    let role = args.role.as_str();
    if role == DEFAULT_ROLE || args.models.model.is_some() || roles.clone().any(|known| known == role) {
        return;
    }
    let meant = nearest(role, roles).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    program
        .out
        .note(format!("the role `{role}` has no chain of its own, so the default one is asked{meant}"));
}

/// Randomness for the fences around foreign text.
pub fn seed() -> Result<[u8; 32], Trouble> {
    let mut seed = [0; 32];
    for part in seed.chunks_exact_mut(8) {
        part.copy_from_slice(&SystemDice.roll().to_le_bytes());
    }
    if seed == [0; 32] {
        return Err(Trouble::Runtime(std::io::Error::other("no randomness")));
    }
    Ok(seed)
}
