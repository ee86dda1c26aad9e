//! Which addresses may be fetched. Private, local and special addresses are refused unless they were allowed by name,
//! so that a page cannot make us ask a machine on the inside.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use super::fetch::FetchError;

/// `host:port` pairs that may be private, as a person named them.
#[derive(Debug, Clone, Default)]
pub struct Guard {
    allowed: Vec<String>,
}

impl Guard {
    /// A guard that lets these `host:port` pairs be private.
    #[must_use]
    pub fn new(allowed: &[String]) -> Self {
        Self { allowed: allowed.iter().map(|pair| pair.to_lowercase()).collect() }
    }

    /// Checks what can be seen in the address itself: scheme, credentials, literal private addresses.
    pub fn check(&self, url: &Url) -> Result<(), FetchError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(FetchError::Refused {
                url: url.to_string(),
                reason: format!("{} addresses are not fetched", url.scheme()),
            });
        }
        if !url.username().is_empty() || url.password().is_some() {
            let reason = "an address must not hold a name or password".to_owned();
            return Err(FetchError::Refused { url: url.host_str().unwrap_or_default().to_owned(), reason });
        }
        let literal = match url.host() {
            Some(Host::Ipv4(ip)) => Some(IpAddr::V4(ip)),
            Some(Host::Ipv6(ip)) => Some(IpAddr::V6(ip)),
            Some(Host::Domain(_)) => None,
            None => {
                return Err(FetchError::Refused {
                    url: url.to_string(),
                    reason: "it names no host".to_owned(),
                });
            }
        };
        if literal.is_none()
            && self.allows_host(&url.host_str().unwrap_or_default().to_lowercase())
            && !self.is_allowed(url)
        {
            let reason = "this host is allowed on another port only".to_owned();
            return Err(FetchError::Refused { url: url.to_string(), reason });
        }
        match literal {
            Some(ip) if !is_public(ip) && !self.is_allowed(url) => Err(private(url, ip)),
            _ => Ok(()),
        }
    }

    fn is_allowed(&self, url: &Url) -> bool {
        self.allowed.contains(&pair(url))
    }

    fn allows_host(&self, host: &str) -> bool {
        self.allowed.iter().any(|pair| pair.rsplit_once(':').is_some_and(|(name, _)| name == host))
    }
}

/// An address as it is allowed by name: `host:port`.
fn pair(url: &Url) -> String {
    let (host, port) = (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(0));
    format!("{host}:{port}").to_lowercase()
}

fn private(url: &Url, ip: IpAddr) -> FetchError {
    FetchError::Refused {
        url: url.to_string(),
        reason: format!(
            "{ip} is a private or local address; if it is meant, allow it with --allow-private {}",
            pair(url)
        ),
    }
}

/// Resolves names and hands out public addresses only: what was checked is what is connected to.
#[derive(Debug, Clone)]
pub(super) struct GuardedResolver {
    pub guard: Guard,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_lowercase();
        let allowed = self.guard.allows_host(&host);
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((host.as_str(), 0)).await?.collect();
            let usable: Vec<SocketAddr> =
                found.iter().copied().filter(|address| allowed || is_public(address.ip())).collect();
            if usable.is_empty() {
                let shown = found.first().map(|address| address.ip().to_string()).unwrap_or_default();
                return Err(format!("{host} leads to {shown}, a private or local address").into());
            }
            Ok(Box::new(usable.into_iter()) as Addrs)
        })
    }
}

/// Is this an address on the open internet?
#[must_use]
pub fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    !(ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_broadcast()
        || ip.is_multicast()
        || ip.is_documentation()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (18..20).contains(&b)))
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    // Addresses that carry an IPv4 address are judged by it.
    if let Some(inner) = ip.to_ipv4_mapped().or_else(|| embedded(ip)) {
        return is_public_v4(inner);
    }
    let first = ip.segments()[0];
    let global_unicast = (0x2000..0x4000).contains(&first);
    let documentation = first == 0x2001 && ip.segments()[1] == 0x0db8;
    global_unicast && !documentation
}

/// The IPv4 address inside a 6to4 or NAT64 address.
fn embedded(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let s = ip.segments();
    let join = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match s[0] {
        0x2002 => Some(join(s[1], s[2])),
        0x0064 if s[1] == 0xff9b => Some(join(s[6], s[7])),
        _ => None,
    }
}
