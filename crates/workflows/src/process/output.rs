//! Output that is limited while it is read: its beginning and its end are kept, and the rest is counted.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How much of an output is kept; nothing unless something is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaptureLimit {
    /// Bytes of its beginning.
    pub head: usize,
    /// Bytes of its end.
    pub tail: usize,
}

impl CaptureLimit {
    /// The beginning alone.
    pub const fn head(bytes: usize) -> Self {
        Self { head: bytes, tail: 0 }
    }

    /// The end alone.
    pub const fn tail(bytes: usize) -> Self {
        Self { head: 0, tail: bytes }
    }
}

/// Something was printed that is not here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it printed {left_out} bytes more than the {kept} that are kept")]
pub struct Truncated {
    /// Bytes that are kept.
    pub kept: usize,
    /// Bytes that are not.
    pub left_out: u64,
}

/// What a process printed, as far as it is kept.
#[derive(Debug, Default)]
pub struct Capture {
    limit: CaptureLimit,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
    heard: Arc<AtomicU64>,
}

impl Capture {
    pub(super) fn new(limit: CaptureLimit) -> Self {
        Self { limit, head: Vec::new(), tail: VecDeque::new(), left_out: 0, heard: Arc::default() }
    }

    /// Reads to the end, however much comes.
    pub(super) async fn read(&mut self, pipe: Option<impl AsyncRead + Unpin>) -> std::io::Result<()> {
        let Some(mut pipe) = pipe else { return Ok(()) };
        let mut buffer = vec![0; 16 * 1024];
        loop {
            match pipe.read(&mut buffer).await? {
                0 => return Ok(()),
                read => self.push(&buffer[..read]),
            }
        }
    }

    /// How many bytes have come so far, for whoever waits for a sign of life.
    pub(super) fn heard(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.heard)
    }

    fn push(&mut self, bytes: &[u8]) {
        self.heard.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let (head, rest) = bytes.split_at(bytes.len().min(self.limit.head - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(self.limit.tail);
        self.tail.drain(..over);
        self.left_out += over as u64;
    }

    /// How many bytes are not kept.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// What was printed, if all of it is here.
    pub fn whole(self) -> Result<Vec<u8>, Truncated> {
        if self.left_out > 0 {
            return Err(Truncated { kept: self.head.len() + self.tail.len(), left_out: self.left_out });
        }
        Ok([self.head, self.tail.into()].concat())
    }

    /// Puts what another output holds behind this one, within the limit of this one.
    pub fn append(&mut self, other: Self) {
        self.left_out += other.left_out;
        self.push(&other.head);
        self.push(&Vec::from(other.tail));
    }

    /// As text that says what is missing, and where.
    pub fn text(self) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let Self { head, tail, left_out, .. } = self;
        match left_out {
            0 => text(&[head, tail.into()].concat()),
            many if head.is_empty() => {
                format!("[{many} bytes before this are left out]\n{}", text(&Vec::from(tail)))
            }
            many => format!("{}\n[{many} bytes are left out here]\n{}", text(&head), text(&Vec::from(tail))),
        }
    }
}
