//! The factory as a program sees it: what is asked of a person lets something happen.

use super::Factory;
use crate::profile::Profile;

impl Profile for Factory {}
