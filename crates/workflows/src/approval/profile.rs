//! The chain as a program sees it: it asks no model, and every question of it lets something happen.

use super::Approval;
use crate::profile::Profile;

impl Profile for Approval {}
