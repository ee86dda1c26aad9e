//! Talking with a process: what it prints is heard line by line, and what is said in return goes to its stdin.
//!
//! Its stdin is a named pipe, so that a supervisor in between need not carry it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use baton_agents::clock::within;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::pipe;
use tokio::sync::{Notify, mpsc};

use super::{Capture, ExitKind, Invocation, PATIENCE, ProcessError, ProcessOutput, Processes};

/// The longest line that is heard. What is longer is passed over.
const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// One side of a conversation by lines.
pub trait Conversation: Send {
    /// What is said first.
    fn begin(&mut self) -> Vec<String>;
    /// What is said in return to a line.
    fn hear(&mut self, line: &str) -> Vec<String>;
    /// Whether nothing more is to be said or heard.
    fn is_over(&self) -> bool;
    /// What is said when somebody wants it stopped. It then has its grace to come to an end by itself.
    fn stop(&mut self) -> Vec<String> {
        Vec::new()
    }
}

impl Processes {
    /// Talks with a process until the conversation is over or the process is. A process that stays when its stdin is
    /// closed is ended with all it started. `folder` is where its stdin is made; what it prints on stdout is heard, not kept.
    pub async fn converse(
        &self,
        invocation: &Invocation,
        folder: &Path,
        talk: &mut dyn Conversation,
    ) -> Result<ProcessOutput, ProcessError> {
        let stdin = Stdin::make(folder)?;
        let mouth = pipe::OpenOptions::new().read_write(true).open_sender(&stdin.0)?;
        let invocation = stdin.of(invocation);
        let (out, mut err) = (Capture::new(invocation.out_limit), Capture::new(invocation.err_limit));
        let exit = {
            let (control, mut child) = self.start(&invocation).await?;
            let heard = [out.heard(), err.heard()];
            let (said, to_say) = mpsc::unbounded_channel();
            let over = Notify::new();
            let stop = invocation.stopped();
            let ears = Ears { talk, said: Some(said), heard: Arc::clone(&heard[0]), over: &over };
            let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
            let end = async {
                let exit = child.exit().await?;
                control.end();
                child.gone().await;
                Ok::<_, ProcessError>(exit)
            };
            let read = async { Ok(tokio::try_join!(ears.listen(stdout, stop), err.read(stderr))?) };
            let work = async {
                let heard_out = async { tokio::try_join!(end, read).map(|(exit, _)| exit) };
                // Nobody may read any more what is still to be said.
                tokio::select! { exit = heard_out => exit, never = speak(mouth, to_say) => match never {} }
            };
            let mut work = pin!(work);
            let ended = tokio::select! {
                biased;
                ended = self.limited(&invocation, &heard, work.as_mut()) => ended,
                () = over.notified() => Err(ExitKind::Code(0)),
                () = self.stopped_in_vain(&invocation) => Err(ExitKind::Stopped),
            };
            let clock = self.clock.as_ref();
            match ended {
                Ok(exit) => exit.inspect(|_| control.release())?,
                Err(ended) => {
                    let all_said = ended == ExitKind::Code(0);
                    let mut gone = all_said && within(clock, invocation.grace, &mut work).await.is_some();
                    if !gone {
                        control.terminate();
                        gone = within(clock, invocation.grace, &mut work).await.is_some();
                    }
                    control.end();
                    if !gone {
                        let _ = within(clock, PATIENCE, &mut work).await;
                    }
                    ended
                }
            }
        };
        Ok(ProcessOutput { exit, out, err })
    }

    /// Returns when somebody wanted the process stopped and its grace is over.
    async fn stopped_in_vain(&self, invocation: &Invocation) {
        invocation.stopped().await;
        self.pause(invocation.grace).await;
    }
}

/// A named pipe, removed when the conversation is over.
struct Stdin(PathBuf);

impl Stdin {
    fn make(folder: &Path) -> std::io::Result<Self> {
        let path = folder.join("stdin");
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR)?;
        Ok(Self(path))
    }

    /// The same invocation, reading from the pipe.
    fn of(&self, invocation: &Invocation) -> Invocation {
        let mut reads = invocation.clone();
        let line: [OsString; 3] = ["-c".into(), "exec \"$@\" < \"$0\"".into(), self.0.clone().into()];
        reads.args = line.into_iter().chain([reads.program]).chain(reads.args).collect();
        reads.program = "sh".into();
        reads
    }
}

impl Drop for Stdin {
    fn drop(&mut self) {
        // A pipe that is left in a folder of ours is made anew the next time.
        let _ = std::fs::remove_file(&self.0);
    }
}

struct Ears<'a> {
    talk: &'a mut dyn Conversation,
    /// None once everything is said: then its stdin is closed.
    said: Option<mpsc::UnboundedSender<String>>,
    heard: Arc<AtomicU64>,
    over: &'a Notify,
}

impl Ears<'_> {
    /// Hears to the end, also when nothing more is to be said: who prints is never held up.
    async fn listen(
        mut self,
        from: Option<impl AsyncRead + Unpin>,
        stop: impl Future<Output = ()>,
    ) -> std::io::Result<()> {
        let first = self.talk.begin();
        self.say(first);
        let Some(mut from) = from else { return Ok(()) };
        let (mut line, mut buffer) = (Vec::new(), vec![0; 16 * 1024]);
        let (mut stop, mut stopped) = (pin!(stop), false);
        loop {
            let read = tokio::select! {
                biased;
                read = from.read(&mut buffer) => read?,
                () = &mut stop, if !stopped => {
                    stopped = true;
                    let last = self.talk.stop();
                    self.reply(last);
                    continue;
                }
            };
            if read == 0 {
                return Ok(());
            }
            self.heard.fetch_add(read as u64, Ordering::Relaxed);
            for part in buffer[..read].split_inclusive(|byte| *byte == b'\n') {
                if line.len() <= LONGEST_LINE {
                    line.extend_from_slice(part);
                }
                if part.ends_with(b"\n") {
                    self.hear(&std::mem::take(&mut line));
                }
            }
        }
    }

    fn hear(&mut self, line: &[u8]) {
        if line.len() > LONGEST_LINE || self.talk.is_over() {
            return;
        }
        let answers = self.talk.hear(String::from_utf8_lossy(line).trim_end());
        self.reply(answers);
    }

    /// Says what is said in return, and closes the conversation if that was all.
    fn reply(&mut self, lines: Vec<String>) {
        self.say(lines);
        if self.talk.is_over() {
            self.said = None;
            self.over.notify_one();
        }
    }

    fn say(&self, lines: Vec<String>) {
        for line in lines {
            // Who does not listen any more has ended, and that is found out elsewhere.
            let _ = self.said.as_ref().map(|said| said.send(line));
        }
    }
}

/// Says what is to be said, and closes the pipe behind it. It never returns: the end of a conversation is heard.
async fn speak(mouth: pipe::Sender, mut lines: mpsc::UnboundedReceiver<String>) -> std::convert::Infallible {
    let mut mouth = Some(mouth);
    while let Some(mut line) = lines.recv().await {
        line.push('\n');
        if let Some(open) = &mut mouth
            && open.write_all(line.as_bytes()).await.is_err()
        {
            mouth = None;
        }
    }
    drop(mouth);
    std::future::pending().await
}
