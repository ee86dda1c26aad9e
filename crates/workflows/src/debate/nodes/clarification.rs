//! Clarification: asks every agent for questions, again after every batch of answers, until nobody has one or the
//! cap is reached.

use baton_engine::{Cx, Fault};
use futures::future::join_all;

use super::{Missing, desk, follow, given_up};
use crate::debate::memory::{Clarification, LeftOut, Memory};
use crate::debate::panel::{PanelError, panelist};
use crate::debate::setup::Agent;
use crate::debate::{Debate, Event, State};

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let memory = cx.read(Clone::clone);
    let terms = memory.setup.terms;
    if !terms.clarify {
        return Ok(Event::AllClear);
    }
    // Answers that never came: the same questions again, none of them new.
    if memory.unanswered().next().is_some() {
        return Ok(Event::QuestionsPending {
            questions: Vec::new(),
            iteration: memory.clarification_iterations,
        });
    }
    if memory.clarification_iterations >= terms.clarify_iterations {
        return Ok(Event::AllClear);
    }
    let asked = join_all(memory.setup.agents.iter().map(|agent| questions(&cx, &memory, agent))).await;
    let mut all = Vec::new();
    let mut pieces = Vec::new();
    for one in asked {
        match one {
            Ok(questions) => all.extend(questions),
            Err((what, trouble)) => pieces.push(Err(Missing { what, who: None, trouble })),
        }
    }
    if let Some(event) = follow(&cx, &memory, State::Clarification, pieces).await? {
        return Ok(event);
    }
    if all.is_empty() {
        return Ok(Event::AllClear);
    }
    Ok(Event::QuestionsPending { questions: all, iteration: memory.clarification_iterations + 1 })
}

/// What one agent wants to know; questions over its share are cut off.
async fn questions(
    cx: &Cx<Debate>,
    memory: &Memory,
    agent: &Agent,
) -> Result<Vec<Clarification>, (String, PanelError)> {
    let what = format!("questions of {}", agent.id);
    let failed = |trouble| (what.clone(), trouble);
    given_up(memory, State::Clarification, &what).map_err(failed)?;
    let desk = desk(cx, memory, agent, State::Clarification, &what);
    let texts = panelist(agent).clarify(&desk).await.map_err(failed)?;
    let iteration = memory.clarification_iterations + 1;
    let id = |n: usize| match iteration {
        1 => format!("{}-{n}", agent.id),
        later => format!("f{later}-{}-{n}", agent.id),
    };
    let known = |text: &String| memory.clarifications.iter().any(|asked| asked.question == *text);
    let new: Vec<String> = texts.into_iter().filter(|text| !text.trim().is_empty() && !known(text)).collect();
    let most = memory.setup.terms.clarify_per_agent;
    if new.len() > most {
        let why = format!("it had {}, and each may ask {most} at a time", new.len());
        let what = LeftOut { round: memory.round, what: format!("{what} over its share ({iteration})"), why };
        cx.emit(Event::LeftOut { what }).await.map_err(|fault| failed(fault.into()))?;
    }
    let asked = (1..).zip(new.into_iter().take(most));
    Ok(asked
        .map(|(n, question)| Clarification {
            id: id(n),
            agent: agent.id.clone(),
            question,
            answer: String::new(),
        })
        .collect())
}
