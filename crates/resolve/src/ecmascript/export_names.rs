//! The names of exports that code does not write as names.

pub(super) const DEFAULT: &str = "default";

/// The name of what a module exports from all of another one.
pub(super) const STAR: &str = "*";
