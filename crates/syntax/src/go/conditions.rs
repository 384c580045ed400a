//! Reads the constraint `//go:build`, under which a whole file takes part in a build.

use crate::conditions_writer::{ConditionRange, ConditionsWriter};
use crate::facts::Conditions;

/// The comment with the constraint.
const BUILD: &str = "//go:build ";

/// Returns the constraint of a text. It stands before the package clause.
pub(super) fn conditions(text: &str) -> Conditions {
    let mut writer = ConditionsWriter::default();
    let mut before = text
        .lines()
        .take_while(|line| !line.starts_with("package "));
    let constraint = before.find_map(|line| line.strip_prefix(BUILD));
    let constraint = constraint.map(str::trim).filter(|text| !text.is_empty());
    if let Some(constraint) = constraint {
        let text_of = writer.intern(constraint);
        writer.add(ConditionRange {
            start: 0,
            end: text.len(),
            text: text_of,
            is_negated: false,
        });
    }
    writer.finish(text)
}
