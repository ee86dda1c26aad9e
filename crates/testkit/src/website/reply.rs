//! What a path answers, well behaved or not.

use std::io::{self, Write};
use std::net::TcpStream;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::tap::Tap;

/// A scripted answer.
#[derive(Debug, Clone)]
pub enum Reply {
    /// An HTML page in UTF-8.
    Html(String),
    /// Bytes with a content type.
    Bytes {
        /// Value of `Content-Type`.
        content_type: String,
        /// The body.
        body: Vec<u8>,
    },
    /// Only a status.
    Status(u16),
    /// Too busy, with this `Retry-After`.
    Busy(String),
    /// A redirect to an address or path.
    Redirect(String),
    /// A page that never ends: one letter after each [`super::Website::drip`].
    Drips,
    /// A page that says it is this long and begins to send it.
    Huge(u64),
    /// A page without a length that never stops.
    Endless,
    /// Headers and the beginning of a page, then silence.
    Stalls,
    /// Nothing at all after the request.
    Silent,
    /// A small gzip body that unpacks to this many bytes.
    GzipBomb(u64),
    /// An HTML page, gzip-packed.
    Gzip(String),
}

const CHUNK: [u8; 8192] = [b'x'; 8192];

impl Reply {
    /// Sends the reply; `wait` returns when the site closes.
    pub(crate) fn send(&self, stream: &TcpStream, wait: &dyn Fn(), tap: &Tap) -> io::Result<()> {
        match self {
            Self::Html(page) => {
                whole(stream, "200 OK", "Content-Type: text/html; charset=utf-8\r\n", page.as_bytes())
            }
            Self::Bytes { content_type, body } => {
                whole(stream, "200 OK", &format!("Content-Type: {content_type}\r\n"), body)
            }
            Self::Status(code) => whole(stream, &format!("{code} Scripted"), "", b""),
            Self::Busy(until) => whole(stream, "429 Busy", &format!("Retry-After: {until}\r\n"), b""),
            Self::Drips => {
                head(stream, "200 OK", "Content-Type: text/plain\r\n")?;
                while tap.wait() {
                    write_all(stream, b"x")?;
                }
                Ok(())
            }
            Self::Redirect(to) => whole(stream, "302 Found", &format!("Location: {to}\r\n"), b""),
            Self::Huge(length) => {
                head(stream, "200 OK", &format!("Content-Type: text/plain\r\nContent-Length: {length}\r\n"))?;
                forever(stream)
            }
            Self::Endless => {
                head(stream, "200 OK", "Content-Type: text/plain\r\n")?;
                forever(stream)
            }
            Self::Stalls => {
                head(stream, "200 OK", "Content-Type: text/html\r\nContent-Length: 1000\r\n")?;
                write_all(stream, b"<p>The beginning of")?;
                wait();
                Ok(())
            }
            Self::Silent => {
                wait();
                Ok(())
            }
            Self::GzipBomb(size) => whole(
                stream,
                "200 OK",
                "Content-Type: text/html\r\nContent-Encoding: gzip\r\n",
                &packed_zeros(*size)?,
            ),
            Self::Gzip(page) => {
                let mut packer = GzEncoder::new(Vec::new(), Compression::default());
                packer.write_all(page.as_bytes())?;
                whole(
                    stream,
                    "200 OK",
                    "Content-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\n",
                    &packer.finish()?,
                )
            }
        }
    }
}

fn head(stream: &TcpStream, status: &str, headers: &str) -> io::Result<()> {
    write_all(stream, format!("HTTP/1.1 {status}\r\n{headers}Connection: close\r\n\r\n").as_bytes())
}

fn whole(stream: &TcpStream, status: &str, headers: &str, body: &[u8]) -> io::Result<()> {
    head(stream, status, &format!("{headers}Content-Length: {}\r\n", body.len()))?;
    write_all(stream, body)
}

fn write_all(mut stream: &TcpStream, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes)
}

/// Sends until the client hangs up, which ends the write with an error.
fn forever(stream: &TcpStream) -> io::Result<()> {
    loop {
        write_all(stream, &CHUNK)?;
    }
}

fn packed_zeros(size: u64) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let zeros = [b' '; 65_536];
    let mut left = size;
    while left > 0 {
        let part = usize::try_from(left).unwrap_or(usize::MAX).min(zeros.len());
        packer.write_all(&zeros[..part])?;
        left -= part as u64;
    }
    packer.finish()
}
