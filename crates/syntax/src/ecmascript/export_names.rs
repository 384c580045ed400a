//! The names of exports that the source does not spell out.

/// The name of a default export.
pub(super) const DEFAULT: &str = "default";

/// The name under which a module exports everything that another module exports.
pub(super) const STAR: &str = "*";
