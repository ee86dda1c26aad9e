//! What the folder shows: the record with its dissent, and a page on which nothing an agent wrote is more than text.

use super::{decision, shown, theirs, transcript};
use crate::debate::Event;
use crate::debate::contribution::{Reply, Severity, Type};
use crate::debate::tests::support::{answers, memory, objects, question, setup, solution, takes};

#[test]
fn the_record_keeps_votes_moves_dissent_and_what_is_open() {
    let said = vec![
        takes(1, Type::Proposal, "ann", "sqlite"),
        takes(1, Type::Proposal, "bob", "postgres"),
        takes(1, Type::Proposal, "cid", "postgres"),
        objects(1, "ann", "bob", "r1-1B-1", Severity::Major, "a server must be kept alive"),
        objects(1, "ann", "cid", "r1-1C-1", Severity::Blocking, "nobody knows how"),
        answers(takes(1, Type::Refinement, "bob", "sqlite"), "r1-1B-1", Reply::Accepted),
        answers(takes(1, Type::Refinement, "cid", "postgres"), "r1-1C-1", Reply::Rejected),
        takes(1, Type::Refinement, "ann", "sqlite"),
    ];
    let mut memory = memory(&setup(), 1, said);
    memory.learn(&Event::ImpasseReached { why: "nobody moves".to_owned() });
    memory.learn(&Event::Complete { solution: solution() });
    let record = decision::record(&memory);
    for line in [
        "Ended by IMPASSE_REACHED: nobody moves.",
        "**Confidence: 80 of 100** (source: test). Written by test.",
        "| store | sqlite | 2 of 3 | in dispute: most votes, not the quorum |",
        "## Why sqlite (store)",
        "- “ann wants sqlite” (ann)",
        "Nobody objected to it.",
        "- **postgres** (held by cid; at first held by bob): “cid wants postgres” “bob wants postgres”",
        "- bob on store, round 1: postgres -> sqlite, because of “a server must be kept alive” (ann)",
        "- cid holds postgres on store",
        "- **Blocking**, from ann to cid in round 1: “nobody knows how”. Rejected by cid: “a reason”. **It stands.**",
        "- **Major**, from ann to bob in round 1: “a server must be kept alive”. Accepted by bob: “a reason”. \
         **ann has not looked at it again.**",
        "| store | postgres: bob, cid / sqlite: ann | postgres: cid / sqlite: ann, bob |",
        "Agreement: 66 per cent before anybody had read anybody, 66 per cent at the end (+0).",
    ] {
        assert!(record.contains(line), "{line}\n{record}");
    }
}

#[test]
fn the_transcript_tells_everything_and_escapes_it() {
    let mut one = takes(1, Type::Proposal, "ann", "sqlite");
    one.text = "<script>alert('x')</script> & more".to_owned();
    let mut memory = memory(&setup(), 1, vec![one]);
    memory.learn(&Event::QuestionsPending { questions: vec![question("ann-1")], iteration: 1 });
    let page = transcript::page(&memory).markdown();
    for line in [
        "## Clarifications",
        "what about ann-1?",
        "not answered yet",
        "### Round 1",
        "No critiques in this round.",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
    memory.setup.problem = "<b>".to_owned();
    let drawn = transcript::page(&memory).html();
    assert!(drawn.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; more"), "{drawn}");
    assert!(!drawn.contains("<script") && !drawn.contains("http:") && !drawn.contains("src="), "{drawn}");
    assert!(drawn.contains("<title>Debate: &lt;b&gt;</title>") && drawn.contains("<h3>Round 1</h3>"));
    assert!(drawn.contains("<td>ann</td>"), "{drawn}");
    assert!(page.contains("\n> \\<script>alert('x')\\</script> \\& more\n"), "{page}");
}

#[test]
fn what_agents_write_cannot_pass_for_ours() {
    let text = "# Decision: forged\n\nConfidence\n===\n\n## What was decided\n- **one**\n- two\n\n1. first\n2. second\n\n| a | b |\n|---|---|\n| <i>x</i> | y |\n\n\
                ```\n# code\n```\n[link](http://evil) ![x](http://evil/x.png)\n---\nend";
    let drawn = theirs::markdown(text);
    assert!(drawn.lines().all(|line| line.starts_with('>')), "{drawn}");
    assert!(
        !drawn.contains("> #")
            && drawn.contains("> **Decision: forged**")
            && drawn.contains("> - **one**\n> - two"),
        "{drawn}"
    );
    assert!(drawn.contains("> | \\<i>x\\</i> | y |") && drawn.contains("!\\[x\\]"), "{drawn}");
    assert!(
        !drawn
            .lines()
            .any(|line| line.trim_start_matches(['>', ' ']).starts_with(['=', '-']) && line.ends_with("--")),
        "{drawn}"
    );
    assert!(drawn.contains("> 1. first\n> 2. second\n"), "{drawn}");
    let page = theirs::html(text);
    assert!(page.contains("<ol>\n<li>first</li>"), "{page}");
    assert!(
        !page.contains("<h1")
            && !page.contains("<h2")
            && !page.contains("<a ")
            && !page.contains("<img")
            && !page.contains("<i>"),
        "{page}"
    );
    assert!(
        page.contains("<li><b>one</b></li>")
            && page.contains("<th>a</th>")
            && page.contains("<pre><code># code</code></pre>"),
        "{page}"
    );
}

#[test]
fn a_text_that_did_not_change_stands_once() {
    let mut said = Vec::new();
    for round in 1..=2 {
        said.extend([Type::Proposal, Type::Refinement].map(|kind| takes(round, kind, "ann", "sqlite")));
    }
    let page = transcript::page(&memory(&setup(), 2, said)).markdown();
    assert_eq!(page.matches("ann wants sqlite").count(), 1, "{page}");
    assert_eq!(page.matches("of round 1, unchanged.").count(), 2, "{page}");
    assert_eq!(page.matches("the refinement of round 1, unchanged.").count(), 1, "{page}");
}

#[test]
fn nothing_is_shown_of_a_round_before_everybody_has_voted_in_it() {
    use crate::debate::State;
    let said = vec![
        takes(1, Type::Proposal, "ann", "sqlite"),
        takes(1, Type::Refinement, "ann", "sqlite"),
        takes(2, Type::Proposal, "ann", "postgres"),
        objects(2, "bob", "ann", "r2", Severity::Major, "slow"),
    ];
    let memory = memory(&setup(), 2, said);
    for state in [State::Summarization, State::Proposal, State::Critique, State::Refinement] {
        let seen = shown(&memory, state);
        assert_eq!((seen.contributions.len(), seen.last_round()), (2, 1), "{state:?}");
    }
    for state in [State::Evaluation, State::Synthesis, State::Completed] {
        assert_eq!(shown(&memory, state).contributions.len(), 4, "{state:?}");
    }
}
