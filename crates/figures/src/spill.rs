//! Sorting more than memory holds.
