//! What is drawn equals what was given: read back from pictures, pages and workbooks.

mod hostile;
mod picture;
mod readback;
mod workbook;
