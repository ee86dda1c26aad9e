//! What an evaluation asks of the next plan: what is missing, in words for a person, and which change answers it.

use serde::{Deserialize, Serialize};

use super::brief::SourceKind;
use super::workers::Worker;

/// Something that is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "need", rename_all = "snake_case")]
pub enum Need {
    /// More sources.
    Sources {
        /// How many more.
        missing: usize,
        /// Kinds that are missing altogether.
        kinds: Vec<SourceKind>,
    },
    /// Things the brief asks for that the text does not speak of.
    Points {
        /// They.
        missing: Vec<String>,
    },
    /// More words.
    Words {
        /// How many there are.
        there: usize,
        /// How many are wanted.
        wanted: usize,
    },
    /// An opening or a closing.
    Parts {
        /// Whether the opening is missing.
        introduction: bool,
        /// Whether the closing is missing.
        conclusion: bool,
    },
    /// Sentences that no source carries.
    Claims {
        /// How many.
        unverified: usize,
        /// How many of them a source contradicts.
        contradicted: usize,
    },
    /// It is too hard or too easy to read.
    Ease {
        /// Flesch reading ease.
        ease: f64,
        /// What fits the tone.
        from: f64,
        /// To.
        to: f64,
    },
    /// Flaws of language.
    Language {
        /// How many.
        flaws: usize,
    },
    /// Words of sources that are not marked as theirs.
    Copying {
        /// The share of the text.
        share: f64,
    },
    /// Things said twice.
    Repetition {
        /// How many sentences.
        sentences: usize,
    },
    /// Citations that lead nowhere.
    Citations {
        /// How many.
        wrong: usize,
    },
}

impl Need {
    /// In words for a person.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Sources { missing, kinds } => {
                let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
                match (missing, kinds.as_slice()) {
                    (0, kinds) => format!("no {} source is among its sources", kinds.join(" and no ")),
                    (missing, []) => format!("{missing} more source{}", plural(*missing)),
                    (missing, kinds) => {
                        format!(
                            "{missing} more source{}, among them {}",
                            plural(*missing),
                            kinds.join(" and ")
                        )
                    }
                }
            }
            Self::Points { missing } => format!("nothing is said about {}", missing.join("; ")),
            Self::Words { there, wanted } => format!("{there} words of {wanted}"),
            Self::Parts { introduction: true, conclusion: true } => {
                "an opening and a closing are missing".to_owned()
            }
            Self::Parts { introduction: true, .. } => "an opening is missing".to_owned(),
            Self::Parts { .. } => "a closing is missing".to_owned(),
            Self::Claims { unverified, contradicted: 0 } => {
                format!("{unverified} sentence{} no source carries", plural(*unverified))
            }
            Self::Claims { unverified, contradicted } => {
                format!("{unverified} sentences no source carries, {contradicted} of them contradicted")
            }
            Self::Ease { ease, from, to } => {
                format!("reading ease is {ease:.0}, and {from:.0} to {to:.0} fits the tone")
            }
            Self::Language { flaws } => format!("{flaws} flaw{} of language", plural(*flaws)),
            Self::Copying { share } => {
                format!(
                    "{:.0} percent are words of sources without quotation marks or their name",
                    share * 100.0
                )
            }
            Self::Repetition { sentences } => {
                format!("{sentences} sentence{} say what was said", plural(*sentences))
            }
            Self::Citations { wrong } => format!("{wrong} citation{} lead nowhere", plural(*wrong)),
        }
    }

    /// Who is to answer it.
    #[must_use]
    pub fn workers(&self) -> Vec<Worker> {
        match self {
            Self::Sources { missing, kinds } => {
                let mut workers: Vec<Worker> = kinds
                    .iter()
                    .map(|kind| match kind {
                        SourceKind::Academic => Worker::AcademicSearch,
                        SourceKind::News => Worker::NewsSearch,
                        SourceKind::Social => Worker::SocialMedia,
                        SourceKind::Web | SourceKind::Document => Worker::WebSearch,
                    })
                    .collect();
                if *missing > 0 && workers.is_empty() {
                    workers.push(Worker::AcademicSearch);
                }
                workers.push(Worker::WebScraper);
                workers
            }
            Self::Points { .. } => vec![Worker::WebSearch, Worker::WebScraper],
            Self::Words { .. } => vec![Worker::WebScraper, Worker::ContentSynthesizer],
            Self::Parts { introduction, conclusion } => {
                let opening = introduction.then_some(Worker::IntroductionWriter);
                opening.into_iter().chain(conclusion.then_some(Worker::ConclusionWriter)).collect()
            }
            Self::Claims { .. } => vec![Worker::FactChecker],
            Self::Ease { .. } => vec![Worker::ReadabilityChecker],
            Self::Language { .. } | Self::Repetition { .. } => vec![Worker::Editor],
            Self::Copying { .. } => vec![Worker::PlagiarismChecker],
            Self::Citations { .. } => vec![Worker::CitationFormatter],
        }
    }
}

fn plural(number: usize) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// All that the next plan must answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Demand {
    /// What is missing, what weighs most first.
    pub needs: Vec<Need>,
}

impl Demand {
    /// In words for a person, each with the change of plan that answers it.
    #[must_use]
    pub fn feedback(&self) -> String {
        let one = |need: &Need| {
            let workers: Vec<&str> = need.workers().iter().map(|worker| worker.name()).collect();
            format!("{} → {}", need.words(), workers.join(", "))
        };
        self.needs.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    /// Who must be in the next plan.
    #[must_use]
    pub fn workers(&self) -> Vec<Worker> {
        let mut workers: Vec<Worker> = self.needs.iter().flat_map(Need::workers).collect();
        workers.sort_unstable();
        workers.dedup();
        workers
    }

    /// What must be searched for.
    #[must_use]
    pub fn queries(&self) -> Vec<String> {
        let points = self.needs.iter().filter_map(|need| match need {
            Need::Points { missing } => Some(missing.clone()),
            _ => None,
        });
        points.flatten().collect()
    }

    /// How many times the usual number of sentences a search must bring.
    #[must_use]
    pub fn reach(&self) -> usize {
        let more = self
            .needs
            .iter()
            .any(|need| matches!(need, Need::Sources { .. } | Need::Words { .. } | Need::Points { .. }));
        if more { 2 } else { 1 }
    }
}
