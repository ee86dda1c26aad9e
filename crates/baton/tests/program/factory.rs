//! Builds that are killed: before and after every wait for the disk, before and after every call of git, and at random. What
//! must hold whatever happens are the twelve invariants of `holds.rs`.
//!
//! The ordinary tests take a sample; `scripts/soak-factory` takes all of it.

mod abandoned;
mod disk;
mod dying;
mod everywhere;
mod holds;
mod random;
mod site;
mod standing;
