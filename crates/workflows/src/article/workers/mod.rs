//! The seventeen workers, one file each with the same anatomy: what it is given, what it brings, how it does it by rules,
//! and whom it asks where a model is configured. This file is the registry: who there is, what each needs and costs.

mod academic_search;
mod article_writer;
mod citation_formatter;
mod conclusion_writer;
mod content_synthesizer;
mod edges;
mod editor;
mod fact_checker;
mod finding;
mod insight_extractor;
mod introduction_writer;
mod news_search;
mod output;
mod plagiarism_checker;
mod readability_checker;
mod seo_optimizer;
mod social_media;
mod summarization;
mod web_scraper;
mod web_search;
pub(super) mod writing;

use std::fmt;

use baton_agents::skill::Role;
use baton_engine::{Cx, Fault};
use serde::{Deserialize, Serialize};

use super::brief::{Assignment, Roles, SourceKind};
use super::plan::Plan;
use super::{Article, Memory};

pub use article_writer::outline;
pub use fact_checker::{verdict, verdicts};
pub use finding::kind_of;
pub use output::{Check, Place, Theme, WorkerOutput, WorkerResult};
pub use readability_checker::is_english;
pub use seo_optimizer::description;
pub use summarization::summary;

/// What a worker is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Finding and reading.
    Research,
    /// Making sense of it.
    Analysis,
    /// Writing.
    Writing,
    /// Checking.
    Quality,
}

macro_rules! workers {
    ($($variant:ident = $name:literal, $label:literal, $category:ident, $cents:literal, $seconds:literal;)*) => {
        /// Somebody who works on an article.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Worker {
            $(#[doc = $label] #[serde(rename = $name)] $variant,)*
        }

        impl Worker {
            /// All seventeen.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What it does, for a person.
            #[must_use]
            pub fn label(self) -> &'static str {
                match self { $(Self::$variant => $label,)* }
            }

            /// What it is for.
            #[must_use]
            pub fn category(self) -> Category {
                match self { $(Self::$variant => Category::$category,)* }
            }

            /// What it typically costs with a model of unknown price, in hundredths of a dollar, and its seconds.
            fn typical(self) -> (f64, f64) {
                match self { $(Self::$variant => ($cents, $seconds),)* }
            }
        }
    };
}

workers! {
    WebSearch = "web_search", "Web search", Research, 2.0, 2.0;
    AcademicSearch = "academic_search", "Academic search", Research, 1.0, 3.0;
    NewsSearch = "news_search", "News search", Research, 1.0, 2.0;
    WebScraper = "web_scraper", "Reading in full", Research, 5.0, 5.0;
    SocialMedia = "social_media", "Social media", Research, 1.0, 3.0;
    ContentSynthesizer = "content_synthesizer", "Synthesis", Analysis, 30.0, 4.0;
    Summarization = "summarization", "Summary", Analysis, 10.0, 2.0;
    InsightExtractor = "insight_extractor", "Insight extraction", Analysis, 15.0, 3.0;
    IntroductionWriter = "introduction_writer", "Introduction", Writing, 10.0, 3.0;
    ArticleWriter = "article_writer", "Article writing", Writing, 80.0, 7.0;
    ConclusionWriter = "conclusion_writer", "Conclusion", Writing, 10.0, 3.0;
    CitationFormatter = "citation_formatter", "Citation formatting", Writing, 10.0, 2.0;
    FactChecker = "fact_checker", "Fact checking", Quality, 45.0, 5.0;
    Editor = "editor", "Editing", Quality, 15.0, 3.0;
    SeoOptimizer = "seo_optimizer", "SEO optimization", Quality, 10.0, 2.0;
    ReadabilityChecker = "readability_checker", "Readability check", Quality, 5.0, 1.0;
    PlagiarismChecker = "plagiarism_checker", "Originality check", Quality, 10.0, 3.0;
}

impl fmt::Display for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a worker is estimated to take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// US dollars.
    pub usd: f64,
    /// Seconds.
    pub seconds: f64,
}

impl Worker {
    /// Whether there is no article without it. All research together is critical too; the orchestrator knows that.
    #[must_use]
    pub fn is_critical(self) -> bool {
        self == Self::ArticleWriter
    }

    /// `HIGH`, `MEDIUM` or `LOW`, as the seed's documents have it.
    #[must_use]
    pub fn priority(self) -> &'static str {
        match self {
            Self::ArticleWriter => "critical",
            Self::WebSearch
            | Self::AcademicSearch
            | Self::ContentSynthesizer
            | Self::CitationFormatter
            | Self::FactChecker
            | Self::Editor => "high",
            Self::WebScraper | Self::SocialMedia | Self::SeoOptimizer | Self::PlagiarismChecker => "low",
            _ => "medium",
        }
    }

    /// Whose work it needs, where they are in the same step.
    #[must_use]
    pub fn needs(self) -> &'static [Self] {
        match self {
            Self::WebScraper => &[Self::WebSearch, Self::AcademicSearch, Self::NewsSearch, Self::SocialMedia],
            Self::IntroductionWriter | Self::ConclusionWriter => &[Self::ArticleWriter],
            _ => &[],
        }
    }

    /// The kinds of sources it finds.
    #[must_use]
    pub fn finds(self) -> &'static [SourceKind] {
        match self {
            Self::WebSearch => &[SourceKind::Web, SourceKind::Document],
            Self::AcademicSearch => &[SourceKind::Academic],
            Self::NewsSearch => &[SourceKind::News],
            Self::SocialMedia => &[SourceKind::Social],
            _ => &[],
        }
    }

    /// Who stands in when it has failed three times.
    #[must_use]
    pub fn fallback(self) -> Option<Self> {
        match self {
            Self::AcademicSearch | Self::WebScraper => Some(Self::WebSearch),
            _ => None,
        }
    }

    /// Whom it asks where a model is configured; what only counts asks nobody.
    #[must_use]
    pub fn role(self, roles: &Roles) -> Option<&Role> {
        match self {
            Self::WebSearch
            | Self::AcademicSearch
            | Self::NewsSearch
            | Self::WebScraper
            | Self::SocialMedia => Some(&roles.reader),
            Self::ContentSynthesizer | Self::Summarization | Self::InsightExtractor => Some(&roles.analyst),
            Self::IntroductionWriter | Self::ArticleWriter | Self::ConclusionWriter => Some(&roles.writer),
            Self::Editor | Self::SeoOptimizer | Self::FactChecker => Some(&roles.editor),
            Self::CitationFormatter | Self::ReadabilityChecker | Self::PlagiarismChecker => None,
        }
    }

    /// Tokens a model reads and writes for it, roughly.
    fn tokens(self, words: usize) -> (f64, f64) {
        let length = words as f64 * 1.5;
        match self {
            Self::WebSearch | Self::AcademicSearch | Self::NewsSearch | Self::SocialMedia => {
                (12_000.0, 4_000.0)
            }
            Self::WebScraper => (20_000.0, 6_000.0),
            Self::ContentSynthesizer => (6_000.0, 1_000.0),
            Self::Summarization => (4_000.0, 400.0),
            Self::InsightExtractor => (4_000.0, 600.0),
            Self::IntroductionWriter | Self::ConclusionWriter => (2_000.0, 400.0),
            Self::ArticleWriter => (8_000.0, 3.0 * length),
            Self::FactChecker | Self::Editor => (2.0 * length, 800.0),
            Self::SeoOptimizer => (length, 300.0),
            Self::CitationFormatter | Self::ReadabilityChecker | Self::PlagiarismChecker => (0.0, 0.0),
        }
    }

    /// What it is estimated to take: what it took before, else what its model asks for its tokens, else what is typical.
    #[must_use]
    pub fn estimate(self, assignment: &Assignment) -> Estimate {
        let (cents, seconds) = self.typical();
        let asks = self.role(&assignment.roles).filter(|role| !role.chain.is_empty());
        let Some(card) = asks.and_then(|role| role.chain.first()) else {
            return Estimate { usd: 0.0, seconds: 1.0 };
        };
        let measured = assignment.measured.get(self.name()).map(|micro| *micro as f64 / 1e6);
        let (input, output) = self.tokens(assignment.brief.target_length);
        let priced = card
            .price
            .as_ref()
            .map(|price| (price.input as f64 * input + price.output as f64 * output) / 1e12);
        Estimate { usd: measured.or(priced).unwrap_or(cents / 100.0), seconds }
    }
}

/// Why a worker did not do its work.
#[derive(Debug)]
pub enum Trouble {
    /// Something failed that another attempt may help.
    Failed(String),
    /// There is nothing to work on; no attempt helps.
    Nothing(String),
    /// The run itself cannot go on.
    Fault(Fault),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Failed { text, .. } => Self::Failed(text),
            Fault::Unavailable(why) => Self::Failed(why),
            other => Self::Fault(other),
        }
    }
}

/// One attempt of a worker.
pub struct Job<'a> {
    /// The run; what is spent is charged to the worker.
    pub cx: &'a Cx<Article>,
    /// Who.
    pub worker: Worker,
    /// Names its steps; another in every attempt.
    pub id: String,
    /// Names its facts: short, another in every iteration and attempt.
    pub code: String,
    /// The plan.
    pub plan: &'a Plan,
    /// The assignment.
    pub assignment: &'a Assignment,
}

impl Job<'_> {
    /// Looks at what the run has learnt.
    pub fn read<T>(&self, look: impl FnOnce(&Memory) -> T) -> T {
        self.cx.read(look)
    }
}

/// Does the work.
pub async fn work(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    match job.worker {
        Worker::WebSearch => web_search::run(job).await,
        Worker::AcademicSearch => academic_search::run(job).await,
        Worker::NewsSearch => news_search::run(job).await,
        Worker::WebScraper => web_scraper::run(job).await,
        Worker::SocialMedia => social_media::run(job).await,
        Worker::ContentSynthesizer => content_synthesizer::run(job).await,
        Worker::Summarization => summarization::run(job).await,
        Worker::InsightExtractor => insight_extractor::run(job).await,
        Worker::IntroductionWriter => introduction_writer::run(job).await,
        Worker::ArticleWriter => article_writer::run(job).await,
        Worker::ConclusionWriter => conclusion_writer::run(job).await,
        Worker::CitationFormatter => citation_formatter::run(job).await,
        Worker::FactChecker => fact_checker::run(job).await,
        Worker::Editor => editor::run(job).await,
        Worker::SeoOptimizer => seo_optimizer::run(job).await,
        Worker::ReadabilityChecker => readability_checker::run(job).await,
        Worker::PlagiarismChecker => plagiarism_checker::run(job).await,
    }
}

/// What a call would be made with: two calls with the same answer to this are the same call.
pub fn call(worker: Worker, memory: &Memory, plan: &Plan) -> String {
    let brief = &memory.assignment.brief;
    let base = match worker.category() {
        Category::Research => format!("{}|{}", plan.queries.join("|"), plan.reach),
        // Analysis and writing see all facts; what is new there is a new call.
        Category::Analysis | Category::Writing => {
            let keys: Vec<&str> = memory.facts.keys().map(String::as_str).collect();
            format!("{}|{}|{}", brief.target_length, keys.join(","), memory.wish())
        }
        Category::Quality => memory.draft().map(|draft| draft.plain()).unwrap_or_default(),
    };
    format!("{worker}:{}", &baton_agents::hash::sha256_hex(base.as_bytes())[..16])
}
