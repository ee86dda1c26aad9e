//! What is kept beside a turn while it goes on: what it costs, and whether somebody wants it stopped.

use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

use super::{AgentSpec, Cost};

/// What an agent told of its costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Millionths of a dollar, if it tells money.
    pub micro_usd: Option<u64>,
    /// Tokens it read.
    pub input: u64,
    /// Tokens it wrote.
    pub output: u64,
}

/// The side of a turn that its end does not tell.
pub struct Beside {
    usage: Mutex<Option<Usage>>,
    stop: watch::Receiver<bool>,
}

impl Beside {
    /// Beside a turn that somebody may stop.
    pub fn new(stop: watch::Receiver<bool>) -> Self {
        Self { usage: Mutex::default(), stop }
    }

    /// Beside a turn that nobody stops.
    pub fn alone() -> Self {
        Self::new(watch::channel(false).1)
    }

    /// Notes what an agent told; the last word counts.
    pub fn tell(&self, usage: Usage) {
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner) = Some(usage);
    }

    /// Turns true when the turn shall stop.
    pub fn stop(&self) -> watch::Receiver<bool> {
        self.stop.clone()
    }

    /// Whether the turn shall stop.
    pub fn is_stopped(&self) -> bool {
        *self.stop.borrow()
    }

    /// What a turn of this agent cost. Tokens without money are priced where the plan has a price; what is paid and not
    /// told is unknown.
    pub fn cost(&self, agent: &AgentSpec) -> Cost {
        let told = *self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        match told {
            None if agent.is_paid() => Cost::Paid { micro_usd: None, tokens: 0 },
            None => Cost::Free,
            Some(usage) => {
                let priced = agent.price.map(|price| {
                    let of = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
                    let sum = of(usage.input, price.input) + of(usage.output, price.output);
                    u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX)
                });
                Cost::Paid {
                    micro_usd: usage.micro_usd.or(priced),
                    tokens: usage.input.saturating_add(usage.output),
                }
            }
        }
    }
}

/// Dollars as agents tell them, in millionths. What is no amount is not told.
pub fn micro_usd(dollars: f64) -> Option<u64> {
    let micro = (dollars * 1e6).ceil();
    (micro.is_finite() && (0.0..1e15).contains(&micro)).then_some(micro as u64)
}

#[cfg(test)]
mod tests {
    use super::super::TokenPrice;
    use super::*;

    #[test]
    fn what_is_told_is_charged_and_what_is_not_is_unknown() {
        let free = AgentSpec::recipe();
        let paid = AgentSpec { kind: "codex".to_owned(), ..AgentSpec::recipe() };
        let price = Some(TokenPrice { input: 1_000_000, output: 4_000_000 });
        let priced = AgentSpec { price, ..paid.clone() };
        let said = |usage: Option<Usage>, agent: &AgentSpec| {
            let beside = Beside::alone();
            usage.into_iter().for_each(|usage| beside.tell(usage));
            beside.cost(agent)
        };
        let tokens = Usage { micro_usd: None, input: 100, output: 10 };
        let money = Usage { micro_usd: Some(7), ..tokens };
        assert_eq!(said(None, &free), Cost::Free);
        assert!(said(None, &paid).is_unknown());
        assert_eq!(said(Some(tokens), &paid), Cost::Paid { micro_usd: None, tokens: 110 });
        assert_eq!(said(Some(tokens), &priced), Cost::Paid { micro_usd: Some(140), tokens: 110 });
        assert_eq!(said(Some(money), &priced), Cost::Paid { micro_usd: Some(7), tokens: 110 });
        assert_eq!(said(None, &paid).charged(500).micro_usd, 500);
        assert_eq!(said(Some(money), &paid).charged(500).micro_usd, 7);
        assert_eq!((micro_usd(0.0123), micro_usd(f64::NAN), micro_usd(-1.0)), (Some(12_300), None, None));
    }
}
