//! Which lines match, and the lines around them.

pub mod globs;
mod line_regex;
pub mod pattern;
pub mod scan;
pub mod snippet;
