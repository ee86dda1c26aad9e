//! The work of each phase, one file each.

pub mod aggregation;
pub mod brief_builder;
pub mod chart_analysis;
pub mod editing;
pub mod execution;
pub mod initial_research;
pub mod planning;
pub mod questions_review;
pub mod reporting;
pub mod story_lining;
