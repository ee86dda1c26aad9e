//! Which act comes next: scripted ones first, then faults by chance, then the answering function.

use std::collections::{BTreeMap, VecDeque};

use super::act::{Act, Fault};
use super::shape::Asked;

/// A small seeded random generator (SplitMix64): same seed, same faults.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// Starts from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next_u64() % n.max(1) as u64).unwrap_or(0)
    }
}

/// Faults by chance.
#[derive(Clone, Debug)]
pub struct Faults {
    /// Where the chance comes from.
    pub chance: Chance,
    /// How many requests in a thousand go wrong.
    pub per_thousand: u64,
    /// What may happen to them, all equally likely.
    pub acts: Vec<Act>,
}

impl Faults {
    /// Faults of these kinds at this rate.
    #[must_use]
    pub fn new(seed: u64, per_thousand: u64, acts: Vec<Act>) -> Self {
        Self { chance: Chance::new(seed), per_thousand, acts }
    }

    fn pick(&mut self) -> Option<Act> {
        if self.acts.is_empty() || self.chance.next_u64() % 1000 >= self.per_thousand {
            return None;
        }
        Some(self.acts[self.chance.below(self.acts.len())].clone())
    }
}

type Answer = Box<dyn Fn(&Asked) -> Act + Send + Sync>;

/// Everything the server has been told to do.
pub(crate) struct Plan {
    pub queue: VecDeque<Act>,
    pub by_step: BTreeMap<String, VecDeque<Act>>,
    pub faults: Option<Faults>,
    pub answer: Answer,
}

impl Default for Plan {
    fn default() -> Self {
        let answer: Answer = Box::new(|_| Act::Say("{}".to_owned()));
        Self { queue: VecDeque::new(), by_step: BTreeMap::new(), faults: None, answer }
    }
}

impl Plan {
    pub fn next(&mut self, asked: &Asked) -> Act {
        let scripted = self.by_step.get_mut(&asked.step).and_then(VecDeque::pop_front);
        scripted
            .or_else(|| self.queue.pop_front())
            .or_else(|| self.faults.as_mut().and_then(Faults::pick))
            .unwrap_or_else(|| (self.answer)(asked))
    }
}

impl From<Fault> for Act {
    fn from(fault: Fault) -> Self {
        Self::Fail(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_come_at_their_rate_and_the_same_way_each_time() {
        let draw = |seed| {
            let mut faults = Faults::new(seed, 200, vec![Fault::Internal.into(), Act::Refuse]);
            (0..10_000).map(|_| faults.pick()).collect::<Vec<_>>()
        };
        let drawn = draw(1);
        let count = |act: &Act| drawn.iter().flatten().filter(|a| *a == act).count();
        let (internal, refused) = (count(&Fault::Internal.into()), count(&Act::Refuse));
        assert!((1900..2100).contains(&(internal + refused)), "{internal} + {refused}");
        assert!(internal > 850 && refused > 850, "{internal} {refused}");
        assert_eq!(drawn, draw(1));
        assert_ne!(drawn, draw(2));
    }
}
