//! From the text of a plan to the plan, or everything that is wrong with it.

use std::path::Path;

use toml::de::DeTable;

use super::check::{self, Places};
use super::table::{Notes, Placed};
use super::{
    Adjust, Choice, Consent, Edited, EffortPlan, Mistake, Phase, Plan, Policy, Verdicts, Wave, terms, work,
};
use crate::coding::order::{Acceptance, Sandbox, SizeLimits, Symbol};
use crate::coding::{AgentSpec, Gate, TokenPrice};
use crate::git::Delivery;

const PLAN: [&str; 15] = [
    "title",
    "base",
    "drafted",
    "agents",
    "gates",
    "integration",
    "tests",
    "protected",
    "shared",
    "size",
    "policy",
    "phase",
    "description",
    "review",
    "budget",
];
const POLICY: [&str; 16] = [
    "parallel",
    "adjustments",
    "recoveries",
    "resets",
    "retries",
    "debt",
    "recovery",
    "reset",
    "adjust",
    "sandbox",
    "deliver",
    "turn_limit",
    "idle_limit",
    "verdict",
    "edited",
    "split",
];
const PHASE: [&str; 7] = ["name", "wave", "effort", "acceptance", "adjustment", "recovery", "budget"];
const EFFORT: [&str; 14] = [
    "id",
    "name",
    "task",
    "paths",
    "depends_on",
    "agent",
    "work",
    "fix",
    "gates",
    "acceptance",
    "changes_tests",
    "size",
    "reviewer",
    "budget",
];

/// Reads a plan. Files it names stand from `folder`; `kinds` are the kinds of agents there are.
pub fn read(text: &str, folder: &Path, kinds: &[&str]) -> Result<Plan, Vec<Mistake>> {
    let mut notes = Notes::new(text);
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        notes.wrong(error.span().map_or(0, |span| span.start), error.message().trim());
    }
    if !errors.is_empty() {
        return Err(notes.mistakes);
    }
    let mut reader = Reader { notes, folder, places: Places::default(), shared: Vec::new() };
    let plan = reader.plan(document.get_ref());
    check::check(&mut reader.notes, &plan, &reader.places, kinds);
    let mut mistakes = reader.notes.mistakes;
    mistakes.sort();
    mistakes.dedup();
    if mistakes.is_empty() { Ok(plan) } else { Err(mistakes) }
}

struct Reader<'a> {
    notes: Notes<'a>,
    folder: &'a Path,
    places: Places,
    shared: Vec<String>,
}

fn plain(placed: Vec<Placed>) -> Vec<String> {
    placed.into_iter().map(|(text, _)| text).collect()
}

impl<'a> Reader<'a> {
    fn plan(&mut self, root: &DeTable<'a>) -> Plan {
        self.notes.keys(root, &PLAN, "a plan");
        let (title, _) = self.notes.needed(root, "title", 0, "a plan");
        let base = self.notes.text(root, "base").map(|(base, _)| base);
        let drafted = self.notes.flag(root, "drafted");
        let gates = self.gates(root);
        let agents = self.agents(root);
        let integration = self.notes.texts(root, "integration");
        self.places.integration = integration.iter().map(|(_, at)| *at).collect();
        let patterns = self.notes.texts(root, "shared");
        self.shared = self.inside(patterns);
        let tests = self.notes.texts(root, "tests");
        let tests = self.inside(tests);
        let protected = self.notes.texts(root, "protected");
        let protected = self.inside(protected);
        let size = self.size(root).unwrap_or_default();
        let policy = self.policy(root);
        let (review, readers) = terms::review(&mut self.notes, root);
        self.places.readers.extend(readers);
        let budget = terms::budget(&mut self.notes, root);
        let gate_names: Vec<String> = gates.iter().map(|gate| gate.name.clone()).collect();
        let mut phases = Vec::new();
        for (at, table) in self.notes.tables(root, "phase") {
            let number = phases.len() + 1;
            let phase = self.phase(table, at, number, &gate_names);
            phases.push(phase);
        }
        if phases.is_empty() {
            self.notes.wrong(0, "a plan needs at least one [[phase]]");
        }
        let integration = if integration.is_empty() && !root.contains_key("integration") {
            gate_names
        } else {
            plain(integration)
        };
        Plan {
            title,
            base,
            drafted,
            agents,
            gates,
            integration,
            tests,
            protected,
            size,
            policy,
            review,
            budget,
            phases,
        }
    }

    /// Patterns that stay inside the project.
    fn inside(&mut self, patterns: Vec<Placed>) -> Vec<String> {
        for (pattern, at) in &patterns {
            let leads_out =
                pattern.starts_with('/') || pattern.split('/').any(|part| part == ".." || part == ".git");
            if leads_out || pattern.trim().is_empty() {
                self.notes.wrong(*at, format!("`{pattern}` does not stay in the project"));
            }
        }
        plain(patterns)
    }

    fn gates(&mut self, root: &DeTable<'a>) -> Vec<Gate> {
        let Some(node) = root.get("gates") else { return Vec::new() };
        let Some(table) = self.notes.table(node, "`gates`") else { return Vec::new() };
        let mut gates = Vec::new();
        for (name, node) in table {
            let at = name.span().start;
            let name = name.get_ref().to_string();
            let Some(gate) = self.notes.table(node, &format!("the gate `{name}`")) else { continue };
            self.notes.keys(gate, &["run", "timeout", "network", "tests"], &format!("the gate `{name}`"));
            let (run, _) = self.notes.needed(gate, "run", at, &format!("the gate `{name}`"));
            let timeout_s = self.notes.seconds(gate, "timeout").unwrap_or(600);
            let (network, tests) = (self.notes.flag(gate, "network"), self.notes.flag(gate, "tests"));
            gates.push(Gate { name, run, timeout_s, network, tests });
        }
        gates
    }

    fn agents(&mut self, root: &DeTable<'a>) -> Vec<AgentSpec> {
        let mut agents = vec![AgentSpec::recipe()];
        let Some(node) = root.get("agents") else { return agents };
        let Some(table) = self.notes.table(node, "`agents`") else { return agents };
        for (name, node) in table {
            let at = name.span().start;
            let name = name.get_ref().to_string();
            let whose = format!("the agent `{name}`");
            let Some(agent) = self.notes.table(node, &whose) else { continue };
            self.notes.keys(agent, &["kind", "run", "env", "network", "turn_usd", "price"], &whose);
            let (kind, at) = self.notes.needed(agent, "kind", at, &whose);
            self.places.kinds.push((kind.clone(), at));
            let run = self.notes.text(agent, "run").map(|(run, _)| run).unwrap_or_default();
            if kind == "command" && run.is_empty() {
                self.notes.wrong(at, format!("{whose} needs `run`, the line that starts it"));
            }
            let env = plain(self.notes.texts(agent, "env"));
            let network = self.notes.flag(agent, "network");
            let turn_micro_usd = self.notes.dollars(agent, "turn_usd");
            let price = self.price(agent);
            agents.retain(|agent: &AgentSpec| agent.name != name);
            agents.push(AgentSpec { name, kind, run, env, network, turn_micro_usd, price });
        }
        agents
    }

    /// What a million tokens of an agent cost.
    fn price(&mut self, agent: &DeTable<'a>) -> Option<TokenPrice> {
        let table = self.notes.table(agent.get("price")?, "`price`")?;
        self.notes.keys(table, &["input", "output"], "`price`");
        let input = self.notes.dollars(table, "input").unwrap_or(0);
        Some(TokenPrice { input, output: self.notes.dollars(table, "output").unwrap_or(0) })
    }

    fn size(&mut self, table: &DeTable<'a>) -> Option<SizeLimits> {
        let node = table.get("size")?;
        let start = node.span().start;
        let table = self.notes.table(node, "`size`")?;
        self.notes.keys(table, &["soft", "hard", "exclude"], "`size`");
        let usual = SizeLimits::default();
        let soft = self.notes.number(table, "soft", 1).unwrap_or(usual.soft);
        let hard = self.notes.number(table, "hard", 1).unwrap_or(usual.hard.max(soft));
        if hard < soft {
            self.notes.wrong(start, format!("the hard limit {hard} is below the soft one {soft}"));
        }
        Some(SizeLimits { soft, hard, exclude: plain(self.notes.texts(table, "exclude")) })
    }

    fn policy(&mut self, root: &DeTable<'a>) -> Policy {
        let mut policy = Policy::default();
        let Some(node) = root.get("policy") else { return policy };
        let Some(table) = self.notes.table(node, "`policy`") else { return policy };
        self.notes.keys(table, &POLICY, "`policy`");
        let notes = &mut self.notes;
        policy.parallel =
            notes.number(table, "parallel", 1).map_or(policy.parallel, |many| many.min(16) as usize);
        let mut count =
            |key: &str, usual: u32| notes.number(table, key, 0).map_or(usual, |many| many.min(20) as u32);
        policy.adjustments = count("adjustments", policy.adjustments);
        policy.recoveries = count("recoveries", policy.recoveries);
        policy.resets = count("resets", policy.resets);
        policy.retries = count("retries", policy.retries);
        policy.debt = notes.number(table, "debt", 0).unwrap_or(policy.debt);
        let choices = [
            ("ask", Choice::Ask),
            ("recommended", Choice::Recommended),
            ("minimal", Choice::Minimal),
            ("standard", Choice::Standard),
            ("complete", Choice::Complete),
        ];
        policy.recovery = notes.word(table, "recovery", &choices).unwrap_or(policy.recovery);
        let consents = [("ask", Consent::Ask), ("allow", Consent::Allow)];
        policy.reset = notes.word(table, "reset", &consents).unwrap_or(policy.reset);
        let adjusts = [("review", Adjust::Review), ("direct", Adjust::Direct)];
        policy.adjust = notes.word(table, "adjust", &adjusts).unwrap_or(policy.adjust);
        let boxes = [("require", Sandbox::Require), ("prefer", Sandbox::Prefer), ("off", Sandbox::Off)];
        policy.sandbox = notes.word(table, "sandbox", &boxes).unwrap_or(policy.sandbox);
        let deliveries = [
            ("branch", Delivery::Branch),
            ("merge", Delivery::Merge),
            ("patches", Delivery::Patches),
            ("pr-files", Delivery::PrFiles),
        ];
        policy.deliver = notes.word(table, "deliver", &deliveries).unwrap_or(policy.deliver);
        let verdicts = [("ask", Verdicts::Ask), ("stands", Verdicts::Stands)];
        policy.verdict = notes.word(table, "verdict", &verdicts);
        let edits = [
            ("ask", Edited::Ask),
            ("defer", Edited::Defer),
            ("take", Edited::Take),
            ("refuse", Edited::Refuse),
        ];
        policy.edited = notes.word(table, "edited", &edits).unwrap_or(policy.edited);
        policy.turn.wall_s = notes.seconds(table, "turn_limit").unwrap_or(policy.turn.wall_s);
        policy.turn.idle_s = notes.seconds(table, "idle_limit").unwrap_or(policy.turn.idle_s);
        let splitter = notes.text(table, "split").filter(|(name, _)| name != "rules");
        policy.split = splitter.as_ref().map(|(name, _)| name.clone());
        self.places.readers.extend(splitter);
        policy
    }

    fn phase(&mut self, table: &DeTable<'a>, at: usize, number: usize, gates: &[String]) -> Phase {
        self.notes.keys(table, &PHASE, "a phase");
        let (name, _) = self.notes.needed(table, "name", at, "a phase");
        let mut waves = Vec::new();
        for (at, wave) in self.notes.tables(table, "wave") {
            self.notes.keys(wave, &["name", "effort"], "a wave");
            let name = self.notes.text(wave, "name").map(|(name, _)| name);
            let name = name.unwrap_or_else(|| format!("Wave {}", waves.len() + 1));
            let efforts = self.efforts(wave, "effort", gates);
            if efforts.is_empty() {
                self.notes.wrong(at, format!("the wave `{name}` has no [[phase.wave.effort]]"));
            }
            waves.push(Wave { name, efforts });
        }
        let loose = self.efforts(table, "effort", gates);
        waves.extend(check::waves(loose, waves.len(), &self.shared));
        if waves.is_empty() {
            self.notes.wrong(at, format!("phase {number} has no efforts"));
        }
        let acceptance = self.acceptance(table);
        let adjustment = self.efforts(table, "adjustment", gates);
        let recovery = self.efforts(table, "recovery", gates);
        let budget = self.notes.dollars(table, "budget");
        Phase { name, waves, acceptance, adjustment, recovery, budget }
    }

    fn efforts(&mut self, table: &DeTable<'a>, key: &str, gates: &[String]) -> Vec<EffortPlan> {
        let tables = self.notes.tables(table, key);
        tables.into_iter().map(|(at, table)| self.effort(table, at, gates)).collect()
    }

    fn effort(&mut self, table: &DeTable<'a>, at: usize, gates: &[String]) -> EffortPlan {
        self.notes.keys(table, &EFFORT, "an effort");
        let (id, id_at) = self.notes.needed(table, "id", at, "an effort");
        let whose = format!("the effort `{id}`");
        let name = self.notes.text(table, "name").map_or_else(|| id.clone(), |(name, _)| name);
        let task = self.notes.text(table, "task").map_or_else(|| name.clone(), |(task, _)| task);
        let paths = self.notes.texts(table, "paths");
        if paths.is_empty() && !table.contains_key("paths") {
            self.notes.wrong(id_at, format!("{whose} needs `paths`, where it may change files"));
        }
        let paths_at = paths.first().map_or(id_at, |(_, at)| *at);
        let own = self.inside(paths);
        let depends = self.notes.texts(table, "depends_on");
        let (agent, agent_at) = self.notes.text(table, "agent").unwrap_or(("recipe".to_owned(), id_at));
        let named = self.notes.texts(table, "gates");
        let gates_at = named.iter().map(|(_, at)| *at).collect();
        let all = named.is_empty() && !table.contains_key("gates");
        let work = work::read(&mut self.notes, table, "work", self.folder);
        let fix = work::read(&mut self.notes, table, "fix", self.folder);
        let steps_at = work.iter().chain(&fix).map(|(_, at)| *at).collect();
        let reviewer = self.notes.text(table, "reviewer");
        self.places.readers.extend(reviewer.clone());
        let mut paths = own;
        let own_paths = paths.len();
        paths.extend(self.shared.clone());
        let effort = EffortPlan {
            id: id.clone(),
            name,
            task,
            paths,
            depends_on: depends.iter().map(|(id, _)| id.clone()).collect(),
            agent,
            work: work.into_iter().map(|(work, _)| work).collect(),
            fix: fix.into_iter().map(|(work, _)| work).collect(),
            gates: if all { gates.to_vec() } else { plain(named) },
            acceptance: self.acceptance(table),
            changes_tests: self.notes.flag(table, "changes_tests"),
            size: self.size(table),
            reviewer: reviewer.map(|(name, _)| name),
            budget: self.notes.dollars(table, "budget"),
        };
        self.places.efforts.push(check::EffortPlace {
            id,
            at: id_at,
            paths_at,
            own_paths,
            agent_at,
            depends_at: depends.into_iter().map(|(_, at)| at).collect(),
            gates_at,
            steps_at,
        });
        effort
    }

    fn acceptance(&mut self, table: &DeTable<'a>) -> Acceptance {
        let Some(node) = table.get("acceptance") else { return Acceptance::default() };
        let Some(table) = self.notes.table(node, "`acceptance`") else { return Acceptance::default() };
        self.notes.keys(table, &["files", "symbols", "commands"], "`acceptance`");
        let files = self.notes.texts(table, "files");
        let files = self.inside(files);
        let mut symbols = Vec::new();
        for (symbol, at) in self.notes.texts(table, "symbols") {
            match symbol.split_once(": ") {
                Some((path, words)) if !words.trim().is_empty() => {
                    symbols.push(Symbol { path: path.to_owned(), words: words.to_owned() });
                }
                _ => self.notes.wrong(at, "a symbol is written \"path: words that stand there\""),
            }
        }
        let commands =
            self.notes.texts(table, "commands").into_iter().map(|(line, _)| Gate::command(&line)).collect();
        Acceptance { files, symbols, commands }
    }
}
