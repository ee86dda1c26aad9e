//! A server on a free loopback port that answers each request as a function or a list of paths says, well or badly:
//! redirect loops, huge, endless and silent answers, gzip bombs. It keeps every request with its headers, so that a
//! test can say what was sent and what was not.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

pub use response::Response;

use crate::tap::Tap;

mod response;

/// One request as it came.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// `GET`, `POST`…
    pub method: String,
    /// The path without its query.
    pub path: String,
    /// What stands after the question mark, as sent.
    pub query: String,
    /// Names in lower case, in the order of sending.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Request {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

type Answering = dyn Fn(&Request) -> Response + Send + Sync;

/// A running server; it closes when dropped.
pub struct HttpServer {
    address: SocketAddr,
    closed: Arc<AtomicBool>,
    tap: Arc<Tap>,
    requests: Arc<Mutex<Vec<Request>>>,
    accepting: Option<JoinHandle<()>>,
}

impl HttpServer {
    /// Starts a server that answers as `answer` says.
    pub fn start(answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let (closed, requests) = (Arc::<AtomicBool>::default(), Arc::<Mutex<Vec<Request>>>::default());
        let answer: Arc<Answering> = Arc::new(answer);
        let tap = Arc::<Tap>::default();
        let (stop, kept, dripping) = (Arc::clone(&closed), Arc::clone(&requests), Arc::clone(&tap));
        let accepting = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (answer, kept, tap) = (Arc::clone(&answer), Arc::clone(&kept), Arc::clone(&dripping));
                // A client that hangs up early is part of the tests; nobody waits for this thread's result.
                std::thread::spawn(move || serve(&stream, answer.as_ref(), &kept, &tap));
            }
        });
        Ok(Self { address, closed, tap, requests, accepting: Some(accepting) })
    }

    /// Starts a site with a response for each path; every other path is "not found".
    pub fn site(pages: impl IntoIterator<Item = (&'static str, Response)>) -> io::Result<Self> {
        let pages: BTreeMap<&str, Response> = pages.into_iter().collect();
        let missing = Response::status(404);
        Self::start(move |request| pages.get(request.path.as_str()).unwrap_or(&missing).clone())
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

    /// Lets so many more drips of dripping answers go out.
    pub fn drip(&self, drips: usize) {
        self.tap.drip(drips);
    }

    /// Every request so far, in order of arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The paths asked for so far, in order of arrival.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.path).collect()
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::SeqCst);
        self.tap.close();
        // Wakes the accepting thread, which then sees that the server is closed.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.accepting.take() {
            drop(thread.join());
        }
    }
}

fn serve(stream: &TcpStream, answer: &Answering, kept: &Mutex<Vec<Request>>, tap: &Tap) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let request = read(&mut reader)?;
    kept.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
    answer(&request).send(stream, &mut reader, tap)
}

fn read(reader: &mut impl BufRead) -> io::Result<Request> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut parts = line.split(' ');
    let method = parts.next().unwrap_or_default().to_owned();
    let target = parts.next().unwrap_or_default().to_owned();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut request =
        Request { method, path: path.to_owned(), query: query.to_owned(), ..Request::default() };
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.trim().split_once(':') {
            request.headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
    }
    let length = request.header("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    request.body = String::from_utf8_lossy(&body).into_owned();
    Ok(request)
}
