//! Ctrl-C, SIGTERM and SIGHUP (a terminal that was closed): the first asks for a clean stop, the second for one at once.
//!
//! They are heard on a thread of their own, so that a busy driver cannot keep them waiting.

use std::sync::mpsc;

use baton_engine::engine::{StopSignal, StopSwitch};
use tokio::sync::watch;

use crate::output::Output;
use crate::trouble::Trouble;

/// The wish of a person that this process ends.
#[derive(Clone, Debug)]
pub struct Signals {
    /// For drivers.
    pub stop: StopSignal,
    pressed: watch::Receiver<bool>,
}

impl Signals {
    /// Returns at the first signal; at once if there was one.
    pub async fn pressed(&self) {
        let mut pressed = self.pressed.clone();
        if pressed.wait_for(|pressed| *pressed).await.is_err() {
            // The thread that listens never ends, so nothing more can come.
            std::future::pending::<()>().await;
        }
    }

    /// Whether there was a signal.
    pub fn is_pressed(&self) -> bool {
        *self.pressed.borrow()
    }
}

/// Listens from now on. `first` is told to the person at the first signal.
pub fn listen(out: &Output, first: &'static str) -> Result<Signals, Trouble> {
    let (switch, stop) = StopSignal::new();
    let (tell, pressed) = watch::channel(false);
    let (ready, is_ready) = mpsc::channel();
    let out = out.clone();
    let thread = move || {
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return drop(ready.send(Err(error))),
        };
        runtime.block_on(hear(&ready, || {
            // Stopping comes first: who reads the message may rely on it.
            StopSwitch::press(&switch);
            if !tell.send_replace(true) && !first.is_empty() {
                out.note(first);
            }
        }));
    };
    std::thread::Builder::new().name("baton-signals".to_owned()).spawn(thread).map_err(Trouble::Runtime)?;
    let lost = || std::io::Error::other("the listening thread ended");
    is_ready.recv().unwrap_or_else(|_| Err(lost())).map_err(Trouble::Runtime)?;
    Ok(Signals { stop, pressed })
}

type Ready = mpsc::Sender<std::io::Result<()>>;

#[cfg(unix)]
async fn hear(ready: &Ready, each: impl Fn()) {
    use tokio::signal::unix::{SignalKind, signal};
    let outlives = hangup_is_ignored();
    let all = || {
        let [interrupt, terminate, hangup] =
            [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
        Ok((interrupt?, terminate?, hangup?))
    };
    let (mut interrupt, mut terminate, mut hangup) = match all() {
        Ok(all) => all,
        Err(error) => return drop(ready.send(Err(error))),
    };
    // Whoever asked may have given up; listening harms nobody.
    let _ = ready.send(Ok(()));
    loop {
        let heard = tokio::select! {
            heard = interrupt.recv() => heard,
            heard = terminate.recv() => heard,
            heard = hangup.recv(), if !outlives => heard,
        };
        if heard.is_none() {
            return;
        }
        each();
    }
}

/// Whether whoever started us wants us to outlive the terminal, as `nohup` does.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

#[cfg(not(unix))]
async fn hear(ready: &Ready, each: impl Fn()) {
    let _ = ready.send(Ok(()));
    while tokio::signal::ctrl_c().await.is_ok() {
        each();
    }
}
