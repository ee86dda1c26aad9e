//! What an article run is started with: the brief as a person wrote it, and where to look and whom to ask. Frozen into
//! the run: nothing here changes while it goes on.

pub mod form;

use std::collections::BTreeMap;
use std::path::PathBuf;

use baton_agents::skill::Words;
use serde::{Deserialize, Serialize};

use crate::asking::{Material, roles};
use crate::retrieval::{Beyond, Scope};

macro_rules! choices {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $text)] $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// As a brief writes it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The one with this name; case, spaces and hyphens do not matter.
            #[must_use]
            pub fn named(text: &str) -> Option<Self> {
                let plain = text.trim().to_lowercase().replace([' ', '-'], "_");
                Self::ALL.iter().copied().find(|one| one.name() == plain)
            }
        }
    };
}

choices! {
    /// What is to be written.
    ContentType {
        /// An article.
        Article = "article",
        /// A post for a blog.
        BlogPost = "blog_post",
        /// A report on research.
        ResearchReport = "research_report",
        /// How to do something.
        Tutorial = "tutorial",
        /// What something is and does.
        Documentation = "documentation",
        /// The essence of something.
        Summary = "summary",
    }
}

choices! {
    /// How it is to sound.
    Tone {
        /// Matter of fact.
        Professional = "professional",
        /// As papers are written.
        Academic = "academic",
        /// As people talk.
        Casual = "casual",
        /// For people of the trade.
        Technical = "technical",
        /// As if to one reader.
        Conversational = "conversational",
    }
}

impl Tone {
    /// Flesch reading ease that fits it, from and to.
    #[must_use]
    pub fn band(self) -> (f64, f64) {
        match self {
            Self::Casual | Self::Conversational => (60.0, 80.0),
            Self::Professional => (40.0, 65.0),
            Self::Technical => (30.0, 60.0),
            Self::Academic => (10.0, 50.0),
        }
    }
}

choices! {
    /// How far to go.
    Depth {
        /// A first look.
        Light = "light",
        /// The usual.
        Standard = "standard",
        /// All there is.
        Deep = "deep",
    }
}

impl Depth {
    /// How many sentences a search brings.
    #[must_use]
    pub fn sentences(self) -> usize {
        match self {
            Self::Light => 16,
            Self::Standard => 24,
            Self::Deep => 40,
        }
    }

    /// How many pages of the web are read for one search.
    #[must_use]
    pub fn pages(self) -> usize {
        match self {
            Self::Light => 4,
            Self::Standard => 6,
            Self::Deep => 12,
        }
    }

    /// How many sources are wanted if nobody says it.
    #[must_use]
    pub fn sources(self) -> usize {
        match self {
            Self::Light => 3,
            Self::Standard => 8,
            Self::Deep => 15,
        }
    }
}

choices! {
    /// How sources are cited.
    Style {
        /// American Psychological Association, author and date.
        Apa = "apa",
        /// Modern Language Association, author and page.
        Mla = "mla",
        /// Chicago, author and date.
        Chicago = "chicago",
    }
}

choices! {
    /// What kind of source a document is. A document of one's own that says nothing of its kind is `document`.
    SourceKind {
        /// A page of the web.
        Web = "web",
        /// A paper, a study, a thesis.
        Academic = "academic",
        /// What a newspaper or an agency wrote.
        News = "news",
        /// A blog, a forum, a feed.
        Social = "social",
        /// A document of one's own.
        Document = "document",
    }
}

/// What is wanted, as the seed's documents name it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Brief {
    /// What it is about.
    pub topic: String,
    /// What is to be written.
    pub content_type: ContentType,
    /// Words.
    pub target_length: usize,
    /// How it is to sound.
    pub tone: Tone,
    /// How far to go.
    pub research_depth: Depth,
    /// Sources it must rest on.
    pub min_sources: usize,
    /// Kinds of sources that must be among them.
    #[serde(default)]
    pub preferred_sources: Vec<SourceKind>,
    /// Kinds of sources that must not be used.
    #[serde(default)]
    pub excluded_sources: Vec<SourceKind>,
    /// The quality it must have, 0 to 1.
    pub min_quality_score: f64,
    /// US dollars it may cost.
    pub max_budget: f64,
    /// Seconds it may take.
    pub max_time: u64,
    /// Who is to read it.
    pub target_audience: String,
    /// What it must speak of.
    #[serde(default)]
    pub key_points: Vec<String>,
    /// Headings it must have.
    #[serde(default)]
    pub specific_sections: Vec<String>,
    /// What it must not speak of.
    #[serde(default)]
    pub exclude_topics: Vec<String>,
    /// Words by which it is to be found.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// How sources are cited.
    pub citation_style: Style,
    /// Whether facts are checked.
    pub enable_fact_checking: bool,
    /// Whether it is to be found by search engines.
    pub enable_seo_optimization: bool,
}

roles! {
    /// Words the queries.
    searcher,
    /// Takes facts out of texts.
    reader,
    /// Finds themes, summarises.
    analyst,
    /// Writes.
    writer,
    /// Looks over what is written.
    editor,
}

/// A brief, and what a run needs beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    /// `exec_YYYYMMDD_HHMMSS`.
    pub execution_id: String,
    /// `req_…`: the same brief has the same.
    pub request_id: String,
    /// What is wanted.
    pub brief: Brief,
    /// Whether the brief was read from a file that came from somewhere, rather than typed.
    #[serde(default)]
    pub from_file: bool,
    /// Folders of documents, as absolute paths.
    #[serde(default)]
    pub docs: Vec<PathBuf>,
    /// What may be asked beyond this machine; without it nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond: Option<Beyond>,
    /// Only documents from this day on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Only documents up to this day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Only documents in this language (ISO 639-3), where it can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The day the run was ordered, `YYYY-MM-DD`.
    pub today: String,
    /// Who is asked.
    pub roles: Roles,
    /// What workers cost in earlier runs on this machine, in millionths of a dollar.
    #[serde(default)]
    pub measured: BTreeMap<String, u64>,
    /// Where the article is copied to when the run ends, as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
}

impl Assignment {
    /// An assignment for a brief over these folders, asking no model.
    #[must_use]
    pub fn new(brief: Brief, docs: Vec<PathBuf>) -> Self {
        Self {
            execution_id: "exec_00000000_000000".to_owned(),
            request_id: "req_000000".to_owned(),
            brief,
            from_file: false,
            docs,
            beyond: None,
            since: None,
            until: None,
            language: None,
            today: "1970-01-01".to_owned(),
            roles: Roles::rules_only(),
            measured: BTreeMap::new(),
            output: None,
        }
    }

    /// Where the run may look.
    #[must_use]
    pub fn scope(&self) -> Scope {
        Scope {
            folders: self.docs.clone(),
            beyond: self.beyond.clone(),
            since: self.since.clone(),
            until: self.until.clone(),
            language: self.language.clone(),
            dropped: Vec::new(),
            authority: baton_agents::config::Authorities::default(),
            // An article of many words needs many sentences to choose from.
            sentences: self.brief.research_depth.sentences().max(self.brief.target_length / 14),
            pages: self.brief.research_depth.pages(),
        }
    }

    /// Whose text stands in what was found.
    #[must_use]
    pub fn material(&self) -> Material {
        Material::private_if(!self.docs.is_empty())
    }

    /// Words of the brief: the person's own unless the brief came in a file.
    #[must_use]
    pub fn words(&self, text: &str) -> Words {
        if self.from_file { Words::foreign(text) } else { Words::typed(text) }
    }
}
