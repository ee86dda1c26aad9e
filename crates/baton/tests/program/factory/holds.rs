//! The twelve invariants of a build, each by its name, over everything a build leaves behind: its journals, its repository,
//! its worktrees, and what each life of the program said.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use baton_machine::{Workflow as _, describe};
use baton_workflows::effort::Effort;
use baton_workflows::factory::Factory;
use serde_json::Value;

use super::site::{Build, git};
use crate::support::Output;

/// A record that belongs to a run, as data.
struct Journal {
    workflow: &'static str,
    records: Vec<Value>,
}

impl Journal {
    /// Bodies of one kind, each with its place.
    fn of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = (usize, &'a Value)> {
        let named = self.records.iter().enumerate().filter(move |(_, record)| record["kind"] == kind);
        named.map(|(at, record)| (at, &record["body"]))
    }

    /// Events of one name, each with its place.
    fn events<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (usize, &'a Value)> {
        self.of("event")
            .map(move |(at, body)| (at, &body["event"]["is"][name]))
            .filter(|(_, it)| !it.is_null())
    }
}

/// Everything at rest.
struct Left<'a> {
    build: &'a Build,
    factory: Journal,
    efforts: Vec<Journal>,
    /// The newest integrated commit.
    line: String,
    /// Each commit a wave's ref ever stood at.
    waves: Vec<String>,
}

/// Fails unless all of them hold of a build that rests and of the lives that ended by themselves.
pub fn all_hold(build: &Build, lives: &[Output]) {
    let factory = Journal { workflow: "factory", records: build.journal(&build.run) };
    let efforts = build.efforts();
    let efforts =
        efforts.iter().map(|run| Journal { workflow: "effort", records: build.journal(run) }).collect();
    let waves = waves(build);
    let line = factory.events("EFFORT_MERGED").last().map(|(_, it)| text(&it["merged"]["commit"]));
    let line = line.unwrap_or_else(|| git(&build.store(), &["rev-parse", "refs/baton/base"]));
    let left = Left { build, factory, efforts, line, waves };
    left.reached_commits_stay_reachable();
    left.no_effort_is_merged_twice();
    left.wave_refs_stand_at_trees_whose_gates_passed();
    left.only_rows_of_the_table_were_taken();
    left.turns_and_reservations_stay_within_their_limits();
    left.one_process_lives_for_one_turn();
    left.no_work_goes_with_a_worktree();
    left.what_was_superseded_is_in_no_line();
    left.the_same_journal_made_the_same_commits();
    left.what_is_merged_is_what_was_reviewed();
    left.parked_work_waited_for_a_word();
    exit_code_0_means_complete(lives);
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Each commit a wave's ref ever stood at, by its own log.
fn waves(build: &Build) -> Vec<String> {
    let store = build.store();
    let refs = git(&store, &["for-each-ref", "--format=%(refname)", "refs/heads/wave-*-integration"]);
    let logs = refs.lines().flat_map(|name| {
        let log = std::fs::read_to_string(store.join("logs").join(name)).expect("a log of the ref");
        log.lines().filter_map(|line| line.split(' ').nth(1).map(str::to_owned)).collect::<Vec<_>>()
    });
    logs.collect()
}

impl Left<'_> {
    fn store(&self) -> std::path::PathBuf {
        self.build.store()
    }

    fn is_in(&self, part: &str, whole: &str) -> bool {
        let asked = ["merge-base", "--is-ancestor", part, whole];
        Command::new("git").arg("--git-dir").arg(self.store()).args(asked).status().expect("git").success()
    }

    /// 1: no commit that was reachable before a crash becomes unreachable.
    fn reached_commits_stay_reachable(&self) {
        let listed = git(&self.store(), &["rev-list", "--all"]);
        let now: BTreeSet<&str> = listed.lines().collect();
        let gone: Vec<&String> = self.build.seen.iter().filter(|seen| !now.contains(seen.as_str())).collect();
        assert!(gone.is_empty(), "1: unreachable: {gone:?}");
        let made = self
            .efforts
            .iter()
            .flat_map(|it| it.events("COMMITTED").map(|(_, it)| text(&it["snapped"]["tip"])));
        let lost: Vec<String> = made.filter(|tip| !now.contains(tip.as_str())).collect();
        assert!(lost.is_empty(), "1: commits of efforts that no ref leads to: {lost:?}");
    }

    /// 2: no effort is merged twice.
    fn no_effort_is_merged_twice(&self) {
        let trailer = "--format=%(trailers:key=Baton-Effort,valueonly,separator=)";
        let listed = git(&self.store(), &["log", "--merges", trailer, &self.line]);
        let named = listed.lines().filter(|line| !line.is_empty()).map(str::to_owned);
        let mut lines = vec![named.collect::<Vec<_>>(), Vec::new()];
        for (_, event) in self.factory.of("event") {
            let event = &event["event"]["is"];
            // A recovery or a reset begins another line, which may take an effort up again.
            if !event["RECOVERY_INTEGRATED"].is_null() || !event["PROJECT_RESET"].is_null() {
                lines.push(Vec::new());
            }
            let merged = event["EFFORT_MERGED"]["merged"]["effort"].as_str();
            lines.last_mut().expect("a line").extend(merged.map(str::to_owned));
        }
        for merged in lines {
            let once: BTreeSet<&String> = merged.iter().collect();
            assert_eq!(once.len(), merged.len(), "2: {merged:?}");
        }
    }

    /// 3: a wave's ref moves only to trees whose gates passed. The gate is run again here.
    fn wave_refs_stand_at_trees_whose_gates_passed(&self) {
        let mut passed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut asked = BTreeMap::new();
        for record in &self.factory.records {
            let body = &record["body"];
            if body["kind"] == "gate" {
                asked.insert(text(&body["key"]), text(&body["input"]["is"]["gate"]["run"]));
            }
            if body["out"]["Ok"]["is"]["end"] == "passed" {
                let line = asked.get(&text(&body["key"])).expect("an intent").clone();
                passed.entry(text(&body["out"]["Ok"]["is"]["tree"])).or_default().insert(line);
            }
        }
        for commit in &self.waves {
            let tree = git(&self.store(), &["rev-parse", &format!("{commit}^{{tree}}")]);
            let lines =
                passed.get(&tree).unwrap_or_else(|| panic!("3: no gate of the build passed on {commit}"));
            let place = tempfile::tempdir().expect("a folder");
            check_out(&self.store(), commit, place.path());
            for line in lines {
                let said =
                    Command::new("sh").args(["-c", line]).current_dir(place.path()).output().expect("sh");
                assert!(said.status.success(), "3: `{line}` fails on {commit}: {said:?}");
            }
        }
    }

    /// 4: only rows of the table were taken, each from where the one before led.
    fn only_rows_of_the_table_were_taken(&self) {
        for journal in self.efforts.iter().chain([&self.factory]) {
            let is_build = journal.workflow == Factory::NAME;
            let table = if is_build { describe(Factory::TABLE) } else { describe(Effort::TABLE) };
            let mut stands = table.start.clone();
            for (_, event) in journal.of("event") {
                let (from, to) = (text(&event["from"]), text(&event["to"]));
                assert_eq!(from, stands, "4: {event}");
                let row = event["row"].as_u64().and_then(|row| table.rows.get(row as usize)).expect("a row");
                assert!(row.covers(&from), "4: {} does not take {event}", row.line());
                assert!(row.target().is_none_or(|target| target == to), "4: {} and {event}", row.line());
                stands = to;
            }
            assert_eq!(journal.of("refused").count(), 0, "4: an event was refused");
        }
    }

    /// 5: no more turns at once than the plan allows, and never more reserved than a run may spend.
    fn turns_and_reservations_stay_within_their_limits(&self) {
        let started = &self.factory.records[0]["body"]["input"]["is"]["plan"];
        let cap = started["policy"]["parallel"].as_u64().expect("a cap") as i64;
        let mut turns = Vec::new();
        for journal in &self.efforts {
            let ends: BTreeMap<String, String> = journal
                .records
                .iter()
                .filter(|record| record["kind"] == "receipt")
                .map(|record| (text(&record["body"]["key"]), text(&record["at"])))
                .collect();
            // A turn that a crash cut short is asked for again under the same name; when it ended nobody saw.
            let begun = journal.of("intent").filter(|(_, intent)| intent["kind"] == "turn");
            let begun: BTreeMap<String, usize> =
                begun.map(|(at, intent)| (text(&intent["key"]), at)).collect();
            for (key, at) in begun {
                let Some(end) = ends.get(&key) else { continue };
                turns.push((text(&journal.records[at]["at"]), 1));
                turns.push((end.clone(), -1));
            }
        }
        // What ends and begins in the same moment is not beside each other.
        turns.sort();
        let mut open = 0;
        for (at, change) in turns {
            open += change;
            assert!(open <= cap, "5: {open} turns at {at}");
        }
        for journal in self.efforts.iter().chain([&self.factory]) {
            let limit = journal.records[0]["body"]["settings"]["limits"]["micro_usd"].as_u64();
            let reserved: u64 =
                journal.of("intent").filter_map(|(_, intent)| intent["reserve"]["micro_usd"].as_u64()).sum();
            assert!(reserved <= limit.unwrap_or(u64::MAX), "5: {reserved} reserved of {limit:?}");
        }
    }

    /// 6: one live process for one turn; the recipes tell when they meet another.
    fn one_process_lives_for_one_turn(&self) {
        let twice = std::fs::read_to_string(self.build.home.desk().join("twice")).unwrap_or_default();
        assert_eq!(twice, "", "6: efforts whose turn lived twice");
    }

    /// 7: no worktree goes with work that nothing else holds: what stood in it is in a commit that a ref leads to.
    fn no_work_goes_with_a_worktree(&self) {
        let kept = git(&self.store(), &["for-each-ref", "--format=%(refname)"]);
        for (_, receipt) in self.factory.of("receipt") {
            for effort in receipt["out"]["Ok"]["is"]["removed"].as_array().into_iter().flatten() {
                let effort = text(effort);
                let mine = format!("-{effort}");
                let branch =
                    kept.lines().find(|name| name.starts_with("refs/heads/wave-") && name.ends_with(&mine));
                let branch = branch.unwrap_or_else(|| panic!("7: the branch of {effort} is gone"));
                let holds =
                    git(&self.store(), &["for-each-ref", "--format=%(refname)", "--contains", branch]);
                assert!(holds.lines().any(|name| name != branch), "7: nothing else holds {branch}");
            }
        }
    }

    /// 8: what was split is integrated in parts and never itself.
    fn what_was_superseded_is_in_no_line(&self) {
        for journal in &self.efforts {
            if journal.of("event").last().is_some_and(|(_, event)| event["to"] == "SUPERSEDED") {
                let tip = journal.events("COMMITTED").last().map(|(_, it)| text(&it["snapped"]["tip"]));
                let tip = tip.expect("a commit");
                assert!(!self.is_in(&tip, &self.line), "8: {tip} was split and is in the line");
            }
        }
    }

    /// 9: the same journal makes the same commits: nothing was made again under another id.
    fn the_same_journal_made_the_same_commits(&self) {
        let listed = git(
            &self.store(),
            &["cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)"],
        );
        let mut made: BTreeMap<String, String> = BTreeMap::new();
        for commit in listed.lines().filter_map(|line| line.strip_prefix("commit ")) {
            let what = git(&self.store(), &["show", "--no-patch", "--format=%T %P%n%B", commit]);
            // Only what is made once has such a line: a checkpoint may be made of the same commits again.
            if what.contains("Baton-Effort:") {
                let twin = made.insert(what.clone(), commit.to_owned());
                assert_eq!(twin, None, "9: {commit} is the same again: {what}");
            }
        }
    }

    /// 10: what is merged is what was reviewed, commit and tree.
    fn what_is_merged_is_what_was_reviewed(&self) {
        let mut approved = BTreeSet::new();
        for journal in &self.efforts {
            for (at, event) in journal.events("APPROVED") {
                let before = journal.events("COMMITTED").filter(|(place, _)| *place < at).last();
                let (_, committed) = before.expect("a commit before its review");
                assert_eq!(event["review"]["commit"], committed["snapped"]["tip"], "10");
                assert_eq!(event["review"]["tree"], committed["snapped"]["tree"], "10");
                approved.insert(text(&event["review"]["commit"]));
            }
        }
        for commit in &self.waves {
            let parents = git(&self.store(), &["show", "--no-patch", "--format=%P", commit]);
            if let Some(merged) = parents.split(' ').nth(1) {
                assert!(approved.contains(merged), "10: {merged} was merged and not approved");
            }
        }
    }

    /// 11: parked work goes on only after a word of a person.
    fn parked_work_waited_for_a_word(&self) {
        for journal in &self.efforts {
            let mut parked = None;
            for (at, event) in journal.of("event") {
                if event["from"] == "PARKED" && event["to"] != "PARKED" {
                    let since = parked.expect("an event that parked it");
                    let answered = journal.of("answered").any(|(place, _)| place > since && place < at);
                    assert!(answered, "11: {event} without an answer");
                }
                parked = if event["to"] == "PARKED" { parked.or(Some(at)) } else { None };
            }
        }
    }
}

/// 12: the program ends with 0 only if the build is complete, and with 5 only if somebody has to answer.
fn exit_code_0_means_complete(lives: &[Output]) {
    for said in lives {
        let value = said.json();
        let complete = value["state"] == "COMPLETE";
        assert_eq!(said.code == Some(0), complete, "12: {said:?}");
        if said.code == Some(5) {
            assert!(value["status"] == "waiting" || value["questions"].is_array(), "12: {said:?}");
        }
    }
}

/// The files of a commit in a folder.
fn check_out(store: &Path, commit: &str, folder: &Path) {
    let archive = folder.with_extension("tar");
    let to = archive.display().to_string();
    git(store, &["archive", "--format=tar", "-o", &to, commit]);
    let done = Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(folder).status().expect("tar");
    assert!(done.success());
    std::fs::remove_file(archive).expect("removed");
}
