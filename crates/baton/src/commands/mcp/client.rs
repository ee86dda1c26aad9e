//! Telling a client how far a call is, if it wants to know, and hearing when it does not want the answer any more.

use std::sync::atomic::{AtomicU32, Ordering};

use rmcp::model::ProgressNotificationParam;
use rmcp::service::{RequestContext, RoleServer};

/// Who waits for one call.
#[derive(Default)]
pub struct Client {
    request: Option<RequestContext<RoleServer>>,
    sent: AtomicU32,
}

impl Client {
    /// Whoever made this request.
    pub fn of(context: RequestContext<RoleServer>) -> Self {
        Self { request: Some(context), sent: AtomicU32::default() }
    }

    /// Sends how far it is. That nobody hears it is no reason to stop.
    pub async fn notify(&self, message: String) {
        let Some(request) = &self.request else { return };
        let Some(token) = request.meta.get_progress_token() else { return };
        let count = self.sent.fetch_add(1, Ordering::Relaxed) + 1;
        let progress = ProgressNotificationParam::new(token, f64::from(count)).with_message(message);
        let _ = request.peer.notify_progress(progress).await;
    }

    /// Comes back when the client does not want the answer any more.
    pub async fn gone(&self) {
        match &self.request {
            Some(request) => request.ct.cancelled().await,
            None => std::future::pending().await,
        }
    }
}
