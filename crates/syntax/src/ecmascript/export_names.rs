//! The names of exports.

/// The name of what is exported without one.
pub(super) const DEFAULT: &str = "default";

/// What a module exports everything of another one as.
pub(super) const STAR: &str = "*";
