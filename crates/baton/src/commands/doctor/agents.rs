//! The coding agents of a plan: whether each is found, tells its version, answers a handshake and is signed in. No call of
//! this asks a model anything.

use baton_workflows::coding::{Agents, Login};
use serde::Serialize;

use super::Check;
use crate::commands::build::order;
use crate::program::Program;
use crate::trouble::Trouble;

/// What a look at one agent showed.
#[derive(Debug, Serialize)]
pub struct Looked {
    agent: String,
    kind: String,
    ok: bool,
    what: String,
    version: Option<String>,
    handshake: Option<String>,
    login: Login,
}

/// Looks at every agent of a plan.
pub fn looked(program: &Program, plan: &str) -> Result<(Vec<Check>, Vec<Looked>), Trouble> {
    let agents = Agents::of_this_machine(&order::processes());
    let specs = order::plan(plan)?.agents;
    let runtime = program.runtime()?;
    let (mut checks, mut shown) = (Vec::new(), Vec::new());
    for spec in specs.iter().filter(|spec| spec.kind != "recipe") {
        match runtime.block_on(agents.probe(spec)) {
            Ok(probe) => {
                let told = [probe.version.clone(), probe.handshake.clone(), Some(login(&probe.login))];
                let told: Vec<String> = told.into_iter().flatten().filter(|part| !part.is_empty()).collect();
                let told = if told.is_empty() { String::new() } else { format!(", {}", told.join(", ")) };
                let what = format!("{} ({}): {}{told}", spec.name, spec.kind, probe.what);
                let is_out = matches!(probe.login, Login::No(_));
                checks.push(if is_out {
                    let next = "set the variable its `env` names, or sign it in, before a build needs it";
                    Check::bad("agent", what, next)
                } else {
                    Check::good("agent", what)
                });
                shown.push(Looked {
                    agent: spec.name.clone(),
                    kind: spec.kind.clone(),
                    ok: !is_out,
                    what: probe.what,
                    version: probe.version,
                    handshake: probe.handshake,
                    login: probe.login,
                });
            }
            Err(error) => {
                let what = format!("{} ({}): {error}", spec.name, spec.kind);
                let next = "install it, or correct `run` of the agent in the plan";
                checks.push(Check::bad("agent", what.clone(), next));
                shown.push(Looked {
                    agent: spec.name.clone(),
                    kind: spec.kind.clone(),
                    ok: false,
                    what,
                    version: None,
                    handshake: None,
                    login: Login::Unknown("it could not be asked".to_owned()),
                });
            }
        }
    }
    Ok((checks, shown))
}

fn login(login: &Login) -> String {
    match login {
        Login::NotNeeded => String::new(),
        Login::Yes(how) => format!("signed in ({how})"),
        Login::No(why) => format!("not signed in: {why}"),
        Login::Unknown(why) => format!("whether it is signed in is not known: {why}"),
    }
}
