//! Passages near a text, whole: for holding what somebody wrote against the documents, where a question wants sentences
//! chosen for it.

use std::ops::Range;
use std::path::PathBuf;

use super::{IndexError, LocalIndex};
use crate::rules::pages::View;

/// A passage and where each byte of it stands.
#[derive(Debug, Clone)]
pub struct Near {
    /// Document, below its folder.
    pub path: PathBuf,
    /// Title of the document.
    pub title: String,
    /// Headings above the passage, outermost first, joined with " > ".
    pub heading: String,
    /// Date of the document, if it gives one.
    pub date: Option<String>,
    /// SHA-256 of the archived text.
    pub text_hash: String,
    /// Another document says it replaces this one.
    pub replaced: bool,
    pages: Vec<usize>,
    view: View,
}

impl Near {
    /// The passage as it is read, page furniture left out.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.view.text
    }

    /// Where a part of it stands in the archived text: two or more ranges when a page break is inside.
    #[must_use]
    pub fn ranges(&self, part: &Range<usize>) -> Vec<Range<usize>> {
        self.view.original(part)
    }

    /// The page an offset of the archived text is on, from 1, for paginated documents.
    #[must_use]
    pub fn page(&self, offset: usize) -> Option<usize> {
        let page = self.pages.partition_point(|&start| start <= offset);
        (page > 0).then_some(page)
    }
}

impl LocalIndex {
    /// The passages nearest to a text, best first, whether they address it or not.
    pub fn near(&self, text: &str, limit: usize) -> Result<Vec<Near>, IndexError> {
        let mut found = self.find(text)?;
        let mut near = Vec::new();
        for ranked in found.ranked.iter().take(limit) {
            let passage = &ranked.passage;
            let (Some(doc), Some(view)) =
                (found.docs.get(&passage.document), found.views.remove(&passage.id))
            else {
                continue;
            };
            near.push(Near {
                path: doc.path.clone(),
                title: doc.title.clone(),
                heading: passage.heading.clone(),
                date: doc.date.clone(),
                text_hash: doc.text_hash.clone(),
                replaced: doc.replaced,
                pages: doc.pages.clone(),
                view,
            });
        }
        Ok(near)
    }
}
