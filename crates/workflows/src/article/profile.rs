//! An article as a program sees it.

use std::path::Path;

use baton_agents::skill::Role;
use baton_engine::{Limits, Settings};

use super::{Article, Assignment};
use crate::profile::{Export, Profile};
use crate::retrieval::Beyond;

/// Per cent of the budget that only the writing of the article may use.
const KEPT_FOR_ARTICLE: u8 = 30;

impl Profile for Article {
    const EXPORTS: &'static [Export] = &[
        Export { file: "article.md", endings: &["md", "markdown", "txt"] },
        Export { file: "article.html", endings: &["html", "htm"] },
        Export { file: "output.json", endings: &["json"] },
    ];

    fn settings(configured: Settings) -> Settings {
        Settings { limits: Limits { kept_for_last: KEPT_FOR_ARTICLE, ..configured.limits }, ..configured }
    }

    fn roles(assignment: &Assignment) -> Vec<&Role> {
        assignment.roles.all()
    }

    fn beyond(assignment: &Assignment) -> Option<&Beyond> {
        assignment.beyond.as_ref()
    }

    fn output(assignment: &Assignment) -> Option<&Path> {
        assignment.output.as_deref()
    }
}
