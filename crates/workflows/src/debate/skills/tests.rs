//! Every prompt renders, every check finds what it is for, every twin says only what it can count.

use baton_agents::skill::{Piece, Skill};
use serde_json::json;

use super::clarify::{Clarify, ToClarify};
use super::condense::{Condense, ToCondense};
use super::critique::{Critique, Raised, Review, Shown, ToCritique};
use super::evaluate::{Evaluate, Scores, ToEvaluate};
use super::find_frame::{FindFrame, Found, FoundSlot, ToFrame};
use super::judge::{FindingKind, JudgeFinding, JudgeRound, Judged, ToJudge};
use super::look::{Look, ToLook};
use super::propose::{Draft, Propose, ToPropose};
use super::refine::{Refine, Refined, ToRefine};
use super::synthesize::{Synthesize, ToSynthesize, Written};
use super::{Brief, Desk, Position};
use crate::debate::contribution::Excerpt;
use crate::debate::contribution::{Reply, Response, Severity};
use crate::debate::frame::Frame;
use crate::debate::setup::Requirement;
use crate::debate::tests::support::slot;
use crate::debate::winning::covered_by_words;

fn brief() -> Brief {
    Brief {
        problem: "Where do we store the jobs? We want sqlite, not postgres.".to_owned(),
        focus: "the whole".to_owned(),
        frame: Frame { slots: vec![slot("store", &["sqlite", "postgres"])] },
        requirements: vec!["R1: It must survive a crash.".to_owned()],
        clarifications: vec!["How much? -> little".to_owned()],
        round: 1,
    }
}

fn position(option: &str) -> Position {
    Position { slot: "store".to_owned(), option: option.to_owned() }
}

/// Every variable of the prompt is given, and the other way round nothing foreign stands outside the material.
#[track_caller]
fn renders<S: Skill>(input: &S::Input) {
    let vars: Vec<&str> = S::vars(input).names().collect();
    let named = S::PROMPT.split("{{").skip(1).filter_map(|rest| rest.split(['}', '|']).next()).map(str::trim);
    for name in named.filter(|name| !["material", "requirement", "name"].contains(name)) {
        assert!(vars.contains(&name), "{} names {name}: {vars:?}", S::NAME);
    }
    let material: Vec<Piece> = S::material(input);
    assert!(S::PROMPT.contains("{{ material }}"), "{}", S::NAME);
    assert!(material.iter().all(|piece| !piece.name().is_empty()));
}

fn to_critique(dissent: bool) -> ToCritique {
    let shown = |letter: &str| Shown {
        letter: letter.to_owned(),
        text: "words".to_owned(),
        positions: vec![],
        covers: vec![],
    };
    let raised = vec!["r1-1B-1 (major): it is slow -> rejected: no".to_owned()];
    let history = "before".to_owned();
    ToCritique { brief: brief(), targets: vec![shown("B")], raised, history, dissent, desk: Desk::default() }
}

fn to_refine() -> ToRefine {
    ToRefine {
        brief: brief(),
        own: "Use sqlite.".to_owned(),
        positions: vec![position("sqlite")],
        covers: vec![],
        objections: vec!["r1-2A-1 (major): it is slow".to_owned()],
        critiques: vec!["It is slow.".to_owned()],
        history: String::new(),
        desk: Desk::default(),
    }
}

fn to_judge() -> ToJudge {
    ToJudge {
        brief: brief(),
        standing: vec![("A".to_owned(), "Use sqlite.".to_owned())],
        open: vec!["r1-2A-1 (major): it is slow".to_owned()],
        critiques: vec![("A".to_owned(), "Nothing is measured.".to_owned())],
        agreement: Some(66),
        gaps: 2,
        decides: "agreement".to_owned(),
        desk: Desk::default(),
    }
}

fn to_synthesize() -> ToSynthesize {
    ToSynthesize {
        brief: brief(),
        decided: vec!["store: sqlite (votes: sqlite 2)".to_owned()],
        standing: vec![],
        open: vec!["r1-2A-1 (major): it is slow -> not answered".to_owned()],
        settled: vec![],
        critiques: vec![],
        unmet: vec!["R1".to_owned()],
        history: String::new(),
        ended: "all rounds".to_owned(),
    }
}

#[test]
fn prompts_name_only_what_they_are_given() {
    renders::<Propose>(&ToPropose { brief: brief(), found: vec!["a file".to_owned()] });
    renders::<Critique>(&to_critique(true));
    renders::<Refine>(&to_refine());
    renders::<Clarify>(&ToClarify { brief: brief(), instructions: String::new(), most: 5 });
    renders::<Condense>(&ToCondense {
        history: "long".to_owned(),
        focus: "x".to_owned(),
        instructions: String::new(),
        most: 100,
    });
    renders::<JudgeRound>(&to_judge());
    renders::<Synthesize>(&to_synthesize());
    renders::<FindFrame>(&ToFrame { brief: brief() });
    renders::<Look>(&ToLook { brief: brief(), found: vec![], left: 3 });
    renders::<Evaluate>(&to_evaluate(2, 1));
}

#[test]
fn a_proposal_takes_a_position_on_every_slot() {
    let input = ToPropose { brief: brief(), found: vec![] };
    let draft = |positions, covers| Draft { proposal: "words".to_owned(), positions, covers, quotes: vec![] };
    let problems =
        |draft: Draft| Propose::check(&input, &draft).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(problems(draft(vec![position("SQLite")], vec!["R1".to_owned()])).is_empty());
    assert!(problems(draft(vec![position("other: paper")], vec![])).is_empty());
    assert_eq!(
        problems(draft(vec![], vec![])),
        ["at /positions: there is no position on the slot \"store\""]
    );
    assert_eq!(problems(draft(vec![position("paper")], vec![])).len(), 2);
    assert_eq!(problems(draft(vec![position("sqlite")], vec!["R9".to_owned()])).len(), 1);
}

#[test]
fn the_twin_of_a_proposal_takes_what_the_problem_says() {
    let twin = |brief| Propose::rules(&ToPropose { brief, found: vec![] });
    assert_eq!(twin(brief()).unwrap().positions, [position("sqlite")]);
    assert_eq!(twin(Brief { problem: "Where?".to_owned(), ..brief() }), None, "it does not guess");
}

#[test]
fn a_critique_names_what_it_was_shown() {
    let raised = |target: &str, slot: &str, claim: &str| Raised {
        target: target.to_owned(),
        slot: slot.to_owned(),
        severity: Severity::Major,
        claim: claim.to_owned(),
        quote: None,
    };
    let check = |dissent, objections, settled: &[&str]| {
        let settled = settled.iter().map(|id| (*id).to_owned()).collect();
        Critique::check(
            &to_critique(dissent),
            &Review { critique: String::new(), objections, settled, look: vec![] },
        )
        .len()
    };
    assert_eq!(check(false, vec![raised("B", "store", "slow")], &["r1-1B-1"]), 0);
    assert_eq!(check(false, vec![raised("Z", "shop", "")], &["r9"]), 4);
    assert_eq!(check(false, vec![], &[]), 0, "no objection is a good answer");
    assert_eq!(check(true, vec![], &[]), 1, "but not when it is one's turn to dissent");
    let twin = Critique::rules(&to_critique(false)).unwrap();
    assert_eq!(twin.objections.len(), 2, "a missing position and an uncovered requirement");
}

#[test]
fn a_refinement_answers_every_objection() {
    let refined = |responses| Refined {
        proposal: "words".to_owned(),
        positions: vec![position("sqlite")],
        covers: vec![],
        responses,
        quotes: vec![],
        look: vec![],
    };
    let response = |id: &str, reply, reason: &str| Response {
        objection: id.to_owned(),
        reply,
        reason: reason.to_owned(),
    };
    let check = |responses| Refine::check(&to_refine(), &refined(responses)).len();
    assert_eq!(check(vec![response("r1-2A-1", Reply::Accepted, "")]), 0);
    assert_eq!(check(vec![]), 1);
    assert_eq!(check(vec![response("r1-2A-1", Reply::Rejected, "")]), 1, "a rejection needs a reason");
    assert_eq!(check(vec![response("r1-2A-1", Reply::Accepted, ""), response("r7", Reply::Accepted, "")]), 1);
    assert!(Refine::rules(&to_refine()).unwrap().responses.is_empty(), "rules have weighed nothing");
}

#[test]
fn a_finding_without_its_words_does_not_count() {
    let judged = |quote: &str, agreement| Judged {
        findings: vec![JudgeFinding {
            kind: FindingKind::Contradiction,
            what: "a contradiction".to_owned(),
            quote: quote.to_owned(),
        }],
        agreement,
        readiness: 50,
        look: vec![],
    };
    assert!(JudgeRound::check(&to_judge(), &judged("Use sqlite.", 80)).is_empty());
    assert!(JudgeRound::check(&to_judge(), &judged("it is slow", 80)).is_empty());
    assert!(JudgeRound::check(&to_judge(), &judged("Nothing is measured.", 80)).is_empty());
    assert_eq!(JudgeRound::check(&to_judge(), &judged("Use mongodb.", 80)).len(), 1);
    assert_eq!(JudgeRound::check(&to_judge(), &judged("Use sqlite.", 180)).len(), 1);
    let twin = JudgeRound::rules(&to_judge()).unwrap();
    assert_eq!((twin.agreement, twin.readiness), (66, 36));
    assert_eq!(JudgeRound::rules(&ToJudge { agreement: None, ..to_judge() }), None, "no frame, no number");
}

#[test]
fn a_decision_names_requirements_that_exist() {
    let written = |unmet: &str| Written {
        solution: "words".to_owned(),
        tradeoffs: vec![],
        recommendations: vec![],
        unmet_requirements: vec![unmet.to_owned()],
        open_questions: vec![],
        confidence: 80,
    };
    assert!(Synthesize::check(&to_synthesize(), &written("R1")).is_empty());
    assert_eq!(Synthesize::check(&to_synthesize(), &written("R2")).len(), 1);
    let twin = Synthesize::rules(&to_synthesize()).unwrap();
    assert!(twin.solution.contains("- store: sqlite (votes: sqlite 2)"));
    assert_eq!(twin.unmet_requirements, ["R1"]);
}

#[test]
fn the_twin_finds_a_frame_where_the_problem_names_one() {
    let options = |problem: &str| {
        let brief = Brief { problem: problem.to_owned(), ..Brief::default() };
        FindFrame::rules(&ToFrame { brief }).map(|found| found.slots[0].options.clone())
    };
    assert_eq!(options("SQLite or Postgres?").unwrap(), ["SQLite", "Postgres"]);
    assert_eq!(
        options("Pick one.\nOptions:\n- fail open\n- fail closed\n").unwrap(),
        ["fail open", "fail closed"]
    );
    assert_eq!(options("What now?"), None);
    let one = FoundSlot { slot: "x".to_owned(), question: String::new(), options: vec!["only".to_owned()] };
    let input = ToFrame { brief: brief() };
    assert_eq!(FindFrame::check(&input, &Found { slots: vec![one] }).len(), 1);
    assert_eq!(FindFrame::check(&input, &Found { slots: vec![] }).len(), 1);
}

fn to_evaluate(requirements: usize, unmet: usize) -> ToEvaluate {
    let (problem, decision) = ("Where?".to_owned(), "sqlite".to_owned());
    ToEvaluate { problem, decision, instructions: String::new(), requirements, unmet }
}

#[test]
fn scores_are_numbers_from_one_to_ten() {
    let scores = |value| Scores { scores: serde_json::from_value(value).unwrap() };
    let some = scores(json!({"security": 0, "overall": 11.5, "testability": "good", "taste": 3}));
    assert_eq!(some.numbers().into_iter().collect::<Vec<_>>(), [("overall", 10.0), ("security", 1.0)]);
    assert_eq!(Evaluate::check(&to_evaluate(1, 0), &scores(json!({"taste": 3}))).len(), 1);
    let twin = Evaluate::rules(&to_evaluate(2, 1)).unwrap();
    assert_eq!(twin.numbers().into_iter().collect::<Vec<_>>(), [("requirements_fulfillment", 5.5)]);
    assert_eq!(Evaluate::rules(&to_evaluate(0, 0)), None, "nothing was counted");
}

#[test]
fn a_long_history_is_cut_between_sentences() {
    let history = "One thing was said. Another thing was said. A third thing was said.".to_owned();
    let input = ToCondense { history, focus: String::new(), instructions: String::new(), most: 45 };
    assert_eq!(Condense::rules(&input).unwrap().summary, "One thing was said. Another thing was said.");
}

#[test]
fn requirements_are_covered_by_their_words_or_their_id() {
    let text = "A job must survive a restart.".to_owned();
    let requirements = [Requirement { id: "R1".to_owned(), text, major: true }];
    assert_eq!(covered_by_words(&requirements, "Jobs survive it."), ["R1"]);
    assert_eq!(covered_by_words(&requirements, "See R1."), ["R1"]);
    assert!(covered_by_words(&requirements, "It scales.").is_empty());
}

#[test]
fn what_is_not_met_is_not_covered() {
    let requirement = |text: &str| [Requirement { id: "R1".to_owned(), text: text.to_owned(), major: true }];
    let survive = requirement("A job must survive a restart.");
    for denied in [
        "This does not meet R1.",
        "R1 is not met: jobs are lost.",
        "R1 is not yet fully covered.",
        "We violate R1 on purpose.",
        "R1: unmet.",
        "Jobs do not survive a restart.",
        "It cannot satisfy R1, but it is fast.",
    ] {
        assert!(covered_by_words(&survive, denied).is_empty(), "{denied}");
    }
    for said in [
        "R1 is met: no job is lost.",
        "R1: jobs survive.",
        "It meets not only R1 but more.",
        "R12 fails. R1 holds.",
    ] {
        assert_eq!(covered_by_words(&survive, said), ["R1"], "{said}");
    }
    let forbids = requirement("The solution must not need a server that nobody has run before.");
    assert_eq!(covered_by_words(&forbids, "It needs no server that nobody has run before."), ["R1"]);
}

#[test]
fn words_of_a_document_stand_in_it() {
    let given = |source: &str, quote: &str| Excerpt { source: source.to_owned(), quote: quote.to_owned() };
    let desk =
        Desk { found: vec!["notes.md:\nWe had 40 jobs a second. Nobody was paged.".to_owned()], left: 0 };
    let check = |excerpt: Excerpt| desk.check_quote("/quote", &excerpt).len();
    assert_eq!(check(given("notes.md", "We had 40 jobs a second.")), 0);
    assert_eq!(check(given("notes.md", "We had 400 jobs a second.")), 1, "it does not stand there");
    assert_eq!(check(given("other.md", "We had 40 jobs a second.")), 1, "nor there");
    assert_eq!(check(given("notes.md", "We had 4")), 1, "nor half a number");
}

#[test]
fn a_wish_to_look_is_heard_as_long_as_there_is_leave() {
    let wish = |left| {
        let input = ToCritique { desk: Desk { found: vec![], left }, ..to_critique(true) };
        let call = crate::debate::tools::ToolCall {
            tool: crate::debate::tools::Tool::List,
            argument: ".".to_owned(),
        };
        let review =
            Review { critique: String::new(), objections: vec![], settled: vec![], look: vec![call] };
        Critique::check(&input, &review).len()
    };
    assert_eq!((wish(1), wish(0)), (0, 1), "without leave the dissent is owed");
}
