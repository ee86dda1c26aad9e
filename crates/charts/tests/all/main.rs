//! What is drawn equals what was given.
