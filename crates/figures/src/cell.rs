//! What stands in one cell.
