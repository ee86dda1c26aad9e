//! Telling a client how far a call is, if it wants to know, and hearing when it does not want the answer any more.

use std::sync::atomic::{AtomicU32, Ordering};

use rmcp::model::ProgressNotificationParam;
use rmcp::service::{RequestContext, RoleServer};

/// Who waits for one call.
#[derive(Default)]
pub struct Teller {
    client: Option<RequestContext<RoleServer>>,
    told: AtomicU32,
}

impl Teller {
    /// Whoever made this request.
    pub fn of(context: RequestContext<RoleServer>) -> Self {
        Self { client: Some(context), told: AtomicU32::default() }
    }

    /// Tells how far it is. That nobody hears it is no reason to stop.
    pub async fn tell(&self, message: String) {
        let Some(client) = &self.client else { return };
        let Some(token) = client.meta.get_progress_token() else { return };
        let count = self.told.fetch_add(1, Ordering::Relaxed) + 1;
        let progress = ProgressNotificationParam::new(token, f64::from(count)).with_message(message);
        let _ = client.peer.notify_progress(progress).await;
    }

    /// Comes back when the client does not want the answer any more.
    pub async fn left(&self) {
        match &self.client {
            Some(client) => client.ct.cancelled().await,
            None => std::future::pending().await,
        }
    }
}
