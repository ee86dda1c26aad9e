//! A scripted web site on a free loopback port, for tests of fetching. Each path has a scripted reply; some of them
//! misbehave: redirect loops, huge, endless and silent pages, gzip bombs, wrong encodings. It remembers what was asked.

mod reply;

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

pub use reply::Reply;

use crate::tap::Tap;

/// State shared by the threads of a site.
#[derive(Default)]
struct Shared {
    replies: HashMap<String, Reply>,
    requests: Mutex<Vec<String>>,
    closed: Mutex<bool>,
    closing: Condvar,
    tap: Tap,
}

impl Shared {
    fn is_closed(&self) -> bool {
        *lock(&self.closed)
    }

    /// Waits until the site closes: how a page that never answers is made without sleeping.
    fn wait_for_close(&self) {
        let mut closed = lock(&self.closed);
        while !*closed {
            closed = self.closing.wait(closed).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running site; it closes when dropped.
pub struct Website {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

impl Website {
    /// Starts a site with a reply for each path; every other path is "not found".
    pub fn start(replies: impl IntoIterator<Item = (&'static str, Reply)>) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let replies = replies.into_iter().map(|(path, reply)| (path.to_owned(), reply)).collect();
        let shared = Arc::new(Shared { replies, ..Shared::default() });
        let for_thread = Arc::clone(&shared);
        let accepting = std::thread::spawn(move || accept(&listener, &for_thread));
        Ok(Self { address, shared, accepting: Some(accepting) })
    }

    /// `host:port`.
    #[must_use]
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// The address of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Lets so many more drips of dripping pages go out.
    pub fn drip(&self, drips: usize) {
        self.shared.tap.drip(drips);
    }

    /// The paths asked for so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        lock(&self.shared.requests).clone()
    }
}

impl Drop for Website {
    fn drop(&mut self) {
        *lock(&self.shared.closed) = true;
        self.shared.closing.notify_all();
        self.shared.tap.close();
        // Wakes the accepting thread, which then sees that the site is closed.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.accepting.take() {
            drop(thread.join());
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.is_closed() {
            return;
        }
        let Ok(stream) = stream else { continue };
        let shared = Arc::clone(shared);
        // A client that hangs up early is part of the tests; nobody waits for this thread's result.
        std::thread::spawn(move || serve(&stream, &shared));
    }
}

fn serve(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    for line in lines.by_ref() {
        if line?.is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap_or("/").to_owned();
    lock(&shared.requests).push(path.clone());
    match shared.replies.get(&path) {
        Some(reply) => reply.send(stream, &|| shared.wait_for_close(), &shared.tap),
        None => Reply::Status(404).send(stream, &|| {}, &shared.tap),
    }
}
