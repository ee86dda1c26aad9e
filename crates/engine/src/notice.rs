//! The word that a run shall stop, as a performer hears it: it comes when the run begins to wind down, so that a long call
//! can end decently in the time it is given instead of being cut off.

use tokio::sync::watch;

tokio::task_local! {
    static NOTICE: watch::Receiver<bool>;
}

/// Turns true when the run of the act that is being performed shall stop. Where nobody can say so it never does.
pub fn stop_notice() -> watch::Receiver<bool> {
    NOTICE.try_with(Clone::clone).unwrap_or_else(|_| watch::channel(false).1)
}

/// Lets what is performed inside hear the word.
pub(crate) async fn heard<T>(notice: watch::Receiver<bool>, work: impl Future<Output = T>) -> T {
    NOTICE.scope(notice, work).await
}
