//! What an entry of the references says, in the order it is said, however it is drawn.

use baton_agents::evidence::Authority;
use baton_agents::search::Location;

use crate::markup::{address, link};
use crate::retrieval::SourceCard;

/// Where the title of a source leads; nowhere if its address may not be followed.
pub fn target(card: &SourceCard) -> Option<String> {
    match &card.source.location {
        Location::Url(url) => address(url),
        Location::Path(_) => Some(link(&card.copy())),
    }
}

/// What stands behind the title. `safe` makes words of strangers safe, `copy` is the drawn link to the local copy.
pub fn details(card: &SourceCard, safe: fn(&str) -> String, copy: &str) -> Vec<String> {
    let mut details = Vec::new();
    details.extend(card.author.as_deref().map(safe));
    details.push(safe(card.source.date.as_deref().unwrap_or("no date")));
    details.push(safe(&card.shown));
    if !card.references.is_empty() {
        details.push(format!("found by {}", safe(&card.found_by().join(", "))));
    }
    details.push(format!("accessed {}", safe(&card.accessed)));
    details.push(format!("local copy {copy}"));
    details.push(format!("authority {} {:.1}", authority(card.authority()), card.authority().value()));
    if card.replaced {
        details.push("replaced by a later document".to_owned());
    }
    details
}

/// What kind of source it is, in a word.
fn authority(authority: Authority) -> &'static str {
    match authority {
        Authority::Official => "official",
        Authority::Journal => "journal",
        Authority::Industry => "industry",
        Authority::News => "news",
        Authority::Blog => "other",
    }
}
