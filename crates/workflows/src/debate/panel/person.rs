//! Agents that are people: asked in plain words, one question at a time or many at once, answered in any order and
//! from any process. The answer of somebody else does not count.

use async_trait::async_trait;
use baton_engine::Question;
use futures::future::try_join_all;

use super::{CritiqueDraft, Desk, PanelError, Panelist, ProposalDraft, dissenter, letter, raised_before};
use crate::debate::contribution::{Contribution, Reply, Response, Severity, Type};
use crate::debate::frame::Slot;
use crate::debate::objections::Entry;
use crate::debate::setup::Kind;
use crate::debate::skills::critique::Raised;
use crate::debate::winning::covered_by_words;

/// How often an answer of somebody else is turned away before the agent counts as silent.
const TURNED_AWAY: u32 = 10;

pub(super) struct ByPerson;

#[async_trait]
impl Panelist for ByPerson {
    async fn propose(&self, desk: &Desk<'_>) -> Result<ProposalDraft, PanelError> {
        let frame = desk.memory.frame.clone().unwrap_or_default();
        let slots = frame.slots.iter().map(|slot| position(desk, slot, None));
        let words = ask(
            desk,
            "proposal".to_owned(),
            Question::words(format!("{}: what do you propose, and why?", desk.agent.name)),
        );
        let (positions, words) = futures::future::try_join(try_join_all(slots), words).await?;
        let positions = frame.slots.iter().map(|slot| slot.slot.clone()).zip(positions).collect();
        Ok(said(desk, words.0, positions, Vec::new(), words.1))
    }

    async fn critique(
        &self,
        desk: &Desk<'_>,
        targets: &[&Contribution],
    ) -> Result<CritiqueDraft, PanelError> {
        let dissent = if dissenter(desk.memory) == Some(desk.agent.id.as_str()) {
            " Everybody agrees so far; it is your turn to argue against it."
        } else {
            ""
        };
        let asked = targets.iter().map(|target| {
            let letter = letter(desk.memory, &target.agent);
            let unchanged = if is_unchanged(desk, target) { " It is as you have read it before." } else { "" };
            let question = format!(
                "{}: what is wrong with proposal {letter}?{unchanged}{dissent} Write `none`, or one objection on each line, such as \
                 `blocking: it loses data`, `major: ...`, `minor: ...`.\n\n{}",
                desk.agent.name,
                page(target)
            );
            async move {
                let answer = ask(desk, format!("critique-{letter}"), Question::words(question)).await?;
                Ok::<_, PanelError>((letter, answer))
            }
        });
        let before = raised_before(desk.memory, &desk.agent.id, targets);
        let settled = before.iter().map(|entry| lets_go(desk, entry));
        let (settled, asked) = futures::future::try_join(try_join_all(settled), try_join_all(asked)).await?;
        let over = before.iter().zip(settled).filter(|(_, over)| *over);
        let mut held = CritiqueDraft {
            settled: over.map(|(entry, _)| entry.objection.id.clone()).collect(),
            ..CritiqueDraft::default()
        };
        for (letter, (words, by)) in asked {
            held.objections.extend(objections(&letter, &words));
            held.text.push_str(&words);
            held.text.push('\n');
            held.by = by;
        }
        Ok(held)
    }

    async fn refine(
        &self,
        desk: &Desk<'_>,
        own: &Contribution,
        open: &[Entry],
    ) -> Result<ProposalDraft, PanelError> {
        let keep = |by: String, responses| ProposalDraft {
            text: own.text.clone(),
            positions: own.positions.clone(),
            covers: own.covers.clone(),
            responses,
            quotes: Vec::new(),
            by,
            tokens: 0,
        };
        if open.is_empty() {
            return Ok(keep(own.by.clone(), Vec::new()));
        }
        let asked = open.iter().map(|entry| {
            let objection = &entry.objection;
            let question = format!(
                "{}: a {} objection to your proposal: {} Write `accepted`, `partially: why` or `rejected: why`.",
                desk.agent.name,
                objection.severity.name(),
                objection.claim
            );
            async move {
                let (words, by) = ask(desk, objection.id.clone(), Question::words(question)).await?;
                Ok::<_, PanelError>((response(&objection.id, &words), by))
            }
        });
        let (responses, by): (Vec<Response>, Vec<String>) = try_join_all(asked).await?.into_iter().unzip();
        let by = by.into_iter().next().unwrap_or_default();
        if responses.iter().all(|response| response.reply == Reply::Rejected) {
            return Ok(keep(by, responses));
        }
        let frame = desk.memory.frame.clone().unwrap_or_default();
        let slots = frame.slots.iter().map(|slot| position(desk, slot, own.positions.get(&slot.slot)));
        let question =
            format!("{}: your proposal now? Write `keep` to leave its words as they are.", desk.agent.name);
        let words = ask(desk, "proposal".to_owned(), Question::words(question));
        let (positions, (words, by)) = futures::future::try_join(try_join_all(slots), words).await?;
        let words = if words.trim().eq_ignore_ascii_case("keep") { own.text.clone() } else { words };
        let positions = frame.slots.iter().map(|slot| slot.slot.clone()).zip(positions).collect();
        Ok(said(desk, words, positions, responses, by))
    }
}

fn said(
    desk: &Desk<'_>,
    text: String,
    positions: std::collections::BTreeMap<String, String>,
    responses: Vec<Response>,
    by: String,
) -> ProposalDraft {
    let covers = covered_by_words(&desk.memory.setup.requirements, &text);
    ProposalDraft { text, positions, covers, responses, quotes: Vec::new(), by, tokens: 0 }
}

/// Whether the person lets go of an earlier objection, now that there is an answer.
async fn lets_go(desk: &Desk<'_>, entry: &Entry) -> Result<bool, PanelError> {
    let objection = &entry.objection;
    let answer = match entry.reply {
        None => "It was not answered.".to_owned(),
        Some(_) => format!("The answer: {}.", entry.answer_in_words().trim_end_matches('.')),
    };
    let question = format!(
        "{}: your {} objection to proposal {} was: “{}” {answer} Does that settle it?",
        desk.agent.name,
        objection.severity.name(),
        letter(desk.memory, &entry.target),
        objection.claim.trim(),
    );
    let name = format!("settled-{}", objection.id);
    let (words, _) = ask(desk, name, Question::choice(question, &["yes", "no"])).await?;
    Ok(words.trim().eq_ignore_ascii_case("yes"))
}

/// Where the person stands on a slot.
async fn position(desk: &Desk<'_>, slot: &Slot, now: Option<&String>) -> Result<String, PanelError> {
    let about = if slot.question.is_empty() { String::new() } else { format!(" ({})", slot.question) };
    let so_far = now.map_or(String::new(), |option| format!(" So far: {option}."));
    let question = format!("{}: your position on {}{about}?{so_far}", desk.agent.name, slot.slot);
    let options: Vec<&str> = slot.options.iter().map(|choice| choice.option.as_str()).collect();
    let question =
        if options.is_empty() { Question::words(question) } else { Question::choice(question, &options) };
    let (words, _) = ask(desk, slot.slot.clone(), question).await?;
    slot.normal(&words)
        .ok_or_else(|| PanelError::Unusable(format!("`{words}` is no option of {}", slot.slot)))
}

/// Asks until the right person has answered.
async fn ask(desk: &Desk<'_>, what: String, question: Question) -> Result<(String, String), PanelError> {
    let Kind::Person { who } = &desk.agent.kind else {
        return Err(PanelError::Unusable(format!("{} is no person", desk.agent.id)));
    };
    let mut turned_away = String::new();
    for turn in 0..TURNED_AWAY {
        let again = if turn == 0 { String::new() } else { format!(".{}", turn + 1) };
        let retried = if desk.attempt == 0 { String::new() } else { format!(".t{}", desk.attempt) };
        let asked = Question { text: format!("{turned_away}{}", question.text), ..question.clone() };
        let name = format!("{}:{what}{again}{retried}", desk.agent.id);
        let answer = desk.cx.ask::<String>(name, asked).await?;
        match who {
            Some(who) if *who != answer.by => {
                turned_away = format!(
                    "{} answered for {}, and only {who} may; it was not taken. ",
                    answer.by, desk.agent.id
                );
            }
            _ => return Ok((answer.value, answer.by)),
        }
    }
    Err(PanelError::Unusable(format!("{}the question was left", turned_away)))
}

/// Whether a proposal is what it was in the round before.
fn is_unchanged(desk: &Desk<'_>, target: &Contribution) -> bool {
    let round = desk.memory.round;
    let before = round
        .checked_sub(1)
        .and_then(|round| desk.memory.contribution(round, Type::Proposal, &target.agent, None));
    before.is_some_and(|before| before.text == target.text && before.positions == target.positions)
}

/// A proposal as a person reads it.
fn page(one: &Contribution) -> String {
    let positions: Vec<String> =
        one.positions.iter().map(|(slot, option)| format!("- {slot}: {option}")).collect();
    format!("{}\n{}", one.text, positions.join("\n"))
}

/// Objections as people write them: one on each line, with its weight before a colon.
fn objections(letter: &str, words: &str) -> Vec<Raised> {
    let line = |line: &str| {
        let line = line.trim().trim_start_matches(['-', '*', ' ']);
        if line.is_empty() || line.eq_ignore_ascii_case("none") || line.eq_ignore_ascii_case("na") {
            return None;
        }
        let weighed = line.split_once(':').and_then(|(weight, claim)| {
            let severity = match weight.trim().to_lowercase().as_str() {
                "blocking" => Severity::Blocking,
                "major" => Severity::Major,
                "minor" => Severity::Minor,
                _ => return None,
            };
            Some((severity, claim.trim()))
        });
        let (severity, claim) = weighed.unwrap_or((Severity::Major, line));
        Some(Raised {
            target: letter.to_owned(),
            slot: String::new(),
            severity,
            claim: claim.to_owned(),
            quote: None,
        })
    };
    words.split(['\n', ';']).filter_map(line).collect()
}

/// An answer to an objection as people write it.
fn response(id: &str, words: &str) -> Response {
    let (head, reason) = words.split_once(':').unwrap_or((words, ""));
    let reply = match head.trim().to_lowercase().as_str() {
        "accepted" | "accept" | "yes" => Reply::Accepted,
        "partially" | "partly" => Reply::Partially,
        "rejected" | "reject" | "no" => Reply::Rejected,
        // Words without a verdict are a reason against it.
        _ => {
            return Response {
                objection: id.to_owned(),
                reply: Reply::Rejected,
                reason: words.trim().to_owned(),
            };
        }
    };
    Response { objection: id.to_owned(), reply, reason: reason.trim().to_owned() }
}
