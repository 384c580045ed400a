//! The names by which the facts list default exports and star exports.

pub(super) const DEFAULT: &str = "default";

/// The name of what a module exports from all of another one.
pub(super) const STAR: &str = "*";
