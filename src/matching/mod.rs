//! Which lines match, and the lines around them.

pub mod globs;
pub mod pattern;
pub mod scan;
pub mod snippet;
