//! What the folder shows: the record with its dissent, and a page on which nothing an agent wrote is more than text.

use super::{decision, html, transcript};
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
        "Confidence: 80 of 100 (source: test).",
        "| store | sqlite | postgres: bob, cid; sqlite: ann | postgres: cid; sqlite: ann, bob |",
        "- bob on store, round 1: postgres -> sqlite (because of: a server must be kept alive)",
        "- cid holds postgres on store",
        "### cid\n\ncid wants postgres",
        "- r1-1C-1 (blocking), ann to cid: nobody knows how (rejected: a reason)",
    ] {
        assert!(record.contains(line), "{line}\n{record}");
    }
    assert!(!record.contains("r1-1B-1 ("), "what was accepted is not open");
}

#[test]
fn the_transcript_tells_everything_and_escapes_it() {
    let mut one = takes(1, Type::Proposal, "ann", "sqlite");
    one.text = "<script>alert('x')</script> & more".to_owned();
    let mut memory = memory(&setup(), 1, vec![one]);
    memory.learn(&Event::QuestionsPending { questions: vec![question("ann-1")], iteration: 1 });
    let page = transcript::page(&memory);
    for line in [
        "## Clarifications",
        "what about ann-1?",
        "not answered yet",
        "### Round 1",
        "No critiques in this round.",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
    let drawn = html::page("<b>", &page);
    assert!(drawn.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; more"), "{drawn}");
    assert!(!drawn.contains("<script") && !drawn.contains("http:") && !drawn.contains("src="), "{drawn}");
    assert!(drawn.contains("<title>&lt;b&gt;</title>") && drawn.contains("<h3>Round 1</h3>"));
    assert!(drawn.contains("<td>ann</td>"), "{drawn}");
}
