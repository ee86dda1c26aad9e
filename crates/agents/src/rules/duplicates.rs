//! Near-duplicates: texts that are copies of one another but for small changes (MinHash over word shingles).

use super::words::{fold, word_ranges};

const SHINGLE: usize = 4;
const HASHES: usize = 64;
/// Likeness from which two texts count as copies of one text.
pub const COPY: f64 = 0.6;

/// A short stand-in for a text; comparing two estimates how many of their word runs they share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sketch {
    lowest: Vec<u64>,
}

impl Sketch {
    /// Sketches a text. Case, marks and white space do not matter.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let words: Vec<u64> = word_ranges(text).map(|range| hash(fold(&text[range]).as_bytes())).collect();
        let mut lowest = vec![u64::MAX; HASHES];
        let width = SHINGLE.min(words.len()).max(1);
        for shingle in words.windows(width) {
            let base = shingle.iter().fold(0_u64, |sum, word| mix(sum.rotate_left(13) ^ word));
            for (index, low) in lowest.iter_mut().enumerate() {
                *low = (*low).min(mix(base ^ mix(index as u64 + 1)));
            }
        }
        Self { lowest }
    }

    /// Estimated share of word runs in common, 0 to 1.
    #[must_use]
    pub fn likeness(&self, other: &Self) -> f64 {
        let same = self.lowest.iter().zip(&other.lowest).filter(|(a, b)| a == b && **a != u64::MAX).count();
        same as f64 / HASHES as f64
    }
}

/// Groups texts that are copies of one another: for each text the number of its group, from 0.
#[must_use]
pub fn groups(sketches: &[Sketch]) -> Vec<usize> {
    let mut group: Vec<usize> = Vec::with_capacity(sketches.len());
    let mut next = 0;
    for (index, sketch) in sketches.iter().enumerate() {
        let same = (0..index).find(|&earlier| sketches[earlier].likeness(sketch) >= COPY);
        group.push(same.map_or_else(
            || {
                next += 1;
                next - 1
            },
            |earlier| group[earlier],
        ));
    }
    group
}

/// FNV-1a: stable across runs and machines, unlike the standard hasher.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let value = (value ^ (value >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    value ^ (value >> 33)
}
