//! The planner: how hard the brief is and why, who works on it, in which steps. Pure: the same brief and the same demand
//! give the same plan.

#[cfg(test)]
mod tests;

use baton_agents::rules::words::{fold, is_stop};

use super::brief::{Assignment, Brief, ContentType, Depth, SourceKind, Tone};
use super::demand::Demand;
use super::plan::{Analysis, Mode, Plan, PlanStep, Points};
use super::workers::{Category, Worker};

/// Bands of the seed: below the first few workers, from the second on many.
pub const SIMPLE: f64 = 0.4;
/// From here on a topic is complex.
pub const COMPLEX: f64 = 0.7;

/// How hard the brief is, and who is wanted for it.
#[must_use]
pub fn analyse(assignment: &Assignment) -> Analysis {
    let brief = &assignment.brief;
    let points = points(brief);
    let sum: f64 = points.iter().map(|one| one.points).sum();
    let complexity_score = (sum.clamp(0.0, 1.0) * 100.0).round() / 100.0;
    let (recommended_workers, reasons) = wanted(brief, complexity_score);
    Analysis {
        complexity_score,
        points,
        requires_multi_hop: complexity_score >= SIMPLE,
        sub_topics: queries(brief),
        recommended_workers,
        reasons,
    }
}

fn points(brief: &Brief) -> Vec<Points> {
    let mut found = vec![Points { what: "any article".to_owned(), points: 0.3 }];
    let mut add = |what: &str, points: f64| {
        if points > 0.0 {
            found.push(Points { what: what.to_owned(), points });
        }
    };
    match brief.research_depth {
        Depth::Light => {}
        Depth::Standard => add("standard depth", 0.15),
        Depth::Deep => add("deep research", 0.3),
    }
    match brief.target_length {
        0..=1000 => {}
        1001..=2000 => add("more than 1,000 words", 0.05),
        2001..=3000 => add("more than 2,000 words", 0.1),
        _ => add("more than 3,000 words", 0.15),
    }
    match brief.content_type {
        ContentType::BlogPost | ContentType::Summary => {}
        ContentType::Article | ContentType::Tutorial | ContentType::Documentation => {
            add("an article, a tutorial or documentation", 0.05);
        }
        ContentType::ResearchReport => add("a research report", 0.15),
    }
    if matches!(brief.tone, Tone::Academic | Tone::Technical) {
        add("an academic or technical tone", 0.1);
    }
    match brief.min_sources {
        0..=9 => {}
        10..=14 => add("10 sources or more", 0.05),
        _ => add("15 sources or more", 0.1),
    }
    if brief.min_quality_score >= 0.9 {
        add("a quality of 0.90 or more", 0.05);
    }
    if !brief.key_points.is_empty() {
        add("key points", 0.05);
    }
    if !brief.specific_sections.is_empty() {
        add("sections that are asked for", 0.05);
    }
    if parts(&brief.topic) > 1 {
        add("a topic of several parts", 0.05);
    }
    found
}

/// How many things a topic names beside one another.
fn parts(topic: &str) -> usize {
    let joined = topic.to_lowercase();
    1 + joined.matches(" and ").count() + joined.matches(", ").count() + joined.matches(" versus ").count()
}

/// Who is wanted, and why.
fn wanted(brief: &Brief, complexity: f64) -> (Vec<Worker>, Vec<String>) {
    let mut wanted = Wanted { brief, workers: Vec::new(), reasons: Vec::new() };
    wanted.add(&[Worker::WebSearch, Worker::ArticleWriter, Worker::Editor], "every article needs them");
    if complexity >= SIMPLE {
        let usual = [Worker::NewsSearch, Worker::ContentSynthesizer];
        wanted.add(&usual, "a topic that is not simple has more than one side");
        if brief.enable_fact_checking {
            wanted.add(&[Worker::FactChecker], "its facts are checked");
        }
        // What is about one year is too young for papers; they come in if they are asked for.
        if !names_a_year(&brief.topic) {
            wanted.add(&[Worker::AcademicSearch], "papers may have been written about it");
        }
    }
    if complexity >= COMPLEX {
        let more = [
            Worker::WebScraper,
            Worker::Summarization,
            Worker::InsightExtractor,
            Worker::IntroductionWriter,
            Worker::ConclusionWriter,
            Worker::ReadabilityChecker,
        ];
        wanted.add(&more, "a complex topic is read in full and looked at from all sides");
    }
    wanted.by_wish(complexity);
    let research = wanted.workers.iter().filter(|worker| worker.category() == Category::Research).count();
    if research >= 3 || matches!(brief.tone, Tone::Academic) {
        let why = if research >= 3 { "sources of several kinds need one style" } else { "an academic tone" };
        wanted.add(&[Worker::CitationFormatter], why);
    }
    let Wanted { mut workers, reasons, .. } = wanted;
    workers.sort_unstable();
    (workers, reasons)
}

struct Wanted<'a> {
    brief: &'a Brief,
    workers: Vec<Worker>,
    reasons: Vec<String>,
}

impl Wanted<'_> {
    fn add(&mut self, workers: &[Worker], why: &str) {
        let excluded =
            |worker: &Worker| worker.finds().iter().any(|kind| self.brief.excluded_sources.contains(kind));
        let new: Vec<Worker> = workers
            .iter()
            .copied()
            .filter(|worker| !self.workers.contains(worker))
            .filter(|worker| *worker == Worker::WebSearch || !excluded(worker))
            .collect();
        if !new.is_empty() {
            let names: Vec<&str> = new.iter().map(|worker| worker.name()).collect();
            self.reasons.push(format!("{}: {why}", names.join(", ")));
            self.workers.extend(new);
        }
    }

    /// What the brief asks for, whatever the band.
    fn by_wish(&mut self, complexity: f64) {
        let brief = self.brief;
        for kind in &brief.preferred_sources {
            let worker = match kind {
                SourceKind::Academic => Worker::AcademicSearch,
                SourceKind::News => Worker::NewsSearch,
                SourceKind::Social => Worker::SocialMedia,
                SourceKind::Web | SourceKind::Document => Worker::WebSearch,
            };
            self.add(&[worker], &format!("{} sources are preferred", kind.name()));
        }
        if brief.min_sources >= 15 {
            let why = format!("{} sources are many", brief.min_sources);
            self.add(&[Worker::AcademicSearch, Worker::NewsSearch, Worker::WebScraper], &why);
            if complexity >= COMPLEX {
                self.add(&[Worker::SocialMedia], &why);
            }
        }
        if brief.enable_seo_optimization && !brief.keywords.is_empty() {
            self.add(&[Worker::SeoOptimizer], "keywords are given");
        }
        if brief.research_depth == Depth::Deep {
            let rest: Vec<Worker> = Worker::ALL
                .iter()
                .copied()
                .filter(|worker| *worker != Worker::SeoOptimizer || brief.enable_seo_optimization)
                .filter(|worker| *worker != Worker::FactChecker || brief.enable_fact_checking)
                .collect();
            self.add(&rest, "deep research asks everybody");
        }
    }
}

fn names_a_year(topic: &str) -> bool {
    topic
        .split(|letter: char| !letter.is_ascii_digit())
        .any(|word| word.len() == 4 && (word.starts_with("19") || word.starts_with("20")))
}

/// What is searched for: the topic, then whatever the brief asks for beside it.
fn queries(brief: &Brief) -> Vec<String> {
    let mut queries = vec![brief.topic.clone()];
    // "Backups with Borg: repositories and archives" is about what stands before the colon.
    let head = brief.topic.split_once(": ").map(|(head, _)| head.trim().to_owned());
    queries.extend(head.filter(|head| !head.is_empty()));
    let beside = brief.key_points.iter().chain(&brief.specific_sections);
    for wish in beside {
        if !queries.iter().any(|known| known.eq_ignore_ascii_case(wish)) {
            queries.push(together(&brief.topic, wish));
        }
    }
    queries
}

/// A wish in the light of the topic: alone it may mean anything.
fn together(topic: &str, wish: &str) -> String {
    let telling: Vec<&str> = topic
        .split_whitespace()
        .filter(|word| !is_stop(&fold(word)) && !wish.to_lowercase().contains(&fold(word)))
        .collect();
    format!("{wish} {}", telling.join(" ")).trim().to_owned()
}

/// The plan for an iteration: what the brief needs, and what the demand adds.
#[must_use]
pub fn plan(assignment: &Assignment, analysis: &Analysis, demand: Option<&Demand>, iteration: u32) -> Plan {
    let mut workers = analysis.recommended_workers.clone();
    let mut queries = analysis.sub_topics.clone();
    let mut reach = 1;
    if let Some(demand) = demand {
        for worker in demand.workers() {
            let unwanted = worker.finds().iter().any(|kind| assignment.brief.excluded_sources.contains(kind));
            if !workers.contains(&worker) && !unwanted {
                workers.push(worker);
            }
        }
        let research = workers.iter().filter(|worker| worker.category() == Category::Research).count();
        if research >= 3 && !workers.contains(&Worker::CitationFormatter) {
            workers.push(Worker::CitationFormatter);
        }
        let topic = &assignment.brief.topic;
        queries.extend(demand.queries().into_iter().map(|query| together(topic, &query)));
        reach = demand.reach().max(1);
    }
    workers.sort_unstable();
    queries.dedup();
    let mut plan = Plan {
        plan_id: format!("plan_{iteration:03}"),
        iteration,
        complexity: analysis.complexity_score,
        steps: steps(&workers),
        queries,
        reach,
        estimated_total_cost: 0.0,
        estimated_total_time: 0.0,
        optimization_notes: Vec::new(),
    };
    plan.number();
    plan.estimate(assignment);
    plan
}

/// Workers in their steps, each step in the order its workers need one another.
fn steps(workers: &[Worker]) -> Vec<PlanStep> {
    let of = |wanted: &dyn Fn(Worker) -> bool| workers.iter().copied().filter(|one| wanted(*one)).collect();
    let is = |category: Category| move |worker: Worker| worker.category() == category;
    let finders: Vec<Worker> =
        of(&|worker| worker.category() == Category::Research && worker != Worker::WebScraper);
    let step = |phase: Category, description: &str, worker_ids: Vec<Worker>| {
        let needs_another =
            worker_ids.iter().any(|one| worker_ids.iter().any(|other| one.needs().contains(other)));
        let careful = phase == Category::Analysis && worker_ids.len() > 1;
        PlanStep {
            step_id: String::new(),
            phase,
            description: description.to_owned(),
            execution_mode: if worker_ids.len() < 2 || needs_another || careful {
                Mode::Sequential
            } else {
                Mode::Parallel
            },
            worker_ids,
            depends_on: Vec::new(),
            estimated_cost: 0.0,
            estimated_time_seconds: 0.0,
        }
    };
    let mut writing: Vec<Worker> =
        of(&|worker| worker.category() == Category::Writing && worker != Worker::CitationFormatter);
    writing.sort_by_key(|worker| match worker {
        Worker::ArticleWriter => 0,
        Worker::IntroductionWriter => 1,
        _ => 2,
    });
    // The seed has the formatter among the quality checks: it needs the text as they do.
    let mut quality: Vec<Worker> = of(&is(Category::Quality));
    quality.extend(workers.iter().copied().filter(|worker| *worker == Worker::CitationFormatter));
    vec![
        step(Category::Research, "Find sources", finders),
        step(Category::Research, "Read what was found in full", of(&|worker| worker == Worker::WebScraper)),
        step(
            Category::Analysis,
            "Find themes, an outline and what the numbers say",
            of(&is(Category::Analysis)),
        ),
        step(Category::Writing, "Write", writing),
        step(Category::Quality, "Check what is written", quality),
    ]
}
