//! What may leave this machine. Pure decisions: the address decides what "this machine" is, never a claim.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

/// Consent to send text from a person's documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Privacy {
    /// To every configured model.
    pub send_documents: bool,
    /// To these models only.
    pub documents_to: Vec<String>,
}

/// Whether a call that carries document text may go to the model `name`.
#[must_use]
pub fn may_see_documents(name: &str, on_this_machine: bool, privacy: &Privacy) -> bool {
    on_this_machine || privacy.send_documents || privacy.documents_to.iter().any(|allowed| allowed == name)
}

/// Whether an address is on this machine: loopback, by number or as `localhost`.
#[must_use]
pub fn is_this_machine(base_url: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(base_url) else { return false };
    let Some(host) = url.host_str() else { return false };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
