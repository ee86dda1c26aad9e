//! The effort as a program sees it: what is asked of a person lets something happen.

use super::Effort;
use crate::profile::Profile;

impl Profile for Effort {}
