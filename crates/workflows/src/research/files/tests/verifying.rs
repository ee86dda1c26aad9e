//! Checking a report offline: what holds, and what somebody changed.

use baton_agents::hash::sha256_hex;

use super::sample::{REPORT, Sample, finished, of_earlier_version};
use crate::citation::Evidence;
use crate::citation::verification::{Flaw, ReportFlaw, Verification, check};

fn evidence(sample: &Sample) -> Evidence {
    serde_json::from_str(&sample.file("evidence.json")).unwrap()
}

fn edited(from: &str, to: &str) -> Verification {
    let sample = finished();
    let report = sample.file("report.md");
    assert!(report.contains(from), "{from} is not in the report");
    check(&evidence(&sample), &report.replacen(from, to, 1), &sample.archive)
}

fn in_report(verification: &Verification) -> Vec<&ReportFlaw> {
    let own = |finding: &'_ Flaw| matches!(finding, Flaw::Report(_));
    let findings = verification.flaws.iter().filter(|finding| own(finding));
    findings
        .filter_map(|finding| if let Flaw::Report(problem) = finding { Some(problem) } else { None })
        .collect()
}

#[test]
fn an_untouched_report_holds() {
    let sample = finished();
    let verification = check(&evidence(&sample), &sample.file("report.md"), &sample.archive);
    assert_eq!(verification.flaws, []);
    assert!(verification.holds());
    // Both sides of the first block, the second block, a replaced document and what holds now.
    assert_eq!((verification.claims, verification.citations, verification.verified), (5, 5, 5));
}

#[test]
fn what_is_only_near_is_held_against_its_source_and_counted_apart() {
    let mut sample = finished();
    let block = &mut sample.memory.report.as_mut().unwrap().blocks[1];
    block.nearest = block.lines.pop();
    block.lines.clear();
    let (report, evidence) = (sample.file("report.md"), evidence(&sample));
    for words in
        ["Not answered for certain: ", "answers this for certain. The nearest, in", "Confidence: none"]
    {
        assert!(report.contains(words), "{words}: {report}");
    }
    assert_eq!((evidence.claims.len(), evidence.nearest.len()), (2, 1));
    let verification = check(&evidence, &report, &sample.archive);
    assert_eq!(verification.flaws, []);
    assert_eq!((verification.claims, verification.citations, verification.nearest), (2, 2, 1));
    let changed = check(&evidence, &report.replacen("1,450", "1,540", 1), &sample.archive);
    assert!(!changed.holds() && changed.nearest == 0);
}

#[test]
fn a_report_of_an_earlier_version_still_holds() {
    let sample = of_earlier_version();
    let report = sample.file("report.md");
    for words in ["## Findings", "## Conflicting information", "or at 70 degrees Celsius. [S01][S02]"] {
        assert!(report.contains(words), "{words}: {report}");
    }
    let verification = check(&evidence(&sample), &report, &sample.archive);
    // Two sentences of the answer, one finding, two sides of a conflict, a replaced document and what holds now.
    assert_eq!((verification.claims, verification.citations, verification.verified), (7, 8, 8));
    assert!(verification.holds());
}

#[test]
fn prose_holds_like_a_list() {
    let mut sample = of_earlier_version();
    sample.memory.report.as_mut().unwrap().by = "a-model".to_owned().into();
    let report = sample.file("report.md");
    let answer =
        "at 65 degrees Celsius. [S01] The Quayside network supplies water at 65 degrees Celsius or at";
    assert!(report.contains(answer), "{report}");
    let verification = check(&evidence(&sample), &report, &sample.archive);
    assert_eq!((verification.flaws.len(), verification.citations, verification.verified), (0, 8, 8));
    // A sentence slipped in between two others has no citation of its own.
    let slipped = report.replacen("[S01] The Quayside", "[S01] It never fails. The Quayside", 1);
    let verification = check(&evidence(&sample), &slipped, &sample.archive);
    assert!(verification.verified < verification.citations && verification.flaws.len() == 3);
}

#[test]
fn a_sentence_edited_by_hand_is_found() {
    let verification =
        edited("The connection fee for a flat is 1,450 euros. [S01]", "The fee is 1,450 euros. [S01]");
    let findings = in_report(&verification);
    assert!(matches!(findings[0], ReportFlaw::ReportChanged));
    assert!(
        matches!(findings[1], ReportFlaw::UnknownSentence { sentence, .. } if sentence == "The fee is 1,450 euros.")
    );
    assert!(matches!(findings[2], ReportFlaw::MissingSentence { .. }));
    assert_eq!((verification.citations, verification.verified), (5, 4));
}

#[test]
fn a_citation_added_by_hand_is_found() {
    let verification = edited("1,450 euros. [S01]", "1,450 euros. [S01][S02]");
    let findings = in_report(&verification);
    assert!(
        matches!(findings[1], ReportFlaw::WrongCitations { expected, found, .. }
            if *expected == ["S01"] && *found == ["S01", "S02"]),
        "{findings:?}"
    );
}

#[test]
fn a_sentence_without_a_citation_is_found() {
    let verification = edited("\n### What does it cost?", "- Everybody knows it.\n\n### What does it cost?");
    let uncited = |finding: &&ReportFlaw| matches!(finding, ReportFlaw::UncitedSentence { sentence, .. } if sentence == "Everybody knows it.");
    assert!(in_report(&verification).iter().any(uncited), "{:?}", verification.flaws);
}

#[test]
fn a_change_anywhere_else_is_found() {
    let verification = edited("## Limits", "## Limitations");
    assert_eq!(in_report(&verification), [&ReportFlaw::ReportChanged]);
    assert_eq!(verification.verified, 5);
}

#[test]
fn a_changed_archive_is_found_and_its_citations_do_not_hold() {
    let mut sample = finished();
    let (evidence, report) = (evidence(&sample), sample.file("report.md"));
    sample.archive.0.insert(sha256_hex(REPORT.as_bytes()), "another text".to_owned());
    let verification = check(&evidence, &report, &sample.archive);
    assert_eq!(verification.flaws.len(), 1, "{:?}", verification.flaws);
    // Only what rests on the newsletter and the old terms alone still holds.
    assert!(verification.verified < verification.citations - 2);
    let json = serde_json::to_value(&verification).unwrap();
    assert_eq!(json["findings"][0]["problem"], "archive");
}

#[test]
fn evidence_forged_together_with_the_report_is_found() {
    let sample = finished();
    let mut evidence = evidence(&sample);
    let lie = "The connection fee for a flat is 9,999 euros.";
    let report = sample.file("report.md").replace("The connection fee for a flat is 1,450 euros.", lie);
    for claim in evidence.claims.iter_mut().filter(|claim| claim.text.contains("1,450")) {
        claim.text = lie.to_owned();
    }
    evidence.report_hash = sha256_hex(report.as_bytes());
    let verification = check(&evidence, &report, &sample.archive);
    assert!(
        in_report(&verification)
            .iter()
            .any(|it| matches!(it, ReportFlaw::NotCarried { reason, .. } if reason.contains("9,999"))),
        "{:?}",
        verification.flaws
    );
}
